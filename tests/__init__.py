"""The tests; they mirror src/corefkit."""
