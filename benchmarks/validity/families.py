"""Simultaneous intervals of a family of comparisons, by the library and by peers' defaults.

Scores are (sets, queries, systems), intervals (sets, contrasts).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np
from scipy.stats import studentized_range

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.clusters import counts, drawn_units, samples
from fuzzytruth.stats.laws import student_fit
from fuzzytruth.stats.multiplicity import MAX_T, Family, permuted_ranges
from fuzzytruth.stats.observations import Contrasts, Observations, QueryGroups
from fuzzytruth.stats.settings import Alternative, Resampling
from fuzzytruth.stats.sign_flips import max_t
from fuzzytruth.stats.world_estimates import estimate
from validity.rates import Counts, add

LEVEL = 0.95
RESAMPLES = 999
Ends = tuple[Floats, Floats]
#: what is below this is a rounding error of the truth
_TIE = 1e-12


def differences(x: Floats, contrasts: Contrasts) -> Floats:
    """(..., systems) → (..., contrasts)."""
    assert contrasts.second is not None
    return x[..., contrasts.first] - x[..., contrasts.second]


def default(
    x: Floats,
    contrasts: Contrasts,
    seed: np.random.SeedSequence,
    *,
    alternative: Alternative = "two-sided",
    groups: QueryGroups | None = None,
) -> Ends:
    """Moderated bootstrap max-t, as `compare` computes it.

    Raises
    ------
    RuntimeError
        An interval and its adjusted p disagree.
    """
    cells = Cells.of_queries(x.shape[1])
    out = []
    for one, child in _with_seeds(x, seed):
        observed = Observations(np.ascontiguousarray(one.T), cells, groups=groups)
        using = Resampling(RESAMPLES, rng=child)
        family = Family(
            ("",), (observed,), contrasts, None, ("query",), MAX_T, alternative, LEVEL, using
        )
        (found,) = family.adjusted([estimate(observed, contrasts, ("query",))])
        lower, upper, p = found.lower, found.upper, found.p
        if ((p <= (1 - LEVEL) * (1 + _TIE)) != excludes_zero(lower, upper)).any():
            raise RuntimeError("an interval and its adjusted p disagree")
        out.append((lower, upper))
    return _stacked(out)


def bonferroni_t(x: Floats, contrasts: Contrasts, *, alternative: Alternative) -> Ends:
    """Student's t at the level's share of each contrast."""
    d = differences(x, contrasts)
    moments = samples(d)
    df = np.maximum(moments.n - 1.0, 0.0).ravel()
    fit = student_fit(moments.mean.ravel(), moments.std_error.ravel(), df, pairs=True)
    lower, upper = fit.law.interval(fit.value, 1 - (1 - LEVEL) / len(contrasts), alternative)
    shape = moments.mean.shape
    return lower.reshape(shape), upper.reshape(shape)


def sign_flips(x: Floats, contrasts: Contrasts, seed: np.random.SeedSequence) -> Ends:
    """Maxima under centred sign flips (`correction="sign-flips"`)."""
    out = max_t(differences(x, contrasts), Resampling(RESAMPLES, rng=seed)).interval(LEVEL)
    return np.asarray(out[0]), np.asarray(out[1])


def permuted_labels(x: Floats, contrasts: Contrasts, seed: np.random.SeedSequence) -> Ends:
    """The randomised Tukey test (`null="complete"`)."""
    out = []
    for one, child in _with_seeds(x, seed):
        half = permuted_ranges(one, Resampling(RESAMPLES, rng=child)).half_width(LEVEL)
        mean = differences(one.mean(axis=0), contrasts)
        out.append((mean - half, mean + half))
    return _stacked(out)


def unpaired_tukey(x: Floats, contrasts: Contrasts) -> Ends:
    """Tukey's honestly significant difference of independent samples, a peer's default."""
    _, n, k = x.shape
    mean = differences(x.mean(axis=1), contrasts)
    error = x.var(axis=1, ddof=1).mean(axis=-1) / n
    half = (_range_quantile(k, k * (n - 1)) * np.sqrt(error))[:, None]
    return mean - half, mean + half


@lru_cache(maxsize=64)
def _range_quantile(k: int, df: int) -> float:
    return float(studentized_range.ppf(LEVEL, k, df))


def percentile(x: Floats, contrasts: Contrasts, seed: np.random.SeedSequence) -> Ends:
    """Percentiles of means over resampled queries, unadjusted, a peer's default."""
    n = x.shape[1]
    out = []
    for one, child in _with_seeds(x, seed):
        weight = counts(drawn_units(child, RESAMPLES, n)) / n
        drawn = np.sort(differences(weight @ one, contrasts), axis=0)
        cut = int((1 - LEVEL) / 2 * (RESAMPLES + 1))
        out.append((drawn[cut - 1], drawn[-cut]))
    return _stacked(out)


def missed(ends: Ends, gap: Floats) -> Bools:
    """Whether an interval does not hold its true difference: (sets, contrasts)."""
    lower, upper = ends
    return (lower > gap + _TIE) | (upper < gap - _TIE)


def excludes_zero(lower: Floats, upper: Floats) -> Bools:
    """Whether a comparison is significant."""
    return (lower > 0) | (upper < 0)


def tally(
    total: Counts, method: str, ends: Ends, gap: Floats, quiet: Bools | None = None
) -> list[Floats]:
    """Count families with an interval that misses, and power.

    Returns the power of each set (sets,): overall, and among the quiet contrasts, if given.

    Parameters
    ----------
    gap : (sets, contrasts) float
        True differences.
    quiet : (sets, contrasts) bool, optional
        The contrasts with the least variance.
    """
    lower, upper = ends
    add(total, f"miss: {method}", missed(ends, gap).any(axis=1))
    differ = np.abs(gap) > _TIE
    right = np.where(gap > 0, lower > 0, upper < 0) & differ
    powers = []
    for kind, part in (("", None), (", least variance", quiet)):
        if kind and part is None:
            continue
        chosen = differ if part is None else differ & part
        powers.append(share(right & chosen, chosen))
        add(total, f"power{kind}: {method}", powers[-1])
    return powers


def tally_both(
    total: Counts, ours: Ends, bonferroni: Ends, gap: Floats, quiet: Bools | None = None
) -> None:
    """Count for the default and for Bonferroni t, and the differences of their power."""
    first = tally(total, "default", ours, gap, quiet)
    second = tally(total, "Bonferroni t", bonferroni, gap, quiet)
    for kind, a, b in zip(("", ", least variance"), first, second, strict=False):
        add(total, f"power{kind}: default - Bonferroni t", a - b)


def share(part: Bools, whole: Bools) -> Floats:
    """Share of each set: (sets,); NaN of none."""
    n = whole.sum(axis=1)
    out: Floats = np.where(n > 0, part.sum(axis=1) / np.maximum(n, 1), np.nan)
    return out


def _with_seeds(
    x: Floats, seed: np.random.SeedSequence
) -> Iterator[tuple[Floats, np.random.SeedSequence]]:
    return zip(x, seed.spawn(len(x)), strict=True)


def _stacked(ends: list[Ends]) -> Ends:
    lower, upper = zip(*ends, strict=True)
    return np.stack(lower), np.stack(upper)


#: peers' defaults, which need complete data
PEERS: dict[str, Callable[[Floats, Contrasts, np.random.SeedSequence], Ends]] = {
    "sign flips": sign_flips,
    "unpaired Tukey": lambda x, contrasts, _: unpaired_tukey(x, contrasts),
    "percentile bootstrap": percentile,
}
