"""Pairs of votes at a distance of squared ranks, where leaving votes out changes the ranks, too.

Krippendorff's ordinal distance is the squared difference of mid-ranks among the votes at hand.
Without some votes, the disagreement at the new ranks r + d is that at r, plus twice the product of
both, plus that at d: the first two exactly, the third, of the second order in d, with the pairs of
all votes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.core.unit_votes import Paired, Removed, Sums
from fuzzytruth.core.value_distances import mid_ranks

_NUMBERS = 2**22  # doubles of a block of ranks


def without_reranked(paired: Paired, removed: Removed) -> Sums:
    """Sums without the votes of each group, at the mid-ranks of what is left.

    `paired` has the squared differences of the mid-ranks of its totals as distances.
    """
    sums = paired.without(removed)
    gone = paired.lost(removed)  # (groups, values)
    ranks = mid_ranks(paired.totals)
    ranks = ranks - ranks.mean()
    slopes = _slopes(paired, ranks)  # (units, values)
    pairs = slopes_total(slopes)
    lost_slopes = removed.added_up(_lost_slopes(paired, removed, ranks, slopes))
    together = _coincidences(paired)
    margin = np.asarray(together.sum(axis=1)).ravel()
    gaps, squares = sums.gaps.copy(), sums.squares.copy()
    size = max(1, _NUMBERS // max(len(ranks), 1))
    for start in range(0, removed.n_groups, size):
        part = slice(start, start + size)
        left = np.maximum(paired.totals - gone[part].toarray(), 0.0)  # (groups, values)
        change = mid_ranks(left) - mid_ranks(paired.totals)
        change = change - change.mean(axis=-1, keepdims=True)
        slope = pairs - lost_slopes[part].toarray()
        second = 2 * (change**2 @ margin - (change * (change @ together)).sum(axis=1))
        share = sums.weight[part] / max(sums.weight.max(initial=0.0), 1e-300)
        new = gaps[part] + 4 * (change * slope).sum(axis=1) + second * share
        gaps[part] = np.where(gaps[part] == 0, 0.0, np.maximum(new, 0.0))
        place = ranks + change
        n, mean = left.sum(axis=1), (left * place).sum(axis=1)
        squares[part] = 2 * (n * (left * place**2).sum(axis=1) - mean**2)
    return replace(sums, gaps=gaps, squares=squares)


def slopes_total(slopes: Any) -> Floats:
    """Sum over units: (values,)."""
    return np.asarray(slopes.sum(axis=0), dtype=np.float64).ravel()


def _slopes(paired: Paired, ranks: Floats) -> Any:
    """Each unit's o∘r - O r, O being its pairs of values over n - 1: (units, values), sparse."""
    from scipy.sparse import csr_array, diags_array

    votes = paired.votes
    counts = votes.counts
    if votes.votes is None:
        own = counts @ diags_array(ranks)
    else:
        cells = len(votes.unit)
        add = csr_array(
            (np.ones(cells), (votes.unit, np.arange(cells))), shape=(len(votes.n), cells)
        )
        own = add @ (diags_array(votes.votes @ ranks) @ votes.votes)
    return diags_array(_inverse(votes.n)) @ (_unpaired(counts, votes.n, ranks) + own)


def _unpaired(counts: Any, n: Floats, ranks: Floats) -> Any:
    """(n - 1) c∘r - c (c·r) of each row c: the slope without the votes with themselves."""
    from scipy.sparse import diags_array

    return (diags_array(n - 1) @ counts) @ diags_array(ranks) - diags_array(counts @ ranks) @ counts


def _lost_slopes(paired: Paired, removed: Removed, ranks: Floats, slopes: Any) -> Any:
    """What each row takes away from the slopes: (rows, values), sparse."""
    from scipy.sparse import diags_array

    before = slopes[removed.unit]
    if removed.cell is None:
        return before
    votes = paired.votes
    n = votes.n[removed.unit]
    mine, counts = votes.votes[removed.cell], votes.counts[removed.unit]
    kept = n > 2
    # own votes of all but this one: those in `before`, and its own taken away
    own = diags_array(n - 1) @ before - _unpaired(counts, n, ranks)
    own = own - diags_array(mine @ ranks) @ mine
    after = diags_array(_inverse(n - 1)) @ (_unpaired(counts - mine, n - 1, ranks) + own)
    return before - diags_array(kept.astype(np.float64)) @ after


def _coincidences(paired: Paired) -> Any:
    """Pairs of values within units, each unit's over n - 1: (values, values), sparse."""
    from scipy.sparse import diags_array

    votes = paired.votes
    inverse = _inverse(votes.n)
    together = votes.counts.T @ (diags_array(inverse) @ votes.counts)
    if votes.votes is None:  # votes of people with themselves lie on the diagonal
        return together - diags_array(inverse @ votes.counts)
    return together - votes.votes.T @ (diags_array(inverse[votes.unit]) @ votes.votes)


def _inverse(n: Floats) -> Floats:
    """1 / (n - 1); 0 below two people."""
    pairs: Bools = n >= 2
    return np.where(pairs, 1.0 / np.where(pairs, n - 1, 1.0), 0.0)
