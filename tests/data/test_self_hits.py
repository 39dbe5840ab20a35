"""Items with the id of their query, left out of any runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.data.ranking import self_hits, without_self_hits
from fuzzytruth.errors import DataError, OptionError, SelfHitWarning

RUNS = {"s": {"a": ["a", "b", "c"], "b": ["c", "a"], "c": ["b", "c"]}, "t": {"a": ["b"]}}
TRUTH = {"a": {"b": 1, "a": 1}, "b": {"a": 1}, "c": {"b": 1}}


def test_rows() -> None:
    runs = ft.Runs.from_dict(RUNS)
    frame = runs.to_frame()
    assert self_hits(runs["s"]).tolist() == [0, 6]
    assert self_hits(runs["t"]).tolist() == []
    assert ((frame["query"] == frame["item"]).sum()) == 2


def test_runs_without_them() -> None:
    runs = ft.Runs.from_dict(RUNS)
    with pytest.warns(SelfHitWarning, match=r"left out 2 items that have the id .* of s \(2\)$"):
        others = runs.exclude_self()
    frame = others.to_frame()
    assert len(frame) == len(runs.to_frame()) - 2
    assert (frame["query"] != frame["item"]).all()
    same = without_self_hits(others.rankings)  # and no warning
    assert all(same[name] is ranking for name, ranking in others.rankings.items())
    with pytest.raises(DataError, match="run 'u' lists nothing but queries for themselves"):
        ft.Runs.from_dict({"u": {"a": ["a"]}}).exclude_self()


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
def test_evaluate() -> None:
    scores = ft.evaluate(TRUTH, RUNS, ["P@1", "RR"], exclude_self=True)
    expected = ft.evaluate(TRUTH, ft.Runs.from_dict(RUNS).exclude_self(), ["P@1", "RR"])
    whole = ft.evaluate(TRUTH, RUNS, ["P@1", "RR"])
    np.testing.assert_array_equal(scores.values, expected.values)
    assert scores.values[0, 0].tolist() == [1, 0, 1]
    assert whole.values[0, 0].tolist() == [1, 0, 1]  # the query itself was judged relevant
    assert whole.values[0, 1].tolist() == [1, 0.5, 1]
    with pytest.raises(OptionError, match="exclude_self=1: must be True or False"):
        ft.evaluate(TRUTH, RUNS, "RR", exclude_self=1)


def test_files(tmp_path) -> None:
    path = tmp_path / "s.run"
    path.write_text("a Q0 a 1 3 s\na Q0 b 2 2 s\nb Q0 a 1 1 s\n")
    with pytest.warns(SelfHitWarning, match="left out 1 item that has the id"):
        runs = ft.read_runs(path, exclude_self=True)
    assert runs.to_frame()["item"].tolist() == ["b", "a"]
    with pytest.raises(OptionError, match=r"only matrices take depth=$"):
        ft.read_runs(path, exclude_self=True, depth=2)


def test_matrices_are_as_before_and_silent() -> None:
    runs = ft.Runs.from_matrix([[1, 0.2], [0.3, 1]], queries="ab", items="ab")
    with pytest.warns(SelfHitWarning, match="2 items"):
        late = runs.exclude_self()
    early = ft.Runs.from_matrix([[1, 0.2], [0.3, 1]], queries="ab", items="ab", exclude_self=True)
    assert late.to_frame().equals(early.to_frame())


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.parametrize("unjudged", ["nonrelevant", "bounds"])
def test_a_block_of_self_hits_alone(tmp_path: Path, unjudged: Any) -> None:
    """The last query of a file is a block of its own."""
    path = tmp_path / "a.run"
    path.write_text("q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 1.5 t\nq2 Q0 q2 1 3.0 t\n")
    truth = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    options = {"exclude_self": True, "unjudged": unjudged}
    streamed, whole = (
        ft.evaluate(truth, runs, ["AP", "Rprec"], **options) for runs in (path, ft.read_runs(path))
    )
    assert streamed.values.tolist() == whole.values.tolist() == [[[1, 0], [1, 0]]]
    np.testing.assert_array_equal(streamed.upper, whole.upper)
