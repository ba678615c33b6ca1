"""Tests of the corpus tools."""
