"""Outer worlds as weights of votes."""

from itertools import product

import numpy as np
import pytest

from fuzzytruth.core.cells import Cells
from fuzzytruth.truth.vote_weights import (
    resampled_subjects,
    resampled_within_queries,
)

SEED = np.random.SeedSequence(3)
NAMES = [f"s{j}" for j in range(20)]


def test_few_resamples_are_enumerated() -> None:
    votes = resampled_subjects(list("abc"), 100, SEED)
    assert votes.counts is not None
    ways: dict[tuple[int, ...], float] = {}
    for drawn in product(range(3), repeat=3):
        key = tuple(np.bincount(drawn, minlength=3).tolist())
        ways[key] = ways.get(key, 0) + 1 / 27
    found = {tuple(c): w for c, w in zip(votes.counts.tolist(), votes.weight, strict=True)}
    assert found.keys() == ways.keys()
    assert all(abs(found[key] - ways[key]) < 1e-15 for key in ways)
    assert (votes.drawn, votes.inflation.tolist()) == (False, [1.5])


def test_many_are_drawn() -> None:
    votes = resampled_subjects(NAMES, 500, SEED)
    assert votes.counts is not None
    assert votes.drawn
    assert set(votes.counts.sum(axis=1)) == {20.0}
    assert abs(votes.counts.mean() - 1) < 1e-12
    variance = votes.counts.var()
    assert abs(variance - 0.95) < 4 * 0.95 * np.sqrt(3 / votes.counts.size)


def test_nested_resamples_depend_on_the_query_and_its_subjects_alone() -> None:
    seed = (1, 2, 3, 4)
    both = Cells(np.array([0, 0, 1, 1, 1]), np.array([0, 1, 0, 1, 2]), 2, 3)
    one = Cells(np.array([0, 0, 0]), np.array([0, 1, 2]), 1, 3)
    votes = resampled_within_queries(both, ("p", "q"), ["b", "c", "a"], 99, seed)
    alone = resampled_within_queries(one, ("q",), ["a", "c", "b"], 99, seed)
    assert votes.counts is not None
    assert alone.counts is not None
    np.testing.assert_array_equal(votes.counts[:, [4, 3, 2]], alone.counts)
    assert votes.weight.sum() == pytest.approx(1)


def test_nested_subjects_are_drawn_within_queries() -> None:
    exists = np.array([[True, True, False, True], [False, True, True, False]])
    cells = Cells.of_mask(exists)
    votes = resampled_within_queries(cells, ("p", "q"), list("abcd"), 4000, (1, 2, 3, 4))
    assert votes.counts is not None
    assert (votes.by_cell, votes.drawn) == (True, True)
    assert set(votes.counts[:, :3].sum(axis=1)) == {3.0}
    assert set(votes.counts[:, 3:].sum(axis=1)) == {2.0}
    np.testing.assert_allclose(votes.counts.mean(axis=0), 1, atol=4 / np.sqrt(4000))
    together = np.corrcoef(votes.counts[:, 0], votes.counts[:, 3])[0, 1]
    assert abs(together) < 4 / np.sqrt(4000)  # queries are independent
    assert votes.inflation.tolist() == [1.5, 2]
    assert votes.inflation_of(slice(1, 2)).tolist() == [2]
