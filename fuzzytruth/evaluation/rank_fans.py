"""Quantiles of precision, recall or F at every rank: what a fan is drawn from."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from fuzzytruth.core.validation import between_zero_and_one
from fuzzytruth.data.distribution.distribution import Distribution
from fuzzytruth.errors import OptionError

if TYPE_CHECKING:
    import pandas as pd

LEVELS = (0.5, 0.8, 0.95)


def check_levels(levels: Any) -> tuple[float, ...]:
    """Levels of nested intervals, ascending, each once."""
    several = isinstance(levels, Iterable) and not isinstance(levels, str)
    out = sorted({between_zero_and_one("levels", x) for x in (levels if several else [levels])})
    if not out:
        raise OptionError("levels: name at least one, such as 0.95")
    return tuple(out)


def fan_rows(
    at_rank: Callable[[int], Distribution], depth: int, levels: tuple[float, ...]
) -> pd.DataFrame:
    """One row for each rank and level; columns rank, mean, median, level, lower, upper."""
    import pandas as pd

    rows = []
    for rank in range(1, depth + 1):
        found = at_rank(rank)
        middle = (rank, found.mean(), found.median())
        rows += [(*middle, level, *found.interval(level)) for level in levels]
    return pd.DataFrame(rows, columns=["rank", "mean", "median", "level", "lower", "upper"])
