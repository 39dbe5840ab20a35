"""Probabilities of the grades of judged pairs, some whole queries at a time, and drawn worlds."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from fuzzytruth._lazy import sparse
from fuzzytruth._typing import U64, Array, Bools, Floats, Ints
from fuzzytruth.core.arithmetic import segment_of
from fuzzytruth.core.checksums import Entropy, keys_of
from fuzzytruth.core.layouts import Diagonals, EndToEnd
from fuzzytruth.core.lazy import Memo
from fuzzytruth.core.lists.relevant_counts import none_and_some
from fuzzytruth.truth.batch import Batch, Gains, Levels, reaches
from fuzzytruth.truth.inputs import GradeProbabilities, ItemProbabilities
from fuzzytruth.truth.intents import IntentHits, Intents, IntentWorlds
from fuzzytruth.truth.pairs.intent_sets import BlockIntents, GradeSteps, draw_codes, grade_steps
from fuzzytruth.truth.pairs.placement import Placement
from fuzzytruth.truth.pairs.pool import Pool
from fuzzytruth.truth.protocol import Mixture
from fuzzytruth.truth.vote_weights import VoteWeights

# Sums of weighted votes for each item of a block, in many outer worlds at once.


_SPARSE = 8  # cells of a dense table for each vote, above which it is kept sparse


@dataclass(frozen=True, slots=True, eq=False)
class VoteSums:
    """Votes of a block, whose numbers make a matrix of items × voters.

    Parameters
    ----------
    voters : (voters,) int
        Who votes in the block.
    voter : (votes,) int
        Which of them gave each vote.
    item : (votes,) int
    n_items : int
    weight : (votes,) float or None
        How much each vote counts; None: 1.
    """

    voters: Ints
    voter: Ints
    item: Ints
    n_items: int
    weight: Floats | None = None

    @classmethod
    def of(cls, voter: Ints, item: Ints, n_items: int, weight: Floats | None = None) -> VoteSums:
        """Votes by voter and item."""
        voters, local = np.unique(voter, return_inverse=True)
        return cls(voters, local.reshape(-1), item, n_items, weight)

    def matrix(self, which: Bools | None = None) -> Any:
        """Weight of the votes (of those marked, by default all) for each item: (items, voters).

        A sparse array where voters are many and votes few.
        """
        some = slice(None) if which is None else which
        voter, item = self.voter[some], self.item[some]
        weight = None if self.weight is None else self.weight[some]
        shape = self.n_items, len(self.voters)
        if shape[0] * shape[1] <= _SPARSE * len(self.voter):
            n_places = shape[0] * shape[1]
            flat: Any = np.bincount(item * shape[1] + voter, weights=weight, minlength=n_places)
            return flat.reshape(shape).astype(np.float64)
        each = np.ones(len(voter)) if weight is None else weight
        return sparse.csr_array((each, (item, voter)), shape=shape)

    def weighted(self, counts: Floats, matrix: Any) -> Floats:
        """Votes for each item, each counted as often as its voter: (outer, items).

        Parameters
        ----------
        counts : (outer, all voters) float
        matrix : (items, voters), dense or sparse
            See `matrix`.
        """
        return np.asarray(counts[:, self.voters] @ matrix.T)


@dataclass(frozen=True, eq=False)
class PairBlock:
    """Some whole queries: their pairs, the votes on them, and what each run has of them.

    Parameters
    ----------
    offsets : (queries + 1,) int
        Where each query's pairs start.
    query_hash, item_hash : (pairs,) uint64
        What the random numbers of each pair depend on.
    steps : GradeSteps
    pair, grade, chance, weight : (votes,)
        See `PairVotes`.
    subject, cell : (votes,) int
        Voters of crossed and of nested resamples.
    placements : tuple of Placement
    top_grade : float
    kind : (votes,) int or None
        See `PairVotes`.
    intents : BlockIntents or None
        None where the truth has no intents.
    """

    offsets: Ints
    query_hash: U64
    item_hash: U64
    steps: GradeSteps
    pair: Ints
    grade: Floats
    chance: Floats
    weight: Floats | None
    subject: Ints
    cell: Ints
    placements: tuple[Placement, ...]
    top_grade: float
    kind: Ints | None = None
    intents: BlockIntents | None = None

    @property
    def n_queries(self) -> int:
        """Number of queries."""
        return len(self.offsets) - 1

    @property
    def n_pairs(self) -> int:
        """Number of pairs."""
        return int(self.offsets[-1])

    @cached_property
    def tail(self) -> Floats:
        """Probability that each pair's grade reaches each step: (1, steps, pairs)."""
        each = self.chance if self.weight is None else self.weight
        sums = [self._sum(each * (self.grade >= level[self.pair])) for level in self.steps.level]
        tail = np.array(sums).reshape(1, len(self.steps.level), self.n_pairs)
        return tail if self.weight is None else tail / self._sum(self.weight)

    def _sum(self, weights: Array) -> Floats:
        """Sum over the votes of each pair: (pairs,)."""
        total: Any = np.bincount(self.pair, weights=weights, minlength=self.n_pairs)
        return np.asarray(total, dtype=np.float64)

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
        sums = VoteSums.of(voter, self.pair, self.n_pairs, self.weight)
        reaching = [sums.matrix(self.grade >= level[self.pair]) for level in self.steps.level]
        return sums, sums.matrix(), reaching

    def lost_votes(self, votes: VoteWeights) -> int:
        """How many pairs of an outer world and a judged pair have no vote left."""
        if votes.counts is None:
            return 0
        sums, every, _ = self._matrices_by_cell if votes.by_cell else self._matrices
        return int((sums.weighted(votes.counts, every) == 0).sum())

    @cached_property
    def by_id(self) -> Ints:
        """The pairs of each query, in any order that is not that of the rows: (pairs,)."""
        return np.lexsort((self.item_hash, segment_of(self.offsets)))

    @cached_property
    def layout(self) -> Diagonals:
        """The pairs of each query as jagged diagonals."""
        return Diagonals.of(self.offsets)

    @cached_property
    def hits(self) -> tuple[RankedHits, ...]:
        """The hits of each run."""
        largest = self.steps.largest_code
        return tuple(RankedHits.of(p, self.layout, largest) for p in self.placements)

    @cached_property
    def by_kind(self) -> PairBlock:
        """The same with sets of grades by intent in place of grades."""
        assert self.intents is not None
        assert self.kind is not None
        return replace(self, steps=self.intents.steps, grade=self.kind.astype(np.float64))

    @cached_property
    def intent_hits(self) -> tuple[IntentHits, ...]:
        """The hits of each run, by intent."""
        return () if self.intents is None else tuple(map(self.intents.hits, self.placements))


