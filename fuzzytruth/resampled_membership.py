"""The error of membership from few subjects, by drawing the subjects anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fuzzytruth.checks import generator, probabilities
from fuzzytruth.errors import DataError, OptionError

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.membership import Membership

Floats = NDArray[np.float64]

_CELLS = 1 << 22  # numbers in memory at a time


def resample(membership: Membership, *, n_resamples: int, level: float, rng: Any) -> pd.DataFrame:
    """See `Membership.resampled`."""
    from scipy.stats import t

    n_subjects = len(membership.votes.subjects)
    if n_subjects < 2:
        raise DataError("resampling subjects needs at least two of them; there is one")
    if n_resamples < 2:
        raise OptionError(f"n_resamples={n_resamples}: must be 2 or more")
    confidence = float(probabilities("level", level))
    chance = np.full(n_subjects, 1 / n_subjects)
    votes = generator(rng).multinomial(n_subjects, chance, size=n_resamples).astype(np.float64)
    cells = membership.share.tocoo()
    std = _spread(membership, cells, votes) * np.sqrt(n_subjects / (n_subjects - 1))
    out = membership._tidy(cells)
    width = t.ppf((1 + confidence) / 2, n_subjects - 1) * std
    out["std_error"] = std
    out["lower"] = np.clip(cells.data - width, 0.0, 1.0)
    out["upper"] = np.clip(cells.data + width, 0.0, 1.0)
    return out


def _spread(membership: Membership, cells: Any, votes: Floats) -> Floats:
    """Standard deviation over resamples of each p: (cells,)."""
    yes, mass = _by_subject(membership, cells)
    out = np.empty(len(cells.data))
    step = max(1, _CELLS // len(votes))
    for start in range(0, len(out), step):
        part = slice(start, start + step)
        top, bottom = yes[part] @ votes.T, mass[part] @ votes.T  # (cells, resamples)
        share = np.full(top.shape, np.nan)
        np.divide(top, bottom, out=share, where=bottom > 0)
        some = ~np.isnan(share)
        n = np.maximum(some.sum(axis=1), 1)
        mean = np.where(some, share, 0.0).sum(axis=1) / n
        gap = np.where(some, share - mean[:, None], 0.0)
        out[part] = np.sqrt((gap**2).sum(axis=1) / n)
    alone = np.diff(mass.indptr) < 2
    out[alone] = np.nan
    return out


def _by_subject(membership: Membership, cells: Any) -> tuple[Any, Any]:
    """Weight of each subject for p of each cell, and of all that count: (cells, subjects) both."""
    from scipy.sparse import csr_array

    votes, taxonomy = membership.votes, membership.taxonomy
    key = cells.row.astype(np.int64) * len(taxonomy) + cells.col
    order = np.argsort(key)
    shape = (len(key), len(votes.subjects))

    def table(item: Any, subject: Any, weight: Floats, sets: Any, label_set: Any) -> Any:
        from fuzzytruth.membership import upwards

        reached = (sets.members(len(taxonomy)) @ upwards(taxonomy)).tocsr()
        size = np.diff(reached.indptr)[label_set]
        ballot = np.repeat(np.arange(len(item)), size)
        place = np.arange(len(ballot)) - np.repeat(np.cumsum(size) - size, size)
        node = reached.indices[reached.indptr[label_set[ballot]] + place]
        wanted = item[ballot] * len(taxonomy) + node
        at = np.searchsorted(key, wanted, sorter=order)
        found = order[np.minimum(at, len(key) - 1)]
        hit = key[found] == wanted
        return csr_array((weight[ballot[hit]], (found[hit], subject[ballot[hit]])), shape=shape)

    yes = table(votes.item, votes.subject, votes.weight, votes.sets, votes.label_set)
    asked = votes.asked
    if asked is not None:
        return yes, table(asked.item, asked.subject, votes.weight, asked.sets, asked.label_set)
    of_item = csr_array(
        (votes.weight, (votes.item, votes.subject)), shape=(len(votes.items), shape[1])
    )
    return yes, of_item[cells.row]
