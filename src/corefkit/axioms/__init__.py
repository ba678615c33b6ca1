"""What a metric can be relied on for: axioms, tried on all small overlaps of key and response."""
