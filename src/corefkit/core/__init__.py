"""The data that everything else works on: corpora, overlaps, counts, incidents, options.

This is the lowest package: it imports no other package of corefkit.
"""
