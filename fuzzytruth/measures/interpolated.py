"""Interpolated precision at levels of recall."""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.lists.measure_bounds import peak_bounds, rank_mean_bounds
from fuzzytruth.core.lists.ranked_lists import Ends, OpenLists
from fuzzytruth.core.segments import offsets_of, sum_in_order
from fuzzytruth.measures.families import OfRelevant
from fuzzytruth.measures.measure import one_of, print_value
from fuzzytruth.measures.registry import define
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.unjudged import UnjudgedItems

INTERPOLATIONS = ("trec", "round", "exact")


def interpolated_precision(batch: Batch, rel: float, levels: Array, interp: str) -> Array:
    """Largest precision at or after each level of recall: (levels, worlds, queries).

    Parameters
    ----------
    levels : (levels,) float
        Recall, from 0 to 1.
    interp : {"trec", "round", "exact"}
        A level is reached with ⌊level·R + 0.9⌋ relevant items, with level·R rounded (half up), or
        with ⌈level·R⌉.
    """
    shape = (batch.n_worlds, batch.n_queries)
    n_relevant = batch.n_relevant(rel).ravel()
    relevant = batch.relevant(rel)
    count = batch.per_query(relevant).ravel()  # (worlds · queries,)
    offsets = offsets_of(count)
    _, hit = np.nonzero(relevant)  # by world, query, rank
    order = np.arange(1, len(hit) + 1) - np.repeat(offsets[:-1], count)
    # Precision decreases between hits, so its maximum is at a hit.
    precision = np.append(order / batch.first[hit], 0.0)
    needed = _hits_needed(levels[:, None], n_relevant, interp)  # (levels, worlds · queries)
    reached = (needed <= count) & (count > 0)
    start = (offsets[:-1] + np.maximum(needed, 1) - 1)[reached]
    end = np.broadcast_to(offsets[1:], reached.shape)[reached]
    out = np.zeros(reached.shape)
    if len(start):
        pairs = np.stack((start, end), axis=1).ravel()
        out[reached] = np.maximum.reduceat(precision, pairs)[::2]
    return out.reshape(len(levels), *shape)


def _hits_needed(level: Array, relevant: Array, interp: str) -> Array:
    """Number of relevant items that reach each level of recall."""
    wanted = level * relevant
    if interp == "trec":
        return np.floor(wanted + 0.9).astype(np.int64)
    if interp == "round":
        return np.floor(wanted + 0.5).astype(np.int64)
    # Rounded first: 0.1 · 30 is 3.0000000000000004, which must not become 4.
    return np.ceil(np.round(wanted, 9)).astype(np.int64)


def _bounds_at_level(lists: OpenLists, level: float, interp: str) -> Ends:
    """Lowest and highest precision at one level of recall.

    One more relevant item needs at most one more hit, as `peak_bounds` assumes.
    """
    rank = np.arange(1, lists.relevant.shape[-1] + 1)

    def precision(hits: Array, relevant: Array) -> Array:
        needed = _hits_needed(np.asarray(level), relevant, interp)
        return np.where(hits >= needed, hits / rank, 0.0)

    return peak_bounds(lists, precision)


def _mean_bounds(lists: OpenLists, levels: Array, interp: str) -> Ends:
    """Lowest and highest mean of the precision over levels of recall."""
    rank = np.arange(1, lists.relevant.shape[-1] + 1)

    def mean(length: Array, hits: Array, relevant: Array) -> Array:
        n_cells, n_ranks = hits.shape
        best = np.zeros((n_cells, n_ranks + 1))  # 0 for a level that is not reached
        np.divide(hits, rank, out=best[:, :-1])
        np.maximum.accumulate(best[:, ::-1], axis=-1, out=best[:, ::-1])
        needed = _hits_needed(levels, relevant[:, :1], interp)  # (cells, levels)
        # One ascending key for all cells: the first rank with as many hits.
        step = int(max(hits.max(initial=0), needed.max(initial=0))) + 1
        cell = np.arange(n_cells)[:, None]
        place = np.searchsorted((hits + cell * step).ravel(), needed + cell * step)
        reached = np.minimum(place - cell * n_ranks, n_ranks)
        means: Array = np.take_along_axis(best, reached, axis=-1).mean(axis=-1)
        return means

    return rank_mean_bounds(lists, mean)


