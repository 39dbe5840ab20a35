"""Statistical inference on arrays: estimates, resampling, tests, multiplicity.

Every test names its null hypothesis and what it estimates.
"""

from fuzzytruth.stats.corrections import CORRECTIONS, adjust
from fuzzytruth.stats.distribution_tests import (
    Dominance,
    Superiority,
    dominance,
    superiority,
    wasserstein,
)
from fuzzytruth.stats.pair_tests import (
    bootstrap_shift,
    equivalence,
    mcnemar,
    paired_t,
    sign,
    sign_flip,
    wilcoxon,
)
from fuzzytruth.stats.pairs import TestResult
from fuzzytruth.stats.rank_tests import FriedmanResult, friedman
from fuzzytruth.stats.settings import Resampling
from fuzzytruth.stats.sign_flip import MaxT, max_t

__all__ = [
    "CORRECTIONS",
    "Dominance",
    "FriedmanResult",
    "MaxT",
    "Resampling",
    "Superiority",
    "TestResult",
    "adjust",
    "bootstrap_shift",
    "dominance",
    "equivalence",
    "friedman",
    "max_t",
    "mcnemar",
    "paired_t",
    "sign",
    "sign_flip",
    "superiority",
    "wasserstein",
    "wilcoxon",
]
