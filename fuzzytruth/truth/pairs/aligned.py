"""Judged pairs aligned with runs, and each subject's own judgments as a crisp truth.

Where most subjects judged most pairs of a block, subjects are worlds that share their lists. Where
judgments are few, each cell (a query and a subject) becomes a query of its own with the pairs which
that subject judged, so that memory is proportional to the judgments.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Literal

import numpy as np

from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.arithmetic import offsets_of, ragged, segment_of
from fuzzytruth.core.layouts import EndToEnd
from fuzzytruth.core.order import tie_bounds
from fuzzytruth.data.judgments import NUMBERS, Design, Judgments
from fuzzytruth.data.ranking import RankedLists, Ties
from fuzzytruth.truth import protocol
from fuzzytruth.truth.batch import Batch, Levels, ranks
from fuzzytruth.truth.inputs import AlignedLists, SubjectLists, UnjudgedItems, without_missing
from fuzzytruth.truth.intents import IntentHits, Intents, IntentTable, IntentWorlds
from fuzzytruth.truth.pairs.intent_sets import IntentSets
from fuzzytruth.truth.pairs.outcomes import PairOutcomes, pair_block
from fuzzytruth.truth.pairs.placement import (
    PlacedTruth,
    Placement,
    example_items,
    place_runs,
    retrieved_elsewhere,
)
from fuzzytruth.truth.pairs.pool import PairVotes, Pool, make_pool, votes_of
from fuzzytruth.truth.protocol import Missing, SubjectTruths
from fuzzytruth.truth.vote_weights import VoteWeights, too_few_subjects

# Each subject's judgments by intent, as a crisp truth: a query for each cell.


@dataclass(frozen=True, slots=True, eq=False)
class OwnIntents:
    """The judgments of some cells by intent.

    Parameters
    ----------
    sets : IntentSets
    intents : (queries + 1,) int
        Where the intents of each query of the block start.
    kind : (judgments,) int
        Set of each judgment.
    place : (pairs,) int
        Ascending where the ids of the items of a query descend.
    """

    sets: IntentSets
    intents: Ints
    kind: Ints
    place: Ints

    def table(self, pair: Ints, cell: Ints, query_of_cell: Ints) -> tuple[IntentTable, Ints]:
        """The entries, cells being queries; and the judgment that each of its items is.

        Parameters
        ----------
        pair, cell : (judgments,) int
        query_of_cell : (cells,) int
        """
        judgment = np.lexsort((self.place[pair], cell))
        item, intent, grade = self.sets.entries(self.kind[judgment])
        owner = cell[judgment][item]
        first = self.intents[query_of_cell]
        own = offsets_of(self.intents[query_of_cell + 1] - first)
        offsets = offsets_of(np.bincount(cell, minlength=len(query_of_cell)))
        intent = intent - first[owner] + own[owner]
        return IntentTable(offsets, own, item, intent, grade[:, None]), judgment


def ranks_among_own(rank: Ints, cell: Ints, pair: Ints, placement: Placement) -> Ints:
    """Ranks in each subject's view of the lists, without the hits that it did not judge.

    Parameters
    ----------
    rank, cell, pair : (items,) int
        Rank of each judged item, 0 where it is not retrieved; sorted by cell.
    placement : Placement

    Returns
    -------
    (items,) int
    """
    # Hits on better ranks: of a query, and those of them that a subject judged.
    number = np.zeros(int(max(pair.max(initial=0), placement.entry.max(initial=0))) + 1, np.int64)
    number[placement.entry] = _number_of_better(placement.offsets, placement.first)
    hits = np.flatnonzero(rank > 0)
    hits = hits[np.lexsort((rank[hits], cell[hits]))]
    own = _number_of_better(offsets_of(np.bincount(cell[hits])), rank[hits])
    out = rank.copy()
    out[hits] -= number[pair[hits]] - own
    return out


def _number_of_better(offsets: Ints, rank: Ints) -> Ints:
    """How many values of its segment have a better rank than each, sorted by rank within these."""
    segment = segment_of(offsets)
    start, _ = tie_bounds(segment, rank, np.arange(len(rank)))
    return start - offsets[segment]


_DENSE = 2  # places of a table of subjects × pairs for each judgment, up to which it is made


@dataclass(frozen=True, eq=False)
class JudgedBlock:
    """The judgments of some whole queries.

    Parameters
    ----------
    offsets : (queries + 1,) int
        Where each query's pairs start.
    pair, subject, cell : (judgments,) int
        Sorted by pair, then subject; cells are those of the block, from 0.
    grade : (judgments,) float
    query_of_cell, subject_of_cell : (cells,) int
    n_subjects : int
    top_grade : float
    intents : OwnIntents or None
        None where the truth has no intents.
    """

    offsets: Ints
    pair: Ints
    subject: Ints
    cell: Ints
    grade: Floats
    query_of_cell: Ints
    subject_of_cell: Ints
    n_subjects: int
    top_grade: float
    intents: OwnIntents | None = None

    @classmethod
    def of(cls, pool: Pool, queries: slice) -> JudgedBlock:
        """The judgments on some whole queries of a pool."""
        pairs, offsets = pool.of_queries(queries)
        judged = pool.judged
        votes = judged.of_pairs(pairs)
        rows = slice(int(judged.offsets[pairs.start]), int(judged.offsets[pairs.stop]))
        cells = pool.cells
        first, last = cells.offsets[[queries.start, queries.stop]].tolist()
        n = last - first
        return cls(
            offsets,
            votes.pair,
            votes.subject,
            pool.cell_of_judged[rows] - first,
            votes.grade,
            cells.query[first:last] - queries.start,
            np.zeros(n, dtype=np.int64) if cells.subject is None else cells.subject[first:last],
            cells.n_subjects,
            pool.top_grade,
            _own_intents(pool, queries, pairs, votes),
        )

    @property
    def n_queries(self) -> int:
        """Number of queries."""
        return len(self.offsets) - 1

    @property
    def n_cells(self) -> int:
        """Number of cells."""
        return len(self.query_of_cell)

    @property
    def dense(self) -> bool:
        """Whether a table of subjects × pairs is worth its memory."""
        return self.n_subjects * int(self.offsets[-1]) <= _DENSE * len(self.pair)

    @cached_property
    def missing(self) -> Ints:
        """Pairs of the cell's query that its subject did not judge: (cells,)."""
        judged = np.bincount(self.cell, minlength=self.n_cells)
        return np.asarray(np.diff(self.offsets)[self.query_of_cell] - judged)

    def table(self, *, fill: bool) -> Floats:
        """Grades (subjects, pairs); NaN where not judged, or 0 if the subject judged others."""
        out = np.full((self.n_subjects, int(self.offsets[-1])), np.nan)
        if fill:
            cell, pair = ragged(self.offsets, self.query_of_cell)
            out[self.subject_of_cell[cell], pair] = 0.0
        out[self.subject, self.pair] = self.grade
        return out

    def levels(self, *, by_cell: bool, fill: bool) -> Levels:
        """Count judged pairs by grade, for subjects as worlds or for each cell."""
        query = self.query_of_cell[self.cell]
        owner, world = (self.cell, None) if by_cell else (query, self.subject)
        grade, count = self.grade, None
        if fill and self.missing.any():
            some = np.flatnonzero(self.missing)
            more = some if by_cell else self.query_of_cell[some]
            owner = np.concatenate((owner, more))
            if world is not None:
                world = np.concatenate((world, self.subject_of_cell[some]))
            grade = np.concatenate((grade, np.zeros(len(some))))
            count = np.concatenate((np.ones(len(self.grade)), self.missing[some] * 1.0))
        n_owners = self.n_cells if by_cell else self.n_queries
        return _levels(owner, world, grade, count, n_owners, 1 if by_cell else self.n_subjects)


