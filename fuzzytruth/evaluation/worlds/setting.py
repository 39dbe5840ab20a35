"""What all blocks of an evaluation under worlds share, and running blocks side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.checksums import Entropy
from fuzzytruth.core.clusters import nan_mean
from fuzzytruth.core.workers import in_processes
from fuzzytruth.errors import OptionError, PrecisionWarning, warn
from fuzzytruth.measures import Measure
from fuzzytruth.truth import AlignedTruth, Worlds
from fuzzytruth.truth.vote_weights import VoteWeights

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

    @property
    def scored(self) -> Sequence[int]:
        """The systems that are scored."""
        return range(len(self.aligned.facts.systems)) if self.systems is None else self.systems

    @property
    def same_subjects(self) -> bool:
        """Whether worlds are resamples of subjects who are the same people in all queries."""
        return self.kind == "population" and not self.votes.by_cell

    @property
    def n_worlds(self) -> int:
        """Number of worlds whose values vary: the outer ones if there are several."""
        return len(self.votes) if len(self.votes) > 1 else self.n_inner

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
        from scipy.stats import t

        n = (~np.isnan(values)).sum(axis=-1)
        centred = np.nan_to_num(values - nan_mean(values, -1)[..., None])
        squares = (centred**2).sum(axis=-1)
        half = t.ppf((1 + _LEVEL) / 2, np.maximum(n - 1, 1)) * np.sqrt(
            squares / np.maximum(n - 1, 1) / np.maximum(n, 1)
        )
        return np.where(n > 1, _SHARE * 2 * half, 0.0)
