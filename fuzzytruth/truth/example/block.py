"""Some queries by example and every run's lists."""

from __future__ import annotations

from dataclasses import dataclass

from fuzzytruth._typing import Ints
from fuzzytruth.truth.example.collection import Collection
from fuzzytruth.truth.example.lists import ExampleLists


@dataclass(frozen=True, slots=True, eq=False)
class ExampleBlock:
    """Some whole queries.

    Parameters
    ----------
    collection : Collection
    queries : slice
        Which of the collection's queries.
    lists : tuple of ExampleLists
        One for each run, of these queries only.
    too_many_groups : bool
        Whether too many items of a large collection differ in probability to be counted exactly.
    """

    collection: Collection
    queries: slice
    lists: tuple[ExampleLists, ...]
    too_many_groups: bool = False

    @property
    def n_queries(self) -> int:
        """Number of queries."""
        return int(self.queries.stop - self.queries.start)

    @property
    def query_item(self) -> Ints:
        """Which item each query is; -1 if none."""
        return self.collection.query_item[self.queries]

    @property
    def member(self) -> Ints:
        """Which item of the collection each query is; -1 if none."""
        return self.collection.member[self.queries]

    @property
    def left_out(self) -> Ints:
        """Item that each query does not count; -1 for none."""
        return self.collection.left_out[self.queries]

    @property
    def knows_itself(self) -> bool:
        """Whether a query may answer itself and asks for its own category, which is then known."""
        return self.collection.keep_query and self.collection.given is None
