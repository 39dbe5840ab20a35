"""Queries and items that only the truth, or only a run, has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fuzzytruth.data.ranked_lists import RankedLists


@dataclass(frozen=True, slots=True)
class Coverage:
    """What truth and runs do not share, by system.

    Parameters
    ----------
    judged : tuple of str
        The queries of the truth.
    missing : mapping of system to queries
        Judged queries that the system does not answer.
    unjudged : mapping of system to queries
        Queries that the system answers and nobody judged.
    disjoint : mapping of system to queries
        Systems without any judged query, and the queries they answer.
    unknown_items : mapping of system to int
        Retrieved items outside the collection that the truth is about.
    unknown_because : str
        What these items lack.
    unjudged_lists : mapping of system to (retrieved item, judged item)
        Systems that retrieved no judged item at all, with an example of each for the same query.
    unknown_examples : mapping of system to str
        One of the system's unknown items, as shown in errors.
    lacking : str
        What the queries in `unjudged` lack.
    note : str
        What queries and items are in this truth, ready to end a message.
    """

    judged: tuple[str, ...]
    missing: Mapping[str, list[str]]
    unjudged: Mapping[str, list[str]]
    disjoint: Mapping[str, tuple[str, ...]]
    unknown_items: Mapping[str, int] = field(default_factory=dict)
    unknown_because: str = "without votes or outside the collection"
    unjudged_lists: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    unknown_examples: Mapping[str, str] = field(default_factory=dict)
    lacking: str = "judgments"
    note: str = ""


def coverage_of(judged: tuple[str, ...], runs: RankedLists) -> Coverage:
    """Compare the queries of a truth with those of each run."""
    known = set(judged)
    missing: dict[str, list[str]] = {}
    unjudged: dict[str, list[str]] = {}
    disjoint: dict[str, tuple[str, ...]] = {}
    for system, queries in runs.queries.items():
        if queries == judged:
            continue
        answered = set(queries)
        if known.isdisjoint(answered):
            disjoint[system] = queries
        if not known <= answered:
            missing[system] = [q for q in judged if q not in answered]
        if not answered <= known:
            unjudged[system] = [q for q in queries if q not in known]
    return Coverage(judged, missing, unjudged, disjoint)
