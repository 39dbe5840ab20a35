"""Judgments and runs of other libraries, dicts and lists are those that the constructors make."""

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
#: as BEIR and MTEB name their columns
BEIR = pd.DataFrame(ROWS, columns=["query-id", "corpus-id", "score"])
FRAME = pd.DataFrame(SCORED, columns=["qid", "docno", "score"])


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


def put(path: Path, lines: list[str]) -> Path:
    path.write_text("\n".join(lines) + "\n")
    return path


def run_file(path: Path) -> Path:
    return put(path, [f"{q} Q0 {d} 1 {s} t" for q, d, s in SCORED])


def beir_file(path: Path) -> Path:
    if path.suffix == ".tsv":
        BEIR.to_csv(path, sep="\t", index=False)
    else:
        BEIR.to_json(path, orient="records", lines=True)
    return path


JUDGMENTS: dict[str, Callable[[Path], Any]] = {
    "itself": lambda _: ft.Judgments.from_dict(GRADES),
    "dict": lambda _: GRADES,
    "ranx": lambda _: Qrels(),
    "frame": lambda _: pd.DataFrame(ROWS, columns=["qid", "docno", "label"]),
    "polars": lambda _: pl.DataFrame(ROWS, ["query_id", "doc_id", "relevance"], orient="row"),
    "iterator": lambda _: (Qrel(*row) for row in ROWS),
    "path": lambda folder: put(folder / "a.qrels", [f"{q} 0 {d} {g}" for q, d, g in ROWS]),
    "BEIR": lambda _: BEIR,
    "BEIR, polars": lambda _: pl.DataFrame(BEIR),
    "BEIR, file": lambda folder: beir_file(folder / "test.tsv"),
    "BEIR, lines": lambda folder: beir_file(folder / "test.jsonl"),
    "named tuples with scores": lambda _: [ScoredDoc(*row) for row in ROWS],
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
    "frame": lambda _: FRAME,
    "named frame": lambda _: {"system": pl.DataFrame(FRAME)},
    "list of frames": lambda _: [FRAME.assign(run="system")],
    "named runs": lambda _: {"system": ft.Runs.from_frame(FRAME, name="x")},
    "named tuples": lambda _: [ScoredDoc(*row) for row in SCORED],
    "named iterator": lambda _: {"system": iter([ScoredDoc(*row) for row in SCORED])},
    "named path": lambda folder: {"system": run_file(folder / "x.run")},
    "path": lambda folder: run_file(folder / "system.run"),
    "paths": lambda folder: [run_file(folder / "system.run")],
}


@pytest.mark.parametrize("kind", JUDGMENTS)
def test_judgments(kind: str, tmp_path: Path) -> None:
    expected = ft.Judgments.from_dict(GRADES)
    given = JUDGMENTS[kind](tmp_path)
    assert ft.as_judgments(given).checksum == expected.checksum
    if isinstance(given, Path):
        assert ft.read_judgments(given).checksum == expected.checksum
        assert ft.evaluate(given, {"s": LISTS}, "RR").mean().loc["s", "RR"] == 0.75


@pytest.mark.parametrize("kind", RUNS)
def test_runs(kind: str, tmp_path: Path) -> None:
    runs = ft.as_runs(RUNS[kind](tmp_path))
    assert runs.systems == ("system",)
    assert runs["system"].checksum == ft.Runs.from_dict(LISTS)["system"].checksum
    assert ft.evaluate(GRADES, RUNS[kind](tmp_path), ["RR"]).mean().loc["system", "RR"] == 0.75


@pytest.mark.parametrize(
    ("read", "given", "message"),
    [
        (ft.as_runs, [Run("a"), Run("a")], "two systems are called 'a'; name them"),
        (ft.as_runs, {"x": ft.Runs.from_dict({"a": LISTS, "b": LISTS})}, "'x' holds 2 systems"),
        (ft.as_runs, {"q1": ["a", "b", "a"]}, "query 'q1': item 'a' is listed 2 times"),
        *((ft.as_runs, nothing, "runs: give Runs") for nothing in ([], 3, {}, [3])),
        (ft.as_judgments, 3, "truth: give Judgments"),
        (ft.as_judgments, ft.Runs.from_dict(LISTS), "truth: these are runs; give judgments, and"),
        (ft.as_judgments, BEIR.assign(rank=1), "those of a run"),
    ],
)
def test_what_is_refused(read: Callable[[Any], Any], given: Any, message: str) -> None:
    with pytest.raises(ft.FuzzytruthError, match=message):
        read(given)
