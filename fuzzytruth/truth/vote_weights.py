"""How much each subject's votes count: as given, one subject alone, or subjects resampled.

An *outer* world says with which probability each item has each of its grades; within it, items draw
their grades independently. Kinds of worlds differ in their outer worlds only.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from fuzzytruth._typing import Array, Floats
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.resampled_subjects import subject_resamples


def _one() -> Floats:
    return np.ones(1)


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
    """

    weight: Floats
    counts: Floats | None = None
    by_cell: bool = False
    drawn: bool = False
    inflation: Floats = field(default_factory=_one)

    def __len__(self) -> int:
        return len(self.weight)

    def __getitem__(self, outer: slice) -> VoteWeights:
        counts = None if self.counts is None else self.counts[outer]
        return replace(self, weight=self.weight[outer], counts=counts)

    def inflation_of(self, queries: slice) -> Floats:
        """The factors of some queries: (queries,) or (1,)."""
        return self.inflation if len(self.inflation) == 1 else self.inflation[queries]


def as_given() -> VoteWeights:
    """One outer world, in which all votes count as they are."""
    return VoteWeights(np.ones(1))


def single_subjects(subjects: Array, n_subjects: int) -> VoteWeights:
    """An outer world for each of some subjects, whose votes alone count."""
    counts = np.zeros((len(subjects), n_subjects))
    counts[np.arange(len(subjects)), subjects] = 1.0
    return VoteWeights(np.full(len(subjects), 1 / len(subjects)), counts)


def resampled_subjects(n_subjects: int, n_worlds: int, seed: np.random.SeedSequence) -> VoteWeights:
    """Bootstrap resamples of the subjects, enumerated when they are few."""
    weight, counts, drawn = subject_resamples(n_subjects, n_worlds, seed)
    inflation = np.array([n_subjects / (n_subjects - 1)])
    return VoteWeights(weight, counts, drawn=drawn, inflation=inflation)


def resampled_within_queries(
    cells: Cells, n_worlds: int, seed: np.random.SeedSequence
) -> VoteWeights:
    """Bootstrap resamples of nested subjects: each query's own, drawn by themselves.

    Every query needs two subjects or more.
    """
    offsets = cells.offsets
    size = np.diff(offsets)  # (queries,) subjects who judged
    rng = np.random.default_rng(seed)
    counts = np.zeros((n_worlds, len(cells)))
    world = np.arange(n_worlds)[:, None]
    for nth in range(int(size.max())):  # one draw for each of a query's subjects
        chosen = (rng.random((n_worlds, len(size))) * size).astype(np.int64)
        counts[world, offsets[:-1] + chosen] += nth < size
    weight = np.full(n_worlds, 1 / n_worlds)
    return VoteWeights(weight, counts, by_cell=True, drawn=True, inflation=size / (size - 1))
