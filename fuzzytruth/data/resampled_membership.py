"""Bootstrap errors of membership probabilities: subjects drawn with replacement."""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.label_sets import LabelSets
from fuzzytruth.core.randomness import entropy_of
from fuzzytruth.core.samples import subject_resamples
from fuzzytruth.core.segments import ragged
from fuzzytruth.core.validation import between_zero_and_one, whole_number
from fuzzytruth.data.subtree_weights import ancestor_matrix
from fuzzytruth.data.votes import Votes
from fuzzytruth.errors import DataError, LostVotesWarning, counted, warn

_NUMBERS = 1 << 22  # numbers in memory at a time


def bootstrap_errors(
    votes: Votes, cells: Any, *, n_resamples: int, level: float, rng: Any
) -> tuple[Floats, Floats, Floats]:
    """Standard errors and intervals of membership probabilities; see `Membership.resampled`.

    Parameters
    ----------
    votes : Votes
    cells : sparse array in COO format, (items, categories)
        The probabilities.

    Returns
    -------
    std, lower, upper : (cells,) float
        In the order of the stored cells; NaN where fewer than two subjects voted (or were asked).
    """
    whole_number("n_resamples", n_resamples, 2)
    confidence = between_zero_and_one("level", level)
    n_subjects = len(votes.named("resampled"))
    if n_subjects < 2:
        raise DataError("resampling subjects needs at least two of them; there is one")
    seed = np.random.SeedSequence(entropy_of(rng))
    weight, draws, _ = subject_resamples(n_subjects, n_resamples, seed)
    yes, mass = _weights_by_subject(votes, cells)
    subjects = np.diff(mass.indptr)  # (cells,): how many voted, or were asked
    std = _standard_deviations(cells.data, (yes, mass), weight, draws)
    std *= np.sqrt(subjects / np.maximum(subjects - 1, 1))
    std[subjects < 2] = np.nan
    return std, *_interval(cells.data, std, subjects, confidence)


def _interval(p: Floats, std: Floats, subjects: Ints, level: float) -> tuple[Floats, Floats]:
    """Clopper and Pearson's interval for the number of independent subjects with this error."""
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


def _standard_deviations(
    p: Floats, tables: tuple[Any, Any], weight: Floats, draws: Floats
) -> Floats:
    """Standard deviation of each p over resamples, of which each has a weight: (cells,)."""
    yes, mass = tables
    std, lost = np.empty(len(p)), 0
    step = max(1, _NUMBERS // len(draws))
    for start in range(0, len(std), step):
        part = slice(start, start + step)
        top, bottom = yes[part] @ draws.T, mass[part] @ draws.T  # (cells, resamples)
        share = np.repeat(p[part, None], len(draws), axis=1)  # p itself where no vote is left
        np.divide(top, bottom, out=share, where=bottom > 0)
        lost += int((bottom <= 0).sum())
        share -= p[part, None]  # exactly 0 where all agree
        mean = share @ weight
        std[part] = np.sqrt((share - mean[:, None]) ** 2 @ weight)
    if lost:
        warn(
            f"no vote left in a resample for {lost:,} of "
            f"{counted(len(p) * len(draws), 'probability')}, as few "
            "subjects judged "
            "the item; these are left unchanged there, so that errors are too small",
            LostVotesWarning,
        )
    return std


def _weights_by_subject(votes: Votes, cells: Any) -> tuple[Any, Any]:
    """Each subject's part of the numerator and the denominator of p: both (cells, subjects)."""
    from scipy.sparse import csr_array

    n_labels = len(votes.taxonomy)
    key = cells.row.astype(np.int64) * n_labels + cells.col
    order = np.argsort(key)
    shape = (len(key), len(votes.named("resampled")))
    ancestors = ancestor_matrix(votes.taxonomy)

    def table(item: Ints, subject: Ints, sets: LabelSets, label_set: Ints) -> Any:
        reached = (sets.members(n_labels) @ ancestors).tocsr()
        ballot, member = ragged(reached.indptr, label_set)
        ballot_key = item[ballot] * n_labels + reached.indices[member]
        place = np.searchsorted(key, ballot_key, sorter=order)
        cell = order[np.minimum(place, len(key) - 1)]
        is_cell = key[cell] == ballot_key
        coordinates = (cell[is_cell], subject[ballot[is_cell]])
        return csr_array((votes.weight[ballot[is_cell]], coordinates), shape=shape)

    yes = table(votes.item, votes.subject, votes.sets, votes.label_set)
    asked = votes.asked
    if asked is not None:
        return yes, table(asked.item, asked.subject, asked.sets, asked.label_set)
    of_item = csr_array(
        (votes.weight, (votes.item, votes.subject)), shape=(len(votes.items), shape[1])
    )
    return yes, of_item[cells.row]
