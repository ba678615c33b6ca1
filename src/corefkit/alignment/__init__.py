"""Alignment of a text that was changed with the words of a key.

`letters` makes texts comparable, `characters` aligns them: `anchors` cuts long ones, `edits` solves
the pieces, `runs` keeps letters together. `words` says what became of the key's words, `placing`
moves mentions to them, `incidents` reports what was changed or lost.
"""
