"""Tests of two systems, or of all, on `Scores`; `fuzzytruth.stats` has them for arrays."""

from fuzzytruth.comparison.compare import difference_intervals as difference_intervals
from fuzzytruth.comparison.margin_tests import dominance as dominance
from fuzzytruth.comparison.margin_tests import equivalence as equivalence
from fuzzytruth.comparison.margin_tests import friedman as friedman
from fuzzytruth.comparison.margin_tests import non_inferiority as non_inferiority
from fuzzytruth.comparison.margin_tests import superiority as superiority
from fuzzytruth.comparison.pair_tests import bootstrap_shift as bootstrap_shift
from fuzzytruth.comparison.pair_tests import mcnemar as mcnemar
from fuzzytruth.comparison.pair_tests import paired_t as paired_t
from fuzzytruth.comparison.pair_tests import sign_flip as sign_flip
from fuzzytruth.comparison.pair_tests import sign_test as sign_test
from fuzzytruth.comparison.pair_tests import wasserstein as wasserstein
from fuzzytruth.comparison.pair_tests import wilcoxon as wilcoxon

__all__ = [name for name in dir() if name[0] != "_"]


def __dir__() -> list[str]:
    return __all__
