"""Intervals beyond the values that a measure can have are counted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import fuzzytruth as ft
from fuzzytruth.evaluation.beyond_range import beyond_range
from fuzzytruth.evaluation.score_rows import score_rows

VALUES = {"AP": ([0.0, 0.1, 0.9], [0.4, 0.5, 0.6]), "RR": ([1.0, 1.0, 0.5], [0.2, 0.3, 0.2])}


def scores(values: Any = VALUES) -> ft.Scores:
    rows = [
        (f"s{s}", f"q{q}", measure, value)
        for measure, table in values.items()
        for s, row in enumerate(table)
        for q, value in enumerate(row)
    ]
    return ft.Scores.from_frame(pd.DataFrame(rows, columns=["system", "query", "measure", "value"]))


def test_they_are_counted_and_the_first_is_named() -> None:
    given = scores()
    table = given.summary()
    beyond = table[(table["lower"] < 0) | (table["upper"] > 1)]
    assert len(beyond) == 2
    text = beyond_range(score_rows(given))
    assert text.startswith("2 intervals reach beyond the values that the measure can have")
    assert "(the first: AP of s0, from 0 to 1)" in text
    assert text in " ".join(str(given).split())


def test_nothing_is_said_of_other_scales_and_unknown_measures() -> None:
    assert beyond_range(score_rows(scores({"AP": ([10.0, 90.0, 80.0], [0.5, 0.5, 0.4])}))) == ""
    assert beyond_range(score_rows(scores({"mine": VALUES["AP"]}))) == ""
    assert beyond_range(score_rows(scores({"DCG": VALUES["AP"]}))).endswith("cut off")
    inside = {"AP": (np.linspace(0.4, 0.6, 9), np.linspace(0.3, 0.5, 9))}
    assert beyond_range(score_rows(scores(inside))) == ""
