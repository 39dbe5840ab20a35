"""Inference on arrays: estimates, intervals, tests and corrections.

The tests take arrays of values or differences; `fuzzytruth.tests` has the same tests of `Scores`.
Each states its null hypothesis and what it estimates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzzytruth._lazy import members

if TYPE_CHECKING:
    from fuzzytruth.stats.agreement import wilson as wilson
    from fuzzytruth.stats.bootstrap_max_t import ModeratedMaxT as ModeratedMaxT
    from fuzzytruth.stats.bootstrap_max_t import cluster_t as cluster_t
    from fuzzytruth.stats.bootstrap_max_t import moderated_max_t as moderated_max_t
    from fuzzytruth.stats.bootstrap_max_t import stratified_t as stratified_t
    from fuzzytruth.stats.effects import PairedOutcome as PairedOutcome
    from fuzzytruth.stats.mean_tests import Leads as Leads
    from fuzzytruth.stats.mean_tests import bootstrap_shift as bootstrap_shift
    from fuzzytruth.stats.mean_tests import dominance as dominance
    from fuzzytruth.stats.mean_tests import equivalence as equivalence
    from fuzzytruth.stats.mean_tests import non_inferiority as non_inferiority
    from fuzzytruth.stats.mean_tests import paired_t as paired_t
    from fuzzytruth.stats.mean_tests import sign_flip as sign_flip
    from fuzzytruth.stats.mean_tests import wasserstein as wasserstein
    from fuzzytruth.stats.multiplicity import CORRECTIONS as CORRECTIONS
    from fuzzytruth.stats.multiplicity import adjust as adjust
    from fuzzytruth.stats.rank_tests import RankTest as RankTest
    from fuzzytruth.stats.rank_tests import friedman as friedman
    from fuzzytruth.stats.rank_tests import mcnemar as mcnemar
    from fuzzytruth.stats.rank_tests import sign_test as sign_test
    from fuzzytruth.stats.rank_tests import wilcoxon as wilcoxon
    from fuzzytruth.stats.settings import Resampling as Resampling
    from fuzzytruth.stats.sign_flips import MaxT as MaxT
    from fuzzytruth.stats.sign_flips import max_t as max_t
else:
    __getattr__, __all__, __dir__ = members(
        __name__,
        {
            "agreement": "wilson",
            "bootstrap_max_t": "ModeratedMaxT cluster_t moderated_max_t stratified_t",
            "effects": "PairedOutcome",
            "mean_tests": (
                "Leads bootstrap_shift dominance equivalence non_inferiority paired_t sign_flip "
                "wasserstein"
            ),
            "multiplicity": "CORRECTIONS adjust",
            "rank_tests": "RankTest friedman mcnemar sign_test wilcoxon",
            "settings": "Resampling",
            "sign_flips": "MaxT max_t",
        },
    )
