"""Tests of keyed random numbers: uniform, and independent over ids, worlds and seeds.

python tests/support/keyed_battery.py

prints a table of p-values. Ids and seeds are neighbours: d1, d2, ... of q1, q2, ..., seeds 0 and 1.
"""

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from fuzzytruth.core.checksums import counters, keyed_bits, keys_of
from fuzzytruth.core.randomness import entropy_of
from fuzzytruth.io.columns import string_array
from fuzzytruth.io.ids import hash_ids

Bits = NDArray[np.uint32]
_CELLS = 16


def bits(seed: int, queries: list[str], items: list[str], n_worlds: int) -> Bits:
    """Numbers of every pair: (pairs, worlds), query by query."""
    query = np.repeat(hash_ids(string_array(queries)), len(items))
    item = np.tile(hash_ids(string_array(items)), len(queries))
    keys = keys_of(entropy_of(seed), query, item)
    counter = counters(np.zeros(1, np.uint64), n_worlds // 2).ravel()
    return np.concatenate([drawn.copy() for _, drawn in keyed_bits(keys, counter)])


def uniform(drawn: Bits) -> float:
    """Kolmogorov-Smirnov test against the uniform distribution."""
    return float(stats.kstest((drawn.ravel() + 0.5) / 2**32, "uniform").pvalue)


def even_bits(drawn: Bits) -> float:
    """Each of the 32 bits is set half of the time."""
    ones = [int(((drawn >> np.uint32(b)) & np.uint32(1)).sum()) for b in range(32)]
    z = (np.array(ones) - drawn.size / 2) / np.sqrt(drawn.size / 4)
    return float(stats.chi2.sf((z**2).sum(), 32))


def bit_pairs(drawn: Bits) -> float:
    """The bits of a number are independent, pair by pair."""
    each = ((drawn.ravel()[:, None] >> np.arange(32, dtype=np.uint32)) & np.uint32(1)) - 0.5
    above = np.triu_indices(32, 1)
    z = (each.T @ each)[above] / np.sqrt(len(each) / 16)
    return float(stats.chi2.sf((z**2).sum(), len(z)))


def independent(one: Bits, two: Bits) -> float:
    """Chi-square test of a table of the leading, and one of the trailing bits, of two numbers."""
    out = []
    for shift in (28, 0):
        a, b = ((x.ravel() >> np.uint32(shift)) & np.uint32(_CELLS - 1) for x in (one, two))
        table = np.bincount(a * _CELLS + b, minlength=_CELLS**2)
        out.append(float(stats.chisquare(table).pvalue))
    return float(stats.combine_pvalues(out).pvalue)


def uncorrelated(one: Bits, two: Bits) -> float:
    """Pearson's correlation of two numbers."""
    return float(stats.pearsonr(one.ravel() / 2**32, two.ravel() / 2**32).pvalue)


def flips(one: Bits, two: Bits) -> float:
    """Number of bits in which two numbers differ: binomial with 32 draws."""
    count = np.bitwise_count(one ^ two).ravel()
    low, high = 6, 26  # the rest is rare
    seen = np.bincount(np.clip(count, low, high), minlength=high + 1)[low:]
    p = stats.binom.pmf(np.arange(33), 32, 0.5)
    expected = np.concatenate(([p[: low + 1].sum()], p[low + 1 : high], [p[high:].sum()]))
    return float(stats.chisquare(seen, expected * count.size).pvalue)


def collisions(drawn: Bits) -> float:
    """Pairs of equal numbers of 32 bits: a Poisson number."""
    n = drawn.size
    equal = n - len(np.unique(drawn))
    mean = n * (n - 1) / 2 / 2**32
    tails = stats.poisson.sf(equal - 1, mean), stats.poisson.cdf(equal, mean)
    return min(1.0, 2 * float(min(tails)))


def row_sums(drawn: Bits) -> float:
    """Sums over worlds of each pair, and over pairs of each world, vary as of independent ones."""
    half = (drawn >> np.uint32(31)) - 0.5
    out = []
    for axis in (0, 1):
        z = half.sum(axis=axis) / np.sqrt(half.shape[axis] / 4)
        statistic = (z**2).sum()
        out += [stats.chi2.sf(statistic, len(z)), stats.chi2.cdf(statistic, len(z))]
    return min(1.0, 2 * len(out) / 2 * float(min(out)))


def battery(n_pairs: int = 1000, n_worlds: int = 1000) -> dict[str, float]:
    """p-values by what is tested."""
    queries = [f"q{j}" for j in range(1, 11)]
    items = [f"d{j}" for j in range(1, n_pairs // 10 + 1)]
    ids = [f"id{j}" for j in range(40)]
    drawn = bits(0, queries, items, n_worlds)
    other = bits(1, queries, items, n_worlds)
    by_query = drawn.reshape(10, -1, n_worlds)
    two_way = {
        "worlds 2j and 2j + 1": (drawn[:, ::2], drawn[:, 1::2]),
        "worlds j and j + 2": (drawn[:, :-2], drawn[:, 2:]),
        "items d1 and d2, ...": (by_query[:, :-1], by_query[:, 1:]),
        "queries q1 and q2, ...": (by_query[:-1], by_query[1:]),
        "seeds 0 and 1": (drawn, other),
        "item and query exchanged": (
            bits(0, ids[:20], ids[20:], n_worlds).reshape(20, 20, -1),
            bits(0, ids[20:], ids[:20], n_worlds).reshape(20, 20, -1).swapaxes(0, 1),
        ),
    }
    out = {
        "uniform": uniform(drawn),
        "uniform, seed 1": uniform(other),
        "bits": even_bits(drawn),
        "pairs of bits": bit_pairs(drawn),
        "equal numbers": collisions(drawn),
        "sums by pair and by world": row_sums(drawn),
        "sums by pair and by world, seed 1": row_sums(other),
    }
    for name, (one, two) in two_way.items():
        out[f"{name}: joint"] = independent(one, two)
        out[f"{name}: correlation"] = uncorrelated(one, two)
        out[f"{name}: bits that differ"] = flips(one, two)
    return out


def main() -> None:
    print("| test | p |\n|---|---|")
    for name, p in battery().items():
        print(f"| {name} | {p:.3f} |")


if __name__ == "__main__":
    main()
