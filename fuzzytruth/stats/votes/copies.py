"""Subjects who copy each other, before any model is fitted.

The votes of two subjects who err independently, each less the shares of that subject's own answers,
correlate by r_a r_b, r being a subject's reliability: exactly so for two classes, whatever the
tables of errors, and nearly so if subjects are more or less severe. What the votes of a cluster
correlate beyond that is its excess, a share of what is possible. Reliabilities are told by the
other pairs alone, as copies would confirm each other. The excess must be large, and surely so for
as many clusters as could have been looked at; the votes of a cluster on a unit then count as one.

References
----------
Parisi, F., Strino, F., Nadler, B. & Kluger, Y. (2014), Ranking and combining multiple predictors
without labeled data, PNAS 111.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzytruth._lazy import sparse, special
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.stats.votes.table import VoteTable

_LEAST, _EXCESS = 0.5, 0.7  # excess of a cluster: surely, and as estimated
_COMMON = 10  # units in common with other members, counted for each of them
_ALPHA, _SURE = 0.01, 1.645
_GROUPS = 20  # of units, for the jackknife
_PRIOR = 10.0  # units by which reliabilities are drawn to their mean
_MOST_R = 0.98
_STEPS, _CLOSE = 100, 1e-4
_MOST = 300  # subjects that are looked at, those with the most votes


@dataclass(frozen=True, slots=True, eq=False)
class Copies:
    """Clusters of subjects who agree by more than independent errors let expect.

    Parameters
    ----------
    cluster : (subjects,) int
        From 0; most subjects are alone in theirs.
    excess : (subjects, subjects) float
        Excess of correlation of the cluster that two subjects are in, as a share of the possible
        one; 0 for others, 1 on the diagonal.
    """

    cluster: Ints
    excess: Floats

    @property
    def any(self) -> bool:
        """Whether a cluster has several subjects."""
        return int(self.cluster.max(initial=-1)) + 1 < len(self.cluster)

    @property
    def effective(self) -> float:
        """Effective number of subjects: S² over the sum of the excesses (Kish)."""
        return float(len(self.cluster) ** 2 / max(float(self.excess.sum()), 1.0))

    def weigh(self, votes: VoteTable) -> VoteTable:
        """The votes, those of a cluster on one unit counting as one together."""
        key = votes.by_unit(self.cluster)
        once = np.unique(np.stack([key, votes.subject]), axis=1)[0]  # repeated votes are one's own
        count = np.diff(np.searchsorted(once, [key, key + 1]), axis=0)[0]
        some = votes.unit, votes.subject, votes.value, votes.sizes
        return VoteTable.of(*some, votes.weight / count)

    def one_each(self, votes: VoteTable, rng: np.random.Generator) -> VoteTable:
        """The votes of one subject of each cluster on each unit, at random."""
        order = rng.permutation(len(votes.unit))
        _, first = np.unique(votes.by_unit(self.cluster)[order], return_index=True)
        return votes.take(np.sort(order[first]))


def find_copies(votes: VoteTable) -> Copies:
    """Clusters of subjects, of half of them at most."""
    s = votes.n_subjects
    n_votes = np.bincount(votes.subject, minlength=s)
    kept = np.sort(np.argsort(-n_votes, kind="stable")[:_MOST])
    pairs = _Pairs.of(votes, kept)
    apart = np.ones((len(kept), len(kept)), dtype=bool)
    for members, _ in pairs.clusters(np.zeros(len(kept)), apart):  # candidates by correlation
        apart[np.ix_(members, members)] = False
    r = _reliabilities(pairs.products[:1], pairs.common[:1], apart)[0]
    cluster, excess = np.arange(s), np.eye(s)
    for members, size in pairs.clusters(r, apart):  # and by what is beyond reliabilities
        own = kept[members]
        cluster[own] = own[0]
        excess[np.ix_(own, own)] = size
    np.fill_diagonal(excess, 1.0)
    return Copies(np.unique(cluster, return_inverse=True)[1], excess)


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Pairs of subjects, by all units (sample 0), and without each group of units.

    Parameters
    ----------
    products : (samples, subjects, subjects) float
        Sums of products of standardised votes on common units; 0 on the diagonal.
    common : (samples, subjects, subjects) float
        Units that both judged; 0 on the diagonal.
    noise : float
        Variance of a product of independent votes.
    """

    products: Floats
    common: Floats
    noise: float

    @classmethod
    def of(cls, votes: VoteTable, subjects: Ints) -> _Pairs:
        """By the votes of some subjects; repeated votes count once."""
        s, k = len(subjects), votes.n_classes
        said = votes.matrix[:, (subjects[:, None] * k + np.arange(k)).ravel()].tocoo()
        unit, (subject, value) = said.row.astype(np.int64), np.divmod(said.col, k)
        count = np.bincount(said.col, minlength=s * k).reshape(s, k)
        share = divide(count, count.sum(axis=1, keepdims=True))
        root = np.sqrt(1 - (share**2).sum(axis=1))
        votes_of = divide(np.eye(k) - share[:, None], root[:, None, None])  # by what is said
        row = unit % _GROUPS * s + subject
        column = unit[:, None] * k + np.arange(k)
        products = _products(votes_of[subject, value], np.repeat(row, k), column, s)
        _, one = np.unique(np.stack([row, unit]), axis=1, return_index=True)
        common = _products(np.ones(len(one)), row[one], unit[one], s)
        square, cube = ((share.mean(axis=0) ** power).sum() for power in (2, 3))
        noise = divide(square - 2 * cube + square**2, (1 - square) ** 2)
        return cls(products, common, float(noise))

    def clusters(self, r: Floats, apart: Bools) -> list[tuple[Ints, float]]:
        """Members of each cluster, the largest first, and its excess."""
        found: list[tuple[Ints, float]] = []
        for members in reversed(self._joined(r)):
            if not any(np.isin(members, one).any() for one, _ in found):
                excess = self._large(members, apart)
                found += [(members, excess)] if excess else []
        return found

    def _joined(self, r: Floats) -> list[Ints]:
        """All clusters by average linkage, the surest excess first, as long as one is large."""
        independent = self.common[0] * _independent(r)
        sums = np.array([self.products[0], self.common[0], self.common[0]])
        sums[:2] -= independent
        members, out = [np.array([a]) for a in range(len(r))], list[Ints]()
        while True:
            excess, possible, common = sums
            z = excess / np.sqrt(np.maximum(common, 1))
            z = np.where(excess >= np.maximum(_LEAST * possible, 0), z, 0.0)
            a, b = divmod(int(z.argmax()), len(r))
            if z[a, b] <= 0:
                return out
            sums[:, a] += sums[:, b]
            sums[:, :, a] += sums[:, :, b]
            sums[:, b] = sums[:, :, b] = sums[:, a, a] = 0
            members[a] = np.sort(np.append(members[a], members[b]))
            out.append(members[a])

    def _large(self, members: Ints, apart: Bools) -> float:
        """Excess of a cluster; 0 if it is not large, or not surely so."""
        s, size, block = len(apart), len(members), np.ix_(members, members)
        common = self.common[0][block]
        if 2 * size > s or common.sum(axis=1).min() < _COMMON:
            return 0.0
        apart = apart.copy()
        apart[block] = False
        sure = -special.ndtri(_ALPHA / special.comb(s, size))
        (excess,), (possible,) = self._excess(slice(1), block, apart)
        if excess < max(_EXCESS, sure * np.sqrt(2 * self.noise * common.sum()) / possible):
            return 0.0
        left, _ = self._excess(slice(1, None), block, apart)
        error = np.sqrt((1 - 1 / _GROUPS) * ((left - left.mean()) ** 2).sum())
        return float(excess) if excess >= max(_LEAST + _SURE * error, sure * error) else 0.0

    def _excess(self, samples: slice, block: Any, apart: Bools) -> tuple[Floats, Floats]:
        """Of a block, as a share of what is possible, and the latter: (samples,) each."""
        products, common = self.products[samples], self.common[samples]
        independent = common * _independent(_reliabilities(products, common, apart))
        at = (slice(None), *block)
        excess, possible = ((x - independent)[at].sum(axis=(1, 2)) for x in (products, common))
        return divide(excess, possible), possible


