"""Damaged files for every reader: targets, mutators and independent parsers."""
