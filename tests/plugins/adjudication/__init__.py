"""Adjudication."""
