"""Runs: what they accept, what they refuse, which order they have, and labels as runs."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.texts import is_stored

import fuzzytruth as ft
from fuzzytruth import errors
from fuzzytruth.data.runs import LabelColumns

FRAME = pd.DataFrame(
    {
        "query": ["q1", "q2", "q1", "q1"],
        "item": ["a", "a", "b", "c"],
        "score": [1.0, 2.0, 3.0, 2.0],
        "rank": [3, 1, 1, 2],
    }
)
LISTS = {"q1": ["b", "c", "a"], "q2": ["a"]}


def order_of(runs: ft.Runs, system: str = "system") -> dict[str, list[str]]:
    table = runs.to_frame().query("system == @system")
    return {str(query): list(items) for query, items in table.groupby("query")["item"]}


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
        (lambda: ft.Runs.from_columns(["q"], None, score=[1]), "^runs: no column for 'item'"),  # type: ignore[arg-type]
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
        with pytest.raises(
            ft.errors.DataError, match=f"from_judgments: these judgments have {what}"
        ):
            ft.Runs.from_judgments(given)
    with pytest.raises(ft.errors.OptionError, match="votes=3: must be Judgments"):
        ft.Runs.from_judgments(3)  # type: ignore[arg-type]


class TestLabels:
    ITEMS: dict[str, Any] = {"item": ["a", "a"]}  # noqa: RUF012

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
        with pytest.raises(ft.errors.DataError, match=message):
            ft.Runs.from_labels(pd.DataFrame(columns))

    def test_places_have_the_names_of_the_columns(self, tmp_path: Path) -> None:
        columns = {"rank": "place"}
        frame = pd.DataFrame({"item": ["a", "a"], "category": ["cat", "dog"], "place": [1, "k"]})
        with pytest.raises(
            ft.errors.DataError, match=r"^labels, row 2 .*, column 'place': value 'k'"
        ):
            ft.Runs.from_labels(frame, columns=columns)
        path = tmp_path / "net.csv"
        frame.to_csv(path, index=False)
        with pytest.raises(
            ft.errors.DataError, match=r"net.csv, line 3, column 'place': value 'k'"
        ):
            ft.read_runs(path, columns=columns)
        frame.assign(place=[2, 1]).to_csv(path, index=False)
        assert order_of(ft.read_runs(path, columns=columns), "net") == {"a": ["dog", "cat"]}


class TestBySimilarity:
    TREE = ft.Taxonomy.from_nested({"all": {"animal": ["cat", "dog"], "car": {}}})
    LABELS: dict[str, Any] = {  # noqa: RUF012
        "A": {"x": "cat", "y": "dog", "z": "cat", "w": "car"},
        "B": {"x": "car", "y": "car", "z": "animal", "w": "dog"},
    }

    @pytest.mark.parametrize("kind", ["path", "wu-palmer", "resnik", "lin", "jiang-conrath"])
    def test_other_items_by_the_similarity_of_their_categories(self, kind: Any) -> None:
        frame = ft.Runs.by_similarity(self.LABELS, self.TREE, kind=kind).to_frame()
        found = frame.set_index(["system", "query", "item"])["score"].to_dict()
        assert found == {
            (system, query, item): self.TREE.similarity(given[query], given[item], kind)
            for system, given in self.LABELS.items()
            for query in given
            for item in given
            if item != query
        }

    def test_weights(self) -> None:
        weights = self.TREE.totals({"cat": 3, "dog": 2, "car": 1})
        runs = ft.Runs.by_similarity(self.LABELS, self.TREE, kind="lin", weights=weights)
        expected = self.TREE.similarity("cat", "dog", "lin", weights=weights)
        assert runs.to_frame()["score"][1] == expected
        with pytest.raises(ft.errors.OptionError, match="kind='path' does not use them"):
            ft.Runs.by_similarity(self.LABELS, self.TREE, weights=weights)

    def test_every_form_of_labels(self, tmp_path: Path) -> None:
        rows = [(s, i, c) for s, given in self.LABELS.items() for i, c in given.items()]
        frame = pd.DataFrame(rows, columns=["system", "item", "category"])
        path = tmp_path / "labels.csv"
        frame.to_csv(path, index=False)
        expected = ft.Runs.by_similarity(self.LABELS, self.TREE).checksums
        other = {"system": "net", "item": "image", "category": "said"}
        for made in (
            ft.Runs.by_similarity(frame, self.TREE),
            ft.Runs.by_similarity(path, self.TREE),
            ft.Runs.by_similarity(str(path), self.TREE),
            ft.Runs.by_similarity(ft.read_runs(path), self.TREE),
            ft.Runs.by_similarity(frame.rename(columns=other), self.TREE, columns=other),
        ):
            assert made.checksums == expected
        one = ft.Runs.by_similarity(self.LABELS["A"], self.TREE, name="A")
        assert one.checksums == {"A": expected["A"]}

    def test_depth_keeps_ties(self) -> None:
        runs = ft.Runs.by_similarity(self.LABELS, self.TREE, depth=1)
        assert order_of(runs, "A") == {
            "x": ["z"],
            "y": ["z", "x"],
            "z": ["x"],
            "w": ["z", "y", "x"],
        }

    def test_items_that_a_system_did_not_label(self) -> None:
        labels = {**self.LABELS, "C": {"x": "cat", "y": "dog"}, "D": {"z": "cat", "y": "car"}}
        with pytest.warns(
            errors.LeftOutWarning,
            match=r"labels: 4 of 16 categories are missing, of C \(2\), D \(2\); the system has no",
        ):
            runs = ft.Runs.by_similarity(labels, self.TREE)
        assert order_of(runs, "C") == {"x": ["y"], "y": ["x"]}
        frame = pd.DataFrame({"item": ["x", "y", "z"], "category": ["cat", "?", "car"]})
        with pytest.warns(errors.LeftOutWarning, match="1 row of 3 left out"):
            dropped = ft.Runs.by_similarity(frame, self.TREE, drop="?")
        assert order_of(dropped) == {"x": ["z"], "z": ["x"]}

    @pytest.mark.parametrize(
        ("labels", "message"),
        [
            ({"A": {"x": "cat"}}, "labels: system 'A' gave a category to one item only, which"),
            (
                {"A": {"x": "cat", "y": "cow"}},
                r"labels, row 2 \(index 'A, y'\), column 'category': value 'cow' is not among",
            ),
            ({"A": {"x": "cat", "y": None}}, r"labels, row 2 \(index 'A, y'\), .* is missing"),
            ({"A": {}}, "labels: the table is empty"),
            (
                {"item": ["x", "x"], "category": ["cat", "dog"]},
                "row 2: item 'x' has another category already .*; keep one",
            ),
            (3, "labels=3: must be a DataFrame .* with columns item, category and system"),
        ],
    )
    def test_mistakes(self, labels: Any, message: str) -> None:
        with pytest.raises(ft.FuzzytruthError, match=message):
            ft.Runs.by_similarity(labels, self.TREE)

    def test_a_tree_is_needed(self) -> None:
        with pytest.raises(
            ft.errors.OptionError, match="tree=3: must be the Taxonomy of the categories"
        ):
            ft.Runs.by_similarity(self.LABELS, 3)  # type: ignore[arg-type]


def test_printed() -> None:
    lists: dict[str, Any] = {"q1": {"a": 1.0, "b": 2.5}, "q2": ["c", "b", "a"]}
    runs = ft.Runs.from_dict({"x": lists, "y": {"q1": ["c"]}})
    assert is_stored("runs", runs._answer().text(80))
    assert str(ft.Runs({})).startswith("Runs of 0 systems: 0 retrieved items")
    many = str(ft.Runs.from_dict({f"s{j}": {"q": ["a"]} for j in range(40)}))
    assert "The first 15 of 40 systems" in many
