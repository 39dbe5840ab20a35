"""Permutation of the systems' labels within queries: the randomised Tukey test.

Null: all systems are exchangeable within every query (the complete null). Where some systems
differ, the test is not exact for the others: one outlying system widens the permuted ranges, so
that equal ones differ significantly less often than the level says (studentised maxima under
permuted labels would err in the other direction: .22 at ten queries). `stats.max_t` tests the null
hypothesis of each pair, whatever the other systems do.

References
----------
Carterette, B. (2012), Multiple testing in statistical analysis of systems-based information
retrieval experiments, ACM Transactions on Information Systems 30.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.exact_sums import tied_share
from fuzzytruth.core.label_permutations import (
    all_permuted_means,
    n_permutations,
    permuted_means,
)
from fuzzytruth.stats.paired import scale_of
from fuzzytruth.stats.settings import Purpose, Resampling


@dataclass(frozen=True, slots=True, eq=False)
class Ranges:
    """Largest differences of means under permuted labels.

    Parameters
    ----------
    draws : (permutations,) float
        Ascending.
    enumerated : bool
        Whether all permutations were enumerated, and not drawn.
    tie : float
        Differences that differ by no more are equal.
    """

    draws: Floats
    enumerated: bool
    tie: float

    def p_adjusted(self, differences: Floats) -> Floats:
        """(b + 1) / (m + 1) if drawn, the exact share if enumerated; ties count."""
        size, m = np.abs(differences), len(self.draws)
        reached = m - np.searchsorted(self.draws, size - self.tie, side="left")
        p = reached / m if self.enumerated else (reached + 1) / (m + 1)
        return np.where(np.isnan(differences), np.nan, np.minimum(p, 1.0))

    def half_width(self, level: float) -> float:
        """Half the width of intervals that exclude 0 exactly where p is 1 - level or less."""
        m = len(self.draws)
        k = int(np.floor((1 - level) * (m + (not self.enumerated)) * (1 + 1e-12)))
        # The data are among enumerated permutations, and count beside drawn ones.
        return float(self.draws[m - k - self.enumerated] + self.tie) if k >= 1 else float("inf")


def permuted_ranges(
    values: Floats,
    resampling: Resampling,
    *,
    baseline: int | None = None,
    scale: float | None = None,
) -> Ranges:
    """Ranges of means (queries, systems) over all pairs, or over pairs with the baseline.

    `scale` is the largest |value| that the values come from, by default theirs.
    """
    queries, systems = values.shape
    tie = tied_share(queries) * float(scale_of(values.ravel(), scale))

    def largest(means: Floats) -> Floats:
        if baseline is None:
            return np.asarray(np.ptp(means, axis=1))
        return np.asarray(np.abs(means - means[:, [baseline]]).max(axis=1))

    if n_permutations(queries, systems) <= resampling.n_resamples + 1:
        return Ranges(np.sort(largest(all_permuted_means(values))), True, tie)

    def task(seed: np.random.SeedSequence, size: int) -> Floats:
        rng = np.random.Generator(np.random.SFC64(seed))
        batch = max(1, resampling.numbers // values.size)
        sizes = [min(batch, size - start) for start in range(0, size, batch)]
        return np.concatenate([largest(permuted_means(values, rng, n)) for n in sizes])

    return Ranges(np.sort(np.concatenate(resampling.run(Purpose.LABELS, task))), False, tie)