def _own_intents(pool: Pool, queries: slice, pairs: slice, votes: PairVotes) -> OwnIntents | None:
    if pool.sets is None or votes.kind is None:
        return None
    intents = pool.sets.intents[queries.start : queries.stop + 1]
    return OwnIntents(pool.sets, intents, votes.kind, pool.place_of_item[pairs])


def _levels(
    owner: Ints,
    world: Ints | None,
    grade: Floats,
    count: Floats | None,
    n_owners: int,
    n_worlds: int,
) -> Levels:
    """Distinct grades of each owner (a query or a cell), and how often each world has them."""
    order = np.lexsort((-grade, owner))
    new = np.ones(len(order), dtype=bool)
    new[1:] = (np.diff(owner[order]) != 0) | (np.diff(grade[order]) != 0)
    level = np.empty(len(order), dtype=np.int64)
    level[order] = np.cumsum(new) - 1
    first = order[new]
    n_levels = len(first)
    flat = level if world is None else world * n_levels + level
    number = np.bincount(flat, weights=count, minlength=n_worlds * n_levels)
    offsets = offsets_of(np.bincount(owner[first], minlength=n_owners))
    return Levels(offsets, grade[first], number.astype(np.int64).reshape(n_worlds, n_levels))


def subject_truths(
    block: JudgedBlock, placements: tuple[Placement, ...], missing: Missing
) -> SubjectTruths:
    """Each subject's truth; see `AlignedTruth.subject_truths`."""
    fill = missing == "nonrelevant" and bool(block.missing.any())
    exclude = missing == "exclude" and bool(block.missing.any())
    by = _by_subject if block.dense else _by_cell
    truths = by(block, placements, fill=fill, exclude=exclude)
    if block.intents is None:
        return truths
    table, judgment = block.intents.table(block.pair, block.cell, block.query_of_cell)
    pair, cell = block.pair[judgment], block.cell[judgment]

    worlds = IntentWorlds(table)

    def batch(run: int) -> Batch:
        given, placement = truths.batch(run), placements[run]
        rank = ranks_of_pairs(placement, int(block.offsets[-1]))[0][pair]
        if exclude:
            rank = ranks_among_own(rank, cell, pair, placement)
        hits, shape = IntentHits.of(table, rank, many=False), (given.n_worlds, given.n_queries)
        return replace(given, intents=Intents(worlds, hits, shape, truths.index))

    return replace(truths, batch=batch)


