"""Logs that evaluation harnesses write for each sample, as columns of scores."""
