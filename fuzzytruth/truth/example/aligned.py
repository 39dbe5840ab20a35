"""Query by example aligned with runs, and each subject's own labels as a crisp truth.

Where most subjects labelled most items, or the collection is small, subjects are worlds that label
the collection. Where labels are few, each cell (a query and a subject) becomes a query of its own,
so that memory is proportional to the labels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.arithmetic import offsets_of, ragged
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.layouts import EndToEnd
from fuzzytruth.data.by_example import ByExample
from fuzzytruth.data.ranking import Ties
from fuzzytruth.data.runs import Runs
from fuzzytruth.errors import DataError, counted, shown
from fuzzytruth.io.columns import string_array
from fuzzytruth.io.ids import encode, find_items
from fuzzytruth.truth import protocol
from fuzzytruth.truth.batch import Batch, Levels, ranks
from fuzzytruth.truth.example.collection import (
    Collection,
    ExampleBlock,
    ExampleWorlds,
    Labelling,
    LabellingCache,
    make_collection,
    place_lists,
)
from fuzzytruth.truth.example.outcomes import ExampleOutcomes
from fuzzytruth.truth.inputs import without_missing
from fuzzytruth.truth.pairs.placement import PlacedTruth, Placement
from fuzzytruth.truth.protocol import Missing, SubjectTruths
from fuzzytruth.truth.vote_weights import VoteWeights, votes_lack

_DENSE = 4  # places of a table of subjects × items for each label, up to which it is made
_SMALL = 1 << 20  # places of a table that is made in any case


def cells_of(collection: Collection) -> Cells:
    """Each query and subject who says which category the query asks for."""
    n_queries, n_subjects = len(collection.queries), collection.n_subjects
    if collection.subjects is None:
        return Cells.of_queries(n_queries)
    if collection.given is not None:  # the category is given: whoever labels anything
        ballots = collection.ballots
        voters = np.unique(ballots.subject[ballots.item < collection.n_items])
        query = np.repeat(np.arange(n_queries), len(voters))
        return Cells(query, np.tile(voters, n_queries), n_queries, n_subjects)
    ballots, first = collection.ballots, collection.ballots.first
    of_item = np.bincount(ballots.item[first], minlength=len(collection.items))
    query, place = ragged(offsets_of(of_item), collection.query_item)
    return Cells(query, ballots.subject[first[place]], n_queries, n_subjects)


def missing_labels(collection: Collection, cells: Cells) -> Ints:
    """Items that each subject did not label; 0 for one without cells: (subjects,)."""
    ballots, first = collection.ballots, collection.ballots.first
    labelled = first[ballots.item[first] < collection.n_items]
    labels = np.bincount(ballots.subject[labelled], minlength=collection.n_subjects)
    return np.where(cells.subject_sizes > 0, collection.n_items - labels, 0)


def uncertain_cells(collection: Collection, cells: Cells) -> Bools:
    """Cells whose subject gave some item of the collection, or the query, different labels.

    (cells,).
    """
    ballots, n_subjects = collection.ballots, collection.n_subjects
    changed = ballots.changed_minds
    item, subject = ballots.item[changed], ballots.subject[changed]
    out: Bools = np.isin(cells.subject_codes, subject[item < collection.n_items])
    if collection.given is None:
        own = collection.query_item[cells.query] * n_subjects + cells.subject_codes
        out |= np.isin(own, item * n_subjects + subject)
    return out


@dataclass(frozen=True, eq=False)
class OwnLabels:
    """The option that each subject gave each item.

    Parameters
    ----------
    collection : Collection
    """

    collection: Collection

    @property
    def dense(self) -> bool:
        """Whether a table of subjects × items is worth its memory."""
        places = self.collection.n_subjects * len(self.collection.items)
        return places <= max(_SMALL, _DENSE * len(self.collection.ballots))

    @cached_property
    def labelling(self) -> Labelling:
        """Subjects as worlds; -1 where a subject did not label an item."""
        return self._labelling(-1, self.collection.grade.shape[1])

    @cached_property
    def filled(self) -> tuple[Collection, Labelling]:
        """The same where items without a label have one that is relevant to no query."""
        collection = self.collection.with_nothing()
        nothing = self.collection.grade.shape[1]
        return collection, self._labelling(nothing, nothing + 1)

    def _labelling(self, fill: int, n_options: int) -> Labelling:
        """The first label that each subject gave to each item."""
        collection = self.collection
        option = np.full((collection.n_subjects, len(collection.items)), fill, dtype=np.int64)
        ballots, first = collection.ballots, collection.ballots.first
        option[ballots.subject[first], ballots.item[first]] = ballots.option[first]
        return Labelling.of(option, n_options, collection.n_items)


def subject_truths(
    labels: OwnLabels, block: ExampleBlock, cells: Cells, missing: Missing
) -> SubjectTruths:
    """Each subject's truth for a block of queries; see `AlignedTruth.subject_truths`."""
    first, last = cells.offsets[[block.queries.start, block.queries.stop]].tolist()
    query, subject = cells.query[first:last] - block.queries.start, cells.subject_codes[first:last]
    if not labels.dense:
        return _by_cell(block, query, subject, missing)
    if missing == "nonrelevant":
        collection, labelling = labels.filled
        worlds = ExampleWorlds(ExampleBlock(collection, block.queries, block.lists), labelling)
    else:
        worlds = ExampleWorlds(block, labels.labelling)

    def batch(run: int) -> Batch:
        shared = worlds.batch(run)
        return without_missing(shared) if missing == "exclude" else shared

    index = subject * block.n_queries + query
    if len(labels.labelling) > 1 or missing == "exclude":
        return SubjectTruths(batch, index)
    return SubjectTruths(batch, index, lambda run: block.lists[run].ties)


