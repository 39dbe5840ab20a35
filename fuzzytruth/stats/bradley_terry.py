"""Bradley–Terry strengths by maximum likelihood, for many separate sets of items at a time.

Item i beats item j with probability 1 / (1 + exp(θ_j - θ_i)). Strengths θ of the items of a query
add up to 0. Where the order of the two is known, the first one's log-odds are larger by γ, an order
effect that all queries share. The likelihood of all comparisons overstates it where strengths are
many and comparisons few, so that γ maximises that of the comparisons given how often each item
won, to the accuracy of a saddlepoint: the profile log-likelihood plus half the log determinant of
H, the information about the strengths (Barndorff-Nielsen 1983). Where γ rises, strengths fall by
u = H⁻h, h being the information about γ and them.
Items are numbered query after query; matrices (items, items) are sparse, and blocks of their
diagonal are the queries.

References
----------
Bradley & Terry 1952, Rank analysis of incomplete block designs, Biometrika 39; Ford 1957, Solution
of a ranking problem from binary comparisons, American Mathematical Monthly 64; Barndorff-Nielsen
1983, On a formula for the distribution of the maximum likelihood estimator, Biometrika 70; Sun &
Tran-Dinh 2019, Generalized self-concordant functions, Mathematical Programming 178.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fuzzytruth._lazy import sparse, special
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.arithmetic import divide, of_similar_size, offsets_of, ragged, segment_of

_CELLS = 1 << 21  # of the matrices in a block of queries
_STEPS = 500
_CONVERGED = 1e-8  # largest step; the error after it is of the order of its square
_MOST_ORDER = 15.0  # log-odds: the estimate runs to infinity
_LITTLE = 1e-6  # comparisons of every two items that keep strengths finite where γ is estimated
_RISES = 1e-3  # comparisons that γ surprises at its largest: fewer are none
_STEP = 1e-4  # of γ, for the curvature by a difference
_UNINFORMATIVE = 1e-4  # share of the information about γ if strengths were known
_AGREEMENT = 1e-12  # share of the variance of independent comparisons that is a rounding error


@dataclass(frozen=True, slots=True, eq=False)
class Comparisons:
    """Comparisons of two items of one query.

    Parameters
    ----------
    first, second : (comparisons,) int
        Number of the items.
    share : (comparisons,) float
        1 if the first item won, 0 if the second did, 1/2 for a tie.
    weight : (comparisons,) float
        How many comparisons this is.
    offsets : (queries + 1,) int
        The items of query j are ``offsets[j]:offsets[j + 1]``.
    ordered : bool
        Whether `first` was shown first, and that may matter.
    """

    first: Ints
    second: Ints
    share: Floats
    weight: Floats
    offsets: Ints
    ordered: bool = False

    @property
    def n_items(self) -> int:
        """Number of items of all queries."""
        return int(self.offsets[-1])

    def wins(self) -> Any:
        """Wins of the row's item over the column's: sparse (items, items)."""
        return sum(self.wins_by_order())

    def wins_by_order(self) -> tuple[Any, Any]:
        """Wins of the row's item where it was the first of the two, and where it was the second."""
        shape = (self.n_items, self.n_items)
        won = self.weight * self.share, self.weight * (1 - self.share)
        sides = (self.first, self.second), (self.second, self.first)
        first, second = (
            sparse.csr_array((some[some > 0], (row[some > 0], column[some > 0])), shape=shape)
            for some, (row, column) in zip(won, sides, strict=True)
        )
        return first, second


@dataclass(frozen=True, slots=True, eq=False)
class OrderEffect:
    """By how much being shown first raises an item's log-odds.

    Parameters
    ----------
    value, variance, df : float
    slope : (items,) float
        By how much strengths fall where it rises.
    largest_move : float
        Of a strength, from where the order is left out.
    """

    value: float
    variance: float
    df: float
    slope: Floats
    largest_move: float


