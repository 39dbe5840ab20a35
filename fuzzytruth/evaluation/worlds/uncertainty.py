"""How scores under an uncertain truth vary over worlds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Self

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.clusters import nan_mean
from fuzzytruth.core.exact_sums import ExactSum, Moments
from fuzzytruth.core.lazy import Lazy
from fuzzytruth.errors import OptionError

if TYPE_CHECKING:
    from fuzzytruth.evaluation.worlds.setting import Sources


# Weighted covariances of series, accumulated block by block without loss of precision.


class CoMoments:
    """Covariances of series over the last axis of all blocks added so far; NaN is left out.

    Blocks are merged as in `Moments`. The bits of a covariance depend on its two series alone, and
    equal series have equal covariances.

    Parameters
    ----------
    shape : tuple of int
        (..., series)
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._weight: Floats = np.zeros(shape)
        self._mean: Floats = np.zeros(shape)
        self._products: Floats = np.zeros((*shape, shape[-1]))
        self._apart: Bools = np.zeros((1, 1), dtype=bool)

    def add(self, values: Floats, weight: Floats) -> None:
        """Add a block of values (..., series, n), each n with its weight (n,)."""
        values = np.ascontiguousarray(values)
        defined = ~np.isnan(values)
        each = np.broadcast_to(weight, values.shape)
        if not defined.all():
            each = weight * defined
            lacks = inner_products(defined.astype(np.float64), (~defined).astype(np.float64)) > 0
            self._apart = self._apart | lacks | lacks.swapaxes(-1, -2)
        total = each.sum(axis=-1)
        # Relative to one of the values: the mean of equal values is then exact.
        first = np.nan_to_num(np.fmax.reduce(values, axis=-1))
        shifted = np.where(defined, values - first[..., None], 0.0)
        block = first + divide((each * shifted).sum(axis=-1), total)
        centred = np.where(defined, values - block[..., None], 0.0)
        both = self._weight + total
        gap = np.where(self._weight > 0, block - self._mean, 0.0)
        share = divide(total, both)
        between = gap * np.sqrt(self._weight * share)
        rows = np.concatenate((centred * np.sqrt(each), between[..., None]), axis=-1)
        self._products += inner_products(rows, rows)
        self._mean = np.where(self._weight > 0, self._mean + gap * share, block)
        self._weight = both

    @property
    def covariance(self) -> Floats:
        """Covariances by the weights: (..., series, series).

        NaN for two series of which one lacks a value where the other has one, 0 where neither has
        any.
        """
        return np.where(self._apart, np.nan, divide(self._products, self._weight[..., None]))


def inner_products(one: Floats, other: Floats) -> Floats:
    """Inner products of all pairs of rows: (..., a, n), (..., b, n) → (..., a, b).

    Each has the same bits whatever the other rows are, which a matrix product does not promise.
    """
    return np.asarray(np.einsum("...an,...bn->...ab", one, other, optimize=False))


_BLOCK = 64  # resamples whose values are added together
_VALUES = 1 << 22  # of a measure in memory at once


