"""Bootstrap resamples of subjects, enumerated when few."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb, factorial, prod

import numpy as np

from fuzzytruth._typing import Floats

#: resamples of the subjects are enumerated up to this many
_MOST_ENUMERATED = 2_000


def subject_resamples(
    n_subjects: int, n_worlds: int, seed: np.random.SeedSequence
) -> tuple[Floats, Floats, bool]:
    """Bootstrap resamples: probabilities, multiplicities, and whether they were drawn.

    All distinct resamples if they are few, else `n_worlds` random ones.

    Returns
    -------
    probability : (worlds,) float
    votes : (worlds, subjects) float
        How often a resample has each subject.
    drawn : bool
    """
    if comb(2 * n_subjects - 1, n_subjects) <= min(_MOST_ENUMERATED, n_worlds):
        return *_all_resamples(n_subjects), False
    rng = np.random.default_rng(seed)
    votes = rng.multinomial(n_subjects, np.full(n_subjects, 1 / n_subjects), size=n_worlds)
    return np.full(n_worlds, 1 / n_worlds), votes.astype(np.float64), True


def _all_resamples(n: int) -> tuple[Floats, Floats]:
    """Every distinct resample of `n` subjects: its probability, and how often it has each."""
    votes = np.array(
        [np.bincount(drawn, minlength=n) for drawn in combinations_with_replacement(range(n), n)]
    )
    n_orders = [factorial(n) // prod(factorial(v) for v in row) for row in votes.tolist()]
    return np.array(n_orders) / float(n) ** n, votes.astype(np.float64)