@dataclass(frozen=True, slots=True, eq=False)
class Strengths:
    """Log-strengths of all items.

    Parameters
    ----------
    value : (items,) float
        The strengths of each query add up to 0.
    covariance : (cells,) float
        Covariance matrices of the queries end to end, each row by row.
    df : (queries,) float
        Degrees of freedom of the covariance.
    order : OrderEffect or None
        None: not fitted.
    """

    value: Floats
    covariance: Floats
    df: Floats
    order: OrderEffect | None = None


def components(wins: Any) -> tuple[Ints, Ints]:
    """Strongly and weakly connected components of the graph of wins: numbers, (items,) each.

    Finite strengths of a query exist if all its items share one strong component (Ford 1957).
    Items in different weak components are never compared, not even through others.
    """
    from scipy.sparse.csgraph import connected_components

    strong, weak = (connected_components(wins, connection=kind)[1] for kind in ("strong", "weak"))
    return strong.astype(np.int64), weak.astype(np.int64)


def fit_strengths(comparisons: Comparisons, *, prior: float = 0.0) -> Strengths:
    """Maximum-likelihood strengths of the items of each query, which must exist: see `components`.

    The covariance is the inverse of the information H, on vectors that add up to 0. `prior`
    comparisons are added between every two items of a query, half won by each, in no order.

    The order effect is estimated without them.

    Raises
    ------
    LinAlgError
        Newton's steps do not converge, or the information is singular in double precision; or an
        order effect is infinite, or cannot be told from the strengths.

    Examples
    --------
    >>> one = Comparisons(np.array([0]), np.array([1]), np.array([0.75]), np.array([8.0]),
    ...                   np.array([0, 2]))
    >>> first, second = fit_strengths(one).value
    >>> round(float(np.exp(first - second)), 12)
    3.0
    """
    found = _fit_given(0.0, np.zeros(comparisons.n_items), comparisons, prior)
    df = np.full(len(comparisons.offsets) - 1, np.inf)
    if not comparisons.ordered:
        return Strengths(found.value, found.covariance, df)
    order, variance = _order_effect(comparisons)
    without, found = found.value, _fit_given(order, found.value, comparisons, prior)
    moved = float(np.abs(found.value - without).max())
    for block in _blocks(comparisons.offsets):
        u = block.padded(found.slope)
        found.covariance[block.cells] += variance * _squares(u)[block.both]
    effect = OrderEffect(order, variance, np.inf, found.slope, moved)
    return Strengths(found.value, found.covariance, df, effect)


def _order_effect(comparisons: Comparisons) -> tuple[float, float]:
    """The order effect and its variance."""
    from scipy.optimize import brentq

    latest = _fit_given(0.0, np.zeros(comparisons.n_items), comparisons, _LITTLE)
    if latest.profile <= _UNINFORMATIVE * latest.known:
        raise np.linalg.LinAlgError("it cannot be distinguished from strengths")

    def gradient(order: float) -> float:
        nonlocal latest
        latest = _fit_given(order, latest.value, comparisons, _LITTLE)
        return latest.score + latest.adjustment

    side = np.copysign(1.0, gradient(0.0))
    gradient(side * _MOST_ORDER)
    if side * latest.score > -_RISES:
        raise np.linalg.LinAlgError("it has no finite estimate")
    order = float(brentq(gradient, *sorted((0.0, side * _MOST_ORDER)), xtol=_CONVERGED))
    curvature = (gradient(order - _STEP) - gradient(order + _STEP)) / (2 * _STEP)
    if curvature <= _UNINFORMATIVE * latest.known:
        raise np.linalg.LinAlgError("it cannot be distinguished from strengths")
    return order, 1 / curvature


