"""Cohen's kappa, and that without single units, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from support.pairs_of_votes import TWELVE, unit_votes

from fuzzytruth.annotators.coefficients.agreement_metrics import TwoMargins
from fuzzytruth.core.votes.unit_votes import Paired, Removed
from fuzzytruth.core.votes.value_distances import nominal_distances
from fuzzytruth.stats.agreement import Chance


def test_two_margins() -> None:
    table = TWELVE[1:3] - 1
    votes = unit_votes(table, 5)
    both = ~np.isnan(table).any(axis=0)
    all_pairs = Paired.of(votes, nominal_distances(5), by_vote=False)
    pairs = TwoMargins.of(votes, nominal_distances(5), all_pairs.gaps / 2, both)
    # 8 of 10 units are alike; Cohen's kappa by hand from the margins
    a, b = table[:, both].astype(int)
    chance = sum((a == k).mean() * (b == k).mean() for k in range(5))
    kappa = ((a == b).mean() - chance) / (1 - chance)
    assert Chance("cohen").value(pairs.all())[0] == pytest.approx(kappa)
    without = Chance("cohen").value(pairs.without(Removed(np.arange(12), 12, np.arange(12), None)))
    for unit in np.flatnonzero(both):
        keep = both & (np.arange(12) != unit)
        a, b = table[:, keep].astype(int)
        chance = sum((a == k).mean() * (b == k).mean() for k in range(5))
        assert without[unit] == pytest.approx(((a == b).mean() - chance) / (1 - chance))
