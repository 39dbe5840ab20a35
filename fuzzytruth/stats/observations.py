"""Values of all systems by one measure, the input of inference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.core.cells import Cells, grouped_mean
from fuzzytruth.core.lazy import Lazy
from fuzzytruth.core.rounding import without_rounding
from fuzzytruth.core.samples import nan_mean
from fuzzytruth.stats.contrasts import Contrasts
from fuzzytruth.stats.query_groups import QueryGroups


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
        out: Floats = self.within[contrasts.first, other]
        return out


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
    """

    values: Floats
    cells: Cells
    nested: bool = False
    worlds: WorldMeans | None = None
    groups: QueryGroups | None = None

    @property
    def has_subjects(self) -> bool:
        """Whether values belong to subjects."""
        return self.cells.subject is not None

    @property
    def of_strata(self) -> bool:
        """Whether the estimand is a mean of the means of strata."""
        return self.groups is not None and self.groups.kind == "strata"

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
        return nan_mean(means.reshape(*values.shape[:-1], n_strata, n_subjects), -2)

    def _means(self, contrasts: Contrasts, mean: Callable[[Floats], Floats]) -> Floats:
        """Means of the contrasts' values; those of pairs without rounding errors."""
        scale = self.scale
        if self.same_cells:
            return contrasts.of(mean(self.values), scale=scale)
        means = [mean(self.of(batch)) for batch in self.batches(contrasts)]
        out = np.concatenate(means)
        if contrasts.second is None:
            return out
        return without_rounding(out, contrasts.largest(scale)[:, None])
