"""Ends of means over the orders of tied items, and the warning that gives them."""

import itertools
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from support.building import batch_of, query
from support.variants import VARIANTS

import fuzzytruth as ft
from fuzzytruth.errors import TieWarning
from fuzzytruth.evaluation import subject_scores
from fuzzytruth.evaluation.subject_scores import has_ends
from fuzzytruth.measures import parse_measure
from fuzzytruth.measures.guards import scored
from fuzzytruth.truth.unjudged import TiedLists, both_orders

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


def random_data(n_queries: int, seed: int = 0, levels: int = 3) -> tuple[dict, dict]:
    rng = np.random.default_rng(seed)
    items = [f"d{j}" for j in range(20)]
    truth = {
        f"q{i}": {d: int(rng.integers(0, 4)) for d in rng.choice(items, 10, replace=False)}
        for i in range(n_queries)
    }
    return truth, {q: {d: float(rng.integers(levels)) for d in items} for q in truth}


def test_the_worst_few_and_how_many() -> None:
    truth, run = random_data(12)
    clear = {q: {d: j / 7 for j, d in enumerate(items)} for q, items in run.items()}
    [message] = messages(truth, {"s": run, "t": run, "clear": clear}, ["AP", "P@1", "ERR", "bpref"])
    assert "moves 6 of 9 means" in message  # those of bpref have no ends
    assert message.count(" (here ") == 3
    assert "P@1 of s " in message
    assert "P@1 of t " in message
    assert ", and 3 more; it can reverse 4 comparisons of systems: " in message
    assert "; it may move means of bpref (no ends known); " in message
    assert message.endswith("(not known for ERR)")
    assert " of clear 0" not in message


def test_pairs_of_systems_whose_order_ties_decide() -> None:
    """P@1 of two queries; "wide" is 0 to 1, "low" 0 to .5, "half" .5, "full" 1, "none" 0."""
    truth = {q: {"a": 1, "b": 0} for q in ("q1", "q2")}
    tie, right, wrong = {"a": 1.0, "b": 1.0}, {"a": 2.0, "b": 1.0}, {"a": 1.0, "b": 2.0}
    runs = {
        "wide": {"q1": tie, "q2": tie},
        "low": {"q1": tie, "q2": wrong},
        "half": {"q1": right, "q2": wrong},
        "full": {"q1": right, "q2": right},
        "none": {"q1": wrong, "q2": wrong},
    }
    [message] = messages(truth, runs, ["P@1"])
    # wide and low are as good as each other here
    assert "; it can reverse 1 comparison of systems: P@1 of wide and half; ties=" in message
    [message] = messages(truth, {name: runs[name] for name in ("full", "wide", "none")}, ["P@1"])
    assert "reverse" not in message  # ends that meet leave the order as it is, or equal
    assert "reverse" not in messages(truth, {"s": runs["wide"]}, ["P@1"])[0]


def test_silent_where_no_order_is_chosen_or_matters() -> None:
    truth, run = random_data(12)
    clear = {q: {d: j / 7 for j, d in enumerate(items)} for q, items in run.items()}
    alike = {q: dict.fromkeys(items, 1) for q, items in truth.items()}
    of_judged = {q: dict.fromkeys(items, 1.0) for q, items in truth.items()}
    assert not messages(truth, {"s": run}, ["AP"], ties="expected")
    assert not messages(truth, {"s": clear}, ["AP"])
    assert not messages(alike, {"s": of_judged}, ["AP", "P@1", "Judged@3"])
    assert not messages(truth, {"s": run}, ["NumRet", "P"])
    assert not messages(truth, {"s": clear}, ["bpref", "BPM@3"])
    assert not messages(alike, {"s": of_judged}, ["bpref", "BPM@3"])


def test_measures_without_known_ends_are_named() -> None:
    truth, run = random_data(12)
    custom = ft.register(lambda batch, *, k=3: batch.hits(k, 1.0), name="MyHits")()
    start, end = "the order of items with equal scores may move means of ", " (no ends known); "
    mean = "ties='expected' gives the mean over all orders"
    assert messages(truth, {"s": run}, ["bpref", "NumRet"]) == [f"{start}bpref{end}{mean}"]
    [message] = messages(truth, {"s": run}, ["bpref", "BPM@3", "AP(norm=retrieved)@3", custom])
    without = "BPM@3, AP(norm=retrieved)@3, MyHits"
    assert message == f"{start}bpref, {without}{end}{mean} (not known for {without})"
    [message] = messages(truth, {"s": run}, ["infAP"])
    assert message == f"{start}infAP{end}the mean over all orders is not known"


