"""Queries without relevant items, for which recall-like measures are undefined."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal

import numpy as np

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.core.cells import Cells
from fuzzytruth.errors import UndefinedMeasureWarning, counted, first_few, warn

if TYPE_CHECKING:
    pass


_LISTED = 5


def few_measures(names: Iterable[str]) -> str:
    """The names of measures; if there are many, those that differ in cut-off as one.

    Examples
    --------
    >>> few_measures(["AP", "R@5"])
    'AP, R@5'
    >>> few_measures(["AP", "RR(rel=2)", *(f"P(rel=2)@{k}" for k in range(1, 61))])
    'AP, RR(rel=2), P(rel=2) at 60 cut-offs'
    """
    listed = list(names)
    if len(listed) > _LISTED:
        by_base: dict[str, list[str]] = {}
        for name in listed:
            by_base.setdefault(name.partition("@")[0], []).append(name)
        listed = [
            some[0] if len(some) == 1 else f"{base} at {len(some)} cut-offs"
            for base, some in by_base.items()
        ]
    return first_few(listed, _LISTED, unit="measure")


def measures_in_words(names: Iterable[str], limit: int = 4) -> str:
    """The names of measures in a sentence.

    Examples
    --------
    >>> [measures_in_words(names) for names in (["AP"], ["AP", "RR"], ["AP", "RR", "P@5"])]
    ['AP', 'AP and RR', 'AP, RR and P@5']
    >>> measures_in_words(["AP", "RR", "P@5"], 2)
    'AP, RR, and 1 more'
    """
    listed = list(names)
    if len(listed) > limit or len(listed) < 2:
        return first_few(listed, limit)
    return f"{', '.join(listed[:-1])} and {listed[-1]}"


def with_direction(name: str, *, higher_is_better: bool) -> str:
    """A measure in a title, which says so if lower is better.

    Examples
    --------
    >>> with_direction("AP", higher_is_better=True), with_direction("ERR", higher_is_better=False)
    ('AP', 'ERR (lower is better)')
    """
    return name if higher_is_better else f"{name} (lower is better)"


# What `stats` needs of scores: the values of all systems by one measure.


Undefined = Literal["zero", "exclude"]

_RARE = 0.01  # a smaller share of worlds without relevant items is not worth a warning


def report_undefined_cells(
    without: Mapping[str, Bools], cells: Cells, queries: tuple[str, ...], *, exclude: bool
) -> None:
    """Warn with the number of cells without relevant items.

    Parameters
    ----------
    without : mapping from a measure's name to (cells,) bool
    cells : Cells
    queries : tuple of str
    exclude : bool
        Whether they are left out, or have the value that the measure gives to an empty result.
    """
    notes: dict[str, list[str]] = {}
    for name, none in without.items():
        if none.any():
            unit = "query" if cells.n_subjects == 1 else "subject–query pair"
            names = first_few(queries[j] for j in np.unique(cells.query[none]).tolist())
            where = f"{int(none.sum()):,} of {counted(len(none), unit)} ({names})"
            notes.setdefault(where, []).append(name)
    _warn(notes, exclude=exclude)


def report_undefined_worlds(
    chance_of_none: Mapping[str, Floats], queries: tuple[str, ...], *, exclude: bool
) -> None:
    """Warn of queries without relevant items in a hundredth of the worlds or more.

    Parameters
    ----------
    chance_of_none : mapping from a measure's name to (queries,) float
    queries : tuple of str
    exclude : bool
    """
    notes: dict[str, list[str]] = {}
    for name, none in chance_of_none.items():
        at = np.flatnonzero(none >= _RARE)
        if len(at):
            names = first_few(queries[j] for j in at)
            share = none[at].mean()
            where = (
                f"{len(at):,} of {counted(len(queries), 'query')} ({names}), in "
                f"{share:.2g} of worlds"
            )
            notes.setdefault(where, []).append(name)
    _warn(notes, exclude=exclude)


def _warn(notes: Mapping[str, list[str]], *, exclude: bool) -> None:
    if notes:
        consequence = "are left out" if exclude else "count as nothing found"
        parts = (f"{few_measures(names)}: {where}" for where, names in notes.items())
        text = first_few(parts, separator="; ", unit="group")
        advice = "" if exclude else "; undefined='exclude' leaves them out"
        warn(
            f"no relevant item, so that these are undefined and {consequence}: {text}{advice}",
            UndefinedMeasureWarning,
        )