class JointSpread:
    """Variances of values and of their differences, gathered block of resamples by block.

    Parameters
    ----------
    shape : (systems, measures, queries)
    """

    def __init__(self, shape: tuple[int, int, int]) -> None:
        systems, measures, queries = shape
        self._moments = CoMoments((measures, queries, systems))
        self._noise: Floats = np.zeros((measures, queries, systems, systems))

    def add(self, values: Floats, weight: Floats) -> None:
        """Add values (resamples, systems, measures, queries), each resample with its weight."""
        self._moments.add(values.transpose(2, 3, 1, 0), weight)

    def add_noise(
        self, weight: Floats, known: Bools, values: Floats, inner: Moments, some: slice
    ) -> None:
        """Add the noise of some of a block of resamples, whose values are means over inner worlds.

        Squares of their errors add up to the noise of the values, and products to the noise that
        systems share.

        Parameters
        ----------
        weight : (resamples,) float
            Of the whole block.
        known : (systems, measures, queries) bool
            Which values are exact.
        values : (inner, some resamples, systems, measures, queries) float
        inner : Moments
            Of these values.
        some : slice
            Which resamples they are.
        """
        measures = np.flatnonzero(~known.all(axis=(0, 2)))
        mean, number = inner.mean[:, :, measures], inner.weight[:, :, measures]
        shares = weight[some, None, None, None] / np.maximum(number * (number - 1), 1.0)
        centred = values[:, :, :, measures] - mean
        errors = np.where(np.isnan(centred), 0.0, centred) * np.sqrt(shares)
        rows = np.ascontiguousarray(errors.reshape(-1, *errors.shape[2:]).transpose(2, 3, 1, 0))
        self._noise[measures] += inner_products(rows, rows)

    def total(self, noise: Floats, inflation: Floats) -> ExactSum:
        """Sums over the queries: (measures, systems, systems).

        Parameters
        ----------
        noise : (systems, measures, queries) float
            The part of each variance that is the noise of inner worlds.
        inflation : (queries,) or (1,) float
        """
        covariance = self._moments.covariance - self._shared(np.moveaxis(noise, 0, -1))
        variances = _of_differences(covariance) * inflation[:, None, None]
        return ExactSum.of(np.moveaxis(variances, 1, -1))

    def _shared(self, noise: Floats) -> Floats:
        """Covariances of noise, from its variances and the correlations of what was added."""
        own = np.diagonal(self._noise, axis1=-2, axis2=-1)
        correlation = divide(self._noise, _root_products(own))
        _set_diagonal(correlation, np.ones(own.shape))
        return correlation * _root_products(np.nan_to_num(noise))


def of_kept(kept: Floats, weight: Floats, inflation: float) -> Floats:
    """The sums of kept values without noise: (measures, systems, systems).

    Parameters
    ----------
    kept : (resamples, systems, measures, queries) float
    weight : (resamples,) float
    """
    n_worlds, systems, measures, queries = kept.shape
    size = max(1, _VALUES // max(n_worlds * systems, systems**2, 1))
    out = []
    for m in range(measures):
        total = ExactSum.zero((1, systems, systems))
        for start in range(0, queries, size):
            part = kept[:, :, m : m + 1, start : start + size]
            joint = JointSpread(part.shape[1:])
            for world in range(0, n_worlds, _BLOCK):
                joint.add(part[world : world + _BLOCK], weight[world : world + _BLOCK])
            total = total + joint.total(np.zeros(part.shape[1:]), np.array([inflation]))
        out.append(total.value)
    return np.concatenate(out)


def apart(blocks: list[Floats]) -> Floats:
    """Sums (measures, systems, systems) of systems evaluated one after the other: NaN for pairs."""
    sizes = [block.shape[-1] for block in blocks]
    out = np.full((len(blocks[0]), sum(sizes), sum(sizes)), np.nan)
    start = 0
    for block, size in zip(blocks, sizes, strict=True):
        out[:, start : start + size, start : start + size] = block
        start += size
    return out


def _of_differences(covariance: Floats) -> Floats:
    """Variances of differences, of single systems on the diagonal: (..., systems, systems)."""
    own = np.diagonal(covariance, axis1=-2, axis2=-1)
    out = own[..., :, None] + own[..., None, :] - 2 * covariance
    _set_diagonal(out, own)
    return np.maximum(out, 0.0)


def _root_products(variance: Floats) -> Floats:
    """Products of two standard deviations: (..., systems) → (..., systems, systems)."""
    return np.sqrt(variance[..., :, None] * variance[..., None, :])


def _set_diagonal(matrices: Floats, diagonal: Floats) -> None:
    place = np.arange(diagonal.shape[-1])
    matrices[..., place, place] = diagonal


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
    joint_spread: Lazy[Floats | None] = field(default_factory=lambda: Lazy.of(None), repr=False)
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
        table, pairs = np.ix_(systems, measures, cells), np.ix_(measures, systems, systems)
        as_before = all_queries or self.worlds == "subject"
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
                self.joint_spread.map(lambda v: None if v is None else v[pairs])
                if all_queries
                else self.within_of(in_worlds)
            ),
            has_means=self.has_means if as_before else self.kept_in_full,
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


NO_MEANS = (
    "queries of these scores were selected, and their means in each world are not known; select "
    "from what evaluate(..., keep_worlds=True) gives (under worlds='population', where expected "
    "values are exact in each resample), or evaluate with the judgments of these queries only"
)
