"""Scores on disk: a Parquet table of one row a number, with the axes in its metadata."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from fuzzytruth.errors import DataError
from fuzzytruth.io.writing import write_whole
from fuzzytruth.scores import Scores

_KEY = b"fuzzytruth.scores"
_VERSION = 1


def write_scores(scores: Scores, path: Path) -> None:
    """Write all numbers, in the order of the array, and what the axes are."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    shape = scores.values.shape
    axes = {
        "system": scores.systems,
        "measure": scores.measures,
        "subject": scores.subjects or ("",),
        "query": scores.queries,
    }
    columns: dict[str, Any] = {}
    for axis, (name, labels) in enumerate(axes.items()):
        codes = np.broadcast_to(
            np.arange(len(labels), dtype=np.int32).reshape(
                [-1 if a == axis else 1 for a in range(4)]
            ),
            shape,
        )
        columns[name] = pa.DictionaryArray.from_arrays(codes.ravel(), pa.array(labels, pa.string()))
    columns["judged"] = np.broadcast_to(scores.judged, shape).ravel()
    columns["value"] = scores.values.ravel()
    about = {
        "version": _VERSION,
        "systems": scores.systems,
        "queries": scores.queries,
        "measures": scores.measures,
        "subjects": scores.subjects,
        "design": scores.design,
        "higher_is_better": scores.higher_is_better,
    }
    table = pa.table(columns).replace_schema_metadata({_KEY: json.dumps(about).encode()})
    write_whole(path, lambda file: pq.write_table(table, file))


def read_scores(path: Path) -> Scores:
    """Read what `write_scores` wrote."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path, columns=["judged", "value"])
    except (OSError, pa.ArrowInvalid) as error:
        raise DataError(f"{path}: cannot be read as saved scores ({error})") from None
    about = json.loads((table.schema.metadata or {}).get(_KEY, b"{}"))
    if about.get("version") != _VERSION:
        raise DataError(f"{path}: holds no scores saved by this version of fuzzytruth")
    subjects = None if about["subjects"] is None else tuple(about["subjects"])
    shape = (
        len(about["systems"]),
        len(about["measures"]),
        len(subjects or "1"),
        len(about["queries"]),
    )
    judged = table["judged"].to_numpy().reshape(shape)[0, 0]
    return Scores(
        systems=tuple(about["systems"]),
        queries=tuple(about["queries"]),
        measures=tuple(about["measures"]),
        values=table["value"].to_numpy().reshape(shape).copy(),
        judged=judged.copy(),
        subjects=subjects,
        design=about["design"],
        higher_is_better=tuple(about["higher_is_better"]),
    )
