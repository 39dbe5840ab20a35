"""Judgments and runs of other libraries, dicts and lists are those that the constructors make."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import fuzzytruth as ft

GRADES = {"q1": {"a": 1, "b": 0}, "q2": {"a": 2}}
LISTS = {"q1": {"b": 2.0, "a": 1.0}, "q2": {"a": 1.0}}
ROWS = [(q, d, g) for q, items in GRADES.items() for d, g in items.items()]
SCORED = [(q, d, s) for q, items in LISTS.items() for d, s in items.items()]
Qrel = namedtuple("Qrel", ["query_id", "doc_id", "relevance"])
ScoredDoc = namedtuple("ScoredDoc", ["query_id", "doc_id", "score"])


class Qrels:
    """A stand-in for ranx.Qrels."""

    qrels = GRADES

    def to_dict(self) -> dict[str, Any]:
        return self.qrels


class Run:
    """A stand-in for ranx.Run."""

    def __init__(self, name: str | None = None) -> None:
        self.name, self.run = name, LISTS

    def to_dict(self) -> dict[str, Any]:
        return self.run


def frame() -> pd.DataFrame:
    return pd.DataFrame(SCORED, columns=["qid", "docno", "score"])


JUDGMENTS: dict[str, Callable[[Path], Any]] = {
    "itself": lambda _: ft.Judgments.from_dict(GRADES),
    "dict": lambda _: GRADES,
    "ranx": lambda _: Qrels(),
    "frame": lambda _: pd.DataFrame(ROWS, columns=["qid", "docno", "label"]),
    "polars": lambda _: pl.DataFrame(ROWS, ["query_id", "doc_id", "relevance"], orient="row"),
    "named tuples": lambda _: [Qrel(*row) for row in ROWS],
    "iterator": lambda _: (Qrel(*row) for row in ROWS),
    "path": lambda folder: write(folder / "a.qrels", [f"{q} 0 {d} {g}" for q, d, g in ROWS]),
}
RUNS: dict[str, Callable[[Path], Any]] = {
    "itself": lambda _: ft.Runs.from_dict(LISTS),
    "dict": lambda _: LISTS,
    "named dict": lambda _: {"system": LISTS},
    "lists": lambda _: {"q1": ["b", "a"], "q2": ["a"]},
    "named lists": lambda _: {"system": {"q1": ("b", "a"), "q2": ["a"]}},
    "ranx": lambda _: Run(),
    "list of ranx": lambda _: [Run("system")],
    "named ranx": lambda _: {"system": Run("x")},
    "frame": lambda _: frame(),
    "named frame": lambda _: {
        "system": pl.DataFrame(SCORED, ["qid", "docno", "score"], orient="row")
    },
    "list of frames": lambda _: [frame().assign(run="system")],
    "named runs": lambda _: {"system": ft.Runs.from_frame(frame(), name="x")},
    "named tuples": lambda _: [ScoredDoc(*row) for row in SCORED],
    "named iterator": lambda _: {"system": iter([ScoredDoc(*row) for row in SCORED])},
    "named path": lambda folder: {"system": run_file(folder / "x.run")},
    "path": lambda folder: run_file(folder / "system.run"),
    "paths": lambda folder: [run_file(folder / "system.run")],
}


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("\n".join(lines) + "\n")
    return path


def run_file(path: Path) -> Path:
    return write(path, [f"{q} Q0 {d} 1 {s} t" for q, d, s in SCORED])


@pytest.mark.parametrize("kind", JUDGMENTS)
def test_judgments(kind: str, tmp_path: Path) -> None:
    expected = ft.Judgments.from_dict(GRADES)
    assert ft.as_judgments(JUDGMENTS[kind](tmp_path)).checksum == expected.checksum


@pytest.mark.parametrize("kind", RUNS)
def test_runs(kind: str, tmp_path: Path) -> None:
    runs = ft.as_runs(RUNS[kind](tmp_path))
    assert runs.systems == ("system",)
    assert runs["system"].checksum == ft.Runs.from_dict(LISTS)["system"].checksum
    assert ft.evaluate(GRADES, RUNS[kind](tmp_path), ["RR"]).mean().loc["system", "RR"] == 0.75


def test_several_systems() -> None:
    runs = ft.as_runs({"a": frame(), "b": LISTS, "c": Run("x"), "d": ft.Runs.from_dict(LISTS)})
    assert runs.systems == ("a", "b", "c", "d")
    both = ft.as_runs([ft.Runs.from_dict({"a": LISTS, "b": LISTS}), Run("c")])
    assert both.systems == ("a", "b", "c")


def test_relevant_items_without_grades() -> None:
    truth = ft.as_judgments({"q1": ["a"], "q2": {"a", "b"}})
    assert sorted(truth.to_frame().itertuples(index=False, name=None)) == [
        ("q1", "a", 1.0),
        ("q2", "a", 1.0),
        ("q2", "b", 1.0),
    ]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([Run("a"), Run("a")], "two systems are called 'a'; name them"),
        ({"x": ft.Runs.from_dict({"a": LISTS, "b": LISTS})}, "'x' holds 2 systems"),
        ({"q1": ["a", "b", "a"]}, "query 'q1': item 'a' is listed 2 times"),
        ([], "runs: give Runs"),
        (3, "runs: give Runs"),
        ({}, "runs: give Runs"),
        ([3], "runs: give Runs"),
    ],
)
def test_bad_runs(given: Any, message: str) -> None:
    with pytest.raises(ft.FuzzytruthError, match=message):
        ft.as_runs(given)


def test_judgments_of_beir_and_mteb(tmp_path: Path) -> None:
    rows = [(q, d, int(g)) for q, grades in GRADES.items() for d, g in grades.items()]
    table = pd.DataFrame(rows, columns=["query-id", "corpus-id", "score"])
    path = tmp_path / "test.tsv"
    table.to_csv(path, sep="\t", index=False)
    lines = tmp_path / "test.jsonl"
    table.to_json(lines, orient="records", lines=True)
    expected = ft.Judgments.from_dict(GRADES).checksum
    given = (table, pl.DataFrame(table), path, lines, [ScoredDoc(*row) for row in rows])
    assert {ft.as_judgments(one).checksum for one in given} == {expected}
    assert {ft.read_judgments(one).checksum for one in (path, lines)} == {expected}
    assert ft.Judgments.from_frame(table).checksum == expected
    assert ft.evaluate(path, {"s": LISTS}, "RR").mean().loc["s", "RR"] == 0.75
    with pytest.raises(ft.DataError, match="those of a run"):
        ft.as_judgments(table.assign(rank=1))


def test_bad_judgments() -> None:
    with pytest.raises(ft.OptionError, match="truth: give Judgments"):
        ft.as_judgments(3)


def test_runs_in_place_of_the_truth() -> None:
    runs = ft.as_runs({"a": {"q1": ["d1"]}})
    with pytest.raises(ft.errors.OptionError, match="truth: these are runs; give judgments, and"):
        ft.as_judgments(runs)
