"""Validation of numbers that belong to the nodes of a taxonomy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._typing import Floats
from fuzzytruth.core.validation import numbers
from fuzzytruth.data.taxonomy.rooted_graph import RootedGraph
from fuzzytruth.errors import DataError, counted, shown_all

if TYPE_CHECKING:
    import pandas as pd

    NodeValues = Mapping[str, float] | pd.Series[Any] | ArrayLike
else:
    NodeValues = Any


def values_of_some(graph: RootedGraph, given: NodeValues, name: str) -> dict[str, float]:
    """Value of each node that has one, from a mapping or Series by name, or an array (nodes,).

    Raises
    ------
    DataError
        A value is not finite, or an array has another shape.
    TaxonomyError
        There is no such category.
    """
    if isinstance(given, Mapping) or hasattr(given, "items"):
        items: dict[Any, Any] = dict(given.items())
        codes = graph.codes(list(items), where=name)
        checked = numbers(name, list(items.values()), finite=True)
        return {graph.nodes[code]: float(v) for code, v in zip(codes, checked, strict=True)}
    checked = numbers(name, given, finite=True)
    if checked.shape != (len(graph),):
        raise DataError(
            f"{name} of shape {checked.shape}: must be ({len(graph)},), one number for each of the "
            "taxonomy's nodes in their order, or a mapping of names to numbers"
        )
    return dict(zip(graph.nodes, checked.tolist(), strict=True))


def values_of_all(graph: RootedGraph, given: NodeValues, name: str) -> Floats:
    """One number for each node, (nodes,); see `values_of_some`."""
    value_of = values_of_some(graph, given, name)
    missing = [node for node in graph.nodes if node not in value_of]
    if missing:
        raise DataError(
            f"{name}: there is none for {len(missing):,} of "
            f"{counted(len(graph), 'category')} ({shown_all(missing, limit=5)}); give one for each"
        )
    return np.array([value_of[node] for node in graph.nodes])
