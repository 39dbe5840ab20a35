"""Values of all systems by one measure, the input of inference."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core import clusters
from fuzzytruth.core.arithmetic import without_rounding
from fuzzytruth.core.cells import Cells, grouped_mean, grouped_sum
from fuzzytruth.core.lazy import Lazy
from fuzzytruth.errors import DataError, shown

_NUMBERS = 2**22  # values of a batch of contrasts


@dataclass(frozen=True, slots=True, eq=False)
class Contrasts:
    """Systems, or pairs of systems.

    Parameters
    ----------
    first : (rows,) int
        Indices of systems.
    second : (rows,) int or None
        Indices of the systems that are subtracted from them; None: single systems.
    """

    first: Ints
    second: Ints | None = None

    def __len__(self) -> int:
        return len(self.first)

    @property
    def are_pairs(self) -> bool:
        """Whether these are differences, and not single systems."""
        return self.second is not None

    def of(self, values: Floats, *, scale: Floats) -> Floats:
        """Values of the contrasts: (systems, ...) → (rows, ...).

        `scale` (systems,) is each system's largest |value|; a difference below 1e-12 of a pair's
        is 0.
        """
        if self.second is None:
            return values[self.first]
        return clusters.pair_differences(values, self.first, self.second, scale=scale)

    def largest(self, scale: Floats) -> Floats:
        """The larger of both systems of each row: (systems,) → (rows,)."""
        if self.second is None:
            return scale[self.first]
        return np.maximum(scale[self.first], scale[self.second])

    def part(self, start: int, size: int) -> Contrasts:
        """The `size` contrasts from `start` on."""
        rows = slice(start, start + size)
        return Contrasts(self.first[rows], None if self.second is None else self.second[rows])

    def batches(self, numbers: int) -> list[Contrasts]:
        """Batches of bounded memory, with `numbers` values per contrast; at least one batch."""
        size = max(1, _NUMBERS // max(numbers, 1))
        return [self.part(start, size) for start in range(0, max(len(self), 1), size)]


def each_system(n_systems: int) -> Contrasts:
    """Every single system."""
    return Contrasts(np.arange(n_systems))


def all_pairs(n_systems: int) -> Contrasts:
    """Every pair of systems, in their order."""
    return Contrasts(*np.triu_indices(n_systems, 1))


def against(baselines: Sequence[int], n_systems: int) -> Contrasts:
    """Every system that is no baseline minus each baseline, baseline after baseline."""
    others = np.setdiff1d(np.arange(n_systems), baselines)
    return Contrasts(np.tile(others, len(baselines)), np.repeat(baselines, len(others)))


def missing_patterns(present: Bools) -> Iterator[tuple[Bools, Ints]]:
    """Distinct rows of a table (rows, n), each with the indices of the rows equal to it.

    Rows with values in the same places can be processed as one array; those without any are left
    out.
    """
    if not len(present):
        return
    if (present == present[:1]).all():
        if present[0].any():
            yield present[0], np.arange(len(present))
        return
    packed = np.packbits(present, axis=1)
    _, first, pattern = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    for number, example in enumerate(first):
        if present[example].any():
            yield present[example], np.flatnonzero(pattern.ravel() == number)


# Intervals and tests from equally probable values, such as those in each world.


def quantile_interval(draws: Floats, level: float) -> tuple[Floats, Floats]:
    """Order statistics that leave (1 - level) / 2 on either side; -∞ and ∞ if draws are few.

    It excludes 0 exactly where `two_sided_share` is 1 - level or less.
    """
    ordered = np.sort(draws, axis=-1)
    n = draws.shape[-1]
    k = int(np.floor((1 - level) / 2 * (n + 1) * (1 + 1e-12)))
    if k < 1:
        infinite = np.full(len(draws), np.inf)
        return -infinite, infinite
    return ordered[:, k - 1], ordered[:, n - k]


def least_draws(level: float) -> int:
    """The fewest draws of which `quantile_interval` is finite.

    Examples
    --------
    >>> least_draws(0.95), least_draws(1 - 0.05 / 28)
    (39, 1119)
    """
    return int(np.ceil(2 / (1 - level) * (1 - 1e-12))) - 1


def two_sided_share(draws: Floats) -> Floats:
    """2 (b + 1) / (n + 1), b the draws on the rarer side of 0, those at 0 on both sides."""
    rarer: Floats = np.minimum(one_sided_share(draws), one_sided_share(-draws))
    return np.asarray(np.minimum(2 * rarer, 1.0))


def one_sided_share(draws: Floats) -> Floats:
    """(b + 1) / (n + 1), b the draws that are 0 or below."""
    return np.asarray(((draws <= 0).sum(axis=-1) + 1.0) / (draws.shape[-1] + 1))


# Groups of queries: clusters or collections, which are a sample, or strata, which are fixed.


Kind = Literal["clusters", "strata", "collections"]


@dataclass(frozen=True, slots=True, eq=False)
class QueryGroups:
    """Which group each query is in.

    Parameters
    ----------
    kind : {"clusters", "strata", "collections"}
        Clusters are drawn whole, and the estimand is the mean over queries; strata are fixed, their
        queries are drawn, and the estimand is the mean of their means; collections are drawn, their
        queries too, and the estimand is the mean of their means.
    code : (queries,) int
        From 0 to `n` - 1.
    n : int
    names : tuple of str
        Of the groups, for messages; empty where they have none.
    """

    kind: Kind
    code: Ints
    n: int
    names: tuple[str, ...] = ()

    @property
    def method(self) -> str:
        """How intervals over queries are computed."""
        return f"t over {self.kind} of queries"

    @property
    def weigh_the_same(self) -> bool:
        """Whether the estimand is a mean of the groups' means."""
        return self.kind != "clusters"

    @property
    def sizes(self) -> Ints:
        """Queries of each group: (n,)."""
        return np.bincount(self.code, minlength=self.n)

    def select(self, chosen: Bools) -> QueryGroups:
        """Groups of some of the queries (queries,), numbered anew."""
        kept, code = np.unique(self.code[chosen], return_inverse=True)
        names = tuple(self.names[group] for group in kept) if self.names else ()
        return QueryGroups(self.kind, code, len(kept), names)

    def mean(self, values: Floats) -> Floats:
        """The estimand's mean of (..., queries) values; NaN is missing."""
        if self.weigh_the_same:
            values = grouped_mean(values, self.code, self.n)
        return clusters.nan_mean(values, -1)

    def estimate(self, values: Floats, *, scale: ArrayLike = 0.0) -> tuple[Floats, Floats, Floats]:
        """Mean, standard error and degrees of freedom of (rows, queries) values: (rows,) each.

        `scale` (rows,) is the largest of the values that these are differences of.

        The standard error is NaN where a row has values in one cluster or collection alone, or a
        single value in a stratum.
        """
        if self.kind == "collections":
            means = clusters.samples(grouped_mean(values, self.code, self.n).T, scale=scale)
            return means.mean, means.std_error, np.maximum(means.n - 1.0, 0.0)
        estimator = (
            clusters.clustered_means if self.kind == "clusters" else clusters.stratified_means
        )
        return estimator(values, self.code, self.n, scale=scale)

    def units(self, values: Floats) -> Ints:
        """Clusters, collections or queries of strata that each of (rows, queries) values has."""
        present = ~np.isnan(values)
        if self.kind == "strata":
            return np.asarray(present.sum(axis=1))
        return np.asarray(self.present(values).sum(axis=1))

    def present(self, values: Floats) -> Bools:
        """Groups in which each of (rows, queries) values has any: (rows, n)."""
        return np.asarray(grouped_sum(~np.isnan(values), self.code, self.n) > 0)

    def singles(self, values: Floats) -> Bools:
        """Groups in which a row of (rows, queries) values has a single one: (rows, n)."""
        return np.asarray(grouped_sum(~np.isnan(values), self.code, self.n) == 1)


