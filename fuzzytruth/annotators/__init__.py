"""The people behind the truth: agreement, influence, variance, planning, model judges."""
