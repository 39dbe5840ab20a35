"""Rankings: order, duplicates, ties, blocks of whole queries, and matrices, against plain loops."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.data.ranking import (
    MatrixOptions,
    Ranking,
    make_ranking,
    rank_order,
    rankings_of_matrices,
    ranks_of,
    self_hits,
    without_self_hits,
)
from fuzzytruth.errors import DistanceWarning, SelfHitWarning
from fuzzytruth.io import matrices
from fuzzytruth.io.columns import locate_by_row, string_array
from fuzzytruth.io.ids import hash_ids

Rows = list[tuple[int, str, float]]


def given(rows: Rows) -> Ranking:
    """Rows of code of the query, item, score."""
    query, item, score = zip(*rows, strict=True)
    items = string_array(list(item))
    queries = ("q0", "q1", "q2", "q3", "q4")
    codes, scores = np.array(query, np.int32), np.array(score, float)
    return Ranking(queries, codes, items, scores, hash_ids(items))


def ranking_of(rows: Rows, **options: Any) -> Ranking:
    return make_ranking(given(rows), locate=locate_by_row("runs"), **options)


def rows_of(ranking: Ranking) -> Rows:
    columns = ranking.query.tolist(), ranking.item.to_pylist(), ranking.score.tolist()
    return list(zip(*columns, strict=True))


def random_rows(seed: int, *, grouped: bool = True) -> Rows:
    rng = np.random.default_rng(seed)
    rows = [
        (q, f"d{d}", float(rng.integers(0, 4)) + 1e-9 * float(rng.integers(0, 2)))
        for q in rng.permutation(5).tolist()
        for d in rng.permutation(12)[: rng.integers(1, 12)].tolist()
    ]
    return rows if grouped else [rows[j] for j in rng.permutation(len(rows))]


@pytest.mark.parametrize("grouped", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_order_and_duplicates(seed: int, grouped: bool) -> None:
    rows = random_rows(seed, grouped=grouped)
    rng = np.random.default_rng(seed)
    ranking = ranking_of(rows)
    assert rows_of(ranking) == rows
    np.testing.assert_array_equal(ranking.item_hash, hash_ids(ranking.item))
    rank = rng.permutation(len(rows)).astype(float)
    by_rank = rows_of(ranking_of(rows, rank=rank))
    for code in range(5):
        items = sorted((rank[j], item) for j, (q, item, _) in enumerate(rows) if q == code)
        want = [(code, item, -1.0 - place) for place, (_, item) in enumerate(items)]
        assert [row for row in by_rank if row[0] == code] == want
    again = [(q, item, float(rng.normal())) for q, item, _ in rows[:3]]
    best: dict[tuple[int, str], float] = {}
    for q, item, score in rows + again:
        best[q, item] = max(score, best.get((q, item), -np.inf))
    kept = rows_of(ranking_of(rows + again, duplicates="first"))
    assert {(q, item): score for q, item, score in kept} == best
    assert len(kept) == len(rows)
    q, item, _ = rows[0]
    message = rf"runs, row {len(rows) + 1}, .* '{item}' .* 'q{q}' \(first: runs, row 1\)"
    with pytest.raises(ft.errors.DataError, match=message):
        ranking_of([*rows, again[0]])


@pytest.mark.parametrize("order", ["sorted", "grouped", "scattered"])
@pytest.mark.parametrize("seed", range(3))
def test_ranks_under_each_rule_for_ties(seed: int, order: str) -> None:
    rows = random_rows(seed, grouped=order != "scattered")
    if order == "sorted":
        rows.sort(key=lambda row: (row[0], -row[2]))
    ranking = given(rows)
    every, score = np.arange(len(rows)), ranking.score
    single = score.astype(np.float32)
    first, last, _ = ranks_of(ranking, ranking.query, every, "order")
    assert first.tolist() == last.tolist()
    low, high, _ = ranks_of(ranking, ranking.query, every, "expected")
    want = np.zeros(len(rows), dtype=int)
    for code in range(5):
        own = np.flatnonzero(ranking.query == code).tolist()
        for rank, row in enumerate(sorted(own, key=lambda row: -score[row]), start=1):
            assert first[row] == rank
            assert low[row] == 1 + sum(score[other] > score[row] for other in own)
            assert high[row] == sum(score[other] >= score[row] for other in own)
        by_id = sorted(own, key=lambda row: (single[row], rows[row][1].encode()), reverse=True)
        want[by_id] = range(1, len(own) + 1)
    chosen = np.random.default_rng(seed).permutation(len(rows))[:20]
    first, last, _ = ranks_of(ranking, ranking.query, chosen, "trec")
    assert first.tolist() == last.tolist() == want[chosen].tolist()
    ordered, rank = rank_order(ranking)
    assert sorted(ordered.tolist()) == every.tolist()
    assert rank.tolist() == want[ordered].tolist()
    keys = list(zip(ranking.query[ordered].tolist(), rank.tolist(), strict=True))
    assert keys == sorted(keys)
    for ties in ("trec", "order", "expected"):
        first, last, _ = ranks_of(ranking, ranking.query, every[:0], ties)  # type: ignore[arg-type]
        assert len(first) == len(last) == 0


class TestSelfHits:
    RUNS = ft.Runs.from_dict(
        {"s": {"a": ["a", "b", "c"], "b": ["c", "a"], "c": ["b", "c"]}, "t": {"a": ["b"]}}
    )

    def test_runs_without_them(self) -> None:
        assert [self_hits(ranking).tolist() for ranking in self.RUNS.values()] == [[0, 6], []]
        message = r"left out 2 items that have the id .* of s \(2\)$"
        with pytest.warns(SelfHitWarning, match=message):
            others = self.RUNS.exclude_self()
        whole, frame = self.RUNS.to_frame(), others.to_frame()
        assert len(frame) == len(whole) - 2
        assert (frame["query"] != frame["item"]).all()
        same = without_self_hits(others.rankings)  # and no warning
        assert all(same[name] is ranking for name, ranking in others.rankings.items())
        with pytest.raises(
            ft.errors.DataError, match="run 'u' lists nothing but queries for themselves"
        ):
            ft.Runs.from_dict({"u": {"a": ["a"]}}).exclude_self()
        square, ids = [[1, 0.2], [0.3, 1]], {"queries": "ab", "items": "ab"}
        with pytest.warns(SelfHitWarning, match="2 items"):
            late = ft.Runs.from_matrix(square, **ids).exclude_self()
        early = ft.Runs.from_matrix(square, **ids, exclude_self=True)
        assert late.to_frame().equals(early.to_frame())


def lists(runs: ft.Runs, system: str = "system") -> dict[str, list[str]]:
    frame = runs.to_frame().query("system == @system")
    return {str(q): rows["item"].tolist() for q, rows in frame.groupby("query", sort=False)}


@pytest.mark.parametrize("exclude_self", [False, True])
@pytest.mark.parametrize(("depth", "larger"), [(1, True), (3, False), (8, True), (9, False)])
def test_depth_keeps_what_trec_ranks_first_and_its_ties(
    monkeypatch: pytest.MonkeyPatch, exclude_self: bool, depth: int, larger: bool
) -> None:
    monkeypatch.setattr(matrices, "_BLOCK", 30)  # several blocks
    rng = np.random.default_rng(depth)
    # ties in doubles, in floats alone, and beyond their range
    matrix = rng.integers(0, 4, (12, 9)) + rng.choice([0, 1e-12], (12, 9))
    matrix[rng.random(matrix.shape) < 0.2] = 1e300
    matrix[rng.random(matrix.shape) < 0.2] = -1e300
    items = [f"d{j}" for j in (10, 9, 1, 2, 33, 4, 5, 6, 0)]
    ids: dict[str, Any] = {"queries": [*items, "x", "y", "z"], "items": items}
    options = {**ids, "exclude_self": exclude_self, "larger_is_better": larger}
    whole = lists(ft.Runs.from_matrix(matrix, **options))
    cut = lists(ft.Runs.from_matrix(matrix, **options, depth=depth))
    with np.errstate(over="ignore"):
        scores = np.float32(matrix if larger else -matrix)
    for query, ranked in whole.items():
        row = dict(zip(items, scores[ids["queries"].index(query)], strict=True))
        last = row[ranked[min(depth, len(ranked)) - 1]]
        assert cut[query] == [item for item in ranked if row[item] >= last]


PQ: dict[str, Any] = {"queries": "pq", "items": "ab"}
Q: dict[str, Any] = {"queries": "q", "items": "a"}


@pytest.mark.parametrize(
    ("matrix", "options", "message"),
    [
        ([[1, 2]], {"items": "ab"}, r"is 1 × 2 numbers and does not name its queries; .*queries="),
        ([[1, 2]], {"queries": "q"}, "does not name its items; give the ids of the columns by it"),
        (pd.DataFrame([[1]]), {}, "does not name its queries"),
        ({"A": pd.DataFrame([[1]], ["q"], ["a"])}, {"items": [8]}, "'A': .*'a' is not among item"),
        ({}, {}, "there are no matrices in it"),
        ({"q": {"a": 1}}, {}, "matrix 'q': is a dict; Runs.from_dict takes"),
        ({"A": [[1]]}, {"name": "x"}, "the keys of the dict already name the systems"),
        ({"A": [[1]], "B": [["x"]]}, Q, r"matrix 'B', row 1 \('q'\), column 1 \('a'\): .*'x'"),
        *(([[1]], {**Q, "depth": n}, f"depth={n}: must be a whole number") for n in (0, 1.5, True)),
        ([[1, 2]], {**PQ, "queries": "q", "items": "aa"}, "'a' is listed twice among the items, a"),
        ([[1], [2]], {"queries": "aa", "items": "x"}, "^queries: 'a' is listed twice among the q"),
        ([[1]], {"queries": ["q"], "items": [None]}, "column 'items': the id is missing"),
        ([[1, 2]], PQ, r"\(1, 2\) does not fit 2 queries and 2 items; queries= needs 1 id$"),
        ([[1, np.nan], [0, 1]], PQ, r"row 1 \('p'\), column 2 \('b'\): nan"),
        ([["a"]], Q, r"matrix, row 1 \('q'\), column 1 \('a'\): value .*'a'.* is not a number"),
        ([[1, 2], [3]], Q, "matrix, row 2: has 1 column, and row 1 has 2"),
        (np.ones((3, 3, 3)), Q, r"shape is \(3, 3, 3\); give .*\{name: matrix\}"),
    ],
)
def test_matrices_that_are_refused(matrix: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ft.FuzzytruthError, match=message):
        ft.Runs.from_matrix(matrix, **options)


def test_options_that_are_given() -> None:
    assert MatrixOptions().given == []
    options = MatrixOptions(queries="ab", larger_is_better=False, depth=3)
    assert options.given == ["queries", "larger_is_better", "depth"]
    own: dict[str, Any] = {"otherwise": (["a", "b"], ["a", "b"]), "otherwise_of": "the names"}
    for queries, items in ((None, None), ("qr", None), (None, "xy"), ("qr", "xy")):
        options = MatrixOptions(queries=queries, items=items, **own)
        ranking = rankings_of_matrices([[1, 2], [4, 3]], "m", options)["m"]
        assert ranking.queries == tuple(queries or "ab")
        assert ranking.item.to_pylist() == [*(items or "ab")] * 2


def test_what_looks_like_distances() -> None:
    near = np.array([[0, 2, 3], [2, 0, 1], [3, 1, 0.0]])
    ids: dict[str, Any] = {"queries": "abc", "items": "abc"}
    with pytest.warns(DistanceWarning, match=r"^matrix 'A': is read as .*larger_is_better=False$"):
        runs = ft.Runs.from_matrix({"A": near}, **ids)
    assert lists(runs, "A")["a"] == ["c", "b", "a"]  # largest first, as ever
    for larger in (True, False):
        ft.Runs.from_matrix(near, **ids, larger_is_better=larger)
    for other in (near - 1, 3 - near, np.zeros((3, 3)), -near):
        ft.Runs.from_matrix(other, **ids)
    ft.Runs.from_matrix(near, queries="xyz", items="abc")


def test_files_of_matrices(tmp_path: Any) -> None:
    values = np.array([[0.1, 0.9], [0.7, 0.3]])
    ids: dict[str, Any] = {"queries": ["p", "y"], "items": ["x", "y"]}
    np.save(tmp_path / "a.npy", values)
    np.savez(tmp_path / "b.npz", scores=values, **ids)
    np.savez(tmp_path / "c.npz", dist=-values, **ids)
    pd.DataFrame(values, ids["queries"], ids["items"]).to_csv(tmp_path / "d.csv")
    np.savetxt(tmp_path / "e.txt", values)
    paths = sorted(tmp_path.iterdir())
    for runs in (ft.read_runs(paths, **ids), ft.read_runs(paths[1:4])):
        for system in runs:
            assert lists(runs, system) == {"p": ["y", "x"], "y": ["x", "y"]}
    far = ft.read_runs({"s": paths[0]}, **ids, larger_is_better=False)
    assert lists(far, "s") == {"p": ["x", "y"], "y": ["y", "x"]}
    first = ft.read_runs({"s": paths[0]}, **ids, exclude_self=True, depth=1)
    assert lists(first, "s") == {"p": ["y"], "y": ["x"]}
    with pytest.raises(
        ft.errors.DataError, match=r"a.npy: is 2 × 2 numbers and does not name its que"
    ):
        ft.read_runs(paths[0])
    run = tmp_path / "a.run"
    run.write_text("q1 Q0 d2 1 2.5 x\n")
    with pytest.raises(ft.errors.OptionError, match=r"a.run\), .* take items=, depth="):
        ft.read_runs(run, items=["x"], depth=3)
