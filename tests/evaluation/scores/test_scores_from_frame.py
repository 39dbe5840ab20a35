"""Scores that something else computed."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.scores_for_tests import dense

import fuzzytruth as ft

FRAME = pd.DataFrame(
    {
        "Run": ["a", "a", "b", "b", "a"],
        "qid": [1, 2, 2, 1, 1],
        "worker": ["x", "x", "x", "x", "y"],
        "metric": ["AP", "AP", "AP", "AP", "AP"],
        "score": [0.5, 1.0, 0.25, np.nan, 0.7],
    }
)


def test_columns_by_alias_and_what_is_missing() -> None:
    scores = ft.Scores.from_frame(FRAME)
    assert (scores.systems, scores.queries) == (("a", "b"), ("1", "2"))
    assert (scores.measures, scores.subjects) == (("AP",), ("x", "y"))
    np.testing.assert_array_equal(
        dense(scores)[:, 0], [[[0.5, 1.0], [0.7, np.nan]], [[np.nan, 0.25], [np.nan, np.nan]]]
    )
    assert scores.cells.incidence().toarray().tolist() == [[1, 1], [1, 0]]


def test_there_and_back() -> None:
    scores = ft.Scores.from_frame(FRAME)
    again = ft.Scores.from_frame(scores.to_frame())
    np.testing.assert_array_equal(again.values, scores.values)
    np.testing.assert_array_equal(again.cells.query, scores.cells.query)
    np.testing.assert_array_equal(again.cells.subject, scores.cells.subject)


def test_directions() -> None:
    frame = pd.DataFrame(
        {
            "system": "a",
            "query": "q",
            "measure": ["E@32", "AP", "score of mine"],
            "value": [1, 2, 3],
        }
    )
    assert ft.Scores.from_frame(frame).higher_is_better == (False, True, True)
    given = ft.Scores.from_frame(frame, higher_is_better={"score of mine": False})
    assert given.higher_is_better == (False, True, False)
    assert ft.Scores.from_frame(frame, higher_is_better=False).higher_is_better == (False,) * 3
    with pytest.raises(ft.OptionError, match="'los' is not among"):
        ft.Scores.from_frame(frame, higher_is_better={"los": False})
    with pytest.raises(ft.OptionError, match="higher_is_better='x'"):
        ft.Scores.from_frame(frame, higher_is_better="x")


def test_a_column_measure_is_not_needed() -> None:
    scores = ft.Scores.from_frame(FRAME[["Run", "qid", "score"]].iloc[:3], measure="accuracy")
    assert scores.measures == ("accuracy",)
    assert scores.subjects is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda f: f.drop(columns="score"), "no column for 'value'"),
        (lambda f: f.assign(score=["x"] * 5), r"row 1 \(index 0\), column 'score': value 'x'"),
        (lambda f: f.assign(score=[1, 2, np.inf, 4, 5]), r"row 3 \(index 2\), column 'score'"),
        (
            lambda f: f.assign(score=[np.nan, np.nan, 1, 2, -np.inf]),
            r"row 5 \(index 4\), column 'score'",
        ),
        (
            lambda f: f.assign(worker="x"),
            r"row 5 \(index 4\): system 'a', measure 'AP', subject 'x', query '1'",
        ),
        (lambda f: f.assign(qid=[None, 2, 2, 1, 1]), "column 'qid': the id is missing"),
        (lambda f: f.iloc[:0], "there are no scores"),
    ],
)
def test_errors_name_the_place(change, words: str) -> None:
    with pytest.raises(ft.DataError, match=words):
        ft.Scores.from_frame(change(FRAME))


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "json", "parquet"])
def test_files(tmp_path: Path, ending: str) -> None:
    frame = FRAME.dropna().astype({"qid": str})
    path = tmp_path / f"scores.{ending}"
    if ending in ("csv", "tsv"):
        frame.to_csv(path, index=False, sep="," if ending == "csv" else "\t")
    elif ending == "parquet":
        frame.rename(columns={"Run": "system", "qid": "query", "score": "value"}).to_parquet(path)
    else:
        frame.to_json(path, orient="records", lines=ending == "jsonl")
    found = ft.Scores.load(path)
    expected = ft.Scores.from_frame(frame)
    np.testing.assert_array_equal(found.values, expected.values)
    assert found.subjects == expected.subjects


def test_a_bad_file_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("system,query,value\na,1,0.5\nb,1,x\n")
    with pytest.raises(ft.DataError, match=r"scores.csv, line 3, column 'value'"):
        ft.Scores.load(path)
    path.write_text("system,query,value\na,1,0.5\na,1,0.5\n")
    with pytest.raises(ft.DataError, match=r"scores.csv, line 3: system 'a'.*line 2"):
        ft.Scores.load(path)


def test_unknown_measures_are_listed() -> None:
    scores = ft.Scores.from_frame(FRAME)
    with pytest.raises(ft.OptionError, match="measure 'lost' is not among these scores"):
        ft.compare(scores, measures="lost")


def test_distinct_systems_queries_and_subjects() -> None:
    n = 3_000  # a dense table would take 201 GiB
    names = np.arange(n)
    frame = pd.DataFrame({"system": names, "query": names, "subject": names, "value": names / n})
    tracemalloc.start()
    scores = ft.Scores.from_frame(frame)
    np.testing.assert_array_equal(scores.mean()["value"], names / n)
    with pytest.warns(ft.FuzzytruthWarning, match="3,000 standard errors over queries"):
        summary = scores.summary()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert summary["mean"].tolist() == (names / n).tolist()
    assert (summary["n_queries"] == 1).all()
    assert peak < 2 * 2**30  # some arrays of systems × cells, 69 MiB each
    assert (scores.values.shape, len(scores.cells)) == ((n, 1, n), n)


def test_what_is_no_frame() -> None:
    with pytest.raises(ft.OptionError, match=r"^frame=\['a'\]: must be a DataFrame"):
        ft.Scores.from_frame(["a"])  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["epoch", "seed"])
def test_repeats_are_not_taken_for_subjects(name: str) -> None:
    table = pd.DataFrame({"system": ["a"] * 2, "query": [1] * 2, name: [1, 2], "value": [0, 1.0]})
    message = f"if '{name}' tells repeats apart, give their mean for each system, query; else keep"
    with pytest.raises(ft.DataError, match=message):
        ft.Scores.from_frame(table)
    means = table.groupby(["system", "query"], as_index=False).mean()
    assert ft.Scores.from_frame(means).values.tolist() == [[[0.5]]]
    with pytest.raises(ft.DataError, match=r"columns=\{'subject': 'worker_no'\}; else keep"):
        ft.Scores.from_frame(table.assign(worker_no=[1, 2]))
