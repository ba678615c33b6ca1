"""Metrics of entity resolution and of clustering, also for a key that is a sample of entities."""
