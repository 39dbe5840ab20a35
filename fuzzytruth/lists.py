"""Distances and similarities of two ranked lists, beside `fuzzytruth.displacement`."""

from __future__ import annotations

from fuzzytruth.evaluation.lists.list_similarity import (
    footrule,
    kendall_distance,
    rank_biased_overlap,
)

__all__ = ["footrule", "kendall_distance", "rank_biased_overlap"]


def __dir__() -> list[str]:
    return __all__