def _by_subject(
    block: JudgedBlock, placements: tuple[Placement, ...], *, fill: bool, exclude: bool
) -> SubjectTruths:
    """Subjects as worlds that share their lists."""
    table, levels = block.table(fill=fill), block.levels(by_cell=False, fill=fill)

    def batch(run: int) -> Batch:
        placement = placements[run]
        gain = np.take(table, placement.entry, axis=1)  # (subjects, hits)
        shared = Batch(
            placement.length,
            EndToEnd(placement.offsets),
            *ranks(placement.first, placement.last),
            gain,
            levels,
            block.top_grade,
        )
        return without_missing(shared) if exclude else shared

    index = block.subject_of_cell * block.n_queries + block.query_of_cell
    if block.n_subjects > 1 or exclude:
        return SubjectTruths(batch, index)
    return SubjectTruths(batch, index, lambda run: placements[run].ties)


def _by_cell(
    block: JudgedBlock, placements: tuple[Placement, ...], *, fill: bool, exclude: bool
) -> SubjectTruths:
    """A query for each cell, in a single world."""
    levels = block.levels(by_cell=True, fill=fill)

    def batch(run: int) -> Batch:
        if not (fill or exclude):
            return _judged_hits(block, placements[run], levels)
        every = _all_hits(block, placements[run], levels, 0.0 if fill else np.nan)
        return without_missing(every) if exclude else every

    return SubjectTruths(batch, np.arange(block.n_cells))


def _judged_hits(block: JudgedBlock, placement: Placement, levels: Levels) -> Batch:
    """Only the pairs that the cell's subject judged; all others count as unjudged."""
    first, last = ranks_of_pairs(placement, int(block.offsets[-1]))
    hits = np.flatnonzero(first[block.pair] > 0)
    hits = hits[np.lexsort((first[block.pair[hits]], block.cell[hits]))]
    pair = block.pair[hits]
    ranked = ranks(first[pair], last[pair])
    return _of_cells(block, placement, block.cell[hits], ranked, block.grade[hits], levels)


def ranks_of_pairs(placement: Placement, n_pairs: int) -> tuple[Ints, Ints]:
    """First and last rank of each pair, 0 where it is not retrieved: (pairs,) both."""
    first = np.zeros(n_pairs, dtype=np.int64)
    first[placement.entry] = placement.first
    if not placement.tied:
        return first, first
    last = np.zeros(n_pairs, dtype=np.int64)
    last[placement.entry] = placement.last
    return first, last