def stratum_of_one(name: str, whose: str = "") -> DataError:
    """The error of a stratum with a single value."""
    return DataError(
        f"strata: stratum {shown(name)} is a stratum of one{whose}: nothing is known of the spread "
        "within it; merge it with another, or leave it out"
    )


@dataclass(frozen=True, slots=True, eq=False)
class WorldMeans:
    """Means over queries in each world.

    Parameters
    ----------
    lazy_means : Lazy of (worlds, systems) float
    weight : (worlds,) float
        Probability of each world.
    inflation : float
        Factor from the variance over worlds to that of the estimate: S / (S - 1) for resamples of
        S subjects, else 1.
    resampled : bool
        Whether a world is the expected score under resampled subjects ("population"), and not one
        crisp truth.
    lazy_within : Lazy of (systems, systems) float or None
        See `within`.
    """

    lazy_means: Lazy[Floats]
    weight: Floats
    inflation: float
    resampled: bool
    lazy_within: Lazy[Floats | None] = field(default_factory=lambda: Lazy.of(None))

    @property
    def within(self) -> Floats | None:
        """Variances over worlds in each query, times `inflation`, summed over the queries.

        Of differences of two systems, and on the diagonal of single systems: (systems, systems).
        NaN where unknown; None: all are.
        """
        return self.lazy_within.value

    @property
    def n_subjects(self) -> int:
        """Number of resampled subjects."""
        return round(self.inflation / (self.inflation - 1))

    @property
    def means(self) -> Floats:
        """The means: (worlds, systems)."""
        return self.lazy_means.value

    def of(self, contrasts: Contrasts, *, scale: Floats) -> Floats:
        """Means of contrasts in each world: (rows, worlds); `scale` as in `Contrasts.of`."""
        return contrasts.of(self.means.T, scale=scale)

    def within_of(self, contrasts: Contrasts) -> Floats:
        """`within` of contrasts: (rows,)."""
        if self.within is None:
            return np.full(len(contrasts), np.nan)
        other = contrasts.first if contrasts.second is None else contrasts.second
        return np.asarray(self.within[contrasts.first, other])


