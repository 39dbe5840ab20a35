"""Drawn worlds of judgments by intent: each item draws the whole set of one vote."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from fuzzytruth._typing import Array, Ints
from fuzzytruth.core.diagonals import Diagonals
from fuzzytruth.core.segments import segment_of
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.intents import IntentHits, Intents, IntentTable, IntentWorlds
from fuzzytruth.truth.pairs.grade_steps import GradeSteps, grade_steps
from fuzzytruth.truth.pairs.intent_sets import IntentSets
from fuzzytruth.truth.pairs.placement import Placement
from fuzzytruth.truth.pairs.votes import PairVotes


@dataclass(frozen=True, eq=False)
class BlockIntents:
    """The votes of a block by intent.

    The sets that a pair may have are its options, in ascending order: of two sets with different
    largest grades, the one with the larger grade is above the other. So the worlds are those that
    are drawn from the largest grades alone.

    Parameters
    ----------
    sets : IntentSets
    intents : (queries + 1,) int
        Where the intents of each query of the block start.
    steps : GradeSteps
        Of sets instead of grades.
    offsets : (queries + 1,) int
        Where the pairs of each query start.
    by_id : (pairs,) int
        The pairs of each query by descending ids of their items.
    """

    sets: IntentSets
    intents: Ints
    steps: GradeSteps
    offsets: Ints
    by_id: Ints

    @classmethod
    def of(
        cls, sets: IntentSets, intents: Ints, votes: PairVotes, offsets: Ints, place: Ints
    ) -> BlockIntents:
        """Those of the votes on some pairs, with the place of each pair's item by its id."""
        assert votes.kind is not None
        steps = grade_steps(replace(votes, grade=votes.kind.astype(np.float64)))
        return cls(sets, intents, steps, offsets, np.lexsort((place, segment_of(offsets))))

    @cached_property
    def options(self) -> Ints:
        """The set that each option of each pair is, -1 for none: (options, pairs)."""
        every = np.concatenate((self.steps.base[None, :], self.steps.level))
        return np.where(np.isfinite(every), every, -1).astype(np.int64)

    @cached_property
    def option_steps(self) -> GradeSteps:
        """The same steps, from each option to the next."""
        number = np.arange(1, len(self.options))[:, None]
        level = np.where(self.options[1:] >= 0, number, np.inf)
        return GradeSteps(np.zeros(self.options.shape[1]), level)

    def codes(self, option: Array, pair: Ints, grades: GradeSteps) -> Array:
        """Places of the largest grades of drawn options in the scale of `grades`.

        (rows, worlds) both; each row is of a pair.
        """
        place = np.searchsorted(grades.scale, self.sets.largest[self.options]).T[pair]
        return np.take_along_axis(place.astype(np.min_scalar_type(len(grades.scale))), option, 1)

    @cached_property
    def table(self) -> IntentTable:
        """The entries of all options, items being pairs in the order of `by_id`."""
        options = self.options[:, self.by_id]
        option, item = np.nonzero(options >= 0)
        owner, intent, grade = self.sets.entries(options[option, item])
        first, n = int(self.intents[0]), int(self.intents[-1] - self.intents[0])
        key = item[owner] * n + (intent - first)
        known, entry = np.unique(key, return_inverse=True)
        grades = np.full((len(known), len(options)), np.nan)
        grades[entry.reshape(-1), option[owner]] = grade
        item_of, intent_of = np.divmod(known, max(n, 1))
        return IntentTable(self.offsets, self.intents - first, item_of, intent_of, grades)

    def hits(self, placement: Placement) -> IntentHits:
        """The retrieved entries of one run."""
        rank = np.zeros(len(self.by_id), dtype=np.int64)
        rank[placement.entry] = placement.first
        return IntentHits.of(self.table, rank[self.by_id], many=True)

    def worlds(self, option: Array, layout: Diagonals) -> IntentWorlds:
        """Drawn options, (pairs, worlds), laid out as given."""
        return IntentWorlds(self.table, option[layout.place[self.by_id]])


@dataclass(frozen=True, slots=True, eq=False)
class DrawnIntents:
    """Drawn worlds of a block by intent, and the hits of each run."""

    worlds: IntentWorlds
    hits: tuple[IntentHits, ...]

    def on(self, batch: Batch, run: int) -> Batch:
        """A run's batch, with intents."""
        shape = batch.n_worlds, batch.n_queries
        return replace(batch, intents=Intents(self.worlds, self.hits[run], shape))
