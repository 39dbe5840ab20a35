"""Means of systems with the letters of those that they beat."""

from __future__ import annotations

from string import ascii_lowercase
from typing import TYPE_CHECKING

from fuzzytruth.comparison.inference import letters
from fuzzytruth.evaluation.scores.score_rows import best_first, best_systems
from fuzzytruth.show.answer import Column, Table, first_rows
from fuzzytruth.show.number_text import digits_for, number_text

if TYPE_CHECKING:
    from fuzzytruth.comparison.result import Comparison


def means_table(result: Comparison, limit: int | None = None) -> Table:
    """Means with the letters of the systems beaten, the best by the first measure first.

    Of more systems than `limit`, the first, with the number of those beaten.
    """
    conditions, measures = result.conditions, result.conditions.measures
    means, marks, n = result.means, result.superscripts(), len(result.means)
    values = means.to_numpy(dtype=float)  # (systems, measures)
    up = conditions.higher_is_better
    order = best_first(values[:, 0], higher_is_better=up[0]).tolist()
    best = best_systems(values, up)
    counted_only = limit is not None and n > limit
    label = letters(n)
    columns = [
        Column.label("", (label[j] for j in order)),
        Column.label("system", (means.index[j] for j in order)),
    ]
    for m, measure in enumerate(measures):
        beats = [_beats(mark, counted_only, n) for mark in marks[measure]]
        digits = digits_for(values[:, m].tolist(), 4)
        cells = (f"{number_text(values[j, m], digits)} {beats[j]}".rstrip() for j in order)
        bold = tuple(best[order, m].tolist())
        columns.append(Column(measure, tuple(cells), "label", bold))
    kept, _ = first_rows(columns[1:] if counted_only else columns, limit or n)
    of, what = (
        (f" of {limit} of {n} systems", "in parentheses how many")
        if counted_only
        else ("", "letters")
    )
    beaten = f"{what}: {conditions.beaten}"
    return Table(kept, f"Means{of} by {measures[0]}, the best first; {beaten}.")


def _beats(mark: str, counted_only: bool, n_systems: int) -> str:
    """The letters of the systems beaten, or how many they are."""
    if not counted_only:
        return mark.replace(",", ", ")
    separated = n_systems > len(ascii_lowercase)
    return f"({len(mark.split(',')) if separated and mark else len(mark)})"
