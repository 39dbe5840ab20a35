"""Ids made to share a hash are told apart: in look-ups, and in the random numbers of worlds."""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from support.colliding import colliding_ids

import fuzzytruth as ft
from fuzzytruth.core.checksums import pair_keys
from fuzzytruth.io.columns import string_array
from fuzzytruth.io.ids import hash_ids, hashes_apart
from fuzzytruth.truth.pairs import pool as judged_pairs
from fuzzytruth.truth.pairs.pool import JudgedPairs

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


@cache
def made() -> list[str]:
    return colliding_ids(400)


def pool_of(query: list[int], item: list[str]) -> JudgedPairs:
    ids: Any = string_array(item)
    names = tuple(f"q{j}" for j in range(max(query) + 1))
    return JudgedPairs.of(names, np.array(query, dtype=np.int32), ids, hash_ids(ids))


@pytest.mark.parametrize("rows", [3, 1 << 16])
def test_look_up_compares_ids(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    monkeypatch.setattr(judged_pairs, "_ROWS", rows)
    ids = made()
    known = [(0, ids[0]), (0, "d"), (0, ids[1]), (1, ids[1]), (1, ids[2]), (2, ids[0])]
    pool = pool_of(*map(list, zip(*known, strict=True)))
    wanted = [(1, ids[1]), (0, ids[2]), (0, ids[1]), (2, ids[0]), (0, "d"), (3, ids[0]), (1, "e")]
    item: Any = pa.array([i for _, i in wanted], pa.large_string())
    codes = np.array([q for q, _ in wanted], dtype=np.int32)
    row, pair = pool.find(item, hash_ids(item), codes)
    assert row.tolist() == [0, 2, 3, 4]
    assert pair.tolist() == [3, 2, 5, 1]


def test_look_up_takes_a_step_for_each_id(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not one for each two of them."""
    ids = made()
    pool = pool_of([0] * 400, ids)
    compared = []
    equal = judged_pairs.same_ids
    monkeypatch.setattr(
        judged_pairs, "same_ids", lambda *ids: compared.append(len(ids[0])) or equal(*ids)
    )
    item: Any = string_array(ids[::-1])
    _, pair = pool.find(item, hash_ids(item), np.zeros(400, dtype=np.int32))
    assert pair.tolist() == list(range(400))[::-1]
    assert sum(compared) == 400


def deviation(truth: Any, runs: Any, measure: str, **options: Any) -> float:
    scores = ft.evaluate(truth, runs, measure, rng=3, n_worlds=1000, **options)
    return float(scores.mean_distribution(scores.systems[0], scores.measures[0]).std())


def run_of(items: list[str], queries: list[str]) -> Any:
    return {"sys": {q: {i: -float(n) for n, i in enumerate(items)} for q in queries}}


def test_hashes_of_draws_differ_and_those_of_other_ids_stay() -> None:
    assert len(set(made())) == 400
    assert len(np.unique(hash_ids(string_array(made())))) == 1
    ids = string_array([*made()[:5], "d1", "d2"])
    apart = hashes_apart(ids)
    assert len(np.unique(apart)) == 7
    assert apart[5:].tolist() == hash_ids(ids)[5:].tolist()
    again = hashes_apart(string_array(["d2", *made()[4::-1]]))
    assert again.tolist() == [apart[6], *apart[4::-1]]


@pytest.mark.parametrize("of", ["items", "queries", "example", "item"])
def test_draws_of_ids_that_collide_are_their_own(of: str) -> None:
    """The deviation of a mean of many draws is a tenth of what it is if all are the same."""
    names = made()[:200]
    tax = ft.Taxonomy.from_children({"all": ["cat", "dog"]})
    votes = ft.Assignments.from_columns(
        [*"ab"] * 200, np.repeat(names, 2), ["cat", "dog"] * 200, taxonomy=tax
    )
    if of == "example":
        truth: Any = votes.by_example(["new"], category="cat", collection=names)
        found = deviation(truth, run_of(names, ["new"]), "P@200")
    elif of == "item":
        labels = pd.DataFrame({"item": names, "category": "cat"})
        found = deviation(votes.by_item(), labels, "P@1")
    else:
        case = (names, ["q1"]) if of == "items" else (["d1"], names)
        truth = pd.DataFrame(
            [(q, i, s, s == "a") for i in case[0] for q in case[1] for s in "ab"],
            columns=["query", "item", "subject", "grade"],
        ).astype({"grade": int})
        found = deviation(truth, run_of(*case), "P@200" if of == "items" else "P@1")
    assert abs(found - 0.5 / np.sqrt(200)) < 0.006


def test_keys_of_pairs_may_collide_across_queries_without_harm() -> None:
    """A key joins the number of a query with the hash of an item; the ids decide."""
    ids: Any = string_array(["x", "y"])
    hashes = hash_ids(ids).copy()
    hashes[1] = hashes[0] ^ pair_keys(np.zeros(1, np.uint64), np.array([1]))[0]
    pool = JudgedPairs.of(("q0", "q1"), np.array([0, 1], dtype=np.int32), ids, hashes)
    row, pair = pool.find(ids, hashes, np.array([0, 1], dtype=np.int32))
    assert (row.tolist(), pair.tolist()) == ([0, 1], [0, 1])
    key = np.arange(5000, dtype=np.uint64) * np.uint64(3)  # many with the same leading bits
    rows, entries = judged_pairs.KeyTable.of(key).find(np.arange(15_000, dtype=np.uint64))
    assert rows.tolist() == list(range(0, 15_000, 3))
    assert entries.tolist() == list(range(5000))
