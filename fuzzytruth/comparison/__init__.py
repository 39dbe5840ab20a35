"""Which systems differ: `compare`, `rank_stability`, tests, and results in words."""
