"""Verbs whose results are of ranked lists: by rank, curves, displacement, two directions."""
