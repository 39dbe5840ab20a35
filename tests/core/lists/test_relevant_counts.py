"""Values of numbers of relevant items, against enumeration; long lists abridged and whole."""

import itertools
from fractions import Fraction
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from support.poisson_binomial import SKEWS, in_decimals

from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.lists import relevant_counts as module
from fuzzytruth.core.lists.poisson_binomial import pmf
from fuzzytruth.core.lists.relevant_counts import (
    by_class_size,
    count_atoms,
    count_moments,
    expected_average_precision,
    expected_over_number,
    expected_recall,
    packed_prefix_pmfs,
    packed_rank,
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


def column(values: object) -> np.ndarray:
    return np.asarray(values, dtype=float)[:, None]


@pytest.mark.parametrize("some", [False, True])
def test_moments_and_atoms(some: bool) -> None:
    mean, variance = count_moments(INSIDE, OTHERS, recall, long=False, some=some)
    for j in range(3):
        p = np.concatenate((INSIDE[:, j], OTHERS[:, j]))
        worlds = [
            (w[:4].sum() / max(w.sum(), 1), c) for w, c in all_worlds(p) if w.any() or not some
        ]
        values, chances = map(np.array, zip(*worlds, strict=True))
        if not some:
            atoms, weight, none = count_atoms(INSIDE[:, [j]], OTHERS[:, [j]], recall, long=False)
            assert (weight[none].item(), atoms[none].item()) == (pytest.approx((1 - p).prod()), 0)
            for x in np.unique(atoms):
                expected = chances[np.isclose(values, x, rtol=1e-12)].sum()
                assert weight[atoms == x].sum() == pytest.approx(expected, rel=1e-13)
        chances /= chances.sum()
        assert mean[j] == pytest.approx(values @ chances, rel=1e-13)
        assert variance[j] == pytest.approx((values - mean[j]) ** 2 @ chances, rel=1e-12)
    with np.errstate(all="raise"):
        tiny = np.full((30, 1), 1e-30)
        mean, _ = count_moments(tiny, tiny, recall, long=False)
    assert mean[0] == pytest.approx(3e-29)
    of_none = np.zeros((2, 1)), np.zeros((1, 1))
    given_some = count_moments(*of_none, recall, long=False, some=True)
    assert np.isnan(given_some).all()


#: how much of each item is inside: with ties that begin at the first, second and third item
SHARE = np.array([[0.25, 1, 1], [0.25, 2 / 3, 1], [0.25, 2 / 3, 0.5], [0.25, 2 / 3, 0.5]])


@pytest.mark.parametrize("some", [False, True])
def test_moments_and_atoms_of_tied_items(some: bool) -> None:
    given = (INSIDE, OTHERS, recall)
    mean, variance = count_moments(*given, long=False, some=some, share=SHARE)
    for j in range(3):
        p, share = np.concatenate((INSIDE[:, j], OTHERS[:, j])), SHARE[:, j]
        worlds = [
            (w[:4] @ share / max(w.sum(), 1), c) for w, c in all_worlds(p) if w.any() or not some
        ]
        values, chances = map(np.array, zip(*worlds, strict=True))
        one, other = INSIDE[:, [j]], OTHERS[:, [j]]
        for long in (False, True):
            alone = count_moments(one, other, recall, long=long, some=some, share=share[:, None])
            assert np.ravel(alone) == pytest.approx([mean[j], variance[j]], rel=1e-12)
        if not some:
            atoms, weight, none = count_atoms(one, other, recall, long=False, share=share[:, None])
            assert weight[none].item() == pytest.approx((1 - p).prod())
            for x in np.unique(values.round(12)):
                expected = chances[np.isclose(values, x, rtol=1e-9)].sum()
                found = weight[np.isclose(atoms, x, rtol=1e-9)].sum()
                assert found == pytest.approx(expected, rel=1e-12)
            by_quadrature = expected_recall(one, other, share=share[:, None])
            assert by_quadrature.item() == pytest.approx(values @ chances, rel=1e-12)
        chances /= chances.sum()
        assert mean[j] == pytest.approx(values @ chances, rel=1e-12)
        assert variance[j] == pytest.approx((values - mean[j]) ** 2 @ chances, rel=1e-12)
    same, unknown = count_moments(*given, long=False, some=some, share=SHARE, variance=False)
    np.testing.assert_array_equal(same, mean)
    assert np.isnan(unknown).all()


@pytest.mark.parametrize(("limit", "k"), [(False, 7), (True, 1), (True, 3)])
def test_factors_of_the_number(limit: bool, k: int) -> None:
    weight, factor = RNG.random((4, 3)), 1 / np.arange(1.0, k + 1)
    result = expected_over_number(INSIDE, weight, OTHERS, factor, limit=limit, long=False)
    for j in range(3):
        p = np.concatenate((INSIDE[:, j], OTHERS[:, j]))
        expected = sum(
            c * (w[:4] @ weight[:, j]) * factor[min(w.sum(), k) - 1]
            for w, c in all_worlds(p)
            if w.any()
        )
        assert result[j] == pytest.approx(expected, rel=1e-13)
    # 40 of 200 items surely relevant: the factor of three or more is certain
    p = np.concatenate((np.ones(40), RNG.random(160)))[:, None]
    table = np.array([1, 0.5, 0.25])
    sure = expected_over_number(p[:4], np.ones((4, 1)), p[4:], table, limit=True, long=False)
    assert sure.item() == 1.0


@pytest.mark.parametrize("skew", [(0.5, 2.0), (0.01, 40.0), (30.0, 0.5)])
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
        short, long = (
            expected_over_number(one, weight, two, table, limit=limit, long=long)
            for long in (False, True)
        )
        np.testing.assert_allclose(long, short, rtol=1e-12)
    depth = np.minimum(2 * np.arange(1, 1301), 700)
    means = []
    for long in (False, True):
        tables = by_class_size(one, two, depth, long=long)
        means.append(sum(float(hits @ chances[:, 0]) / size for size, hits, chances in tables))
    assert means[1] == pytest.approx(means[0], rel=1e-12)
    values, chances, _ = count_atoms(one, two, recall, long=True)
    assert chances.sum() == pytest.approx(1, abs=1e-13)
    assert values @ chances == pytest.approx(count_moments(one, two, recall, long=True)[0].item())


@settings(max_examples=60)
@given(
    arrays(float, st.integers(1, 4), elements=st.floats(0, 1)),
    arrays(float, st.integers(0, 3), elements=st.floats(0, 1)),
    st.randoms(use_true_random=False),
)
def test_recall_and_average_precision(inside, rest, random) -> None:
    """By quadrature, against all worlds in fractions; counts stand for several items."""
    rank = np.array(sorted(random.sample(range(1, 12), len(inside))), dtype=float)
    count = np.array([random.randint(1, 2) for _ in rest], dtype=float)
    p = [Fraction(float(x)) for x in (*inside, *np.repeat(rest, count.astype(int)))]
    expected = [Fraction(0), Fraction(0)]
    for world in itertools.product((0, 1), repeat=len(p)):
        if any(world):
            chance = prod(
                (x if w else 1 - x for w, x in zip(world, p, strict=True)), start=Fraction(1)
            )
            hits = world[: len(inside)]
            up_to = itertools.accumulate(hits)
            shares = (Fraction(h * u, int(r)) for h, u, r in zip(hits, up_to, rank, strict=True))
            expected[0] += chance * Fraction(sum(hits), sum(world))
            expected[1] += chance * sum(shares) / sum(world)
    given = column(rest), column(count)
    result = expected_recall(column(inside), *given).item()
    assert result == pytest.approx(float(expected[0]), rel=1e-12, abs=1e-300)
    result = expected_average_precision(column(inside), column(1 / rank), *given).item()
    assert result == pytest.approx(float(expected[1]), rel=1e-12, abs=1e-300)


def test_each_prefix_is_a_pmf() -> None:
    packed = packed_prefix_pmfs(np.array([[0.5, 1.0], [0.25, 0.5]]))
    assert packed.T.tolist() == [[0.5, 0.5, 0.0, 0.5, 0.5], [0.75, 0.25, 0.375, 0.5, 0.125]]
    assert [module.packed_size(d) for d in range(4)] == [0, 2, 5, 9]
    p = np.stack([SKEWS[skew](np.random.default_rng(3), 120) for skew in SKEWS])
    packed = packed_prefix_pmfs(p)
    for rank in (1, 2, 41, 120):
        for row, result in zip(p, packed[packed_rank(rank)].T, strict=True):
            exact = in_decimals(row[:rank])
            seen = exact > 1e-290
            np.testing.assert_allclose(result[seen], exact[seen], rtol=1e-12, atol=0)
    crisp = np.random.default_rng(4).integers(0, 2, 40).astype(float)
    sure = packed_prefix_pmfs(crisp[None])[packed_rank(40), 0]
    assert np.flatnonzero(sure).tolist() == [crisp.sum()]
    assert packed_prefix_pmfs(np.empty((3, 0))).shape == (0, 3)
    assert packed_prefix_pmfs(np.empty((0, 4))).shape == (14, 0)


@pytest.mark.parametrize("grouped", [False, True])
def test_expected_recalls_are_the_mean_over_worlds(grouped: bool) -> None:
    rng = np.random.default_rng(2)
    p, rest = rng.random((3, 3)), rng.random((3, 2))
    count = np.tile([2.0, 1.0], (3, 1)) if grouped else None
    each = np.concatenate((p, np.repeat(rest, [2, 1], axis=1) if grouped else rest), axis=1)
    expected = np.zeros((3, 3))
    for row, own in zip(expected, each, strict=True):
        for w, chance in all_worlds(own):
            row += chance * np.cumsum(w[:3]) / max(w.sum(), 1)
    found = module.expected_recalls(p, rest, count)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_joint_pmfs_are_those_of_the_two_parts() -> None:
    rng = np.random.default_rng(4)
    p, rest = rng.random(5), rng.random(3)
    pairs = list(module.joint_pmfs(p, rest))
    assert len(pairs) == 5
    for rank, (above, others) in enumerate(pairs, start=1):
        np.testing.assert_allclose(above, pmf(p[:rank]), rtol=1e-13)
        np.testing.assert_allclose(others, pmf(np.concatenate((p[rank:], rest))), rtol=1e-13)