@dataclass(frozen=True, slots=True, eq=False)
class _Given:
    """Strengths under a given order effect, their covariance, and the likelihood of it.

    Parameters
    ----------
    value, covariance, slope : (items,), (cells,) and (items,) float
    score, adjustment : float
        Derivatives by the order effect of the profile log-likelihood, and of log det H / 2.
    profile, known : float
        Information about the order effect, and what it were if strengths were known.
    """

    value: Floats
    covariance: Floats
    slope: Floats
    score: float
    adjustment: float
    profile: float
    known: float


def _fit_given(order: float, start: Floats, comparisons: Comparisons, prior: float) -> _Given:
    """Strengths under a given order effect, from a start."""
    size = np.diff(comparisons.offsets)
    value, covariance, slope = start.copy(), np.empty(int((size**2).sum())), np.zeros(len(start))
    wins = comparisons.wins_by_order() if comparisons.ordered else (comparisons.wins(),)
    sign = np.array([1.0, -1.0, 0.0]) if comparisons.ordered else np.zeros(1)
    score = adjustment = profile = known = 0.0
    for block in _blocks(comparisons.offsets):
        won = np.zeros((len(sign), *block.both.shape))
        for number, some in enumerate(wins):
            won[number] = block.dense(some)
        won[-1][block.both] += prior / 2
        np.einsum("kqii->kqi", won)[:] = 0.0
        shift = (sign * order)[:, None, None, None]
        strength = _maximise(won, shift, block.padded(start), block)
        regular, common = _regular(_information(won, shift, strength), block.exists)
        inverse = np.linalg.inv(regular)  # pseudo-inverse: without the shift in common
        inverse -= (1 / (common * block.exists.sum(axis=1) ** 2))[:, None, None]
        value[block.items] = strength[block.exists]
        covariance[block.cells] = inverse[block.both]
        if comparisons.ordered:
            loses, spread, skew = _chances(won, shift, strength)
            by_order = np.einsum("k,kqij->qij", sign, spread)
            cross = by_order.sum(axis=2) - by_order.sum(axis=1)  # h
            u = (inverse @ cross[:, :, None])[:, :, 0]
            slope[block.items] = u[block.exists]
            moves = sign[:, None, None, None] - u[:, :, None] + u[:, None, :]  # of gaps, by γ
            own = np.einsum("qii->qi", inverse)
            resistance = own[:, :, None] + own[:, None, :] - 2 * inverse  # ∂ log det H / ∂ H_ij
            score += float(np.einsum("k,kqij->", sign, loses))
            adjustment += float((skew * moves * resistance).sum()) / 2
            known += float(spread[:2].sum())
            profile += float(spread[:2].sum() - (cross * u).sum())
    return _Given(value, covariance, slope, score, adjustment, profile, known)


def _squares(u: Floats) -> Floats:
    """Products of all pairs: (queries, longest, longest)."""
    return np.asarray(u[:, :, None] * u[:, None, :])


