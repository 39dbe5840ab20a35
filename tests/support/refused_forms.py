"""Forms that cannot hold an object, why, and what is said where they are given all the same."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl

from support.forms import (
    CATEGORIES,
    COUNTS,
    DATA,
    TABLES,
    TREE,
    VOTES,
    WIDE,
    nested,
    write_matrix,
    write_table,
    write_trec,
)
from support.forms_of_tools import EXPORTS, votes_of
from support.reading_forms import (
    CELLS,
    OF_FILE,
    OF_TABLE,
    harness,
    inspect_logs,
    put_nested,
)

FORMS = tuple(dict.fromkeys(form for _, form in CELLS))
COLUMN = "no column for '"


@dataclass(frozen=True, slots=True)
class Refused:
    """Objects that some forms cannot hold.

    Parameters
    ----------
    objects : tuple of str
    forms : str
        How the names of the forms start.
    why : str
    message : str
        Part of the error.
    """

    objects: str
    forms: tuple[str, ...]
    why: str
    message: str

    def cells(self) -> list[tuple[str, str]]:
        """Object and form of each."""
        return [
            (name, form)
            for name in self.objects.split()
            for form in FORMS
            if form.startswith(self.forms) and (name, form) not in CELLS
        ]


_TOOLS = tuple(EXPORTS)
_LOGS = ("Inspect", "lm-evaluation-harness")
_NAMED = "judgments runs assignments scores"
REFUSED = (
    Refused("assignments", ("TREC",), "its lines have no category", "votes need named columns"),
    Refused("counts probabilities", ("TREC",), "its lines have no category", "holds no matrix"),
    Refused("scores", ("TREC",), "it has no place for scores", "holds no scores"),
    Refused(
        "judgments assignments scores",
        ("matrix, .npy", "matrix, .npz"),
        "a matrix has two axes, and these have three",
        "names no format that is supported",
    ),
    Refused(
        "judgments assignments scores",
        ("matrix, .csv", "matrix, .tsv"),
        "a matrix has two axes, and these have three",
        "names no known column",
    ),
    Refused("judgments", ("matrix, .txt",), "as above", "line 1: 3 fields"),
    Refused("assignments", ("matrix, .txt",), "as above", "votes need named columns"),
    Refused("scores", ("matrix, .txt",), "as above", "holds no scores"),
    Refused("runs", ("wide",), "give a table for each system, {name: table}", COLUMN + "score"),
    Refused(
        "judgments assignments counts probabilities scores",
        ("nested dict",),
        "nothing says what the levels are (of judgments: query, item)",
        "must be a DataFrame",
    ),
    Refused("judgments", ("nested, ",), "it has no level of subjects", "does not belong there"),
    Refused(
        "assignments counts probabilities scores",
        ("nested, ",),
        "nothing says what the levels are",
        "do not say what their levels are",
    ),
    Refused("runs", _TOOLS, "annotations have no scores", COLUMN + "query"),
    Refused("scores", _TOOLS, "annotations are of no system", COLUMN + "system"),
    Refused("counts", _TOOLS, "they name who voted; read_assignments reads them", COLUMN + "count"),
    Refused("probabilities", _TOOLS, "as above", COLUMN + "probability"),
    Refused(
        "judgments runs counts probabilities",
        ("Inspect, .eval",),
        "logs of harnesses hold scores only",
        "is not a text file",
    ),
    Refused("assignments", ("Inspect, .eval",), "as above", "votes need named columns"),
    Refused("judgments runs", ("Inspect, .json",), "as above", "query 'version': 2 does not bel"),
    Refused("assignments counts probabilities", ("Inspect, .json",), "as above", "nested objects"),
    Refused("judgments runs", ("Inspect, samples_df",), "as above", COLUMN + "query"),
    Refused("assignments", ("Inspect, samples_df",), "as above", COLUMN + "item"),
    Refused(
        "counts probabilities",
        ("Inspect, samples_df",),
        "as above",
        "column 2 ('model'): value 'm' is not a number",
    ),
    Refused("judgments runs", ("lm-eval",), "as above", COLUMN + "query"),
    Refused("assignments counts probabilities", ("lm-eval",), "as above", COLUMN + "category"),
    Refused(
        "assignments counts probabilities scores",
        ("fuzzytruth convert",),
        "TREC and its like hold judgments and runs",
        COLUMN,
    ),
    Refused(
        "runs assignments counts probabilities scores",
        ("fuzzytruth evaluate",),
        "its first file holds judgments (or votes, with --taxonomy)",
        COLUMN,
    ),
    Refused(
        "judgments assignments counts probabilities",
        ("fuzzytruth compare",),
        "it takes scores alone, or judgments and runs",
        COLUMN + "system",
    ),
    Refused("runs", ("fuzzytruth compare",), "as above", "has a value already"),
    Refused(
        "judgments runs probabilities scores",
        ("fuzzytruth membership",),
        "it takes votes or counts of votes",
        COLUMN,
    ),
)
#: other outputs of a command that takes the object
SAME = frozenset(
    {
        ("judgments", "fuzzytruth evaluate"),
        ("assignments", "fuzzytruth membership"),
        ("counts", "fuzzytruth membership"),
    }
)


def give(name: str, form: str, folder: Path) -> Any:
    """Read a form as what it does not hold."""
    kind, _, detail = form.partition(", ")
    if kind == "wide":
        if detail == ".csv":
            return OF_FILE[name](write_table(folder, WIDE[name], ".csv"))
        return OF_TABLE[name](TABLES[detail](WIDE[name]))
    if form == "nested dict":
        return OF_TABLE[name](nested(name))
    if "samples_df" in form:
        columns = {"id": ["1"], "epoch": [1], "model": ["m"], "score_RR": [1.0]}
        return OF_TABLE[name]((pl if "polars" in form else pd).DataFrame(columns))
    return OF_FILE[name](path_of(form, name, folder))


def path_of(form: str, name: str, folder: Path) -> Path:
    """A file in a form, of this or another object."""
    kind, _, detail = form.partition(", ")
    if form in EXPORTS:
        return EXPORTS[form](folder, votes_of("assignments"))
    if kind == "TREC":
        return Path(write_trec(folder, "judgments", detail))
    if kind == "matrix":
        return write_matrix(folder, detail, "m", COUNTS, list(VOTES), CATEGORIES)
    if kind == "nested":
        return put_nested(folder, name, detail)
    if kind == "Inspect":
        inspect_logs(folder, as_json=detail == ".json")
        return folder / f"s{detail}"
    harness(folder)
    return next(folder.glob("s/*.jsonl"))


def arguments(name: str, form: str, folder: Path) -> list[Any]:
    """A command that is given the table of an object it does not take."""
    (folder / "tree.txt").write_text(TREE)
    table = write_table(folder, DATA[name], ".csv")
    command = form.split()[1]
    more = {
        "convert": [folder / "out.csv"],
        "evaluate": [write_table(folder, DATA["runs"], ".csv", "runs")],
        "compare": [],
        "membership": ["--taxonomy", folder / "tree.txt"],
    }
    return [command, table, *more[command]]
