"""The same small data in every form: tables of each library, files of each format, matrices."""

from __future__ import annotations

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
#: of the least grade of all subjects
RECIPROCAL_RANKS = {"s": [0.5, 1.0], "t": [1.0, 0.5]}
VOTERS = ["ann", "bob", "cy", "dee"]
VOTES = {"i": ["cat", "cat", "cat", "dog"], "j": ["dog", "dog", "cat", "ant"]}
CATEGORIES = ["ant", "cat", "dog"]
COUNTS = [[0, 3, 1], [1, 1, 2]]  # items × categories
TREE = "all\n" + "".join(f"  {name}\n" for name in CATEGORIES)


def _columns(names: str, rows: list[tuple[Any, ...]]) -> Columns:
    return dict(zip(names.split(), map(list, zip(*rows, strict=True)), strict=True))


def _cells(by_name: Mapping[str, list[list[Any]]]) -> list[tuple[Any, ...]]:
    return [
        (name, query, item, table[q][d])
        for name, table in by_name.items()
        for q, query in enumerate(QUERIES)
        for d, item in enumerate(ITEMS)
    ]


_COUNTED = [
    (item, name, COUNTS[j][k]) for j, item in enumerate(VOTES) for k, name in enumerate(CATEGORIES)
]
#: object -> its columns, under their canonical names
DATA: dict[str, Columns] = {
    "judgments": _columns("subject query item grade", _cells(GRADES)),
    "runs": _columns("system query item score", _cells(RUNS)),
    "assignments": _columns(
        "subject item category",
        [(who, item, n) for item, ns in VOTES.items() for who, n in zip(VOTERS, ns, strict=True)],
    ),
    "counts": _columns("item category count", _COUNTED),
    "probabilities": _columns("item category probability", [(i, c, n / 4) for i, c, n in _COUNTED]),
    "scores": _columns(
        "system query measure value",
        [
            (system, query, "RR", value)
            for system, values in RECIPROCAL_RANKS.items()
            for query, value in zip(QUERIES, values, strict=True)
        ],
    ),
}
#: object -> its columns, one for each subject, system or category
WIDE: dict[str, Columns] = {
    "judgments": {
        "query": np.repeat(QUERIES, len(ITEMS)).tolist(),
        "item": ITEMS * len(QUERIES),
        **{subject: np.concatenate(table).tolist() for subject, table in GRADES.items()},
    },
    "assignments": {
        "item": list(VOTES),
        **{who: [names[v] for names in VOTES.values()] for v, who in enumerate(VOTERS)},
    },
    "scores": {"query": QUERIES, "measure": ["RR"] * len(QUERIES), **RECIPROCAL_RANKS},
    "counts": {
        "item": list(VOTES),
        **dict(zip(CATEGORIES, map(list, zip(*COUNTS, strict=True)), strict=True)),
    },
    "runs": {
        "query": np.repeat(QUERIES, len(ITEMS)).tolist(),
        "item": ITEMS * len(QUERIES),
        **{system: np.concatenate(table).tolist() for system, table in RUNS.items()},
    },
}
WIDE["probabilities"] = {
    name: [n / 4 for n in column] if name != "item" else column
    for name, column in WIDE["counts"].items()
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
    if name == "judgments":
        rows = zip(*(DATA[name][c] for c in ("query", "subject", "item", "grade")), strict=True)
        return put(folder / f"qrels{ending}", "".join(" ".join(map(str, r)) + "\n" for r in rows))
    return {
        system: put(
            folder / f"{system}{ending}",
            "".join(
                f"{query} Q0 {item} 1 {score} tag\n"
                for s, query, item, score in _cells(RUNS)
                if s == system
            ),
        )
        for system in SYSTEMS
    }


def nested(name: str) -> dict[str, Any]:
    """Objects in objects, the columns of ids being the levels."""
    out: dict[str, Any] = {}
    for *keys, last, value in zip(*DATA[name].values(), strict=True):
        level = out
        for key in keys:
            level = level.setdefault(key, {})
        level[last] = value
    return out


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


MATRICES = {".npy": False, ".npz": True, ".csv": True, ".tsv": True, ".txt": False}  # with ids?
