"""Slow, obvious implementations that share no code with corefkit and judge it in the tests."""
