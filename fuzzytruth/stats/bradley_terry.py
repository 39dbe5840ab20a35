"""Bradley–Terry strengths by maximum likelihood, for many separate sets of items at a time.

Item i beats item j with probability 1 / (1 + exp(θ_j - θ_i)). Strengths θ of the items of a query
add up to 0. Items are numbered query after query; matrices (items, items) are sparse, and blocks of
their diagonal are the queries.

References
----------
Bradley & Terry 1952, Rank analysis of incomplete block designs, Biometrika 39; Ford 1957, Solution
of a ranking problem from binary comparisons, American Mathematical Monthly 64; Sun & Tran-Dinh
2019, Generalized self-concordant functions, Mathematical Programming 178.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.columns import of_similar_size
from fuzzytruth.core.segments import offsets_of, ragged, segment_of

_CELLS = 1 << 21  # of the matrices in a block of queries
_STEPS = 500
_CONVERGED = 1e-8  # largest step; the error after it is of the order of its square
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
    """

    first: Ints
    second: Ints
    share: Floats
    weight: Floats
    offsets: Ints

    @property
    def n_items(self) -> int:
        """Number of items of all queries."""
        return int(self.offsets[-1])

    def wins(self) -> Any:
        """Wins of the row's item over the column's: sparse (items, items)."""
        from scipy.sparse import coo_array

        row = np.concatenate([self.first, self.second])
        column = np.concatenate([self.second, self.first])
        won = np.concatenate([self.weight * self.share, self.weight * (1 - self.share)])
        kept = won > 0
        entries = (won[kept], (row[kept], column[kept]))
        return coo_array(entries, shape=(self.n_items, self.n_items)).tocsr()


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
    """

    value: Floats
    covariance: Floats
    df: Floats


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
    comparisons are added between every two items of a query, half won by each.

    Raises
    ------
    LinAlgError
        Newton's steps do not converge, or the information is singular in double precision.

    Examples
    --------
    >>> one = Comparisons(np.array([0]), np.array([1]), np.array([0.75]), np.array([8.0]),
    ...                   np.array([0, 2]))
    >>> first, second = fit_strengths(one).value
    >>> round(float(np.exp(first - second)), 12)
    3.0
    """
    size = np.diff(comparisons.offsets)
    value, covariance = np.empty(int(size.sum())), np.empty(int((size**2).sum()))
    wins = comparisons.wins()
    for block in _blocks(comparisons.offsets):
        won = block.dense(wins)
        won[block.both] += prior / 2
        np.einsum("qii->qi", won)[:] = 0.0
        strength = _maximise(won, block)
        value[block.items] = strength[block.exists]
        covariance[block.cells] = _inverse_information(won, strength, block)[block.both]
    return Strengths(value, covariance, np.full(len(size), np.inf))


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
        Whether all clusters of the query contribute the same; the covariance is then 0.

    References
    ----------
    Cameron & Miller 2015, A practitioner's guide to cluster-robust inference, Journal of Human
    Resources 50.
    """
    offsets = comparisons.offsets
    scores, query = _cluster_scores(fit.value, comparisons, cluster)
    n = np.bincount(query, minlength=len(offsets) - 1).astype(np.float64)
    products, sums = scores.T @ scores, np.asarray(scores.sum(axis=0))
    covariance = np.empty(len(fit.covariance))
    agree = np.empty(len(n), dtype=bool)
    for block in _blocks(offsets):
        bread, total = np.zeros(block.both.shape), np.zeros(block.exists.shape)
        bread[block.both], total[block.exists] = fit.covariance[block.cells], sums[block.items]
        g = n[block.queries][:, None, None]
        meat = block.dense(products) - total[:, :, None] * total[:, None, :] / g
        robust = bread @ (divide(g, g - 1, fill=np.nan) * meat) @ bread
        least = _AGREEMENT * np.einsum("qii->qi", bread)
        agree[block.queries] = (np.einsum("qii->qi", robust) <= least).all(axis=1)
        robust[agree[block.queries]] = 0.0
        covariance[block.cells] = robust[block.both]
    return Strengths(fit.value, covariance, n - 1), agree


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


def _maximise(won: Floats, block: _Block) -> Floats:
    """Strengths by damped Newton steps: (queries, longest).

    A step is shortened by log(1 + r) / r, r being the largest change of a difference of strengths,
    so that the likelihood never falls (Sun & Tran-Dinh 2019).
    """
    strength = np.zeros(block.exists.shape)
    active = np.arange(len(strength))
    for _ in range(_STEPS):
        wins, now, exists = won[active], strength[active], block.exists[active]
        loses = expit(now[:, None, :] - now[:, :, None])  # chance that the row's item loses
        surplus = wins * loses
        gradient = (surplus - surplus.swapaxes(1, 2)).sum(axis=2)
        information = _regular(_information(wins, now), exists)[0]
        step = np.linalg.solve(information, gradient[:, :, None])[:, :, 0]
        reach = np.ptp(step, axis=1)
        now = now + step * divide(np.log1p(reach), reach, fill=1.0)[:, None]
        mean = now.sum(axis=1) / exists.sum(axis=1)
        strength[active] = np.where(exists, now - mean[:, None], 0.0)
        active = active[~(reach <= _CONVERGED)]
        if not len(active):
            return strength
    raise np.linalg.LinAlgError(f"no convergence in {_STEPS} steps")


def _information(won: Floats, strength: Floats) -> Floats:
    """Information about the strengths, a graph Laplacian: (queries, longest, longest)."""
    gap = strength[:, :, None] - strength[:, None, :]
    off = (won + won.swapaxes(1, 2)) * expit(gap) * expit(-gap)
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


def _inverse_information(won: Floats, strength: Floats, block: _Block) -> Floats:
    """Pseudo-inverse of the information: (queries, longest, longest)."""
    regular, shift = _regular(_information(won, strength), block.exists)
    size = block.exists.sum(axis=1)
    out: Floats = np.linalg.inv(regular) - (1 / (shift * size**2))[:, None, None]
    return out


def _cluster_scores(value: Floats, comparisons: Comparisons, cluster: Ints) -> tuple[Any, Ints]:
    """Derivatives of each cluster's log-likelihood in each query: sparse (pairs, items), (pairs,).

    The second is the query of each pair of a query and a cluster.
    """
    from scipy.sparse import coo_array

    first, second = comparisons.first, comparisons.second
    chance = expit(value[first] - value[second])
    surplus = comparisons.weight * (comparisons.share - chance)
    query = segment_of(comparisons.offsets)[first]
    n_clusters = int(cluster.max(initial=0)) + 1
    pairs, pair = np.unique(query * n_clusters + cluster, return_inverse=True)
    entries = np.concatenate([surplus, -surplus])
    place = (np.tile(pair, 2), np.concatenate([first, second]))
    scores = coo_array((entries, place), shape=(len(pairs), comparisons.n_items)).tocsr()
    return scores, pairs // n_clusters
