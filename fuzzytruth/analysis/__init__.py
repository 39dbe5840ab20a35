"""Whole analyses: data check, scores, distributions and comparisons as one result."""
