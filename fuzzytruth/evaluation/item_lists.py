"""Checks of ranked lists that users hand in."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from fuzzytruth.errors import DataError, shown

Item = Hashable


def check_not_text(given: object, name: str) -> None:
    """Raise `DataError` for a single text where a list of items is needed."""
    if isinstance(given, str):
        raise DataError(f"{name}={shown(given)}: must be a list of items, not one text")


def check_once(items: Sequence[Item], name: str) -> None:
    """Raise `DataError` if an item is listed twice, or is no id."""
    for place, item in enumerate(items, start=1):
        if not isinstance(item, Hashable):
            raise DataError(f"{name}, place {place}: {shown(item)} cannot be the id of an item")
    if len(set(items)) == len(items):
        return
    first: dict[Item, int] = {}
    for place, item in enumerate(items, start=1):
        if first.setdefault(item, place) != place:
            raise DataError(
                f"{name}: {shown(item)} is listed twice, at places {first[item]} and {place}; "
                "remove one"
            )
