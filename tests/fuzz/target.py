"""What is fuzzed: a reader, valid files, and what a plain parser reads from them."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Row = tuple[Any, ...]


class RefusedError(ValueError):
    """The plain parser refuses a file, so that the library must, too."""


@dataclass(frozen=True, slots=True)
class Target:
    """One reader and one format.

    Parameters
    ----------
    name : str
    file : str
        Name of the file, whose ending gives the format.
    seeds : tuple of bytes
        Valid files, which are mutated.
    mutate : callable
        Makes another file of one of the seeds.
    read : callable
        The reader of the library.
    rows : callable
        What the library has read, as rows in any order.
    plain : callable
        The same rows by an independent parser; None if it has no opinion on such a file. Any
        `ValueError` says that the file must be refused.
    """

    name: str
    file: str
    seeds: tuple[bytes, ...]
    mutate: Callable[[bytes, random.Random], bytes]
    read: Callable[[Path], Any]
    rows: Callable[[Any], Sequence[Row]]
    plain: Callable[[bytes], Sequence[Row] | None]

    def input(self, seed: int, number: int) -> bytes:
        """Input `number`, which depends on the seed, the target and the number alone."""
        rng = random.Random(f"{seed}/{self.name}/{number}")
        return self.mutate(rng.choice(self.seeds), rng)
