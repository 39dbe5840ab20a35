"""Kernels: pure functions on NumPy arrays, below every data type."""
