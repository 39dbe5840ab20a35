"""Scores of some systems, measures, queries and subjects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from fuzzytruth._typing import Ints
from fuzzytruth.core.cells import Cells
from fuzzytruth.errors import OptionError, first_few, nearest, shown
from fuzzytruth.evaluation.score_arrays import ScoreArrays

AnyScores = TypeVar("AnyScores", bound=ScoreArrays)


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Which systems, measures, queries, subjects and cells to take, and in which order.

    Parameters
    ----------
    systems, measures, queries : (chosen,) int
    subjects : (chosen,) int or None
        None where there are no subjects.
    cells : Cells
        The new cells.
    cell : (new cells,) int
        The old cell of each new one.
    """

    systems: Ints
    measures: Ints
    queries: Ints
    subjects: Ints | None
    cells: Cells
    cell: Ints


def select(
    scores: AnyScores, *, systems: Any, measures: Any, queries: Any, subjects: Any
) -> AnyScores:
    """See `Scores.select`."""
    if subjects is not None and scores.subjects is None:
        raise OptionError(f"subjects={shown(subjects)}: these scores have no subjects")
    if measures is not None:
        measures = [scores.measure_name(measure) for measure in _as_list(measures)]
    chosen = _places(
        {
            "systems": (systems, scores.systems),
            "measures": (measures, scores.measures),
            "queries": (queries, scores.queries),
            "subjects": (subjects, scores.subjects or ()),
        }
    )
    query, subject = chosen["queries"], chosen["subjects"]
    cells, cell = scores.cells, np.arange(len(scores.cells))
    if queries is not None or subjects is not None:
        cells, cell = _kept_cells(cells, query, None if subjects is None else subject)
        query = np.unique(scores.cells.query[cell])  # those with a cell
        subject = np.unique(scores.cells.subject_codes[cell])
    names = None if scores.subjects is None else subject
    return taken(scores, Places(chosen["systems"], chosen["measures"], query, names, cells, cell))


def taken(scores: AnyScores, places: Places) -> AnyScores:
    """Scores of these systems, measures, queries and subjects, in this order."""
    systems, measures, queries = places.systems, places.measures, places.queries
    table = np.ix_(systems, measures, places.cell)
    names = tuple(scores.systems[s] for s in systems)
    measure_names = tuple(scores.measures[m] for m in measures)
    subjects = scores.subjects
    if subjects is not None and places.subjects is not None:
        subjects = tuple(subjects[s] for s in places.subjects)
    spread, made = scores.uncertainty, scores.provenance
    if spread is not None:
        every = len(queries) == len(scores.queries)
        spread = spread.take(systems, measures, queries, places.cell, all_queries=every)
        if subjects is not None:  # each is a world
            spread = replace(spread, n_worlds=len(subjects))
    return replace(
        scores,
        systems=names,
        queries=tuple(scores.queries[q] for q in queries),
        measures=measure_names,
        values=scores.values[table],
        cells=places.cells,
        subjects=subjects,
        higher_is_better=tuple(scores.higher_is_better[m] for m in measures),
        lower=None if scores.lower is None else scores.lower[table],
        upper=None if scores.upper is None else scores.upper[table],
        uncertainty=spread,
        provenance=None if made is None else made.of(names, measure_names),
    )


def _kept_cells(cells: Cells, queries: Ints, subjects: Ints | None) -> tuple[Cells, Ints]:
    """The cells of some queries and subjects, and which of the old ones they are."""
    keep = np.isin(cells.query, queries)
    if subjects is not None:
        keep &= np.isin(cells.subject_codes, subjects)
    if not keep.any():
        raise OptionError(
            "none of the subjects selected judged any of the queries selected, so that no score "
            "is left"
        )
    return cells.select(keep).compressed(), np.flatnonzero(keep)


def _places(wanted: dict[str, tuple[Any, Sequence[str]]]) -> dict[str, Ints]:
    """Places of the names wanted for each axis, ascending; None: all.

    Raises
    ------
    OptionError
        An axis is empty, or names are unknown: one error for those of all axes.
    """
    places, unknown = {}, []
    for axis, (names, known) in wanted.items():
        places[axis] = np.arange(len(known))
        if names is None:
            continue
        listed = [str(name) for name in _as_list(names)]
        if not listed:
            raise OptionError(f"{axis}=(): name at least one")
        code = {name: place for place, name in enumerate(known)}
        unknown += [
            f"{axis}: {shown(name)} is not among these scores{nearest(name, known)}"
            for name in dict.fromkeys(listed)
            if name not in code
        ]
        places[axis] = np.unique([code[name] for name in listed if name in code])
    if unknown:
        raise OptionError(first_few(unknown, separator="; "))
    return places


def _as_list(names: Any) -> list[Any]:
    """One name or several, as a list."""
    return [names] if isinstance(names, str) or not isinstance(names, Iterable) else list(names)
