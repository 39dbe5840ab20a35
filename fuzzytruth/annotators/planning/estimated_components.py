"""Variance components of a table of values, and their distribution given the data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np

from fuzzytruth._lazy import sparse, special
from fuzzytruth._typing import Floats
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.cells import grouped_sum
from fuzzytruth.core.crossed import QUERY, REPLICATE, SUBJECT, SYSTEM, EffectsLayout

# Distributions of variance components given the data: generalised pivotal quantities.
#
# In a balanced table the mean squares over their expected values are independent χ²/df. With χ²
# variables in their place, MS·df/χ² is a distribution of each expected mean square, and linear
# combinations of these are distributions of the components, whose quantiles are the ends of
# generalised confidence intervals. Degrees of freedom are those of the layout for normal effects,
# and fewer where parts of a sum of squares stand out (below).
#
# In an unbalanced table an estimate is treated as a shifted χ²: (σ̂² + c) / (σ² + c) is χ²/df, with
# c, which the other components contribute, such that the variance is the estimate's.
#
# The χ² are taken at points of a rank-1 lattice, so that results need no seed.
#
# Weerahandi, S. (1993), Generalized confidence intervals, Journal of the American Statistical
# Association 88. Burdick, R. K. & Graybill, F. A. (1992), Confidence intervals on variance
# components, Dekker.


# Degrees of freedom of mean squares whose parts are more unequal than normal effects would be.
#
# A sum of squares is a sum over the levels of its factors: that of system:query over queries, and
# over systems. If some queries or systems stand out, these parts differ by more than chance and the
# mean square varies by more than a χ² over its degrees of freedom. The variance V of the sum of
# squares is estimated from its parts, of several factors by inclusion and exclusion (V by query + V
# by system - V by cell), and a χ² of the same relative variance has 2 SS² / V degrees of freedom,
# never more than those of the layout.
#
# In samples of real scores (8 systems, 12 queries) intervals of the interaction that take the
# layout's degrees of freedom hold in .55 to .91 of samples, and these in .87 to .96.
#
# References
# ----------
# Box, G. E. P. (1953), Non-normality and tests on variances, Biometrika 40.
# Cameron, A. C., Gelbach, J. B. & Miller, D. L. (2011), Robust inference with multiway clustering,
# Journal of Business & Economic Statistics 29.


def effective_df(layout: EffectsLayout, values: Floats) -> Floats:
    """Degrees of freedom of each effect's mean square, at most the layout's: (effects,)."""
    y = values - values.mean()
    own: list[Floats] = []
    out = np.maximum(layout.df, 1.0)
    for place, effect in enumerate(layout.effects):
        code, levels = layout.codes[place], int(layout.n_levels[place])
        mean = grouped_sum(y, code, levels)[code] / layout.counts[place]
        inner = [own[p] for p in range(place) if layout.effects[p] & effect == layout.effects[p]]
        own.append(mean - sum(inner, np.zeros(layout.n)))
        parts = own[-1] ** 2
        variance = sum(sign * _variance(parts, layout, p) for sign, p in _groupings(layout, effect))
        if variance > 0:
            out[place] = min(out[place], 2 * float(parts.sum()) ** 2 / variance)
    return out


def _groupings(layout: EffectsLayout, effect: int) -> Iterator[tuple[int, int]]:
    """Signs and places of the effects by whose levels the parts of an effect are grouped."""
    known = [e for e in layout.effects if e & effect == e]
    rows = [row for row in (SYSTEM | REPLICATE, SYSTEM, REPLICATE) if row in known]
    units = [*rows[:1], *(column for column in (QUERY, SUBJECT) if column in known)]
    for size in range(1, len(units) + 1):
        for chosen in combinations(units, size):
            yield (-1) ** (size + 1), layout.effects.index(sum(chosen))


def _variance(parts: Floats, layout: EffectsLayout, place: int) -> float:
    """Variance of the sum of the parts (n,), whose sums by level are independent."""
    code, levels = layout.codes[place], int(layout.n_levels[place])
    sums = grouped_sum(parts, code, levels)
    size = np.bincount(code, minlength=levels) / layout.n
    return float(((sums - size * parts.sum()) ** 2).sum()) * levels / max(levels - 1, 1)


# Variance components of unbalanced tables by minimum variance quadratic unbiased estimation.
#
# With V the covariance matrix of the values under guessed components, K_f the matrix of ones where
# two values share a level of effect f, and P = V⁻¹ - V⁻¹11'V⁻¹/(1'V⁻¹1), the estimates solve
#
#     Σ_g tr(P K_f P K_g) σ²_g = y'P K_f P y      for each effect f.
#
# They have the least variance of all unbiased quadratic estimates if the guess is right and effects
# are normal, and then the covariance matrix 2 [tr(P K_f P K_g)]⁻¹. One step from the guess by group
# means; repeated steps lead to restricted maximum likelihood. In a balanced table the estimates are
# those of the analysis of variance, whatever the guess.
#
# As P V P = P, these are the guess plus the solution for the gaps y'P K_f P y - tr(P K_f).
#
# Up to `MOST_DENSE` values V is inverted. Above, V⁻¹x is found by conjugate gradients, and traces
# of effects with many levels are means over random signs s: tr(P K_f P K_g) = E |Z_f' P Z_g s|² and
# tr(P K_f) = E s' Z_f' P Z_f s. Errors of the former change what small gaps amount to, and those of
# the latter are small, because Z_f' P Z_f is nearly diagonal.
#
# References
# ----------
# Rao, C. R. (1971), Minimum variance quadratic unbiased estimation of variance components, Journal
# of Multivariate Analysis 1.
# Searle, S. R., Casella, G. & McCulloch, C. E. (1992), Variance components, Wiley, chapter 11.
# Hutchinson, M. F. (1990), A stochastic estimator of the trace of the influence matrix,
# Communications in Statistics 19.


#: values up to which V is inverted
MOST_DENSE = 1_500
#: vectors of random signs for effects with more levels; their errors add at most 1 / 20 to the
#: variance of an estimate, as each is like one table more to compare with
_VECTORS = 20
#: columns solved for at once, which then fit in cache
_COLUMNS = 32
#: most levels of effects whose sums are corrected for exactly in each step
_MOST_COARSE = 600
#: least guess of the residual, as a share of all variance, which keeps V well conditioned
_LEAST_RESIDUAL = 1e-3
_TOLERANCE = 1e-5
_STEPS_TO_MINIMUM = 2_000


def minimum_variance(
    layout: EffectsLayout, values: Floats, guess: Floats, *, most_dense: int = MOST_DENSE
) -> tuple[Floats, Floats]:
    """Estimates (effects,) and their covariance matrix (effects, effects).

    Parameters
    ----------
    layout : EffectsLayout
    values : (n,) float
    guess : (effects,) float
        Components; negative ones count as 0, and if all do, all are alike.
    most_dense : int
        Number of values up to which V is inverted.
    """
    if not (guess > 0).any():
        guess = np.ones(len(guess))
    total = np.maximum(guess, 0.0).sum()
    prior = np.maximum(guess / total, 0.0)
    prior[-1] = max(prior[-1], _LEAST_RESIDUAL)
    y = (values - values.mean()) / np.sqrt(total)
    traces, gaps = (_dense if layout.n <= most_dense else _iterative)(layout, y, prior)
    inverse = np.linalg.inv((traces + traces.T) / 2)
    return (prior + inverse @ gaps) * total, 2 * inverse * total**2


def _dense(layout: EffectsLayout, y: Floats, prior: Floats) -> tuple[Floats, Floats]:
    """Traces (effects, effects), and gaps of the quadratic forms (effects,)."""
    v = np.zeros((layout.n, layout.n))
    for code, component in zip(layout.codes, prior, strict=True):
        v += component * (code[:, None] == code)
    inverse = np.linalg.inv(v)
    of_one = inverse.sum(axis=1)
    p = inverse - np.multiply.outer(of_one, of_one / of_one.sum())
    sums = _sums(layout)
    traces = np.array([[((one @ (p @ other.T)) ** 2).sum() for other in sums] for one in sums])
    fitted = p @ y
    gaps = [((one @ fitted) ** 2).sum() - (one.T * (one @ p).T).sum() for one in sums]
    return traces, np.array(gaps)


def _iterative(layout: EffectsLayout, y: Floats, prior: Floats) -> tuple[Floats, Floats]:
    """The same by conjugate gradients."""
    sums = _sums(layout)
    apply = _projection(layout, prior, sums)
    rng = np.random.default_rng(0)
    starts = [y[:, None]]
    for one in sums:
        levels = one.shape[0]
        if levels <= _VECTORS:
            starts.append(one.T.toarray())
        else:
            signs = rng.choice([-1.0, 1.0], (levels, _VECTORS))
            starts.append(one.T @ signs / np.sqrt(_VECTORS))
    which = np.repeat(np.arange(len(starts)), [start.shape[1] for start in starts])
    columns = np.hstack(starts)
    norms = np.empty((len(sums), len(which)))
    own = np.empty(len(which))
    for start in range(0, len(which), _COLUMNS):
        block = slice(start, start + _COLUMNS)
        found = apply(np.ascontiguousarray(columns[:, block]))
        own[block] = (columns[:, block] * found).sum(axis=0)
        for row, one in enumerate(sums):
            norms[row, block] = ((one @ found) ** 2).sum(axis=0)
    first = np.flatnonzero(np.diff(which, prepend=-1))
    forms = np.add.reduceat(norms, first, axis=1)  # (effects, 1 + effects)
    return forms[:, 1:], forms[:, 0] - np.add.reduceat(own, first)[1:]


def _sums(layout: EffectsLayout) -> list[Any]:
    """Sparse matrices that add up the values of each level: (levels, n) by effect."""
    place = np.arange(layout.n)
    return [
        sparse.csr_array((np.ones(layout.n), (code, place)), shape=(int(levels), layout.n))
        for code, levels in zip(layout.codes, layout.n_levels, strict=True)
    ]


def _projection(
    layout: EffectsLayout, prior: Floats, sums: list[Any]
) -> Callable[[Floats], Floats]:
    """The function x ↦ P x of columns (n, columns)."""
    down = sparse.vstack(
        [
            np.sqrt(component) * one
            for component, one in zip(prior[:-1], sums[:-1], strict=True)
            if component > 0
        ],
        format="csr",
    )
    up = down.T.tocsr()

    def product(x: Floats) -> Floats:
        return np.asarray(prior[-1] * x + up @ (down @ x))

    improve = _correction(sums, down, float(prior[-1]))
    of_one = _solved(product, improve, np.ones((layout.n, 1)))

    def apply(x: Floats) -> Floats:
        inverse = _solved(product, improve, x)
        return np.asarray(inverse - of_one * (inverse.sum(axis=0) / of_one.sum()))

    return apply


def _correction(sums: list[Any], down: Any, residual: float) -> Callable[[Floats], Floats]:
    """An approximate V⁻¹: that of V within the sums of few levels, and the identity elsewhere."""
    coarse = sparse.vstack([one for one in sums[:-1] if one.shape[0] <= _MOST_COARSE], format="csr")
    up = coarse.T.tocsr()
    shared, cross = (coarse @ up).toarray(), down @ up
    inside = np.linalg.pinv(residual * shared + (cross.T @ cross).toarray(), hermitian=True)
    inside -= np.linalg.pinv(shared, hermitian=True)

    def improve(x: Floats) -> Floats:
        return np.asarray(x + up @ (inside @ (coarse @ x)))

    return improve


def _solved(
    product: Callable[[Floats], Floats], improve: Callable[[Floats], Floats], right: Floats
) -> Floats:
    """Solutions for all columns at once, by preconditioned conjugate gradients."""
    x, rest = np.zeros_like(right), right.copy()
    better = improve(rest)
    direction = better.copy()
    size = (rest * better).sum(axis=0)
    least = _TOLERANCE**2 * (rest**2).sum(axis=0)
    for _ in range(_STEPS_TO_MINIMUM):
        moved = product(direction)
        step = divide(size, (direction * moved).sum(axis=0), fill=0.0)
        x += step * direction
        rest -= step * moved
        if ((rest**2).sum(axis=0) <= least).all():
            break
        better = improve(rest)
        new = (rest * better).sum(axis=0)
        direction = better + divide(new, size, fill=0.0) * direction
        size = new
    return x


_POINTS = 2**14
_NODES = 1_001
#: steps of estimation in small tables, where the first guess may be far off
_STEPS = 2


def estimated_components(
    layout: EffectsLayout, values: Floats, mean_squares: Floats
) -> tuple[Floats, Floats]:
    """Components (effects,), and points of their distribution, not negative: (points, effects).

    Parameters
    ----------
    layout : EffectsLayout
    values : (n,) float
    mean_squares : (effects,) float
        Those of the values.
    """
    components = np.asarray(np.linalg.solve(layout.expected(), mean_squares), dtype=np.float64)
    df = effective_df(layout, values)
    if layout.is_balanced or not mean_squares.any():
        return components, balanced_draws(layout, mean_squares, df)
    covariance = np.zeros((len(components), len(components)))
    for _ in range(_STEPS if layout.n <= MOST_DENSE else 1):
        components, covariance = minimum_variance(layout, values, components)
    variance = np.diag(covariance) * np.maximum(layout.df, 1.0) / df
    return components, unbalanced_draws(components, variance, df)


def balanced_draws(layout: EffectsLayout, mean_squares: Floats, df: Floats) -> Floats:
    """Points of the distribution of the components of a balanced table."""
    of_squares = _over_chi2(df) * mean_squares
    draws = np.linalg.solve(layout.expected(), of_squares.T).T
    return np.asarray(np.maximum(draws, 0.0))


def unbalanced_draws(components: Floats, variance: Floats, df: Floats) -> Floats:
    """The same from estimates, their variances and degrees of freedom (effects,)."""
    df, shift = shifted_chi2(components, variance, df)
    positive = np.maximum(components, 0.0)
    draws = (positive + shift) * _over_chi2(df) - shift
    return np.maximum(draws + np.minimum(components, 0.0), 0.0)


def shifted_chi2(components: Floats, variance: Floats, df: Floats) -> tuple[Floats, Floats]:
    """Degrees of freedom and shifts of the estimates' distributions: (effects,) each."""
    positive = np.maximum(components, 0.0)
    shift = np.sqrt(variance * df / 2) - positive
    # fewer degrees of freedom than the layout's where the levels are of very different sizes
    fewer = (shift < 0) & (variance > 0)
    df = np.where(fewer, 2 * positive**2 / np.where(fewer, variance, 1.0), df)
    return df, np.maximum(shift, 0.0)


