"""What is printed of the stability of ranks."""

from __future__ import annotations

import numpy as np
from support.scores_for_tests import scores_of

import fuzzytruth as ft

VALUES = np.arange(30)[:, None] * 0.05 + np.random.default_rng(3).normal(0, 0.1, (30, 9))


def test_ranks_best_first_with_sets_and_shares() -> None:
    result = ft.rank_stability(scores_of(VALUES[[3, 20, 10]]), n_resamples=199, level=0.9)
    text = result._answer().text(80)
    assert "Ranks of 3 systems by m, over queries (199 resamples)" in text
    rows = [line.split() for line in text.split("\n") if line.startswith("sys")][1:]
    assert [row[0] for row in rows] == ["sys1", "sys2", "sys0"]
    best = result.systems.set_index("system").loc["sys1"]
    assert rows[0][1:] == [f"{best['mean']:.4f}", "1", "[1,", "1]", f"{best['share_first']:.3f}"]
    assert "90 % confidence" in text
    assert "not the probability that the system is best" in " ".join(text.split())


def test_of_many_systems_the_best_are_shown() -> None:
    text = str(ft.rank_stability(scores_of(VALUES), n_resamples=99))
    assert "the first 20 of 30 systems" in text
    rows = [line for line in text.split("\n") if line.startswith("sys") and "[" in line]
    assert (len(rows), rows[0].split()[0]) == (20, "sys29")
