"""What is known about mentions and entities beyond spans: chains, features, heads, minima."""
