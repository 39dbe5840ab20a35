"""Ends of means over the orders of tied items, and the warning that gives them."""

import itertools
import re
import warnings

import numpy as np
import pytest
from support.building import batch_of, query
from support.variants import VARIANTS

import fuzzytruth as ft
from fuzzytruth.errors import TieWarning
from fuzzytruth.evaluation import subject_scores
from fuzzytruth.evaluation.subject_scores import has_ends
from fuzzytruth.measures import parse_measure
from fuzzytruth.measures.guards import scored
from fuzzytruth.truth.inputs import TiedLists, both_orders

MEASURES = [m for m in map(parse_measure, VARIANTS) if not m.compares_lists and has_ends(m)]


GRADES = (0, 1, 2, 3, None, 0, None, 1, -1)


def messages(truth, runs, measures, **options) -> list[str]:
    with warnings.catch_warnings(record=True) as made:
        warnings.simplefilter("always")
        ft.evaluate(truth, runs, measures, **options)
    return [str(w.message) for w in made if w.category is TieWarning]


@pytest.mark.parametrize("sizes", [(2, 3), (1, 3, 1), (2, 2, 1), (5,), (1, 4)], ids=str)
def test_the_two_orders_are_the_ends_of_all_orders(sizes: tuple[int, ...]) -> None:
    rng = np.random.default_rng(len(sizes) * 10 + sizes[0])
    bounds = np.cumsum((0, *sizes))
    low, high = np.repeat(bounds[:-1] + 1, sizes), np.repeat(bounds[1:], sizes)
    for _ in range(4):
        grades = [GRADES[i] for i in rng.integers(0, len(GRADES), 5)]
        missed = [float(g) for g in rng.integers(0, 3, rng.integers(0, 3))]
        groups = [grades[a:b] for a, b in itertools.pairwise(bounds)]
        orders = itertools.product(*(set(itertools.permutations(group)) for group in groups))
        every = batch_of(*(query([*itertools.chain(*order)], missed) for order in orders))
        judged = [g is not None for g in grades]
        lists = TiedLists(batch_of(query(grades, missed)), low[judged], high[judged])
        changing = lists.changing()
        for measure in MEASURES:
            values = scored(measure, every)[0]
            if not len(changing):
                assert np.ptp(values) == pytest.approx(0, abs=1e-12), measure
                continue
            ends = sorted(scored(measure, both_orders([lists], [changing]))[0])
            assert ends == pytest.approx([values.min(), values.max()], abs=1e-12), measure


def ends_of(monkeypatch, truth, runs, measures, **options) -> np.ndarray:
    """Smallest and largest mean of each system and measure, of which `evaluate` warns."""
    found = []
    with monkeypatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        patch.setattr(subject_scores, "report_ties", lambda *given: found.append(given))
        ft.evaluate(truth, runs, measures, **options)
    [(scores, _, moved)] = found
    return np.sort(scores.values.mean(axis=-1) + moved / len(scores.queries), axis=0)


@pytest.mark.parametrize(("ties", "seed"), [("trec", 0), ("order", 1), ("trec", 2)])
def test_ends_are_the_smallest_and_largest_mean_of_all_orders(monkeypatch, ties, seed) -> None:
    rng = np.random.default_rng(seed)
    truth, run, orders = {}, {}, {}
    for q in (f"q{i}" for i in range(5)):
        grades = {f"d{j}": GRADES[g] for j, g in enumerate(rng.integers(0, len(GRADES), 6))}
        truth[q] = {"other": 1} | {d: g for d, g in grades.items() if g is not None}
        run[q] = {f"d{j}": float(rng.integers(2)) for j in rng.permutation(6)[:4]}
        orders[q] = [
            list(order)
            for order in itertools.permutations(run[q])
            if all(run[q][a] >= run[q][b] for a, b in itertools.pairwise(order))
        ]
    number = max(map(len, orders.values()))
    every = {f"s{n}": {q: orders[q][n % len(orders[q])] for q in truth} for n in range(number)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values = ft.evaluate(truth, every, MEASURES).values  # (orders, measures, queries)
    ends = ends_of(monkeypatch, truth, {"s": run}, MEASURES, ties=ties)[:, 0]
    extremes = values.min(axis=0).mean(axis=-1), values.max(axis=0).mean(axis=-1)
    np.testing.assert_allclose(ends, extremes, atol=1e-12)
    tell = {m.name for m, low, high in zip(MEASURES, *ends, strict=True) if low < high - 0.01}
    assert {"AP", "nDCG", "P", "R", "RR", "Success", "RBP", "ERR", "Rprec", "F"} <= tell


def test_of_many_queries_a_random_sample_stands_for_all() -> None:
    """Queries of a kind may come at regular distances, as variants of a topic do."""
    truth, run = {}, {}
    for q in range(1200):
        size = 2 if q % 4 == 0 else 20
        truth[f"q{q:04}"] = {f"d{n}": int(n == 0) for n in range(size)}
        run[f"q{q:04}"] = {f"d{n}": 1.0 for n in range(size)}
    [message] = messages(truth, {"s": run}, ["RR"], ties="trec")
    found = re.search(r"RR of s about (\S+) to (\S+) \(", message)
    assert found is not None
    low, high = (float(end) for end in found.groups())
    assert (abs(low - (0.25 / 2 + 0.75 / 20)) < 0.06, high) == (True, 1.0)
