"""Simulation study of inference: error rates of tests, coverage of intervals."""
