"""The same small data in every form: tables of each library, files of each format, matrices."""

import gzip
import io
import json
from collections import namedtuple
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

Columns = Mapping[str, list[Any]]

SUBJECTS, SYSTEMS = ["ann", "bob"], ["s", "t"]
QUERIES, ITEMS = ["1", "2"], ["a", "b", "c"]
GRADES = {"ann": [[0, 2, 0], [1, 0, 0]], "bob": [[1, 1, 0], [1, 0, 2]]}  # queries × items
RUNS = {"s": [[3.0, 2.0, 1.0], [0.75, 0.5, 0.25]], "t": [[2.0, 3.0, 1.0], [1.0, 0.5, 1.5]]}
RECIPROCAL_RANKS = {"s": [0.5, 1.0], "t": [1.0, 0.5]}
VOTERS = ["ann", "bob", "cy", "dee"]
VOTES = {"i": ["cat", "cat", "cat", "dog"], "j": ["dog", "dog", "cat", "ant"]}
CATEGORIES = ["ant", "cat", "dog"]
COUNTS = np.array([[0, 3, 1], [1, 1, 2]])  # items × categories


def _tidy(names: str, table: Any, *keys: list[str]) -> Columns:
    """A row for each cell of a table, with the labels of its axes."""
    labels = pd.MultiIndex.from_product(keys, names=names.split()[:-1])
    values = pd.Series(np.ravel(table), labels, name=names.split()[-1])
    return values.reset_index().to_dict("list")


#: object -> its columns, under their canonical names
DATA: dict[str, Columns] = {
    "judgments": _tidy("subject query item grade", [*GRADES.values()], SUBJECTS, QUERIES, ITEMS),
    "runs": _tidy("system query item score", [*RUNS.values()], SYSTEMS, QUERIES, ITEMS),
    "assignments": _tidy("item subject category", [*VOTES.values()], [*VOTES], VOTERS),
    "counts": _tidy("item category count", COUNTS, [*VOTES], CATEGORIES),
    "probabilities": _tidy("item category probability", COUNTS / 4, [*VOTES], CATEGORIES),
    "scores": _tidy(
        "system query measure value", [*RECIPROCAL_RANKS.values()], SYSTEMS, QUERIES, ["RR"]
    ),
}
_PAIRS: Columns = {"query": ["1"] * 3 + ["2"] * 3, "item": ITEMS * 2}
#: object -> its columns, one for each subject, system or category
WIDE: dict[str, Columns] = {
    "judgments": {**_PAIRS, **{who: np.ravel(table).tolist() for who, table in GRADES.items()}},
    "runs": {**_PAIRS, **{system: np.ravel(table).tolist() for system, table in RUNS.items()}},
    "assignments": {
        "item": [*VOTES],
        **dict(zip(VOTERS, map(list, zip(*VOTES.values(), strict=True)), strict=True)),
    },
    "counts": {"item": [*VOTES], **dict(zip(CATEGORIES, COUNTS.T.tolist(), strict=True))},
    "probabilities": {
        "item": [*VOTES],
        **dict(zip(CATEGORIES, (COUNTS.T / 4).tolist(), strict=True)),
    },
    "scores": {"query": QUERIES, "measure": ["RR"] * 2, **RECIPROCAL_RANKS},
}


def _records(columns: Columns) -> list[dict[str, Any]]:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _named_tuples(columns: Columns) -> list[Any]:
    Row = namedtuple("Row", list(columns))
    return [Row(*row) for row in zip(*columns.values(), strict=True)]


#: libraries and objects of Python
TABLES: dict[str, Callable[[Columns], Any]] = {
    "pandas": pd.DataFrame,
    "pandas, index": lambda columns: pd.DataFrame(columns).set_index([*columns][:-1]),
    "polars": pl.DataFrame,
    "DuckDB": lambda columns: duckdb.from_arrow(pa.table(columns)),
    "Arrow": lambda columns: pa.table(dict(columns)),
    "structured array": lambda columns: pd.DataFrame(columns).to_records(
        index=False, column_dtypes={n: "U9" for n, c in columns.items() if isinstance(c[0], str)}
    ),
    "mapping of columns": dict,
    "list of records": _records,
    "list of named tuples": _named_tuples,
    "iterator of named tuples": lambda columns: iter(_named_tuples(columns)),
}


def _parquet(columns: Columns) -> bytes:
    file = io.BytesIO()
    pd.DataFrame(columns).to_parquet(file)
    return file.getvalue()


_FORMATS: dict[str, Callable[[Columns], bytes]] = {
    ".csv": lambda columns: pd.DataFrame(columns).to_csv(index=False).encode(),
    ".tsv": lambda columns: pd.DataFrame(columns).to_csv(index=False, sep="\t").encode(),
    ".json": lambda columns: json.dumps(_records(columns)).encode(),
    ".jsonl": lambda columns: "\n".join(map(json.dumps, _records(columns))).encode(),
    ".parquet": _parquet,
}
FILES = tuple(ending + gz for ending in _FORMATS for gz in ("", ".gz"))


def put(path: Path, content: bytes | str) -> Path:
    """Write a file, compressed if its name says so."""
    raw = content.encode() if isinstance(content, str) else content
    path.write_bytes(gzip.compress(raw) if path.suffix == ".gz" else raw)
    return path


def write_table(folder: Path, columns: Columns, ending: str, stem: str = "table") -> Path:
    """A file of one of the formats `FILES`."""
    return put(folder / f"{stem}{ending}", _FORMATS[ending.removesuffix(".gz")](columns))


def write_trec(folder: Path, name: str, ending: str) -> Any:
    """Lines of judgments, subjects as their groups, or of a run for each system."""
    frame = pd.DataFrame(DATA[name])
    if name == "judgments":
        lines = frame[["query", "subject", "item", "grade"]]
        return put(folder / f"qrels{ending}", lines.to_csv(sep=" ", header=False, index=False))
    return {
        system: put(
            folder / f"{system}{ending}",
            "".join(f"{r.query} Q0 {r.item} 1 {r.score} tag\n" for r in rows.itertuples()),
        )
        for system, rows in frame.groupby("system")
    }


MATRICES = {".npy": False, ".npz": True, ".csv": True, ".tsv": True, ".txt": False}  # with ids?


def write_matrix(
    folder: Path, ending: str, stem: str, values: Any, rows: list[str], columns: list[str]
) -> Path:
    """A matrix, with its ids where the format has them."""
    path = folder / f"{stem}{ending}"
    if ending == ".npy":
        np.save(path, values)
    elif ending == ".npz":
        np.savez(path, scores=values, queries=rows, items=columns)
    elif ending == ".txt":
        np.savetxt(path, values)
    else:
        separator = "\t" if ending == ".tsv" else ","
        pd.DataFrame(values, rows, columns).to_csv(path, sep=separator)
    return path
