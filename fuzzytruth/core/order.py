"""Order within queries: sorting rows by query and score, and runs of equal scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import U64, Floats, Ints
from fuzzytruth.core.arithmetic import begins, divide, harmonic, offsets_of, ragged, tie_groups


def query_starts(codes: NDArray[np.int32]) -> Ints:
    """Rows at which a new query begins, row 0 included."""
    return np.flatnonzero(begins(codes))


def places_in_query(codes: NDArray[np.int32]) -> Ints:
    """Place of each row in its query, from 1; the rows of each query must be contiguous."""
    starts = query_starts(codes)
    return np.arange(1, len(codes) + 1) - np.repeat(starts, np.diff(starts, append=len(codes)))


def whole_query_cuts(codes: NDArray[np.int32], n_queries: int, size: int) -> Ints:
    """Rows at which to cut into blocks of whole queries: (blocks + 1,), 0 and all included.

    Blocks have about `size` rows: they start at the first query at or after each multiple of
    `size`. All rows are one block if those of any query are not contiguous.
    """
    if not is_grouped(codes, n_queries):
        return np.array([0, len(codes)])
    starts = query_starts(codes)
    block = np.searchsorted(starts, np.arange(0, len(codes), size))
    cuts = np.append(starts[block[block < len(starts)]], len(codes))
    return cuts[np.diff(cuts, prepend=-1) > 0]  # np.unique would import numpy.ma


def is_grouped(codes: NDArray[np.int32], n_queries: int) -> bool:
    """Whether the rows of each query are contiguous."""
    starts = query_starts(codes)
    return len(starts) <= n_queries and int(np.bincount(codes[starts]).max(initial=0)) <= 1


def is_descending(codes: NDArray[np.int32], score: NDArray[np.floating]) -> bool:
    """Whether scores never rise within a query, whose rows must be contiguous."""
    rises = score[1:] > score[:-1]
    rises &= codes[1:] == codes[:-1]
    return not bool(rises.any())


def by_query_and_rank(codes: NDArray[np.int32], rank: Ints) -> Ints:
    """Rows sorted by query, then rank; they often are already."""
    step = np.diff(codes)
    if bool(((step > 0) | ((step == 0) & (np.diff(rank) >= 0))).all()):
        return np.arange(len(rank))
    return np.lexsort((rank, codes))


def best_first(codes: NDArray[np.int32], score: NDArray[np.floating]) -> Ints:
    """Rows sorted by query, then score descending; equal scores keep their order."""
    if score.dtype == np.float32:
        return np.argsort(_combined_key(codes, score), kind="stable")
    return np.lexsort((-score, codes))


def _combined_key(codes: NDArray[np.int32], score: NDArray[np.floating]) -> U64:
    """A single key that sorts by query, then score descending."""
    # +0.0 turns -0.0 into 0.0, so that equal scores have equal bits.
    bits = (score + np.float32(0)).view(np.uint32)
    # The bits of floats sort as integers once all bits of negative numbers and the sign bit of the
    # others are flipped; the complement sorts in descending order.
    negative = bits >> np.uint32(31)
    ascending = bits ^ ((np.uint32(0) - negative) | np.uint32(0x80000000))
    key = codes.astype(np.uint64) << np.uint64(32)
    key |= (~ascending).astype(np.uint64)
    return key


def tie_bounds(
    codes: NDArray[np.integer], score: NDArray[np.number], places: Ints
) -> tuple[Ints, Ints]:
    """First and last row of the run of equal scores around each of the rows `places`.

    Rows must be sorted by query and score.
    """
    same = score[1:] == score[:-1]
    same &= codes[1:] == codes[:-1]
    tied = np.flatnonzero(same)  # rows j that tie with row j + 1
    if not len(tied):
        return places, places
    # Consecutive entries a to b of `tied` are one run, of rows tied[a] to tied[b] + 1.
    cut = np.flatnonzero(np.diff(tied) > 1) + 1
    run_first = tied[np.concatenate(([0], cut))]
    run_last = tied[np.concatenate((cut, [len(tied)])) - 1] + 1
    run = np.maximum(np.searchsorted(run_first, places, side="right") - 1, 0)
    inside = (places >= run_first[run]) & (places <= run_last[run])
    return np.where(inside, run_first[run], places), np.where(inside, run_last[run], places)


# Orders of systems beside a reference order: Kendall's τ_b and τ_AP, with ties.
#
# References
# ----------
# Kendall, M. G. (1945), The treatment of ties in ranking problems, Biometrika 33. Yilmaz, E.,
# Aslam, J. & Robertson, S. (2008), A new rank correlation coefficient for information retrieval,
# SIGIR. Urbano, J. & Marrero, M. (2017), The treatment of ties in AP correlation, ICTIR.


def beats(values: Floats, scale: float | None = None) -> NDArray[np.int8]:
    """Sign of each pair's difference: (..., k) → (..., k, k), 1 where the first is larger.

    Values that are equal but for rounding errors tie (`core.rounding`); `scale` is the largest
    |value| that they come from, by default theirs.
    """
    groups = _groups(values, scale)
    return np.asarray(np.sign(groups[..., :, None] - groups[..., None, :]).astype(np.int8))


@dataclass(frozen=True, slots=True, eq=False)
class ComparedOrders:
    """Orders of k systems in some draws, compared with a reference order.

    Parameters
    ----------
    above, tied : (draws, k) float
        Number of systems above each, and tied with it, itself included.
    right_above, right_tied : (draws, k) float
        How many of these belong above it; one that ties with it in the reference counts half.
    weight_above, weight_tied : (k, k) float
        Weight of the draws in which the first system is above the second, or tied with it.
    """

    above: Floats
    tied: Floats
    right_above: Floats
    right_tied: Floats
    weight_above: Floats
    weight_tied: Floats

    @classmethod
    def of(
        cls, values: Floats, weight: Floats, reference: NDArray[np.int8], scale: float | None = None
    ) -> ComparedOrders:
        """Orders by values (draws, k), of weight (draws,), beside signs of `beats` (k, k).

        Ties and `scale` are those of `beats`.
        """
        draws, k = values.shape
        right = np.stack((np.ones((k, k)), (1 - reference) / 2), axis=1)  # (k, 2, other systems)
        counts = np.empty((2, k, 2, draws))
        weights = np.zeros((2, k, k))
        groups = np.ascontiguousarray(_groups(values, scale).T)  # (k, draws)
        for i in range(k):
            for part, holds in enumerate((groups > groups[i], groups == groups[i])):  # above, tied
                ones = holds.astype(np.float64)
                weights[part, :, i] = ones @ weight
                counts[part, i] = right[i] @ ones
        order = np.ascontiguousarray(counts.transpose(0, 2, 3, 1))
        return cls(order[0, 0], order[1, 0], order[0, 1], order[1, 1], weights[0], weights[1])

    def shares(self, weight: Floats) -> Floats:
        """Weight of the draws in which each system has each place, ties evenly: (k, places)."""
        k = self.above.shape[-1]
        size = self.tied.astype(np.int64).ravel()
        first = self.above.astype(np.int64).ravel()
        offsets = offsets_of(size)
        owner, entry = ragged(offsets, np.arange(size.size))  # (draw, system), each of its places
        place = first[owner] + entry - offsets[owner]
        each: Any = (np.repeat(weight, k) / size)[owner]
        out: Floats = np.bincount(owner % k * k + place, each, k * k).astype(np.float64)
        return out.reshape(k, k)

    def tau_b(self, reference: NDArray[np.int8]) -> Floats:
        """Kendall's τ_b with the reference: (draws,); NaN where all is tied."""
        pairs = self.above.sum(axis=-1)
        agree = 2 * (2 * self.right_above.sum(axis=-1) - pairs)
        untied = 2 * pairs * np.abs(reference).sum(dtype=float)
        return divide(agree, np.sqrt(untied), fill=np.nan)

    def tau_ap(self) -> Floats:
        """Top-weighted rank correlation τ_AP with the reference: (draws,).

        Ties in an order: the expectation over random tie-breaks. A pair that is tied in the
        reference counts half in either order. NaN for a single system.
        """
        k = self.above.shape[-1]
        if k < 2:
            return np.full(len(self.above), np.nan)
        p, t = self.above.astype(np.int64), self.tied.astype(np.int64)
        each = (self.right_tied - 0.5) / np.maximum(t - 1, 1)  # minus the system itself
        sums = harmonic(k)
        # Of places p + 1 .. p + t: sums of 1 / (place - 1) and of (place - 1 - p) / (place - 1).
        inverse = sums[p + t - 1] - sums[np.maximum(p - 1, 0)]
        filled = np.where(p > 0, t, t - 1) - p * inverse
        expected = (self.right_above * inverse + each * filled) / t
        return np.asarray(2 / (k - 1) * expected.sum(axis=-1) - 1)


def _groups(values: Floats, scale: float | None) -> NDArray[np.int32]:
    """Numbers of groups of tied values along the last axis, small integers to compare fast."""
    largest = np.abs(values).max(initial=0.0) if scale is None else scale
    return tie_groups(values, largest).astype(np.int32)
