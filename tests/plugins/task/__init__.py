"""Tests of corefkit.plugins.task."""
