"""Edges between categories, as they were given and before they are checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fuzzytruth.io.origin import Locate


@dataclass(frozen=True, slots=True)
class Edges:
    """The columns parent and child of a taxonomy.

    Parameters
    ----------
    parent : sequence, (edges,)
        None, NaN or "" where the child is marked as a root.
    child : sequence, (edges,)
    locate : callable
        Names the place of an edge.
    where : str
        Names the source of all edges.
    alone : sequence
        Names that may occur without an edge.
    """

    parent: Sequence[Any]
    child: Sequence[Any]
    locate: Locate
    where: str
    alone: Sequence[Any] = ()
