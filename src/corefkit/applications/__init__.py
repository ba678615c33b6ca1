"""Single mentions: heads, kinds, minimum spans, and the application scores of Tuggener (2014)."""
