"""Ordinal distances follow the votes that are left."""

from __future__ import annotations

import numpy as np
import pytest
from support.pairs_of_votes import NONE, ordinal_alpha, random_table, unit_votes

from fuzzytruth.annotators.coefficients.agreement_metrics import without_reranked
from fuzzytruth.core.votes.unit_votes import Paired, Removed, UnitVotes, share_of_unit
from fuzzytruth.core.votes.value_distances import mid_ranks, squared_distances
from fuzzytruth.stats.agreement import Chance, jackknife


def paired(votes: UnitVotes) -> Paired:
    totals = share_of_unit(votes.n, by_vote=True) @ votes.counts
    return Paired.of(votes, squared_distances(mid_ranks(totals)), by_vote=True)


@pytest.mark.parametrize("seed", range(4))
def test_alpha_without_each_item_and_each_subject(seed: int) -> None:
    """The squares are exact; the pairs within units to the second order of the change of ranks."""
    table = random_table(seed, subjects=6, items=40)
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


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    votes = unit_votes(random_table(3), 4)
    removed = Removed(np.arange(20), 20, np.arange(20), None)
    whole = Chance("alpha").value(without_reranked(paired(votes), removed))
    monkeypatch.setattr("fuzzytruth.annotators.coefficients.agreement_metrics._NUMBERS", 9)
    assert Chance("alpha").value(
        without_reranked(paired(votes), removed)
    ).tolist() == pytest.approx(whole.tolist(), abs=1e-14)


def test_of_votes_without_names() -> None:
    """Those of people with names, counted."""
    table = random_table(5)
    named = unit_votes(table, 4)
    counts = named.counts.tocoo()
    unnamed = UnitVotes.of(counts.row, None, counts.col, counts.data, 20, 4)
    removed = Removed(np.arange(20), 20, np.arange(20), None)
    np.testing.assert_allclose(
        Chance("alpha").value(without_reranked(paired(unnamed), removed)),
        Chance("alpha").value(without_reranked(paired(named), removed)),
        atol=1e-13,
    )