@define("iprec_at_recall", "interpolated_precision")
class IPrec(OfRelevant):
    """Interpolated precision: the largest precision at a recall of at least the level after @.

    Of R relevant items, a level is reached with ⌊level·R + 0.9⌋ if ``interp="trec"`` (trec_eval up
    to version 9, pytrec_eval), with level·R rounded, half up, if ``"round"`` (version 10), and with
    ⌈level·R⌉ if ``"exact"``. A recall of 0.4 of 3 items takes 2, 1 and 2 of them.
    """

    interp: str = one_of(*INTERPOLATIONS)
    meaning = "largest precision at this recall or more"
    formula = r"\max \left\{ \frac{h_i}{i} : h_i \ge \lfloor k R + 0.9 \rfloor \right\}"
    reference = "trec_eval"
    any_layout = False
    example = "IPrec@0.1"
    cutoff_use = "required"
    expects_ties = False
    stops_at_cutoff = False

    def _check_cutoff(self, cutoff: float) -> None:
        self.require(0 <= cutoff <= 1, "a level of recall is a number from 0 to 1")

    def score(self, batch: Batch) -> Array:
        level = np.array([self.cutoff], dtype=np.float64)
        values: Array = interpolated_precision(batch, self.rel, level, self.interp)[0]
        return values

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        level = float(self.cutoff or 0)
        low, high = _bounds_at_level(lists.binary(self.rel), level, self.interp)
        return low[None], high[None]


@define("interpolated_average", suffixed={"11pt_avg": lambda text: {"levels": _levels(text)}})
class IPrecAvg(OfRelevant):
    """Mean of the interpolated precision over levels of recall.

    `levels` is a number of equally spaced levels from 0 to 1, or the levels themselves:
    ``levels="0.25/0.5/0.75"``, or any sequence of them. `interp` is that of `IPrec`: "trec" for
    trec_eval up to version 9, "round" for version 10, or "exact".
    """

    levels: Any = 11
    interp: str = one_of(*INTERPOLATIONS)
    meaning = "mean of the interpolated precision at 11 (or other) levels of recall"
    formula = r"\frac{1}{11} \sum_{j=0}^{10} \mathrm{IPrec@} \tfrac{j}{10}"
    reference = "trec_eval"
    any_layout = False
    cutoff_use = "none"
    expects_ties = False

    def __post_init__(self) -> None:
        if not isinstance(self.levels, (str, int, float)):
            object.__setattr__(self, "levels", "/".join(map(str, self.levels)))
        super().__post_init__()
        rule = "levels must be a number of levels from 2, or levels from 0 to 1 such as 0.25/0.5"
        try:
            points = self.points
        except ValueError:
            points = np.array([])
        self.require(len(points) > 0 and bool(((points >= 0) & (points <= 1)).all()), rule)
        if isinstance(self.levels, str):
            object.__setattr__(self, "levels", "/".join(print_value(float(p)) for p in points))

    @property
    def points(self) -> Array:
        """The levels of recall."""
        if isinstance(self.levels, int):
            n = self.levels
            return np.arange(n) / (n - 1) if n >= 2 else np.array([])
        return np.array([float(part) for part in str(self.levels).split("/")])

    def score(self, batch: Batch) -> Array:
        values = interpolated_precision(batch, self.rel, self.points, self.interp)
        # `mean` adds up otherwise where there is a single query
        return sum_in_order(np.moveaxis(values, 0, -1)) / len(values)

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        low, high = _mean_bounds(lists.binary(self.rel), self.points, self.interp)
        return low[None], high[None]


def _levels(text: str) -> str:
    """Parameter from a list of levels as in trec_eval, `.25,.5,.75`."""
    parts = sorted(float(part) for part in text.split(",") if part)
    return "/".join(map(str, parts))
