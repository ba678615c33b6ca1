"""Tests of the commands of corefkit corpus."""
