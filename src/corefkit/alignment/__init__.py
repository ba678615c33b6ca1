"""Alignment of a changed text with the words of a key.

`edits` aligns two sequences with the fewest edits; `letters` makes texts comparable and aligns long
ones; `words` finds what became of the words of the key; `placement` moves mentions to these words
and reports what was changed or lost.
"""
