"""Scores on disk: a Parquet table of one row a number, with the axes in its metadata."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.checksums import content
from fuzzytruth.core.lazy import Lazy
from fuzzytruth.errors import DataError, MetadataWarning, OptionError, warn
from fuzzytruth.evaluation.query_attributes import attribute_names, check_attribute
from fuzzytruth.evaluation.score_arrays import ScoreArrays
from fuzzytruth.evaluation.scores_file_metadata import (
    ABOUT,
    CHECKSUM,
    metadata_of,
    read_metadata,
)
from fuzzytruth.evaluation.scores_file_rows import (
    BOUNDS,
    KNOWN,
    SPREAD,
    WORLDS,
    placed_rows,
)
from fuzzytruth.evaluation.scores_from_frame import (
    REQUIRED,
    score_request,
    scores_from_table,
)
from fuzzytruth.evaluation.uncertainty import Uncertainty, WorldValues
from fuzzytruth.io.column_request import ColumnRequest
from fuzzytruth.io.files import Source
from fuzzytruth.io.formats import format_of
from fuzzytruth.io.parquet import is_parquet, parquet_file
from fuzzytruth.io.tables import read_table
from fuzzytruth.io.writing import write_whole

_OURS = b"fuzzytruth."


def write_scores(scores: ScoreArrays, path: Path) -> None:
    """Write all numbers, in the order of the array, and what the axes are."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if path.suffix.lower() not in (".parquet", ".pq"):
        raise DataError(
            f"{path}: scores are saved as Parquet, so that the name must end in .parquet; "
            "to_frame() gives a table to write in other formats"
        )
    metadata = metadata_of(scores)
    metadata[CHECKSUM] = _checksum(scores, metadata)
    columns = _labels(scores)
    columns |= _numbers(("value", *BOUNDS), scores.values, scores.lower, scores.upper)
    spread = scores.uncertainty
    if spread is not None:
        columns |= _numbers(SPREAD, spread.std, spread.exact, spread.mc_error)
        kept = spread.kept
        if kept is not None:  # by query; a row holds its query's values in all worlds
            by_row = kept.transpose(1, 2, 3, 0)[:, :, scores.cells.query]
            columns[WORLDS] = pa.FixedSizeListArray.from_arrays(by_row.ravel(), len(kept))
    table = pa.table(columns).replace_schema_metadata(metadata)
    write_whole(path, lambda file: pq.write_table(table, file, write_page_checksum=True))


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


def _checksum(scores: ScoreArrays, metadata: Mapping[bytes, bytes]) -> bytes:
    """Checksum of all that a file of scores says, whatever the order of its rows."""
    spread = scores.uncertainty
    cells = scores.cells
    arrays: list[Array | None] = [cells.query, cells.subject]
    arrays += [scores.values, scores.lower, scores.upper]
    if spread is not None:
        arrays += [spread.std, spread.exact, spread.mc_error, spread.kept]
    ours = [key for key in sorted(metadata) if key.startswith(_OURS) and key != CHECKSUM]
    entries = [text for key in ours for text in (key, metadata[key])]
    return content(*entries, *arrays).encode()


def read_scores(
    path: Path,
    clusters: Iterable[str] | str | None = None,
    *,
    columns: Mapping[str, Any] | None = None,
    drop: Any = (),
    systems: Iterable[Any] | str = (),
) -> ScoreArrays:
    """Read what `write_scores` wrote, or a table of scores in any other format."""
    kind, kept = format_of(path), attribute_names(clusters)
    request = score_request(columns, kept, drop, systems)
    if kind not in ("parquet", "trec"):
        return _read_table(path, request)
    if kind == "trec" and not is_parquet(Source.of(path)):
        raise DataError(
            f"{path}: holds no scores; give what Scores.save wrote, or a table with named columns "
            f"{', '.join(REQUIRED)} as .csv, .tsv, .json, .jsonl or .parquet (judgments and runs "
            "make scores together)"
        )
    return _read_saved(path, request)


def _read_table(path: Path, request: ColumnRequest) -> ScoreArrays:
    """Scores computed elsewhere, one row a number, with attributes of queries in some columns."""
    table, origin = read_table(Source.of(path), request)
    return scores_from_table(table, origin, request.kept, str(path))


def _read_saved(path: Path, request: ColumnRequest) -> ScoreArrays:
    """What `write_scores` wrote; or any Parquet table with the columns of scores."""
    with parquet_file(Source.of(path)) as parquet:
        schema = parquet.schema_arrow
        saved = ABOUT in (schema.metadata or {})
        if saved:
            table = parquet.read(columns=[name for name in schema.names if name in KNOWN])
            table.validate(full=True)
    if not saved:
        scores = _read_table(path, request)
        _warn_of_lost(path, schema.names)
        return scores
    about = read_metadata(schema.metadata, path)
    if request.options:
        raise OptionError(f"{request.options}: {path} has the names of Scores.save; leave it out")
    for name in request.kept:
        check_attribute("clusters", name, about.axes["query_attributes"])
    rows = placed_rows(table, about, path)
    numbers, spread = rows.numbers, None
    if about.spread is not None:
        spread = Uncertainty(
            exact=numbers["exact"],
            mc_error=numbers["mc_error"],
            spread=Lazy.of(numbers.get("std")),
            in_worlds=Lazy.of(WorldValues(about.world_means, rows.kept)),
            joint_spread=Lazy.of(about.within),
            has_means=about.world_means is not None,
            has_kept=rows.kept is not None,
            has_within=about.within is not None,
            weight=about.weight,
            **about.spread,
        )
    scores = ScoreArrays(
        values=numbers["value"],
        cells=rows.cells,
        lower=numbers.get("lower"),
        upper=numbers.get("upper"),
        uncertainty=spread,
        provenance=about.provenance,
        **about.axes,
    )
    if schema.metadata.get(CHECKSUM, given := _checksum(scores, schema.metadata)) != given:
        raise DataError(
            f"{path}: the numbers or the metadata are not those that were saved, as the checksum "
            "says; save the scores again, or read the table alone with Scores.from_frame"
        )
    return scores


def _warn_of_lost(path: Path, columns: list[str]) -> None:
    """Say what the metadata told, if this is a table that `write_scores` wrote."""
    names = [name for name in KNOWN if name in columns]
    beside = [name for name in names if name in (*BOUNDS, *SPREAD, WORLDS)]
    if not beside and columns[:3] != ["system", "measure", "query"]:
        return
    lost = ["which direction of each measure is better (taken from its name)", "the provenance"]
    if "subject" in names:
        lost.insert(0, "the design (taken as crossed)")
    if beside:
        lost.append(f"how values vary or are bounded (columns {', '.join(beside)})")
    warn(
        f"{path}: another program wrote this table of scores, without the metadata of Scores.save; "
        f"lost are {', '.join(lost)}; load the file that was saved instead",
        MetadataWarning,
    )
