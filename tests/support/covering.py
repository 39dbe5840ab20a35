"""Covering arrays: a few combinations of options in which each pair of values occurs."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np


def covering_array(factors: Mapping[str, Sequence[Any]], *, seed: int = 0) -> list[dict[str, Any]]:
    """Rows with a value of each factor, such that every pair of values stands in some row.

    Greedy: each row starts with a pair that is still missing, and takes of every other factor the
    value that adds most missing pairs. The order of factors and values is drawn for each row.
    """
    rng = np.random.default_rng(seed)
    sizes = [len(values) for values in factors.values()]
    missing = {
        ((a, i), (b, j))
        for a, b in itertools.combinations(range(len(sizes)), 2)
        for i, j in itertools.product(range(sizes[a]), range(sizes[b]))
    }
    rows = []
    while missing:
        chosen = dict(sorted(missing)[int(rng.integers(len(missing)))])
        for factor in rng.permutation(len(sizes)).tolist():
            if factor not in chosen:
                added = [
                    sum(pair in missing for pair in _pairs({**chosen, factor: value}))
                    for value in range(sizes[factor])
                ]
                best = np.flatnonzero(np.array(added) == max(added))
                chosen[factor] = int(rng.choice(best))
        missing -= set(_pairs(chosen))
        rows.append({name: factors[name][chosen[f]] for f, name in enumerate(factors)})
    return rows


def _pairs(chosen: Mapping[int, int]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    return list(itertools.combinations(sorted(chosen.items()), 2))
