"""Overlap and counts on database engines, for corpora that do not fit into memory."""
