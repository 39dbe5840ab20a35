"""Values of numbers of relevant items, against enumeration; long lists abridged and whole."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.lists.relevant_counts import (
    by_class_size,
    count_atoms,
    count_moments,
    expected_over_number,
)

RNG = np.random.default_rng(0)
INSIDE, OTHERS = RNG.random((4, 3)), RNG.random((3, 3))


def recall(inside, elsewhere):
    return divide(inside, inside + elsewhere)


def all_worlds(p: np.ndarray):
    """Each world of one list, and its probability."""
    for world in itertools.product((0, 1), repeat=len(p)):
        w = np.array(world)
        yield w, np.where(w, p, 1 - p).prod()


@pytest.mark.parametrize("some", [False, True])
def test_moments(some: bool) -> None:
    mean, variance = count_moments(INSIDE, OTHERS, recall, long=False, some=some)
    for j in range(3):
        p = np.concatenate((INSIDE[:, j], OTHERS[:, j]))
        worlds = [
            (w[:4].sum() / max(w.sum(), 1), c) for w, c in all_worlds(p) if w.any() or not some
        ]
        values, chances = map(np.array, zip(*worlds, strict=True))
        chances /= chances.sum()
        assert mean[j] == pytest.approx(values @ chances, rel=1e-13)
        assert variance[j] == pytest.approx((values - mean[j]) ** 2 @ chances, rel=1e-12)


def test_given_some_item_of_none() -> None:
    mean, variance = count_moments(
        np.zeros((2, 1)), np.zeros((1, 1)), recall, long=False, some=True
    )
    assert np.isnan([mean[0], variance[0]]).all()


def test_atoms() -> None:
    values, chances, none = count_atoms(INSIDE[:, :1], OTHERS[:, :1], recall, long=False)
    assert chances.sum() == pytest.approx(1, rel=1e-14)
    assert values[none].tolist() == [0]
    p = np.concatenate((INSIDE[:, 0], OTHERS[:, 0]))
    assert chances[none].item() == pytest.approx((1 - p).prod(), rel=1e-14)
    for x in np.unique(values):
        expected = sum(c for w, c in all_worlds(p) if w[:4].sum() == x * max(w.sum(), 1))
        assert chances[values == x].sum() == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("classes", [1, 2])
def test_class_sizes(classes: int) -> None:
    depth = np.minimum(classes * np.arange(1, 8), 4)
    found = {}
    for size, hits, chances in by_class_size(INSIDE, OTHERS, depth, long=False):
        found |= {(size, int(h)): c for h, c in zip(hits, chances, strict=True)}
    for j in range(3):
        p = np.concatenate((INSIDE[:, j], OTHERS[:, j]))
        expected: dict[tuple[int, int], float] = {}
        for w, c in all_worlds(p):
            key = (int(w.sum()), int(w[: depth[max(w.sum(), 1) - 1]].sum()))
            expected[key] = expected.get(key, 0) + c
        expected.pop((0, 0))
        for key, chance in expected.items():
            assert found[key][j] == pytest.approx(chance, rel=1e-13)


@pytest.mark.parametrize("limit", [False, True])
@pytest.mark.parametrize("k", [1, 3, 7])
def test_factors_of_the_number(limit: bool, k: int) -> None:
    weight = RNG.random((4, 3))
    factor = 1 / np.arange(1.0, k + 1 if limit else 8)
    result = expected_over_number(INSIDE, weight, OTHERS, factor, limit=limit, long=False)
    for j in range(3):
        p = np.concatenate((INSIDE[:, j], OTHERS[:, j]))
        expected = sum(
            c * (w[:4] @ weight[:, j]) * factor[min(w.sum(), len(factor)) - 1]
            for w, c in all_worlds(p)
            if w.any()
        )
        assert result[j] == pytest.approx(expected, rel=1e-13)


def test_a_limit_that_is_surely_reached() -> None:
    """40 of 200 items surely relevant: the factor of three or more is certain."""
    p = np.concatenate((np.ones(40), RNG.random(160)))[:, None]
    weight = np.ones((4, 1))
    result = expected_over_number(
        p[:4], weight, p[4:], np.array([1, 0.5, 0.25]), limit=True, long=False
    )
    assert result.item() == 1.0


SKEWS = [(0.5, 2.0), (0.01, 40.0), (30.0, 0.5)]


@pytest.mark.parametrize("skew", SKEWS)
def test_long_lists_leave_out_nothing_that_matters(skew: tuple[float, float]) -> None:
    """700 + 600 items: the abridged computation against the whole one."""
    p = np.random.default_rng(3).beta(*skew, (1300, 1))
    one, two = p[:700], p[700:]
    for some in (False, True):
        whole = count_moments(one, two, recall, long=False, some=some)
        np.testing.assert_allclose(
            count_moments(one, two, recall, long=True, some=some), whole, rtol=1e-11
        )
    weight, factor = 1 / np.arange(2.0, 702)[:, None], 1 / np.arange(1.0, 1301)
    for limit, table in ((False, factor), (True, factor[:200]), (True, factor[:10])):
        np.testing.assert_allclose(
            expected_over_number(one, weight, two, table, limit=limit, long=True),
            expected_over_number(one, weight, two, table, limit=limit, long=False),
            rtol=1e-12,
        )
    depth = np.minimum(2 * np.arange(1, 1301), 700)
    means = []
    for long in (False, True):
        tables = by_class_size(one, two, depth, long=long)
        means.append(sum(float(hits @ chances[:, 0]) / size for size, hits, chances in tables))
    assert means[1] == pytest.approx(means[0], rel=1e-12)
    values, chances, _ = count_atoms(one, two, recall, long=True)
    assert chances.sum() == pytest.approx(1, abs=1e-13)
    assert values @ chances == pytest.approx(count_moments(one, two, recall, long=True)[0].item())


def test_long_lists_of_improbable_items_keep_them() -> None:
    """1,300 items of probability 1e-200: given one, it is inside with probability 7/13."""
    p = np.full((1300, 1), 1e-200)
    mean, variance = count_moments(p[:700], p[700:], recall, long=True, some=True)
    assert mean.item() == pytest.approx(7 / 13, rel=1e-12)
    assert variance.item() == pytest.approx(42 / 169, rel=1e-12)
    assert count_moments(p[:700], p[700:], recall, long=True)[0].item() == pytest.approx(7e-198)
    depth = np.minimum(np.arange(1, 1301), 700)
    tables = list(by_class_size(p[:700], p[700:], depth, long=True))
    assert sum(float(h @ c[:, 0]) / n for n, h, c in tables) == pytest.approx(1e-200, rel=1e-9)
