"""What exact paths and drawing need of an uncertain truth and the systems that answered to it.

Two kinds of truth meet systems so far: judgments of (query, item) pairs (`blocks`), and
assignments of items to the categories of a taxonomy, the query being an item (`example_blocks`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.segments import segment_sum
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.item_probabilities import ItemProbabilities


@dataclass(frozen=True, slots=True, eq=False)
class Mixture:
    """One system's lists under a truth whose items are independent given a component of it.

    A query may belong to one of several categories; given its category, items are independent.
    Components are laid out as the queries of `probabilities`.

    Parameters
    ----------
    probabilities : ItemProbabilities
        Those of all components, end to end.
    offsets : (queries + 1,) int or None
        Where each query's components start; None: a query has one.
    weight : (..., components) float or None
        Probability of each component, its query given; None: 1.
    """

    probabilities: ItemProbabilities
    offsets: Array | None = None
    weight: Array | None = None

    def mean(self, values: Array) -> Array:
        """Expectation over components: (..., components) → (..., queries)."""
        if self.offsets is None or self.weight is None:
            return values
        return segment_sum(self.weight * values, self.offsets)

    def of_query(self, query: int) -> list[tuple[float, ItemProbabilities]]:
        """The components of one query and their probabilities, in the only outer world."""
        if self.offsets is None or self.weight is None:
            return [(1.0, self.probabilities.of_query(query))]
        weight = self.weight.reshape(-1, self.weight.shape[-1])[0]
        at = range(int(self.offsets[query]), int(self.offsets[query + 1]))
        return [(float(weight[c]), self.probabilities.of_query(c)) for c in at if weight[c] > 0]


class Drawn(Protocol):
    """Some drawn worlds."""

    def batch(self, system: int) -> Batch:
        """What measures need of one system in these worlds."""

    def __len__(self) -> int: ...


class Chances(Protocol):
    """What some outer worlds say of the items of a block."""

    def __len__(self) -> int: ...

    def __getitem__(self, worlds: slice, /) -> Self: ...

    def draw(self, repeats: int, seed: np.random.SeedSequence) -> Drawn:
        """Draw `repeats` worlds of each outer one, which stay neighbours."""

    def mixture(self, system: int) -> Mixture | None:
        """One system's lists under each outer world; None where ties are open."""

    def chance_of_none(self, rel: float | None) -> Array:
        """Probability that no item has a grade of `rel` (None: above 0): (outer, queries)."""


class QueryBlock(Protocol):
    """Some whole queries: their items, and what each system has of them."""

    @property
    def n_queries(self) -> int:
        """Number of queries."""

    @property
    def stream(self) -> int:
        """Which random numbers draw its worlds; blocks that share items share them."""

    def chances(self, worlds: slice) -> Chances:
        """What some outer worlds say."""


class Meeting(Protocol):
    """An uncertain truth and the systems that answered to it."""

    @property
    def weight(self) -> Array:
        """Probability of each outer world: (outer,)."""

    @property
    def drawn(self) -> bool:
        """Whether the outer worlds are a random sample of those there are."""

    @property
    def n_systems(self) -> int:
        """Number of systems."""

    def blocks(self) -> Sequence[slice]:
        """Cut the queries into blocks whose worlds fit into cache."""

    def block(self, number: int, queries: slice) -> QueryBlock:
        """One block of queries."""

    def inflation(self, queries: slice) -> Array:
        """What makes the variance over resamples unbiased, S / (S - 1): (queries,) or (1,)."""
