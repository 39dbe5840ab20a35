"""Sign-flip tests over queries: one contrast at a time, or the maximum over many.

Two different nulls. *Uncentred* flips test that a contrast's differences are symmetric about 0: the
p of one pair is exact then. *Centred* flips approximate how the studentised means vary about their
true values, whatever these are: for simultaneous intervals, and for adjusted p that are valid even
if some systems differ (strong control of the family-wise error, asymptotically).

References
----------
Fisher, R. A. (1935), The Design of Experiments, §21. Westfall, P. H. & Young, S. S. (1993),
Resampling-Based Multiple Testing. Wu, C. F. J. (1986), Jackknife, bootstrap and other resampling
methods in regression analysis, Annals of Statistics 14. Phipson, B. & Smyth, G. K. (2010),
Permutation P-values should never be zero, SAGMB 9.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core import student
from fuzzytruth.core.clusters import Samples, samples
from fuzzytruth.core.exact_sums import on_grid, tied_share
from fuzzytruth.stats.settings import Purpose, Resampling

# Random and all signs, and the sums of numbers under them.


Bytes = NDArray[np.uint8]


def random_bytes(seed: np.random.SeedSequence, flips: int, n: int) -> Bytes:
    """Eight signs a byte, the lowest bit first: (⌈n / 8⌉, flips)."""
    rows = -(-n // 8)
    drawn = np.random.Generator(np.random.SFC64(seed)).bytes(rows * flips)
    return np.frombuffer(drawn, dtype=np.uint8).reshape(rows, flips)


def random_signs(seed: np.random.SeedSequence, flips: int, n: int) -> Floats:
    """Independent fair signs, ±1: (flips, n)."""
    bits = np.unpackbits(random_bytes(seed, flips, n), axis=0, count=n, bitorder="little")
    return np.where(np.ascontiguousarray(bits.T), 1.0, -1.0)


def all_signs(n: int) -> Floats:
    """All signs of n numbers with a first +; the others are their mirror images: (2ⁿ⁻¹, n)."""
    rows = np.arange(2 ** (n - 1))[:, None]
    return np.where(rows >> np.arange(n)[::-1] & 1, -1.0, 1.0)


def random_sums(values: Floats, seed: np.random.SeedSequence, flips: int) -> Floats:
    """Sums of (n,) `values` under the signs of `random_signs`: (flips,).

    A byte is an index into the 256 sums of eight numbers, looked up instead of added.
    """
    drawn = random_bytes(seed, flips, len(values))
    padded = np.zeros(len(drawn) * 8)
    padded[: len(values)] = on_grid(values, 0)
    table = np.zeros((len(drawn), 1))
    for place in padded.reshape(-1, 8).T[:, :, None]:  # eight steps, each doubling the table
        table = np.concatenate((table - place, table + place), axis=1)
    total = np.zeros(flips)
    for sums, which in zip(table, drawn, strict=True):
        total += sums.take(which)
    return total


def n_extreme(sums: Floats, observed: Floats, tie: Floats, *, mid_p: bool = False) -> Floats:
    """Number of flips whose |sum| reaches the observed one: (flips, ...) against (...).

    Parameters
    ----------
    sums : (flips, ...) float
    observed : (...) float
    tie : (...) float
        Sums that differ by no more are equal.
    mid_p : bool
        Whether equal sums count half.
    """
    size, least = np.abs(sums), np.abs(observed)
    reached: Floats = (size >= least - tie).sum(axis=0, dtype=np.float64)
    if mid_p:
        reached = (reached + (size > least + tie).sum(axis=0)) / 2
    return reached


# Studentised maxima under sign flips of centred differences.
#
# Differences are centred at their mean, one common sign a query is flipped for all contrasts, and
# each contrast is studentised again. The result varies as the errors do, whatever the true means.


_ROUNDING = 1e-12


@np.errstate(under="ignore")
def units(moments: Samples) -> Floats:
    """Centred differences over √(n Σ c²), whose sums under signs lie in [-1, 1].

    (..., queries, contrasts); 0 where a difference is missing, and where all agree.
    """
    scale = np.sqrt(moments.n * (moments.centred**2).sum(axis=-2))[..., None, :]
    out = np.zeros(moments.centred.shape)
    np.divide(moments.centred, scale, out=out, where=scale > 0)
    return on_grid(out, -2)


def maxima(unit: Floats, n: Ints, signs: Floats, columns: int) -> Floats:
    """Largest |t| over contrasts under each row of signs: (..., flips).

    Parameters
    ----------
    unit : (..., queries, contrasts) float
        As `units` returns them.
    n : (..., contrasts) int
        Differences that each contrast has.
    signs : (flips, queries) float
    columns : int
        Contrasts at a time; changes the memory and not the result.
    """
    largest = np.zeros((*unit.shape[:-2], len(signs)))
    same = bool((n == n.flat[0]).all()) if n.size else True
    for start in range(0, unit.shape[-1], columns):
        part = slice(start, start + columns)
        share = signs @ unit[..., part]  # (..., flips, contrasts)
        if same:
            top = np.maximum(share.max(axis=-1), -share.min(axis=-1))
        else:
            top = _student(np.abs(share), n[..., None, part]).max(axis=-1)
        np.maximum(largest, top, out=largest)
    return _student(largest, n.ravel()[:1]) if same and n.size else largest


def _student(share: Floats, n: Ints) -> Floats:
    """From r = Σ s c / √(n Σ c²) to t = r √(n - 1) / √(1 - r²)."""
    rest = 1 - np.minimum(share, 1.0) ** 2
    t = np.full(share.shape, np.inf)
    wide = np.broadcast_to(np.sqrt(np.maximum(n - 1.0, 0.0)), share.shape)
    np.divide(share * wide, np.sqrt(rest), out=t, where=rest > _ROUNDING)
    return t


_TIE = 1e-9
_CACHED = 2**16  # sums of a batch of contrasts, which then fit in cache
_ENUMERATED = 20  # signs of more queries than these are never enumerated
#: with fewer differences no sign flip is rare enough for a level of .95: 2 · 2⁻⁵ > .05
MIN_DIFFERENCES = 6


@dataclass(frozen=True, slots=True, eq=False)
class MaxT:
    """Studentised maxima: estimates, and the distribution of the largest |t| under flips.

    Parameters
    ----------
    value, std_error : (..., contrasts) float
    n : (..., contrasts) int
    draws : (..., flips) float
        Largest |t| of each flip, ascending.
    enumerated : bool
        Whether all signs were enumerated, and not drawn.
    """

    value: Floats
    std_error: Floats
    n: Ints
    draws: Floats
    enumerated: bool

    @property
    def p_adjusted(self) -> Floats:
        """(b + 1) / (m + 1), b of the m flips having a maximum of |t| or more: (..., contrasts)."""
        t = np.abs(student.statistic(self.value, self.std_error))
        m = self.draws.shape[-1]
        p = (_count_from(self.draws, t * (1 - _TIE)) + 1) / (m + 1)
        p = np.where((t == 0) | np.isnan(self.std_error), 1.0, p)
        p = np.where(np.isinf(t), np.maximum(p, self._of_signs()), p)
        return np.where(np.isnan(self.value), np.nan, p)

    def critical(self, level: float) -> Floats:
        """The largest |t| that is not significant; infinite where flips are too few: (...,).

        An interval of this many standard errors excludes 0 exactly where the adjusted p is
        1 - level or less.
        """
        m = self.draws.shape[-1]
        k = int(np.floor((1 - level) * (m + 1) * (1 + 1e-12)))
        if k < 1:
            return np.full(self.draws.shape[:-1], np.inf)
        return np.asarray(self.draws[..., m - k] / (1 - _TIE))

    def half_width(self, level: float) -> Floats:
        """Critical value times standard errors; infinite where the spread is unknown.

        Constant differences that are not 0 have intervals without width where their signs, which
        agree, are rare enough, and infinite ones elsewhere.
        """
        critical = self.critical(level)[..., None]
        rare = (self.value == 0) | (self._of_signs() <= (1 - level) * (1 + 1e-12))
        constant = np.where(rare & ((self.value == 0) | np.isfinite(critical)), 0.0, np.inf)
        with np.errstate(invalid="ignore"):  # an infinite critical value of no spread
            half = np.where(self.std_error == 0, constant, critical * self.std_error)
        return np.where(np.isnan(self.std_error), np.inf, half)

    def interval(self, level: float) -> tuple[Floats, Floats]:
        """Simultaneous intervals, the estimates ± `half_width`."""
        half = self.half_width(level)
        return self.value - half, self.value + half

    def _of_signs(self) -> Floats:
        """Two-sided probability that the signs of all differences agree."""
        return np.asarray(np.exp2(1.0 - self.n))


def max_t(differences: Floats, resampling: Resampling) -> MaxT:
    """Studentised maxima under centred sign flips.

    Null of each adjusted p: the contrast's mean difference over the population of queries is 0,
    whatever the others are. Estimand: that mean difference. The flips approximate how the
    studentised means vary about their true values, so that the family-wise error is controlled for
    many queries, and for few where differences are symmetric.

    Parameters
    ----------
    differences : (..., queries, contrasts) float
        Per-query differences, NaN where missing. Leading axes are separate data sets, which share
        the signs; a simulation may pass thousands.
    resampling : Resampling
        All 2ⁿ signs are enumerated if they are no more than its `n_resamples`.

    Returns
    -------
    MaxT

    References
    ----------
    Westfall & Young 1993, single step; Wu 1986 (wild bootstrap with random signs); Romano &
    Wolf 2005, Exact and approximate stepdown methods for multiple hypothesis testing, JASA 100.

    Examples
    --------
    >>> import numpy as np, fuzzytruth as ft
    >>> d = np.array([[0.2, 0.1], [0.3, -0.1], [0.1, 0.0], [0.4, 0.1], [0.3, -0.2], [0.2, 0.1]])
    >>> result = ft.stats.max_t(d, ft.stats.Resampling())
    >>> result.p_adjusted.round(3).tolist(), result.enumerated
    ([0.015, 1.0], True)
    """
    moments = samples(differences)
    unit, std_error = units(moments), moments.std_error
    few = moments.n < MIN_DIFFERENCES
    if few.any() and not few.all():
        # Of few differences many flips leave no spread: an infinite |t| that hides other pairs.
        unit, std_error = np.where(few[..., None, :], 0.0, unit), np.where(few, np.nan, std_error)
    n = differences.shape[-2]
    enumerated = can_enumerate_signs(n, resampling)
    if enumerated:
        signs = all_signs(n)
        drawn = maxima(unit, moments.n, signs, _columns(len(signs), unit, resampling))
        drawn = np.repeat(drawn, 2, axis=-1)  # each stands for its mirror image, too
    else:

        def task(seed: np.random.SeedSequence, size: int) -> Floats:
            columns = _columns(size, unit, resampling)
            return maxima(unit, moments.n, random_signs(seed, size, n), columns)

        drawn = np.concatenate(resampling.run(Purpose.SIGNS, task), axis=-1)
    return MaxT(moments.mean, std_error, moments.n, np.sort(drawn, axis=-1), enumerated)


def can_enumerate_signs(n: int, resampling: Resampling) -> bool:
    """Whether all 2ⁿ patterns of signs are no more than the resamples."""
    return n <= _ENUMERATED and 2**n <= resampling.n_resamples + 1


def _columns(flips: int, unit: Floats, resampling: Resampling) -> int:
    """Number of contrasts to process at a time."""
    sets = int(np.prod(unit.shape[:-2]))
    return max(1, resampling.numbers // max(1, flips * sets))


def _count_from(ascending: Floats, least: Floats) -> Ints:
    """Number of (..., m) ascending values that are at least each of (..., contrasts)."""
    m = ascending.shape[-1]
    if ascending.ndim == 1:
        return np.asarray(m - np.searchsorted(ascending, least, side="left"))
    flat = zip(ascending.reshape(-1, m), least.reshape(-1, least.shape[-1]), strict=True)
    return np.stack([m - np.searchsorted(a, b, side="left") for a, b in flat]).reshape(least.shape)


def sign_flip_p(
    differences: Floats,
    resampling: Resampling,
    *,
    scale: ArrayLike | None = None,
    mid_p: bool = False,
) -> tuple[Floats, bool]:
    """Two-sided p of each contrast (queries, contrasts), and whether all signs were enumerated.

    Null: the differences are independent and symmetric about 0. (b + 1) / (m + 1) if drawn, the
    exact share if enumerated; flips whose |mean| equals the observed one count, half if `mid_p`.
    `scale` is the largest |value| that the differences come from, by default the largest of them.
    """
    n = (~np.isnan(differences)).sum(axis=0)
    values = on_grid(np.nan_to_num(differences, nan=0.0), 0)
    observed = values.sum(axis=0)
    # Flips have the same law whatever the order and the signs: one order for all makes p depend on
    # neither the order of queries nor on the other contrasts.
    values = -np.sort(-np.abs(values), axis=0)
    largest = np.abs(values).max(axis=0, initial=0.0)
    tie = n * tied_share(len(values)) * (largest if scale is None else np.asarray(scale))

    def reached(signs: Floats) -> Floats:
        """How many sums are as extreme as those observed, in batches: (contrasts,)."""
        batch = min(_columns(len(signs), values, resampling), max(16, _CACHED // len(signs)))
        parts = [slice(start, start + batch) for start in range(0, values.shape[1], batch)]
        numbers = [
            n_extreme(signs @ values[:, part], observed[part], tie[part], mid_p=mid_p)
            for part in parts
        ]
        return np.concatenate(numbers) if numbers else np.zeros(0)

    if not len(values):
        return np.ones(values.shape[1]), True
    if can_enumerate_signs(len(values), resampling):
        signs = all_signs(len(values))
        p = reached(signs) / len(signs)
        return np.where(largest == 0, 1.0, p), True
    single = values.shape[1] == 1

    def task(seed: np.random.SeedSequence, size: int) -> Floats:
        if single:
            sums = random_sums(values[:, 0], seed, size)[:, None]
            return n_extreme(sums, observed, tie, mid_p=mid_p)
        return reached(random_signs(seed, size, len(values)))

    extreme = sum(resampling.run(Purpose.SIGNS, task))
    p = (np.asarray(extreme) + (0.5 if mid_p else 1.0)) / (resampling.n_resamples + 1)
    return np.where(largest == 0, 1.0, p), False
