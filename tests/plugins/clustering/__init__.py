"""Tests of corefkit.plugins.clustering."""
