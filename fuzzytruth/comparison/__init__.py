"""Which systems differ: `compare` and `rank_stability`, their results and how they are told."""
