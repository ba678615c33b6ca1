"""Receipts: a result that names its files can be repeated, by anybody, to the last digit."""
