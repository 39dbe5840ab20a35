"""How much each subject's votes count: as given, one subject alone, or subjects resampled.

An *outer* world says with which probability each item has each of its grades; within it, items draw
their grades independently. Kinds of worlds differ in their outer worlds only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from fuzzytruth._typing import U64, Array, Floats, Ints
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.checksums import Entropy, keyed_bits, keys_of
from fuzzytruth.core.clusters import subject_resamples
from fuzzytruth.io.columns import hashes_apart, string_array


def _one() -> Floats:
    return np.ones(1)


def _first() -> U64:
    return np.zeros(1, dtype=np.uint64)


_APART = np.uint64(1 << 32)  # counters between the streams of two resamples


@dataclass(frozen=True, slots=True, eq=False)
class VoteWeights:
    """Outer worlds, as weights of the votes.

    Parameters
    ----------
    weight : (outer,) float
        Probability of each outer world; sums to 1.
    counts : (outer, voters) float or None
        How often each voter counts; None: votes count as given.
    by_cell : bool
        Whether voters are cells, a (query, subject) each, or subjects.
    drawn : bool
        Whether the outer worlds are a random sample, or all possible ones.
    inflation : (queries,) or (1,) float
        Factor that makes the variance over resamples of S subjects unbiased, S / (S - 1).
    streams : (outer,) uint64
        Where the counters of the random numbers of each outer world start.
    """

    weight: Floats
    counts: Floats | None = None
    by_cell: bool = False
    drawn: bool = False
    inflation: Floats = field(default_factory=_one)
    streams: U64 = field(default_factory=_first)

    def __len__(self) -> int:
        return len(self.weight)

    def __getitem__(self, outer: slice) -> VoteWeights:
        counts = None if self.counts is None else self.counts[outer]
        streams = self.streams[outer]
        return replace(self, weight=self.weight[outer], counts=counts, streams=streams)

    def inflation_of(self, queries: slice) -> Floats:
        """The factors of some queries: (queries,) or (1,)."""
        return self.inflation if len(self.inflation) == 1 else self.inflation[queries]


def as_given() -> VoteWeights:
    """One outer world, in which all votes count as they are."""
    return VoteWeights(np.ones(1))


def single_subjects(subjects: Array, names: Sequence[str]) -> VoteWeights:
    """An outer world for each of some subjects, whose votes alone count.

    Parameters
    ----------
    subjects : (outer,) int
    names : sequence of str
        Of all subjects; the random numbers of a subject's world depend on the name.
    """
    counts = np.zeros((len(subjects), len(names)))
    counts[np.arange(len(subjects)), subjects] = 1.0
    weight = np.full(len(subjects), 1 / len(subjects))
    streams = hashes_apart(string_array(names))[subjects]
    return VoteWeights(weight, counts, streams=streams)


def resampled_subjects(
    names: Sequence[str], n_worlds: int, seed: np.random.SeedSequence
) -> VoteWeights:
    """Bootstrap resamples of the subjects, enumerated when they are few.

    The same for any order of the subjects.
    """
    n_subjects = len(names)
    weight, counts, drawn = subject_resamples(n_subjects, n_worlds, seed)
    inflation = np.array([n_subjects / (n_subjects - 1)])
    counts = counts[:, _place_by_name(names)]
    streams = np.arange(len(weight), dtype=np.uint64) * _APART
    return VoteWeights(weight, counts, drawn=drawn, inflation=inflation, streams=streams)


def resampled_within_queries(
    cells: Cells, queries: Sequence[str], names: Sequence[str], n_worlds: int, entropy: Entropy
) -> VoteWeights:
    """Bootstrap resamples of nested subjects: each query's own, drawn by themselves.

    Every query needs two subjects or more. The draws depend on the ids of the query and its
    subjects, not on what else there is.
    """
    offsets, size = cells.offsets, np.diff(cells.offsets)  # (queries,) subjects who judged
    by_name = np.lexsort((_place_by_name(names)[cells.subject_codes], cells.query))
    keys = keys_of(entropy, hashes_apart(string_array(queries)))
    counts = np.zeros((n_worlds, len(cells)))
    words = np.arange((n_worlds + 1) // 2, dtype=np.uint64)
    world = np.arange(n_worlds)
    for nth in range(int(size.max())):  # one draw for each of a query's subjects
        counter = words + np.uint64(nth) * _APART
        larger = np.flatnonzero(nth < size)
        for rows, bits in keyed_bits(keys[larger], counter):
            some = larger[rows, None]
            chosen = (bits[:, :n_worlds] * size[some]) >> 32  # of 64 bits
            counts[world, by_name[offsets[some] + chosen]] += 1
    weight = np.full(n_worlds, 1 / n_worlds)
    streams = np.arange(n_worlds, dtype=np.uint64) * _APART
    inflation = size / (size - 1)
    return VoteWeights(weight, counts, True, True, inflation, streams)


def _place_by_name(names: Sequence[str]) -> Ints:
    """Place of each subject among all by name: (subjects,)."""
    out = np.empty(len(names), dtype=np.int64)
    out[np.argsort(np.array(names, dtype=object), kind="stable")] = np.arange(len(names))
    return out
