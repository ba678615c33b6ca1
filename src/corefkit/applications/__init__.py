"""What is known of mentions besides their spans: chains, features, heads, minima, context."""
