"""Relevant items up to each rank, against the pmf of each prefix and enumeration."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from support.poisson_binomial import SKEWS, in_decimals

from fuzzytruth.core.lists.poisson_binomial import pmf
from fuzzytruth.core.lists.relevant_counts import (
    expected_recalls,
    joint_pmfs,
    packed_prefix_pmfs,
    packed_rank,
    packed_size,
)


def test_by_hand() -> None:
    packed = packed_prefix_pmfs(np.array([[0.5, 1.0], [0.25, 0.5]]))
    assert packed[:, 0].tolist() == [0.5, 0.5, 0.0, 0.5, 0.5]
    assert packed[:, 1].tolist() == [0.75, 0.25, 0.375, 0.5, 0.125]
    assert [packed_size(d) for d in range(4)] == [0, 2, 5, 9]
    assert [packed_rank(r) for r in (1, 2, 3)] == [slice(0, 2), slice(2, 5), slice(5, 9)]


def test_tails_are_relatively_accurate() -> None:
    p = SKEWS["both ends"](np.random.default_rng(3), 300)
    packed = packed_prefix_pmfs(p[None])[:, 0]
    for rank in (1, 2, 41, 300):
        exact = in_decimals(p[:rank])
        normal = exact > 1e-290
        result = packed[packed_rank(rank)]
        assert len(result) == rank + 1
        np.testing.assert_allclose(result[normal], exact[normal], rtol=1e-12, atol=0)


@pytest.mark.parametrize("n", [1, 5, 40, 100])
def test_sure_events_only_shift(n: int) -> None:
    p = np.random.default_rng(n).integers(0, 2, n).astype(float)
    expected = np.zeros(n + 1)
    expected[int(p.sum())] = 1
    assert packed_prefix_pmfs(p[None])[packed_rank(n), 0].tolist() == expected.tolist()


def test_no_ranks_and_no_lists() -> None:
    assert packed_prefix_pmfs(np.empty((3, 0))).shape == (0, 3)
    assert packed_prefix_pmfs(np.empty((0, 4))).shape == (14, 0)


@given(
    arrays(float, st.tuples(st.integers(1, 20), st.integers(1, 30)), elements=st.floats(0, 1)),
)
def test_each_prefix_is_a_pmf(p: np.ndarray) -> None:
    packed = packed_prefix_pmfs(p)
    for rank in range(1, p.shape[1] + 1):
        result = packed[packed_rank(rank)]
        expected = np.array([pmf(row[:rank]) for row in p]).T
        np.testing.assert_allclose(result, expected, rtol=1e-12, atol=1e-300)
        np.testing.assert_allclose(result.sum(axis=0), 1, rtol=1e-12)
        mean = np.arange(rank + 1) @ result
        np.testing.assert_allclose(mean, p[:, :rank].sum(axis=1), rtol=1e-11, atol=1e-300)


@pytest.mark.parametrize("grouped", [False, True])
def test_expected_recalls_are_the_mean_over_worlds(grouped: bool) -> None:
    rng = np.random.default_rng(2)
    p, rest = rng.random((3, 3)), rng.random((3, 2))
    count = np.tile([2.0, 1.0], (3, 1)) if grouped else None
    each = np.repeat(rest, [2, 1], axis=1) if grouped else rest
    expected = np.zeros((3, 3))
    for world in itertools.product((0, 1), repeat=3 + each.shape[1]):
        w = np.array(world)
        both = np.concatenate((p, each), axis=1)
        chance = np.where(w, both, 1 - both).prod(axis=1)
        if w.any():
            expected += chance[:, None] * np.cumsum(w[:3]) / w.sum()
    np.testing.assert_allclose(expected_recalls(p, rest, count), expected, rtol=1e-12)


def test_joint_pmfs_are_those_of_the_two_parts() -> None:
    rng = np.random.default_rng(4)
    p, rest = rng.random(5), rng.random(3)
    pairs = list(joint_pmfs(p, rest))
    assert len(pairs) == 5
    for rank, (above, others) in enumerate(pairs, start=1):
        np.testing.assert_allclose(above, pmf(p[:rank]), rtol=1e-13)
        np.testing.assert_allclose(others, pmf(np.concatenate((p[rank:], rest))), rtol=1e-13)
