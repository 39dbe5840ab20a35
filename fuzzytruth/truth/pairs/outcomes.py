"""Probabilities of the grades of judged pairs, some whole queries at a time, and drawn worlds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.any_event import none_and_some
from fuzzytruth.core.segments import offsets_of, segment_of, segment_sum
from fuzzytruth.truth.batch import Batch, Levels, reaches
from fuzzytruth.truth.item_probabilities import GradeProbabilities, ItemProbabilities
from fuzzytruth.truth.pairs.grade_steps import GradeSteps, draw_grades, grade_steps
from fuzzytruth.truth.pairs.placement import Placement
from fuzzytruth.truth.pairs.pool import Pool
from fuzzytruth.truth.pairs.vote_sums import VoteSums
from fuzzytruth.truth.protocol import Mixture
from fuzzytruth.truth.vote_weights import VoteWeights

_MOST_LEVELS = 16  # distinct grades that are counted one by one


@dataclass(frozen=True, eq=False)
class PairBlock:
    """Some whole queries: their pairs, the votes on them, and what each run has of them.

    Parameters
    ----------
    number : int
        Which of the blocks it is; its random numbers depend on it.
    offsets : (queries + 1,) int
        Where each query's pairs start.
    steps : GradeSteps
    pair, grade, chance : (votes,)
        See `PairVotes`.
    subject, cell : (votes,) int
        Voters of crossed and of nested resamples.
    placements : tuple of Placement
    top_grade : float
    """

    number: int
    offsets: Ints
    steps: GradeSteps
    pair: Ints
    grade: Floats
    chance: Floats
    subject: Ints
    cell: Ints
    placements: tuple[Placement, ...]
    top_grade: float

    @property
    def n_queries(self) -> int:
        """Number of queries."""
        return len(self.offsets) - 1

    @property
    def n_pairs(self) -> int:
        """Number of pairs."""
        return len(self.steps.base)

    @cached_property
    def tail(self) -> Floats:
        """Probability that each pair's grade reaches each step: (1, steps, pairs)."""
        sums = [self._share(self.grade >= level[self.pair]) for level in self.steps.level]
        return np.array(sums).reshape(1, len(self.steps.level), self.n_pairs)

    def _share(self, which: Array) -> Floats:
        weights = self.chance * which
        share: Any = np.bincount(self.pair, weights=weights, minlength=self.n_pairs)
        return np.asarray(share, dtype=np.float64)

    def weighted_tail(self, votes: VoteWeights) -> Floats:
        """The same with weighted votes: (outer, steps, pairs).

        A pair that loses all its votes keeps its share of the votes as given.
        """
        if votes.counts is None:
            return self.tail
        sums, every, reaching = self._matrices_by_cell if votes.by_cell else self._matrices
        mass = sums.weighted(votes.counts, every)
        out = np.repeat(self.tail, len(votes), axis=0)
        for s, matrix in enumerate(reaching):
            total = sums.weighted(votes.counts, matrix)
            np.divide(total, mass, out=out[:, s], where=mass > 0)
        return out

    @cached_property
    def _matrices(self) -> tuple[VoteSums, Any, list[Any]]:
        return self._matrices_of(self.subject)

    @cached_property
    def _matrices_by_cell(self) -> tuple[VoteSums, Any, list[Any]]:
        return self._matrices_of(self.cell)

    def _matrices_of(self, voter: Ints) -> tuple[VoteSums, Any, list[Any]]:
        """Votes for each pair: all of them, and those that reach each step."""
        sums = VoteSums.of(voter, self.pair, self.n_pairs)
        reaching = [sums.matrix(self.grade >= level[self.pair]) for level in self.steps.level]
        return sums, sums.matrix(), reaching

    def lost_votes(self, votes: VoteWeights) -> int:
        """How many pairs of an outer world and a judged pair have no vote left."""
        if votes.counts is None:
            return 0
        sums, every, _ = self._matrices_by_cell if votes.by_cell else self._matrices
        return int((sums.weighted(votes.counts, every) == 0).sum())

    def levels(self, gain: Floats) -> Levels:
        """Count the items of each grade in each world: gain is (worlds, pairs)."""
        grades = self.steps.grades
        if len(grades) > _MOST_LEVELS:
            return self._levels_of_items(gain)
        counts = [segment_sum(gain == grade, self.offsets) for grade in grades.tolist()]
        return Levels(
            np.arange(self.n_queries + 1) * len(grades),
            np.tile(grades, self.n_queries),
            np.stack(counts, axis=-1).reshape(len(gain), -1),
        )

    def _levels_of_items(self, gain: Floats) -> Levels:
        """A level for each grade of each item, where grades are too many to share."""
        options = np.concatenate((self.steps.base[None, :], self.steps.level))
        option, item = np.nonzero(np.isfinite(options))
        grade = options[option, item]
        query = segment_of(self.offsets)[item]
        order = np.lexsort((-grade, query))
        count = gain[:, item[order]] == grade[order]
        offsets = offsets_of(np.bincount(query, minlength=self.n_queries))
        return Levels(offsets, grade[order], count.astype(np.int64))


