"""Scores from tables, logs, probabilities and preferences."""
