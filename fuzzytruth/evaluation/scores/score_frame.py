"""Scores as a tidy table, one row a number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fuzzytruth._lazy import pa, pd
from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.cells import Cells, grouped_mean
from fuzzytruth.core.clusters import nan_mean
from fuzzytruth.core.versions import own_version
from fuzzytruth.errors import MissingPackageError, OptionError, choice, require
from fuzzytruth.evaluation.scores.query_groups import without_group
from fuzzytruth.evaluation.scores.score_arrays import ScoreArrays
from fuzzytruth.io.ids import take

if TYPE_CHECKING:
    import xarray as xr


def to_frame(scores: ScoreArrays) -> pd.DataFrame:
    """See `Scores.to_frame`."""
    measure, cell = _row_order(scores.cells, len(scores.measures))
    n_systems = len(scores.systems)
    names: dict[str, tuple[tuple[str, ...], Ints]] = {
        "system": (scores.systems, np.repeat(np.arange(n_systems), len(cell))),
        "query": (scores.queries, np.tile(scores.cells.query[cell], n_systems)),
        "measure": (scores.measures, np.tile(measure, n_systems)),
    }
    if scores.subjects is not None:
        names["subject"] = scores.subjects, np.tile(scores.cells.subject_codes[cell], n_systems)
    columns: dict[str, Any] = {
        axis: _text(labels, codes) for axis, (labels, codes) in names.items()
    }

    def ordered(values: Array) -> Array:
        out: Array = values[:, measure, cell].ravel()
        return out

    columns |= {name: ordered(values) for name, values in numbers_of(scores).items()}
    return pd.DataFrame(columns)


def numbers_of(scores: ScoreArrays) -> dict[str, Array]:
    """All numbers that there are by name, (systems, measures, cells) each; `value` comes first."""
    spread = scores.uncertainty
    numbers: dict[str, Array | None] = {
        "value": scores.values,
        "lower": scores.lower,
        "upper": scores.upper,
    }
    if spread is not None:
        numbers |= {"std": spread.std, "exact": spread.exact, "mc_error": spread.mc_error}
    return {name: values for name, values in numbers.items() if values is not None}


def _text(labels: tuple[str, ...], codes: Ints) -> Any:
    """A column of names in pandas' type of text: (rows,).

    Where that is stored by Arrow, no row becomes a Python object.
    """
    kind: Any = pd.Series([], dtype=str).dtype
    if getattr(kind, "storage", None) == "pyarrow":
        return kind.__from_arrow__(take(pa.array(labels, pa.large_string()), codes))
    return np.array(labels, dtype=object)[codes]


def _row_order(cells: Cells, n_measures: int) -> tuple[Ints, Ints]:
    """Measure and cell of one system's rows: by query, then measure, then subject."""
    size, start = cells.sizes, cells.offsets[:-1]
    rank = np.arange(len(cells)) - start[cells.query]
    measures = np.arange(n_measures)[:, None]
    row = n_measures * start[cells.query] + rank + size[cells.query] * measures
    measure, cell = np.empty((2, row.size), dtype=np.int64)
    measure[row] = measures
    cell[row] = np.arange(len(cells))
    return measure, cell


# Scores as a Dataset of xarray.


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


By = Literal["subject", "group"]
Groups = Mapping[str, str]


def mean_table(scores: ScoreArrays, by: By | None, groups: Groups | None) -> pd.DataFrame:
    """See `Scores.mean`."""
    if by is not None:
        choice("by", by, ("subject", "group"))
    if by == "subject":
        return _mean_table(_by_subject(scores, groups), scores, "subject", scores.subjects or ())
    by_query = scores.cells.mean_by_query(scores.values)  # (systems, measures, queries)
    if by == "group":
        if groups is None:
            raise OptionError("by='group': give groups={query: group, ...}")
        group, labels = _group_of(scores, groups)
        return _mean_table(grouped_mean(by_query, group, len(labels)), scores, "group", labels)
    if groups is not None:
        group, labels = _group_of(scores, groups)
        by_query = grouped_mean(by_query, group, len(labels))
    return pd.DataFrame(
        nan_mean(by_query, axis=-1),
        index=pd.Index(scores.systems, name="system"),
        columns=pd.Index(scores.measures, name="measure"),
    )


def _by_subject(scores: ScoreArrays, groups: Groups | None) -> Floats:
    """Means over queries, or over groups of queries: (systems, measures, subjects)."""
    if scores.subjects is None:
        raise OptionError("by='subject': these scores have no subjects")
    if scores.design == "nested":
        raise OptionError(
            "by='subject': the subjects are nested in queries, a name being another person "
            "in another query; average them within queries: mean()"
        )
    cells = scores.cells
    if groups is None:
        return cells.mean_by_subject(scores.values)
    group, labels = _group_of(scores, groups)
    pair = cells.subject_codes * len(labels) + group[cells.query]
    pairs, place = np.unique(pair, return_inverse=True)  # of a subject and a group
    means = grouped_mean(scores.values, place, len(pairs))
    return grouped_mean(means, pairs // len(labels), cells.n_subjects)


def _group_of(scores: ScoreArrays, groups: Groups) -> tuple[Ints, tuple[str, ...]]:
    """Group of each query (queries,), and the groups' names in the order they came."""
    require("groups", groups, isinstance(groups, Mapping), "must be {query: group}")
    groups = {str(query): group for query, group in groups.items()}
    lost = [q for q in scores.queries if q not in groups]
    if lost:
        raise without_group("groups", "group", lost)
    names = [str(groups[q]) for q in scores.queries]
    code = {name: place for place, name in enumerate(dict.fromkeys(names))}
    return np.array([code[name] for name in names]), tuple(code)


def _mean_table(
    values: Floats, scores: ScoreArrays, axis: str, labels: tuple[str, ...]
) -> pd.DataFrame:
    """(systems, measures, labels) as rows (system, label) and columns measures."""
    index = pd.MultiIndex.from_product([scores.systems, labels], names=["system", axis])
    rows = values.transpose(0, 2, 1).reshape(len(index), len(scores.measures))
    return pd.DataFrame(rows, index=index, columns=pd.Index(scores.measures, name="measure"))
