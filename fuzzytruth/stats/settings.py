"""Settings of resampling: how many resamples, from which seed, on how many workers."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Literal, Self, TypeVar, cast, get_args

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.randomness import entropy_of
from fuzzytruth.core.validation import MOST, n_workers, whole_number
from fuzzytruth.core.workers import in_parallel
from fuzzytruth.errors import choice, plural

Result = TypeVar("Result")
#: computes one block of resamples from its seed and its size
Task = Callable[[np.random.SeedSequence, int], Result]

_BLOCK = 1024  # resamples that share a generator; part of what a seed means


class Purpose(IntEnum):
    """Uses of random numbers; each has its own generators."""

    SIGNS = 0
    QUERIES = 1
    SUBJECTS = 2
    LABELS = 3
    RUNS = 4


@dataclass(frozen=True, slots=True)
class Resampling:
    """Settings of everything that resamples.

    Resamples come in blocks of 1,024, each with a child of the seed as its generator, so that the
    same `rng` gives the same bits whatever `n_jobs` and `memory`.

    Parameters
    ----------
    n_resamples : int
        Resamples, sign flips or permutations, 1 or more. Tests enumerate all possible ones if
        they are no more.
    rng : int, SeedSequence, Generator or None
        Seed or source of random numbers; None: fresh entropy.
    n_jobs : int
        Workers, as in joblib; they do not change the result.
    memory : int
        Approximate megabytes for one worker's intermediate arrays; does not change the result.

    Raises
    ------
    OptionError
        A setting is out of its range.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> ft.stats.Resampling(999, rng=7) == ft.stats.Resampling(999, rng=7)
    True
    """

    n_resamples: int = 9999
    rng: Any = field(default=0, compare=False)
    n_jobs: int = 1
    memory: int = 64
    entropy: tuple[int, ...] = field(init=False)
    _progress: Callable[[float], object] | None = field(
        init=False, default=None, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        whole_number("n_resamples", self.n_resamples, 1, MOST)
        whole_number("memory", self.memory, 1, MOST)
        n_workers(self.n_jobs)
        object.__setattr__(self, "entropy", entropy_of(self.rng))

    @property
    def numbers(self) -> int:
        """How many doubles fit into `memory`."""
        return self.memory * 2**17

    def reporting(self, progress: Callable[[float], object]) -> Self:
        """The same resamples; `progress` is given the finished fraction of each `run`.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> using = ft.stats.Resampling(3000).reporting(lambda part: print(f"{part:.0%}"))
        >>> using.run(0, lambda seed, size: size)
        33%
        67%
        100%
        [1024, 1024, 952]
        """
        same = copy.copy(self)
        object.__setattr__(same, "_progress", progress)
        return same

    def run(self, purpose: Purpose, task: Task[Result]) -> list[Result]:
        """Results of all blocks, in order."""
        starts = range(0, self.n_resamples, _BLOCK)
        blocks = [
            (
                np.random.SeedSequence(self.entropy, spawn_key=(int(purpose), number)),
                min(_BLOCK, self.n_resamples - start),
            )
            for number, start in enumerate(starts)
        ]
        if self.n_jobs == 1 or len(blocks) == 1:
            return self._reported((task(*block) for block in blocks), len(blocks))
        return self._reported(in_parallel(task, blocks, self.n_jobs, prefer="threads"), len(blocks))

    def _reported(self, results: Iterable[Result], count: int) -> list[Result]:
        """All results, with a report after each."""
        out = []
        for number, result in enumerate(results, start=1):
            out.append(result)
            if self._progress is not None:
                self._progress(number / count)
        return out


Axis = Literal["query", "subject", "world", "replicate"]
Over = tuple[Axis, ...]


def in_words(over: Iterable[str]) -> str:
    """Name axes, such as "queries and subjects"; replicates of systems are their runs."""
    return listed(["runs" if axis == "replicate" else plural(axis) for axis in over])


def listed(words: Sequence[str]) -> str:
    """Words with commas, and "and" before the last."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


# Alternative hypotheses: two-sided, or that a difference is above or below 0.


Alternative = Literal["two-sided", "greater", "less"]


def check_alternative(given: object) -> Alternative:
    """One of the three.

    Raises
    ------
    OptionError
        It is something else.
    """
    choice("alternative", given, get_args(Alternative))
    return cast("Alternative", given)


def towards(alternative: Alternative, value: Floats) -> Floats:
    """How far values are from 0 on the side of the alternative; negative on the other side."""
    if alternative == "two-sided":
        return np.abs(value)
    return value if alternative == "greater" else -value


def ends(alternative: Alternative, value: Floats, half: Floats) -> tuple[Floats, Floats]:
    """Ends of intervals that reach `half` from the values; one-sided ones are open at one end.

    NaN where the value is.
    """
    infinite = np.where(np.isnan(value), np.nan, np.inf)
    lower = -infinite if alternative == "less" else value - half
    upper = infinite if alternative == "greater" else value + half
    return lower, upper
