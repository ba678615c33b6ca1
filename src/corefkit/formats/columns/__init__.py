"""The kernel of column formats: lines, cells, brackets, and numbers for strings."""
