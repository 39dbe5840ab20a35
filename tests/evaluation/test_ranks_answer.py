"""What is printed of distributions by rank."""

from __future__ import annotations

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.evaluation.lists import by_rank

P = np.random.default_rng(1).random(40)
TRUTH = ft.Judgments.from_probabilities(["q"] * 20 + ["r"] * 20, [*range(20)] * 2, P)
RUNS = {name: {"q": [*range(20)], "r": [*range(20)][::-1]} for name in ("x", "y", "z")}
RANKS = ft.by_rank(TRUTH, RUNS, depth=20)


def test_a_few_lists_at_a_few_ranks() -> None:
    lines = RANKS._answer().text(80).split("\n")
    assert "The first 4 of 6 lists" in lines
    rows = [line.split() for line in lines if line[:2] in ("x ", "y ", "z ")]
    assert [row[:3] for row in rows[:4]] == [
        ["x", "q", "1"],
        ["x", "q", "5"],
        ["x", "q", "20"],
        ["y", "q", "1"],
    ]
    law = RANKS.precision("x", "q", 5)
    low, high = law.interval(0.95)
    assert rows[1][3:6] == [f"{law.mean():.3f}", f"[{low:.3f},", f"{high:.3f}]"]
    assert rows[1][6] == f"{RANKS.recall('x', 'q', 5).mean():.3f}"


def test_of_many_items_a_single_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_rank, "MANY_ITEMS", RANKS.aligned.facts.n_items)
    text = RANKS._answer().text(80)
    assert "The first 1 of 6 lists" in text
    assert "\ny " not in text
