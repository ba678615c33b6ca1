"""Tests of corefkit.task."""
