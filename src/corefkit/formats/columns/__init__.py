"""The kernel of the column formats: lines, cells, brackets and numbers for texts."""
