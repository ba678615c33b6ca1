"""Studies of metrics and corpora: scores at every threshold, power, keys with known errors."""