def _all_hits(block: JudgedBlock, placement: Placement, levels: Levels, other: float) -> Batch:
    """All hits of each cell's query; those which its subject did not judge have gain `other`."""
    cell, hit = ragged(placement.offsets, block.query_of_cell)
    key = block.pair * block.n_subjects + block.subject  # ascending
    wanted = placement.entry[hit] * block.n_subjects + block.subject_of_cell[cell]
    place = np.minimum(np.searchsorted(key, wanted), len(key) - 1)
    gain = np.where(key[place] == wanted, block.grade[place], other)
    ranked = ranks(placement.first[hit], placement.last[hit])
    return _of_cells(block, placement, cell, ranked, gain, levels)


def _of_cells(
    block: JudgedBlock,
    placement: Placement,
    cell: Ints,
    ranked: tuple[Array, Array],
    gain: Floats,
    levels: Levels,
) -> Batch:
    """A list for each cell, of hits sorted by cell."""
    length = placement.length[block.query_of_cell]
    layout = EndToEnd(offsets_of(np.bincount(cell, minlength=block.n_cells)))
    return Batch(length, layout, *ranked, gain[None, :], levels, block.top_grade)


# A pool in which nobody left out an item of a query that they judged.


def filled(pool: Pool) -> Pool:
    """The same pool with a vote of grade 0 for each missing judgment.

    As large as a table of the cells and the judged items of their queries.
    """
    votes, n_subjects = pool.votes, len(pool.subjects or ("",))
    cell, pair = ragged(pool.offsets, pool.cells.query)
    subject = pool.cells.subject_codes[cell]
    absent = ~np.isin(pair * n_subjects + subject, votes.pair * n_subjects + votes.subject)
    pair, subject = pair[absent], subject[absent]
    more = votes_of(
        np.concatenate((votes.pair, pair)),
        np.concatenate((votes.subject, subject)),
        np.concatenate((votes.grade, np.zeros(len(pair)))),
        n_pairs=len(pool.item),
        weight=np.concatenate((_weights(votes), np.full(len(pair), _weight_of_subject(votes)))),
        kind=_kinds(pool, len(pair)),
    )
    return replace(pool, votes=more)


def _kinds(pool: Pool, n_more: int) -> Ints | None:
    """Sets of grades by intent, with as many empty ones after them; None without intents."""
    if pool.votes.kind is None or pool.sets is None:
        return None
    return np.concatenate((pool.votes.kind, np.full(n_more, pool.sets.empty)))


def _weights(votes: PairVotes) -> Floats:
    return np.ones(len(votes)) if votes.weight is None else votes.weight


def _weight_of_subject(votes: PairVotes) -> float:
    """The weight of all votes of one subject on one pair, the same for each."""
    of_first = (votes.pair == votes.pair[0]) & (votes.subject == votes.subject[0])
    return float(_weights(votes)[of_first].sum())


# Places of unjudged items in one system's lists, a list for each cell.


def unjudged_items(block: JudgedBlock, placement: Placement, elsewhere: Ints) -> UnjudgedItems:
    """Lay out one system's lists, cells being queries of a single world.

    Parameters
    ----------
    block : JudgedBlock
    placement : Placement
        With ties resolved.
    elsewhere : (queries,) int
        Items outside the pool that any run retrieved.
    """
    # A negative grade marks an item of the pool that was not judged.
    judged = np.flatnonzero(block.grade >= 0)
    judged = judged[np.argsort(block.cell[judged], kind="stable")]
    cell, pair, grade = block.cell[judged], block.pair[judged], block.grade[judged]
    query, n_cells = block.query_of_cell, block.n_cells
    length = placement.length[query]
    n_ranks = max(1, int(length.max(initial=0)))
    rank = ranks_of_pairs(placement, int(block.offsets[-1]))[0][pair]
    listed = rank > 0
    gain = np.full((n_cells, n_ranks), np.nan)
    gain[cell[listed], rank[listed] - 1] = grade[listed]
    unjudged = np.isnan(gain) & (np.arange(1, n_ranks + 1) <= length[:, None])
    n_judged = np.bincount(cell, minlength=n_cells)
    hits = np.diff(placement.offsets)[query]
    in_pool = np.diff(block.offsets)[query] - n_judged
    in_pool -= hits - np.bincount(cell[listed], minlength=n_cells)  # those in the list
    outside = in_pool + elsewhere[query] - (length - hits)
    return UnjudgedItems(
        gain[None],
        unjudged[None],
        outside[None],
        length,
        grade[None],
        offsets_of(n_judged),
        block.top_grade or 1.0,
    )


