"""Lists with unjudged items, and ways to judge these: all, or of long lists the extremes."""

import itertools
import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from fuzzytruth.core.lists.measure_bounds import Ends, OpenLists


class Case(NamedTuple):
    """Items by rank, True if relevant, None if unjudged; and numbers of items not in the list."""

    ranked: tuple[bool | None, ...]
    missed: int = 0
    wrong: int = 0
    outside: int = 0


class Completion(NamedTuple):
    """One way to judge everything."""

    ranked: tuple[bool, ...]
    n_relevant: int
    n_nonrelevant: int


def cases(number: int, longest: int = 8) -> list[Case]:
    """Random cases; up to 7 unjudged items in a list of at most 8 ranks."""
    rng = random.Random(number)
    long = longest > 8
    kinds = [(True, False, None), (True, None), (False, None, None), (True, False, False, False)]
    out = []
    while len(out) < number:
        some = rng.choice(kinds)
        ranked = tuple(rng.choice(some) for _ in range(rng.randrange(longest + 1)))
        if long or ranked.count(None) <= 7:
            outside = rng.choice([0, 9, 90] if long else [0, 0, 1, 2, 5, 9])
            out.append(Case(ranked, rng.randrange(4), rng.choice([0, 1, 3]), outside))
    return out


def completions(case: Case) -> Iterator[Completion]:
    """All ways to judge the unjudged items of a short list; of those outside, only the number."""
    places = [j for j, item in enumerate(case.ranked) if item is None]
    chosen = [new for n in range(len(places) + 1) for new in itertools.combinations(places, n)]
    for new in chosen:
        for outside in range(case.outside + 1):
            yield completed(case, new, outside)


def placed(case: Case) -> Iterator[Completion]:
    """For each number of new relevant items: the best placed ones, and the worst placed ones."""
    places = [j for j, item in enumerate(case.ranked) if item is None]
    for number in range(len(places) + case.outside + 1):
        end = places[len(places) - max(0, number - case.outside) :]
        for new in (places[:number], end):
            yield completed(case, new, number - len(new))


def completed(case: Case, new: list[int] | tuple[int, ...], outside: int) -> Completion:
    ranked = tuple(item is True or j in new for j, item in enumerate(case.ranked))
    n_relevant = sum(ranked) + case.missed + outside
    n_items = len(ranked) + case.missed + case.wrong + case.outside
    return Completion(ranked, n_relevant, n_items - n_relevant)


def open_lists(several: list[Case]) -> OpenLists:
    """The cases side by side."""
    width = max(len(case.ranked) for case in several)
    padded = [case.ranked + (False,) * (width - len(case.ranked)) for case in several]
    return OpenLists(
        np.array([[item is True for item in ranked] for ranked in padded]),
        np.array([[item is None for item in ranked] for ranked in padded]),
        np.array([case.ranked.count(True) + case.missed for case in several]),
        np.array([case.ranked.count(False) + case.wrong for case in several]),
        np.array([case.outside for case in several]),
        np.array([len(case.ranked) for case in several]),
    )


def check(
    bounds: Callable[[OpenLists], Ends],
    value: Callable[[Completion], float],
    short: int = 150,
    long: int = 30,
) -> None:
    """Hold bounds against the least and largest value of the completions."""
    for several, ways in ((cases(short), completions), (cases(long, 40), placed)):
        low, high = bounds(open_lists(several))
        for j, case in enumerate(several):
            values = [value(completion) for completion in ways(case)]
            found, ends = (low[j], high[j]), (min(values), max(values))
            np.testing.assert_allclose(found, ends, rtol=0, atol=1e-12, err_msg=str(case))
