"""Whether finite Bradley–Terry strengths exist, and otherwise why not."""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzzytruth._typing import Ints
from fuzzytruth.data.preferences import Preferences
from fuzzytruth.errors import DataError, counted, first_few, shown
from fuzzytruth.stats.bradley_terry import components


def check_finite(preferences: Preferences, wins: Any) -> None:
    """Raise unless finite strengths exist in every query.

    Parameters
    ----------
    preferences : Preferences
    wins : sparse array, (items, items)
        Wins of the row's item over the column's.

    Raises
    ------
    DataError
        Some items of a query won, or lost, every comparison with its other items, or were never
        compared with them (Ford 1957).
    """
    strong, weak = components(wins)
    offsets = preferences.offsets
    starts, ends = offsets[:-1], offsets[1:]
    spread = np.maximum.reduceat(strong, starts) != np.minimum.reduceat(strong, starts)
    if not spread.any():
        return
    worst = int(np.argmax(spread))
    rows = slice(int(starts[worst]), int(ends[worst]))
    names = np.array(preferences.items[rows], dtype=object)
    place, of, leave = preferences.where, "", ""
    if preferences.queries is not None:
        place = f"{preferences.where}, query {shown(preferences.queries[worst])}"
        of = f" (in {int(spread.sum()):,} of {counted(len(spread), 'query')})"
        leave = (
            f", or leave out the column {shown(preferences.query_column)} for one model of all "
            "comparisons"
        )
    raise DataError(
        f"{place}: {_obstacle(wins, rows, names, strong, weak)}, so that there are no "
        f"finite strengths{of}; give prior=1, which adds half a win and half a loss between every "
        f"two items of a query{leave}"
    )


def _obstacle(wins: Any, rows: slice, names: Any, strong: Ints, weak: Ints) -> str:
    """Why the items `rows` of a query have no finite strengths."""
    part = weak[rows]
    apart = part != part[0]
    if apart.any():
        sides = (first_few(names[side], show=shown) for side in (~apart, apart))
        return "no comparisons connect {} with {}".format(*sides)
    won_over = wins[rows].tocoo()
    own = strong[rows]
    across = own[won_over.row] != strong[won_over.col]
    lost = np.isin(own, strong[won_over.col[across]])  # some comparison with another component
    won = np.isin(own, own[won_over.row[across]])
    outcomes = [("won", names[~lost]), ("lost", names[~won])]
    outcomes.sort(key=lambda outcome: len(outcome[1]))
    if sum(len(some) for _, some in outcomes) == len(names):  # each says what the other does
        del outcomes[1]
    return " and ".join(
        f"{first_few(some, show=shown)} {verb} every comparison with the other items"
        for verb, some in outcomes
    )
