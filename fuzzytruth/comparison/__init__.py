"""Comparisons of systems: `compare`, `rank_stability`, tests of `Scores`, results as text."""
