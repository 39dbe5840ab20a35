"""Scores of classifiers: of classes, in a taxonomy or not, and of probabilities."""

from fuzzytruth.evaluation.tables.class_scores import class_scores as class_scores
from fuzzytruth.evaluation.tables.class_scores import hierarchical_scores as hierarchical_scores
from fuzzytruth.evaluation.tables.probability_scores import probability_scores as probability_scores

__all__ = [name for name in dir() if name[0] != "_"]


def __dir__() -> list[str]:
    return __all__
