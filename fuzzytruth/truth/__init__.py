"""Truths aligned with runs: what measures are given."""
