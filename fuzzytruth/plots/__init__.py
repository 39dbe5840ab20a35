"""Figures of tidy frames."""
