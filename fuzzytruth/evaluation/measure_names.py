"""Names of measures in messages and titles."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fuzzytruth.errors import first_few

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
