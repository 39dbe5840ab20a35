"""Numbers that belong to the nodes of a taxonomy, as people hand them in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._typing import Floats
from fuzzytruth.core.validation import numbers
from fuzzytruth.data.taxonomy.rooted_graph import RootedGraph
from fuzzytruth.errors import DataError, shown_all

if TYPE_CHECKING:
    import pandas as pd

    NodeValues = Mapping[str, float] | pd.Series[Any] | ArrayLike
else:
    NodeValues = Any


def values_of_some(tax: RootedGraph, given: NodeValues, name: str) -> dict[str, float]:
    """The number of each node that has one; a mapping or Series by name, or (nodes,) numbers.

    Raises
    ------
    DataError
        A name is no node, a value is no finite number, or an array has not one for each node.
    """
    if isinstance(given, Mapping) or hasattr(given, "items"):
        items: dict[Any, Any] = dict(given.items())
        codes = tax.codes(list(items), where=name)
        checked = numbers(name, list(items.values()), finite=True)
        return {tax.nodes[code]: float(v) for code, v in zip(codes, checked, strict=True)}
    checked = numbers(name, given, finite=True)
    if checked.shape != (len(tax),):
        raise DataError(
            f"{name} of shape {checked.shape}: must be ({len(tax)},), one number for each of the "
            "taxonomy's nodes in their order, or a mapping of names to numbers"
        )
    return dict(zip(tax.nodes, checked.tolist(), strict=True))


def values_of_all(tax: RootedGraph, given: NodeValues, name: str) -> Floats:
    """One number for each node, (nodes,); see `values_of_some`."""
    found = values_of_some(tax, given, name)
    missing = [node for node in tax.nodes if node not in found]
    if missing:
        raise DataError(
            f"{name}: {len(missing)} of {len(tax)} categories have none "
            f"({shown_all(missing, limit=5)}); give one for each"
        )
    return np.array([found[node] for node in tax.nodes])
