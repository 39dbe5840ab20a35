"""Scores of the same queries and cells, put in the same order."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Ints
from fuzzytruth.core.cells import Cells
from fuzzytruth.errors import DataError, shown
from fuzzytruth.evaluation.score_arrays import ScoreArrays
from fuzzytruth.evaluation.selection import AnyScores, Places, taken


def in_order_of(first: AnyScores, part: AnyScores, where: str, *, systems: bool) -> AnyScores:
    """Scores with their queries, cells and measures (or `systems`) in the order of the first.

    Raises
    ------
    DataError
        They are not the same.
    """
    queries = places_of(first.queries, part.queries, "query", where)
    subjects = None
    if first.subjects is not None and part.subjects is not None:
        subjects = places_of(first.subjects, part.subjects, "subject", where)
    system, measure = np.arange(len(part.systems)), np.arange(len(part.measures))
    if systems:
        system = places_of(first.systems, part.systems, "system", where)
    else:
        measure = places_of(first.measures, part.measures, "measure", where)
        _check_directions(first, part, measure, where)
    cells, order = _in_order(part.cells, queries, subjects)
    _check_cells(first, cells, where)
    return taken(part, Places(system, measure, queries, subjects, cells, order))


def places_of(names: tuple[str, ...], others: tuple[str, ...], what: str, where: str) -> Ints:
    """Place of each name among the others, who must be the same: (names,)."""
    if names == others:
        return np.arange(len(names))
    differing = set(names) ^ set(others)
    if differing:
        name = next(name for name in (*names, *others) if name in differing)
        only = "scores[0]" if name in names else where
        raise DataError(f"{where}: {what} {shown(name)} is in {only} only")
    code = {name: place for place, name in enumerate(others)}
    return np.array([code[name] for name in names])


def _in_order(cells: Cells, queries: Ints, subjects: Ints | None) -> tuple[Cells, Ints]:
    """The cells after queries and subjects are put in another order, and the old place of each."""
    subject = cells.subject
    if subject is not None and subjects is not None:
        subject = np.argsort(subjects)[subject]
    query = np.argsort(queries)[cells.query]
    return Cells.from_pairs(query, subject, n_queries=cells.n_queries, n_subjects=cells.n_subjects)


def _check_cells(first: ScoreArrays, cells: Cells, where: str) -> None:
    """Raise unless the same subjects judged the same queries."""
    pairs, others = (c.query * c.n_subjects + c.subject_codes for c in (first.cells, cells))
    if np.array_equal(pairs, others):
        return
    differing = np.setxor1d(pairs, others)[0]
    query, subject = divmod(int(differing), cells.n_subjects)
    who = f" and subject {shown(first.subjects[subject])}" if first.subjects else ""
    only = "scores[0]" if differing in pairs else where
    raise DataError(f"{where}: query {shown(first.queries[query])}{who} has values in {only} only")


def _check_directions(first: ScoreArrays, part: ScoreArrays, measures: Ints, where: str) -> None:
    for name, mine, place in zip(first.measures, first.higher_is_better, measures, strict=True):
        if part.higher_is_better[place] != mine:
            better = "higher" if mine else "lower"
            raise DataError(
                f"{where}: {better} values of {name} are better in scores[0], and not in these"
            )
