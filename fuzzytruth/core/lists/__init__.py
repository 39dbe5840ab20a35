"""Kernels of ranked lists: arrays in, arrays out."""