# What is known of judged pairs as a whole.


Source = Literal["subjects", "probabilities", "counts"]
_SOURCES = {
    "probabilities": "probabilities and have no subjects",
    "counts": "counts of people without names, so that nobody's judgments of two items are known",
}
_AGGREGATE = "truth.aggregate('mean' | 'median' | 'majority' | 'max' | 'min')"
_NO_INTENTS = (
    "these have none; name the intent (subtopic, aspect, ...) of each judgment in a column "
    "'intent', or read TREC diversity judgments with groups='intent'"
)
_REPEATED = (
    "subjects judged some items several times, which makes several lists of each; keep one repeat "
    "of each subject"
)
_NO_SUBJECTS = (
    "these judgments have no subjects; leave out worlds=, or read them with a column that names "
    "who judged: columns={'subject': ...}"
)
_CHANGED_MIND = (
    "the subject judged some items several times, with different grades; use "
    f"worlds='independent', or merge them with {_AGGREGATE}"
)


def facts_of(
    pool: Pool,
    systems: tuple[str, ...],
    coverage: protocol.Coverage,
    design: Design,
    source: Source,
) -> protocol.Facts:
    """What is known of a pool and the systems that answer to it.

    `source` says what the votes come from: judgments (of subjects, or of a single source),
    probabilities of grades, or counts of people without names.
    """
    lacks = _lacking(pool, source)
    return protocol.Facts(
        systems=systems,
        queries=pool.queries,
        subjects=pool.subjects,
        design=design,
        cells=pool.cells,
        top_grade=pool.top_grade,
        missing=pool.missing,
        n_missing=int(pool.missing.sum()),
        uncertain=pool.uncertain,
        n_items=len(pool.item),
        coverage=coverage,
        lacks=lacks,
        default="independent" if "crisp" in lacks else "crisp",
        queries_share_items=False,
    )


def _lacking(pool: Pool, source: Source) -> dict[str, str]:
    """What judgments lack, and why."""
    lacks: dict[str, str] = {}
    if pool.sets is None:
        lacks["intents"] = _NO_INTENTS
    if pool.repeated:
        lacks["lists"] = _REPEATED
    if source != "subjects":
        reason = f"these judgments are {_SOURCES[source]}"
        lacks.setdefault("lists", reason)
        alone = f"{reason}; use worlds='independent'"
        return lacks | dict.fromkeys(("crisp", "subject", "population"), alone)
    n_subjects = len(pool.subjects or ())
    if n_subjects > 1:
        lacks["crisp"] = (
            f"these judgments have {n_subjects} subjects; merge them with {_AGGREGATE}, or use "
            "worlds='subject'"
        )
    elif pool.uncertain.any():
        lacks["crisp"] = _CHANGED_MIND
    if n_subjects == 0:
        lacks["subject"] = lacks["population"] = _NO_SUBJECTS
    elif n_subjects == 1:
        lacks["population"] = too_few_subjects("judgments", n_subjects)
    return lacks


_VOTES = 1 << 18  # judgments in a block of subjects' truths, about


def blocks_of_votes(pool: Pool) -> list[slice]:
    """Blocks of about equally many judgments."""
    return protocol.cut(pool.votes.offsets[pool.offsets], _VOTES)


