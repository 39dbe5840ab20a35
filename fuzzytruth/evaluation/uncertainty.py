"""How scores under an uncertain truth vary over worlds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.samples import nan_mean
from fuzzytruth.errors import OptionError

if TYPE_CHECKING:
    from fuzzytruth.evaluation.sources import Sources


@dataclass(frozen=True, slots=True, eq=False)
class Uncertainty:
    """How scores vary over worlds.

    Parameters
    ----------
    worlds : str
        The kind of worlds: "independent", "population" or "subject" (with missing judgments
        imputed from other subjects).
    std : (systems, measures, cells) float or None
        Standard deviation over worlds; None where each subject is a world.
    exact : (systems, measures, cells) bool
        Whether expected values are exact and not estimated from drawn worlds.
    mc_error : (systems, measures, cells) float
        Monte Carlo standard error of the expected values; 0 where they are exact.
    world_means : (worlds, systems, measures) float or None
        Mean over queries in each world, all systems in the same worlds. None where queries were
        selected whose values in each world are not known.
    weight : (worlds,) float
        Probability of each world.
    inflation : float
        Factor from a variance over worlds to that of the estimate: S / (S - 1) for resamples of S
        subjects (nested in queries: the largest factor of all queries evaluated), else 1.
    drawn : bool
        Whether worlds are a random sample, or all possible ones.
    n_worlds : int
        Worlds drawn; for resampled subjects, resamples.
    entropy : tuple of int
        Seed of the random generators: the same gives the same worlds.
    sources : Sources or None
        All that is needed to compute single queries again; not saved.
    kept : (worlds, systems, measures, queries) float or None
        Every value in every world, under ``keep_worlds=True``; None where each subject is a world.
    kept_is_joint : bool
        Whether means of `kept` over queries vary as they should. They vary too little where values
        are estimates, whose noise was taken out query by query.
    """

    worlds: str
    std: Floats | None
    exact: Bools
    mc_error: Floats
    world_means: Floats | None
    weight: Floats
    inflation: float
    drawn: bool
    n_worlds: int
    entropy: tuple[int, ...]
    sources: Sources | None = None
    kept: Floats | None = None
    kept_is_joint: bool = True

    def joint_means(self) -> Floats:
        """Means over queries in each world: (worlds, systems, measures).

        Raises
        ------
        OptionError
            They are not known for the queries that were selected.
        """
        if self.world_means is None:
            raise OptionError(NO_MEANS)
        return self.world_means

    def take(
        self, systems: Ints, measures: Ints, queries: Ints, cells: Ints, *, all_queries: bool
    ) -> Uncertainty:
        """Of some systems, measures, queries and cells; `all_queries`: of every query."""
        table = np.ix_(systems, measures, cells)
        means, kept = self.world_means, self.kept
        if kept is not None:
            kept = kept[np.ix_(np.arange(len(kept)), systems, measures, queries)]
        if means is not None and (all_queries or not len(means)):  # none where subjects are worlds
            means = means[:, systems[:, None], measures]
        elif not all_queries:
            usable = kept if self.kept_is_joint else None
            means = None if usable is None else nan_mean(usable, axis=-1)
        return replace(
            self,
            std=None if self.std is None else self.std[table],
            exact=self.exact[table],
            mc_error=self.mc_error[table],
            world_means=means,
            sources=None if self.sources is None else self.sources.take(systems, measures, queries),
            kept=kept,
        )


NO_MEANS = (
    "queries of these scores were selected, and their means in each world are not known; select "
    "from what evaluate(..., keep_worlds=True) gives (under worlds='population', where expected "
    "values are exact in each resample), or evaluate with the judgments of these queries only"
)
