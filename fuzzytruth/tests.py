"""Tests of two systems, or of all, on `Scores`; `fuzzytruth.stats` has them for arrays."""

from __future__ import annotations

from fuzzytruth.comparison.compare import difference_intervals
from fuzzytruth.comparison.margin_tests import (
    dominance,
    equivalence,
    friedman,
    non_inferiority,
    superiority,
)
from fuzzytruth.comparison.pair_tests import (
    bootstrap_shift,
    mcnemar,
    paired_t,
    sign_flip,
    sign_test,
    wasserstein,
    wilcoxon,
)

__all__ = [
    "bootstrap_shift",
    "difference_intervals",
    "dominance",
    "equivalence",
    "friedman",
    "mcnemar",
    "non_inferiority",
    "paired_t",
    "sign_flip",
    "sign_test",
    "superiority",
    "wasserstein",
    "wilcoxon",
]


def __dir__() -> list[str]:
    return __all__
