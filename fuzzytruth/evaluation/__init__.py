"""From a truth, runs and measures to scores."""