def pair_block(pool: Pool, placements: tuple[Placement, ...], queries: slice) -> PairBlock:
    """Some whole queries of a pool, with the placements of every run."""
    pairs, offsets = pool.of_queries(queries)
    votes = pool.votes.of_pairs(pairs)
    rows = slice(int(pool.votes.offsets[pairs.start]), int(pool.votes.offsets[pairs.stop]))
    intents = None
    if pool.sets is not None:
        of_queries = pool.sets.intents[queries.start : queries.stop + 1]
        intents = BlockIntents.of(pool.sets, of_queries, votes, offsets, pool.place_of_item[pairs])
    return PairBlock(
        offsets,
        pool.query_hash[pool.query_of[pairs]],
        pool.item_hash[pairs],
        grade_steps(votes),
        votes.pair,
        votes.grade,
        votes.chance,
        votes.weight,
        votes.subject,
        pool.cell_of_vote[rows],
        tuple(p.of_queries(queries, pairs.start) for p in placements),
        pool.top_grade,
        votes.kind,
        intents,
    )


@dataclass(frozen=True, slots=True, eq=False)
class BlockOutcomes:
    """What is known of a block in some outer worlds; `_by_world` names what is kept for each."""

    block: Any
    votes: VoteWeights
    _by_world: ClassVar[tuple[str, ...]]

    def __len__(self) -> int:
        return len(self.votes)

    @property
    def n_items(self) -> int:
        """Number of pairs."""
        return int(self.block.n_pairs)

    def __getitem__(self, outer: slice) -> Self:
        part = replace(self, votes=self.votes[outer])
        for name in self._by_world:
            if name in self.__dict__:  # computed already
                part.__dict__[name] = self.__dict__[name][outer]
        return part


