"""Inference on arrays: estimates, intervals, tests and corrections.

The tests take arrays of values or differences; `fuzzytruth.paired_t`, `fuzzytruth.wilcoxon` and so
on are the same tests of `Scores`. Each states its null hypothesis and what it estimates.
"""

from fuzzytruth.stats.agreement import wilson
from fuzzytruth.stats.bootstrap_max_t import ModeratedMaxT, cluster_t, moderated_max_t, stratified_t
from fuzzytruth.stats.effects import PairedOutcome
from fuzzytruth.stats.mean_tests import (
    Leads,
    bootstrap_shift,
    dominance,
    equivalence,
    non_inferiority,
    paired_t,
    sign_flip,
    wasserstein,
)
from fuzzytruth.stats.multiplicity import CORRECTIONS, adjust
from fuzzytruth.stats.rank_tests import RankTest, friedman, mcnemar, sign_test, wilcoxon
from fuzzytruth.stats.settings import Resampling
from fuzzytruth.stats.sign_flips import MaxT, max_t

__all__ = [
    "CORRECTIONS",
    "Leads",
    "MaxT",
    "ModeratedMaxT",
    "PairedOutcome",
    "RankTest",
    "Resampling",
    "adjust",
    "bootstrap_shift",
    "cluster_t",
    "dominance",
    "equivalence",
    "friedman",
    "max_t",
    "mcnemar",
    "moderated_max_t",
    "non_inferiority",
    "paired_t",
    "sign_flip",
    "sign_test",
    "stratified_t",
    "wasserstein",
    "wilcoxon",
    "wilson",
]
