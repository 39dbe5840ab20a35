"""Order within queries against plain sorting; rank correlations against brute force over ties."""

import itertools

import numpy as np
import pytest
from scipy.stats import kendalltau

from fuzzytruth.core.order import (
    ComparedOrders,
    beats,
    best_first,
    by_query_and_rank,
    is_descending,
    is_grouped,
    places_in_query,
    query_starts,
    tie_bounds,
    whole_query_cuts,
)


def random_rows(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Codes of queries and few distinct scores, in any order of rows."""
    rng = np.random.default_rng(seed)
    n = 0 if seed == 0 else int(rng.integers(1, 40))
    return rng.integers(0, 6, n).astype(np.int32), rng.integers(-3, 4, n) / 2


def groups(codes: np.ndarray) -> list[list[int]]:
    """Rows of each run of equal codes."""
    rows = itertools.groupby(range(len(codes)), key=lambda row: codes[row])
    return [list(run) for _, run in rows]


@pytest.mark.parametrize("seed", range(8))
def test_starts_places_grouping_and_cuts(seed: int) -> None:
    codes, _ = random_rows(seed)
    runs = groups(codes)
    assert query_starts(codes).tolist() == [run[0] for run in runs]
    assert is_grouped(codes, 6) == (len(runs) == len(set(codes.tolist())))
    codes = np.sort(codes)
    starts = [run[0] for run in groups(codes)]
    assert is_grouped(codes, 6)
    places = [j + 1 for run in groups(codes) for j in range(len(run))]
    assert places_in_query(codes).tolist() == places
    for size in (1, 3, 10, 1000):
        cuts = whole_query_cuts(codes, 6, size).tolist()
        wanted = (next((s for s in starts if s >= k), None) for k in range(0, len(codes), size))
        assert cuts == sorted({s for s in wanted if s is not None} | {len(codes)})


def test_rows_of_a_query_in_two_places_are_not_grouped() -> None:
    assert not is_grouped(np.array([0, 1, 0], np.int32), 2)
    assert not is_grouped(np.array([0, 1, 0], np.int32), 3)
    assert is_grouped(np.array([1, 1, 0], np.int32), 2)
    assert whole_query_cuts(np.array([0, 1, 0, 1], np.int32), 2, 1).tolist() == [0, 4]


@pytest.mark.parametrize("seed", range(8))
def test_orders_are_those_of_stable_sorting(seed: int) -> None:
    codes, score = random_rows(seed)
    want = sorted(range(len(codes)), key=lambda row: (codes[row], -score[row]))
    assert best_first(codes, score.astype(np.float32)).tolist() == want
    assert best_first(codes, score).tolist() == want
    rises = any(codes[j] == codes[j + 1] and score[j] < score[j + 1] for j in range(len(codes) - 1))
    assert is_descending(codes, score) == (not rises)
    sorted_codes, sorted_score = codes[want], score[want]
    assert is_descending(sorted_codes, sorted_score)
    rows = np.random.default_rng(seed).permutation(len(codes))
    first, last = tie_bounds(sorted_codes, sorted_score, rows)
    keys = list(zip(sorted_codes.tolist(), sorted_score.tolist(), strict=True))
    for row, low, high in zip(rows.tolist(), first.tolist(), last.tolist(), strict=True):
        tied = [j for j, key in enumerate(keys) if key == keys[row]]
        assert (low, high) == (tied[0], tied[-1])
    rank = np.random.default_rng(seed).integers(1, 9, len(codes))
    want = sorted(range(len(codes)), key=lambda row: (codes[row], rank[row]))
    assert by_query_and_rank(codes, rank).tolist() == want
    in_order = by_query_and_rank(codes[want], rank[want])
    assert in_order.tolist() == list(range(len(codes)))


def by_definition(order: tuple[int, ...], right: np.ndarray) -> float:
    """τ_AP of one strict order, from Yilmaz et al. 2008, equation 5."""
    k = len(order)
    total = sum(sum(right[order[i], order[j]] for j in range(i)) / i for i in range(1, k))
    return 2 / (k - 1) * total - 1


def compared(values: np.ndarray, reference: np.ndarray) -> ComparedOrders:
    """Orders by values (draws, k), all of weight 1, beside that by the reference (k,)."""
    values = np.atleast_2d(values)
    return ComparedOrders.of(values, np.ones(len(values)), beats(reference))


@pytest.mark.parametrize("seed", range(8))
def test_correlations_against_definitions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values, reference = rng.integers(0, 4, 5) / 3, rng.integers(0, 4, 5) / 7
    orders, ref = compared(values, reference), beats(reference)
    expected = kendalltau(values, reference).statistic
    assert orders.tau_b(ref)[0] == pytest.approx(expected, nan_ok=True)
    strict = [
        by_definition(order, (1 - ref) / 2)
        for order in itertools.permutations(range(5))
        if (np.diff(values[list(order)]) <= 0).all()
    ]
    assert orders.tau_ap()[0] == pytest.approx(np.mean(strict), abs=1e-12)
    assert np.isnan(compared(np.ones((2, 1)), np.ones(1)).tau_ap()).all()


@pytest.mark.parametrize("seed", range(4))
def test_draws_with_weights_by_a_loop(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 5, (30, 6)) / 7 + rng.choice([0, 1e-17, 3e-13], (30, 6))
    reference, weight = rng.integers(0, 5, 6) / 3, rng.random(30)
    orders = ComparedOrders.of(values, weight, beats(reference))
    signs = beats(values)
    np.testing.assert_array_equal(orders.above, (signs < 0).sum(axis=2))
    np.testing.assert_array_equal(orders.tied, (signs == 0).sum(axis=2))
    for part, found in (signs > 0, orders.weight_above), (signs == 0, orders.weight_tied):
        expected = (weight[:, None, None] * part).sum(axis=0)
        np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-15)
    shares = np.zeros((6, 6))
    for row, each in zip(signs, weight, strict=True):
        for system in range(6):
            first, size = (row[system] < 0).sum(), (row[system] == 0).sum()
            shares[system, first : first + size] += each / size
    np.testing.assert_allclose(orders.shares(weight), shares, rtol=1e-13, atol=1e-15)
