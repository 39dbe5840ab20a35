"""What an evaluation under worlds shares, and where it runs: blocks, parts, single queries."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import partial, reduce
from operator import add
from typing import Any, ClassVar, Literal, NamedTuple, Self, TypeVar

import numpy as np

from fuzzytruth._lazy import stats
from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.checksums import Entropy
from fuzzytruth.core.clusters import nan_mean
from fuzzytruth.core.workers import in_processes
from fuzzytruth.errors import DataError, OptionError, PrecisionWarning, warn
from fuzzytruth.measures import Measure
from fuzzytruth.truth import AlignedTruth, Worlds, vote_weights
from fuzzytruth.truth.pairs.parted import PartedPairs
from fuzzytruth.truth.vote_weights import VoteWeights, as_given

Found = TypeVar("Found")
Progress = Callable[[float], object]


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """What all blocks of a simulation share.

    Parameters
    ----------
    aligned : AlignedTruth
    kind : str
        The kind of worlds.
    votes : VoteWeights
        The outer worlds.
    measures : tuple of Measure
    n_inner : int
        Worlds drawn in each outer world.
    entropy : tuple of int
        The seed of the random numbers.
    exclude : bool
        Whether worlds without relevant items have no value, where a measure needs some.
    keep : bool
        Whether to keep the value of each query in each world.
    systems : tuple of int, optional
        Which systems to score, where not all.
    groups : mapping of str to tuple of str, optional
        The members of each community: in each world one of them votes.
    """

    aligned: AlignedTruth
    kind: Worlds
    votes: VoteWeights
    measures: tuple[Measure, ...]
    n_inner: int
    entropy: Entropy
    exclude: bool = False
    keep: bool = False
    systems: tuple[int, ...] | None = None
    groups: Mapping[str, tuple[str, ...]] | None = None

    @property
    def scored(self) -> Sequence[int]:
        """The systems that are scored."""
        return range(len(self.aligned.facts.systems)) if self.systems is None else self.systems

    @property
    def same_subjects(self) -> bool:
        """Whether worlds are resamples of subjects who are the same people in all queries."""
        return self.kind == "population" and not self.votes.by_cell

    @property
    def several(self) -> bool:
        """Whether values are expectations of several outer worlds."""
        return len(self.votes) > 1 and self.groups is None

    @property
    def n_worlds(self) -> int:
        """Number of worlds whose values vary: the outer ones if there are several."""
        return len(self.votes) if self.several else self.n_inner

    @property
    def n_drawn(self) -> Ints:
        """How many of the worlds drawn are of each outer world: (outer,)."""
        if len(self.votes) == 1:
            return np.array([self.n_inner])
        seed = np.random.SeedSequence(self.entropy, spawn_key=(1,))
        return np.random.default_rng(seed).multinomial(self.n_inner, self.votes.weight)

    @property
    def blocks(self) -> Sequence[slice]:
        """Blocks of whole queries: those of drawn worlds, whatever the kind of the outer ones."""
        return self.aligned.blocks("independent")


def run_blocks(
    run: Callable[[Setting, slice], Found],
    tasks: Sequence[tuple[Setting, slice]],
    n_jobs: int,
    progress: Progress | None,
) -> Iterator[Found]:
    """The result of each block, in order, computed by `n_jobs` workers.

    `progress` is given the finished fraction.
    """
    if n_jobs == 1:
        results: Iterator[Found] = (run(*task) for task in tasks)
    else:
        results = in_processes(run, tasks, n_jobs)
    for number, result in enumerate(results, start=1):
        yield result
        if progress is not None:
            progress(number / len(tasks))


_FIRST = 1024  # worlds drawn before their number is judged
_MOST = 1 << 20  # worlds drawn at most
_DEFAULT = 1000  # worlds of scores whose means are exact
_SHARE = 0.01  # Monte Carlo error, as a share of the width of the interval over queries
_LEVEL = 0.95
_MARGIN = 1.1  # the number needed is estimated: a little more
_GROWTH = 4.0  # how far an error is lowered at once where it is not known (a single world)


#: worlds with a value expected among those drawn, below which a query's value is not sought
RARE = 1e-3
#: finished fraction when exact values are known
EXACT_PART = 0.2


def after(progress: Progress | None, done: float) -> Progress | None:
    """Progress of what comes when the fraction `done` is finished."""
    return None if progress is None else lambda f: progress(done + (1 - done) * f)


def up_to(progress: Progress | None, share: float) -> Progress | None:
    """Progress of what is the first `share` of all."""
    return None if progress is None else lambda f: progress(share * f)


def in_parts(progress: Progress, count: int) -> Progress:
    """Progress of parts that come one after the other, each of which ends with 1."""
    finished = 0

    def report(fraction: float) -> None:
        nonlocal finished
        whole = fraction >= 1
        finished += whole
        progress(min((finished + (0 if whole else fraction)) / count, 1.0))

    return report


@dataclass(frozen=True, slots=True)
class Sampling:
    """How worlds are drawn.

    Parameters
    ----------
    n_worlds : int or "auto"
    rng : int, SeedSequence, Generator or None
        None: fresh entropy, kept with the scores.
    n_jobs : int
        Workers; they change nothing but the time.
    keep : bool
        Whether to keep the values of single queries in all worlds.
    progress : callable, optional
        Progress callback, given the finished fraction.
    mc_error : float, optional
        Largest Monte Carlo error of a mean, for ``n_worlds="auto"``.
    """

    n_worlds: int | Literal["auto"]
    rng: Any = None
    n_jobs: int = 1
    keep: bool = False
    progress: Progress | None = None
    mc_error: float | None = None

    @property
    def first(self) -> int:
        """How many worlds to draw first."""
        return _FIRST if self.n_worlds == "auto" else self.n_worlds

    @property
    def unused(self) -> int:
        """How many worlds scores have that need none for their means."""
        return _DEFAULT if self.n_worlds == "auto" else self.n_worlds

    def until_enough(
        self,
        draw: Callable[[int], tuple[Found, Floats, Floats]],
        systems: tuple[str, ...],
        measures: tuple[Measure, ...],
    ) -> tuple[Found, int]:
        """What `draw` gives for a number of worlds, and that number; more if it is open.

        `draw` gives its result, and the values and errors that `needed` looks at.
        """
        number = self.first
        while True:
            result, values, error = draw(number)
            more = self.needed(values, error, number, systems, measures)
            if more is None:
                return result, number
            number = more

    def needed(
        self,
        values: Floats,
        error: Floats,
        number: int,
        systems: tuple[str, ...],
        measures: tuple[Measure, ...],
    ) -> int | None:
        """How many worlds make the means exact enough; None if `number` do, or must.

        Parameters
        ----------
        values : (systems, measures, queries) float
            NaN is missing.
        error : (systems, measures) float
            Monte Carlo error of the means over queries.
        number : int
            Worlds drawn so far.
        """
        if self.n_worlds != "auto":
            return None
        target = self._targets(values)
        if (stuck := (error > 0) & ~(target > 0)).any():
            s, m = np.argwhere(stuck)[0].tolist()
            n_queries = int((~np.isnan(values[s, m])).sum())
            raise OptionError(
                f"n_worlds='auto': the interval over queries of {systems[s]!r} by {measures[m]} "
                f"has no width (queries: {n_queries}), so that it does not say how exact "
                "the mean must be; say so with mc_error=, such as mc_error=0.001"
            )
        ratio = float(np.divide(error, target, out=np.zeros_like(error), where=error > 0).max())
        if ratio <= 1:
            return None
        if number >= _MOST:
            what = f"still {ratio:.1f} times the one asked for" if ratio < _MOST else "not known"
            warn(
                f"n_worlds='auto': after {number:,} worlds the Monte Carlo error of a mean is "
                f"{what}",
                PrecisionWarning,
            )
            return None
        known = min(ratio, _GROWTH) if ratio > _MOST else ratio
        wanted = int(number * known**2 * _MARGIN) // _FIRST * _FIRST + _FIRST
        return min(max(wanted, number + _FIRST), _MOST)

    def _targets(self, values: Floats) -> Floats:
        """Largest Monte Carlo error of each mean: (systems, measures)."""
        if self.mc_error is not None:
            return np.full(values.shape[:-1], self.mc_error)
        n = (~np.isnan(values)).sum(axis=-1)
        centred = np.nan_to_num(values - nan_mean(values, -1)[..., None])
        squares = (centred**2).sum(axis=-1)
        half = stats.t.ppf((1 + _LEVEL) / 2, np.maximum(n - 1, 1)) * np.sqrt(
            squares / np.maximum(n - 1, 1) / np.maximum(n, 1)
        )
        return np.where(n > 1, _SHARE * 2 * half, 0.0)


# The outer worlds of a truth: votes as given, or resamples of its subjects.


def outer_worlds(setting: Setting, n_worlds: int) -> VoteWeights:
    """As many outer worlds as asked for, or fewer where all are enumerated.

    Raises
    ------
    OptionError, DataError
        There are too few worlds or subjects for resamples.
    """
    facts, entropy = setting.aligned.facts, setting.entropy
    if setting.groups is not None:
        return vote_weights.communities(setting.groups, facts.subjects or ())
    if setting.kind == "independent":
        return as_given()
    if n_worlds < 2:
        raise OptionError("n_worlds=1: worlds='population' needs 2 resamples or more")
    seed = np.random.SeedSequence(entropy, spawn_key=(0,))
    if facts.design == "crossed":
        return vote_weights.resampled_subjects(facts.subjects or (), n_worlds, seed)
    size = np.diff(facts.cells.offsets)
    if (size < 2).any():
        query = facts.queries[int(np.argmax(size < 2))]
        raise DataError(
            f"worlds='population': query {query!r} has a single subject, and the judgments are "
            "nested; resampling needs at least two subjects a query"
        )
    return vote_weights.resampled_within_queries(
        facts.cells, facts.queries, facts.subjects or (), n_worlds, entropy
    )


# Work on a truth that is in memory, or on each of its parts where it is held elsewhere.


@dataclass(frozen=True, slots=True, eq=False)
class Joinable:
    """Numbers of some queries, or cells, in the last axis of each field.

    None where a part has none. Fields in `_summed` are sums over the queries.
    """

    _summed: ClassVar[tuple[str, ...]] = ()
    _by_cell: ClassVar[bool] = False

    @classmethod
    def together(cls, parts: Sequence[Self]) -> Self:
        """Those of parts, one after the other."""
        return cls._joined(parts, None)

    @classmethod
    def whole(
        cls,
        function: Callable[[Setting, Sampling], Self],
        setting: Setting,
        sampling: Sampling,
        *,
        merge: bool = False,
        resamples: int | None = None,
    ) -> Self:
        """Those of a truth, in the order of its queries or cells; see `on_parts`.

        `merge` those of neighbouring parts where they are: for results that are large even if a
        part has few queries.
        """
        merged = cls.together if merge else None
        parts = on_parts(function, setting, sampling, merge=merged, resamples=resamples)
        aligned: Any = setting.aligned
        if not isinstance(aligned, PartedPairs):
            return parts[0]
        return cls._joined(parts, aligned.cell_order if cls._by_cell else aligned.query_order)

    @classmethod
    def _joined(cls, parts: Sequence[Self], order: Ints | None) -> Self:
        out: dict[str, Any] = {}
        for name in (field.name for field in fields(cls)):
            values: list[Any] = [getattr(part, name) for part in parts]
            if any(value is None for value in values):
                out[name] = None
            elif name in cls._summed:
                out[name] = reduce(add, values)
            else:
                joined: Array = np.concatenate(values, axis=-1)
                # unlike [...], in C order
                out[name] = joined if order is None else joined.take(order, axis=-1)
        return cls(**out)


def on_parts(
    function: Callable[[Setting, Sampling], Found],
    setting: Setting,
    sampling: Sampling,
    *,
    merge: Callable[[Sequence[Found]], Found] | None = None,
    resamples: int | None = None,
) -> list[Found]:
    """What a function gives for a setting; for each part where the truth is in parts.

    Parameters
    ----------
    function : callable
        From a setting and how worlds are drawn.
    setting : Setting
    sampling : Sampling
    merge : callable, optional
        From what the function gave for neighbouring parts to what it gives for them together.
    resamples : int, optional
        How many outer worlds were asked for, where the setting has resamples of subjects.
    """
    aligned: Any = setting.aligned
    if not isinstance(aligned, PartedPairs):
        return [function(setting, sampling)]
    # Votes are drawn again for each part: the same from the seed, and nothing to send.
    unplaced = replace(setting, aligned=None, votes=as_given())  # type: ignore[arg-type]
    alone = replace(sampling, n_jobs=1, progress=None, rng=None)
    parts = aligned.each(partial(_on_part, function, unplaced, alone, resamples), merge)
    if sampling.progress is not None:
        sampling.progress(1.0)
    return parts


def _on_part(
    function: Callable[[Setting, Sampling], Found],
    setting: Setting,
    sampling: Sampling,
    resamples: int | None,
    part: AlignedTruth,
) -> Found:
    setting = replace(setting, aligned=part)
    if resamples is not None or setting.groups is not None:
        setting = replace(setting, votes=outer_worlds(setting, resamples or 1))
    return function(setting, sampling)


# What the worlds of single queries are computed from again.


_NONE = -1  # the setting of a system that has none


class Source(NamedTuple):
    """A setting, and the numbers that a run, a measure and a query have in it."""

    setting: Setting
    run: int
    measure: int
    query: int


@dataclass(frozen=True, slots=True, eq=False)
class Sources:
    """The settings of the evaluations that scores come from; all share their worlds.

    Pickled without the settings where these do not pickle (such as a measure that holds a lock),
    and read without them where they cannot be read (such as a measure that is not registered).

    Parameters
    ----------
    settings : tuple of Setting
    place : (systems, measures, 3) int
        Number of the setting, of the run and of the measure; -1 where there is no setting.
    query : (settings, queries) int
        Number of each query in each setting.
    """

    settings: tuple[Setting, ...]
    place: Ints
    query: Ints

    @classmethod
    def of(cls, setting: Setting) -> Sources:
        """Those of one evaluation."""
        run, measure = np.indices((len(setting.aligned.facts.systems), len(setting.measures)))
        place = np.stack((np.zeros_like(run), run, measure), axis=-1)
        return cls((setting,), place, np.arange(len(setting.aligned.facts.queries))[None, :])

    @property
    def complete(self) -> bool:
        """Whether every score has a setting."""
        return not (self.place == _NONE).any()

    def find(self, system: int, measure: int, query: int) -> Source | None:
        """Setting, run, measure and query of a score; None if there is no setting."""
        number, run, of = self.place[system, measure].tolist()
        if number == _NONE:
            return None
        setting, place = _setting_of_query(self.settings[number], int(self.query[number, query]))
        return Source(setting, run, of, place)

    def take(self, systems: Ints, measures: Ints, queries: Ints) -> Sources:
        """Those of some systems, measures and queries."""
        return Sources(self.settings, self.place[np.ix_(systems, measures)], self.query[:, queries])

    def __getstate__(self) -> tuple[bytes | None, Ints, Ints]:
        settings = None
        with suppress(pickle.PicklingError, AttributeError, TypeError):
            settings = pickle.dumps(self.settings, protocol=pickle.HIGHEST_PROTOCOL)
        return settings, self.place, self.query

    def __setstate__(self, state: tuple[bytes | None, Ints, Ints]) -> None:
        packed, place, query = state
        settings: Any = None
        with suppress(Exception):  # whatever the code of a user's measure or truth raises
            settings = None if packed is None else pickle.loads(packed)
        if settings is None:
            settings, place, query = (), np.full_like(place, _NONE), query[:0]
        for name, value in (("settings", settings), ("place", place), ("query", query)):
            object.__setattr__(self, name, value)


def _setting_of_query(setting: Setting, query: int) -> tuple[Setting, int]:
    """The setting of the part that has a query, in memory, and the query's number there."""
    aligned: Any = setting.aligned
    if not isinstance(aligned, PartedPairs):
        return setting, query
    part, queries, cells = aligned.part_of(query)
    votes = setting.votes
    if votes.by_cell and votes.counts is not None:
        votes = replace(
            votes,
            counts=votes.counts[:, np.argsort(aligned.cell_order)][:, cells],
            inflation=votes.inflation[np.argsort(aligned.query_order)][queries],
        )
    place = int(aligned.query_order[query]) - queries.start
    return replace(setting, aligned=part, votes=votes), place


def joined(
    parts: Sequence[Sources | None], shapes: Sequence[tuple[int, int]], axis: int
) -> Sources | None:
    """Sources of scores side by side: of systems (axis 0) or measures (axis 1).

    Parameters
    ----------
    parts : sequence of Sources or None
        Of the same queries.
    shapes : sequence of (systems, measures)
    """
    known = [part for part in parts if part is not None]
    if not known:
        return None
    places = []
    settings: tuple[Setting, ...] = ()
    for part, shape in zip(parts, shapes, strict=True):
        place = np.full((*shape, 3), _NONE) if part is None else part.place.copy()
        place[..., 0] += np.where(place[..., 0] == _NONE, 0, len(settings))
        places.append(place)
        settings += () if part is None else part.settings
    query = np.concatenate([part.query for part in known])
    return Sources(settings, np.concatenate(places, axis=axis), query)
