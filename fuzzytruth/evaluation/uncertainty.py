"""How scores under an uncertain truth vary over worlds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Self

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.lazy import Lazy
from fuzzytruth.core.samples import nan_mean
from fuzzytruth.errors import OptionError
from fuzzytruth.evaluation.joint_spread import of_kept

if TYPE_CHECKING:
    from fuzzytruth.evaluation.sources import Sources


def _nothing() -> Lazy[Floats | None]:
    return Lazy.of(None)


@dataclass(frozen=True, slots=True, eq=False)
class WorldValues:
    """Values in each world, all systems in the same worlds.

    Parameters
    ----------
    means : (worlds, systems, measures) float or None
        Mean over queries. None where queries were selected whose values in each world are not
        known.
    kept : (worlds, systems, measures, queries) float or None
        Every value, under ``keep_worlds=True``.
    """

    means: Floats | None
    kept: Floats | None = None

    def take(
        self, systems: Ints, measures: Ints, queries: Ints, *, every: bool, joint: bool
    ) -> WorldValues:
        """Of some systems, measures and queries; `every`: of every query."""
        means, kept = self.means, self.kept
        if kept is not None:
            kept = kept[np.ix_(np.arange(len(kept)), systems, measures, queries)]
        if means is not None and (every or not len(means)):  # none where subjects are worlds
            means = means[:, systems[:, None], measures]
        elif not every:
            usable = kept if joint else None
            means = None if usable is None else nan_mean(usable, axis=-1)
        return WorldValues(means, kept)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Uncertainty:
    """How scores vary over worlds.

    What needs drawn worlds is computed when first asked for, and then kept.

    Parameters
    ----------
    worlds : str
        The kind of worlds: "independent", "population" or "subject" (with missing judgments
        imputed from other subjects).
    exact : (systems, measures, cells) bool
        Whether expected values are exact and not estimated from drawn worlds.
    mc_error : (systems, measures, cells) float
        Monte Carlo standard error of the expected values; 0 where they are exact.
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
        Seed of the random numbers: the same gives the same worlds.
    spread : Lazy of (systems, measures, cells) float or None
        See `std`.
    in_worlds : Lazy of WorldValues
        See `world_means` and `kept`.
    joint_spread : Lazy of (measures, systems, systems) float or None
        See `within`.
    has_means, has_kept, has_within : bool
        Whether `world_means`, `kept` and `within` are not None.
    kept_is_joint : bool
        Whether means of `kept` over queries vary as they should. They vary too little where values
        are estimates, whose noise was taken out query by query.
    sources : Sources or None
        All that is needed to compute single queries again; not saved.
    """

    worlds: str
    exact: Bools = field(repr=False)
    mc_error: Floats = field(repr=False)
    weight: Floats = field(repr=False)
    inflation: float
    drawn: bool
    n_worlds: int
    entropy: tuple[int, ...]
    spread: Lazy[Floats | None] = field(repr=False)
    in_worlds: Lazy[WorldValues] = field(repr=False)
    joint_spread: Lazy[Floats | None] = field(default_factory=_nothing, repr=False)
    has_means: bool = True
    has_kept: bool = False
    has_within: bool = False
    kept_is_joint: bool = True
    sources: Sources | None = field(default=None, repr=False)

    @property
    def std(self) -> Floats | None:
        """Standard deviation over worlds: (systems, measures, cells).

        None where each subject is a world.
        """
        return self.spread.value

    @property
    def world_means(self) -> Floats | None:
        """Mean over queries in each world: (worlds, systems, measures); None: not known."""
        return self.in_worlds.value.means if self.has_means else None

    @property
    def kept(self) -> Floats | None:
        """Every value in every world, if kept: (worlds, systems, measures, queries)."""
        return self.in_worlds.value.kept if self.has_kept else None

    @property
    def within(self) -> Floats | None:
        """Variances over worlds, query by query, of differences: (measures, systems, systems).

        Summed over the queries; on the diagonal of single systems' values, so that it is the sum
        of `std` squared. NaN for systems that were evaluated one after the other without keeping
        the worlds, or that lack different values. None where worlds are not resamples of subjects
        who are the same in all queries, and where queries were selected whose values in each world
        are not known.
        """
        return self.joint_spread.value if self.has_within else None

    def draw(self) -> None:
        """Draw the worlds now, if they have not been drawn."""
        _ = self.in_worlds.value

    def joint_means(self) -> Floats:
        """Means over queries in each world: (worlds, systems, measures).

        Raises
        ------
        OptionError
            They are not known for the queries that were selected.
        """
        self.check_means()
        means = self.world_means
        assert means is not None
        return means

    def check_means(self) -> None:
        """Raise `OptionError` if the means in each world are not known."""
        if not self.has_means:
            raise OptionError(NO_MEANS)

    def take(
        self, systems: Ints, measures: Ints, queries: Ints, cells: Ints, *, all_queries: bool
    ) -> Self:
        """Of some systems, measures, queries and cells; `all_queries`: of every query."""
        table = np.ix_(systems, measures, cells)
        joint = self.kept_is_joint
        in_worlds = self.in_worlds.map(
            lambda v: v.take(systems, measures, queries, every=all_queries, joint=joint)
        )
        return replace(
            self,
            exact=self.exact[table],
            mc_error=self.mc_error[table],
            spread=self.spread.map(lambda std: None if std is None else std[table]),
            in_worlds=in_worlds,
            joint_spread=(
                self.joint_spread.map(lambda v: _pairs(v, measures, systems))
                if all_queries
                else self.within_of(in_worlds)
            ),
            has_means=self._means_of(all_queries=all_queries),
            has_within=self.has_within and (all_queries or self.kept_in_full),
            sources=None if self.sources is None else self.sources.take(systems, measures, queries),
        )

    @property
    def kept_in_full(self) -> bool:
        """Whether every value is kept, as it varies over worlds."""
        return self.has_kept and self.kept_is_joint

    def within_of(self, in_worlds: Lazy[WorldValues]) -> Lazy[Floats | None]:
        """`within` of other kept values in these worlds; of None if it is not known."""
        if not (self.has_within and self.kept_in_full):
            return Lazy.of(None)

        def within() -> Floats | None:
            kept = in_worlds.value.kept
            return None if kept is None else of_kept(kept, self.weight, self.inflation)

        return Lazy(within)

    def _means_of(self, *, all_queries: bool) -> bool:
        """Whether means in each world are known of all, or of some, queries."""
        if all_queries or self.worlds == "subject":
            return self.has_means
        return self.kept_in_full


def _pairs(within: Floats | None, measures: Ints, systems: Ints) -> Floats | None:
    """Of some measures and systems."""
    return None if within is None else within[np.ix_(measures, systems, systems)]


NO_MEANS = (
    "queries of these scores were selected, and their means in each world are not known; select "
    "from what evaluate(..., keep_worlds=True) gives (under worlds='population', where expected "
    "values are exact in each resample), or evaluate with the judgments of these queries only"
)
