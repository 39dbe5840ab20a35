"""Groups of subjects from their votes, by hand and simulated at reduced size."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster, linkage

from fuzzytruth._typing import Ints
from fuzzytruth.stats.vote_groups import (
    Affinity,
    CrossFit,
    adjusted_rand,
    grouped,
    proved,
    random_halves,
    vote_groups,
)
from fuzzytruth.stats.vote_structure import VotePattern, conditional_draws, permuted

RNG = np.random.default_rng


def pattern_of(votes: Ints) -> VotePattern:
    """Votes (items, subjects); -1: none."""
    item, who = np.nonzero(votes >= 0)
    return VotePattern.of(item, who, votes[item, who], votes.shape[1])


def panel(n_groups: int, rng: np.random.Generator, *, items: int = 60, people: int = 20) -> Ints:
    """Each group votes for a category of its own, but for a tenth of votes that are random."""
    readings = rng.permuted(np.tile(np.arange(8), (items, 1)), axis=1)
    votes = readings[:, np.arange(people) % n_groups]
    return np.where(rng.random(votes.shape) < 0.1, rng.integers(0, 8, votes.shape), votes)


def found(votes: Ints, *, draws: int = 39, seed: int = 0, centred: bool = False):  # type: ignore[no-untyped-def]
    pattern, rng = pattern_of(votes), RNG(seed)
    drawn = conditional_draws(pattern, draws, 2, rng)
    splits = random_halves(np.arange(pattern.n_units), 5, rng)
    return vote_groups(pattern, drawn, splits, np.zeros((votes.shape[1],) * 2), centred=centred)


def test_adjusted_rand_is_that_of_pairs_counted_one_by_one() -> None:
    rng = RNG(1)
    for _ in range(20):
        one, other = rng.integers(0, 3, (2, 9))
        pairs = [(a, b) for a in range(9) for b in range(a)]
        x, y = (np.array([g[a] == g[b] for a, b in pairs]) for g in (one, other))
        expected = x.sum() * y.sum() / len(pairs)
        most = (x.sum() + y.sum()) / 2
        want = ((x & y).sum() - expected) / (most - expected)
        assert adjusted_rand(one, other) == pytest.approx(want)
    assert adjusted_rand(np.array([5, 5, 7]), np.array([0, 0, 1])) == 1
    assert adjusted_rand(np.zeros(4, int), np.zeros(4, int)) == 1


def test_groups_are_those_of_average_linkage() -> None:
    rng = RNG(2)
    z = rng.normal(size=(6, 12, 12))
    z = z + z.swapaxes(1, 2)
    labels = grouped(z, range(2, 6))
    for one, of_draw in zip(z, labels, strict=True):
        tree = linkage(one.max() - one[np.triu_indices(12, 1)], "average")
        for k, label in zip(range(2, 6), of_draw, strict=True):
            assert len(np.unique(label)) == k
            assert adjusted_rand(label, fcluster(tree, k, "maxclust")) == 1


def test_halves_keep_clusters_together() -> None:
    cluster = np.repeat(np.arange(7), [3, 1, 2, 5, 1, 1, 4])
    first = random_halves(cluster, 9, RNG(3))
    sizes = [len(np.unique(cluster[split])) for split in first]
    assert sizes == [3] * 9
    assert all(len(np.unique(split[cluster == c])) == 1 for split in first for c in range(7))
    assert len(np.unique(first, axis=0)) > 1


@pytest.mark.parametrize("centred", [False, True])
def test_modularity_counts_agreements_on_the_other_half(centred: bool) -> None:
    rng = RNG(4)
    votes = np.where(rng.random((24, 8)) < 0.2, -1, panel(2, rng, items=24, people=8))
    pattern = pattern_of(votes)
    draws = np.concatenate([pattern.option[None], permuted(pattern, 5, rng)])
    split = random_halves(np.arange(pattern.n_units), 2, rng)
    fit = CrossFit.of(pattern, draws, split, range(2, 4), centred=centred)
    for d in range(len(draws)):
        total = np.zeros(2)
        for first in split:
            sides = [excess_by_hand(pattern, draws, units, centred) for units in (first, ~first)]
            n_shared = sum(side[2].sum() for side in sides)
            for (_, z, _), (x, _, _) in (sides, sides[::-1]):
                for j, label in enumerate(grouped(z[d][None], range(2, 4))[0]):
                    total[j] += x[d][label[:, None] == label].sum() / n_shared
        assert fit.modularity[d] == pytest.approx(total / 2)
    gain = fit.modularity - fit.modularity.mean(0)
    most = gain[1:].max(1)
    assert fit.p == pytest.approx([(1 + (most >= g - 1e-9).sum()) / 6 for g in gain[0]])


def excess_by_hand(pattern: VotePattern, draws: Ints, units: Ints, centred: bool):  # type: ignore[no-untyped-def]
    """Agreements beyond chance, in standard errors, and shared units, by pairs one by one."""
    n = pattern.n_subjects
    x, w, shared = np.zeros((len(draws), n, n)), np.zeros((n, n)), np.zeros((n, n))
    for unit in np.flatnonzero(units):
        rows = np.flatnonzero(pattern.unit == unit)
        counts = np.array(list(Counter(pattern.option[rows].tolist()).values()))
        h = (counts * (counts - 1)).sum() / (len(rows) * (len(rows) - 1))
        for a in rows:
            for b in rows[rows != a]:
                s, t = pattern.subject[a], pattern.subject[b]
                x[:, s, t] += (draws[:, a] == draws[:, b]) - h
                w[s, t] += h * (1 - h)
                shared[s, t] += 1
    if centred:
        x, w = x - x.mean(0), x.var(0)
    z = np.divide(x, np.sqrt(w), out=np.zeros_like(x), where=w > 1e-9)
    return x, z, shared


@pytest.mark.parametrize("centred", [False, True])
def test_two_opposite_groups_of_ten(centred: bool) -> None:
    two = found(panel(2, RNG(5)), centred=centred)
    assert two.found
    assert (two.p, two.stability, two.n_groups) == (1 / 40, 1.0, 2)
    assert two.group.tolist() == [0, 1] * 10
    assert two.by_half.tolist() == [[0, 1] * 10] * 2
    assert two.within[0] / two.within[1] == pytest.approx(0.81, abs=0.03)
    assert two.between[0] / two.between[1] < 0.05
    assert two.guessed[0] / two.guessed[2] < 0.4
    assert two.guessed[1] / two.guessed[2] > 0.85


def test_one_who_stands_apart_is_no_group() -> None:
    rng = RNG(6)
    votes = panel(2, rng)
    votes[:, 3] = rng.integers(8, 100, len(votes))  # agrees with nobody
    three = found(votes)
    assert (three.n_groups, three.group[3]) == (2, 2)
    assert np.delete(three.group, 3).tolist() == [0, 1, 0, *([0, 1] * 8)]
    assert np.delete(three.by_half, 3, axis=1).tolist() == [[0, 1, 0, *([0, 1] * 8)]] * 2
    assert three.by_half[:, 3].tolist() == [-1, -1]


def test_agreements_and_guesses_are_of_the_other_half() -> None:
    rng = RNG(7)
    votes = np.where(rng.random((40, 8)) < 0.3, -1, rng.integers(0, 3, (40, 8)))
    pattern = pattern_of(votes)
    halves = rng.integers(0, 3, (2, 8))  # groups that even, and odd units gave
    even = np.arange(pattern.n_units) % 2 == 0
    agreed, total = np.zeros((2, 2)), np.zeros(3)
    for label, units in zip(halves, (~even, even), strict=True):
        for unit in np.flatnonzero(units):
            rows = np.flatnonzero(pattern.unit == unit)
            for row in rows:
                given, rest = int(pattern.option[row]), rows[rows != row]
                mine = label[pattern.subject[rest]] == label[pattern.subject[row]]
                for side, others in enumerate((rest[mine], rest[~mine])):
                    same = (pattern.option[others] == given).sum()
                    agreed[side] += same, len(others)
                of_all = Counter(pattern.option[rest].tolist())
                of_own = Counter(pattern.option[rest[mine]].tolist())
                first_own = Counter({o: 100 * of_own[o] + n for o, n in of_all.items()})
                total += share(of_all, given), share(first_own, given), 1
    alike = np.ones((8, 8)) - np.eye(8)  # one more unit on which all agree
    within, between, guessed = proved(pattern, even[None], halves[None], alike)
    same = sum(int((h[:, None] == h).sum()) - 8 for h in halves) / 2
    agreed += np.array([[same], [56 - same]])
    assert np.array([within, between]) == pytest.approx(agreed)
    assert guessed == pytest.approx(total)


def share(votes: Counter[int], option: int) -> float:
    """Chance that the mode, or one of several at random, is the option."""
    modes = [o for o, n in votes.items() if n == max(votes.values())]
    return (option in modes) / len(modes)


def test_a_p_value_is_one_of_exchangeable_ranks() -> None:
    rng, reject = RNG(8), []
    for _ in range(60):
        votes = rng.integers(0, 2, (40, 8))
        pattern = pattern_of(votes)
        draws = conditional_draws(pattern, 9, 2, rng)
        splits = random_halves(np.arange(pattern.n_units), 1, rng)
        p = vote_groups(pattern, draws, splits, np.zeros((8, 8)), centred=True).p
        reject.append(p <= 0.2)
    assert 0.05 < np.mean(reject) < 0.36


def test_affinities_of_some_units_are_those_of_their_votes() -> None:
    rng = RNG(9)
    votes = panel(2, rng, items=30, people=6)
    some = np.arange(30) % 3 == 0
    whole, part = pattern_of(votes), pattern_of(votes[some])
    of_some = Affinity.of(whole, some, None)
    of_part = Affinity.of(part, np.ones(part.n_units, bool), None)
    pick = of_some.options(whole.option[None])
    assert of_some.pairs.excess(pick) == pytest.approx(of_part.pairs.excess(part.option[None]))
