"""From files to results: scores, errors, outcomes, explanations, checks."""
