"""Runs: what they accept, what they refuse, which order they have, and labels as runs."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.data import ranking
from fuzzytruth.data.reading import has_labels
from fuzzytruth.data.runs import LabelColumns
from fuzzytruth.io import ids

FRAME = pd.DataFrame(
    {
        "query": ["q1", "q2", "q1", "q1"],
        "item": ["a", "a", "b", "c"],
        "score": [1.0, 2.0, 3.0, 2.0],
        "rank": [3, 1, 1, 2],
    }
)
TWICE = pd.concat(
    [FRAME, pd.DataFrame([{"query": "q1", "item": "a", "score": 9.0, "rank": 4}])],
    ignore_index=True,
)
LISTS = {"q1": ["b", "c", "a"], "q2": ["a"]}


def order_of(runs: ft.Runs, system: str = "system") -> dict[str, list[str]]:
    table = runs.to_frame().query("system == @system")
    return {str(query): list(items) for query, items in table.groupby("query")["item"]}


def test_order() -> None:
    assert order_of(ft.Runs.from_frame(FRAME)) == LISTS
    for by_rank in (FRAME.assign(score=0.0), FRAME.drop(columns="score")):
        assert order_of(ft.Runs.from_frame(by_rank, order_by="rank")) == LISTS
    near = FRAME[["query", "item"]].assign(distance=[1.0, 2.0, 3.0, 2.0])
    assert order_of(ft.Runs.from_frame(near))["q1"] == ["a", "c", "b"]
    rng = np.random.default_rng(0)
    rows = [(f"q{q}", f"d{d}", 2 * d + 1) for q in range(6) for d in range(rng.integers(1, 20))]
    expected: dict[str, list[str]] = {}
    for query, item, _ in rows:
        expected.setdefault(query, []).append(item)
    for given in (rows, [rows[j] for j in rng.permutation(len(rows))]):
        frame = pd.DataFrame(given, columns=["query", "item", "rank"])
        assert order_of(ft.Runs.from_frame(frame, order_by="rank")) == expected


def test_duplicates() -> None:
    message = r"frame, row 5 .*'item': value 'a' is listed twice .*'q1' \(first: frame, row 1 "
    for order_by, want in (("score", ["a", "b", "c"]), ("rank", LISTS["q1"])):
        options: Any = {"order_by": order_by}
        for given in (TWICE, TWICE.assign(run=["x", "y", "y", "x", "x"])):
            with pytest.raises(ft.DataError, match=message):
                ft.Runs.from_frame(given, **options)
        assert order_of(ft.Runs.from_frame(TWICE, duplicates="first", **options))["q1"] == want
    both = pd.concat([FRAME.assign(system="x"), FRAME.assign(system="y")])
    assert len(ft.Runs.from_frame(both)) == 2


@pytest.mark.parametrize(("block", "grouped"), [(1, True), (3, False), (3, True), (100, False)])
def test_duplicates_are_found_wherever_blocks_end(
    monkeypatch: pytest.MonkeyPatch, block: int, grouped: bool
) -> None:
    monkeypatch.setattr(ranking, "_BLOCK", block)
    rng = np.random.default_rng(block)
    rows = [(f"q{q}", f"d{d}") for q in range(7) for d in range(rng.integers(1, 9))]
    for again in range(0, len(rows), 5):
        twice = [*rows, rows[again]] if not grouped else [*rows[: again + 1], *rows[again:]]
        query, item = zip(*twice, strict=True)
        with pytest.raises(ft.DataError, match=rf"\(first: runs, row {again + 1}\)"):
            ft.Runs.from_columns(query, item, score=rng.random(len(twice)))
    query, item = zip(*rows, strict=True)
    assert len(ft.Runs.from_columns(query, item, score=rng.random(len(rows)))["system"])


def test_equal_hashes_are_not_equal_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    def constant(data: Any, offsets: Any) -> Any:
        return np.zeros(len(offsets) - 1, dtype=np.uint64)

    monkeypatch.setattr(ids, "hash_strings", constant)
    assert len(ft.Runs.from_frame(FRAME)["system"]) == 4
    assert len(ft.Runs.from_frame(TWICE, duplicates="first")["system"]) == 4
    with pytest.raises(ft.DataError, match=r"row 5 \(index 4\)"):
        ft.Runs.from_frame(TWICE)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        *(
            (
                lambda bad=bad: ft.Runs.from_frame(
                    FRAME.assign(score=pd.Series([1, 2, 3, bad], dtype=object))
                ),
                r"frame, row 4 \(index 3\), column 'score': value .* is not a",
            )
            for bad in (np.nan, np.inf, None, pd.NA, "x")
        ),
        (lambda: ft.Runs.from_frame(FRAME.drop(columns="rank"), order_by="rank"), "for 'rank'"),
        (lambda: ft.Runs.from_frame(FRAME, order_by="size"), "order_by='size': must be one of"),  # type: ignore[arg-type]
        (lambda: ft.Runs.from_frame(FRAME, duplicates="last"), "must be one of"),  # type: ignore[arg-type]
        (lambda: ft.Runs.from_columns(["q"], ["a", "b"], score=[1, 2]), "differ in length"),
        (lambda: ft.Runs.from_dict({}), "no rows"),
        (
            lambda: ft.Runs.from_dict({"x": LISTS, "y": LISTS}).rename({"x": "y"}),
            "two systems would share a name",
        ),
        (lambda: LabelColumns.of([1, 2], "labels"), r"must be a DataFrame .* with columns item"),
        (
            lambda: ft.Runs.from_labels({"item": ["a", "b"], "category": ["x", "y", "z"]}),
            r"^labels: columns differ in length: {'item': 2, 'ca",
        ),
    ],
)
def test_mistakes(make: Any, message: str) -> None:
    with pytest.raises(ft.FuzzytruthError, match=message):
        make()


def test_systems_and_names() -> None:
    lists: dict[Any, Any] = {"q1": {"a": 1, "b": 2}, 5: {7: np.float32(0.5)}}
    one = ft.Runs.from_dict(lists, name="s")
    assert order_of(one, "s") == {"q1": ["b", "a"], "5": ["7"]}
    two = ft.Runs.from_dict({"x": lists, "y": lists})
    assert two.systems == ("x", "y")
    assert order_of(two, "y") == order_of(one, "s")
    assert repr(one) == "Runs(1 system: s; 3 rows)"
    assert repr(ft.Runs.from_dict({"s": {"q": {"a": 1}}})) == "Runs(1 system: s; 1 row)"
    assert one.rename({"s": "mine"}).systems == ("mine",)
    columns = {"system": [*"xxy"], "query": ["q1", "q2", "q2"], "item": [*"aaa"], "score": [1] * 3}
    own = ft.Runs.from_frame(columns)  # each system has its own queries
    assert (own["x"].queries, own["y"].queries) == (("q1", "q2"), ("q2",))
    with pytest.warns(ft.FuzzytruthWarning, match=r"missing from y \(1: q1\)"):
        ft.evaluate({"q1": {"a": 1}, "q2": {"a": 1}}, own, "AP")


def test_the_callers_data_stay_as_they_are() -> None:
    frame = FRAME.copy(deep=True)
    runs = ft.Runs.from_frame(frame)
    runs["system"].score[:] = 0
    table = runs.to_frame()
    table["score"] += 5
    pd.testing.assert_frame_equal(frame, FRAME)
    rankings = dict(runs)
    kept = ft.Runs(rankings)
    rankings.clear()
    assert kept.systems == ("system",)


@pytest.mark.parametrize("name", ["back.run", "back.csv", "back.parquet", "back.jsonl"])
def test_a_run_ordered_by_rank_keeps_its_order_when_written(tmp_path: Path, name: str) -> None:
    """Its scores say something else, or nothing at all."""
    runs = ft.Runs.from_frame(FRAME.assign(score=[9.0, 0.0, 0.0, 0.0]), order_by="rank")
    runs.write(tmp_path / name)
    assert order_of(ft.read_runs({"system": tmp_path / name})) == LISTS


def test_grades_as_runs() -> None:
    votes = ft.Judgments.from_columns(
        ["q", "q", "r", "q"], ["a", "b", "a", "b"], [1, 3, 2, 0], subject=["s", "s", "s", "t"]
    )
    rows = ft.Runs.from_judgments(votes).to_frame()[["system", "query", "item", "score"]]
    want = [["s", "q", "b", 3], ["s", "q", "a", 1], ["s", "r", "a", 2], ["t", "q", "b", 0]]
    assert rows.to_numpy().tolist() == want
    alone = votes.select_subject("t")
    assert ft.Runs.from_judgments(alone, name="judge").systems == ("judge",)
    only = ft.Runs.from_judgments(votes.select(subjects="s", queries="q"))
    assert ft.evaluate({"q": {"a": 1}}, only, "RR").mean()["RR"].tolist() == [0.5]
    more: list[tuple[dict[str, Any], str]] = [
        ({"intent": ["1"], "subject": ["s"]}, "a column intent"),
        ({"count": [2]}, "a column count"),
        ({"repeat": ["1"], "subject": ["s"]}, "a column repeat"),
        ({"probability": [0.5]}, "a column probability"),
        ({"design": "nested", "subject": ["s"]}, "nested subjects"),
    ]
    for columns, what in more:
        given = ft.Judgments.from_columns(["q"], ["a"], [1], **columns)
        with pytest.raises(ft.DataError, match=f"from_judgments: these judgments have {what}"):
            ft.Runs.from_judgments(given)
    with pytest.raises(ft.OptionError, match="votes=3: must be Judgments"):
        ft.Runs.from_judgments(3)  # type: ignore[arg-type]


class TestLabels:
    ITEMS: dict[str, Any] = {"item": ["a", "a"]}  # noqa: RUF012

    @pytest.mark.parametrize("column", ["score", "probability", "rank"])
    def test_labels_of_items(self, column: str) -> None:
        order = [2.0, 1.0, 1.0] if column == "rank" else [0.3, 0.7, 1.0]
        frame = pd.DataFrame({"item": [*"aab"], "category": ["cat", "dog", "cow"], column: order})
        runs = ft.Runs.from_labels(frame.assign(system="x"))
        assert order_of(runs, "x") == {"a": ["dog", "cat"], "b": ["cow"]}
        one = pd.DataFrame({"image": ["a", "b"], "class": ["cat", "dog"]})
        assert order_of(ft.Runs.from_labels(one, name="net"), "net") == {"a": ["cat"], "b": ["dog"]}

    @pytest.mark.parametrize(
        ("columns", "message"),
        [
            ({"item": ["a"]}, "^labels: no column for 'category' "),
            ({"category": ["a"]}, "^labels: no column for 'item' "),
            ({"item": [], "category": []}, "^labels: the table is empty$"),
            (
                {**ITEMS, "category": ["cat", "dog"]},
                r"^labels, row 2.*: item 'a' has another category already "
                r"\(first: labels, row 1 .*; give a column score",
            ),
            (
                {**ITEMS, "category": ["cat", "cat"], "score": [1, 2]},
                r"^labels, row 2.*: item 'a' is assigned to 'cat' twice \(first: labels, row 1",
            ),
            (
                {**ITEMS, "category": ["cat", "dog"], "probability": [1, np.nan]},
                "^labels, row 2.*, column 'probability': ",
            ),
            ({**ITEMS, "category": ["cat", None]}, "^labels, row 2.*, column 'category': "),
        ],
    )
    def test_mistakes(self, columns: dict[str, Any], message: str) -> None:
        with pytest.raises(ft.DataError, match=message):
            ft.Runs.from_labels(pd.DataFrame(columns))

    def test_places_have_the_names_of_the_columns(self, tmp_path: Path) -> None:
        columns = {"rank": "place"}
        frame = pd.DataFrame({"item": ["a", "a"], "category": ["cat", "dog"], "place": [1, "k"]})
        with pytest.raises(ft.DataError, match=r"^labels, row 2 .*, column 'place': value 'k'"):
            ft.Runs.from_labels(frame, columns=columns)
        path = tmp_path / "net.csv"
        frame.to_csv(path, index=False)
        with pytest.raises(ft.DataError, match=r"net.csv, line 3, column 'place': value 'k'"):
            ft.read_runs(path, columns=columns)
        frame.assign(place=[2, 1]).to_csv(path, index=False)
        assert order_of(ft.read_runs(path, columns=columns), "net") == {"a": ["dog", "cat"]}

    def test_tables_of_labels_are_recognised(self) -> None:
        for yes in ("item category", "Image Label run"):
            assert has_labels(yes.split())
        for no in ("query item category", "query item score", "item score"):
            assert not has_labels(no.split())


def test_printed(stored: Any) -> None:
    lists: dict[str, Any] = {"q1": {"a": 1.0, "b": 2.5}, "q2": ["c", "b", "a"]}
    runs = ft.Runs.from_dict({"x": lists, "y": {"q1": ["c"]}})
    assert runs._answer().text(80) == stored("runs")
    assert str(ft.Runs({})).startswith("Runs of 0 systems: 0 retrieved items")
    many = str(ft.Runs.from_dict({f"s{j}": {"q": ["a"]} for j in range(40)}))
    assert "The first 15 of 40 systems" in many
