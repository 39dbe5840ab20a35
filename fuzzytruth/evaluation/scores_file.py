"""Scores on disk: a Parquet table of one row a number, with the axes in its metadata."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.errors import DataError
from fuzzytruth.evaluation.scores import Scores
from fuzzytruth.evaluation.scores_from_frame import OPTIONAL, REQUIRED, scores_from_columns
from fuzzytruth.evaluation.uncertainty import Uncertainty
from fuzzytruth.io.columns import ColumnRequest, check_numbers
from fuzzytruth.io.files import Source
from fuzzytruth.io.formats import format_of
from fuzzytruth.io.tables import read_table
from fuzzytruth.io.writing import write_whole

_KEY = b"fuzzytruth.evaluation.scores"
_MEANS = b"fuzzytruth.world_means"
_WEIGHT = b"fuzzytruth.world_weight"
_VERSION = 3
_AXES = ("systems", "queries", "measures", "subjects", "design", "higher_is_better")
_PLAIN = ("worlds", "inflation", "drawn", "n_worlds", "entropy")


def write_scores(scores: Scores, path: Path) -> None:
    """Write all numbers, in the order of the array, and what the axes are."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if path.suffix.lower() not in (".parquet", ".pq"):
        raise DataError(
            f"{path}: scores are saved as Parquet, so that the name must end in .parquet; "
            "to_frame() gives a table to write in other formats"
        )
    about: dict[str, Any] = {"version": _VERSION}
    about |= {name: getattr(scores, name) for name in _AXES}
    columns, metadata = _numbers(scores), {}
    if scores.uncertainty is not None:
        spread = scores.uncertainty
        about["uncertainty"] = {name: getattr(spread, name) for name in _PLAIN}
        columns |= _spread(spread, len(scores.subjects or "1"))
        metadata = {_MEANS: spread.world_means.tobytes(), _WEIGHT: spread.weight.tobytes()}
    metadata[_KEY] = json.dumps(about).encode()
    table = pa.table(columns).replace_schema_metadata(metadata)
    write_whole(path, lambda file: pq.write_table(table, file))


def _numbers(scores: Scores) -> dict[str, Any]:
    """Columns that name each number, and the numbers."""
    import pyarrow as pa

    shape = scores.values.shape
    axes = {
        "system": scores.systems,
        "measure": scores.measures,
        "subject": scores.subjects or ("",),
        "query": scores.queries,
    }
    columns: dict[str, Any] = {}
    for axis, (name, labels) in enumerate(axes.items()):
        along = np.arange(len(labels), dtype=np.int32)
        codes = np.broadcast_to(along.reshape([-1 if a == axis else 1 for a in range(4)]), shape)
        columns[name] = pa.DictionaryArray.from_arrays(codes.ravel(), pa.array(labels, pa.string()))
    columns["judged"] = np.broadcast_to(scores.judged, shape).ravel()
    columns["value"] = scores.values.ravel()
    for name in ("lower", "upper"):
        if getattr(scores, name) is not None:
            columns[name] = getattr(scores, name).ravel()
    return columns


def _spread(spread: Uncertainty, n_subjects: int) -> dict[str, Any]:
    """Columns of the spread over worlds; the same for all subjects, if there are any."""
    import pyarrow as pa

    def of_rows(values: Array) -> Array:
        return np.repeat(values[:, :, None, :], n_subjects, axis=2).ravel()

    columns: dict[str, Any] = {
        "std": of_rows(spread.std),
        "exact": of_rows(spread.exact),
        "mc_error": of_rows(spread.mc_error),
    }
    if spread.subject_error is not None:
        columns["subject_error"] = spread.subject_error.ravel()
    if spread.kept is not None:
        cells = np.repeat(spread.kept.transpose(1, 2, 3, 0)[:, :, None], n_subjects, axis=2)
        columns["worlds"] = pa.FixedSizeListArray.from_arrays(cells.ravel(), spread.n_worlds)
    return columns


def read_scores(path: Path) -> Scores:
    """Read what `write_scores` wrote, or a table of scores in any other format."""
    if format_of(path) not in ("parquet", "trec"):
        return _read_table(path)
    return _read_saved(path)


def _read_table(path: Path) -> Scores:
    """Scores that something else computed, one row a number."""
    source = Source.of(path)
    columns, locate = read_table(source, ColumnRequest(REQUIRED, OPTIONAL, "value"))
    columns["value"] = check_numbers(columns["value"], "value", locate)
    return scores_from_columns(columns, where=locate)


def _read_saved(path: Path) -> Scores:
    """What `write_scores` wrote; tables that others wrote to Parquet, too."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path)
    except (OSError, pa.ArrowInvalid) as error:
        raise DataError(f"{path}: cannot be read as saved scores ({error})") from None
    metadata = table.schema.metadata or {}
    about = json.loads(metadata.get(_KEY, b"{}"))
    if not about and set(REQUIRED) <= set(table.column_names):
        return _read_table(path)
    if about.get("version") != _VERSION:
        raise DataError(f"{path}: holds no scores saved by this version of fuzzytruth")
    axes = {name: _tuple(about[name]) for name in _AXES}
    shape = (
        len(axes["systems"]),
        len(axes["measures"]),
        len(axes["subjects"] or "1"),
        len(axes["queries"]),
    )

    def column(name: str) -> Array:
        out: Array = table[name].to_numpy().reshape(shape)
        return out

    spread = None
    if "uncertainty" in about:
        means = np.frombuffer(metadata[_MEANS]).reshape(-1, *shape[:2])
        plain = {name: _tuple(about["uncertainty"][name]) for name in _PLAIN}
        kept = None
        names = table.column_names
        if "worlds" in names:
            flat = table["worlds"].combine_chunks().flatten().to_numpy()
            kept = flat.reshape(*shape, -1)[:, :, 0].transpose(3, 0, 1, 2).copy()
        spread = Uncertainty(
            std=column("std")[:, :, 0].copy(),
            exact=column("exact")[:, :, 0].copy(),
            mc_error=column("mc_error")[:, :, 0].copy(),
            world_means=means.copy(),
            weight=np.frombuffer(metadata[_WEIGHT]).copy(),
            kept=kept,
            subject_error=column("subject_error").copy() if "subject_error" in names else None,
            **plain,
        )
    ends: dict[str, Any] = {
        name: column(name).copy() for name in ("lower", "upper") if name in table.column_names
    }
    return Scores(
        values=column("value").copy(),
        judged=column("judged")[0, 0].copy(),
        uncertainty=spread,
        **ends,
        **axes,
    )


def _tuple(value: Any) -> Any:
    """Lists of JSON back into tuples."""
    return tuple(value) if isinstance(value, list) else value
