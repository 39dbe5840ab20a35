"""Hits among the first ranks against every outcome of all items."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzzytruth.core.poisson_binomial import pmf
from fuzzytruth.core.prefixes import (
    expected_recalls,
    joint_pmfs,
    packed_prefix_pmfs,
    packed_rank,
    packed_size,
)

chances = st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.9, 1.0])


def outcomes(p):
    for outcome in product((0, 1), repeat=len(p)):
        yield float(np.prod(np.where(outcome, p, 1 - np.array(p)))), np.array(outcome, dtype=int)


def test_packed_pmfs_lie_end_to_end() -> None:
    places = [place for rank in range(1, 8) for place in range(100)[packed_rank(rank)]]
    assert places == list(range(packed_size(7)))
    assert [len(range(100)[packed_rank(rank)]) for rank in (1, 2, 7)] == [2, 3, 8]
    assert packed_size(0) == 0


@settings(max_examples=60)
@given(
    st.integers(1, 5).flatmap(
        lambda n: st.lists(st.lists(chances, min_size=n, max_size=n), min_size=1, max_size=3)
    )
)
def test_packed_pmfs_are_those_of_each_prefix(p) -> None:
    found = packed_prefix_pmfs(np.array(p))
    assert found.shape == (packed_size(len(p[0])), len(p))
    for j, row in enumerate(p):
        for rank in range(1, len(row) + 1):
            law = found[packed_rank(rank), j]
            np.testing.assert_allclose(law, pmf(np.array(row[:rank])), rtol=1e-13, atol=1e-15)


def test_no_lists_and_no_ranks() -> None:
    assert packed_prefix_pmfs(np.empty((0, 3))).shape == (9, 0)
    assert packed_prefix_pmfs(np.empty((2, 0))).shape == (0, 2)


@settings(max_examples=40)
@given(st.lists(chances, min_size=1, max_size=4), st.lists(chances, max_size=3))
def test_expected_recalls_by_every_outcome(p, rest) -> None:
    expected = sum(
        (w * np.cumsum(x[: len(p)]) / max(x.sum(), 1) for w, x in outcomes(p + rest)),
        start=np.zeros(len(p)),
    )
    found = expected_recalls(np.array([p]), np.array([rest]))
    np.testing.assert_allclose(found, [expected], rtol=0, atol=1e-12)


def test_expected_recalls_count_equal_items() -> None:
    p, rest = np.array([[0.2, 0.6], [1.0, 0.0]]), np.array([[0.4, 0.9], [0.1, 0.0]])
    count = np.array([[3.0, 1.0], [2.0, 4.0]])
    for row, found in enumerate(expected_recalls(p, rest, count)):
        each = np.repeat(rest[row], count[row].astype(int))[None]
        np.testing.assert_allclose(found, expected_recalls(p[[row]], each)[0], rtol=1e-12)


@settings(max_examples=40)
@given(st.lists(chances, min_size=1, max_size=4), st.lists(chances, max_size=3))
def test_joint_pmfs_by_every_outcome(p, rest) -> None:
    pairs = list(joint_pmfs(np.array(p), np.array(rest)))
    assert len(pairs) == len(p)
    for rank, (above, below) in enumerate(pairs, start=1):
        joint = np.zeros((rank + 1, len(p) + len(rest) - rank + 1))
        for weight, x in outcomes(p + rest):
            joint[x[:rank].sum(), x[rank:].sum()] += weight
        np.testing.assert_allclose(np.outer(above, below), joint, rtol=0, atol=1e-14)


@pytest.mark.parametrize("depth", [1, 60])
def test_long_lists_keep_their_means(depth: int) -> None:
    rng = np.random.default_rng(depth)
    p, rest = rng.random(depth), rng.random(30)
    for rank, (above, below) in enumerate(joint_pmfs(p, rest), start=1):
        assert above @ np.arange(rank + 1) == pytest.approx(p[:rank].sum(), rel=1e-12)
        mean = below @ np.arange(len(below))
        assert mean == pytest.approx(p[rank:].sum() + rest.sum(), rel=1e-12)
