"""Query by example aligned with runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NoReturn

import numpy as np

from fuzzytruth._typing import Bools, Ints
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.segments import offsets_of
from fuzzytruth.data.by_example import ByExample
from fuzzytruth.data.judgment_columns import Design
from fuzzytruth.data.ranking import Ties
from fuzzytruth.data.runs import Runs
from fuzzytruth.errors import OptionError
from fuzzytruth.truth.blocks import cut
from fuzzytruth.truth.example.block import ExampleBlock, ExampleLists, place_lists
from fuzzytruth.truth.example.collection import Collection, make_collection
from fuzzytruth.truth.example.outcomes import ExampleOutcomes
from fuzzytruth.truth.example.subject_truths import (
    OwnLabels,
    cells_of,
    missing_labels,
    subject_truths,
    uncertain_cells,
)
from fuzzytruth.truth.example.worlds import LabellingCache
from fuzzytruth.truth.protocol import Coverage, Missing, SubjectTruths, Worlds, coverage_of
from fuzzytruth.truth.vote_weights import VoteWeights
from fuzzytruth.truth.vote_worlds import why_not

_HITS = 1 << 14  # retrieved items in a block of queries, about
_GROUPS = 1 << 22  # groups of equally probable items in a block of a large collection
_MOST_GROUPS = 1 << 20  # the same for a single query, beyond which worlds are drawn
_OPTIONS = 1 << 17  # components × items in a block where each item is looked at by itself


@dataclass(frozen=True, eq=False)
class AlignedExample:
    """A collection of labelled items, queries that are among them, and each run's lists.

    A world labels every item of the collection, whichever query retrieved it, so that all blocks
    of queries share their worlds.

    Parameters
    ----------
    collection : Collection
    systems : tuple of str
    lists : tuple of ExampleLists
        One for each run.
    coverage : Coverage
    """

    collection: Collection
    systems: tuple[str, ...]
    lists: tuple[ExampleLists, ...]
    coverage: Coverage

    @property
    def queries(self) -> tuple[str, ...]:
        """Ids of the queries."""
        return self.collection.queries

    @property
    def subjects(self) -> tuple[str, ...] | None:
        """Names of the subjects; None where nobody is named."""
        return self.collection.subjects

    @property
    def design(self) -> Design:
        """A subject is the same person for all items."""
        return "crossed"

    @cached_property
    def cells(self) -> Cells:
        """Each query and subject who says which category the query asks for."""
        return cells_of(self.collection)

    @property
    def top_grade(self) -> float:
        """The largest grade."""
        return self.collection.top_grade

    @cached_property
    def missing(self) -> Ints:
        """Items that each cell's subject did not label: (cells,)."""
        return self._missing_of_subject[self.cells.subject_codes]

    @cached_property
    def _missing_of_subject(self) -> Ints:
        """Items that each subject did not label; 0 for one without cells: (subjects,)."""
        if self.subjects is None:
            return np.zeros(1, dtype=np.int64)
        return missing_labels(self.collection, self.cells)

    @property
    def n_missing(self) -> int:
        """Labels that are missing: an item counts once, whichever query it is missing for."""
        return int(self._missing_of_subject.sum())

    @cached_property
    def uncertain(self) -> Bools:
        """Cells whose subject judged items repeatedly and differently: (cells,)."""
        if self.subjects is None:
            return np.zeros(len(self.cells), dtype=bool)
        return uncertain_cells(self.collection, self.cells)

    def filled(self) -> AlignedExample | str:
        """There is none."""
        return "an item that a subject did not label has no label to be drawn"

    @property
    def resampling_is_unbiased(self) -> bool:
        """Not so: queries draw their categories from the same votes as items, or votes weigh."""
        return False

    @property
    def n_items(self) -> int:
        """Number of items with votes: the collection, and queries outside it."""
        return len(self.collection.items)

    @property
    def default(self) -> Worlds:
        """Independent worlds if the votes differ, or there are several subjects."""
        return "crisp" if self.why_not("crisp") is None else "independent"

    def top(self, depth: int) -> AlignedExample:
        """The same with lists of which only the items within `depth` are known."""
        return replace(self, lists=tuple(one.top(depth) for one in self.lists))

    @property
    def why_no_intents(self) -> str:
        """Categories are no intents."""
        return "votes for categories have none; give judgments with a column 'intent'"

    def why_not(self, worlds: Worlds) -> str | None:
        """Why the votes have no such worlds."""
        given = self.collection.given
        if worlds != "independent" and given is not None and not given.certain:
            return (
                "the category of some queries is given by probabilities, which have no subjects; "
                "use worlds='independent'"
            )
        uncertain, n_differ = bool(self.uncertain.any()), self.collection.ballots.n_differ
        return why_not(worlds, self.subjects, uncertain=uncertain, n_differ=n_differ)

    def blocks(self, worlds: Worlds) -> Sequence[slice]:
        """Blocks of about equally many retrieved items."""
        return self._blocks

    @cached_property
    def _blocks(self) -> list[slice]:
        size = np.max([np.diff(lists.offsets) for lists in self.lists], axis=0)
        hits = max(_HITS, int(size.max(initial=1)))
        if self.collection.small:
            per_query = self.collection.ballots.slots.option.shape[1] * self.collection.n_items
            size = np.maximum(size, per_query * hits // _OPTIONS)
        else:
            size = np.maximum(size, min(self._groups, _MOST_GROUPS) * hits // _GROUPS)
        return cut(offsets_of(np.maximum(size, 1)), hits)

    @cached_property
    def _groups(self) -> int:
        """Groups of equally probable items, over the options of a query; 0: not needed."""
        return 0 if self.collection.small else self.collection.rest_size

    def _block(self, queries: slice) -> ExampleBlock:
        lists = tuple(one.of_queries(queries) for one in self.lists)
        return ExampleBlock(self.collection, queries, lists, self._groups > _MOST_GROUPS)

    def subject_truths(self, block: slice, missing: Missing) -> SubjectTruths:
        """Each subject's own labels as a crisp truth."""
        if not self.n_missing:
            missing = "error"
        return subject_truths(self._own_labels, self._block(block), self.cells, missing)

    @cached_property
    def _own_labels(self) -> OwnLabels:
        return OwnLabels(self.collection)

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
        return "query by example has no unjudged items, for every labelled item counts"

    def unjudged(self, run: int, block: slice) -> NoReturn:
        """There are none."""
        raise OptionError(self.why_no_unjudged)

    def outcomes(self, block: slice, votes: VoteWeights) -> ExampleOutcomes:
        """Probabilities of the labels of all items."""
        return ExampleOutcomes(self._block(block), votes, slice(0, len(votes)), self._drawn)

    @cached_property
    def _drawn(self) -> LabellingCache:
        return LabellingCache()

    def lost_votes(self, votes: VoteWeights) -> int:
        """How many pairs of an outer world and an item have no vote left."""
        return self.collection.ballots.lost_votes(votes)


def _no_items(unjudged: Mapping[str, list[str]], truth: ByExample) -> Mapping[str, list[str]]:
    """Those queries without a category that are no items with votes: the others are left out."""
    items = frozenset(truth.votes.items.to_pylist())
    kept = {system: [q for q in ids if q not in items] for system, ids in unjudged.items()}
    return {system: ids for system, ids in kept.items() if ids}


def align_example(truth: ByExample, runs: Runs, *, ties: Ties) -> AlignedExample:
    """Settle the queries, and find the items of each run's lists."""
    answered = (query for ranking in runs.values() for query in ranking.queries)
    collection = make_collection(truth, answered)
    lists = tuple(place_lists(collection, ranking, ties=ties) for ranking in runs.values())
    unknown = {s: one.unknown for s, one in zip(runs.systems, lists, strict=True) if one.unknown}
    coverage = replace(
        coverage_of(collection.queries, runs),
        unknown_items=unknown,
        lacking="votes" if truth.category is None else "a category (category=)",
    )
    if truth.queries is not None:
        coverage = replace(coverage, unjudged={})  # the other queries are left out on purpose
    elif isinstance(truth.category, Mapping):
        coverage = replace(coverage, unjudged=_no_items(coverage.unjudged, truth))
    return AlignedExample(collection, runs.systems, lists, coverage)
