"""Variance components, and the collections that they ask for."""
