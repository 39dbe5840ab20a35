"""Subjects who copy each other, before any model is fitted.

Votes of two subjects who err independently, each less the shares of that subject's own answers,
correlate by r_a r_b, r being each one's reliability: exactly so with two classes, whatever the
tables of errors, and nearly so if subjects are more or less severe. Excess is what the pairs of a
cluster have beyond that, as a share of what is possible; copies tell nothing of their own
reliability, so that only the other pairs do. It must be large, and surely so however many clusters
could have been tried. The votes of a cluster on a unit then count as one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._lazy import special
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.stats.votes.table import VoteTable

_JOINED, _SHARE = 0.5, 0.7  # excess of those who are joined and, for sure, of a cluster; and found
_COMMON = 10  # units that a member shares with the others, counted for each of them
_ALPHA, _SURE = 0.01, 1.645
_GROUPS = 20  # of units, for the jackknife
_PRIOR = 10.0  # units by which reliabilities are drawn to their mean
_MOST_R = 0.98
_STEPS, _CLOSE = 100, 1e-4
_MOST = 300  # subjects, those with the most votes


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
        _, place, count = np.unique(key, return_inverse=True, return_counts=True)
        some = votes.unit, votes.subject, votes.value, votes.sizes
        return VoteTable.of(*some, votes.weight / count[place])

    def one_each(self, votes: VoteTable, rng: np.random.Generator) -> VoteTable:
        """The votes of one subject of each cluster on each unit, at random."""
        order = rng.permutation(len(votes.unit))
        _, first = np.unique(votes.by_unit(self.cluster)[order], return_index=True)
        return votes.take(np.sort(order[first]))


def find_copies(votes: VoteTable) -> Copies:
    """Clusters of subjects, each of half of them at most."""
    s = votes.n_subjects
    n_votes = np.bincount(votes.subject, minlength=s)
    kept = np.sort(np.argsort(-n_votes, kind="stable")[:_MOST])
    pairs = _Pairs.of(votes, kept)
    r, apart = np.zeros(len(kept)), np.ones((len(kept), len(kept)), dtype=bool)
    found = pairs.clusters(r, apart)  # by correlations
    for members, _ in found:
        apart[np.ix_(members, members)] = False
    r = _reliabilities(pairs.products[:1], pairs.common[:1], apart)[0]
    cluster, excess = np.arange(s), np.eye(s)
    for members, share in pairs.clusters(r, apart):  # by what they have beyond reliabilities
        own = kept[members]
        cluster[own] = own[0]
        excess[np.ix_(own, own)] = share
    np.fill_diagonal(excess, 1.0)
    return Copies(np.unique(cluster, return_inverse=True)[1], excess)


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Pairs of subjects, 0 on the diagonal; of all units, and without each group of them.

    Parameters
    ----------
    products : (samples, subjects, subjects) float
        Sums of the products of standardised votes on common units.
    common : (samples, subjects, subjects) float
        Units that both judged.
    noise : float
        Variance of a product.
    """

    products: Floats
    common: Floats
    noise: float

    @classmethod
    def of(cls, votes: VoteTable, subjects: Ints) -> _Pairs:
        """By the votes of some subjects; repeated votes count once."""
        from scipy.sparse import csr_array

        n, s, k = votes.n_units, len(subjects), votes.n_classes
        said = votes.matrix[:, (subjects[:, None] * k + np.arange(k)).ravel()].tocoo()
        unit, (subject, value) = said.row.astype(np.int64), np.divmod(said.col, k)
        count = np.bincount(said.col, minlength=s * k).reshape(s, k)
        share = divide(count, count.sum(axis=1, keepdims=True))
        root = np.sqrt(1 - (share**2).sum(axis=1))
        scores = divide(np.eye(k) - share[:, None, :], root[:, None, None])[subject, value]
        places = (np.repeat(subject, k), (unit[:, None] * k + np.arange(k)).ravel())
        sums = np.zeros((2, _GROUPS, s, s))
        for group in range(_GROUPS):
            own = unit % _GROUPS == group
            each = np.repeat(own, k)
            centred = csr_array(
                (scores[own].ravel(), (places[0][each], places[1][each])), shape=(s, n * k)
            )
            judged = csr_array((np.ones(own.sum()), (subject[own], unit[own])), shape=(s, n)).sign()
            for total, table in zip(sums, (centred, judged), strict=True):
                total[group] = (table @ table.T).todense()
                np.fill_diagonal(total[group], 0)
        whole = sums.sum(axis=1)[:, None]
        products, common = np.concatenate([whole, whole - sums], axis=1)
        mean = share.mean(axis=0)
        square, cube = (mean**2).sum(), (mean**3).sum()
        noise = (square - 2 * cube + square**2) / max((1 - square) ** 2, 1e-9)
        return cls(products, common, float(noise))

    def clusters(self, r: Floats, apart: Bools) -> list[tuple[Ints, float]]:
        """Members of each cluster that is surely one, and their excess; the largest first."""
        found: list[tuple[Ints, float]] = []
        for members in reversed(self._joined(r)):
            if not any(np.isin(members, one).any() for one, _ in found):
                share = self._share_if_sure(members, apart)
                found += [(members, share)] if share > 0 else []
        return found

    def _joined(self, r: Floats) -> list[Ints]:
        """All clusters on the way of average linkage, the surest excess first."""
        rest = self.common[0] * (1 - _independent(r))
        sums = np.array([self.products[0] - self.common[0] + rest, rest, self.common[0]])
        members = [[a] for a in range(len(r))]
        out: list[Ints] = []
        while True:
            excess, possible, common = sums
            enough = (excess > 0) & (excess >= _JOINED * possible)
            z = np.where(enough, excess / np.sqrt(np.maximum(common, 1)), 0.0)
            a, b = divmod(int(z.argmax()), len(r))
            if not z[a, b]:
                return out
            sums[:, a] += sums[:, b]
            sums[:, :, a] += sums[:, :, b]
            sums[:, b] = sums[:, :, b] = 0
            sums[:, a, a] = 0
            members[a] += members[b]
            out.append(np.sort(members[a]))

    def _share_if_sure(self, members: Ints, apart: Bools) -> float:
        """Excess of a cluster; 0 if it is not large, or not surely so."""
        s, size, block = len(apart), len(members), np.ix_(members, members)
        common = self.common[0][block]
        if 2 * size > s or common.sum(axis=1).min() < _COMMON:
            return 0.0
        apart = apart.copy()
        apart[block] = False
        (share,), (possible,) = self._shares(slice(1), block, apart)
        error = np.sqrt(2 * self.noise * common.sum()) / possible
        needed = -special.ndtri(_ALPHA / special.comb(s, size))
        if share < max(_SHARE, needed * error):
            return 0.0
        left = self._shares(slice(1, None), block, apart)[0]
        error = np.sqrt((1 - 1 / _GROUPS) * ((left - left.mean()) ** 2).sum())
        return float(share) if share >= max(_JOINED + _SURE * error, needed * error) else 0.0

    def _shares(
        self, samples: slice, block: tuple[Ints, ...], apart: Bools
    ) -> tuple[Floats, Floats]:
        """Excess of a block in some samples, and what is possible."""
        products, common = self.products[samples], self.common[samples]
        independent = _independent(_reliabilities(products, common, apart))
        first, second = block
        common, independent = (x[:, first, second] for x in (common, independent))
        possible = (common * (1 - independent)).sum(axis=(1, 2))
        excess = products[:, first, second].sum(axis=(1, 2)) - (common * independent).sum(
            axis=(1, 2)
        )
        return divide(excess, possible), possible


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
