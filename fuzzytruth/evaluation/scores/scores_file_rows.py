"""Rows of a file of scores, put in their places by the names in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fuzzytruth._lazy import pa, pc
from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.checksums import content
from fuzzytruth.core.lazy import Lazy
from fuzzytruth.errors import DataError, MetadataWarning, OptionError, first_few, shown, warn
from fuzzytruth.evaluation.scores.query_groups import attribute_names, check_attribute
from fuzzytruth.evaluation.scores.score_arrays import ScoreArrays
from fuzzytruth.evaluation.scores.scores_file_metadata import (
    ABOUT,
    CHECKSUM,
    Metadata,
    metadata_of,
    read_metadata,
)
from fuzzytruth.evaluation.scores.scores_from_frame import (
    REQUIRED,
    score_request,
    scores_from_table,
)
from fuzzytruth.evaluation.worlds.uncertainty import Uncertainty, WorldValues
from fuzzytruth.io.files import Source, format_of
from fuzzytruth.io.table_files import is_parquet, parquet_file, table_of
from fuzzytruth.io.tables import ColumnRequest
from fuzzytruth.io.writing import write_whole

BOUNDS = ("lower", "upper")
SPREAD = ("std", "exact", "mc_error")
WORLDS = "worlds"
#: column of each axis, and what it is called in `Metadata.axes`
AXES = {"system": "systems", "measure": "measures", "query": "queries", "subject": "subjects"}
KNOWN = (*AXES, "value", *BOUNDS, *SPREAD, WORLDS)


@dataclass(frozen=True, slots=True, eq=False)
class PlacedRows:
    """Numbers of a file in the order of `Scores.values`.

    Parameters
    ----------
    cells : Cells
    numbers : dict of name to (systems, measures, cells) array
        The columns "value", and of `BOUNDS` and `SPREAD` those that exist.
    kept : (worlds, systems, measures, queries) float or None
    """

    cells: Cells
    numbers: dict[str, Array]
    kept: Floats | None


def placed_rows(table: Any, about: Metadata, path: Path) -> PlacedRows:
    """Rows of an Arrow table, whatever their order.

    Raises
    ------
    DataError
        A column is missing or of another type, a name is unknown, or a number is missing or double.
    """
    _check_columns(table.column_names, about, path)
    names = {axis: about.axes[field] for axis, field in AXES.items() if about.axes[field]}
    codes = {axis: _codes(table[axis], axis, labels, path) for axis, labels in names.items()}
    cells, order = _places(codes, names, path)
    shape = len(names["system"]), len(names["measure"]), len(cells)

    def placed(column: Array) -> Array:
        """In the order of the cells, the rows being the first axis."""
        return (column.copy() if order is None else column[order]).reshape(
            *shape, *column.shape[1:]
        )

    numbers = {
        name: placed(_numbers_of_rows(table[name], name, path))
        for name in ("value", *BOUNDS, *SPREAD)
        if name in table.column_names
    }
    kept = None
    if WORLDS in table.column_names:  # (systems, measures, queries, worlds): a cell a query
        rows = placed(_lists(table[WORLDS], len(about.weight), path))
        kept = np.ascontiguousarray(rows.transpose(3, 0, 1, 2))
    return PlacedRows(cells, numbers, kept)


def _check_columns(present: list[str], about: Metadata, path: Path) -> None:
    """Those that the metadata call for, once, and no others of ours."""
    needed = {"system", "measure", "query", "value"}
    optional = set(BOUNDS) if set(BOUNDS) & set(present) else set()
    needed |= optional
    if about.axes["subjects"] is not None:
        needed.add("subject")
    if about.spread is not None:
        needed |= {"exact", "mc_error"}
        if about.spread["worlds"] != "subject":
            needed.add("std")
            optional.add(WORLDS)
    twice = [name for name in KNOWN if present.count(name) > 1]
    lost = [name for name in KNOWN if name in needed and name not in present]
    more = [name for name in KNOWN if name in present and name not in needed | optional]
    for names, problem in (
        (twice, "is there twice"),
        (lost, "is missing"),
        (more, "is not one that the metadata of these saved scores call for"),
    ):
        if names:
            raise _damaged(f"{path}: the column {names[0]!r} {problem}")


def _codes(column: Any, axis: str, labels: tuple[str, ...], path: Path) -> Array:
    """Place of each row's name among the labels: (rows,)."""
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        raise _damaged(f"{path}: the column {axis!r} holds {column.type}, not text")
    known = pa.array(labels, kind)
    if pa.types.is_dictionary(column.type):
        column = column.unify_dictionaries().combine_chunks()
        of_entry = _filled(pc.index_in(column.dictionary, known))
        found = _filled(column.indices)
        if not np.array_equal(of_entry, np.arange(len(labels))):
            found = np.append(of_entry, -1)[found]  # the last of which is for missing names
    else:
        found = _filled(pc.index_in(column.combine_chunks(), known))
    if (found >= 0).all():
        return found
    row = int(np.argmax(found < 0))
    raise _damaged(
        f"{path}, row {row + 1:,}: the {axis} {shown(column[row].as_py())} is not among those that "
        f"the metadata list ({first_few(labels)})"
    )


def _filled(codes: Any) -> Array:
    """Signed integers of an Arrow array, -1 where they are missing."""
    if codes.null_count:
        codes = codes.cast(pa.int64()).fill_null(-1)
    found = np.asarray(codes)
    return found.astype(np.int64) if found.dtype.kind == "u" else found


