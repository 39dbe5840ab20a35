"""Scores from a table of numbers computed elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.validation import option_text
from fuzzytruth.data.judgments import Design
from fuzzytruth.errors import DataError, MeasureError, OptionError, choice, shown, shown_all
from fuzzytruth.evaluation.scores.query_groups import attribute_names, check_kept, query_attributes
from fuzzytruth.evaluation.scores.score_arrays import ScoreArrays
from fuzzytruth.io.column_names import kept_key, may_name_people, may_tell_repeats
from fuzzytruth.io.columns import (
    Columns,
    Locate,
    Origin,
    check_ids,
    first_duplicate_row,
    located,
    unused_hint,
)
from fuzzytruth.io.ids import encode
from fuzzytruth.io.numbers import check_numbers
from fuzzytruth.io.table_files import table_of
from fuzzytruth.io.tables import ColumnRequest, named_columns

Better = bool | Mapping[str, bool] | None
_AXES = ("system", "measure", "subject", "query")
REQUIRED = ("system", "query", "value")
OPTIONAL = ("subject", "measure")


def scores_from_frame(
    frame: Any,
    *,
    higher_is_better: Better,
    design: Design,
    measure: str,
    clusters: Iterable[str] | str | None,
    columns: Mapping[str, Any] | None = None,
    drop: Any = (),
    systems: Iterable[Any] | str = (),
) -> ScoreArrays:
    """See `Scores.from_frame`."""
    option_text("measure", measure)
    kept = attribute_names(clusters)
    if kept:
        check_kept(kept, named_columns(frame, "frame").names)
    try:
        table, origin = table_of(frame, score_request(columns, kept, drop, systems), "frame")
    except DataError as error:
        needed = [name for name in kept if name in REQUIRED]
        if not needed:
            raise
        raise OptionError(
            f"clusters={shown(needed[0])}: no other column says which {needed[0]} a row is of; "
            "name one that groups queries"
        ) from error
    options = {"higher_is_better": higher_is_better, "design": design, "measure": measure}
    return scores_from_table(table, origin, kept, "frame", **options)


def score_request(columns: Any, kept: tuple[str, ...], drop: Any, systems: Any) -> ColumnRequest:
    """The columns of scores, under any of their usual names; see `Scores.from_frame`."""
    request = ColumnRequest(REQUIRED, OPTIONAL, "value", kept=kept, wide_as="system")
    return request.given(columns, drop=drop, wide=systems)


def scores_from_table(
    columns: Columns, origin: Origin, kept: tuple[str, ...], where: str, **options: Any
) -> ScoreArrays:
    """Scores of columns that were matched, some of them kept as attributes of queries."""
    attributes = {name: columns.pop(kept_key(name)) for name in kept}
    if not len(columns["value"]):
        raise DataError(f"{where}: there are no scores in it")
    columns["value"] = checked_values(columns["value"], origin)
    return scores_from_columns(columns, where=origin, attributes=attributes, **options)


def scores_from_columns(
    columns: Columns,
    *,
    where: Locate,
    higher_is_better: Better = None,
    design: Design = "crossed",
    measure: str = "value",
    attributes: Columns | None = None,
) -> ScoreArrays:
    """Scores of columns by canonical names; the values are floats, NaN being missing.

    `attributes` are columns of attributes of queries, by their own names.
    """
    choice("design", design, ("crossed", "nested"))
    ids = {axis: check_ids(columns[axis], axis, where) for axis in _AXES if axis in columns}
    value = np.asarray(columns["value"], dtype=np.float64)
    _check_duplicates(ids, where)
    codes: dict[str, Ints] = {}
    labels: dict[str, tuple[str, ...]] = {}
    for axis in _AXES:
        if axis in ids:
            code, names = encode(ids[axis])
            codes[axis] = code.astype(np.int64)
            labels[axis] = tuple(names.to_pylist())
        else:
            codes[axis], labels[axis] = np.zeros(len(value), dtype=np.int64), (measure,)
    cells, cell = Cells.of_queries(len(labels["query"])), codes["query"]
    if "subject" in ids:
        n_subjects = len(labels["subject"])
        pairs, cell = np.unique(cell * n_subjects + codes["subject"], return_inverse=True)
        cells = Cells(pairs // n_subjects, pairs % n_subjects, cells.n_queries, n_subjects)
    values = np.full((len(labels["system"]), len(labels["measure"]), len(cells)), np.nan)
    values[codes["system"], codes["measure"], cell] = value
    return ScoreArrays(
        systems=labels["system"],
        queries=labels["query"],
        measures=labels["measure"],
        values=values,
        cells=cells,
        subjects=labels["subject"] if "subject" in ids else None,
        design=design,
        higher_is_better=_directions(labels["measure"], higher_is_better),
        query_attributes=query_attributes(attributes or {}, codes["query"], labels["query"], where),
    )


def checked_values(column: Any, where: Locate) -> Floats:
    """Numbers; NaN stands for a value that is missing, infinite ones are an error."""
    column = column if hasattr(column, "dtype") else np.asarray(column, dtype=object)
    missing = np.asarray(pd.isna(column), dtype=bool)
    out = np.full(len(missing), np.nan)
    row_of = np.flatnonzero(~missing)
    given = column[~missing] if missing.any() else column
    out[~missing] = check_numbers(given, "value", located(where, row_of))
    return out


def _check_duplicates(ids: dict[str, Any], where: Locate) -> None:
    repeat = first_duplicate_row(list(ids.values()))
    if repeat is None:
        return
    first, second = repeat
    what = ", ".join(f"{axis} {shown(column[second].as_py())}" for axis, column in ids.items())
    unused = where.unused if isinstance(where, Origin) else ()
    people, repeats = may_name_people(unused), may_tell_repeats(unused)
    hint = unused_hint(where, "subject", "names the subjects", people)
    if repeats and not people:
        each = ", ".join(ids)
        hint = f"if {shown(repeats[0])} tells repeats apart, give their mean for each {each}; else "
    raise DataError(
        f"{where(second)}: {what} has a value already ({where(first)}); {hint}keep one, or name "
        "what tells them apart in a column 'subject' or 'measure'"
    )


def _directions(measures: tuple[str, ...], given: Better) -> tuple[bool, ...]:
    """Which direction is better, by measure: as given, else as known, else higher."""
    if isinstance(given, (bool, np.bool_)):
        return (bool(given),) * len(measures)
    if given is not None and not isinstance(given, Mapping):
        raise OptionError(
            f"higher_is_better={shown(given)}: must be True, False, or {{measure: True or False}}"
        )
    given = given or {}
    unknown = [name for name in given if name not in measures]
    if unknown:
        raise OptionError(
            f"higher_is_better: {shown(unknown[0])} is not among the measures {shown_all(measures)}"
        )
    return tuple(bool(given[name]) if name in given else _known(name) for name in measures)


def _known(measure: str) -> bool:
    from fuzzytruth.measures import parse_measure
    from fuzzytruth.measures.grammar import lower_is_better

    try:
        return parse_measure(measure).higher_is_better
    except MeasureError:
        return not lower_is_better(measure)
