"""Whether there are enough independent worlds for intervals over them to be finite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzzytruth.errors import counted
from fuzzytruth.io.number_text import level_text
from fuzzytruth.stats.axes import Over
from fuzzytruth.stats.draws import least_draws

if TYPE_CHECKING:
    from fuzzytruth.evaluation.score_arrays import ScoreArrays


def few_worlds(scores: ScoreArrays, over: Over, level: float) -> str:
    """Why intervals of means are infinite and what to do; "" where they are finite."""
    spread = scores.uncertainty
    if over != ("world",) or spread is None or spread.worlds != "independent":
        return ""
    return few_worlds_text(spread.n_worlds, least_draws(level), f"{level_text(level)} intervals")


def few_worlds_text(n_worlds: int, needed: int, intervals: str) -> str:
    """How many worlds finite intervals take; "" where there are so many.

    Examples
    --------
    >>> few_worlds_text(20, 39, "95 % intervals")
    '20 worlds are too few for 95 % intervals: n_worlds=39 or more gives finite ones'
    >>> few_worlds_text(39, 39, "95 % intervals")
    ''
    """
    if n_worlds >= needed:
        return ""
    return (
        f"{counted(n_worlds, 'world is', 'worlds are')} too few for {intervals}: "
        f"n_worlds={needed:,} or more gives finite ones"
    )
