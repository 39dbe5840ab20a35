"""Scores of some systems, measures, queries and subjects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from fuzzytruth._typing import Ints
from fuzzytruth.core.cells import Cells
from fuzzytruth.errors import OptionError, first_few, nearest, shown
from fuzzytruth.evaluation.scores.query_groups import attributes_of
from fuzzytruth.evaluation.scores.score_arrays import NUMBERS, ScoreArrays

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
    query, subject = chosen["queries"], None if scores.subjects is None else chosen["subjects"]
    cells, cell = scores.cells, np.arange(len(scores.cells))
    if queries is not None or subjects is not None:
        cells, cell = _kept_cells(cells, query, subject)
        query = query[cells.sizes > 0]
        subject = None if subject is None else subject[cells.subject_sizes > 0]
        cells = cells.compressed()
    return taken(scores, Places(chosen["systems"], chosen["measures"], query, subject, cells, cell))


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
    own = {field: getattr(scores, field) for field in NUMBERS.values()}
    numbers: dict[str, Any] = {f: None if n is None else n[table] for f, n in own.items()}
    return replace(
        scores,
        systems=names,
        queries=tuple(scores.queries[q] for q in queries),
        measures=measure_names,
        cells=places.cells,
        subjects=subjects,
        higher_is_better=tuple(scores.higher_is_better[m] for m in measures),
        uncertainty=spread,
        provenance=None if made is None else made.of(names, measure_names),
        query_attributes=attributes_of(scores.query_attributes, queries),
        ranges=tuple(scores.ranges[m] for m in measures) if scores.ranges else (),
        **numbers,
    )


def _kept_cells(cells: Cells, queries: Ints, subjects: Ints | None) -> tuple[Cells, Ints]:
    """The cells of some queries and subjects, in their order, and the old place of each."""
    query = _new_numbers(queries, cells.n_queries)[cells.query]
    keep, subject, n_subjects = query >= 0, cells.subject, 1
    if subject is not None and subjects is not None:
        n_subjects = len(subjects)
        subject = _new_numbers(subjects, cells.n_subjects)[subject]
        keep &= subject >= 0
    if not keep.any():
        raise OptionError(
            "none of the subjects selected judged any of the queries selected, so that no score "
            "is left"
        )
    subject = None if subject is None else subject[keep]
    kept, order = Cells.from_pairs(
        query[keep], subject, n_queries=len(queries), n_subjects=n_subjects
    )
    return kept, np.flatnonzero(keep)[order]


def _new_numbers(chosen: Ints, n: int) -> Ints:
    """The new number of each of n things, -1 for those not chosen: (n,)."""
    out = np.full(n, -1)
    out[chosen] = np.arange(len(chosen))
    return out


def _places(wanted: dict[str, tuple[Any, Sequence[str]]]) -> dict[str, Ints]:
    """Places of the names wanted for each axis, in their order; None: all.

    Raises
    ------
    OptionError
        An axis is empty, or names are unknown or come twice: one error for those of all axes.
    """
    places, wrong = {}, []
    for axis, (names, known) in wanted.items():
        places[axis] = np.arange(len(known))
        if names is None:
            continue
        listed = [str(name) for name in _as_list(names)]
        if not listed:
            raise OptionError(f"{axis}=(): name at least one")
        code = {name: place for place, name in enumerate(known)}
        for name, times in Counter(listed).items():
            if name not in code:
                wrong.append(
                    f"{axis}: {shown(name)} is not among these scores{nearest(name, known)}"
                )
            elif times > 1:
                wrong.append(f"{axis}: {shown(name)} comes {times} times; name it once")
        places[axis] = np.array([code[name] for name in listed if name in code], dtype=np.int64)
    if wrong:
        raise OptionError(first_few(wrong, separator="; "))
    return places


def _as_list(names: Any) -> list[Any]:
    """One name or several, as a list."""
    return [names] if isinstance(names, str) or not isinstance(names, Iterable) else list(names)
