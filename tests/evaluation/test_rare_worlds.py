"""Monte Carlo errors where few worlds have a value, under undefined="exclude"."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


def votes(rows: list[tuple[str, str, int, int]]) -> ft.Judgments:
    frame = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    return ft.Judgments.from_frame(frame.astype({"subject": str}))


def rare(query: str, n_subjects: int) -> list[tuple[str, str, int, int]]:
    """Two items of which a single subject each says that they are relevant."""
    rows = [(query, "a", s, 2 * (s == 0)) for s in range(n_subjects)]
    return rows + [(query, "b", s, 1 * (s == 1)) for s in range(n_subjects)]


RUNS = {"s": {q: {"a": 3.0, "c": 2.0, "b": 1.0} for q in ("q", "q1", "q2")}}


def test_one_world_with_a_value_leaves_the_error_unknown() -> None:
    truth, runs = votes(rare("q", 1000)), {"s": {"q": RUNS["s"]["q"]}}
    for seed in (3, 5, 7, 10):
        scores = ft.evaluate(
            truth, runs, "nDCG@3", undefined="exclude", n_worlds="auto", mc_error=0.03, rng=seed
        )
        assert scores.uncertainty.n_worlds > 1024
        assert 0 < scores.uncertainty.mc_error.item() <= 0.03
