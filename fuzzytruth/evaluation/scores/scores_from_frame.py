"""Scores from a table of numbers computed elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from fuzzytruth import errors
from fuzzytruth._lazy import pd
from fuzzytruth._typing import Array, Floats
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.validation import option_text, several
from fuzzytruth.data.judgments import Design
from fuzzytruth.errors import DataError, choice, first_few, nearest, require, shown, shown_all, warn
from fuzzytruth.evaluation.scores.replicates import Declared
from fuzzytruth.evaluation.scores.score_arrays import Attributes, ScoreArrays
from fuzzytruth.io.column_names import kept_key, may_name_people, may_tell_repeats
from fuzzytruth.io.columns import (
    Columns,
    Locate,
    Origin,
    check_ids,
    check_text,
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
OPTIONAL = ("subject", "measure", "seed")


def scores_from_frame(
    frame: Any,
    clusters: Any,
    columns: Any,
    drop: Any,
    systems: Any,
    replicates: Any,
    **options: Any,
) -> tuple[ScoreArrays, Declared | None]:
    """See `Scores.from_frame`; further options are those of `scores_from_columns`.

    Scores are those of single runs where systems have several.
    """
    option_text("measure", options["measure"])
    request = score_request(columns, clusters, drop, systems, replicates)
    if request.kept:
        check_kept(request.kept, named_columns(frame, "frame").names, replicates)
    try:
        table, origin = table_of(frame, request, "frame")
    except DataError as error:
        needed = [name for name in request.kept if name in REQUIRED]
        if not needed:
            raise
        option, what = "clusters", "groups queries"
        if needed[0] == replicates:
            option, what = "replicates", "tells the runs of a system apart"
        raise errors.OptionError(
            f"{option}={shown(needed[0])}: no other column says which {needed[0]} a row is of; "
            f"name one that {what}"
        ) from error
    return scores_from_table(table, origin, request.kept, "frame", replicates, **options)


def score_request(
    columns: Any, clusters: Any, drop: Any, systems: Any, replicates: str | None = None
) -> ColumnRequest:
    """The columns of scores, under any of their usual names; see `Scores.from_frame`."""
    kept = attribute_names(clusters)
    optional: tuple[str, ...] = OPTIONAL
    if replicates is not None:
        kept, optional = (*kept, option_text("replicates", replicates)), OPTIONAL[:-1]
        once = replicates not in kept[:-1]
        require("replicates", replicates, once, "names clusters, too; a column is one of the two")
    request = ColumnRequest(REQUIRED, optional, "value", kept=kept, wide_as="system")
    return request.given(columns, drop=drop, wide=systems)


def scores_from_table(
    columns: Columns,
    origin: Origin,
    kept: tuple[str, ...],
    where: str,
    replicates: str | None = None,
    **options: Any,
) -> tuple[ScoreArrays, Declared | None]:
    """Scores of columns that were matched, some of them kept as attributes of queries.

    Of single runs, whose names are in the column `replicates`, or `seed` by default.
    """
    attributes = {name: columns.pop(kept_key(name)) for name in kept}
    if not len(columns["value"]):
        raise DataError(f"{where}: there are no scores in it")
    columns["value"] = checked_values(columns["value"], origin)
    label, systems = columns.pop("seed", None), None
    label = label if replicates is None else attributes.pop(replicates)
    if label is not None:
        systems = _name_runs(columns, label, origin, where, replicates)
    scores = scores_from_columns(columns, where=origin, attributes=attributes, **options)
    if systems is None:
        return scores, None
    return scores, Declared(tuple(systems[run] for run in scores.systems))


def _name_runs(
    columns: Columns, label: Any, locate: Locate, where: str, asked: str | None
) -> dict[str, str] | None:
    """Put names of runs (ance/1) in the place of systems, and give the system of each.

    None where no system has several, so that nothing changes.
    """
    of_system, systems = encode(check_ids(columns["system"], "system", locate))
    of_label, labels = encode(check_text(label, asked or "seed", locate).fill_null(""))
    pairs, place = np.unique(of_system * np.int64(len(labels)) + of_label, return_inverse=True)
    system_of = [systems[int(pair)].as_py() for pair in pairs // len(labels)]
    named = [labels[int(pair)].as_py() for pair in pairs % len(labels)]
    column, counts = asked or "seed", Counter(system_of)
    axes = {name: columns[name] for name in _AXES if name in columns}
    ids = [check_ids(one, name, locate) for name, one in axes.items()]
    if max(counts.values()) < 2 or (asked is None and first_duplicate_row(ids) is None):
        what = "no query of a system has two values of it"
        if asked is not None:
            raise errors.OptionError(
                f"replicates={shown(asked)}: {what}, so that it tells no runs apart"
            )
        warn(f"{where}: {shown(column)} is not used: {what}", errors.UnusedColumnWarning)
        return None
    runs = [f"{of}/{name}" if name else of for of, name in zip(system_of, named, strict=True)]
    for of, name in zip(system_of, named, strict=True):
        if not name and counts[of] > 1:
            raise DataError(
                f"{where}: the system {shown(of)} has values of {shown(column)} in some rows and "
                "none in others; give each of its rows one"
            )
    if len({*runs}) < len(runs):
        twice = next(name for name, n in Counter(runs).items() if n > 1)
        raise DataError(f"{where}: two systems have a run {shown(twice)}; give one another name")
    columns["system"] = np.array(runs, dtype=object)[place]
    if asked is None:
        several = first_few([f"{n} of {name}" for name, n in counts.items() if n > 1], 5)
        warn(
            f"{where}: {shown(column)} tells runs of a system apart ({several}); "
            "values are means over them, and comparisons are over queries and runs",
            errors.RepeatsWarning,
        )
    return dict(zip(runs, system_of, strict=True))


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
    coded = {axis: encode(column) for axis, column in ids.items()}
    codes: dict[str, Any] = {axis: code.astype(np.int64) for axis, (code, _) in coded.items()}
    labels = {axis: tuple(names.to_pylist()) for axis, (_, names) in coded.items()}
    measures, subjects = labels.get("measure", (measure,)), labels.get("subject")
    cells, cell = Cells.of_queries(len(labels["query"])), codes["query"]
    if subjects is not None:
        pair = cell * len(subjects) + codes["subject"]
        pairs, cell = np.unique(pair, return_inverse=True)
        query, subject = np.divmod(pairs, len(subjects))
        cells = Cells(query, subject, cells.n_queries, len(subjects))
    values = np.full((len(labels["system"]), len(measures), len(cells)), np.nan)
    values[codes["system"], codes.get("measure", 0), cell] = value
    return ScoreArrays(
        systems=labels["system"],
        queries=labels["query"],
        measures=measures,
        values=values,
        cells=cells,
        subjects=subjects,
        design=design,
        higher_is_better=_directions(measures, higher_is_better),
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
    elif hint and not people:
        run = f", or if it tells runs of a system apart, replicates={str(unused[0])!r}; else "
        hint = hint.replace("; else ", run)
    raise DataError(
        f"{where(second)}: {what} has a value already ({where(first)}); {hint}keep one, or name "
        "what tells them apart in a column 'subject' or 'measure'"
        + (f", or runs of a system, replicates={shown(repeats[0])}" if repeats else "")
    )


def _directions(measures: tuple[str, ...], given: Better) -> tuple[bool, ...]:
    """Which direction is better, by measure: as given, else as known, else higher."""
    if isinstance(given, (bool, np.bool_)):
        return (bool(given),) * len(measures)
    if given is not None and not isinstance(given, Mapping):
        raise errors.OptionError(
            f"higher_is_better={shown(given)}: must be True, False, or {{measure: True or False}}"
        )
    given = given or {}
    unknown = [name for name in given if name not in measures]
    if unknown:
        raise errors.OptionError(
            f"higher_is_better: {shown(unknown[0])} is not among the measures {shown_all(measures)}"
        )
    return tuple(bool(given[name]) if name in given else _known(name) for name in measures)


def _known(measure: str) -> bool:
    from fuzzytruth.measures import parse_measure
    from fuzzytruth.measures.grammar import lower_is_better

    try:
        return parse_measure(measure).higher_is_better
    except errors.MeasureError:
        return not lower_is_better(measure)


# Attributes of queries, kept from columns.


def attribute_names(clusters: Iterable[str] | str | None) -> tuple[str, ...]:
    """Names of the columns to keep.

    Raises
    ------
    OptionError
        They are no names.
    """
    names = [] if clusters is None else several(clusters)
    rule = "must be the name of a column, or several"
    require("clusters", clusters, all(isinstance(name, str) for name in names), rule)
    return tuple(dict.fromkeys(names))


def check_kept(names: tuple[str, ...], present: Sequence[Any], replicates: Any = None) -> None:
    """Raise unless a frame has all these columns.

    Raises
    ------
    OptionError
        There is no such column.
    """
    columns = [str(column) for column in present]
    for name in names:
        if name not in columns:
            option = "replicates" if name == replicates else "clusters"
            raise errors.OptionError(
                f"{option}={shown(name)}: is not a column of the frame"
                f"{nearest(name, columns)}; it has {shown_all(columns)}"
            )


def check_attribute(option: str, name: str, attributes: Attributes) -> None:
    """Raise `OptionError` unless the scores have this attribute of queries."""
    if name not in attributes:
        known = shown_all(attributes) if attributes else "none"
        raise errors.OptionError(
            f"{option}={shown(name)}: is no attribute of the queries of these scores (they have "
            f"{known}); name a column to keep to Scores.from_frame, or give {{query: group}}"
        )


def query_attributes(
    columns: Mapping[str, Any],
    query: Array,
    queries: tuple[str, ...],
    where: Locate,
    unit: str = "query",
) -> dict[str, tuple[str | None, ...]]:
    """Attributes of queries by rows; missing or empty text is None.

    Parameters
    ----------
    columns : mapping of name to (rows,)
    query : (rows,) int
        Place of each row's query among `queries`, each of which has a row.
    unit : str
        What else has them, if it is not queries.

    Raises
    ------
    DataError
        A query has two values.
    """
    first = np.unique(query, return_index=True)[1]
    out = {}
    for name, column in columns.items():
        code, labels = encode(check_text(column, name, where).fill_null(""))
        values = [text or None for text in labels.to_pylist()]
        differs = code != code[first][query]
        if differs.any():
            row = int(np.argmax(differs))
            before = int(first[query[row]])
            both = (values[code[row]], values[code[before]])
            one, other = ("none" if value is None else shown(value) for value in both)
            raise DataError(
                f"{where(row)}: {unit} {shown(queries[query[row]])} has {name} {one}, and {other} "
                f"before ({where(before)}); a {unit} has one"
            )
        out[name] = tuple(values[value] for value in code[first])
    return out
