"""Attributes of queries, on all the ways that scores take."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from support.damaged_files import check_equal
from support.kinds_of_scores import KINDS, evaluated

import fuzzytruth as ft
from fuzzytruth.evaluation.scores.concat import in_order_of
from fuzzytruth.evaluation.scores.scores_file import ABOUT, CHECKSUM

FRAME = pd.DataFrame(
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
    return ft.Scores.from_frame(FRAME, **{"clusters": "topic", **given})


def test_a_column_is_kept_and_is_no_alias() -> None:
    kept = scores()
    assert kept.queries == ("1", "2", "3", "4")
    assert kept.query_attributes == {"topic": TOPICS}
    assert repr(kept) == "Scores(2 systems, 4 queries, 1 measure)"
    assert ft.Scores.from_frame(FRAME).query_attributes == {}
    assert ft.Scores.from_frame(FRAME).queries == kept.queries
    both = scores(clusters=["topic", "year", "topic"])
    assert both.query_attributes["year"] == ("2001", "2001", "2002", "2002")
    assert list(both.query_attributes) == ["topic", "year"]
    assert ft.Scores.from_frame(FRAME.drop(columns="topic")).query_attributes == {}


@pytest.mark.parametrize("alias", ["topic", "subject", "system", "metric", "query"])
def test_a_kept_column_may_have_any_name(alias: str) -> None:
    frame = FRAME.drop(columns="year").rename(columns={"topic": alias})
    kept = ft.Scores.from_frame(frame, clusters=alias)
    assert (kept.query_attributes, kept.subjects) == ({alias: TOPICS}, None)
    np.testing.assert_array_equal(kept.values, scores().values)


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, ""])
def test_what_is_missing_is_none(missing: Any) -> None:
    column = [7, 8, 9, missing] * 2
    kept = ft.Scores.from_frame(
        FRAME.assign(topic=pd.Series(column, dtype=object)), clusters="topic"
    )
    assert kept.query_attributes["topic"] == ("7", "8", "9", None)
    categories = FRAME.assign(topic=FRAME["topic"].astype("category"))
    assert ft.Scores.from_frame(categories, clusters="topic").query_attributes["topic"] == TOPICS


def test_a_query_has_one_value() -> None:
    frame = FRAME.assign(topic=["x", "y", "x", None, "x", "y", "z", None])
    message = r"^frame, row 7 .*: query '3' has topic 'z', and 'x' before \(frame, row 3 .*has one$"
    with pytest.raises(ft.DataError, match=message):
        ft.Scores.from_frame(frame, clusters="topic")
    frame = FRAME.assign(topic=["x", "y", "x", None, "x", "y", "x", "w"])
    with pytest.raises(ft.DataError, match=r"row 8 .*: query '4' has topic 'w', and none before"):
        ft.Scores.from_frame(frame, clusters="topic")


@pytest.mark.parametrize(
    ("clusters", "words"),
    [
        ("topics", r"clusters='topics': is not a column of the frame \(nearest: 'topic'\); it has"),
        (3, "clusters=3: must be the name of a column, or several"),
        ([[]], r"clusters=\[\[\]\]: must be the name of a column, or several"),
        ([3], r"clusters=\[3\]: must be the name of a column, or several"),
    ],
)
def test_columns_that_are_not_there(clusters: Any, words: str) -> None:
    with pytest.raises(ft.OptionError, match=words):
        scores(clusters=clusters)


def test_selections_and_other_orders() -> None:
    kept = scores()
    assert kept.select(queries=["4", "1"]).query_attributes == {"topic": (None, "x")}
    assert kept.select(systems="b").query_attributes == {"topic": TOPICS}
    other = kept.select(queries=["3", "1", "4", "2"], systems="b")
    back = in_order_of(kept, other, "other", systems=False)
    assert back.query_attributes == kept.query_attributes


def test_queries_without_scores_of_a_subject_are_left_out() -> None:
    frame = FRAME.assign(subject=["p", "p", "q", "q"] * 2)
    kept = ft.Scores.from_frame(frame, clusters="topic")
    assert kept.select(subjects="q").query_attributes == {"topic": ("x", None)}


def test_pickles() -> None:
    back = pickle.loads(pickle.dumps(scores()))
    assert back.query_attributes == {"topic": TOPICS}


def test_concat_merges() -> None:
    kept, bare = scores(), ft.Scores.from_frame(FRAME.drop(columns="topic"))
    a, b = kept.select(systems="a"), kept.select(systems="b", queries=["4", "3", "2", "1"])
    assert ft.concat([a, b]).query_attributes == {"topic": TOPICS}
    assert ft.concat([bare.select(systems="a"), b]).query_attributes == {"topic": TOPICS}
    assert ft.concat([a, bare.select(systems="b")]).query_attributes == {"topic": TOPICS}
    years = scores(clusters=["topic", "year"]).select(systems="b")
    assert list(ft.concat([a, years]).query_attributes) == ["topic", "year"]
    knows = ft.Scores.from_frame(
        FRAME.assign(topic=["x", None, "x", "z"] * 2), clusters="topic"
    ).select(systems="b")
    assert ft.concat([a, knows]).query_attributes == {"topic": ("x", "y", "x", "z")}
    other = ft.Scores.from_frame(FRAME.assign(topic=["x", "y", "w", None] * 2), clusters="topic")
    message = r"^scores\[1\]: query '3' has topic 'w', and 'x' in scores before; a query has one$"
    with pytest.raises(ft.DataError, match=message):
        ft.concat([a, other.select(systems="b")])


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.parametrize("kind", KINDS)
def test_all_kinds_are_saved_and_loaded(kind: str, tmp_path: Path) -> None:
    from dataclasses import replace

    one = evaluated(kind)
    values = (None, *["a"] * (len(one.queries) - 1))
    kept = replace(one, query_attributes={"topic": values})
    path = tmp_path / "scores.parquet"
    kept.save(path)
    back = ft.Scores.load(path, clusters="topic")
    check_equal(back, kept)
    assert back.query_attributes == {"topic": values}
    one.save(path)
    assert "query_attributes" not in json.loads(pq.read_schema(path).metadata[ABOUT])
    assert ft.Scores.load(path).query_attributes == {}


def damaged(path: Path, given: Any, *, checksum: bool = False) -> None:
    scores().save(path)
    table = pq.read_table(path)
    metadata = dict(table.schema.metadata)
    about = json.loads(metadata[ABOUT]) | {"query_attributes": given}
    metadata[ABOUT] = json.dumps(about).encode()
    if not checksum:
        del metadata[CHECKSUM]
    pq.write_table(table.replace_schema_metadata(metadata), path)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([], r"'query_attributes' is \[\], not an object"),
        ({"topic": "xyxz"}, "'topic' of 'query_attributes' is 'xyxz', and must be a list of 4"),
        ({"topic": ["x", "y", "x"]}, "must be a list of 4 texts or null"),
        ({"topic": ["x", "y", "x", 3]}, "must be a list of 4 texts or null"),
        ({"topic": ["x", "y", "x", "\ud800"]}, "must be a list of 4 texts or null"),
    ],
)
def test_damaged_entries(given: Any, words: str, tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    damaged(path, given)
    with pytest.raises(ft.DataError, match=words) as raised:
        ft.Scores.load(path)
    assert str(raised.value).startswith(f"{path}: the metadata of these saved scores are damaged")


def test_the_checksum_covers_them(tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    damaged(path, {"topic": ["x", "y", "y", None]}, checksum=True)
    with pytest.raises(ft.DataError, match="as the checksum says"):
        ft.Scores.load(path)


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "json", "parquet"])
def test_columns_of_tables_are_kept(ending: str, tmp_path: Path) -> None:
    frame, path = FRAME.astype({"qid": str}), tmp_path / f"scores.{ending}"
    if ending in ("csv", "tsv"):
        frame.to_csv(path, index=False, sep="," if ending == "csv" else "\t")
    elif ending == "parquet":
        frame.to_parquet(path)
    else:
        frame.to_json(path, orient="records", lines=ending == "jsonl")
    kept = ft.Scores.load(path, clusters=["topic", "year"])
    check_equal(kept, scores(clusters=["topic", "year"]))
    with pytest.raises(
        ft.DataError, match=r"no column 'topics' \(nearest: 'topic'\); columns pres"
    ):
        ft.Scores.load(path, clusters="topics")


def test_files_without_the_column(tmp_path: Path) -> None:
    scores().save(tmp_path / "scores.parquet")
    words = r"clusters='year': is no attribute of the queries .*'topic'.*from_frame, or give"
    with pytest.raises(ft.OptionError, match=words):
        ft.Scores.load(tmp_path / "scores.parquet", clusters="year")
    path = tmp_path / "scores.json"
    path.write_text('{"a": {"q": {"m": 1}}}')
    with pytest.raises(ft.DataError, match=r"nested objects do not say what .* give a list"):
        ft.Scores.load(path, clusters="topic")


@pytest.mark.parametrize("name", ["system", "value"])
def test_columns_that_the_table_needs_group_nothing(name: str) -> None:
    frame = pd.DataFrame({"system": ["a"], "query": [1], "topic": ["t"], "value": [0.5]})
    with pytest.raises(ft.OptionError, match=f"clusters='{name}': no other column says which"):
        ft.Scores.from_frame(frame, clusters=name)