class PairOutcomes(BlockOutcomes):
    """Probabilities of the grades of a block's pairs in some outer worlds."""

    block: PairBlock
    _by_world = ("tail", "tail_of_kinds")

    @cached_property
    def tail(self) -> Floats:
        """Probability that each pair's grade reaches each step: (outer, steps, pairs)."""
        return self.block.weighted_tail(self.votes)

    @cached_property
    def tail_of_kinds(self) -> Floats:
        """The same of sets of grades by intent."""
        return self.block.by_kind.weighted_tail(self.votes)

    def draw(self, worlds: slice, entropy: Entropy) -> PairWorlds:
        """Draw some worlds of each outer one."""
        block = self.block
        keys = keys_of(entropy, block.query_hash, block.item_hash)
        streams, order = self.votes.streams, block.layout.source
        if block.intents is None:
            code, intents = draw_codes(block.steps, self.tail, keys, streams, worlds, order), None
        else:
            steps, tail = block.intents.option_steps, self.tail_of_kinds
            option = draw_codes(steps, tail, keys, streams, worlds, order)
            code = block.intents.codes(option, order, block.steps)
            intents = block.intents.worlds(option, block.layout)
        drawn = DrawnPairs(block.layout, code, block.steps.scale)
        return PairWorlds(block.hits, drawn, block.top_grade, intents, block.intent_hits)

    def probabilities(self, run: int, depth: int | None = None) -> Mixture | str:
        """Item probabilities of one run's lists."""
        block = self.block
        placement = block.placements[run].top(depth)
        steps = block.steps
        grade = np.concatenate((steps.base[None, :], steps.level))
        grade = np.where(np.isfinite(grade), grade, np.nan)
        chance = self._chance
        elsewhere = np.ones(self.tail.shape[-1], dtype=bool)
        elsewhere[placement.entry] = False
        offsets = np.searchsorted(np.flatnonzero(elsewhere), block.offsets)
        rest = block.by_id[elsewhere[block.by_id]]
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
                last=placement.last_of_ties,
            )
        )

    @cached_property
    def _chance(self) -> Floats:
        """Probability of each grade of `steps`: (outer, grades, pairs), without outer if one."""
        ones = np.ones((len(self.tail), 1, self.tail.shape[-1]))
        chance: Floats = -np.diff(
            np.concatenate((ones, self.tail, np.zeros_like(ones)), axis=1), axis=1
        )
        return chance[0] if len(chance) == 1 else chance

    def at_least(self, rel: float | None) -> Floats:
        """Probability that a pair's grade is `rel` or more (None: above 0): (outer, pairs)."""
        steps = self.block.steps
        low = reaches(steps.base, rel)
        high = reaches(steps.level, rel) & np.isfinite(steps.level)  # (steps, pairs)
        # Steps go upwards: the first that is high enough has the largest chance of those.
        return np.where(low, 1.0, (self.tail * high).max(axis=1, initial=0.0))

    def chance_of_none(self, rel: float | None) -> Floats:
        """Probability that no pair has a grade of `rel` (None: above 0): (outer, queries)."""
        return none_and_some(*self._in_order(rel))[0]

    def chance_of_some(self, rel: float | None) -> Floats:
        """Probability that some pair has, with full relative accuracy: (outer, queries)."""
        return none_and_some(*self._in_order(rel))[1]

    def _in_order(self, rel: float | None) -> tuple[Floats, Ints]:
        """Probabilities of the pairs, each query's in the order of `by_id`, and their offsets."""
        return self.at_least(rel)[:, self.block.by_id], self.block.offsets