def _by_cell(block: ExampleBlock, query: Ints, subject: Ints, missing: Missing) -> SubjectTruths:
    """A query for each cell, in a single world."""
    cells = _CellLabels(block, query, subject)
    levels = cells.levels(fill=missing == "nonrelevant")

    def batch(run: int) -> Batch:
        every = cells.batch(run, levels, 0.0 if missing == "nonrelevant" else np.nan)
        return without_missing(every) if missing == "exclude" else every

    return SubjectTruths(batch, np.arange(len(query)))


@dataclass(frozen=True, eq=False)
class _CellLabels:
    """What each cell's subject says of the collection.

    Parameters
    ----------
    block : ExampleBlock
    query, subject : (cells,) int
    """

    block: ExampleBlock
    query: Ints
    subject: Ints

    @cached_property
    def _key(self) -> Ints:
        """Item and subject of each ballot as one number, ascending."""
        ballots = self.block.collection.ballots
        return ballots.item * self.block.collection.n_subjects + ballots.subject

    def _option(self, item: Ints, subject: Ints) -> Ints:
        """The first option that subjects gave items; -1 where there is none, or no item."""
        wanted = item * self.block.collection.n_subjects + subject
        place = np.minimum(np.searchsorted(self._key, wanted), len(self._key) - 1)
        given = (self._key[place] == wanted) & (item >= 0)
        return np.where(given, self.block.collection.ballots.option[place], -1)

    @cached_property
    def row(self) -> Ints:
        """Row of grades that each cell asks for: (cells,)."""
        collection = self.block.collection
        if collection.given is not None:
            return collection.given.row[self.block.queries, 0][self.query]
        return self._option(self.block.query_item[self.query], self.subject)

    def batch(self, run: int, levels: Levels, other: float) -> Batch:
        """One run's lists; items that the subject did not label have gain `other`."""
        collection, lists = self.block.collection, self.block.lists[run]
        cell, hit = ragged(lists.offsets, self.query)
        option = self._option(lists.entry[hit], self.subject[cell])
        gain = collection.grade[self.row[cell], np.maximum(option, 0)]
        return Batch(
            lists.length[self.query],
            EndToEnd(offsets_of(np.bincount(cell, minlength=len(self.query)))),
            *ranks(lists.first[hit], lists.last[hit]),
            np.where(option >= 0, gain, other)[None, :],
            levels,
            collection.top_grade,
        )

    def levels(self, *, fill: bool) -> Levels:
        """How many items have each grade for each cell, the query itself left out."""
        collection = self.block.collection
        ballots, counted = collection.ballots, collection.ballots.first
        counted = counted[ballots.item[counted] < collection.n_items]
        by_subject = counted[np.argsort(ballots.subject[counted], kind="stable")]
        n_subjects, n_cells = collection.n_subjects, len(self.query)
        of_subject = offsets_of(np.bincount(ballots.subject[counted], minlength=n_subjects))
        cell, place = ragged(of_subject, self.subject)
        option = ballots.option[by_subject[place]]
        grades = collection.levels  # descending
        level_of = np.searchsorted(-grades, -collection.grade)  # (rows, options)
        flat = cell * len(grades) + level_of[self.row[cell], option]
        count = np.bincount(flat, minlength=n_cells * len(grades)).reshape(n_cells, len(grades))
        own = self.block.left_out[self.query]
        own_option = self._option(own, self.subject)
        known = np.flatnonzero(own_option >= 0)
        count[known, level_of[self.row[known], own_option[known]]] -= 1
        if fill:
            grades, count = self._with_zeros(grades, count, own)
        return Levels(
            np.arange(n_cells + 1) * len(grades), np.tile(grades, n_cells), count.reshape(1, -1)
        )

    def _with_zeros(self, grades: Floats, count: Ints, own: Ints) -> tuple[Floats, Ints]:
        """Items without a label counted at grade 0."""
        zero = np.flatnonzero(grades == 0)
        if not len(zero):
            grades = np.append(grades, 0.0)
            count = np.concatenate((count, np.zeros((len(count), 1), dtype=count.dtype)), axis=1)
            zero = np.array([len(grades) - 1])
        others = self.block.collection.n_items - (own >= 0) - count.sum(axis=1)
        count[:, zero[0]] += others
        return grades, count


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
        queries_share_items=True,
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


