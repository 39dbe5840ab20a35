"""What evaluation may ask of a truth aligned with runs, whatever kind of truth it is.

A new kind of truth implements `AlignedTruth` in one module, says its `Facts`, and registers how it
is aligned with `align`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import singledispatch
from typing import Any, Literal, Protocol, Self

import numpy as np

from fuzzytruth._lazy import pa
from fuzzytruth._typing import Array, Bools, Floats, Ints
from fuzzytruth.core.arithmetic import segment_sum
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.checksums import Entropy
from fuzzytruth.data.judgments import Design
from fuzzytruth.data.ranking import RankedLists, TieRanks, Ties
from fuzzytruth.errors import OptionError
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.inputs import AlignedLists, ItemProbabilities, UnjudgedItems
from fuzzytruth.truth.vote_weights import VoteWeights

# Queries and items that only the truth, or only a run, has.


@dataclass(frozen=True, slots=True)
class Coverage:
    """What truth and runs do not share, by system.

    Parameters
    ----------
    judged : tuple of str
        The queries of the truth.
    missing : mapping of system to queries
        Judged queries that the system does not answer.
    unjudged : mapping of system to queries
        Queries that the system answers and nobody judged.
    disjoint : mapping of system to queries
        Systems without any judged query, and the queries they answer.
    unknown_items : mapping of system to ids
        Retrieved items outside the collection that the truth is about, one an entry of a list.
    unknown_because : str
        What these items lack.
    unjudged_lists : mapping of system to (retrieved item, judged item)
        Systems that retrieved no judged item at all, with an example of each for the same query.
    unknown_examples : mapping of system to str
        One of the system's unknown items, as shown in errors.
    lacking : str
        What the queries in `unjudged` lack.
    note : str
        What queries and items are in this truth, ready to end a message.
    """

    judged: tuple[str, ...]
    missing: Mapping[str, list[str]]
    unjudged: Mapping[str, list[str]]
    disjoint: Mapping[str, tuple[str, ...]]
    unknown_items: Mapping[str, pa.LargeStringArray] = field(default_factory=dict)
    unknown_because: str = "without votes or outside the collection"
    unjudged_lists: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    unknown_examples: Mapping[str, str] = field(default_factory=dict)
    lacking: str = "judgments"
    note: str = ""


def coverage_of(judged: tuple[str, ...], runs: RankedLists) -> Coverage:
    """Compare the queries of a truth with those of each run."""
    known = set(judged)
    missing: dict[str, list[str]] = {}
    unjudged: dict[str, list[str]] = {}
    disjoint: dict[str, tuple[str, ...]] = {}
    for system, queries in runs.queries.items():
        if queries == judged:
            continue
        answered = set(queries)
        if known.isdisjoint(answered):
            disjoint[system] = queries
        if not known <= answered:
            missing[system] = [q for q in judged if q not in answered]
        if not answered <= known:
            unjudged[system] = [q for q in queries if q not in known]
    return Coverage(judged, missing, unjudged, disjoint)


#: what a world, one possible crisp truth, is
Worlds = Literal["crisp", "subject", "independent", "population", "community"]
#: how a subject's missing judgments count
Missing = Literal["error", "nonrelevant", "exclude", "pooled"]


@dataclass(frozen=True, slots=True, eq=False)
class SubjectTruths:
    """Each subject's own truth for a block of queries.

    Parameters
    ----------
    batch : callable
        From a run's number to its batch.
    index : (cells,) int
        Where the value of each of the block's cells lies among a batch's values, flattened.
    ties : callable
        From a run's number to the ranks of the tie of each hit of its batch; None where the batch
        does not resolve ties, or is not of one world with its hits end to end.
    """

    batch: Callable[[int], Batch]
    index: Ints
    ties: Callable[[int], TieRanks | None] = lambda run: None


@dataclass(frozen=True, slots=True, eq=False)
class Mixture:
    """One run's lists under a truth whose items are independent given a component.

    A query by example may have one of several categories; given its category, items are
    independent.

    Parameters
    ----------
    probabilities : ItemProbabilities
        Those of all components, end to end, laid out as queries.
    offsets : (queries + 1,) int or None
        Where each query's components start; None: a query has one.
    weight : (..., components) float or None
        Probability of each component, given the query; None: 1.
    certain : Batch or None
        The components as queries in a single world, where all grades are certain given the
        component: every measure then has exact moments and distributions.
    names : (components,) object or None
        What each component is called, such as the category of a query by example.
    """

    probabilities: ItemProbabilities
    offsets: Array | None = None
    weight: Array | None = None
    certain: Batch | None = None
    names: Array | None = None

    def mean(self, values: Array) -> Array:
        """Expectation over components: (..., components) → (..., queries)."""
        if self.offsets is None or self.weight is None:
            return values
        return segment_sum(self.weight * values, self.offsets)

    def of_query(self, query: int) -> list[tuple[float, ItemProbabilities]]:
        """The components of one query and their probabilities, in the first outer world."""
        return [
            (weight, self.probabilities.of_query(c)) for c, weight in self._components_of(query)
        ]

    def names_of_query(self, query: int) -> tuple[str, ...]:
        """Names of the components that `of_query` gives; empty where they have none."""
        if self.names is None:
            return ()
        return tuple(str(self.names[c]) for c, _ in self._components_of(query))

    def _components_of(self, query: int) -> list[tuple[int, float]]:
        """Number and probability of each component of a query, in the first outer world."""
        if self.offsets is None or self.weight is None:
            return [(query, 1.0)]
        weight = self.weight.reshape(-1, self.weight.shape[-1])[0]
        components = range(int(self.offsets[query]), int(self.offsets[query + 1]))
        return [(c, float(weight[c])) for c in components if weight[c] > 0]


class DrawnWorlds(Protocol):
    """Crisp truths drawn for a block of queries."""

    def batch(self, run: int) -> Batch:
        """Input of the measures for one run; every run sees the same worlds."""

    def __len__(self) -> int: ...


class Outcomes(Protocol):
    """How probable each grade of a block's items is, in one or more outer worlds."""

    def __len__(self) -> int: ...

    def __getitem__(self, outer: slice, /) -> Self: ...

    @property
    def n_items(self) -> int:
        """How many items a world gives grades to."""

    def draw(self, worlds: slice, entropy: Entropy) -> DrawnWorlds:
        """Draw some worlds of each outer world, which lie side by side.

        `worlds` starts with an even number. What is drawn depends on `entropy`, the ids of the
        query and the item, and the number of the world alone.
        """

    def probabilities(self, run: int, depth: int | None = None) -> Mixture | str:
        """Item probabilities of one run's lists; a text says why there are none.

        `depth` is the last rank that matters; None: all may. Items beyond it are as those that
        are not retrieved, so that numbers have the same bits whatever other measures ask for.
        """

    def chance_of_none(self, rel: float | None) -> Floats:
        """Probability that no item has a grade of `rel` (None: above 0): (outer, queries)."""

    def chance_of_some(self, rel: float | None) -> Floats:
        """Probability that some item has, accurate where it is tiny: (outer, queries)."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Facts:
    """What is known of an aligned truth as a whole: the axes of its scores, and what it lacks.

    Parameters
    ----------
    systems : tuple of str
        Names of the runs.
    queries : tuple of str
    subjects : tuple of str or None
        None where the truth has none.
    design : {"crossed", "nested"}
        Whether a subject's name is the same person in all queries.
    cells : Cells
        Each (query, subject) with judgments.
    top_grade : float
        The largest grade, 0 or more.
    missing : (cells,) int
        Judgments missing in each cell: of items that only others judged.
    n_missing : int
        Judgments that are missing, each counted once.
    uncertain : (cells,) bool
        Cells whose subject's own truth is not one crisp truth. Subjects who judged an item several
        times, with different grades, are such; their scores are expected values, from the outcomes
        of their votes alone.
    n_items : int
        Number of items (or pairs of a query and an item) that a world gives grades to.
    coverage : Coverage
        Queries and items that only the truth or only the runs have.
    lacks : mapping
        Why the truth lacks a kind of worlds, ``"intents"`` (batches have none), ``"lists"`` (of
        subjects) or ``"unjudged"`` items, by these names; what it has is not among them.
    default : {"crisp", "subject", "independent", "population"}
        The kind of worlds if the user names none.
    resampling_is_unbiased : bool
        Whether the expected share of votes in a resample of the subjects is that of all votes, so
        that measures that are linear in the votes have exact means over resamples. It is so where
        the votes on an item weigh the same.
    queries_share_items : bool or None
        Whether one vote serves several queries, so that these are not independent although their
        subjects are fixed; None: unknown.
    """

    systems: tuple[str, ...]
    queries: tuple[str, ...] = field(repr=False)
    subjects: tuple[str, ...] | None = None
    design: Design = "crossed"
    cells: Cells = field(repr=False)
    top_grade: float
    missing: Ints = field(repr=False)
    n_missing: int = 0
    uncertain: Bools = field(repr=False)
    n_items: int
    coverage: Coverage = field(repr=False)
    lacks: Mapping[str, str] = field(repr=False)
    default: Worlds
    resampling_is_unbiased: bool = True
    queries_share_items: bool | None = None

    def complete(self) -> Facts:
        """The same where nothing is missing."""
        return replace(self, missing=np.zeros_like(self.missing), n_missing=0)


class AlignedTruth(ABC):
    """A truth and the lists of all runs, aligned.

    The truth itself may have an attribute `checksum`, a text that does not depend on the order of
    its rows; without it `concat` cannot tell whether simulated scores share their truth, and
    refuses to join them.
    """

    #: what is known of it as a whole
    facts: Facts

    def filled(self) -> Self | str:
        """The same truth with missing judgments as grade 0; a text says why there is none."""
        return self

    @abstractmethod
    def top(self, depth: int) -> Self:
        """The same truth and lists, of which only the items that may lie within `depth` are known.

        Lists keep their lengths.
        """

    @abstractmethod
    def blocks(self, worlds: Worlds) -> Sequence[slice]:
        """Blocks of whole queries of bounded size, the same for any number of workers."""

    @abstractmethod
    def subject_truths(self, block: slice, missing: Missing) -> SubjectTruths:
        """Each subject's truth as a world; ``missing="error"`` leaves missing items unjudged.

        Values of cells that are uncertain are not used.

        Any whole queries may be asked for, all of them at once too.
        """

    def subject_lists(self, run: int) -> AlignedLists:
        """The subjects' own ranked lists, one for each cell, where they have any."""
        raise OptionError(self.facts.lacks["lists"])

    def unjudged(self, run: int, block: slice) -> UnjudgedItems:
        """Places of unjudged items, one list for each cell, where there may be any."""
        raise OptionError(self.facts.lacks["unjudged"])

    @abstractmethod
    def outcomes(self, block: slice, votes: VoteWeights) -> Outcomes:
        """Probabilities of all grades, the votes being weighted by each outer world.

        The block is one of ``blocks("independent")``.
        """

    @abstractmethod
    def lost_votes(self, votes: VoteWeights) -> int:
        """How many pairs of an outer world and an item have no vote left."""


def cut(offsets: Array, size: int) -> list[slice]:
    """Cut queries into blocks of about `size` items, whose offsets are given."""
    count = np.diff(offsets)
    block = (offsets[:-1] + count // 2) // size
    starts = np.flatnonzero(np.diff(block, prepend=-1))
    return [slice(int(a), int(b)) for a, b in zip(starts, [*starts[1:], len(count)], strict=True)]


@singledispatch
def align(truth: Any, runs: RankedLists, *, ties: Ties) -> AlignedTruth:
    """Find the ranks of the items that a truth is about in each run.

    Each kind of truth registers its own function with ``@align.register``.

    Parameters
    ----------
    truth : Judgments, ByExample, ByItem or a registered type
    runs : Runs
        For `Judgments` also lists that are read from files where they are needed.
    ties : {"trec", "order", "expected"}

    Raises
    ------
    OptionError
        The type of `truth` is not registered.
    """
    raise OptionError(f"truth: {type(truth).__name__} is not registered with align")
