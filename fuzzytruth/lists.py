"""Distances and similarities of two ranked lists, beside `fuzzytruth.displacement`."""

from fuzzytruth.evaluation.lists.list_similarity import footrule as footrule
from fuzzytruth.evaluation.lists.list_similarity import kendall_distance as kendall_distance
from fuzzytruth.evaluation.lists.list_similarity import rank_biased_overlap as rank_biased_overlap

__all__ = [name for name in dir() if name[0] != "_"]


def __dir__() -> list[str]:
    return __all__
