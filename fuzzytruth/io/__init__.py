"""Readers and writers, one module a format."""
