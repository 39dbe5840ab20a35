"""The error of membership from few subjects, by drawing the subjects anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.label_sets import LabelSets
from fuzzytruth.core.randomness import entropy_of
from fuzzytruth.core.resampled_subjects import resamples
from fuzzytruth.core.segments import ragged
from fuzzytruth.core.validation import between_zero_and_one, whole_number
from fuzzytruth.errors import DataError, LostVotesWarning, warn

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.data.membership import Membership


_CELLS = 1 << 22  # numbers in memory at a time


def resample(membership: Membership, *, n_resamples: int, level: float, rng: Any) -> pd.DataFrame:
    """See `Membership.resampled`."""
    whole_number("n_resamples", n_resamples, 2)
    confidence = between_zero_and_one("level", level)
    n_subjects = len(membership.votes.subjects)
    if n_subjects < 2:
        raise DataError("resampling subjects needs at least two of them; there is one")
    seed = np.random.SeedSequence(entropy_of(rng))
    weight, votes, _ = resamples(n_subjects, n_resamples, seed)
    cells = membership.share.tocoo()
    yes, mass = _by_subject(membership, cells)
    subjects = np.diff(mass.indptr)  # (cells,) who voted, or were asked
    std = _spread(cells.data, (yes, mass), weight, votes)
    std *= np.sqrt(subjects / np.maximum(subjects - 1, 1))
    std[subjects < 2] = np.nan
    out = membership.tidy(cells)
    out["std_error"] = std
    out["lower"], out["upper"] = _interval(cells.data, std, subjects, confidence)
    return out


def _interval(p: Floats, std: Floats, subjects: Ints, level: float) -> tuple[Floats, Floats]:
    """Clopper and Pearson's ends for the number of independent subjects that have this spread."""
    from scipy.stats import beta

    n = subjects.astype(np.float64)
    np.divide(p * (1 - p), std**2, out=n, where=(std > 0) & (p < 1))
    n = np.minimum(n, subjects)
    hits, tail = p * n, (1 - level) / 2
    lower = np.where(hits > 0, beta.ppf(tail, np.maximum(hits, 1e-12), n - hits + 1), 0.0)
    rest = np.maximum(n - hits, 1e-12)
    upper = np.where(n - hits > 1e-9, beta.ppf(1 - tail, hits + 1, rest), 1.0)
    unknown = subjects < 2
    return np.where(unknown, np.nan, lower), np.where(unknown, np.nan, upper)


def _spread(p: Floats, tables: tuple[Any, Any], weight: Floats, votes: Floats) -> Floats:
    """Standard deviation over resamples of each p: (cells,)."""
    yes, mass = tables
    out, lost = np.empty(len(p)), 0
    step = max(1, _CELLS // len(votes))
    for start in range(0, len(out), step):
        part = slice(start, start + step)
        top, bottom = yes[part] @ votes.T, mass[part] @ votes.T  # (cells, resamples)
        share = np.repeat(p[part, None], len(votes), axis=1)  # what loses all votes keeps its own
        np.divide(top, bottom, out=share, where=bottom > 0)
        lost += int((bottom <= 0).sum())
        share -= p[part, None]  # where all agree, exactly 0
        mean = share @ weight
        out[part] = np.sqrt((share - mean[:, None]) ** 2 @ weight)
    if lost:
        warn(
            f"{lost:,} of {len(p) * len(votes):,} probabilities have no vote left in a resample, "
            "as few subjects judged the item; there they stay as they are, so that errors are too "
            "small",
            LostVotesWarning,
        )
    return out


def _by_subject(membership: Membership, cells: Any) -> tuple[Any, Any]:
    """Weight of each subject for p of each cell, and of all that count: (cells, subjects) both."""
    from scipy.sparse import csr_array

    from fuzzytruth.data.membership import upwards

    votes, n_labels = membership.votes, len(membership.taxonomy)
    key = cells.row.astype(np.int64) * n_labels + cells.col
    order = np.argsort(key)
    shape = (len(key), len(votes.subjects))
    up = upwards(membership.taxonomy)

    def table(item: Ints, subject: Ints, sets: LabelSets, label_set: Ints) -> Any:
        reached = (sets.members(n_labels) @ up).tocsr()
        ballot, member = ragged(reached.indptr, label_set)
        wanted = item[ballot] * n_labels + reached.indices[member]
        at = np.searchsorted(key, wanted, sorter=order)
        found = order[np.minimum(at, len(key) - 1)]
        hit = key[found] == wanted
        places = (found[hit], subject[ballot[hit]])
        return csr_array((votes.weight[ballot[hit]], places), shape=shape)

    yes = table(votes.item, votes.subject, votes.sets, votes.label_set)
    asked = votes.asked
    if asked is not None:
        return yes, table(asked.item, asked.subject, asked.sets, asked.label_set)
    of_item = csr_array(
        (votes.weight, (votes.item, votes.subject)), shape=(len(votes.items), shape[1])
    )
    return yes, of_item[cells.row]
