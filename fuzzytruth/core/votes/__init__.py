"""Kernels of votes and their agreement: arrays in, arrays out."""
