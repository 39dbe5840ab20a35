"""What all blocks of an evaluation under worlds share, and running blocks side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from fuzzytruth.core.hashing import Entropy
from fuzzytruth.core.workers import in_processes
from fuzzytruth.measures import Measure
from fuzzytruth.truth import AlignedTruth, Worlds
from fuzzytruth.truth.vote_weights import VoteWeights

Result = TypeVar("Result")
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
        return range(len(self.aligned.systems)) if self.systems is None else self.systems

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
    run: Callable[[Setting, slice], Result],
    tasks: Sequence[tuple[Setting, slice]],
    n_jobs: int,
    progress: Progress | None,
) -> Iterator[Result]:
    """The result of each block, in order, computed by `n_jobs` workers.

    `progress` is given the finished fraction.
    """
    if n_jobs == 1:
        results: Iterator[Result] = (run(*task) for task in tasks)
    else:
        results = in_processes(run, tasks, n_jobs)
    for number, result in enumerate(results, start=1):
        yield result
        if progress is not None:
            progress(number / len(tasks))
