"""Scores on disk: a Parquet table of one row a number, with the axes in its metadata."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from fuzzytruth._typing import Array, Ints
from fuzzytruth.core.cells import Cells
from fuzzytruth.errors import DataError
from fuzzytruth.evaluation.provenance import Provenance
from fuzzytruth.evaluation.score_arrays import ScoreArrays
from fuzzytruth.evaluation.scores_from_frame import OPTIONAL, REQUIRED, scores_from_columns
from fuzzytruth.evaluation.uncertainty import Uncertainty
from fuzzytruth.io.columns import ColumnRequest, check_numbers
from fuzzytruth.io.files import Source
from fuzzytruth.io.formats import format_of
from fuzzytruth.io.parquet import is_parquet, parquet_file
from fuzzytruth.io.tables import read_table
from fuzzytruth.io.writing import write_whole

_KEY = b"fuzzytruth.evaluation.scores"
_MEANS = b"fuzzytruth.world_means"
_WEIGHT = b"fuzzytruth.world_weight"
_VERSION = 5
_AXES = ("systems", "queries", "measures", "subjects", "design", "higher_is_better")
_PLAIN = ("worlds", "inflation", "drawn", "n_worlds", "entropy", "kept_is_joint")
_BOUNDS = ("lower", "upper")
_SPREAD = ("std", "exact", "mc_error")


def write_scores(scores: ScoreArrays, path: Path) -> None:
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
    about["provenance"] = None if scores.provenance is None else scores.provenance.to_dict()
    columns, metadata = _labels(scores), {}
    columns |= _numbers(("value", *_BOUNDS), scores.values, scores.lower, scores.upper)
    spread = scores.uncertainty
    if spread is not None:
        about["uncertainty"] = {name: getattr(spread, name) for name in _PLAIN}
        columns |= _numbers(_SPREAD, spread.std, spread.exact, spread.mc_error)
        if spread.kept is not None:  # by query; a row holds its query's values in all worlds
            kept = spread.kept.transpose(1, 2, 3, 0)[:, :, scores.cells.query]
            columns["worlds"] = pa.FixedSizeListArray.from_arrays(kept.ravel(), spread.n_worlds)
        metadata[_WEIGHT] = spread.weight.tobytes()
        if spread.world_means is not None:
            metadata[_MEANS] = spread.world_means.tobytes()
    metadata[_KEY] = json.dumps(about).encode()
    table = pa.table(columns).replace_schema_metadata(metadata)
    write_whole(path, lambda file: pq.write_table(table, file))


def _labels(scores: ScoreArrays) -> dict[str, Any]:
    """Columns that name each number: system, measure, query and, if there are any, subject."""
    import pyarrow as pa

    shape, cells = scores.values.shape, scores.cells
    codes = {
        "system": (scores.systems, np.arange(shape[0])[:, None, None]),
        "measure": (scores.measures, np.arange(shape[1])[:, None]),
        "query": (scores.queries, cells.query),
    }
    if scores.subjects is not None:
        codes["subject"] = scores.subjects, cells.subject_codes
    return {
        name: pa.DictionaryArray.from_arrays(
            np.broadcast_to(code.astype(np.int32), shape).ravel(), pa.array(labels, pa.string())
        )
        for name, (labels, code) in codes.items()
    }


def _numbers(names: tuple[str, ...], *arrays: Array | None) -> dict[str, Array]:
    """Columns of those arrays that exist."""
    given = zip(names, arrays, strict=True)
    return {name: values.ravel() for name, values in given if values is not None}


def read_scores(path: Path) -> ScoreArrays:
    """Read what `write_scores` wrote, or a table of scores in any other format."""
    kind = format_of(path)
    if kind not in ("parquet", "trec"):
        return _read_table(path)
    if kind == "trec" and not is_parquet(Source.of(path)):
        raise DataError(
            f"{path}: holds no scores; give what Scores.save wrote, or a table with named columns "
            f"{', '.join(REQUIRED)} as .csv, .tsv, .json, .jsonl or .parquet (judgments and runs "
            "make scores together)"
        )
    return _read_saved(path)


def _read_table(path: Path) -> ScoreArrays:
    """Scores computed elsewhere, one row a number."""
    source = Source.of(path)
    columns, locate = read_table(source, ColumnRequest(REQUIRED, OPTIONAL, "value"))
    columns["value"] = check_numbers(columns["value"], "value", locate)
    return scores_from_columns(columns, where=locate)


def _read_saved(path: Path) -> ScoreArrays:
    """What `write_scores` wrote; or any Parquet table with the columns of scores."""
    with parquet_file(Source.of(path)) as file:
        if _KEY not in (file.schema_arrow.metadata or {}):
            return _read_table(path)
        table = file.read()
    try:
        about = json.loads(table.schema.metadata[_KEY])
        if about.get("version") == _VERSION:
            return _scores_of(table, about)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise DataError(f"{path}: its scores are damaged ({error})") from None
    raise DataError(f"{path}: holds no scores saved by this version of fuzzytruth")


def _scores_of(table: Any, about: dict[str, Any]) -> ScoreArrays:
    """The scores in a table that `write_scores` made, with what it says of them."""
    axes = {name: _tuple(about[name]) for name in _AXES}
    shape = len(axes["systems"]), len(axes["measures"]), -1
    arrays = {
        name: table[name].to_numpy().reshape(shape).copy()
        for name in ("value", *_BOUNDS, *_SPREAD)
        if name in table.column_names
    }
    cells = _cells_of(table, axes["queries"], axes["subjects"], arrays["value"].shape[-1])
    spread = None
    if "uncertainty" in about:
        spread = _spread_of(table, about["uncertainty"], arrays, cells)
    made = about["provenance"]
    ends: dict[str, Any] = {name: arrays.get(name) for name in _BOUNDS}
    return ScoreArrays(
        values=arrays["value"],
        cells=cells,
        uncertainty=spread,
        provenance=None if made is None else Provenance.from_dict(made),
        **ends,
        **axes,
    )


def _spread_of(
    table: Any, about: dict[str, Any], arrays: dict[str, Array], cells: Cells
) -> Uncertainty:
    """How the scores of a saved table vary over worlds."""
    metadata, shape = table.schema.metadata, arrays["value"].shape
    means = None
    if _MEANS in metadata:
        means = np.frombuffer(metadata[_MEANS]).reshape(-1, *shape[:2]).copy()
    return Uncertainty(
        std=arrays.get("std"),
        exact=arrays["exact"],
        mc_error=arrays["mc_error"],
        world_means=means,
        weight=np.frombuffer(metadata[_WEIGHT]).copy(),
        kept=_kept_of(table, shape, cells) if "worlds" in table.column_names else None,
        **{name: _tuple(about[name]) for name in _PLAIN},
    )


def _cells_of(
    table: Any, queries: tuple[str, ...], subjects: tuple[str, ...] | None, n_cells: int
) -> Cells:
    """The cells, from the names in the rows of the first system and measure."""
    import pyarrow as pa
    import pyarrow.compute as pc

    def codes(column: str, labels: tuple[str, ...]) -> Ints:
        names = table[column].slice(0, n_cells).cast(pa.string())
        return np.asarray(pc.index_in(names, pa.array(labels, pa.string())), dtype=np.int64)

    query = codes("query", queries)
    if subjects is None:
        return Cells(query, None, len(queries))
    return Cells(query, codes("subject", subjects), len(queries), len(subjects))


def _kept_of(table: Any, shape: tuple[int, ...], cells: Cells) -> Array:
    """Values in all worlds, (worlds, systems, measures, queries)."""
    flat = table["worlds"].combine_chunks().flatten().to_numpy()
    rows = flat.reshape(*shape[:2], len(cells), -1)
    first = cells.offsets[:-1]  # worlds are kept where there are no subjects: a cell a query
    return np.ascontiguousarray(rows[:, :, first].transpose(3, 0, 1, 2))


def _tuple(value: Any) -> Any:
    """Lists of JSON back into tuples."""
    return tuple(value) if isinstance(value, list) else value
