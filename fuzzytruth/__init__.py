"""Evaluate ranking systems when the people who gave the ground truth disagree."""