def _over_chi2(df: Floats) -> Floats:
    """Degrees of freedom over χ² variables: (points, effects).

    Interpolated between quantiles, on a scale on which these are nearly a line.
    """
    normal = _normal_lattice(len(df))
    nodes = np.linspace(normal.min(), normal.max(), _NODES)
    log = np.log(special.chdtri(df, special.ndtr(nodes)[:, None]))
    columns = [np.interp(z, nodes, y) for z, y in zip(normal.T, log.T, strict=True)]
    return np.asarray(df * np.exp(-np.stack(columns, axis=1)))


@lru_cache(maxsize=4)
def _normal_lattice(dimensions: int) -> Floats:
    """The lattice as quantiles of a normal distribution: (points, dimensions)."""
    return np.asarray(special.ndtri(lattice(_POINTS, dimensions)))


def lattice(points: int, dimensions: int) -> Floats:
    """Points that fill the unit cube evenly: (points, dimensions).

    Multiples of powers of the root of x^(d+1) = x + 1, modulo 1.
    """
    root = 1.5
    for _ in range(64):
        root = (1 + root) ** (1 / (dimensions + 1))
    step = root ** -np.arange(1.0, dimensions + 1)
    return np.asarray((0.5 + np.arange(1, points + 1)[:, None] * step) % 1)
