"""Judged pairs aligned with runs."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Literal

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.segments import offsets_of, ragged
from fuzzytruth.data.judgments import NUMBERS, Design, Judgments
from fuzzytruth.data.ranking import RankedLists, Ties
from fuzzytruth.truth import protocol
from fuzzytruth.truth.pairs.outcomes import PairOutcomes, pair_block
from fuzzytruth.truth.pairs.placement import (
    PlacedTruth,
    Placement,
    example_items,
    place_runs,
    retrieved_elsewhere,
)
from fuzzytruth.truth.pairs.pool import PairVotes, Pool, make_pool, votes_of
from fuzzytruth.truth.pairs.subject_truths import JudgedBlock, ranks_of_pairs, subject_truths
from fuzzytruth.truth.unjudged import AlignedLists, SubjectLists, UnjudgedItems
from fuzzytruth.truth.vote_weights import VoteWeights, too_few_subjects

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
    weight = np.full(len(pair), _weight_of_subject(votes))
    more = votes_of(
        np.concatenate((votes.pair, pair)),
        np.concatenate((votes.subject, subject)),
        np.concatenate((votes.grade, np.zeros(len(pair)))),
        n_pairs=len(pool.item),
        weight=np.concatenate((_weights(votes), weight)),
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
    "these judgments have no subjects; leave worlds out, or read them with a column that names who "
    "judged: columns={'subject': ...}"
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
        if worlds in ("crisp", "subject"):
            return blocks_of_votes(self.pool)
        return self.pool.blocks

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
