"""From two files to scores: read, check, prepare, match, count."""
