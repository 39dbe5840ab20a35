"""Query by example aligned with runs."""