def _refuse_categories(truth: ByExample, runs: Runs, lists: tuple[Placement, ...]) -> None:
    """Raise if what a system retrieved are the categories of the truth, not its items."""
    categories = string_array(truth.votes.taxonomy.nodes)
    for (system, ranking), placed in zip(runs.items(), lists, strict=True):
        few = placed.unknown is None or len(placed.unknown) <= len(placed.entry)
        if few or (find_items(ranking.item, categories) < 0).any():
            continue
        n_categories = counted(len(encode(ranking.item)[1]), "category")
        raise DataError(
            f"run {shown(system)} retrieved categories ({n_categories}, such as "
            f"{shown(ranking.item[0].as_py())}), and by_example is about items, such as "
            f"{shown(truth.votes.items[0].as_py())}; evaluate lists of categories by "
            "votes.by_item(), or make lists of similar items of the labels: "
            "Runs.by_similarity(labels, votes.taxonomy)"
        )


def align_example(truth: ByExample, runs: Runs, *, ties: Ties) -> AlignedExample:
    """Settle the queries, and find the items of each run's lists."""
    answered = (query for ranking in runs.values() for query in ranking.queries)
    collection = make_collection(truth, answered)
    lists = tuple(place_lists(collection, ranking, ties=ties) for ranking in runs.values())
    _refuse_categories(truth, runs, lists)
    known = zip(runs.systems, lists, strict=True)
    coverage = replace(
        protocol.coverage_of(collection.queries, runs),
        unknown_items={s: one.unknown for s, one in known if one.unknown is not None},
        lacking="votes" if truth.category is None else "a category (category=)",
    )
    if truth.queries is not None:
        coverage = replace(coverage, unjudged={})  # the other queries are left out on purpose
    elif isinstance(truth.category, Mapping):
        coverage = replace(coverage, unjudged=_no_items(coverage.unjudged, truth))
    return AlignedExample(facts_of(collection, runs.systems, coverage), lists, collection)