# Drawn worlds of a block of judged pairs, with positions first and worlds contiguous.


_FEW_GRADES = 8  # up to as many, ideal orders come from counts, and beyond from sorting


@dataclass(frozen=True, slots=True, eq=False)
class RankedHits:
    """The hits of one run as jagged diagonals.

    Parameters
    ----------
    placement : Placement
    layout : Diagonals
    first, row : (hits,) int
        Rank of each hit, and its row among the drawn codes.
    largest_code : (hits,) int
        The largest code that each hit may have.
    parts : dict
        See `Batch`; the same in all worlds.
    """

    placement: Placement
    layout: Diagonals
    first: Ints
    row: Ints
    largest_code: Array
    parts: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(cls, placement: Placement, pairs: Diagonals, largest_code: Array) -> RankedHits:
        """Those of a placement, the pairs of the block being laid out as given."""
        layout = Diagonals.of(placement.offsets)
        entry = placement.entry[layout.source]
        first = placement.first[layout.source]
        return cls(placement, layout, first, pairs.place[entry], largest_code[entry])


@dataclass(frozen=True, slots=True, eq=False)
class DrawnPairs:
    """The drawn grades of all judged pairs of a block; see `Levels`.

    Parameters
    ----------
    layout : Diagonals
    code : (pairs, worlds) int
        Places in `scale`.
    scale : (grades,) float
        Distinct grades, ascending.
    """

    layout: Diagonals
    code: Array
    scale: Floats
    _known: Memo = field(default_factory=Memo, init=False, repr=False)

    @property
    def grades(self) -> Floats:
        """Grades that items may have."""
        return self.scale

    @property
    def most(self) -> int:
        """Largest number of judged items of a query."""
        return int(self.layout.sizes.max(initial=0))

    @property
    def levels(self) -> Levels:
        """Number of items by grade, for each grade of the block."""
        n_grades, n_queries, n_worlds = len(self.scale), len(self.layout.order), self.code.shape[1]
        query = segment_of(self.layout.offsets)[self.layout.source]
        flat = self.code + (query * n_grades)[:, None]
        flat = flat + np.arange(n_worlds) * (n_queries * n_grades)
        number = np.bincount(flat.ravel(), minlength=n_worlds * n_queries * n_grades)
        by_grade = number.reshape(n_worlds, n_queries, n_grades)[:, :, ::-1]
        return Levels(
            np.arange(n_queries + 1) * n_grades,
            np.tile(self.scale[::-1], n_queries),
            by_grade.reshape(n_worlds, -1),
        )

    def n_relevant(self, rel: float | None) -> Array:
        """Number of items with a grade of `rel` or more (None: above 0): (worlds, queries)."""
        return self._at_least(int(np.argmax(np.append(reaches(self.scale, rel), True))))

    def _at_least(self, least: int) -> Array:
        return self._known.once(("place", least), lambda: self.layout.sum((self.code >= least).T))

    def n_where(self, which: Callable[[Array], Bools]) -> Array:
        """Number of items with a grade for which `which` is true: (worlds, queries)."""
        return self.layout.sum(np.take(which(self.scale), self.code).T)

    def best_gain(self, name: Hashable, gains: Gains, cumulative: Array) -> Array:
        """Discounted gain of the best order of all items; see `Levels`."""
        by = self._from_counts if len(self.scale) <= _FEW_GRADES else self._from_sorting
        return self._known.once(("gain", name), lambda: by(gains(self.scale), cumulative))

    def _from_counts(self, gain: Array, cumulative: Array) -> Array:
        end = len(cumulative) - 1
        total = np.zeros((len(self.layout.order), self.code.shape[1])).T
        above = np.zeros_like(total)
        for place in range(len(gain) - 1, -1, -1):
            up_to = cumulative[np.minimum(self._at_least(place), end)]
            total += gain[place] * (up_to - above)
            above = up_to
        return total

    def _from_sorting(self, gain: Array, cumulative: Array) -> Array:
        """Queries of about the same size side by side, the grades of each sorted."""
        table = np.append(0.0, gain)  # place 0 is that of the padding
        end = len(cumulative) - 1
        size, place = self.layout.sizes, self.layout.place
        total = np.zeros((len(size), self.code.shape[1]))
        width = 1 << np.ceil(np.log2(np.maximum(size, 1))).astype(np.int64)
        for wide in np.unique(width):
            some = np.flatnonzero(width == wide)
            column = np.arange(size[some].max())
            row = place[np.minimum(self.layout.offsets[some, None] + column, len(place) - 1)]
            codes = np.where((column < size[some, None])[..., None], self.code[row] + 1, 0)
            codes = np.sort(codes.astype(self.code.dtype).transpose(1, 0, 2), axis=0)[::-1]
            current, start = np.zeros(codes.shape[1:]), np.zeros(codes.shape[1:])
            for rank in range(min(len(codes), end)):
                better = current > table[codes[rank]]
                total[some] += np.where(better, current * (cumulative[rank] - start), 0.0)
                start = np.where(better, cumulative[rank], start)
                current = table[codes[rank]]
            total[some] += current * (cumulative[min(len(codes), end)] - start)
        return total.T


