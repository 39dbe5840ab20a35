"""Votes for categories, row by row, grouped into ballots."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.label_sets import group_ballots
from fuzzytruth.core.segments import run_lengths
from fuzzytruth.data.vote_columns import VoteColumns, check_one_weight
from fuzzytruth.data.votes import Asked, Repeats, Votes
from fuzzytruth.errors import DataError, counted, shown
from fuzzytruth.io.ids import encode

if TYPE_CHECKING:
    import pyarrow as pa

    from fuzzytruth.data.taxonomy.taxonomy import Taxonomy

V = TypeVar("V", bound=Votes)


def group_votes(
    kind: type[V],
    taxonomy: Taxonomy,
    items: pa.LargeStringArray,
    subjects: pa.LargeStringArray,
    item: NDArray[np.integer],
    subject: NDArray[np.integer],
    label: Ints,
    weight: Floats,
    *,
    asked: Asked | None = None,
    repeats: tuple[NDArray[np.integer], pa.LargeStringArray] | None = None,
) -> V:
    """Group rows (item, subject, label), given as codes, into ballots."""
    n_repeats = 1 if repeats is None else len(repeats[1])
    voter = subject.astype(np.int64) * n_repeats + (0 if repeats is None else repeats[0])
    ballots = group_ballots(item.astype(np.int64), voter, label)
    who, which = np.divmod(ballots.subject, n_repeats)
    check_one_weight(replace(ballots, subject=who), item, subject, weight, items, subjects)
    weights, repetitions = weight[ballots.first_row], None
    if repeats is not None:
        repetitions = Repeats(repeats[1], which, weights)
        weights = weights / run_lengths(ballots.item * len(subjects) + who)
    return kind(
        taxonomy,
        items,
        subjects,
        ballots.item,
        who,
        ballots.label_set,
        weights,
        ballots.sets,
        asked,
        repetitions,
    )


def group_asked_votes(
    kind: type[V],
    votes: VoteColumns,
    label: Ints,
    weight: Floats,
    asked: VoteColumns,
    taxonomy: Taxonomy,
) -> V:
    """Group votes into ballots; whoever was asked has one, possibly empty."""
    import pyarrow as pa

    asked_label = asked.labels(taxonomy)
    item, items = encode(pa.concat_arrays([asked.item, votes.item]))
    subject, subjects = encode(pa.concat_arrays([asked.subject, votes.subject]))
    n_asked = len(asked_label)
    asked_ballots = group_ballots(
        item[:n_asked].astype(np.int64), subject[:n_asked].astype(np.int64), asked_label
    )
    pairs = (item.astype(np.int64) * len(subjects) + subject) * len(taxonomy)
    unasked = np.flatnonzero(~np.isin(pairs[n_asked:] + label, pairs[:n_asked] + asked_label))
    if len(unasked):
        raise _not_asked(votes, unasked)
    # A row without category for each asked ballot, of the weight of its votes, if it has any.
    ballot = asked_ballots.item * len(subjects) + asked_ballots.subject
    ballot_of_vote = item[n_asked:].astype(np.int64) * len(subjects) + subject[n_asked:]
    ballot_weight = np.ones(len(ballot))
    ballot_weight[np.searchsorted(ballot, ballot_of_vote)] = weight
    return group_votes(
        kind,
        taxonomy,
        items,
        subjects,
        np.concatenate((item[n_asked:], asked_ballots.item)),
        np.concatenate((subject[n_asked:], asked_ballots.subject)),
        np.concatenate((label, np.full(len(ballot), -1))),
        np.concatenate((weight, ballot_weight)),
        asked=Asked(
            asked_ballots.item,
            asked_ballots.subject,
            asked_ballots.label_set,
            asked_ballots.sets,
        ),
    )


def _not_asked(votes: VoteColumns, rows: Ints) -> DataError:
    """The error of votes by subjects who were not asked about the category."""
    row = int(rows[0])
    subject, item, category = (
        shown(column[row].as_py()) for column in (votes.subject, votes.item, votes.category)
    )
    return DataError(
        f"{votes.locate(row)}: subject {subject} gives item {item} the category {category}, but "
        f"was not asked about it ({counted(len(rows), 'such row')}); add them to asked or "
        "remove the votes"
    )
