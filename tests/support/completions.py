"""Small lists with unjudged items, and all ways to judge these."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from fuzzytruth.core.lists.measure_bounds import Ends, OpenLists


class Case(NamedTuple):
    """Items by rank, True if relevant, None if unjudged; and numbers of items not in the list."""

    ranked: tuple[bool | None, ...]
    missed: int
    wrong: int
    outside: int


class Completion(NamedTuple):
    """One way to judge everything."""

    ranked: tuple[bool, ...]
    n_relevant: int
    n_nonrelevant: int


def cases(number: int, seed: int, longest: int = 8) -> list[Case]:
    """Random cases with at most 7 unjudged items in the list."""
    rng = random.Random(seed)
    out = []
    while len(out) < number:
        kinds = rng.choice([(True, False, None), (True, None), (False, None, None)])
        ranked = tuple(rng.choice(kinds) for _ in range(rng.randrange(longest + 1)))
        if ranked.count(None) <= 7:
            more = rng.randrange(3), rng.randrange(4), rng.choice([0, 0, 1, 2, 5, 9])
            out.append(Case(ranked, *more))
    return out


def completions(case: Case) -> Iterator[Completion]:
    """All ways to judge the unjudged items; of those outside, only the number matters."""
    n_open = case.ranked.count(None)
    for judged in itertools.product((False, True), repeat=n_open):
        new = iter(judged)
        ranked = tuple(next(new) if item is None else item for item in case.ranked)
        for relevant in range(case.outside + 1):
            n_relevant = sum(ranked) + case.missed + relevant
            n_items = len(ranked) + case.missed + case.wrong + case.outside
            yield Completion(ranked, n_relevant, n_items - n_relevant)


def open_lists(several: list[Case]) -> OpenLists:
    """The cases side by side."""
    width = max(len(case.ranked) for case in several)
    padded = [case.ranked + (False,) * (width - len(case.ranked)) for case in several]
    listed = np.array([case.ranked.count(True) for case in several])
    judged_wrong = np.array([case.ranked.count(False) for case in several])
    return OpenLists(
        np.array([[item is True for item in ranked] for ranked in padded]),
        np.array([[item is None for item in ranked] for ranked in padded]),
        listed + [case.missed for case in several],
        judged_wrong + [case.wrong for case in several],
        np.array([case.outside for case in several]),
        np.array([len(case.ranked) for case in several]),
    )


def check(
    bounds: Callable[[OpenLists], Ends], value: Callable[[Completion], float], number: int = 300
) -> None:
    """Hold bounds against the least and largest value of all completions."""
    several = cases(number, seed=number)
    low, high = bounds(open_lists(several))
    for j, case in enumerate(several):
        values = [value(completion) for completion in completions(case)]
        np.testing.assert_allclose(low[j], min(values), rtol=0, atol=1e-12, err_msg=str(case))
        np.testing.assert_allclose(high[j], max(values), rtol=0, atol=1e-12, err_msg=str(case))


def long_cases(number: int, seed: int) -> list[Case]:
    """Random cases of up to 40 ranks, and up to 90 unjudged items outside the list."""
    rng = random.Random(seed)
    out = []
    for _ in range(number):
        kinds = rng.choice([(True, False, None), (True, False, False, False), (None, None, False)])
        ranked = tuple(rng.choice((*kinds, None)) for _ in range(rng.randrange(41)))
        out.append(Case(ranked, rng.randrange(6), rng.choice([0, 3, 60]), rng.choice([0, 9, 90])))
    return out


def placed(case: Case) -> Iterator[Completion]:
    """For each number of new relevant items: the best placed ones, and the worst placed ones."""
    places = [j for j, item in enumerate(case.ranked) if item is None]
    n_items = len(case.ranked) + case.missed + case.wrong + case.outside
    for number in range(len(places) + case.outside + 1):
        top = places[:number]
        end = places[len(places) - max(0, number - case.outside) :]
        for new in (top, end):
            ranked = tuple(item is True or j in new for j, item in enumerate(case.ranked))
            n_relevant = case.ranked.count(True) + case.missed + number
            yield Completion(ranked, n_relevant, n_items - n_relevant)


def check_long(
    bounds: Callable[[OpenLists], Ends], value: Callable[[Completion], float], number: int = 60
) -> None:
    """Hold bounds against all numbers of relevant items, best and worst placed."""
    several = long_cases(number, seed=number)
    low, high = bounds(open_lists(several))
    for j, case in enumerate(several):
        values = [value(completion) for completion in placed(case)]
        np.testing.assert_allclose(low[j], min(values), rtol=0, atol=1e-12, err_msg=str(case))
        np.testing.assert_allclose(high[j], max(values), rtol=0, atol=1e-12, err_msg=str(case))