@dataclass(frozen=True, slots=True, eq=False)
class PairWorlds:
    """Drawn worlds of a block.

    Parameters
    ----------
    hits : tuple of RankedHits
        Of each run.
    judged : DrawnPairs
    top_grade : float
    intents : IntentWorlds or None
        None where the truth has no intents.
    intent_hits : tuple of IntentHits
        Of each run, if there are intents.
    """

    hits: tuple[RankedHits, ...]
    judged: DrawnPairs
    top_grade: float
    intents: IntentWorlds | None = None
    intent_hits: tuple[IntentHits, ...] = ()

    def __len__(self) -> int:
        return int(self.judged.code.shape[1])

    @property
    def codes(self) -> Array:
        """The grade of each pair in each world, as its place in `judged.scale`: (pairs, worlds)."""
        return self.judged.code[self.judged.layout.place]

    def with_codes(self, code: Array) -> PairWorlds:
        """The same lists in other worlds, given as `codes` are; without intents."""
        judged = self.judged
        rows = code[judged.layout.source].astype(judged.code.dtype, copy=False)
        return PairWorlds(self.hits, DrawnPairs(judged.layout, rows, judged.scale), self.top_grade)

    def batch(self, run: int) -> Batch:
        """Input of the measures for one run."""
        batch = self._resolved(run)
        if self.intents is not None:
            shape = batch.n_worlds, batch.n_queries
            batch = replace(batch, intents=Intents(self.intents, self.intent_hits[run], shape))
        placement = self.hits[run].placement
        return self._tied(placement, batch) if placement.tied else batch

    def _resolved(self, run: int) -> Batch:
        """The lists with the first rank of each hit."""
        hits, placement = self.hits[run], self.hits[run].placement
        return Batch(
            placement.length,
            hits.layout,
            hits.first,
            hits.first,
            np.take(self.judged.code, hits.row, axis=0).T,
            self.judged,
            self.top_grade,
            self.judged.scale,
            hits.largest_code,
            hits.parts,
        )

    def _tied(self, placement: Placement, resolved: Batch) -> Batch:
        row = self.judged.layout.place[placement.entry]
        return Batch(
            placement.length,
            EndToEnd(placement.offsets),
            placement.first,
            placement.last,
            self.judged.scale[self.judged.code[row]].T,
            self.judged,
            self.top_grade,
            intents=resolved.intents,
            resolved=resolved,
        )
