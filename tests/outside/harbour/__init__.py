"""A package of somebody else, which adds to corefkit by entry points: one file for each thing."""
