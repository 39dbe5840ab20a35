"""Counts and ideal gains of all judged items, from levels and from drawn codes."""

from functools import partial

import numpy as np
import pytest

from fuzzytruth.core.layouts import Diagonals
from fuzzytruth.core.segments import offsets_of
from fuzzytruth.measures.gain import cumulative_discount, gains
from fuzzytruth.truth.batch import Levels
from fuzzytruth.truth.pairs import outcomes as module
from fuzzytruth.truth.pairs.outcomes import DrawnPairs

SIZES = [3, 0, 9, 1, 5]
SCALE = np.array([-1.0, 0.0, 0.5, 1.0, 3.0])
N_WORLDS = 40


def drawn(scale=SCALE) -> tuple[DrawnPairs, list[np.ndarray]]:
    """Drawn pairs, and the grades of each query: (worlds, items)."""
    layout = Diagonals.of(offsets_of(np.array(SIZES)))
    code = np.random.default_rng(0).integers(0, len(scale), (sum(SIZES), N_WORLDS))
    flat = scale[code]
    bounds = zip(layout.offsets[:-1], layout.offsets[1:], strict=True)
    grades = [flat[a:b].T for a, b in bounds]
    return DrawnPairs(layout, code[layout.source].astype(np.uint8), scale), grades


def ideal(grades: np.ndarray, dcg: str, k: int) -> float:
    gain = np.sort(gains(dcg, grades))[::-1][:k]
    return float((gain / np.log2(np.arange(2, len(gain) + 2))).sum())


@pytest.mark.parametrize("rel", [None, -1, 0, 0.2, 1, 2, 4])
def test_items_of_a_grade_are_counted(rel) -> None:
    pairs, grades = drawn()
    least = 1e-300 if rel is None else rel
    expected = np.stack([(g >= least).sum(axis=1) for g in grades], axis=1)
    np.testing.assert_array_equal(pairs.n_relevant(rel), expected)
    np.testing.assert_array_equal(pairs.levels.n_relevant(rel), expected)
    assert pairs.most == pairs.levels.most == 9


def test_no_query_has_no_judged_items() -> None:
    nothing = np.zeros(1, dtype=int)
    assert Levels(nothing, np.empty(0), np.empty((1, 0), dtype=int)).most == 0
    assert DrawnPairs(Diagonals.of(nothing), np.zeros((0, 3), dtype=np.uint8), SCALE).most == 0


def test_items_are_counted_by_any_rule() -> None:
    pairs, grades = drawn()
    expected = np.stack([((g >= 0) & (g < 1)).sum(axis=1) for g in grades], axis=1)
    for judged in (pairs, pairs.levels):
        found = judged.n_where(lambda g: (g >= 0) & (g < 1))
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("few", [0, 8])
@pytest.mark.parametrize("dcg", ["log2", "burges"])
@pytest.mark.parametrize("k", [1, 4, 99])
@pytest.mark.parametrize("scale", [SCALE, SCALE + 2])  # all grades of the other one have a gain
def test_ideal_gains(
    few: int, dcg: str, k: int, scale: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_FEW_GRADES", few)
    pairs, grades = drawn(scale)
    expected = np.array([[ideal(g[w], dcg, k) for g in grades] for w in range(N_WORLDS)])
    cumulative = cumulative_discount(dcg, min(k, pairs.most))
    for judged in (pairs, pairs.levels):
        found = judged.best_gain((dcg, k), partial(gains, dcg), cumulative)
        np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_results_are_computed_once() -> None:
    pairs, _ = drawn()
    calls = []

    def gain(grade):
        calls.append(1)
        return np.fmax(grade, 0)

    for judged in (pairs, pairs.levels):
        calls.clear()
        results = [judged.best_gain("x", gain, cumulative_discount("log2", 9)) for _ in range(3)]
        assert results[0] is results[1] is results[2]
        assert len(calls) == 1
        assert judged.n_relevant(1) is judged.n_relevant(1)