def _places(
    codes: dict[str, Array], names: dict[str, tuple[str, ...]], path: Path
) -> tuple[Cells, Ints | None]:
    """The cells, and which row is the number of each system, measure and cell; None: in order."""
    pairs, order = _in_order(codes, names), None
    if pairs is None:
        pairs, order = _sorted(codes, names, path)
    n_queries, n_subjects = len(names["query"]), _n_subjects(names)
    subject = pairs % n_subjects if "subject" in names else None
    cells = Cells(pairs // n_subjects, subject, n_queries, n_subjects)
    for axis, sizes in (("query", cells.sizes), ("subject", cells.subject_sizes)):
        if not sizes.all():
            name = names[axis][int(np.argmin(sizes))]
            raise _damaged(f"{path}: there is no row of the {axis} {shown(name)}")
    return cells, order


def _n_subjects(names: dict[str, tuple[str, ...]]) -> int:
    return len(names.get("subject", (None,)))


def _pairs(query: Array, subject: Array | int, n_subjects: int) -> Ints:
    """One number for each query and subject."""
    return query.astype(np.int64) * n_subjects + subject


def _in_order(codes: dict[str, Array], names: dict[str, tuple[str, ...]]) -> Ints | None:
    """Pairs of query and subject of all cells, if the rows are in the order of the array."""
    series = len(names["system"]), len(names["measure"])
    n, left = divmod(len(codes["system"]), series[0] * series[1])
    tables = {axis: code[: len(code) - left].reshape(*series, n) for axis, code in codes.items()}
    expected = {axis: table[0, 0] for axis, table in tables.items()}
    expected["system"] = np.arange(series[0])[:, None, None]
    expected["measure"] = np.arange(series[1])[:, None]
    if left or not all((tables[axis] == expected[axis]).all() for axis in names):
        return None
    pairs = _pairs(expected["query"], expected.get("subject", 0), _n_subjects(names))
    return pairs if (np.diff(pairs) > 0).all() else None


def _sorted(
    codes: dict[str, Array], names: dict[str, tuple[str, ...]], path: Path
) -> tuple[Ints, Ints]:
    """Pairs of query and subject of all cells, and the rows in the order of the array."""
    pair = _pairs(codes["query"], codes.get("subject", 0), _n_subjects(names))
    pairs, cell = np.unique(pair, return_inverse=True)
    series = codes["system"].astype(np.int64) * len(names["measure"]) + codes["measure"]
    place = series * len(pairs) + cell
    order = np.argsort(place, kind="stable")
    _check_complete(place[order], order, pairs, names, path)
    return pairs, order


def _check_complete(
    place: Ints, order: Ints, pairs: Ints, names: dict[str, tuple[str, ...]], path: Path
) -> None:
    """Raise unless each place has one row; `place` is ascending, and `order` has the rows."""

    def named(place: int) -> str:
        series, cell = divmod(place, len(pairs))
        system, measure = divmod(series, len(names["measure"]))
        query, subject = divmod(int(pairs[cell]), _n_subjects(names))
        index = {"system": system, "measure": measure, "query": query, "subject": subject}
        return ", ".join(f"{axis} {shown(names[axis][index[axis]])}" for axis in names)

    double = np.flatnonzero(place[1:] == place[:-1])
    if len(double):
        first = int(double[0])
        raise _damaged(
            f"{path}: rows {order[first] + 1:,} and {order[first + 1] + 1:,} are both of "
            f"{named(int(place[first]))}"
        )
    if len(place) < len(names["system"]) * len(names["measure"]) * len(pairs):
        lost = np.flatnonzero(place != np.arange(len(place)))
        first = int(lost[0]) if len(lost) else len(place)
        raise _damaged(f"{path}: there is no row of {named(first)}")


def _numbers_of_rows(column: Any, name: str, path: Path) -> Array:
    """A column of numbers, missing ones NaN, or of truth values."""
    kind = pa.bool_() if name == "exact" else pa.float64()
    if column.type != kind:
        raise _damaged(f"{path}: the column {name!r} holds {column.type}, not {kind}")
    if name == "exact" and column.null_count:
        raise _damaged(f"{path}: the column {name!r} has missing values")
    return np.asarray(column.to_numpy())


def _lists(column: Any, n_worlds: int, path: Path) -> Floats:
    """Values in all worlds: (rows, worlds)."""
    kind, column = column.type, column.combine_chunks()
    listed = pa.types.is_fixed_size_list(kind) or pa.types.is_list(kind)
    if not listed or kind.value_type != pa.float64():
        raise _damaged(f"{path}: the column {WORLDS!r} holds {kind}, not lists of double")
    sizes = pc.list_value_length(column).fill_null(-1).to_numpy(zero_copy_only=False)
    if not (sizes == n_worlds).all():
        raise _damaged(f"{path}: a value of the column {WORLDS!r} has not {n_worlds:,} worlds")
    flat = column.flatten().to_numpy(zero_copy_only=False)
    return np.asarray(flat).reshape(len(sizes), n_worlds)


def _damaged(what: str) -> DataError:
    return DataError(
        f"{what}; the file is not as it was saved: save the scores again, or read the table alone "
        "with Scores.from_frame"
    )


# Scores on disk: a Parquet table of one row a number, with the axes in its metadata.


_OURS = b"fuzzytruth."


def write_scores(scores: ScoreArrays, path: Path) -> None:
    """Write all numbers, in the order of the array, and what the axes are."""
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
    table, origin = table_of(Source.of(path), request)
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