def cluster_robust(
    fit: Strengths, comparisons: Comparisons, cluster: Ints
) -> tuple[Strengths, Bools]:
    """The same strengths with a covariance for comparisons that vary together in clusters.

    It is the sandwich H⁻ M H⁻ with M = G / (G - 1) · Σ (u_c - ū)(u_c - ū)', u_c being the
    derivative of the log-likelihood of the comparisons of cluster c, and G the clusters that
    compared items of the query ("CR1" without the factor for the number of parameters, as is usual
    for logit models). It has G - 1 degrees of freedom, and is NaN where G is 1.

    Parameters
    ----------
    fit : Strengths
        Of `fit_strengths`.
    comparisons : Comparisons
    cluster : (comparisons,) int

    Returns
    -------
    strengths : Strengths
    agree : (queries,) bool
        Whether all clusters of the query contribute the same; the covariance is then 0, or only
        that through the order effect.

    References
    ----------
    Cameron & Miller 2015, A practitioner's guide to cluster-robust inference, Journal of Human
    Resources 50.
    """
    # without an order effect, that of 0 which is known
    given = fit.order or OrderEffect(0.0, 0.0, np.inf, np.zeros_like(fit.value), 0.0)
    scores, query, pull, effect = _cluster_scores(fit.value, given, comparisons, cluster)
    n = np.bincount(query, minlength=len(comparisons.offsets) - 1).astype(np.float64)
    products, sums = scores.T @ scores, np.asarray(scores.sum(axis=0))
    pulls, mixed = np.bincount(query, pull, len(n)), np.asarray(scores.T @ pull)
    squares = np.bincount(query, pull**2, len(n))
    own = squares - pulls**2 / n
    # clusters that compared no items of a query move its strengths, too
    factor = divide(effect.df + 1, effect.df, fill=np.nan)
    elsewhere = np.maximum(effect.variance - factor * squares, 0.0)
    covariance = np.empty(len(fit.covariance))
    agree = np.empty(len(n), dtype=bool)
    for block in _blocks(comparisons.offsets):
        bread, total = np.zeros(block.both.shape), np.zeros(block.exists.shape)
        bread[block.both], total[block.exists] = fit.covariance[block.cells], sums[block.items]
        g = n[block.queries][:, None, None]
        meat = block.dense(products) - _squares(total) / g
        u = block.padded(given.slope)  # a cluster moves strengths through the order effect, too
        bread -= given.variance * _squares(u)
        both = block.padded(mixed) - total * (pulls[block.queries][:, None] / g[:, 0])
        through = (bread @ both[:, :, None]) * u[:, None, :]
        robust = bread @ meat @ bread + own[block.queries][:, None, None] * _squares(u)
        robust -= through + through.swapaxes(1, 2)
        robust *= divide(g, g - 1, fill=np.nan)
        least = _AGREEMENT * np.einsum("qii->qi", bread)
        alone = (np.einsum("qii->qi", robust) <= least).all(axis=1)
        robust[alone] = 0.0
        robust += elsewhere[block.queries][:, None, None] * _squares(u)
        agree[block.queries], covariance[block.cells] = alone, robust[block.both]
    return Strengths(fit.value, covariance, n - 1, effect if fit.order else None), agree


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """Queries side by side, their items padded to the longest list.

    Parameters
    ----------
    queries : (queries,) int
    exists : (queries, longest) bool
    items, cells : (items,) and (cells,) int
        Where values of these items, and of pairs of them, lie end to end.
    offsets : (all queries + 1,) int
    """

    queries: Ints
    exists: Bools
    items: Ints
    cells: Ints
    offsets: Ints

    @property
    def both(self) -> Bools:
        """Pairs of items: (queries, longest, longest)."""
        return self.exists[:, :, None] & self.exists[:, None, :]

    def padded(self, values: Floats) -> Floats:
        """Values of these items (all items,), padded with 0: (queries, longest)."""
        out = np.zeros(self.exists.shape)
        out[self.exists] = values[self.items]
        return out

    def dense(self, matrix: Any) -> Floats:
        """Diagonal blocks of a sparse matrix (all items, all items), padded with 0."""
        query, place = np.nonzero(self.exists)
        part = matrix[self.items].tocoo()
        column = part.col - self.offsets[self.queries[query[part.row]]]
        out = np.zeros((*self.exists.shape, self.exists.shape[1]))
        out[query[part.row], place[part.row], column] = part.data
        return out


