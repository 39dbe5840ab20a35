"""The items of one system's lists side by side, as exact kernels take them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.columns import LONG, columns, of_similar_size
from fuzzytruth.core.segments import offsets_of, segment_of
from fuzzytruth.truth.item_probabilities import ItemProbabilities

_CELLS = 1 << 22  # numbers that kernels keep for lists side by side


@dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """Items of some queries' lists in some resamples, each list a column.

    Parameters
    ----------
    query : (lists,) int
    length : (lists,) int
        Number of retrieved items.
    inside : (items, lists) float
        Probabilities of the items inside the cut-off.
    attached : (items, lists) float
        A number attached to each of them, such as its rank; 0 in the padding. No rows if nothing
        is attached.
    others : (items, lists) float
        Probabilities of all other judged items.
    count : (items, lists) float or None
        How many items each of these stands for.
    long : bool
        Whether it is a single list of very many items.
    """

    query: Array
    length: Array
    inside: Array
    attached: Array
    others: Array
    count: Array | None
    long: bool

    def part(self, some: slice) -> Lists:
        """Some of the lists."""
        return Lists(
            self.query[some],
            self.length[some],
            self.inside[:, some],
            self.attached[:, some],
            self.others[:, some],
            None if self.count is None else self.count[:, some],
            self.long,
        )


@dataclass(frozen=True, slots=True, eq=False)
class SplitLists:
    """Items inside and outside a cut-off, ragged by query.

    Parameters
    ----------
    length : (queries,) int
    p : (..., items) float
        Probabilities of the items inside.
    attached : (items,) float or None
        A number attached to each of them.
    offsets : (queries + 1,) int
        Where each query's items inside start.
    others, others_offsets
        The same of all other judged items: first those that are not retrieved, then the hits
        beyond the cut-off, the deepest first.
    count : (..., other items) float or None
        How many items each of these stands for.
    """

    length: Array
    p: Array
    attached: Array | None
    offsets: Array
    others: Array
    others_offsets: Array
    count: Array | None

    @property
    def n_judged(self) -> Array:
        """Number of items of each query, those with a common count as one: (queries,)."""
        return np.diff(self.offsets) + np.diff(self.others_offsets)

    def compute(
        self,
        kernel: Callable[[Lists], tuple[Array, ...]],
        *,
        alone: bool = True,
        cells: Callable[[int], int] = lambda size: size,
    ) -> tuple[Array, ...]:
        """What a kernel gives for each list: (..., queries) each.

        Parameters
        ----------
        kernel : callable
            Numbers of each list, (lists,) each.
        alone, cells
            See `groups`.
        """
        lead, n_queries = self.p.shape[:-1], len(self.length)
        out: list[Array] = []
        for where, lists in self.groups(alone=alone, cells=cells):
            given = kernel(lists)
            out = out or [np.zeros(math.prod(lead) * n_queries) for _ in given]
            for whole, part in zip(out, given, strict=True):
                whole[where] = part
        return tuple(whole.reshape(*lead, n_queries) for whole in out)

    def groups(
        self, *, alone: bool = True, cells: Callable[[int], int] = lambda size: size
    ) -> Iterator[tuple[Array, Lists]]:
        """Lists of similar size, and where their values go in an array (..., queries), flat.

        Parameters
        ----------
        alone : bool
            Whether lists of very many items come one by one.
        cells : callable
            How many numbers are kept for a list of that many items.
        """
        n_judged, n_queries = self.n_judged, len(self.length)
        n_lead = math.prod(self.p.shape[:-1])
        for chosen in of_similar_size(n_judged, alone=alone):
            where = (np.arange(n_lead)[:, None] * n_queries + chosen).ravel()
            size = int(n_judged[chosen].max())
            lists = self._columns(chosen, n_lead, alone and size >= LONG)
            step = 1 if lists.long else max(1, _CELLS // max(1, cells(size)))
            for at in range(0, len(where), step):
                some = slice(at, at + step)
                yield where[some], lists if step >= len(where) else lists.part(some)

    def _columns(self, chosen: Array, n_lead: int, long: bool) -> Lists:
        """Some queries in all resamples."""
        attached, count = np.zeros((0, n_lead * len(chosen))), None
        if self.attached is not None:
            attached = np.tile(columns(self.attached, self.offsets, chosen), (1, n_lead))
        if self.count is not None:
            count = columns(self.count, self.others_offsets, chosen)
            count = np.tile(count, (1, n_lead * len(chosen) // count.shape[1]))
        return Lists(
            np.tile(chosen, n_lead),
            np.tile(self.length[chosen], n_lead),
            columns(self.p, self.offsets, chosen),
            attached,
            columns(self.others, self.others_offsets, chosen),
            count,
            long,
        )


def split_lists(
    m: ItemProbabilities, p: Array, rest: Array, within: Array, attached: Array | None = None
) -> SplitLists:
    """Items inside and outside a cut-off.

    Parameters
    ----------
    p : (..., hits) float
        Probability that each hit is relevant.
    rest : (..., items) float
        Those of the judged items that are not retrieved.
    within : (hits,) bool
        Which hits are inside.
    attached : (hits,) float, optional
        A number attached to each of them.
    """
    lead = np.broadcast_shapes(p.shape[:-1], rest.shape[:-1])
    p = np.broadcast_to(p, (*lead, p.shape[-1]))
    rest = np.broadcast_to(rest, (*lead, rest.shape[-1]))
    count, offsets, others_offsets = m.rest.count, m.hits.offsets, m.rest.offsets
    if not within.all():
        query = segment_of(offsets)
        beyond = np.flatnonzero(~within)[::-1]
        owner = np.concatenate((segment_of(others_offsets), query[beyond]))
        order = np.argsort(owner, kind="stable")
        rest = np.concatenate((rest, p[..., beyond]), axis=-1)[..., order]
        if count is not None:
            one = np.ones((*count.shape[:-1], len(beyond)))
            count = np.concatenate((count, one), axis=-1)[..., order]
        others_offsets = offsets_of(np.bincount(owner, minlength=m.n_queries))
        offsets = offsets_of(np.bincount(query[within], minlength=m.n_queries))
        p, attached = p[..., within], None if attached is None else attached[within]
    return SplitLists(m.length, p, attached, offsets, rest, others_offsets, count)
