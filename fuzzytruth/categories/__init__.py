"""Votes for categories: assignments, membership, query by example, sets as answers."""
