"""Ordinal distances that follow the votes that are left, and Cohen's kappa by hand."""

import numpy as np
import pytest
from support.pairs_of_votes import NONE, TWELVE, ordinal_alpha, random_table, unit_votes

from fuzzytruth.annotators.coefficients import agreement_metrics as module
from fuzzytruth.annotators.coefficients.agreement_metrics import TwoMargins, without_reranked
from fuzzytruth.core.votes.unit_votes import Paired, Removed, UnitVotes, share_of_unit
from fuzzytruth.core.votes.value_distances import mid_ranks, nominal_distances, squared_distances
from fuzzytruth.stats.agreement import Chance, jackknife


def paired(votes: UnitVotes) -> Paired:
    totals = share_of_unit(votes.n, by_vote=True) @ votes.counts
    return Paired.of(votes, squared_distances(mid_ranks(totals)), by_vote=True)


def test_alpha_without_each_item_and_each_subject() -> None:
    """The squares are exact; the pairs within units to the second order of the change of ranks."""
    table = random_table(0, subjects=6, items=40)
    votes = unit_votes(table, 4)
    pairs = paired(votes)
    assert Chance("alpha").value(pairs.all())[0] == pytest.approx(ordinal_alpha(table), abs=1e-12)
    units, cells = np.arange(40), np.arange(len(votes.unit))
    for removed, axis, tolerance in (
        (Removed(units, 40, units, None), 1, 1e-4),
        (Removed(votes.subject, 6, votes.unit, cells), 0, 3e-3),
    ):
        found = Chance("alpha").value(without_reranked(pairs, removed))
        true = np.empty(len(found))
        for group in range(len(found)):
            rest = table.copy()
            rest[(slice(None), group) if axis else group] = NONE
            true[group] = ordinal_alpha(rest)
        np.testing.assert_allclose(found, true, rtol=0, atol=tolerance)
        variances = [jackknife(np.zeros(1), [of[:, None]]).variance[0] for of in (found, true)]
        assert variances[0] == pytest.approx(variances[1], rel=0.05)


def test_votes_without_names_and_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    named = unit_votes(random_table(5), 4)
    counts = named.counts.tocoo()
    unnamed = UnitVotes.of(counts.row, None, counts.col, counts.data, 20, 4)
    removed = Removed(np.arange(20), 20, np.arange(20), None)
    whole = Chance("alpha").value(without_reranked(paired(named), removed))
    monkeypatch.setattr(module, "_NUMBERS", 9)
    for votes in (named, unnamed):
        again = Chance("alpha").value(without_reranked(paired(votes), removed))
        np.testing.assert_allclose(again, whole, atol=1e-13)


def test_kappa_of_two_margins_by_hand() -> None:
    table = TWELVE[1:3] - 1
    votes = unit_votes(table, 5)
    both = ~np.isnan(table).any(axis=0)
    all_pairs = Paired.of(votes, nominal_distances(5), by_vote=False)
    pairs = TwoMargins.of(votes, nominal_distances(5), all_pairs.gaps / 2, both)

    def kappa(keep) -> float:
        a, b = table[:, keep].astype(int)
        chance = sum((a == k).mean() * (b == k).mean() for k in range(5))
        return ((a == b).mean() - chance) / (1 - chance)

    assert Chance("cohen").value(pairs.all())[0] == pytest.approx(kappa(both))
    without = Chance("cohen").value(pairs.without(Removed(np.arange(12), 12, np.arange(12), None)))
    for unit in np.flatnonzero(both):
        assert without[unit] == pytest.approx(kappa(both & (np.arange(12) != unit)))
