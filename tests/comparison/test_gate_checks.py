"""What a gate refuses, and what it warns of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft

ROWS = [
    (system, query, measure, value + shift)
    for system, shift in (("new", 0.01), ("old", 0.0))
    for query, value in enumerate([0.2, 0.4, 0.6, 0.5, 0.3, 0.4])
    for measure in ("AP", "nDCG@10")
]
SCORES = ft.Scores.from_frame(pd.DataFrame(ROWS, columns=["system", "query", "measure", "value"]))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "margin=None: name the loss that is too much"),
        ({"margin": 0}, "margin=0: must be above 0"),
        ({"margin": -0.1}, "must be above 0"),
        ({"margin": True}, "margin=True: must be a number above 0"),
        ({"margin": float("nan")}, "margin=nan: must be a finite number"),
        ({"margin": "x"}, "must be a finite number"),
        ({"margin": {"AP": 0.1}}, "must have one number for each of AP, nDCG@10; nDCG@10 has none"),
        ({"margin": {"AP": 0.1, "nDCG@5": 0.1}}, "'nDCG@5' is no measure of the gate"),
        ({"margin": {"AP": 0.1, "ap": 0.2, "nDCG@10": 0.1}}, "a measure is twice"),
        ({"margin": {"AP": 0.1, "nDCG@10": None}}, "margin=None: must be a number above 0"),
        ({"margin": 0.1, "better": True}, "leave it out with better=True"),
        ({"margin": 0.1, "level": 0.5}, "level=0.5: must be above 0.5"),
        ({"margin": 0.1, "over": "sun"}, "over='sun'"),
        ({"margin": 0.1, "over": "subject"}, "over='subject': these scores have no subjects"),
        ({"margin": 0.1, "measures": "P@3"}, "P@3"),
        ({"margin": 0.1, "new": "x"}, "new 'x' is not among these scores"),
        ({"margin": 0.1, "old": "x"}, "old 'x' is not among these scores"),
        ({"margin": 0.1, "old": "new"}, "new, old: 'new' is both; name two systems"),
        ({"margin": 0.5}, "a system that finds nothing would pass"),
    ],
)
def test_what_is_refused(options: dict[str, Any], words: str) -> None:
    names = {"new": "new", "old": "old"} | options
    with pytest.raises(ft.OptionError, match=words):
        ft.gate(SCORES, **names)


def test_margins_in_any_spelling() -> None:
    result = ft.gate(SCORES, "new", "old", margin={"ndcg_cut_10": 0.2, "map": 0.1})
    assert {test.measure: test.margin for test in result.tests} == {"AP": 0.1, "nDCG@10": 0.2}


def test_a_margin_may_be_wide_where_values_are_no_shares() -> None:
    """An error of 0 is perfect, and a value below 0 says that 0 is not the worst."""
    frame = SCORES.to_frame().assign(measure="m")
    frame = frame[~frame.duplicated(["system", "query"])]
    below = frame.assign(value=frame["value"] - 0.3)
    assert ft.gate(ft.Scores.from_frame(below), "new", "old", margin=2).passed
    with pytest.raises(ft.OptionError, match=r"the mean m of old is 0.4"):
        ft.gate(ft.Scores.from_frame(frame), "new", "old", margin=0.4)
    assert ft.gate(ft.Scores.from_frame(frame), "new", "old", margin=0.39).passed
    error = frame.assign(measure="mse")
    scores = ft.Scores.from_frame(error)
    assert scores.higher_is_better == (False,)
    assert np.isfinite(ft.gate(scores, "new", "old", margin=2).tests[0].p)
