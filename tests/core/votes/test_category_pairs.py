"""Specific agreement and alpha by category, against loops and against fewer votes."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from scipy.sparse import csr_array
from support.pairs_of_votes import (
    alpha_of,
    cut,
    random_table,
    removals,
    repeated,
    unit_votes,
    units_of,
)

from fuzzytruth.core.votes.unit_votes import CategoryPairs, CategorySums

BELONGS = csr_array(np.array([[1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1]], dtype=float))


def fields(sums: CategorySums) -> np.ndarray:
    n = sums.same.shape[1]
    parts = [sums.same, sums.pairs, sums.gaps, sums.votes, sums.own]
    return np.stack([*parts, np.repeat(sums.weight, n, axis=1)], axis=1)


def test_agreement_by_loops() -> None:
    table = random_table(3)
    sums = CategoryPairs.of(unit_votes(table, 4), BELONGS).all()
    has = BELONGS.toarray().astype(bool)
    units = units_of(table)
    for k in (1, 2):
        pairs = [(has[int(a), k], has[int(b), k]) for u in units for a, b in permutations(u, 2)]
        same = sum(a and b for a, b in pairs) / sum(a for a, _ in pairs)
        assert sums.specific()[0, k] == pytest.approx(same)
        binary = [[float(has[int(v), k]) for v in unit] for unit in units]
        assert sums.alpha()[0, k] == pytest.approx(alpha_of(binary, lambda a, b: float(a != b)))
    assert sums.specific()[0, 0] == 1
    assert np.isnan(sums.alpha()[0, 0])  # everybody gives it always


@pytest.mark.parametrize("kind", ["units", "pairs of units", "subjects", "votes"])
def test_without_some_votes(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fuzzytruth.core.votes.unit_votes._NUMBERS", 10)
    table = random_table(2, subjects=4, items=12)
    votes = unit_votes(table, 4)
    removed = removals(votes)[kind]
    blocks = [*CategoryPairs.of(votes, BELONGS).without(removed)]
    assert len(blocks) > 1 or removed.n_groups <= 3
    found = np.concatenate([fields(one) for one in blocks])
    for group in range(removed.n_groups):
        rest = CategoryPairs.of(unit_votes(cut(table, kind, group), 4), BELONGS).all()
        np.testing.assert_allclose(found[group], fields(rest)[0], atol=1e-9)


def test_repetitions() -> None:
    votes = repeated()
    found = np.concatenate(
        [fields(s) for s in CategoryPairs.of(votes, BELONGS).without(removals(votes)["subjects"])]
    )
    for subject in range(3):
        rest = CategoryPairs.of(repeated(subject), BELONGS).all()
        np.testing.assert_allclose(found[subject], fields(rest)[0], atol=1e-9)


def test_units_with_one_vote_do_not_count() -> None:
    table = random_table(2, subjects=3, items=30, missing=0.6)
    n_votes = np.sum(~np.isnan(table), axis=0)
    assert (n_votes == 1).any()
    one, other = (
        fields(CategoryPairs.of(unit_votes(part, 4), BELONGS).all())
        for part in (table, table[:, n_votes > 1])
    )
    np.testing.assert_allclose(one, other, atol=1e-12)


def test_what_repetitions_differ_by_from_themselves() -> None:
    votes = repeated()
    mine = (votes.votes @ BELONGS).toarray()
    used = votes.n[votes.unit] >= 2
    expected = 2 * (mine - mine**2)[used].sum(axis=0)
    assert expected.any()
    np.testing.assert_allclose(CategoryPairs.of(votes, BELONGS).all().own[0], expected)
