"""Cutting queries into blocks of bounded size."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import NoReturn, TypeVar

import numpy as np

from fuzzytruth._typing import Array, Ints
from fuzzytruth.truth.protocol import AlignedTruth


def cut(offsets: Array, size: int) -> list[slice]:
    """Cut queries into blocks of about `size` items, whose offsets are given."""
    count = np.diff(offsets)
    block = (offsets[:-1] + count // 2) // size
    starts = np.flatnonzero(np.diff(block, prepend=-1))
    return [slice(int(a), int(b)) for a, b in zip(starts, [*starts[1:], len(count)], strict=True)]


# A truth in parts of whole queries, each of which is held elsewhere, such as by a cluster.


Result = TypeVar("Result")


class PartedTruth(ABC):
    """What is known of an aligned truth whose parts can be worked on where they are.

    Its other attributes are those of `AlignedTruth` that need no part: names, cells and facts.

    Parameters
    ----------
    query_order : (queries,) int
        Where each query stands among those of all parts, these one after the other.
    cell_order : (cells,) int
        The same of cells.
    """

    query_order: Ints
    cell_order: Ints

    @abstractmethod
    def each(
        self,
        function: Callable[[AlignedTruth], Result],
        merge: Callable[[Sequence[Result]], Result] | None = None,
    ) -> list[Result]:
        """What a function gives for each part; called where the part is.

        With `merge`, which makes one result of those of neighbouring parts, only a few come here.
        """

    @abstractmethod
    def part_of(self, query: int) -> tuple[AlignedTruth, slice, slice]:
        """The part with a query, brought here; its queries and cells among those of all parts."""

    def __reduce__(self) -> NoReturn:
        """Never pickled, for it would be useless where its parts are not known."""
        raise TypeError("the parts of this truth are held elsewhere")
