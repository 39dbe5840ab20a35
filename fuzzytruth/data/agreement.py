"""How often subjects agree on an item, with each other or with themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.segments import run_lengths
from fuzzytruth.core.shares import Slots, pair_agreement, slot_totals
from fuzzytruth.data.repeats import agreement_of_repeats
from fuzzytruth.data.votes import Votes
from fuzzytruth.errors import DataError
from fuzzytruth.io.arrow import take

if TYPE_CHECKING:
    import pandas as pd


def vote_agreement(votes: Votes, slots: Slots) -> Floats:
    """Share of the pairs of an item's voters who agree; see `Membership.agreement`: (items,)."""
    if votes.subjects is None and not votes.are_counts:
        raise DataError(
            "agreement: probabilities do not say how many people voted; give numbers of votes "
            "(Assignments.from_counts)"
        )
    if votes.subjects is None:
        return pair_agreement(slot_totals(slots, votes.weight))
    pair = votes.item * len(votes.subjects) + votes.subject
    part = 1.0 / run_lengths(pair)  # of the subject's vote on the item
    key, which = np.unique(
        slots.of_ballot * len(votes.subjects) + votes.subject, return_inverse=True
    )
    given = np.bincount(which.reshape(-1), weights=part).astype(np.float64)
    given_to = Slots(slots.option, key // len(votes.subjects))
    return pair_agreement(slot_totals(given_to, given), slot_totals(given_to, given**2))


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
