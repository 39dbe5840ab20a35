"""Judged pairs of a query and an item, aligned with runs."""
