"""Items as queries, aligned with runs that list categories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import NoReturn

import numpy as np

from fuzzytruth._typing import Bools, Ints
from fuzzytruth.core.cells import Cells
from fuzzytruth.data.by_item import ByItem
from fuzzytruth.data.judgment_columns import Design
from fuzzytruth.data.ranking import Ranking
from fuzzytruth.data.ranks import Ties
from fuzzytruth.data.runs import Runs
from fuzzytruth.errors import OptionError, nearest, shown
from fuzzytruth.io.ids import find_items
from fuzzytruth.truth.coverage import Coverage, coverage_of
from fuzzytruth.truth.item.category_pool import CategoryPool, category_pool
from fuzzytruth.truth.item.outcomes import ItemBlock, ItemOutcomes
from fuzzytruth.truth.pairs.aligned import AlignedPairs
from fuzzytruth.truth.pairs.placement import Placement, place_runs, retrieved_elsewhere
from fuzzytruth.truth.protocol import Missing, SubjectTruths, Worlds
from fuzzytruth.truth.vote_weights import VoteWeights
from fuzzytruth.truth.vote_worlds import why_not


@dataclass(frozen=True, eq=False)
class AlignedItems:
    """Judged pairs of an item and a category, all those of an item graded by one ballot.

    Each subject's truth is that of the pairs; worlds are drawn, and mixed, by item.

    Parameters
    ----------
    votes : CategoryPool
    runs : Runs
    placements : tuple of Placement
        One for each run.
    coverage : Coverage
    """

    votes: CategoryPool
    runs: Runs = field(repr=False)
    placements: tuple[Placement, ...]
    coverage: Coverage

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the runs."""
        return self.runs.systems

    @property
    def queries(self) -> tuple[str, ...]:
        """Ids of the items with votes."""
        return self.votes.pairs.queries

    @property
    def subjects(self) -> tuple[str, ...] | None:
        """Names of the subjects; None where votes have no names."""
        return self.votes.subjects

    @property
    def design(self) -> Design:
        """A subject is the same person for all items."""
        return "crossed"

    @property
    def cells(self) -> Cells:
        """Each item and subject who voted on it."""
        return self.votes.cells

    @property
    def top_grade(self) -> float:
        """The largest grade."""
        return self.votes.top_grade

    @property
    def missing(self) -> Ints:
        """None: a vote decides on all categories of its item."""
        return np.zeros(len(self.cells), dtype=np.int64)

    @property
    def n_missing(self) -> int:
        """None."""
        return 0

    @property
    def uncertain(self) -> Bools:
        """Cells whose subject gave the item different categories at different times: (cells,)."""
        return self.votes.uncertain

    def filled(self) -> AlignedItems | str:
        """The same: nothing is missing."""
        return self

    @property
    def resampling_is_unbiased(self) -> bool:
        """So it is where the votes on an item weigh the same."""
        return self.votes.ballots.equal_weights

    @property
    def n_items(self) -> int:
        """Number of items that a world gives categories."""
        return len(self.queries)

    @property
    def default(self) -> Worlds:
        """Independent worlds if the votes differ, or there are several subjects."""
        return "crisp" if self.why_not("crisp") is None else "independent"

    def top(self, depth: int) -> AlignedItems:
        """The same with lists of which only the categories within `depth` are known."""
        return replace(self, placements=tuple(p.top(depth) for p in self.placements))

    @property
    def why_no_intents(self) -> str:
        """Categories are no intents."""
        return "votes for categories have none; give judgments with a column 'intent'"

    def why_not(self, worlds: Worlds) -> str | None:
        """Why the votes have no such worlds."""
        uncertain, n_differ = bool(self.uncertain.any()), self.votes.ballots.n_differ
        return why_not(worlds, self.subjects, uncertain=uncertain, n_differ=n_differ)

    def blocks(self, worlds: Worlds) -> Sequence[slice]:
        """Blocks of about equally many votes, or pairs for drawn worlds."""
        if worlds in ("crisp", "subject"):
            return self._pairs.blocks(worlds)
        return self.votes.pairs.blocks

    @cached_property
    def _pairs(self) -> AlignedPairs:
        """The same as judged pairs, each with as many votes as its item."""
        pool = self.votes.pool
        return AlignedPairs(
            pool,
            self.systems,
            self.placements,
            self.design,
            "subjects",
            self.coverage,
            partial(retrieved_elsewhere, pool, self.runs),
        )

    def subject_truths(self, block: slice, missing: Missing) -> SubjectTruths:
        """Each subject's own categories as a crisp truth."""
        return self._pairs.subject_truths(block, missing)

    @property
    def why_no_lists(self) -> str:
        """Why there are none."""
        return "votes for categories are no ranked lists; give judgments with grades or positions"

    def subject_lists(self, run: int) -> NoReturn:
        """There are none."""
        raise OptionError(self.why_no_lists)

    @property
    def why_no_unjudged(self) -> str:
        """Why there are none."""
        return "a vote on an item decides on all categories, so that none is unjudged"

    def unjudged(self, run: int, block: slice) -> NoReturn:
        """There are none."""
        raise OptionError(self.why_no_unjudged)

    def outcomes(self, block: slice, votes: VoteWeights) -> ItemOutcomes:
        """Probabilities of the categories of a block's items."""
        pairs, offsets = self.votes.pairs.of_queries(block)
        of_block = ItemBlock(
            self.votes.ballots.of_items(block),
            offsets,
            self.votes.slot_grades(block),
            tuple(p.of_queries(block, pairs.start) for p in self.placements),
            self.top_grade,
        )
        return ItemOutcomes(of_block, votes)

    def lost_votes(self, votes: VoteWeights) -> int:
        """How many pairs of an outer world and an item have no vote left."""
        ballots = self.votes.ballots
        return sum(ballots.of_items(b).lost_votes(votes) for b in self.blocks("population"))


def align_items(truth: ByItem, runs: Runs, *, ties: Ties) -> AlignedItems:
    """Look up the ranks of the categories that votes make relevant."""
    votes = category_pool(truth)
    unknown = {system: _unknown(votes, ranking) for system, ranking in runs.items()}
    names = votes.names.to_pylist()
    coverage = replace(
        coverage_of(votes.pairs.queries, runs),
        unknown_items={system: len(rows) for system, rows in unknown.items() if len(rows)},
        unknown_because="not in the taxonomy",
        unknown_examples={
            system: _shown(runs[system].item[int(rows[0])].as_py(), names)
            for system, rows in unknown.items()
            if len(rows)
        },
        lacking="votes",
        note="; by_item has items as queries and retrieves categories, such as "
        f"{shown(votes.pairs.item[0].as_py())} (by_example retrieves items)",
    )
    return AlignedItems(votes, runs, place_runs(votes.pairs, runs, ties), coverage)


def _unknown(votes: CategoryPool, ranking: Ranking) -> Ints:
    """Rows of retrieved categories that are not in the taxonomy, in lists of items with votes."""
    wanted = votes.pairs.codes(ranking.queries) < len(votes.pairs.queries)
    unknown = find_items(ranking.item, votes.names) < 0
    return np.flatnonzero(unknown & wanted[ranking.query])


def _shown(name: str, known: list[str]) -> str:
    """An unknown category, with those that are spelt alike."""
    return f"{shown(name)}{nearest(name, known)}"
