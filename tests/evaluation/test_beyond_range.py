"""Intervals beyond the values that a measure can have are counted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.errors import DegenerateWarning
from fuzzytruth.evaluation.scores.score_rows import score_rows

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
    text = score_rows(given).beyond_range()
    assert text.startswith("2 intervals reach beyond the values that the measure can have")
    assert "(the first: AP of s0, from 0 to 1)" in text
    assert text in " ".join(str(given).split())


def test_where_the_range_is_known_they_are_cut() -> None:
    truth = {f"q{q}": {"a": 1, "b": 0} for q in range(10)}
    firsts = {"most": 9, "half": 5, "none": 0}
    runs = {
        name: {q: ["a", "b"] if j < n else ["b", "a"] for j, q in enumerate(truth)}
        for name, n in firsts.items()
    }
    given = ft.evaluate(truth, runs, ["AP", "Success@1"])
    table = given.summary(full=True)
    assert ((table["lower"] >= 0) & (table["upper"] <= 1)).all()
    shares = table[table["measure"] == "Success@1"]
    lower, upper = ft.stats.wilson(list(firsts.values()), 10)
    np.testing.assert_allclose(shares[["lower", "upper"]], np.transpose([lower, upper]), atol=1e-12)
    high = table.set_index(["system", "measure"]).loc[("most", "AP")]
    assert high["upper"] == 1 < high["mean"] + 2 * high["std_error"]
    text = "1 interval reached beyond the values that the measure can have and is cut there"
    assert score_rows(given).beyond_range() == text
    assert f"{text}." in given.to_latex()
    assert f"{text}." in given.to_markdown()
    result = ft.compare(given, measures="Success@1", n_resamples=99)
    assert result.table["upper"].max() > 1
    text = "2 intervals reached beyond the differences that there can be and are cut there."
    assert text in " ".join(str(result).split())
    for written in (result.to_latex("differences"), result.to_markdown("differences")):
        assert text in written
    for written in (result.to_latex(), result.to_markdown()):
        assert "cut there" not in written
    frame = given.to_frame()
    uncut = ft.Scores.from_frame(frame).summary(full=True)
    assert uncut["upper"].max() > 1
    assert (uncut["method"] == "t over queries").all()
    one = given.select(queries="q0")
    with pytest.warns(DegenerateWarning, match="whole range"):
        assert one.summary()[["lower", "upper"]].to_numpy().tolist() == [[0, 1]] * 6


def test_nothing_is_said_of_other_scales_and_unknown_measures() -> None:
    assert score_rows(scores({"AP": ([10.0, 90.0, 80.0], [0.5, 0.5, 0.4])})).beyond_range() == ""
    assert score_rows(scores({"mine": VALUES["AP"]})).beyond_range() == ""
    assert score_rows(scores({"DCG": VALUES["AP"]})).beyond_range().endswith("cut off")
    inside = {"AP": (np.linspace(0.4, 0.6, 9), np.linspace(0.3, 0.5, 9))}
    assert score_rows(scores(inside)).beyond_range() == ""
