"""Values of all systems by one measure, the input of inference."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.lazy import Lazy
from fuzzytruth.stats.contrasts import Contrasts


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

    def of(self, contrasts: Contrasts) -> Floats:
        """Means of contrasts in each world: (rows, worlds)."""
        return contrasts.of(self.means.T)

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
    """

    values: Floats
    cells: Cells
    nested: bool = False
    worlds: WorldMeans | None = None

    @property
    def has_subjects(self) -> bool:
        """Whether values belong to subjects."""
        return self.cells.subject is not None

    @property
    def same_cells(self) -> bool:
        """Whether all systems have values in the same cells."""
        present = ~np.isnan(self.values)
        return bool((present == present[:1]).all())

    def batches(self, contrasts: Contrasts) -> list[Contrasts]:
        """The contrasts in batches whose values take bounded memory."""
        return contrasts.batches(len(self.cells))

    def of(self, contrasts: Contrasts) -> Floats:
        """Values (rows, cells); NaN where a value is missing, or one of a pair's is."""
        return contrasts.of(self.values)

    def by_query(self, contrasts: Contrasts) -> Floats:
        """Means over subjects: (rows, queries); a pair's are over the subjects that both have."""
        if self.cells.subject is None and self.cells.is_complete:
            return self.of(contrasts)
        if self.same_cells:
            return contrasts.of(self.cells.mean_by_query(self.values))
        batches = self.batches(contrasts)
        return np.concatenate([self.cells.mean_by_query(self.of(batch)) for batch in batches])

    def by_subject(self, contrasts: Contrasts) -> Floats:
        """Means over queries: (rows, subjects); a pair's are over the queries that both have."""
        if self.same_cells:
            return contrasts.of(self.cells.mean_by_subject(self.values))
        batches = self.batches(contrasts)
        return np.concatenate([self.cells.mean_by_subject(self.of(batch)) for batch in batches])
