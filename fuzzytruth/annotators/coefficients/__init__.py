"""Coefficients of agreement: of all subjects together, and of each pair."""
