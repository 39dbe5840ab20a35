"""Subjects who copy each other, or share their errors, before any model is fitted.

Two subjects who err independently agree by r_a r_b, corrected for chance, r being each one's
reliability. Three of them give r_a² = M_ab M_ac / M_bc, M being the corrected agreement. Repeated
medians of these, over c for each b and then over b (Siegel 1982), are not moved far by a minority
of copies; they are taken twice, the second time without pairs that stand out. Pairs that surely
agree by more, and by much, are joined to clusters, whose votes on a unit count as one.

References
----------
Siegel, A. F. (1982), Robust regression using repeated medians, Biometrika 69.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from fuzzytruth._lazy import special
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.stats.votes.table import VoteTable

_COMMON = 10  # units that two subjects share
_CUT = 0.3  # excess of agreement, as a share of the possible one, within a cluster
_SIGNAL = 0.1  # least agreement of subjects by whom reliabilities are told
_ALIKE = 0.5  # least agreement of two subjects who agree with nobody else
_ALPHA = 0.05
_MOST = 4.0  # of a ratio of agreements that is used
_MOST_R = 0.98
_DOUBT = 1.645  # standard errors from which a pair is left out when reliabilities are told anew
_NUMBERS = 2**23  # of a batch of ratios


@dataclass(frozen=True, slots=True, eq=False)
class Copies:
    """Clusters of subjects who agree by more than independent errors let expect.

    Parameters
    ----------
    cluster : (subjects,) int
        From 0; most subjects are alone in theirs.
    excess : (subjects, subjects) float
        Share of the possible excess of agreement, where it is sure; 0 elsewhere, 1 on the diagonal.
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
    """Clusters of subjects."""
    s = votes.n_subjects
    corrected, n, chance = _agreement(votes)
    typical = _typical(corrected)
    told = np.abs(typical) >= _SIGNAL
    reliability = _reliability(corrected, typical, told)
    share, z = _excess(corrected, reliability, n, chance)
    apart = np.where((share > _CUT / 2) & (z > _DOUBT), np.nan, corrected)
    reliability = _reliability(apart, typical, told)
    share, z = _excess(corrected, reliability, n, chance)
    sure = (z > -special.ndtri(_ALPHA / max(s * (s - 1), 1))) & (n >= _COMMON)
    able = np.abs(reliability) >= _SIGNAL
    poor = ~told[:, None] & ~told & (corrected >= _ALIKE)  # two who copy one who guesses
    sure &= np.outer(able, able) | poor
    excess = np.where(sure, np.clip(np.nan_to_num(share), 0, 1), 0.0)
    excess = np.maximum(excess, excess.T)
    np.fill_diagonal(excess, 1.0)
    return Copies(_clusters(excess), excess)


def _excess(
    corrected: Floats, reliability: Floats, n: Floats, chance: float
) -> tuple[Floats, Floats]:
    """Share of the possible excess of agreement, and how many standard errors it is."""
    independent = np.outer(reliability, reliability)
    p = np.clip(chance + (1 - chance) * independent, 0.02, 0.98)
    error = np.sqrt(p * (1 - p) / np.maximum(n, 1)) / max(1 - chance, 1e-9)
    excess = corrected - independent
    return excess / np.maximum(1 - independent, 0.05), excess / error


def _agreement(votes: VoteTable) -> tuple[Floats, Floats, float]:
    """Agreement corrected for chance, common units, and agreement by chance.

    (subjects, subjects), NaN on the diagonal and of too few common units.
    """
    from scipy.sparse import csr_array

    n, s, k = votes.sizes
    column = votes.unit.astype(np.int64) * k + votes.value
    counts = []
    for places, width in ((votes.unit, n), (column, n * k)):
        once = np.unique(np.stack([votes.subject, places]), axis=1)  # repeated votes count once
        table = csr_array((np.ones(once.shape[1]), (once[0], once[1])), shape=(s, width))
        counts.append(np.asarray((table @ table.T).todense(), dtype=np.float64))
    common, agree = counts
    share = np.bincount(votes.value, minlength=k) / len(votes.unit)
    chance = float((share**2).sum())
    corrected = (divide(agree, common) - chance) / max(1 - chance, 1e-9)
    corrected = np.where(common >= _COMMON, corrected, np.nan)
    np.fill_diagonal(corrected, np.nan)
    return corrected, common, chance


@np.errstate(all="ignore")
def _typical(corrected: Floats) -> Floats:
    """Median agreement of each subject with the others: (subjects,); 0 without any."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # nobody shares enough units with some
        return np.nan_to_num(np.nanmedian(corrected, axis=1))


@np.errstate(all="ignore")
def _reliability(corrected: Floats, typical: Floats, told: Bools) -> Floats:
    """Each subject's r: (subjects,); 0 where it cannot be told.

    From triples with those who agree, or disagree, with most others by more than chance (`told`):
    ratios to the rest are noise. Subjects who mostly disagree have a negative r.
    """
    out = np.zeros(len(corrected))
    between = corrected[np.ix_(told, told)]  # M_bc
    size = max(1, _NUMBERS // max(between.size, 1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        for start in range(0, len(corrected), size):
            rows = corrected[start : start + size][:, told]
            ratio = rows[:, :, None] * rows[:, None, :] / between
            ratio[~(np.abs(ratio) < _MOST)] = np.nan
            middle = np.nanmedian(np.nanmedian(ratio, axis=2), axis=1)
            out[start : start + size] = np.sqrt(np.clip(np.nan_to_num(middle), 0, _MOST_R))
    return np.where(typical < 0, -out, out)


def _clusters(excess: Floats) -> Ints:
    """By average linkage: (subjects,)."""
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    if len(excess) < 3:
        return np.arange(len(excess))
    joined = linkage(squareform(1 - excess, checks=False), "average")
    return np.asarray(fcluster(joined, 1 - _CUT, "distance") - 1)
