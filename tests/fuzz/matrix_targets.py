"""Targets: matrices of scores in NumPy's formats and as text."""

import csv
import io
import random
import warnings
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import fuzzytruth as ft
from fuzz import plain_parsers as plain
from fuzz.mutators import damaged, text_mutator
from fuzz.table_targets import ranked_rows
from fuzz.target import RefusedError, Row, Target

QUERIES, ITEMS = ["q1", "q2"], ["a", "b", "c"]
VALUES = np.array([[0.5, 0.25, -1.0], [2.0, 0.125, 3.5]])
_KINDS = [
    "f2",
    "f4",
    "f8",
    ">f8",
    "i1",
    "u1",
    "i8",
    "?",
    "U8",
    "S8",
    "O",
    "c16",
    "M8[s]",
    "m8[s]",
    "V8",
]


def _array(rng: random.Random) -> Any:
    """A matrix of another type or shape, or with a number that is none."""
    values: Any = VALUES.copy()
    match rng.randrange(5):
        case 0:
            return values.astype(rng.choice(_KINDS[:-1]))
        case 1:
            shape = rng.choice([(6,), (3, 2), (1, 6), (2, 3, 1), (0, 3), (2, 0), ()])
            return np.resize(values, shape)
        case 2:
            values[rng.randrange(2), rng.randrange(3)] = rng.choice([np.nan, np.inf, 1e308, -0.0])
            return values
        case 3:
            return np.asfortranarray(values)
        case _:
            return values.view(np.dtype([("x", "f8")]))


def _npy(values: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, values, allow_pickle=True)
    return file.getvalue()


def _npz(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def mutate_npy(data: bytes, rng: random.Random) -> bytes:
    """Damaged bytes, most often in the header; or another array."""
    if rng.random() < 0.3:
        return _npy(_array(rng))
    if rng.random() < 0.5:
        return damaged(data[:80], rng) + data[80:]
    return damaged(data, rng)


def mutate_npz(data: bytes, rng: random.Random) -> bytes:
    """Damaged bytes; other arrays, names or ids."""
    if rng.random() < 0.4:
        return damaged(data, rng)
    arrays: dict[str, Any] = {"scores": VALUES, "queries": QUERIES, "items": ITEMS}
    match rng.randrange(5):
        case 0:
            arrays["scores"] = _array(rng)
        case 1:
            del arrays[rng.choice(list(arrays))]
        case 2:
            arrays[rng.choice(["x", "distances", "sim"])] = arrays.pop(rng.choice(list(arrays)))
        case 3:
            ids = rng.choice(["queries", "items"])
            arrays[ids] = rng.choice([["a", "a", "b"], [""], [1, 2], [None, "a"], "a", []])
        case _:
            inner = damaged(_npy(VALUES), rng)
            file = io.BytesIO(_npz(**arrays))
            with zipfile.ZipFile(file, "a") as archive, warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # of a name that is there already
                archive.writestr(rng.choice(["x.npy", "scores.npy", "../x.npy", "x.txt"]), inner)
            return file.getvalue()
    return _npz(**arrays)


def _cells(values: Any, queries: Sequence[str], items: Sequence[str]) -> list[Row]:
    """Rows of a matrix."""
    if np.shape(values) != (len(queries), len(items)):
        raise RefusedError(f"shape {np.shape(values)}")
    return [
        ("m", query, item, plain.number(_cell(values[q][i])))
        for q, query in enumerate(queries)
        for i, item in enumerate(items)
    ]


def _cell(value: Any) -> Any:
    """Text as it is, for a number may be written in it; else a float."""
    return (
        value.decode()
        if isinstance(value, bytes)
        else value
        if isinstance(value, str)
        else float(value)
    )


def _plain_npy(data: bytes) -> Sequence[Row]:
    try:
        values = np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
    except Exception as error:  # whatever NumPy says
        raise RefusedError(str(error)) from None
    if values.dtype.kind not in "fiubSU":
        raise RefusedError(f"type {values.dtype}")
    return _cells(values, QUERIES, ITEMS)


def _plain_text(data: bytes) -> Sequence[Row]:
    lines = [line.split() for line in io.StringIO(data.decode("utf-8-sig"), newline=None)]
    values = [[plain.number(field) for field in fields] for fields in lines if fields]
    if len(set(map(len, values))) != 1:
        raise RefusedError("rows differ in length")
    return _cells(values, QUERIES, ITEMS)


def _plain_csv(data: bytes) -> Sequence[Row] | None:
    """Only of files that have still the same header."""
    text = data.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text, newline=None)))
    rows = [row for row in rows if any(map(str.strip, row))]
    if not rows or rows[0] != ["query", *ITEMS]:
        return None
    if any(len(row) != len(rows[0]) for row in rows):
        raise RefusedError("rows differ in length")
    values = [[plain.number(field) for field in row[1:]] for row in rows[1:]]
    return plain.some(plain.unique(_cells(values, [row[0].strip() for row in rows[1:]], ITEMS), 3))


def _with_ids(path: Path) -> ft.Runs:
    return ft.read_runs(path, queries=QUERIES, items=ITEMS)


_CSV = b"query,a,b,c\nq1,0.5,0.25,-1\nq2,2,0.125,3.5\n"
_TEXT = b"0.5 0.25 -1\n2 0.125 3.5\n"
_NPZ = _npz(scores=VALUES, queries=QUERIES, items=ITEMS)
_of_csv, _of_text = text_mutator(b","), text_mutator(b" ")
TARGETS = [
    Target("matrix.npy", "m.npy", (_npy(VALUES),), mutate_npy, _with_ids, ranked_rows, _plain_npy),
    Target("matrix.npz", "m.npz", (_NPZ,), mutate_npz, ft.read_runs, ranked_rows, lambda _: None),
    Target(
        "matrix.csv", "m.csv", (_CSV,), text_mutator(b","), ft.read_runs, ranked_rows, _plain_csv
    ),
    Target(
        "matrix.txt", "m.txt", (_TEXT,), text_mutator(b" "), _with_ids, ranked_rows, _plain_text
    ),
]
