"""What evaluation asks of ranked lists, whether they are in memory or in files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from fuzzytruth.data.ranking import Ranking

Result = TypeVar("Result")


class RankedLists(Protocol):
    """The ranked lists of one or more systems."""

    def each_block(self, function: Callable[[Ranking], Result]) -> dict[str, list[Result]]:
        """What a function gives for each block of whole lists, by system.

        All rows that a system has for a query are in one block. The function may be called by
        several threads.
        """

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""

    @property
    def queries(self) -> Mapping[str, tuple[str, ...]]:
        """Ids of the queries that each system answers."""

    @property
    def checksums(self) -> Mapping[str, str]:
        """See `Ranking.checksum`, by system."""
