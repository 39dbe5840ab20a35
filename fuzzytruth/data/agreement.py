"""How often subjects agree on an item, with each other or with themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.segments import run_lengths
from fuzzytruth.core.shares import Slots, pair_agreement, slot_totals
from fuzzytruth.data.repeats import agreement_of_repeats
from fuzzytruth.data.subtree_weights import ancestor_matrix, csr_of_ones, subtree_weights
from fuzzytruth.data.votes import Votes
from fuzzytruth.errors import DataError
from fuzzytruth.io.arrow import take

if TYPE_CHECKING:
    import pandas as pd


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
    ancestors, n_items = ancestor_matrix(votes.taxonomy), len(votes.items)
    if votes.subjects is None:  # each person gave one category
        given = subtree_weights(
            votes.item, votes.label_set, votes.weight, votes.sets, ancestors, n_items
        )
        voters, squares = np.bincount(votes.item, weights=votes.weight, minlength=n_items), given
    else:
        cells, cell = np.unique(_cells_of(votes), return_inverse=True)
        item = cells // len(votes.subjects)
        part = 1.0 / run_lengths(_cells_of(votes))
        of_cells = subtree_weights(
            cell.reshape(-1), votes.label_set, part, votes.sets, ancestors, len(cells)
        )
        add = csr_of_ones(item, n_items)
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
            "agreement: probabilities do not say how many people voted; give numbers of votes "
            "(Assignments.from_counts)"
        )


def self_agreement(votes: Votes) -> pd.DataFrame:
    """Share of agreeing pairs of repetitions by subject; see `Assignments.self_agreement`."""
    subjects = votes.named("self_agreement")
    if votes.repeats is None:
        raise DataError(
            "self_agreement: no subject judged an item repeatedly; name the repetitions in a "
            "column 'repeat'"
        )
    return agreement_of_repeats(
        take(subjects, votes.subject),
        [take(votes.items, votes.item)],
        votes.label_set.astype(np.float64),
    )
