"""Shares of votes in each category: estimates, their errors, and how far voters agree."""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzzytruth._lazy import sparse, stats
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core import validation
from fuzzytruth.core.arithmetic import ragged, run_lengths
from fuzzytruth.core.clusters import subject_resamples
from fuzzytruth.core.randomness import entropy_of
from fuzzytruth.core.shares import GroupedBallots, LabelSets, Slots, pair_agreement, slot_totals
from fuzzytruth.data.taxonomy import Taxonomy
from fuzzytruth.data.votes import Votes
from fuzzytruth.errors import DataError, LostVotesWarning, OptionError, counted, require, warn


def ancestor_matrix(taxonomy: Taxonomy) -> Any:
    """Each category's ancestors and itself, as a sparse array of ones: (categories, categories)."""
    ones = np.ones(len(taxonomy.ancestor_of))
    n = len(taxonomy)
    return sparse.csr_array((ones, taxonomy.ancestor_of, taxonomy.ancestor_offsets), shape=(n, n))


def subtree_weights(
    item: Ints, label_set: Ints, weight: Floats, sets: LabelSets, ancestors: Any, n_items: int
) -> Any:
    """Weight of each item's ballots with a label in each subtree: (items, categories), sparse."""
    reached = sets.members(ancestors.shape[0]) @ ancestors  # (sets, categories)
    reached.data[:] = 1.0  # a ballot counts once, however many of its labels lie in the subtree
    of_sets = sparse.csr_array((weight, (item, label_set)), shape=(n_items, len(sets)))
    weights = (of_sets @ reached).tocsr()
    weights.sort_indices()
    return weights


def shares_of_votes(votes: Votes) -> tuple[Any, Any]:
    """Share of each item's votes in each subtree, and its denominator: (items, categories), sparse.

    The denominator is the weight of those asked; None: of all votes of the item.
    """
    n_items = len(votes.items)
    share = weights_of(votes, votes)
    if votes.asked is None:
        total = np.bincount(votes.item, weights=votes.weight, minlength=n_items)
        share.data /= np.repeat(total, np.diff(share.indptr))
        return share, None
    # Asked ballots are those of the votes, in the same order, and have their weights.
    mass = weights_of(votes, votes.asked)
    return divide_entries(share, mass), mass


def weights_of(votes: Votes, ballots: Votes | GroupedBallots, *, named: bool = False) -> Any:
    """See `subtree_weights`; ballots are those of the votes, or those that were asked."""
    tree, n_items = votes.taxonomy, len(votes.items)
    ancestors = sparse.eye_array(len(tree), format="csr") if named else ancestor_matrix(tree)
    of_ballots = (ballots.item, ballots.label_set, votes.weight, ballots.sets)
    return subtree_weights(*of_ballots, ancestors, n_items)


def entries_at(table: Any, row: Ints, column: Ints) -> Floats:
    """The entries of a sparse array at some cells: (cells,)."""
    if not len(row):
        return np.empty(0)
    return np.asarray(table.tocsr()[row, column], dtype=np.float64).ravel()


def divide_entries(numerator: Any, denominator: Any) -> Any:
    """Divide sparse arrays entry by entry; the denominator is above 0 where the numerator is."""
    inverse = denominator.copy()
    inverse.data = 1.0 / inverse.data
    quotient = (numerator * inverse).tocsr()  # entry by entry
    quotient.sort_indices()
    return quotient


# How often subjects agree on an item, with each other or with themselves.


