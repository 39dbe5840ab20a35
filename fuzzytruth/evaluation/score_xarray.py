"""Scores as a Dataset of xarray."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.versions import own_version
from fuzzytruth.errors import MissingPackageError
from fuzzytruth.evaluation.score_frame import numbers_of

if TYPE_CHECKING:
    import xarray as xr

    from fuzzytruth.evaluation.score_arrays import ScoreArrays


def to_xarray(scores: ScoreArrays) -> xr.Dataset:
    """See `Scores.to_xarray`."""
    try:
        import xarray as xr
    except ImportError as error:
        raise MissingPackageError(
            "to_xarray needs xarray; install it with: pip install 'fuzzytruth[xarray]'"
        ) from error
    coordinates: dict[str, Any] = {
        "system": list(scores.systems),
        "query": list(scores.queries),
        "measure": list(scores.measures),
    }
    if scores.subjects is not None:
        coordinates["subject"] = list(scores.subjects)
    dims = tuple(coordinates)
    coordinates["higher_is_better"] = "measure", list(scores.higher_is_better)
    numbers = numbers_of(scores)
    for name, values in scores.query_attributes.items():
        taken = name in coordinates or name in numbers
        coordinates[f"query_{name}" if taken else name] = "query", np.array(values, dtype=object)
    return xr.Dataset(
        {name: (dims, _table(scores, values)) for name, values in numbers.items()},
        coords=coordinates,
        attrs=_attributes(scores),
    )


def _table(scores: ScoreArrays, values: Array) -> Array:
    """A copy as (systems, queries, measures[, subjects]); NaN or False where there is no cell."""
    fill = False if values.dtype == bool else np.nan
    table = np.moveaxis(scores.cells.dense(values, fill=fill), 1, 2).copy()
    return table[..., 0] if scores.subjects is None else table


def _attributes(scores: ScoreArrays) -> dict[str, Any]:
    """Version, design and the options that had an effect: texts and numbers, as files keep them."""
    made = scores.provenance
    out: dict[str, Any] = {
        "version": own_version() if made is None else made.version,
        "design": scores.design,
    }
    if made is not None:
        out |= made.options()
        out |= {} if made.truth is None else {"truth": made.truth}
    return out
