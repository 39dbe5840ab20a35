"""A pool in which nobody left out an item of a query that they judged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.segments import ragged
from fuzzytruth.truth.pairs.pool import Pool
from fuzzytruth.truth.pairs.votes import PairVotes, votes_of


def filled(pool: Pool) -> Pool:
    """The same pool with a vote of grade 0 for each missing judgment.

    As large as a table of the cells and the judged items of their queries.
    """
    votes, n_subjects = pool.votes, len(pool.subjects or ("",))
    cell, pair = ragged(pool.offsets, pool.cells.query)
    subject = pool.cells.subject_codes[cell]
    absent = ~np.isin(pair * n_subjects + subject, votes.pair * n_subjects + votes.subject)
    pair, subject = pair[absent], subject[absent]
    weight = np.full(len(pair), _weight_of_subject(votes))
    more = votes_of(
        np.concatenate((votes.pair, pair)),
        np.concatenate((votes.subject, subject)),
        np.concatenate((votes.grade, np.zeros(len(pair)))),
        n_pairs=len(pool.item),
        weight=np.concatenate((_weights(votes), weight)),
        kind=_kinds(pool, len(pair)),
    )
    return replace(pool, votes=more)


def _kinds(pool: Pool, n_more: int) -> Ints | None:
    """Sets of grades by intent, with as many empty ones after them; None without intents."""
    if pool.votes.kind is None or pool.sets is None:
        return None
    return np.concatenate((pool.votes.kind, np.full(n_more, pool.sets.empty)))


def _weights(votes: PairVotes) -> Floats:
    return np.ones(len(votes)) if votes.weight is None else votes.weight


def _weight_of_subject(votes: PairVotes) -> float:
    """The weight of all votes of one subject on one pair, the same for each."""
    of_first = (votes.pair == votes.pair[0]) & (votes.subject == votes.subject[0])
    return float(_weights(votes)[of_first].sum())