def pair_block(
    pool: Pool, placements: tuple[Placement, ...], number: int, queries: slice
) -> PairBlock:
    """Some whole queries of a pool, with the placements of every run."""
    pairs, offsets = pool.of_queries(queries)
    votes = pool.votes.of_pairs(pairs)
    rows = slice(int(pool.votes.offsets[pairs.start]), int(pool.votes.offsets[pairs.stop]))
    return PairBlock(
        number,
        offsets,
        grade_steps(votes),
        votes.pair,
        votes.grade,
        votes.chance,
        votes.subject,
        pool.cell_of_vote[rows],
        tuple(p.of_queries(queries, pairs.start) for p in placements),
        pool.top_grade,
    )


@dataclass(frozen=True, eq=False)
class PairOutcomes:
    """Probabilities of the grades of a block's pairs in some outer worlds."""

    block: PairBlock
    votes: VoteWeights

    def __len__(self) -> int:
        return len(self.votes)

    def __getitem__(self, outer: slice) -> PairOutcomes:
        part = replace(self, votes=self.votes[outer])
        if "tail" in self.__dict__:  # computed already
            part.__dict__["tail"] = self.tail[outer]
        return part

    @cached_property
    def tail(self) -> Floats:
        """Probability that each pair's grade reaches each step: (outer, steps, pairs)."""
        return self.block.weighted_tail(self.votes)

    def draw(self, n: int, entropy: tuple[int, ...], part: tuple[int, ...]) -> PairWorlds:
        """Draw `n` worlds of each outer one."""
        seed = np.random.SeedSequence(entropy, spawn_key=(1, self.block.number, *part))
        one = len(self.tail) == 1
        tail = self.tail if one else np.repeat(self.tail, n, axis=0)
        gain = draw_grades(self.block.steps, tail, n * len(self.tail), seed)
        return PairWorlds(self.block, gain, self.block.levels(gain))

    def probabilities(self, run: int) -> Mixture | str:
        """Item probabilities of one run's lists."""
        block, tail = self.block, self.tail
        placement = block.placements[run]
        if placement.tied:
            return "tied items have no single rank under ties='expected'"
        steps = block.steps
        grade = np.concatenate((steps.base[None, :], steps.level))
        grade = np.where(np.isfinite(grade), grade, np.nan)
        ones = np.ones((len(tail), 1, tail.shape[-1]))
        zeros = np.zeros_like(ones)
        chance = -np.diff(np.concatenate((ones, tail, zeros), axis=1), axis=1)
        if len(chance) == 1:
            chance = chance[0]
        elsewhere = np.ones(tail.shape[-1], dtype=bool)
        elsewhere[placement.entry] = False
        rest = np.flatnonzero(elsewhere)
        offsets = np.searchsorted(rest, block.offsets)
        return Mixture(
            ItemProbabilities(
                placement.length,
                placement.first,
                GradeProbabilities(
                    placement.offsets, grade[:, placement.entry], chance[..., placement.entry]
                ),
                GradeProbabilities(offsets, grade[:, rest], chance[..., rest]),
                placement.entry,
                block.top_grade,
            )
        )

    def at_least(self, rel: float | None) -> Floats:
        """Probability that a pair's grade is `rel` or more (None: above 0): (outer, pairs)."""
        steps = self.block.steps
        low = reaches(steps.base, rel)
        high = reaches(steps.level, rel) & np.isfinite(steps.level)  # (steps, pairs)
        # Steps go upwards: the first that is high enough has the largest chance of those.
        return np.where(low, 1.0, (self.tail * high).max(axis=1, initial=0.0))

    def chance_of_none(self, rel: float | None) -> Floats:
        """Probability that no pair has a grade of `rel` (None: above 0): (outer, queries)."""
        return none_and_some(self.at_least(rel), self.block.offsets)[0]

    def chance_of_some(self, rel: float | None) -> Floats:
        """Probability that some pair has, with full relative accuracy: (outer, queries)."""
        return none_and_some(self.at_least(rel), self.block.offsets)[1]


@dataclass(frozen=True, slots=True, eq=False)
class PairWorlds:
    """Drawn worlds of a block: gain is (worlds, pairs)."""

    block: PairBlock
    gain: Floats
    levels: Levels

    def __len__(self) -> int:
        return len(self.gain)

    def batch(self, run: int) -> Batch:
        """Input of the measures for one run."""
        placement = self.block.placements[run]
        return Batch(
            placement.length,
            placement.offsets,
            placement.first,
            placement.last,
            np.take(self.gain, placement.entry, axis=1),
            self.levels,
            self.block.top_grade,
        )
