"""Runs: what they accept, what they refuse, which order they have."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import fuzzytruth as ft
from fuzzytruth.data import ranking as ft_ranking
from fuzzytruth.io import ids as strings


@pytest.fixture
def frame():
    return pd.DataFrame(
        {
            "query": ["q1", "q2", "q1", "q1"],
            "item": ["a", "a", "b", "c"],
            "score": [1.0, 2.0, 3.0, 2.0],
            "rank": [3, 1, 1, 2],
        }
    )


def order_of(runs, system="system"):
    table = runs.to_frame().query("system == @system")
    return {query: list(items) for query, items in table.groupby("query")["item"]}


def test_columns_go_by_many_names(frame):
    wanted = order_of(ft.Runs.from_frame(frame))
    assert wanted == {"q1": ["b", "c", "a"], "q2": ["a"]}
    for names in (["qid", "docno", "sim", "rank"], ["Topic", "image", "similarity", "x"]):
        assert order_of(ft.Runs.from_frame(frame.set_axis(names, axis="columns"))) == wanted


@pytest.mark.parametrize(
    "kind",
    [
        "float32",
        "float64",
        "float16",
        "int64",
        "uint8",
        "Int64",
        "Float32",
        "object",
        "double[pyarrow]",
    ],
)
def test_scores_of_any_type(frame, kind):
    frame["score"] = frame["score"].astype(kind)
    ranking = ft.Runs.from_frame(frame)["system"]
    assert ranking.score.dtype == np.float64
    assert ranking.score.tolist() == [1, 2, 3, 2]


@pytest.mark.parametrize("bad", [np.nan, np.inf, None, pd.NA, "x"])
def test_a_score_must_be_a_finite_number(frame, bad):
    frame["score"] = pd.Series([1, 2, 3, bad], dtype=object)
    with pytest.raises(
        ft.DataError, match=r"frame, row 4 \(index 3\), column 'score': value .* is not a"
    ):
        ft.Runs.from_frame(frame)


def test_int_categorical_and_arrow_ids(frame):
    frame["query"] = pd.Categorical([1, 2, 1, 1])
    frame["item"] = pd.Series(["a", "a", "b", "c"], dtype=pd.ArrowDtype(pa.large_string()))
    assert order_of(ft.Runs.from_frame(frame)) == {"1": ["b", "c", "a"], "2": ["a"]}


def test_distances_are_better_when_small(frame):
    near = frame.drop(columns=["score", "rank"]).assign(distance=[1.0, 2.0, 3.0, 2.0])
    assert order_of(ft.Runs.from_frame(near))["q1"] == ["a", "c", "b"]


class TestOrderByRank:
    def test_scores_do_not_count(self, frame):
        frame["score"] = 0.0
        runs = ft.Runs.from_frame(frame, order_by="rank")
        assert order_of(runs) == {"q1": ["b", "c", "a"], "q2": ["a"]}
        assert order_of(
            ft.Runs.from_frame(frame.drop(columns="score"), order_by="rank")
        ) == order_of(runs)

    def test_ranks_in_order_already(self):
        frame = pd.DataFrame({"query": list("xxyy"), "item": list("baab"), "rank": [1, 2, 1, 5]})
        assert order_of(ft.Runs.from_frame(frame, order_by="rank")) == {
            "x": ["b", "a"],
            "y": ["a", "b"],
        }

    @pytest.mark.parametrize("seed", range(5))
    def test_any_order_of_rows(self, seed):
        rng = np.random.default_rng(seed)
        rows = [(f"q{q}", f"d{d}", d + 1) for q in range(6) for d in range(rng.integers(1, 20))]
        mixed = [rows[j] for j in rng.permutation(len(rows))]
        frame = pd.DataFrame(mixed, columns=["query", "item", "rank"])
        expected = {}
        for query, item, _ in rows:
            expected.setdefault(query, []).append(item)
        assert order_of(ft.Runs.from_frame(frame, order_by="rank")) == expected

    def test_needs_the_column(self, frame):
        with pytest.raises(ft.DataError, match="no column for 'rank'"):
            ft.Runs.from_frame(frame.drop(columns="rank"), order_by="rank")


class TestDuplicates:
    @pytest.fixture
    def twice(self, frame):
        again = {"query": "q1", "item": "a", "score": 9.0, "rank": 4}
        return pd.concat([frame, pd.DataFrame([again])], ignore_index=True)

    @pytest.mark.parametrize("order_by", ["score", "rank"])
    def test_error_names_both_rows(self, twice, order_by):
        message = r"frame, row 5 .*'item': value 'a' is listed twice .*'q1' \(first: frame, row 1 "
        with pytest.raises(ft.DataError, match=message):
            ft.Runs.from_frame(twice, order_by=order_by)

    def test_first_keeps_the_better_placed(self, twice):
        by_score = ft.Runs.from_frame(twice, duplicates="first")
        assert order_of(by_score)["q1"] == ["a", "b", "c"]
        by_rank = ft.Runs.from_frame(twice, duplicates="first", order_by="rank")
        assert order_of(by_rank)["q1"] == ["b", "c", "a"]

    def test_one_item_may_answer_several_queries_and_systems(self, frame):
        both = pd.concat([frame.assign(system="x"), frame.assign(system="y")])
        assert len(ft.Runs.from_frame(both)) == 2

    def test_rows_are_numbered_over_all_systems(self, twice):
        mixed = twice.assign(run=["x", "y", "y", "x", "x"])
        with pytest.raises(
            ft.DataError, match=r"frame, row 5 \(index 4\), .*\(first: frame, row 1 \(index 0\)\)"
        ):
            ft.Runs.from_frame(mixed)

    @pytest.mark.parametrize("block", [1, 3, 100])
    @pytest.mark.parametrize("grouped", [True, False])
    def test_found_wherever_blocks_end(self, monkeypatch, block, grouped):
        monkeypatch.setattr(ft_ranking, "_BLOCK", block)
        rng = np.random.default_rng(block)
        rows = [(f"q{q}", f"d{d}") for q in range(7) for d in range(rng.integers(1, 9))]
        for again in range(0, len(rows), 5):
            twice = [*rows, rows[again]] if not grouped else [*rows[: again + 1], *rows[again:]]
            query, item = zip(*twice, strict=True)
            with pytest.raises(ft.DataError, match=rf"\(first: runs, row {again + 1}\)"):
                ft.Runs.from_columns(query, item, score=rng.random(len(twice)))
        query, item = zip(*rows, strict=True)
        assert len(ft.Runs.from_columns(query, item, score=rng.random(len(rows)))["system"])

    def test_equal_hashes_are_not_equal_ids(self, frame, twice, monkeypatch):
        def constant(data, offsets):
            return np.zeros(len(offsets) - 1, dtype=np.uint64)

        monkeypatch.setattr(strings, "hash_strings", constant)
        assert len(ft.Runs.from_frame(frame)["system"]) == 4
        assert len(ft.Runs.from_frame(twice, duplicates="first")["system"]) == 4
        with pytest.raises(ft.DataError, match=r"row 5 \(index 4\)"):
            ft.Runs.from_frame(twice)


class TestFromDict:
    def test_one_or_several_systems(self):
        lists = {"q1": {"a": 1, "b": 2}, 5: {7: np.float32(0.5)}}
        one = ft.Runs.from_dict(lists, name="s")
        assert order_of(one, "s") == {"q1": ["b", "a"], "5": ["7"]}
        two = ft.Runs.from_dict({"x": lists, "y": lists})
        assert two.systems == ("x", "y")
        assert order_of(two, "y") == order_of(one, "s")

    def test_empty(self):
        with pytest.raises(ft.DataError, match="no rows"):
            ft.Runs.from_dict({})


class TestFromMatrix:
    SCORES = np.array([[1.0, 0.2, 0.3], [0.2, 1.0, 0.9]])

    def test_scores(self):
        runs = ft.Runs.from_matrix(self.SCORES, queries=["a", "b"], items=["a", "b", "c"], name="m")
        assert order_of(runs, "m") == {"a": ["a", "c", "b"], "b": ["b", "c", "a"]}

    def test_distances(self):
        runs = ft.Runs.from_matrix(
            self.SCORES, queries=[1, 2], items=[10, 11, 12], larger_is_better=False
        )
        assert order_of(runs) == {"1": ["11", "12", "10"], "2": ["10", "12", "11"]}

    def test_a_query_among_the_items_is_left_out(self):
        runs = ft.Runs.from_matrix(
            self.SCORES, queries=["b", "x"], items=["a", "b", "c"], exclude_self=True
        )
        assert order_of(runs) == {"b": ["a", "c"], "x": ["b", "c", "a"]}

    def test_the_matrix_stays_as_it_is(self):
        matrix = self.SCORES.copy()
        runs = ft.Runs.from_matrix(matrix, queries="ab", items="abc", larger_is_better=False)
        runs["system"].score[:] = 0
        ft.Runs.from_matrix(matrix, queries="ab", items="abc")["system"].score[:] = 0
        assert np.array_equal(matrix, self.SCORES)

    @pytest.mark.parametrize(
        ("matrix", "ids", "message"),
        [
            ([[1, 2]], ("ab", "xy"), r"does not fit 2 queries and 2 items; queries= needs 1 id$"),
            ([[1, np.nan], [0, 1]], ("ab", "xy"), r"row 1 \('a'\), column 2 \('y'\): nan"),
            ([[1, 2], [3, 4]], ("aa", "xy"), "^queries: 'a' is listed twice among the queries"),
            ([[1, 2], [3, 4]], ("ab", "xx"), "^items: 'x' is listed twice among the items"),
        ],
    )
    def test_refuses(self, matrix, ids, message):
        with pytest.raises(ft.DataError, match=message):
            ft.Runs.from_matrix(matrix, queries=ids[0], items=ids[1])


def test_the_callers_frame_stays_as_it_is(frame):
    before = frame.copy(deep=True)
    runs = ft.Runs.from_frame(frame)
    runs["system"].score[:] = 0
    table = runs.to_frame()
    table["score"] += 5
    pd.testing.assert_frame_equal(frame, before)


def test_systems_and_names(frame):
    runs = ft.Runs.from_frame(frame, name="bm25")
    assert repr(runs) == "Runs(1 system: bm25; 4 rows)"
    assert runs.rename({"bm25": "mine"}).systems == ("mine",)
    two = ft.Runs.from_dict({"x": {"q": {"a": 1}}, "y": {"q": {"a": 1}}})
    with pytest.raises(ft.OptionError, match="two systems would share a name"):
        two.rename({"x": "y"})


@pytest.mark.parametrize("option", [{"order_by": "size"}, {"duplicates": "last"}])
def test_unknown_option(frame, option):
    with pytest.raises(ft.OptionError, match="must be one of"):
        ft.Runs.from_frame(frame, **option)


def test_columns_must_be_of_one_length():
    with pytest.raises(ft.DataError, match="differ in length"):
        ft.Runs.from_columns(["q"], ["a", "b"], score=[1, 2])


@pytest.mark.parametrize("name", ["back.run", "back.csv", "back.parquet", "back.jsonl"])
def test_a_run_ordered_by_rank_keeps_its_order_when_written(tmp_path, name):
    """Its scores say something else, or nothing at all."""
    frame = pd.DataFrame(
        {"query": ["q"] * 3, "item": ["a", "b", "c"], "rank": [3, 1, 2], "score": [9.0, 0.0, 0.0]}
    )
    runs = ft.Runs.from_frame(frame, order_by="rank")
    runs.write(tmp_path / name)
    back = ft.read_runs({"system": tmp_path / name} if name == "back.run" else tmp_path / name)
    assert back.to_frame()["item"].tolist() == ["b", "c", "a"]


def test_each_system_of_a_table_has_its_own_queries():
    frame = pd.DataFrame(
        {"system": ["x", "x", "y"], "query": ["q1", "q2", "q2"], "item": "a", "score": 1.0}
    )
    runs = ft.Runs.from_frame(frame)
    assert runs["x"].queries == ("q1", "q2")
    assert runs["y"].queries == ("q2",)
    with pytest.warns(ft.FuzzytruthWarning, match=r"missing from y \(1: q1\)"):
        ft.evaluate({"q1": {"a": 1}, "q2": {"a": 1}}, runs, "AP")


def test_a_matrix_of_words_or_of_unequal_rows_is_an_error():
    for matrix, message in (
        ([["a"]], r"matrix, row 1 \('q'\), column 1 \('d'\): value .*'a'.* is not a number"),
        ([[1, 2], [3]], "matrix, row 2: has 1 column, and row 1 has 2"),
    ):
        with pytest.raises(ft.DataError, match=message):
            ft.Runs.from_matrix(matrix, queries=["q"], items=["d"])


def test_runs_keep_their_own_mapping():
    rankings = dict(ft.Runs.from_dict({"s": {"q": {"a": 1.0}}}))
    runs = ft.Runs(rankings)
    rankings.clear()
    assert runs.systems == ("s",)


def test_grades_as_runs() -> None:
    votes = ft.Judgments.from_columns(
        ["q", "q", "r", "q"], ["a", "b", "a", "b"], [1, 3, 2, 0], subject=["s", "s", "s", "t"]
    )
    runs = ft.Runs.from_judgments(votes)
    assert runs.to_frame()[["system", "query", "item", "score"]].values.tolist() == [
        ["s", "q", "b", 3.0],
        ["s", "q", "a", 1.0],
        ["s", "r", "a", 2.0],
        ["t", "q", "b", 0.0],
    ]
    alone = votes.select_subject("t")
    assert ft.Runs.from_judgments(alone, name="judge").systems == ("judge",)
    only = ft.Runs.from_judgments(votes.select(subjects="s", queries="q"))
    assert ft.evaluate({"q": {"a": 1}}, only, "RR").mean()["RR"].tolist() == [0.5]


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ({"intent": ["1"], "subject": ["s"]}, "a column intent"),
        ({"count": [2]}, "a column count"),
        ({"repeat": ["1"], "subject": ["s"]}, "a column repeat"),
        ({"probability": [0.5]}, "a column probability"),
        ({"design": "nested", "subject": ["s"]}, "nested subjects"),
    ],
)
def test_grades_that_make_no_runs(more: dict[str, Any], what: str) -> None:
    votes = ft.Judgments.from_columns(["q"], ["a"], [1], **more)
    with pytest.raises(ft.DataError, match=f"from_judgments: these judgments have {what}"):
        ft.Runs.from_judgments(votes)
    with pytest.raises(ft.OptionError, match="votes=3: must be Judgments"):
        ft.Runs.from_judgments(3)  # type: ignore[arg-type]