def _products(value: Floats, row: Ints, column: Ints, s: int) -> Floats:
    """Sums of products of rows (group, subject): of all groups, and without each one.

    (groups + 1, subjects, subjects), 0 on the diagonal.
    """
    shape = _GROUPS * s, column.max() + 1
    table = sparse.csr_array((value.ravel(), (row, column.ravel())), shape=shape)
    both = (table @ table.T).tocoo()
    out = np.zeros((_GROUPS, s, s))
    out[both.row // s, both.row % s, both.col % s] = both.data
    out[:, np.arange(s), np.arange(s)] = 0
    whole = out.sum(axis=0, keepdims=True)
    return np.concatenate([whole, whole - out])


def _independent(r: Floats) -> Floats:
    """Correlations of subjects who err independently: (..., subjects, subjects)."""
    return np.clip(r[..., :, None] * r[..., None, :], -_MOST_R, _MOST_R)


def _reliabilities(products: Floats, common: Floats, apart: Bools) -> Floats:
    """By least squares of the pairs that are apart, drawn to their mean: (samples, subjects)."""
    products, common = products * apart, common * apart
    n = common.sum(axis=2)
    mean = products.sum(axis=(1, 2)) / np.maximum(n.sum(axis=1), 1)
    r = np.repeat(np.sqrt(np.maximum(mean, _CLOSE))[:, None], len(apart), axis=1)
    for _ in range(_STEPS):
        middle = divide((r * n).sum(axis=1, keepdims=True), n.sum(axis=1, keepdims=True))
        followed = (products @ r[:, :, None])[..., 0] + _PRIOR * middle
        new = (r + followed / ((common @ r[:, :, None] ** 2)[..., 0] + _PRIOR)) / 2
        change, r = np.abs(new - r).max(), new
        if change < _CLOSE:
            break
    return r
