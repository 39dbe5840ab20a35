"""Scores that something else computed, and attributes of their queries."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.damaged_files import check_equal
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
    check_equal(ft.Scores.from_frame(scores.to_frame()), scores)
    plain = ft.Scores.from_frame(FRAME[["Run", "qid", "score"]].iloc[:3], measure="accuracy")
    assert (plain.measures, plain.subjects) == (("accuracy",), None)
    with pytest.raises(ft.errors.OptionError, match=r"^frame=\['a'\]: must be a DataFrame"):
        ft.Scores.from_frame(["a"])  # type: ignore[arg-type]


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
    with pytest.raises(ft.errors.OptionError, match="'los' is not among"):
        ft.Scores.from_frame(frame, higher_is_better={"los": False})
    with pytest.raises(ft.errors.OptionError, match="higher_is_better='x'"):
        ft.Scores.from_frame(frame, higher_is_better="x")


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
    with pytest.raises(ft.errors.DataError, match=words):
        ft.Scores.from_frame(change(FRAME))


@pytest.mark.parametrize("name", ["epoch"])
def test_repeats_are_not_taken_for_subjects(name: str) -> None:
    table = pd.DataFrame({"system": ["a"] * 2, "query": [1] * 2, name: [1, 2], "value": [0, 1.0]})
    message = f"if '{name}' tells repeats apart, give their mean for each system, query; else keep"
    with pytest.raises(ft.errors.DataError, match=message):
        ft.Scores.from_frame(table)
    means = table.groupby(["system", "query"], as_index=False).mean()
    assert ft.Scores.from_frame(means).values.tolist() == [[[0.5]]]
    with pytest.raises(ft.errors.DataError, match=r"columns=\{'subject': 'worker_no'\}; else keep"):
        ft.Scores.from_frame(table.assign(worker_no=[1, 2]))


TOPICAL = pd.DataFrame(
    {
        "run": list("aaaabbbb"),
        "qid": [1, 2, 3, 4] * 2,
        "topic": ["x", "y", "x", None] * 2,
        "year": [2001, 2001, 2002, 2002] * 2,
        "score": np.arange(8) / 8,
    }
)


TOPICS = ("x", "y", "x", None)


def scores(**given: Any) -> ft.Scores:
    return ft.Scores.from_frame(TOPICAL, **{"clusters": "topic", **given})


def test_a_query_has_one_value() -> None:
    frame = TOPICAL.assign(topic=["x", "y", "x", None, "x", "y", "z", None])
    message = r"^frame, row 7 .*: query '3' has topic 'z', and 'x' before \(frame, row 3 .*has one$"
    with pytest.raises(ft.errors.DataError, match=message):
        ft.Scores.from_frame(frame, clusters="topic")
    frame = TOPICAL.assign(topic=["x", "y", "x", None, "x", "y", "x", "w"])
    with pytest.raises(
        ft.errors.DataError, match=r"row 8 .*: query '4' has topic 'w', and none before"
    ):
        ft.Scores.from_frame(frame, clusters="topic")


def test_concat_merges() -> None:
    kept, bare = scores(), ft.Scores.from_frame(TOPICAL.drop(columns="topic"))
    a, b = kept.select(systems="a"), kept.select(systems="b", queries=["4", "3", "2", "1"])
    assert ft.concat([a, b]).query_attributes == {"topic": TOPICS}
    assert ft.concat([bare.select(systems="a"), b]).query_attributes == {"topic": TOPICS}
    assert ft.concat([a, bare.select(systems="b")]).query_attributes == {"topic": TOPICS}
    years = scores(clusters=["topic", "year"]).select(systems="b")
    assert list(ft.concat([a, years]).query_attributes) == ["topic", "year"]
    knows = ft.Scores.from_frame(
        TOPICAL.assign(topic=["x", None, "x", "z"] * 2), clusters="topic"
    ).select(systems="b")
    assert ft.concat([a, knows]).query_attributes == {"topic": ("x", "y", "x", "z")}
    other = ft.Scores.from_frame(TOPICAL.assign(topic=["x", "y", "w", None] * 2), clusters="topic")
    message = r"^scores\[1\]: query '3' has topic 'w', and 'x' in scores before; a query has one$"
    with pytest.raises(ft.errors.DataError, match=message):
        ft.concat([a, other.select(systems="b")])


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "json", "parquet"])
def test_columns_of_tables_are_kept(ending: str, tmp_path: Path) -> None:
    frame, path = TOPICAL.astype({"qid": str}), tmp_path / f"scores.{ending}"
    if ending in ("csv", "tsv"):
        frame.to_csv(path, index=False, sep="," if ending == "csv" else "\t")
    elif ending == "parquet":
        frame.to_parquet(path)
    else:
        frame.to_json(path, orient="records", lines=ending == "jsonl")
    kept = ft.Scores.load(path, clusters=["topic", "year"])
    check_equal(kept, scores(clusters=["topic", "year"]))
    with pytest.raises(
        ft.errors.DataError, match=r"no column 'topics' \(nearest: 'topic'\); columns pres"
    ):
        ft.Scores.load(path, clusters="topics")


@pytest.mark.parametrize(
    ("clusters", "words"),
    [
        ("topics", r"clusters='topics': is not a column of the frame \(nearest: 'topic'\); it has"),
        (3, "clusters=3: must be the name of a column, or several"),
        ([[]], r"clusters=\[\[\]\]: must be the name of a column, or several"),
        ("system", "clusters='system': no other column says which"),
        ("value", "clusters='value': no other column says which"),
    ],
)
def test_columns_that_cannot_group(clusters: Any, words: str) -> None:
    frame = TOPICAL.rename(columns={"run": "system", "score": "value"})
    with pytest.raises(ft.errors.OptionError, match=words):
        ft.Scores.from_frame(frame, clusters=clusters)