def vote_agreement(votes: Votes, slots: Slots) -> Floats:
    """Share of the pairs of an item's voters who agree; see `Membership.agreement`: (items,)."""
    _check_voters(votes)
    if votes.subjects is None:
        return pair_agreement(slot_totals(slots, votes.weight))
    part = 1.0 / run_lengths(_cells_of(votes))  # of the subject's vote on the item
    key, which = np.unique(
        slots.of_ballot * len(votes.subjects) + votes.subject, return_inverse=True
    )
    given = np.bincount(which.reshape(-1), weights=part).astype(np.float64)
    given_to = Slots(slots.option, key // len(votes.subjects))
    return pair_agreement(slot_totals(given_to, given), slot_totals(given_to, given**2))


def category_agreement(votes: Votes) -> Floats:
    """Specific agreement of each category; see `Membership.category_agreement`: (categories,)."""
    _check_voters(votes)
    n_items = len(votes.items)
    if votes.subjects is None:  # each person gave one category
        given = weights_of(votes, votes)
        voters, squares = np.bincount(votes.item, weights=votes.weight, minlength=n_items), given
    else:
        cells, cell = np.unique(_cells_of(votes), return_inverse=True)
        item = cells // len(votes.subjects)
        part = 1.0 / run_lengths(_cells_of(votes))
        of_ballots = (cell.reshape(-1), votes.label_set, part, votes.sets)
        of_cells = subtree_weights(*of_ballots, ancestor_matrix(votes.taxonomy), len(cells))
        where = item, np.arange(len(item))
        add = sparse.csr_array((np.ones(len(item)), where), (n_items, len(item)))
        given, squares = add @ of_cells, add @ of_cells.power(2)
        voters = np.bincount(item, minlength=n_items)
    same = np.asarray((given.power(2) - squares).sum(axis=0)).ravel()
    pairs: Floats = given.T @ (voters - 1.0)
    out = np.full(len(votes.taxonomy), np.nan)
    np.divide(same, pairs, out=out, where=pairs > 0)
    return out


def _cells_of(votes: Votes) -> Ints:
    """A number for each pair of an item and a subject, ascending: (ballots,)."""
    assert votes.subjects is not None
    return votes.item * len(votes.subjects) + votes.subject


def _check_voters(votes: Votes) -> None:
    """Raise unless votes are those of people."""
    if votes.subjects is None and not votes.are_counts:
        raise DataError(
            "agreement: probabilities do not say how many people voted; give numbers of votes, in "
            "a column count"
        )


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
    validation.whole_number("n_resamples", n_resamples, 2)
    confidence = validation.between_zero_and_one("level", level)
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
    n = subjects.astype(np.float64)
    np.divide(p * (1 - p), std**2, out=n, where=(std > 0) & (p < 1))
    n = np.minimum(n, subjects)
    hits, tail = p * n, (1 - level) / 2
    lower = np.where(hits > 0, stats.beta.ppf(tail, np.maximum(hits, 1e-12), n - hits + 1), 0.0)
    rest = np.maximum(n - hits, 1e-12)
    upper = np.where(n - hits > 1e-9, stats.beta.ppf(1 - tail, hits + 1, rest), 1.0)
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
        return sparse.csr_array((votes.weight[ballot[is_cell]], coordinates), shape=shape)

    yes = table(votes.item, votes.subject, votes.sets, votes.label_set)
    asked = votes.asked
    if asked is not None:
        return yes, table(asked.item, asked.subject, asked.sets, asked.label_set)
    of_item = sparse.csr_array(
        (votes.weight, (votes.item, votes.subject)), shape=(len(votes.items), shape[1])
    )
    return yes, of_item[cells.row]


# Posterior of membership probabilities, given a prior and votes.


_MOST = 1e12  # prior votes


def prior_votes(taxonomy: Taxonomy, prior: float | tuple[float, float]) -> tuple[Floats, Floats]:
    """Prior votes for and against each category; see `Membership.posterior`."""
    n = len(taxonomy)
    if (validation.numbers("prior", prior) > _MOST).any():
        raise OptionError(f"prior={prior!r}: must be {_MOST:g} or less")
    if isinstance(prior, tuple):
        a, b = (validation.number("prior", part) for part in prior)
        require("prior", prior, a > 0 and b > 0, "both numbers must be above 0")
        return np.full(n, a), np.full(n, b)
    weight = validation.number("prior", prior)
    require("prior", prior, weight > 0, "must be above 0")
    above = weight * np.diff(taxonomy.descendant_offsets) / n
    return above, weight - above


def credible_intervals(a: Floats, b: Floats, level: float) -> tuple[Floats, Floats, Floats]:
    """Mean and central interval of Beta(a, b); 1 where b is 0."""
    tail = (1 - validation.probability("level", level)) / 2
    certain = b <= 0
    b = np.where(certain, 1.0, b)
    mean = np.where(certain, 1.0, a / (a + b))
    lower = np.where(certain, 1.0, stats.beta.ppf(tail, a, b))
    upper = np.where(certain, 1.0, stats.beta.ppf(1 - tail, a, b))
    return mean, lower, upper
