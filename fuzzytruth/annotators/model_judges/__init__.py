"""Model judges beside people: tests, agreement, prediction-powered intervals."""
