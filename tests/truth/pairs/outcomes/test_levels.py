"""Counts and ideal gains of all judged items, from levels and from drawn codes."""

from functools import partial

import numpy as np
import pytest

from fuzzytruth.core.arithmetic import offsets_of
from fuzzytruth.core.layouts import Diagonals
from fuzzytruth.measures.gain import cumulative_discount, gains
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
