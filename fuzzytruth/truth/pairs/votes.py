"""Votes on pairs of a query and an item, by coordinates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.segments import offsets_of


@dataclass(frozen=True, slots=True, eq=False)
class PairVotes:
    """The grades that subjects gave to pairs, sorted by pair, then subject.

    Parameters
    ----------
    pair : (votes,) int
        Which pair of a query and an item is judged.
    subject : (votes,) int
        Who judged it; 0 where the truth has no subjects.
    grade : (votes,) float
    chance : (votes,) float
        Probability of each vote when one of the pair's votes is drawn.
    offsets : (pairs + 1,) int
        Where each pair's votes start.
    position : (votes,) float or None
        Place of the item in the subject's own ranking; None where the truth has none.
    weight : (votes,) float or None
        Weight of each vote on its pair, up to a common factor; a subject's votes on a pair weigh
        the same in all. None: subjects vote once.
    kind : (votes,) int or None
        Which set of grades by intent each vote is, in `IntentSets`; None: the truth has no intents.
    """

    pair: Ints
    subject: Ints
    grade: Floats
    chance: Floats
    offsets: Ints
    position: Floats | None = None
    weight: Floats | None = None
    kind: Ints | None = None

    def __len__(self) -> int:
        return len(self.pair)

    def of_pairs(self, pairs: slice) -> PairVotes:
        """The votes on some consecutive pairs, which are counted from 0."""
        offsets = self.offsets[pairs.start : pairs.stop + 1]
        rows = slice(int(offsets[0]), int(offsets[-1]))
        return PairVotes(
            self.pair[rows] - pairs.start,
            self.subject[rows],
            self.grade[rows],
            self.chance[rows],
            offsets - offsets[0],
            None if self.position is None else self.position[rows],
            None if self.weight is None else self.weight[rows],
            None if self.kind is None else self.kind[rows],
        )

    @property
    def first_of_subject(self) -> Bools:
        """Which votes are the first of their subject on their pair: (votes,)."""
        first = np.ones(len(self), dtype=bool)
        first[1:] = (np.diff(self.pair) != 0) | (np.diff(self.subject) != 0)
        return first

    def once(self) -> PairVotes:
        """The first vote of each subject on each pair."""
        first = self.first_of_subject
        if first.all():
            return self
        position = None if self.position is None else self.position[first]
        kind = None if self.kind is None else self.kind[first]
        return votes_of(
            self.pair[first],
            self.subject[first],
            self.grade[first],
            n_pairs=len(self.offsets) - 1,
            position=position,
            kind=kind,
        )


def votes_of(
    pair: Ints,
    subject: Ints,
    grade: Floats,
    *,
    n_pairs: int,
    chance: Floats | None = None,
    position: Floats | None = None,
    weight: Floats | None = None,
    kind: Ints | None = None,
) -> PairVotes:
    """Sort votes by pair and subject; by default a pair's votes are equally probable.

    Parameters
    ----------
    pair, subject : (votes,) int
        Each combination once (or with `weight`, more often), and each of the `n_pairs` pairs at
        least once (`pool_of` checks it).
    grade : (votes,) float
    n_pairs : int
    chance : (votes,) float, optional
        Probability of each vote; those of a pair sum to 1.
    position : (votes,) float, optional
        Place of the item in the subject's own ranked list, from 1.
    weight : (votes,) float, optional
        See `PairVotes`; it gives the probabilities.
    kind : (votes,) int, optional
        See `PairVotes`.
    """
    key = pair * (int(subject.max(initial=0)) + 1) + subject
    is_sorted = bool((np.diff(key) >= 0).all())
    order = np.arange(len(key)) if is_sorted else np.argsort(key, kind="stable")
    pair = pair[order]
    weight = None if weight is None else weight[order]
    if chance is None:
        each = np.ones(len(pair)) if weight is None else weight
        total: Any = np.bincount(pair, weights=each, minlength=n_pairs)
        chance = each / total[pair]
    else:
        chance = chance[order]
    return PairVotes(
        pair,
        subject[order],
        grade[order],
        chance,
        offsets_of(np.bincount(pair, minlength=n_pairs)),
        None if position is None else position[order],
        weight,
        None if kind is None else kind[order],
    )
