"""Means of scores, and scores on disk."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.core.cells import Cells


@pytest.fixture
def scores():
    values = np.arange(24, dtype=float).reshape(2, 2, 2, 3)  # systems, measures, subjects, queries
    judged = np.array([[True, True, True], [True, False, True]])
    cells = Cells.of_mask(judged.T)
    return ft.Scores(
        systems=("a", "b"),
        queries=("q1", "q2", "q3"),
        measures=("AP", "E@32"),
        values=cells.of_dense(values.swapaxes(-1, -2)),
        cells=cells,
        subjects=("ann", "bob"),
        design="crossed",
        higher_is_better=(True, False),
    )


def test_frame_is_tidy_and_leaves_out_cells_nobody_judged(scores):
    frame = scores.to_frame()
    assert list(frame.columns) == ["system", "query", "measure", "subject", "value"]
    assert len(frame) == 24 - 4
    assert not frame["value"].isna().any()
    row = frame.query("system == 'b' and query == 'q3' and measure == 'AP' and subject == 'bob'")
    assert row["value"].tolist() == [17.0]
    assert frame.iloc[:4]["subject"].tolist() == ["ann", "bob", "ann", "bob"]


def test_mean_over_subjects_then_queries(scores):
    assert scores.mean().loc["a", "AP"] == np.mean([1.5, 1.0, 3.5])
    assert scores.mean(by="subject").loc[("a", "bob"), "AP"] == np.mean([3.0, 5.0])
    assert scores.mean().index.name == "system"


def test_nested_subjects_have_no_mean_of_their_own(scores):
    with pytest.raises(ft.OptionError, match="nested in queries"):
        dataclasses.replace(scores, design="nested").mean(by="subject")


def test_groups_of_queries_that_were_numbers():
    scores = ft.evaluate({1: {"a": 1}}, {"s": {1: {"a": 1.0}}}, "AP")
    assert scores.mean(groups={1: "x"}).loc["s", "AP"] == 1


def test_macro_mean(scores):
    groups = {"q1": "x", "q2": "x", "q3": "y"}
    assert scores.mean(groups=groups).loc["a", "AP"] == np.mean([np.mean([1.5, 1.0]), 3.5])
    by_group = scores.mean(by="group", groups=groups)
    assert by_group.loc[("a", "x"), "AP"] == 1.25
    assert by_group.loc[("b", "y"), "E@32"] == 21.5
    by_subject = scores.mean(by="subject", groups=groups)
    assert by_subject.loc[("a", "ann"), "AP"] == np.mean([0.5, 2.0])


def test_mean_errors(scores):
    with pytest.raises(ft.OptionError, match=r"2 queries have no group, the first is 'q2'"):
        scores.mean(groups={"q1": "x"})
    with pytest.raises(ft.OptionError, match="give groups"):
        scores.mean(by="group")
    with pytest.raises(ft.OptionError, match="by='query'"):
        scores.mean(by="query")
    crisp = ft.evaluate({"q": {"a": 1}}, {"s": {"q": {"a": 1.0}}}, "AP")
    with pytest.raises(ft.OptionError, match="no subjects"):
        crisp.mean(by="subject")


def test_save_and_load_lose_nothing(scores, tmp_path):
    scores.save(tmp_path / "scores.parquet")
    back = ft.Scores.load(tmp_path / "scores.parquet")
    for name in ("systems", "queries", "measures", "subjects", "design", "higher_is_better"):
        assert getattr(back, name) == getattr(scores, name)
    np.testing.assert_array_equal(back.values, scores.values)
    np.testing.assert_array_equal(back.cells.query, scores.cells.query)
    np.testing.assert_array_equal(back.cells.subject, scores.cells.subject)
    frame = pd.read_parquet(tmp_path / "scores.parquet")  # readable by anyone
    assert list(frame.columns) == ["system", "measure", "query", "subject", "value"]
    assert frame["value"].to_numpy()[5] == scores.values[0, 1, 0]


def test_loading_something_else_is_an_error(tmp_path):
    pd.DataFrame({"item": ["a"], "value": [1.0]}).to_parquet(tmp_path / "other.parquet")
    with pytest.raises(ft.DataError, match=r"other.parquet: no column for 'system'"):
        ft.Scores.load(tmp_path / "other.parquet")
    (tmp_path / "text.parquet").write_text("no parquet")
    with pytest.raises(ft.DataError, match=r"text.parquet: is not a Parquet file"):
        ft.Scores.load(tmp_path / "text.parquet")
    with pytest.raises(ft.DataError, match=r"missing.parquet: no such file"):
        ft.Scores.load(tmp_path / "missing.parquet")


def test_repr(scores):
    assert repr(scores) == "Scores(2 systems, 3 queries, 2 measures, 2 subjects)"
