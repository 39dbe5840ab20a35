"""What is random: queries, subjects, worlds."""

from __future__ import annotations

from typing import Literal, cast, get_args

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.errors import choice

Axis = Literal["query", "subject", "world"]
Over = tuple[Axis, ...]

_WORDS = {"query": "queries", "subject": "subjects", "world": "worlds"}


def in_words(over: Over) -> str:
    """Name axes, such as "queries and subjects"."""
    return " and ".join(_WORDS[axis] for axis in over)


# Alternative hypotheses: two-sided, or that a difference is above or below 0.


Alternative = Literal["two-sided", "greater", "less"]


def check_alternative(given: object) -> Alternative:
    """One of the three.

    Raises
    ------
    OptionError
        It is something else.
    """
    choice("alternative", given, get_args(Alternative))
    return cast("Alternative", given)


def towards(alternative: Alternative, value: Floats) -> Floats:
    """How far values are from 0 on the side of the alternative; negative on the other side."""
    if alternative == "two-sided":
        return np.abs(value)
    return value if alternative == "greater" else -value


def ends(alternative: Alternative, value: Floats, half: Floats) -> tuple[Floats, Floats]:
    """Ends of intervals that reach `half` from the values; one-sided ones are open at one end.

    NaN where the value is.
    """
    infinite = np.where(np.isnan(value), np.nan, np.inf)
    lower = -infinite if alternative == "less" else value - half
    upper = infinite if alternative == "greater" else value + half
    return lower, upper
