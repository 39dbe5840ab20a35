"""What is random: queries, subjects, worlds."""

from __future__ import annotations

from typing import Literal

Axis = Literal["query", "subject", "world"]
Over = tuple[Axis, ...]

_WORDS = {"query": "queries", "subject": "subjects", "world": "worlds"}


def in_words(over: Over) -> str:
    """Name axes, such as "queries and subjects"."""
    return " and ".join(_WORDS[axis] for axis in over)
