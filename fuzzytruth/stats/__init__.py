"""Inference on arrays: estimates, intervals, tests and corrections.

The tests take arrays of values or differences; `fuzzytruth.paired_t`, `fuzzytruth.wilcoxon` and so
on are the same tests of `Scores`. Each states its null hypothesis and what it estimates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzzytruth._lazy import members

if TYPE_CHECKING:
    from fuzzytruth.stats.agreement import *
    from fuzzytruth.stats.bootstrap_max_t import *
    from fuzzytruth.stats.effects import *
    from fuzzytruth.stats.mean_tests import *
    from fuzzytruth.stats.multiplicity import *
    from fuzzytruth.stats.rank_tests import *
    from fuzzytruth.stats.settings import *
    from fuzzytruth.stats.sign_flips import *
else:
    __getattr__, __all__ = members(
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
