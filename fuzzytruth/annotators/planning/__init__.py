"""Variance components, the collections that they ask for, and which votes to collect next."""
