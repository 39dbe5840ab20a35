"""Every object, read in every form that can hold it: functions of a folder for the files."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import fuzzytruth as ft
from fuzzytruth.cli.app import main
from support.forms import (
    CATEGORIES,
    COUNTS,
    DATA,
    FILES,
    ITEMS,
    MATRICES,
    QUERIES,
    RUNS,
    SUBJECTS,
    SYSTEMS,
    TABLES,
    TREE,
    VOTERS,
    VOTES,
    WIDE,
    Columns,
    nested,
    put,
    write_matrix,
    write_table,
    write_trec,
)
from support.forms_of_tools import EXPORTS, PREFIX, votes_of
from support.harness_logs import (
    harness_sample,
    inspect_log,
    inspect_sample,
    write_eval,
    write_samples,
)

OBJECTS = tuple(DATA)
Cell = Callable[[Path], Any]

OF_TABLE: dict[str, Callable[..., Any]] = {
    "judgments": ft.Judgments.from_frame,
    "runs": ft.Runs.from_frame,
    "assignments": ft.Assignments.from_frame,
    "counts": ft.Assignments.from_counts,
    "probabilities": ft.Membership.from_probabilities,
    "scores": ft.Scores.from_frame,
}
OF_FILE: dict[str, Callable[..., Any]] = {
    "judgments": ft.read_judgments,
    "runs": ft.read_runs,
    "assignments": ft.read_assignments,
    "counts": ft.Assignments.from_counts,
    "probabilities": ft.Membership.from_probabilities,
    "scores": ft.read_scores,
}
WIDE_OPTIONS = {
    "judgments": {"subjects": SUBJECTS},
    "assignments": {"subjects": VOTERS},
    "scores": {"systems": SYSTEMS},
    "counts": {},
    "probabilities": {},
}


def run(*arguments: Any) -> None:
    """A command that succeeds."""
    with pytest.raises(SystemExit) as stop:
        main(tuple(map(str, arguments)))
    assert not stop.value.code


def trec(ending: str, name: str, folder: Path) -> Any:
    given = write_trec(folder, name, ending)
    return ft.read_runs(given) if name == "runs" else ft.read_judgments(given, groups=True)


def matrix(ending: str, name: str, folder: Path) -> Any:
    ids = MATRICES[ending]
    if name == "runs":
        paths = {
            system: write_matrix(folder, ending, system, table, QUERIES, ITEMS)
            for system, table in RUNS.items()
        }
        return ft.read_runs(paths, **({} if ids else {"queries": QUERIES, "items": ITEMS}))
    values = pd.DataFrame(COUNTS) / (1 if name == "counts" else 4)
    path = write_matrix(folder, ending, name, values.to_numpy(), list(VOTES), CATEGORIES)
    return OF_FILE[name](path, **({} if ids else {"items": VOTES, "categories": CATEGORIES}))


def export(tool: str, name: str, folder: Path) -> Any:
    path = EXPORTS[tool](folder, votes_of(name))
    if name == "assignments":
        return ft.read_assignments(path)
    return ft.read_judgments(path, columns={"query": f"{PREFIX.get(tool, '')}query_id"})


def samples() -> dict[str, list[tuple[str, float]]]:
    """System -> query and value of each sample."""
    scores = pd.DataFrame(dict(DATA["scores"]))
    return {
        system: list(zip(part["query"], part["value"], strict=True))
        for system, part in scores.groupby("system", sort=False)
    }


def write_json_log(path: Path, log: Any) -> Path:
    return put(path.with_suffix(".json"), json.dumps(log))


def inspect_logs(folder: Path, *, as_json: bool) -> Any:
    paths = []
    for system, values in samples().items():
        log = inspect_log(*(inspect_sample(q, RR=v) for q, v in values), model=system)
        path = folder / f"{system}.eval"
        paths.append(write_json_log(path, log) if as_json else write_eval(path, log))
    return ft.read_scores(paths)


def samples_df(make: Callable[[Columns], Any], folder: Path) -> Any:
    rows = [(s, q, v) for s, values in samples().items() for q, v in values]
    model, query, value = map(list, zip(*rows, strict=True))
    columns = {"id": query, "epoch": [1] * len(rows), "model": model, "score_RR": value}
    return ft.read_scores(make(columns))


def harness(folder: Path) -> Any:
    for system, values in samples().items():
        write_samples(
            folder, system, "task", [harness_sample(int(q), {"RR": v}) for q, v in values]
        )
    return ft.read_scores(folder / "*" / "samples_*.jsonl")


def put_nested(folder: Path, name: str, ending: str) -> Path:
    return put(folder / f"nested{ending}", json.dumps(nested(name)))


def converted(name: str, folder: Path) -> Any:
    run("convert", write_table(folder, DATA[name], ".csv"), folder / "b.parquet", "--kind", name)
    run("convert", folder / "b.parquet", folder / "c.jsonl.gz", "--kind", name)
    if name == "judgments":
        run("convert", folder / "c.jsonl.gz", folder / "d.tsv", "--kind", name)
        return ft.read_judgments(folder / "d.tsv")
    run("convert", folder / "c.jsonl.gz", folder / "{system}.run", "--kind", name)
    return ft.read_runs(folder / "*.run")


def evaluated(option: str, ending: str, folder: Path) -> Any:
    truth = write_table(folder, DATA["judgments"], ".csv", "judgments")
    runs = write_table(folder, DATA["runs"], ".parquet", "runs")
    options = ("-m", "RR", "--aggregate", "min", "--per-query", option, folder / f"out{ending}")
    run("evaluate", truth, runs, *options)
    return ft.Scores.load(folder / f"out{ending}")


def compared(folder: Path) -> Any:
    """Scores whose comparison is that of the command."""
    run("compare", write_table(folder, DATA["scores"], ".csv"), "-o", folder / "differences.csv")
    scores = ft.Scores.from_frame(DATA["scores"])
    said = pd.read_csv(folder / "differences.csv")
    want = ft.compare(scores, rng=0).to_frame(full=True)
    same = [name for name in ("difference", "lower", "upper", "p") if name in said]
    assert len(same) >= 2
    pd.testing.assert_frame_equal(said[same], want[same], check_dtype=False)
    return scores


def shown_membership(ending: str, name: str, folder: Path) -> Any:
    """What the command writes, as a table of items and categories."""
    (folder / "tree.txt").write_text(TREE)
    votes = write_table(folder, DATA[name], ".csv")
    out = folder / f"out{ending}"
    run("membership", votes, "--taxonomy", folder / "tree.txt", "-o", out)
    tidy = pd.read_csv(out) if ending == ".csv" else pd.read_json(out)
    return tidy.pivot(index="item", columns="category", values="probability").fillna(0)


CELLS: dict[tuple[str, str], Cell] = {}
for _name in OBJECTS:
    for _form, _make in TABLES.items():
        CELLS[_name, _form] = lambda _, n=_name, make=_make: OF_TABLE[n](make(DATA[n]))
    for _end in FILES:
        CELLS[_name, _end] = lambda to, n=_name, end=_end: OF_FILE[n](write_table(to, DATA[n], end))
for _name, _options in WIDE_OPTIONS.items():
    for _form in ("pandas", "polars", "Arrow", "mapping of columns"):
        CELLS[_name, f"wide, {_form}"] = lambda _, n=_name, f=_form: OF_TABLE[n](
            TABLES[f](WIDE[n]), **WIDE_OPTIONS[n]
        )
    CELLS[_name, "wide, .csv"] = lambda to, n=_name: OF_FILE[n](
        write_table(to, WIDE[n], ".csv"), **WIDE_OPTIONS[n]
    )
for _end in (".qrels", ".run", ".txt.gz"):
    for _name in ("judgments", "runs"):
        CELLS[_name, f"TREC, {_end}"] = partial(trec, _end, _name)
for _end in MATRICES:
    for _name in ("runs", "counts", "probabilities"):
        CELLS[_name, f"matrix, {_end}"] = partial(matrix, _end, _name)
for _tool in EXPORTS:
    for _name in ("judgments", "assignments"):
        CELLS[_name, _tool] = partial(export, _tool, _name)
CELLS |= {
    ("runs", "nested dict"): lambda _: ft.Runs.from_dict(nested("runs")),
    ("runs", "nested, .json"): lambda to: ft.read_runs(put_nested(to, "runs", ".json")),
    ("runs", "nested, .json.gz"): lambda to: ft.read_runs(put_nested(to, "runs", ".json.gz")),
    ("scores", "Inspect, .eval"): partial(inspect_logs, as_json=False),
    ("scores", "Inspect, .json"): partial(inspect_logs, as_json=True),
    ("scores", "Inspect, samples_df"): partial(samples_df, pd.DataFrame),
    ("scores", "Inspect, samples_df of polars"): partial(samples_df, pl.DataFrame),
    ("scores", "lm-evaluation-harness"): harness,
    ("judgments", "fuzzytruth convert"): partial(converted, "judgments"),
    ("runs", "fuzzytruth convert"): partial(converted, "runs"),
    ("judgments", "fuzzytruth evaluate -o .csv"): partial(evaluated, "-o", ".csv"),
    ("runs", "fuzzytruth evaluate -o .json"): partial(evaluated, "-o", ".json"),
    ("scores", "fuzzytruth evaluate --save"): partial(evaluated, "--save", ".parquet"),
    ("scores", "fuzzytruth compare"): compared,
    ("assignments", "fuzzytruth membership -o .csv"): partial(
        shown_membership, ".csv", "assignments"
    ),
    ("counts", "fuzzytruth membership -o .json"): partial(shown_membership, ".json", "counts"),
}
