"""Ranks of judged items against plain Python."""

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.data.ranking import Ranking, Ties, rank_order
from fuzzytruth.io import ids as strings
from fuzzytruth.truth.pairs.placement import (
    Placement,
    example_items,
    place_runs,
    retrieved_elsewhere,
)
from fuzzytruth.truth.pairs.pool import Pool, make_pool

#: text and number order differ, as do the orders of bytes and of code points in UTF-16
IDS = ["9", "10", "1", "02", "2", "ä", "z", "Z", "é", "e\N{COMBINING ACUTE ACCENT}", "\uffee", "😀"]
IDS += [f"a rather long id, number {j}" for j in (1, 10, 2)] + ["a", "aa", "a\N{NO-BREAK SPACE}"]


def random_rows(rng, n_queries=8):
    """(query, item, score) of a run with ties, some closer than a 32-bit float can tell."""
    scores = np.array([2.0, 1.0 + 1e-9, 1.0, 0.0, -0.0, -1.0, 1e-42, 3e38])
    rows = []
    for q in rng.permutation(n_queries):
        items = rng.permutation(IDS)[: rng.integers(0, len(IDS) + 1)]
        if q == 3:
            continue
        rows += [(f"q{q}", str(d), float(rng.choice(scores))) for d in items]
    kind = rng.integers(3)
    if kind == 0:
        return [rows[j] for j in rng.permutation(len(rows))]
    if kind == 1:
        return sorted(rows, key=lambda row: (row[0], -row[2]))
    return rows


def brute_force(rows, ties):
    """{query: [(item, first rank, last rank), ...]} best first."""
    lists = {}
    for query, item, score in rows:
        lists.setdefault(query, []).append((item, score))
    out = {}
    for query, pairs in lists.items():
        if ties == "trec":
            pairs = [(item, float(np.float32(score))) for item, score in pairs]
            pairs.sort(key=lambda pair: pair[0].encode(), reverse=True)
        pairs = sorted(pairs, key=lambda pair: -pair[1])
        out[query] = []
        for rank, (item, score) in enumerate(pairs, start=1):
            tied = [j for j, pair in enumerate(pairs, start=1) if pair[1] == score]
            bounds = (tied[0], tied[-1]) if ties == "expected" else (rank, rank)
            out[query].append((item, *bounds))
    return out


def random_truth(rng, n_queries=10):
    grades = {}
    for q in rng.permutation(n_queries):
        items = rng.permutation([*IDS, "never retrieved"])[: rng.integers(1, 10)]
        grades[f"q{q}"] = {str(d): int(rng.integers(0, 3)) for d in items}
    return grades


def placed(pool, placement):
    """{query: (length, [(item, first, last), ...])} best first."""
    items = pool.item.to_pylist()
    out = {}
    for q, query in enumerate(pool.queries):
        hits = range(placement.offsets[q], placement.offsets[q + 1])
        out[query] = (
            int(placement.length[q]),
            [
                (items[placement.entry[h]], int(placement.first[h]), int(placement.last[h]))
                for h in hits
            ],
        )
    return out


def place(pool: Pool, ranking: Ranking, ties: Ties) -> Placement:
    (placement,) = place_runs(pool, ft.Runs({"system": ranking}), ties)
    return placement


def runs_of(rows, **options):
    query, item, score = zip(*rows, strict=True)
    return ft.Runs.from_columns(query, item, score=score, **options)["system"]


@pytest.mark.parametrize("ties", ["trec", "order", "expected"])
@pytest.mark.parametrize("seed", range(30))
def test_place_agrees_with_plain_python(ties, seed):
    rng = np.random.default_rng(seed)
    rows, grades = random_rows(rng), random_truth(rng)
    pool = make_pool(ft.Judgments.from_dict(grades))
    got = placed(pool, place(pool, runs_of(rows), ties))
    lists = brute_force(rows, ties)
    for query, judged in grades.items():
        ranked = lists.get(query, [])
        length, hits = got[query]
        assert length == len(ranked)
        wanted = [hit for hit in ranked if hit[0] in judged]
        assert sorted(hits) == sorted(wanted)
        assert [hit[1] for hit in hits] == [hit[1] for hit in wanted]


def test_ties_of_trec_eval_put_9_before_10():
    ranking = runs_of([("q", "10", 1.0), ("q", "9", 1.0 + 1e-9), ("q", "x", 0.5)])
    order, rank = rank_order(ranking)
    assert ranking.item.take(order).to_pylist() == ["9", "10", "x"]
    assert rank.tolist() == [1, 2, 3]


def test_scores_beyond_float32_tie():
    order, _ = rank_order(runs_of([("q", "a", 1e300), ("q", "b", 1e200), ("q", "c", -1e300)]))
    assert order.tolist() == [1, 0, 2]


@pytest.mark.parametrize("ties", ["trec", "order", "expected"])
def test_equal_hashes_do_not_merge_ids(ties, monkeypatch):
    def constant(data, offsets):
        return np.zeros(len(offsets) - 1, dtype=np.uint64)

    rng = np.random.default_rng(4)
    rows, grades = random_rows(rng), random_truth(rng)
    wanted_pool = make_pool(ft.Judgments.from_dict(grades))
    wanted = placed(wanted_pool, place(wanted_pool, runs_of(rows), ties))
    monkeypatch.setattr(strings, "hash_strings", constant)
    pool = make_pool(ft.Judgments.from_dict(grades))
    assert placed(pool, place(pool, runs_of(rows), ties)) == wanted


def test_an_example_of_an_item_is_the_first_of_a_judged_query():
    pool = make_pool(ft.Judgments.from_dict({"q1": {"a": 1}, "q2": {"z": 1}}))
    rows = [("q0", "x", 1.0), ("q2", "y", 2.0), ("q1", "b", 1.0)]
    assert example_items(pool, runs_of(rows)) == ("y", "z")
    assert example_items(pool, runs_of(rows[:1])) is None


def test_items_outside_the_pool_are_counted_once_and_of_its_queries_only():
    pool = make_pool(ft.Judgments.from_dict({"q1": {"a": 1}, "q2": {"z": 1}, "q3": {"z": 1}}))
    lists = {"q0": ["x"], "q1": ["a", "b"], "q2": ["a", "b"], "q9": ["c"]}
    runs = ft.Runs.from_dict({"s": lists, "t": {"q1": ["b", "c", "a"]}})
    assert retrieved_elsewhere(pool, runs).tolist() == [2, 2, 0]