#: how the variance of a system's runs is estimated
Pooling = Literal["moderated", "separate", "pooled"]


@dataclass(frozen=True, slots=True, eq=False)
class RunValues:
    """Values of single runs of systems (trainings, seeds, samplings) by one measure.

    Parameters
    ----------
    values : (runs, cells) float
        NaN is missing, where any run of the system lacks a value.
    system : (runs,) int
        Place of each run's system.
    fixed : (systems,) bool
        Systems of which another run would give the same.
    pooling : {"moderated", "separate", "pooled"}
    """

    values: Floats
    system: Ints
    fixed: Bools
    pooling: Pooling = "moderated"


@dataclass(frozen=True, slots=True, eq=False)
class Observations:
    """Values of all systems by one measure.

    Parameters
    ----------
    values : (systems, cells) float
        NaN is missing.
    cells : Cells
    nested : bool
        Whether a subject's number stands for different people in different queries.
    worlds : WorldMeans or None
    groups : QueryGroups or None
        Clusters or strata of the queries.
    runs : RunValues or None
        Of systems with several runs, over which `values` are means.
    """

    values: Floats
    cells: Cells
    nested: bool = False
    worlds: WorldMeans | None = None
    groups: QueryGroups | None = None
    runs: RunValues | None = None

    @property
    def has_subjects(self) -> bool:
        """Whether values belong to subjects."""
        return self.cells.subject is not None

    @property
    def of_strata(self) -> bool:
        """Whether the estimand is a mean of the means of strata, or of collections."""
        return self.groups is not None and self.groups.weigh_the_same

    @property
    def same_cells(self) -> bool:
        """Whether all systems have values in the same cells."""
        present = ~np.isnan(self.values)
        return bool((present == present[:1]).all())

    @property
    def scale(self) -> Floats:
        """Largest |value| of each system: (systems,)."""
        return np.asarray(np.fmax.reduce(np.abs(self.values), axis=1, initial=0.0))

    def of_subject(self, subject: int) -> Observations:
        """The values of one subject, as those of queries without subjects."""
        chosen = self.cells.subject_codes == subject
        queries = self.cells.query[chosen]
        groups = self.groups
        if groups is not None:
            groups = groups.select(np.isin(np.arange(self.cells.n_queries), queries))
        return Observations(self.values[:, chosen], Cells.of_queries(len(queries)), groups=groups)

    def of_cells(self, chosen: Bools) -> Observations:
        """The values of some cells (cells,), of the same queries and subjects; without worlds."""
        cells = self.cells.select(chosen)
        return Observations(self.values[:, chosen], cells, self.nested, groups=self.groups)

    def in_strata(self) -> Observations:
        """The same values, these groups of queries being all there are."""
        return replace(self, groups=self.groups and replace(self.groups, kind="strata"))

    def batches(self, contrasts: Contrasts) -> list[Contrasts]:
        """The contrasts in batches whose values take bounded memory."""
        return contrasts.batches(len(self.cells))

    def of(self, contrasts: Contrasts) -> Floats:
        """Values (rows, cells); NaN where a value is missing, or one of a pair's is."""
        return contrasts.of(self.values, scale=self.scale)

    def by_query(self, contrasts: Contrasts) -> Floats:
        """Means over subjects: (rows, queries); a pair's are over the subjects that both have.

        A pair's mean below 1e-12 of its largest value is 0.
        """
        if self.cells.subject is None and self.cells.is_complete:
            return self.of(contrasts)
        return self._means(contrasts, self.cells.mean_by_query)

    def by_subject(self, contrasts: Contrasts) -> Floats:
        """Means over queries: (rows, subjects); a pair's are over the queries that both have.

        Of strata they are means over strata of each subject's means.
        """
        mean = self._mean_of_strata if self.of_strata else self.cells.mean_by_subject
        return self._means(contrasts, mean)

    def _mean_of_strata(self, values: Floats) -> Floats:
        """Means of each subject over the strata that it has values in: (..., subjects)."""
        assert self.groups is not None
        n_strata, n_subjects = self.groups.n, self.cells.n_subjects
        code = self.groups.code[self.cells.query] * n_subjects + self.cells.subject_codes
        means = grouped_mean(values, code, n_strata * n_subjects)
        return clusters.nan_mean(means.reshape(*values.shape[:-1], n_strata, n_subjects), -2)

    def _means(self, contrasts: Contrasts, mean: Callable[[Floats], Floats]) -> Floats:
        """Means of the contrasts' values; those of pairs without rounding errors."""
        scale = self.scale
        if self.same_cells:
            return contrasts.of(mean(self.values), scale=scale)
        out = np.concatenate([mean(self.of(batch)) for batch in self.batches(contrasts)])
        if contrasts.second is None:
            return out
        return without_rounding(out, contrasts.largest(scale)[:, None])
