"""Formats of tools and evaluations of the past, which corpora in use still have."""
