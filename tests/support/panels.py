"""Panels of people with votes of a known structure: tables (items, people), -1 where missing."""

import numpy as np

import fuzzytruth as ft
from fuzzytruth._typing import Ints

Rng = np.random.Generator


def independent(rng: Rng, n_items: int = 60, n_people: int = 20, n_values: int = 4) -> Ints:
    """Votes that depend on the item alone."""
    chance = rng.dirichlet(np.full(n_values, 0.6), n_items)
    return np.array([rng.choice(n_values, n_people, p=p) for p in chance])


def communities(
    rng: Rng, sizes: tuple[int, ...], n_items: int = 60, n_values: int = 4, sure: float = 0.9
) -> Ints:
    """Groups, each with an answer of its own to every item, given with probability `sure`."""
    group = np.repeat(np.arange(len(sizes)), sizes)
    answer = rng.integers(n_values, size=(n_items, len(sizes)))[:, group]
    other = rng.integers(n_values, size=answer.shape)
    return np.where(rng.random(answer.shape) < sure, answer, other)


def severe(rng: Rng, n_items: int = 80, n_people: int = 20, spread: float = 1.0) -> Ints:
    """Yes or no, by a Rasch model: people differ in how often they say yes."""
    logit = rng.normal(0, 1.5, (n_items, 1)) + rng.normal(0, spread, n_people)
    return (rng.random(logit.shape) < 1 / (1 + np.exp(-logit))).astype(np.int64)


def experts(rng: Rng, n_items: int = 60, n_people: int = 20, n_values: int = 4) -> Ints:
    """Half of the people know most answers, the others guess more often."""
    sure = np.where(np.arange(n_people) < n_people // 2, 0.95, 0.4)
    answer, guess = (rng.integers(n_values, size=(n_items, n)) for n in (1, n_people))
    return np.where(rng.random(guess.shape) < sure, answer, guess)


def with_copy(rng: Rng, votes: Ints, share: float = 0.9) -> Ints:
    """The last person copies most votes of the first."""
    votes = votes.copy()
    copied = rng.random(len(votes)) < share
    votes[copied, -1] = votes[copied, 0]
    return votes


def incomplete(rng: Rng, votes: Ints, share: float = 0.5) -> Ints:
    """Some votes missing at random."""
    return np.where(rng.random(votes.shape) < share, -1, votes)


def assignments(votes: Ints) -> ft.Assignments:
    """The same as votes of p00, p01, ... for categories on i000, i001, ..."""
    item, person = np.nonzero(votes >= 0)
    return ft.Assignments.from_columns(
        [f"p{p:02}" for p in person],
        [f"i{i:03}" for i in item],
        [f"c{v}" for v in votes[item, person]],
    )
