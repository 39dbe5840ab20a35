"""Order within queries against plain sorting."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from fuzzytruth.core.order import (
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
    n = int(rng.integers(0, 40))
    return rng.integers(0, 6, n).astype(np.int32), rng.integers(-3, 4, n) / 2


def groups(codes: np.ndarray) -> list[list[int]]:
    """Rows of each run of equal codes."""
    rows = itertools.groupby(range(len(codes)), key=lambda row: codes[row])
    return [list(run) for _, run in rows]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("grouped", [False, True])
def test_starts_places_and_grouping(seed: int, grouped: bool) -> None:
    codes, _ = random_rows(seed)
    codes = np.sort(codes) if grouped else codes
    runs = groups(codes)
    assert query_starts(codes).tolist() == [run[0] for run in runs]
    assert is_grouped(codes, 6) == (len(runs) == len(set(codes.tolist())))
    if grouped:
        assert places_in_query(codes).tolist() == [j + 1 for run in runs for j in range(len(run))]


def test_rows_of_a_query_in_two_places_are_not_grouped() -> None:
    assert not is_grouped(np.array([0, 1, 0], np.int32), 2)
    assert not is_grouped(np.array([0, 1, 0], np.int32), 3)
    assert is_grouped(np.array([1, 1, 0], np.int32), 2)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_best_first_is_stable_sorting(seed: int, kind: type) -> None:
    codes, score = random_rows(seed)
    want = sorted(range(len(codes)), key=lambda row: (codes[row], -score[row]))
    assert best_first(codes, score.astype(kind)).tolist() == want


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_best_first_with_extreme_scores(kind: type) -> None:
    score = np.array([-0.0, 0.0, np.inf, -np.inf, 1e-45, -1e-45, 3e38, -3e38], dtype=kind)
    codes = np.zeros(len(score), np.int32)
    want = sorted(range(len(score)), key=lambda row: -float(score[row]))
    assert best_first(codes, score).tolist() == want


@pytest.mark.parametrize("seed", range(20))
def test_by_query_and_rank(seed: int) -> None:
    codes, _ = random_rows(seed)
    rank = np.random.default_rng(seed).integers(1, 9, len(codes))
    want = sorted(range(len(codes)), key=lambda row: (codes[row], rank[row]))
    assert by_query_and_rank(codes, rank).tolist() == want
    in_order = by_query_and_rank(codes[want], rank[want])
    assert in_order.tolist() == list(range(len(codes)))


@pytest.mark.parametrize("seed", range(20))
def test_descending_and_tie_bounds(seed: int) -> None:
    codes, score = random_rows(seed)
    rises = any(codes[j] == codes[j + 1] and score[j] < score[j + 1] for j in range(len(codes) - 1))
    assert is_descending(codes, score) == (not rises)
    order = best_first(codes, score)
    codes, score = codes[order], score[order]
    assert is_descending(codes, score)
    rows = np.random.default_rng(seed).permutation(len(codes))
    first, last = tie_bounds(codes, score, rows)
    for row, low, high in zip(rows.tolist(), first.tolist(), last.tolist(), strict=True):
        tied = [j for j in range(len(codes)) if (codes[j], score[j]) == (codes[row], score[row])]
        assert (low, high) == (tied[0], tied[-1])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("size", [1, 3, 10, 1000])
def test_cuts_keep_queries_whole(seed: int, size: int) -> None:
    codes = np.sort(random_rows(seed)[0])
    cuts = whole_query_cuts(codes, 6, size).tolist()
    starts = [run[0] for run in groups(codes)]
    wanted = (next((s for s in starts if s >= k), None) for k in range(0, len(codes), size))
    assert cuts == sorted({s for s in wanted if s is not None} | {len(codes)})


def test_queries_in_several_places_are_not_cut() -> None:
    assert whole_query_cuts(np.array([0, 1, 0, 1], np.int32), 2, 1).tolist() == [0, 4]
