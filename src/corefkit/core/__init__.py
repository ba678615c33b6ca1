"""The carriers: corpora, pairs, overlaps, counts, incidents, options. Imports nothing above it."""
