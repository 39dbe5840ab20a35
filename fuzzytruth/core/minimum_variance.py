"""Variance components of unbalanced tables by minimum variance quadratic unbiased estimation.

With V the covariance matrix of the values under guessed components, K_f the matrix of ones where
two values share a level of effect f, and P = V⁻¹ - V⁻¹11'V⁻¹/(1'V⁻¹1), the estimates solve

    Σ_g tr(P K_f P K_g) σ²_g = y'P K_f P y      for each effect f.

They have the least variance of all unbiased quadratic estimates if the guess is right and effects
are normal, and then the covariance matrix 2 [tr(P K_f P K_g)]⁻¹. One step from the guess by group
means; repeated steps lead to restricted maximum likelihood. In a balanced table the estimates are
those of the analysis of variance, whatever the guess.

As P V P = P, these are the guess plus the solution for the gaps y'P K_f P y - tr(P K_f).

Up to `MOST_DENSE` values V is inverted. Above, V⁻¹x is found by conjugate gradients, and traces of
effects with many levels are means over random signs s: tr(P K_f P K_g) = E |Z_f' P Z_g s|² and
tr(P K_f) = E s' Z_f' P Z_f s. Errors of the former change what small gaps amount to, and those of
the latter are small, because Z_f' P Z_f is nearly diagonal.

References
----------
Rao, C. R. (1971), Minimum variance quadratic unbiased estimation of variance components, Journal
of Multivariate Analysis 1.
Searle, S. R., Casella, G. & McCulloch, C. E. (1992), Variance components, Wiley, chapter 11.
Hutchinson, M. F. (1990), A stochastic estimator of the trace of the influence matrix,
Communications in Statistics 19.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.random_effects import EffectsLayout

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
_STEPS = 2_000


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
    from scipy.sparse import csr_array

    place = np.arange(layout.n)
    return [
        csr_array((np.ones(layout.n), (code, place)), shape=(int(levels), layout.n))
        for code, levels in zip(layout.codes, layout.n_levels, strict=True)
    ]


def _projection(
    layout: EffectsLayout, prior: Floats, sums: list[Any]
) -> Callable[[Floats], Floats]:
    """The function x ↦ P x of columns (n, columns)."""
    from scipy.sparse import vstack

    down = vstack(
        [
            np.sqrt(component) * one
            for component, one in zip(prior[:-1], sums[:-1], strict=True)
            if component > 0
        ],
        format="csr",
    )
    up = down.T.tocsr()

    def product(x: Floats) -> Floats:
        out: Floats = prior[-1] * x + up @ (down @ x)
        return out

    improve = _correction(sums, down, float(prior[-1]))
    of_one = _solved(product, improve, np.ones((layout.n, 1)))

    def apply(x: Floats) -> Floats:
        inverse = _solved(product, improve, x)
        out: Floats = inverse - of_one * (inverse.sum(axis=0) / of_one.sum())
        return out

    return apply


def _correction(sums: list[Any], down: Any, residual: float) -> Callable[[Floats], Floats]:
    """An approximate V⁻¹: that of V within the sums of few levels, and the identity elsewhere."""
    from scipy.sparse import vstack

    coarse = vstack([one for one in sums[:-1] if one.shape[0] <= _MOST_COARSE], format="csr")
    up = coarse.T.tocsr()
    shared, cross = (coarse @ up).toarray(), down @ up
    inside = np.linalg.pinv(residual * shared + (cross.T @ cross).toarray(), hermitian=True)
    inside -= np.linalg.pinv(shared, hermitian=True)

    def improve(x: Floats) -> Floats:
        out: Floats = x + up @ (inside @ (coarse @ x))
        return out

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
    for _ in range(_STEPS):
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
