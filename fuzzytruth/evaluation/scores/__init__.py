"""Scores: their numbers, tables, text, figure and files."""