@pytest.mark.parametrize("measure", ["RBO", "alpha_nDCG@3", "nDCG(gains={1:2,2:1})@3"])
def test_lists_intents_and_own_gains_have_no_known_ends(measure: str) -> None:
    truth, run = random_data(12)
    rows = [
        {"query": q, "item": d, "grade": grade, "intent": intent}
        for q, items in truth.items()
        for d, grade in items.items()
        for intent in "xy"
    ]
    judged = ft.Judgments.from_frame(pd.DataFrame(rows)) if "alpha" in measure else truth
    [message] = messages(judged, {"s": run}, ["P@1", measure])
    assert "moves 1 of 1 mean " in message
    assert f"; it may move means of {ft.parse_measure(measure)} (no ends known); ties=" in message


def test_streamed_runs_warn_alike(tmp_path) -> None:
    truth, run = random_data(30)
    runs = ft.Runs.from_dict({"s": run})
    runs.write(tmp_path / "s.run")
    assert messages(truth, str(tmp_path / "s.run"), ["AP"]) == messages(truth, runs, ["AP"])


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


@pytest.mark.parametrize(
    ("measure", "ties"), [("AP", "trec"), ("P@3", "order"), ("nDCG@5", "trec"), ("R@4", "order")]
)
def test_ends_are_those_of_relevant_items_last_and_first(measure: str, ties: str) -> None:
    truth, run = random_data(12)
    ends = []
    for sign in (-1, 1):
        order = {
            q: sorted(
                items, key=lambda d, q=q, items=items: (-items[d], -sign * truth[q].get(d, -0.5))
            )
            for q, items in run.items()
        }
        ends.append(ft.evaluate(truth, {"s": order}, measure).mean().iloc[0, 0])
    [message] = messages(truth, {"s": run}, [measure], ties=ties)
    assert message.startswith("the order of items with equal scores moves 1 of 1 mean over ")
    shown = f"{measure} of s {ends[0]:.3f} to {ends[1]:.3f} (here 0."
    assert f" by more than 0.01 (relevant items last to relevant items first): {shown}" in message
    assert message.endswith("; ties='expected' gives the mean over all orders")


def test_moves_of_a_hundredth_are_silent_and_larger_ones_are_not() -> None:
    right, tie = {"a": 2.0, "b": 1.0}, {"a": 1.0, "b": 1.0}
    truth = {f"q{j}": {"a": 1, "b": 0} for j in range(100)}
    clear = dict.fromkeys(truth, right)
    few, more = clear | {"q0": tie}, clear | {"q0": tie, "q1": tie}
    between = clear | {"q2": {"a": 1.0, "b": 2.0}}  # .99, and "few" from .99 to 1
    for measures in (["P@1"], ["bpref"]):  # of the second, queries with ties that may matter
        assert not messages(truth, {"s": few, "t": between}, measures)
    [message] = messages(truth, {"s": more, "t": between}, ["P@1"])
    assert "P@1 of s 0.980 to 1.000 (here 0.980)" in message
    assert "; it can reverse 1 comparison of systems" in message
    assert len(messages(truth, {"s": more}, ["bpref"])) == 1


def test_of_votes_for_categories_and_beside_shares_of_judged_items() -> None:
    votes = ft.Assignments.from_columns(None, [*"abcdef"], [*"xxxyyy"], count=[1] * 6)
    run = {q: dict.fromkeys("abcdef", 1.0) for q in "abcdef"}
    [message] = messages(votes.by_example(), {"s": run}, ["NN"])
    assert "NN of s 0.000 to 1.000" in message
    truth, run = random_data(12)
    [alone] = messages(truth, {"s": run}, ["AP"])
    assert messages(truth, {"s": run}, ["AP", "Judged@3"]) == [alone]  # which `analyse` adds
    assert "Judged@3 of s 0." in messages(truth, {"s": run}, ["Judged@3"])[0]
