"""Settings of a comparison, and the sizes of its data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats
from fuzzytruth.core.validation import place_of
from fuzzytruth.stats.axes import Alternative, Over, in_words
from fuzzytruth.stats.effects import means_over_queries
from fuzzytruth.stats.multiplicity import Family
from fuzzytruth.stats.observations import Kind, Observations

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores.scores import Scores


# Means of systems over the queries that they share.


@dataclass(frozen=True, slots=True)
class Shared:
    """What the means of one measure are over.

    Parameters
    ----------
    queries : int
        On which all systems have a value; 0 if there are none, and means are over each system's
        own values.
    left_out : int
        Values of systems that are not in the means, as another system lacks its own.
    """

    queries: int
    left_out: int


def shared_means(
    family: Family, systems: tuple[str, ...]
) -> tuple[pd.DataFrame, tuple[Shared, ...]]:
    """Means (systems × measures) over the values that all systems have, and which these are."""
    columns, shared = {}, []
    for measure, observed in zip(family.measures, family.observed, strict=True):
        columns[measure], one = _of_measure(observed)
        shared.append(one)
    index = pd.Index(systems, name="system", dtype=object)
    frame = pd.DataFrame(columns, index=index)
    return frame.rename_axis(columns="measure"), tuple(shared)


def on_shared_values(scores: Scores) -> Scores:
    """The same scores, NaN by each measure where some system has no value.

    A measure without any value that all systems have stays as it is.
    """
    present = ~np.isnan(scores.values)
    by_all = present.all(axis=0)  # (measures, cells)
    kept = by_all | ~by_all.any(axis=-1, keepdims=True)
    if (kept | ~present).all():
        return scores
    lower, upper = (
        None if ends is None else np.where(kept, ends, np.nan)
        for ends in (scores.lower, scores.upper)
    )
    return replace(scores, values=np.where(kept, scores.values, np.nan), lower=lower, upper=upper)


def _of_measure(observed: Observations) -> tuple[Floats, Shared]:
    values = observed.values
    present = ~np.isnan(values)
    by_all = present.all(axis=0)
    if not by_all.any():
        return means_over_queries(observed, values), Shared(0, 0)
    queries = len(np.unique(observed.cells.query[by_all]))
    means = means_over_queries(observed, np.where(by_all, values, np.nan))
    return means, Shared(queries, int((present & ~by_all).sum()))


def ends_within(lower: float, upper: float, width: float) -> tuple[float, float]:
    """Ends of an interval of a difference, cut at the largest that there can be.

    Infinite ends stay, for they say that an interval is open or that nothing is known.
    """
    ends = (max(min(end, width), -width) if isfinite(end) else end for end in (lower, upper))
    return next(ends), next(ends)


@dataclass(frozen=True, slots=True)
class Conditions:
    """Settings of a comparison, and the sizes of its data.

    Parameters
    ----------
    over : tuple of str
        What was random.
    alternative : {"two-sided", "greater", "less"}
    correction : str
        "max-t", "sign-flips", "permuted labels", "none", or one of statsmodels'.
    interval : {"simultaneous", "single", "unadjusted"}
    level : float
    n_resamples, tests : int
        `tests`: number of comparisons in a family.
    across_measures : bool
    baselines : tuple of str
        Systems that all others are compared with; none: all pairs.
    systems, measures : tuple of str
    higher_is_better : tuple of bool
        For each of `measures`.
    n_queries : int
    subjects : tuple of str or None
    nested : bool
    n_people : int
        Number of subjects; nested ones of the same name in two queries are two.
    worlds : str or None
    n_worlds, n_resampled : int
        How many were drawn, and the subjects that were resampled; 0 without any.
    groups : {"clusters", "strata"} or None
        Of the queries.
    n_groups : int
        How many there are.
    shared : tuple of Shared
        What the means of each measure are over.
    spans : tuple of float
        For each measure, the largest difference that its values can have; infinite if not known.
    widths : tuple of float
        For each measure, the largest difference that any values can have; infinite if not known.
    rope : dict or None
    """

    over: Over
    alternative: Alternative
    correction: str
    interval: str
    level: float
    n_resamples: int
    tests: int
    across_measures: bool
    baselines: tuple[str, ...]
    systems: tuple[str, ...]
    measures: tuple[str, ...]
    higher_is_better: tuple[bool, ...]
    n_queries: int
    subjects: tuple[str, ...] | None = None
    nested: bool = False
    n_people: int = 0
    worlds: str | None = None
    n_worlds: int = 0
    n_resampled: int = 0
    groups: Kind | None = None
    n_groups: int = 0
    shared: tuple[Shared, ...] = ()
    spans: tuple[float, ...] = ()
    widths: tuple[float, ...] = ()
    rope: dict[str, float] | None = None

    @property
    def n_subjects(self) -> int | None:
        """Number of subjects, None without any."""
        if self.subjects is None:
            return None
        return self.n_people if self.nested else len(self.subjects)

    @property
    def random(self) -> str:
        """What is random, such as "clusters of queries"."""
        if self.groups is None:
            words = in_words(self.over)
            resampled = self.worlds == "population"
            return words.replace("worlds", "resampled subjects") if resampled else words
        return "queries in strata" if self.groups == "strata" else "clusters of queries"

    @property
    def is_adjusted(self) -> bool:
        """Whether p is adjusted for the number of comparisons, or there is one."""
        return self.correction != "none" or self.tests == 1

    @property
    def found_by(self) -> str:
        """What `min_detectable` is of, where the correction has no intervals; else ""."""
        if self.interval != "unadjusted" or self.correction == "none":
            return ""
        return " by Bonferroni's correction" if self.tests > 1 else " without a correction"

    @property
    def of_worlds(self) -> bool:
        """Whether all there is are independent worlds, which are no sample."""
        return self.over == ("world",) and self.worlds == "independent"

    @property
    def is_directed(self) -> bool:
        """Whether it matters which system is first: there are baselines, or tests are one-sided."""
        return bool(self.baselines) or self.alternative != "two-sided"

    def span_of(self, measure: str) -> float:
        """The largest difference that values of a measure can have; infinite if it is unknown."""
        return self.spans[self.measures.index(measure)] if self.spans else float("inf")

    def shown_ends(self, row: Any) -> tuple[float, float]:
        """Ends of a row's interval as they are printed."""
        width = self.widths[self.measures.index(row.measure)] if self.widths else float("inf")
        return ends_within(row.lower, row.upper, width)

    def measure_of(self, measure: str | None) -> str:
        """The measure named, or the first."""
        if measure is None:
            return self.measures[0]
        return self.measures[place_of(self.measures, measure, "measure")]

    def better_up(self, measure: str) -> bool:
        """Whether higher is better by a measure."""
        return self.higher_is_better[self.measures.index(measure)]
