"""Named distributions of hits, recall and F, by enumeration."""

import itertools
from typing import Any

import numpy as np
import pytest

import fuzzytruth as ft


@pytest.mark.parametrize("seed", range(3))
def test_recall_and_f_by_enumeration(seed: int) -> None:
    rng = np.random.default_rng(seed)
    given: dict[str, Any] = {"retrieved": rng.random(3).round(1), "rest": rng.random(3).round(1)}
    p = np.concatenate([*given.values()])
    worlds = np.array([*itertools.product((0, 1), repeat=6)])
    chance = np.where(worlds, p, 1 - p).prod(axis=1)
    hits, relevant = worlds[:, :3].sum(axis=1), worlds.sum(axis=1)
    some = relevant > 0
    recall = np.where(some, hits / np.maximum(relevant, 1), 0.0)
    known = chance[some] / chance[some].sum()
    for got, values, weights in (
        (ft.Distribution.recall(**given), recall, chance),
        (ft.Distribution.recall(**given, undefined="exclude"), recall[some], known),
        (ft.Distribution.recall(**given, size="expected"), hits / p.sum(), chance),
        (ft.Distribution.f_measure(**given, beta=2), 5 * hits / (3 + 4 * relevant), chance),
        (ft.Distribution.precision(given["retrieved"]), hits / 3, chance),
    ):
        want = ft.Distribution.from_atoms(values, weights)
        np.testing.assert_allclose(got.values, want.values, atol=1e-12)
        np.testing.assert_allclose(got.probabilities, want.probabilities, atol=1e-12)


@pytest.mark.parametrize(
    ("do", "message"),
    [
        (
            lambda: ft.Distribution.poisson_binomial([0.5, 1.2]),
            r"p\[1\] = 1.2: a probability must lie in \[0, ",
        ),
        (lambda: ft.Distribution.poisson_binomial([-0.1]), r"p\[0\] = -0.1: a probability"),
        (
            lambda: ft.Distribution.poisson_binomial([0.1, np.nan]),
            r"p\[1\] = nan: must be a number",
        ),
        (
            lambda: ft.Distribution.poisson_binomial(0.5),
            r"p: must be a list of probabilities, not of shape",
        ),
        (lambda: ft.Distribution.poisson_binomial("no"), "p='no': must be numbers"),
        (lambda: ft.Distribution.recall(retrieved=[0.0], rest=[2.0]), r"rest\[0\] = 2"),
        (
            lambda: ft.Distribution.recall(retrieved=[0.0], rest=[], undefined="exclude"),
            "no item can be relevant",
        ),
    ],
)
def test_mistakes(do: Any, message: str) -> None:
    with pytest.raises(ft.errors.DataError, match=message):
        do()
