"""The departments: what the core never needs, and what it does not import."""
