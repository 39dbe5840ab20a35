"""Files of scores, damaged and rewritten in many ways."""

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

import fuzzytruth as ft
from fuzzytruth.errors import MetadataWarning
from fuzzytruth.evaluation.scores.scores_file import ABOUT, CHECKSUM

Rng = np.random.Generator
#: changes a file in place; True if what it says beside the values may have changed unnoticed
Damage = Callable[[Path, Rng], bool]


def flipped_bytes(path: Path, rng: Rng) -> bool:
    data = bytearray(path.read_bytes())
    for place in rng.integers(0, len(data), rng.integers(1, 6)):
        data[place] ^= int(rng.integers(1, 256))
    path.write_bytes(data)
    return False


def cut_off(path: Path, rng: Rng) -> bool:
    data = path.read_bytes()
    start, stop = np.sort(rng.integers(0, len(data), 2))
    path.write_bytes([data[:stop], data[start:], data[:start] + data[stop:]][rng.integers(3)])
    return False


def other_metadata(path: Path, rng: Rng) -> bool:
    """An entry is dropped, of another type, or shorter; the checksum may be lost."""

    def change(metadata: dict[bytes, bytes]) -> None:
        about = json.loads(metadata[ABOUT])
        part: Any = about
        while isinstance(part, dict) or (isinstance(part, list) and part):
            holder = part
            key = _one(list(part) if isinstance(part, dict) else list(range(len(part))), rng)
            part = holder[key]
            if rng.random() < 0.4:
                break
        if rng.random() < 0.3:
            del holder[key]
        elif isinstance(part, (list, str)) and rng.random() < 0.4:
            holder[key] = part[: len(part) // 2]
        else:
            holder[key] = _one([None, 3, -1, 2.5, "x", [], ["one"], {}, {"a": 1}, True, 6], rng)
        metadata[ABOUT] = json.dumps(about).encode()

    return _with_metadata(path, rng, change)


def other_bytes_of_metadata(path: Path, rng: Rng) -> bool:
    """An entry is dropped, cut off, or no JSON at all."""

    def change(metadata: dict[bytes, bytes]) -> None:
        key = _one(sorted(metadata), rng)
        value = metadata.pop(key)
        kind = rng.integers(4)
        if kind == 1:
            metadata[key] = value[: rng.integers(0, len(value) + 1)]
        elif kind == 2:
            metadata[key] = _one([b"", b"[]", b"3", b"null", b"\xff", b"[" * 100_000], rng)
        elif kind == 3:
            metadata[key] = value + b"\0" * int(rng.integers(1, 9))

    return _with_metadata(path, rng, change)


def other_columns(path: Path, rng: Rng) -> bool:
    """A column is dropped, renamed, of another type, double, or has missing values."""
    table = pq.read_table(path)
    metadata = table.schema.metadata
    place = int(rng.integers(table.num_columns))
    field, column = table.field(place), table.column(place)
    kind = rng.integers(5)
    if kind == 0:
        table = table.remove_column(place)
    elif kind == 1:
        names = table.column_names
        names[place] = _one(["x", "item", *names], rng)
        table = table.rename_columns(names)
    elif kind == 2:
        table = table.set_column(place, field.name, _retyped(column, rng))
    elif kind == 3:
        table = table.append_column(_one(["extra", "lower", "std", field.name], rng), column)
    else:
        gaps = pa.array(rng.random(len(column)) < 0.2)
        table = table.set_column(place, field.name, pa.array(column.to_pylist(), mask=gaps))
    _write(table.replace_schema_metadata(metadata), path, rng)
    return False


def other_rows(path: Path, rng: Rng) -> bool:
    """Rows are shuffled, dropped, double, or their numbers or names swapped."""
    table = pq.read_table(path)
    kind, n = rng.integers(5), table.num_rows
    rows = [
        rng.permutation(n),
        rng.permutation(n)[: rng.integers(0, n)],
        rng.integers(0, n, n),
        np.append(np.arange(n), rng.integers(0, n, rng.integers(1, n + 1))),
        np.arange(n)[::-1],
    ][kind]
    table = table.take(pa.array(rows))
    if rng.random() < 0.2:  # names of other rows
        place = int(rng.integers(table.num_columns))
        moved = table.column(place).take(pa.array(rng.permutation(len(rows))))
        table = table.set_column(place, table.field(place), moved)
    _write(table, path, rng)
    return False


def rewritten_by_pandas(path: Path, rng: Rng) -> bool:
    """Read and written again, without our metadata, perhaps in another order."""
    pd.read_parquet(path).sample(frac=1, random_state=int(rng.integers(99))).to_parquet(path)
    return False


DAMAGES: tuple[Damage, ...] = (
    flipped_bytes,
    cut_off,
    other_metadata,
    other_bytes_of_metadata,
    other_columns,
    other_rows,
    rewritten_by_pandas,
)


def check_load(path: Path, original: ft.Scores, *, unnoticed: bool) -> bool:
    """Load a damaged file: the same scores, or False where there is a `DataError`.

    Where the metadata are lost, one warning says so, and the values are the same.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            back = ft.Scores.load(path)
        except ft.errors.DataError as error:
            message = str(error)
            assert message.startswith(str(path)), message
            assert "\n" not in message, message
            return False
    names = ["system", "query", "measure", *(["subject"] if original.subjects else [])]
    frames = [s.to_frame().set_index(names)["value"].sort_index() for s in (back, original)]
    pd.testing.assert_series_equal(*frames, check_exact=True)
    if caught:
        assert [each.category for each in caught] == [MetadataWarning]
        assert back.provenance is None
    elif not unnoticed:
        check_equal(back, original)
    return True


def check_equal(one: ft.Scores, other: ft.Scores) -> None:
    """Raise unless all that a file holds is the same."""
    names = ("systems", "queries", "measures", "subjects", "design", "higher_is_better")
    for name in (*names, "query_attributes"):
        assert getattr(one, name) == getattr(other, name)
    assert one.provenance == other.provenance
    for name in ("values", "lower", "upper"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    for name in ("query", "subject", "offsets", "n_queries", "n_subjects"):
        np.testing.assert_array_equal(getattr(one.cells, name), getattr(other.cells, name))
    assert (one.uncertainty is None) == (other.uncertainty is None)
    if one.uncertainty is not None:
        for name in ("std", "exact", "mc_error", "world_means", "weight", "kept"):
            mine, theirs = getattr(one.uncertainty, name), getattr(other.uncertainty, name)
            np.testing.assert_array_equal(mine, theirs)
        for name in ("worlds", "inflation", "drawn", "n_worlds", "entropy", "kept_is_joint"):
            assert getattr(one.uncertainty, name) == getattr(other.uncertainty, name)
    pd.testing.assert_frame_equal(one.to_frame(), other.to_frame(), check_exact=True)


def _one(choices: list[Any], rng: Rng) -> Any:
    return choices[int(rng.integers(len(choices)))]


def _with_metadata(path: Path, rng: Rng, change: Callable[[dict[bytes, bytes]], None]) -> bool:
    table = pq.read_table(path)
    metadata = dict(table.schema.metadata)
    change(metadata)
    unnoticed = CHECKSUM not in metadata
    if rng.random() < 0.5:
        metadata.pop(CHECKSUM, None)
        unnoticed = True
    _write(table.replace_schema_metadata(metadata), path, rng)
    return unnoticed


def _retyped(column: Any, rng: Rng) -> pa.Array:
    values = column.to_pylist()
    kinds = [pa.string(), pa.float32(), pa.int64(), pa.bool_(), pa.float64(), pa.list_(pa.string())]
    for kind in (kinds[k] for k in rng.permutation(len(kinds))):
        try:
            return pa.array(values, kind)
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
            continue
    return pa.nulls(len(values))


def _write(table: pa.Table, path: Path, rng: Rng) -> None:
    """Write in row groups of any size."""
    pq.write_table(table, path, row_group_size=int(rng.integers(1, table.num_rows + 2)))