def _blocks(offsets: Ints) -> Iterator[_Block]:
    """All queries, those of similar size together."""
    size = np.diff(offsets)
    cells = offsets_of(size**2)
    for similar in of_similar_size(size):
        longest = int(size[similar].max())
        step = max(1, _CELLS // longest**2)
        for start in range(0, len(similar), step):
            chosen = similar[start : start + step]
            exists = np.arange(size[chosen].max()) < size[chosen][:, None]
            items, pairs = ragged(offsets, chosen)[1], ragged(cells, chosen)[1]
            yield _Block(chosen, exists, items, pairs, offsets)


def _chances(won: Floats, shift: Any, strength: Floats) -> tuple[Floats, Floats, Floats]:
    """Of wins, those expected to be lost, their variance and its derivative by the gap.

    All are (orders, queries, rows, columns).
    """
    gap = strength[:, :, None] - strength[:, None, :] + shift
    lost, kept = special.expit(-gap), special.expit(gap)
    loses = won * lost
    spread = loses * kept
    return loses, spread, spread * (lost - kept)


def _maximise(won: Floats, shift: Any, strength: Floats, block: _Block) -> Floats:
    """Strengths by damped Newton steps from a start: (queries, longest).

    A step is shortened by log(1 + r) / r, r being the largest change of a difference of strengths,
    so that the likelihood never falls (Sun & Tran-Dinh 2019).
    """
    active = np.arange(len(strength))
    for _ in range(_STEPS):
        wins, now, exists = won[:, active], strength[active], block.exists[active]
        surplus = _chances(wins, shift, now)[0].sum(axis=0)
        gradient = (surplus - surplus.swapaxes(1, 2)).sum(axis=2)
        information = _regular(_information(wins, shift, now), exists)[0]
        step = np.linalg.solve(information, gradient[:, :, None])[:, :, 0]
        reach = np.ptp(step, axis=1)
        now = now + step * divide(np.log1p(reach), reach, fill=1.0)[:, None]
        mean = now.sum(axis=1) / exists.sum(axis=1)
        strength[active] = np.where(exists, now - mean[:, None], 0.0)
        active = active[~(reach <= _CONVERGED)]
        if not len(active):
            return strength
    raise np.linalg.LinAlgError(f"no convergence in {_STEPS} steps")


def _information(won: Floats, shift: Any, strength: Floats) -> Floats:
    """Information about the strengths, a graph Laplacian: (queries, longest, longest)."""
    spread = _chances(won, shift, strength)[1].sum(axis=0)
    off = spread + spread.swapaxes(1, 2)
    out: Floats = -off
    np.einsum("qii->qi", out)[:] = off.sum(axis=2)
    return out


def _regular(information: Floats, exists: Bools) -> tuple[Floats, Floats]:
    """The information where it is 0: ones added for padding, and c 11' for the common shift; c."""
    size = exists.sum(axis=1)
    shift = np.einsum("qii->q", information) / size**2  # c: of the size of the other eigenvalues
    out = information + shift[:, None, None] * (exists[:, :, None] & exists[:, None, :])
    np.einsum("qii->qi", out)[:] += ~exists
    return out, shift


def _cluster_scores(
    value: Floats, order: OrderEffect, comparisons: Comparisons, cluster: Ints
) -> tuple[Any, Ints, Floats, OrderEffect]:
    """Derivatives of each cluster's log-likelihood in each query: sparse (pairs, items).

    Then, of each pair of a query and a cluster, the query and how far the cluster moves the order
    effect: (pairs,); and the order effect with its robust variance.
    """
    first, second = comparisons.first, comparisons.second
    gap = value[first] - value[second] + order.value
    surplus = comparisons.weight * (comparisons.share - special.expit(gap))
    query = segment_of(comparisons.offsets)[first]
    n_clusters = int(cluster.max(initial=0)) + 1
    pairs, pair = np.unique(query * n_clusters + cluster, return_inverse=True)
    entries = np.concatenate([surplus, -surplus])
    place = (np.tile(pair, 2), np.concatenate([first, second]))
    scores = sparse.coo_array((entries, place), shape=(len(pairs), comparisons.n_items)).tocsr()
    own = surplus * (1 - order.slope[first] + order.slope[second])
    move = order.variance * np.bincount(cluster, own)
    known = np.unique(cluster)
    g = len(known)
    move -= move[known].mean()
    variance = g * float(move[known].var(ddof=1)) if g > 1 else np.nan
    robust = replace(order, variance=variance, df=g - 1.0)
    return scores, pairs // n_clusters, np.asarray(move[pairs % n_clusters]), robust
