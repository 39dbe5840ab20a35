"""Scores of classifiers: of classes, in a taxonomy or not, and of probabilities."""

from __future__ import annotations

from fuzzytruth.evaluation.tables.class_scores import class_scores, hierarchical_scores
from fuzzytruth.evaluation.tables.probability_scores import probability_scores

__all__ = ["class_scores", "hierarchical_scores", "probability_scores"]


def __dir__() -> list[str]:
    return __all__
