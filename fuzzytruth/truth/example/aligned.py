"""Query by example aligned with runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from fuzzytruth.core.segments import offsets_of
from fuzzytruth.data.by_example import ByExample
from fuzzytruth.data.ranking import Ties
from fuzzytruth.data.runs import Runs
from fuzzytruth.truth import protocol
from fuzzytruth.truth.example.collection import Collection, make_collection
from fuzzytruth.truth.example.outcomes import ExampleOutcomes
from fuzzytruth.truth.example.subject_truths import (
    OwnLabels,
    cells_of,
    missing_labels,
    subject_truths,
    uncertain_cells,
)
from fuzzytruth.truth.example.worlds import ExampleBlock, LabellingCache, place_lists
from fuzzytruth.truth.pairs.placement import PlacedTruth
from fuzzytruth.truth.vote_weights import VoteWeights, votes_lack

_HITS = 1 << 14  # retrieved items in a block of queries, about
_GROUPS = 1 << 22  # groups of equally probable items in a block of a large collection
_MOST_GROUPS = 1 << 20  # the same for a single query, beyond which worlds are drawn
_OPTIONS = 1 << 17  # components × items in a block where each item is looked at by itself


_ALL_JUDGED = "query by example has no unjudged items, for every labelled item counts"
_NO_VOTERS = (
    "the category of some queries is given by probabilities, which have no subjects; use "
    "worlds='independent'"
)


def facts_of(
    collection: Collection, systems: tuple[str, ...], coverage: protocol.Coverage
) -> protocol.Facts:
    """What is known of a collection and the systems that answer to it.

    Resampling is not unbiased: queries draw their categories from the same votes as items, or votes
    weigh differently. A missing label counts once, whichever query it is missing for.
    """
    cells, named = cells_of(collection), collection.subjects is not None
    uncertain = np.zeros(len(cells), dtype=bool)
    missing = np.zeros(1, dtype=np.int64)  # of each subject
    if named:
        uncertain, missing = uncertain_cells(collection, cells), missing_labels(collection, cells)
    lacks = votes_lack(
        collection.subjects,
        unjudged=_ALL_JUDGED,
        uncertain=bool(uncertain.any()),
        n_differ=collection.ballots.n_differ,
    )
    if collection.given is not None and not collection.given.certain:
        lacks |= dict.fromkeys(("crisp", "subject", "population"), _NO_VOTERS)
    return protocol.Facts(
        systems=systems,
        queries=collection.queries,
        subjects=collection.subjects,
        cells=cells,
        top_grade=collection.top_grade,
        missing=missing[cells.subject_codes],
        n_missing=int(missing.sum()),
        uncertain=uncertain,
        n_items=len(collection.items),
        coverage=coverage,
        lacks=lacks,
        default="independent" if "crisp" in lacks else "crisp",
        resampling_is_unbiased=False,
    )


@dataclass(frozen=True, eq=False)
class AlignedExample(PlacedTruth):
    """A collection of labelled items, queries that are among them, and each run's lists.

    A world labels every item of the collection, whichever query retrieved it, so that all blocks
    of queries share their worlds.

    Parameters
    ----------
    facts, placements
        See `PlacedTruth`.
    collection : Collection
    """

    collection: Collection

    def filled(self) -> AlignedExample | str:
        """There is none."""
        return "an item that a subject did not label has no label to be drawn"

    def blocks(self, worlds: protocol.Worlds) -> Sequence[slice]:
        """Blocks of about equally many retrieved items."""
        return self._blocks

    @cached_property
    def _blocks(self) -> list[slice]:
        size = np.max([np.diff(lists.offsets) for lists in self.placements], axis=0)
        hits = max(_HITS, int(size.max(initial=1)))
        if self.collection.small:
            per_query = self.collection.ballots.slots.option.shape[1] * self.collection.n_items
            size = np.maximum(size, per_query * hits // _OPTIONS)
        else:
            size = np.maximum(size, min(self._groups, _MOST_GROUPS) * hits // _GROUPS)
        return protocol.cut(offsets_of(np.maximum(size, 1)), hits)

    @cached_property
    def _groups(self) -> int:
        """Groups of equally probable items, over the options of a query; 0: not needed."""
        return 0 if self.collection.small else self.collection.rest_size

    def _block(self, queries: slice) -> ExampleBlock:
        too_many = self._groups > _MOST_GROUPS
        return ExampleBlock(self.collection, queries, self.placed(queries), too_many)

    def subject_truths(self, block: slice, missing: protocol.Missing) -> protocol.SubjectTruths:
        """Each subject's own labels as a crisp truth."""
        if not self.facts.n_missing:
            missing = "error"
        return subject_truths(self._own_labels, self._block(block), self.facts.cells, missing)

    @cached_property
    def _own_labels(self) -> OwnLabels:
        return OwnLabels(self.collection)

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
        protocol.coverage_of(collection.queries, runs),
        unknown_items=unknown,
        lacking="votes" if truth.category is None else "a category (category=)",
    )
    if truth.queries is not None:
        coverage = replace(coverage, unjudged={})  # the other queries are left out on purpose
    elif isinstance(truth.category, Mapping):
        coverage = replace(coverage, unjudged=_no_items(coverage.unjudged, truth))
    return AlignedExample(facts_of(collection, runs.systems, coverage), lists, collection)
