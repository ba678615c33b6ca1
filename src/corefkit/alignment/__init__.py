"""Alignment of a text that was changed with the words of a key.

`edits` aligns two sequences by the fewest edits, for all formats; `letters` makes texts comparable
and aligns long ones; `words` says what became of the key's words; `placement` moves mentions to
them and reports what was changed or lost.
"""
