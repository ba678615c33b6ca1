"""Intervals, paired tests, agreement."""
