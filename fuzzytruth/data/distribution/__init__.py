"""`Distribution`, named distributions, and functions of two distributions."""