@dataclass(frozen=True, eq=False)
class AlignedPairs(PlacedTruth):
    """Judged pairs of a query and an item, and their ranks in each run.

    Parameters
    ----------
    facts, placements
        See `PlacedTruth`.
    pool : Pool
    elsewhere : callable or (queries,) int
        How many different items outside the pool any system retrieved; or counts them.
    """

    pool: Pool
    elsewhere: Callable[[], Ints] | Ints = field(repr=False)

    def filled(self) -> AlignedPairs | str:
        """The same with a grade 0 for each missing judgment."""
        return replace(self, facts=self.facts.complete(), pool=filled(self.pool))

    def blocks(self, worlds: protocol.Worlds) -> Sequence[slice]:
        """Blocks of about equally many judgments, or pairs for drawn worlds."""
        by_vote = worlds in ("crisp", "subject")
        return blocks_of_votes(self.pool) if by_vote else self.pool.blocks

    def subject_truths(self, block: slice, missing: protocol.Missing) -> protocol.SubjectTruths:
        """Each subject's judgments as a crisp truth."""
        return subject_truths(JudgedBlock.of(self.pool, block), self._in_pool(block), missing)

    def _in_pool(self, block: slice) -> tuple[Placement, ...]:
        return self.placed(block, int(self.pool.offsets[block.start]))

    @cached_property
    def _lists(self) -> SubjectLists:
        votes, pool = self.pool.votes, self.pool
        cell = pool.cell_of_vote
        position = () if votes.position is None else (votes.position,)
        order = np.lexsort((-votes.grade, *position, cell))
        return SubjectLists(
            pool.cells,
            pool.queries,
            pool.subjects,
            pool.item,
            offsets_of(np.bincount(cell, minlength=len(pool.cells))),
            votes.pair[order],
            votes.grade[order],
            None if votes.position is None else votes.position[order],
        )

    def subject_lists(self, run: int) -> AlignedLists:
        """The subjects' lists, and where one run ranks their items."""
        placement = self.placements[run]
        rank_of = np.zeros(len(self.pool.item), dtype=np.int64)
        rank_of[placement.entry] = placement.first
        return AlignedLists(self._lists, rank_of, placement.length[self.pool.cells.query])

    def unjudged(self, run: int, block: slice) -> UnjudgedItems:
        """Places of unjudged items in the lists of one run."""
        judged = JudgedBlock.of(self.pool, block)
        return unjudged_items(judged, self._in_pool(block)[run], self._elsewhere[block])

    @cached_property
    def _elsewhere(self) -> Ints:
        return self.elsewhere() if callable(self.elsewhere) else self.elsewhere

    def outcomes(self, block: slice, votes: VoteWeights) -> PairOutcomes:
        """Probabilities of the grades of a block's pairs."""
        return PairOutcomes(pair_block(self.pool, self.placements, block), votes)

    def lost_votes(self, votes: VoteWeights) -> int:
        """How many pairs of an outer world and a judged pair have no vote left."""
        return sum(pair_block(self.pool, (), b).lost_votes(votes) for b in self.pool.blocks)


def _unjudged_lists(
    pool: Pool, runs: RankedLists, placements: tuple[Placement, ...]
) -> dict[str, tuple[str, str]]:
    """Systems that retrieved no judged item, with an example of what they retrieved instead."""
    placed = zip(runs.systems, placements, strict=True)
    without = [system for system, placement in placed if not len(placement.entry)]
    if not without:
        return {}
    examples = runs.each_block(partial(example_items, pool))
    found = {system: [pair for pair in examples[system] if pair] for system in without}
    return {system: pairs[0] for system, pairs in found.items() if pairs}


def source_of(columns: Container[str]) -> Source:
    """What the votes come from, if judgments have these columns."""
    if "probability" in columns:
        return "probabilities"
    return "counts" if "count" in columns else "subjects"


@protocol.align.register
def align_pairs(truth: Judgments, runs: RankedLists, *, ties: Ties) -> AlignedPairs:
    """Look up the ranks of the judged pairs in each run."""
    source = source_of(truth.present(NUMBERS))
    return aligned_pairs(make_pool(truth), runs, ties, design=truth.design, source=source)


def aligned_pairs(
    pool: Pool,
    runs: RankedLists,
    ties: Ties,
    *,
    design: Design = "crossed",
    source: Source = "subjects",
) -> AlignedPairs:
    """Align a pool, however it was made, with runs."""
    placements = place_runs(pool, runs, ties)
    coverage = replace(
        protocol.coverage_of(pool.queries, runs),
        unjudged_lists=_unjudged_lists(pool, runs, placements),
    )
    facts = facts_of(pool, runs.systems, coverage, design, source)
    return AlignedPairs(facts, placements, pool, partial(retrieved_elsewhere, pool, runs))
