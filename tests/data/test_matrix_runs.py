"""Ranked lists from matrices: ids, several systems, and depth against all ranks."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

import fuzzytruth as ft
from fuzzytruth.data.ranking import MatrixOptions
from fuzzytruth.errors import DistanceWarning


def lists(runs: ft.Runs, system: str = "system") -> dict[str, list[str]]:
    frame = runs.to_frame().query("system == @system")
    return {str(q): rows["item"].tolist() for q, rows in frame.groupby("query", sort=False)}


@pytest.mark.parametrize("exclude_self", [False, True])
@pytest.mark.parametrize("depth", [1, 3, 7, 8, 9, 10, 20])
@pytest.mark.parametrize("larger", [False, True])
def test_depth_keeps_what_trec_ranks_first_and_its_ties(
    monkeypatch, exclude_self, depth, larger
) -> None:
    monkeypatch.setattr("fuzzytruth.io.matrices._BLOCK", 30)  # several blocks
    rng = np.random.default_rng(depth)
    # ties in doubles, in floats alone, and beyond their range
    matrix = rng.integers(0, 4, (12, 9)) + rng.choice([0, 1e-12], (12, 9))
    matrix[rng.random(matrix.shape) < 0.2] = 1e300
    matrix[rng.random(matrix.shape) < 0.2] = -1e300
    items = [f"d{j}" for j in (10, 9, 1, 2, 33, 4, 5, 6, 0)]
    options = {
        "queries": [*items, "x", "y", "z"],
        "items": items,
        "exclude_self": exclude_self,
        "larger_is_better": larger,
    }
    whole = lists(ft.Runs.from_matrix(matrix, **options))
    cut = ft.Runs.from_matrix(matrix, **options, depth=depth)
    with np.errstate(over="ignore"):
        scores = np.float32(matrix if larger else -matrix)
    for query, ranked in whole.items():
        row = dict(zip(items, scores[options["queries"].index(query)], strict=True))
        last = row[ranked[min(depth, len(ranked)) - 1]]
        assert lists(cut)[query] == [item for item in ranked if row[item] >= last]


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.TieWarning")
@pytest.mark.parametrize("ties", ["trec", "order", "expected"])
def test_values_up_to_depth_are_those_of_whole_lists(ties: str) -> None:
    rng = np.random.default_rng(0)
    items = [f"d{j}" for j in range(12)]
    options = {"queries": ["p", "q", "r"], "items": items}
    matrix = rng.integers(0, 3, (3, 12))
    truth = {query: {item: int(rng.random() < 0.5) for item in items} for query in "pqr"}
    whole, cut = (ft.Runs.from_matrix(matrix, **options, depth=depth) for depth in (None, 4))
    values = [
        ft.evaluate(truth, runs, ["P@3", "nDCG@4"], ties=ties).values for runs in (whole, cut)
    ]
    np.testing.assert_array_equal(*values)


def test_rows_stay_in_the_order_of_the_columns() -> None:
    runs = ft.Runs.from_matrix([[1, 3, 2, 9]], queries="q", items="badc", depth=3)
    ranking = runs["system"]
    assert ranking.item.to_pylist() == ["a", "d", "c"]
    assert ranking.score.tolist() == [3, 2, 9]


def test_several_systems_and_labels_of_frames() -> None:
    frame = pd.DataFrame([[1, 2], [4, 3]], index=["q", "r"], columns=["a", "b"])
    runs = ft.Runs.from_matrix(
        {"A": frame, "B": -frame, "C": pl.from_pandas(frame.reset_index(names="query"))}
    )
    assert runs.systems == ("A", "B", "C")
    assert lists(runs, "A") == lists(runs, "C") == {"q": ["b", "a"], "r": ["a", "b"]}
    assert lists(runs, "B") == {"q": ["a", "b"], "r": ["b", "a"]}
    given = ft.Runs.from_matrix(frame.to_numpy(), queries=[1, 2], items=[8, 9])
    assert lists(given) == {"1": ["9", "8"], "2": ["8", "9"]}
    turned = ft.Runs.from_matrix({"A": frame}, queries=["r", "q"], items=["b", "a"])
    assert lists(turned, "A") == {"r": ["a", "b"], "q": ["b", "a"]}
    with pytest.raises(ft.DataError, match="'A': its items have labels, and 'a' is not among ite"):
        ft.Runs.from_matrix({"A": frame}, items=[8, 9])


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        ([[1, 2]], {"items": "ab"}, r"is 1 × 2 numbers and does not name its queries; .*queries="),
        (
            [[1, 2]],
            {"queries": "q"},
            r"does not name its items; give the ids of the columns by items=",
        ),
        (pd.DataFrame([[1]]), {}, "does not name its queries"),
        ({}, {}, "there are no matrices in it"),
        ({"q": {"a": 1}}, {}, "matrix 'q': is a dict; Runs.from_dict takes"),
        ({"A": [[1]]}, {"name": "x"}, "the keys of the dict already name the systems"),
        (
            {"A": [[1]], "B": [["x"]]},
            {},
            r"matrix 'B', row 1 \('q'\), column 1 \('a'\): value .*'x'",
        ),
        ([[1]], {"depth": 0}, "depth=0: must be a whole number from 1"),
        ([[1]], {"depth": 1.5}, "depth=1.5: must be a whole number from 1"),
        ([[1]], {"depth": True}, "depth=True: must be a whole number from 1"),
        (
            [[1, 2]],
            {"queries": "q", "items": "aa"},
            "'a' is listed twice among the items, at places 1 and 2; rename one",
        ),
        ([[1]], {"queries": ["q"], "items": [None]}, "column 'items': the id is missing"),
        (
            [[1, 2]],
            {"queries": "pq", "items": "ab"},
            r"\(1, 2\) does not fit 2 queries and 2 items",
        ),
    ],
)
def test_refused(given, options, message: str) -> None:
    if "queries" not in options and message.startswith(("matrix 'B'", "depth")):
        options = options | {"queries": "q", "items": "a"}
    with pytest.raises(ft.FuzzytruthError, match=message):
        ft.Runs.from_matrix(given, **options)


def test_options_that_are_given() -> None:
    assert MatrixOptions().given == []
    given = MatrixOptions(queries="ab", larger_is_better=False, depth=3)
    assert given.given == ["queries", "larger_is_better", "depth"]


class TestFiles:
    VALUES = np.array([[0.1, 0.9], [0.7, 0.3]])
    FOUND = {"p": ["y", "x"], "q": ["x", "y"]}  # noqa: RUF012

    def test_every_format(self, tmp_path) -> None:
        np.save(tmp_path / "a.npy", self.VALUES)
        np.savez(tmp_path / "b.npz", scores=self.VALUES, queries=["p", "q"], items=["x", "y"])
        np.savez(tmp_path / "c.npz", dist=-self.VALUES, queries=["p", "q"], items=["x", "y"])
        frame = pd.DataFrame(self.VALUES, index=["p", "q"], columns=["x", "y"])
        frame.to_csv(tmp_path / "d.csv")
        np.savetxt(tmp_path / "e.txt", self.VALUES)
        paths = sorted(tmp_path.iterdir())
        runs = ft.read_runs(paths, queries=["p", "q"], items=["x", "y"])
        assert runs.systems == tuple("abcde")
        assert all(lists(runs, system) == self.FOUND for system in runs)
        named = ft.read_runs([tmp_path / "b.npz", tmp_path / "c.npz", tmp_path / "d.csv"])
        assert all(lists(named, system) == self.FOUND for system in named)

    def test_options(self, tmp_path) -> None:
        path = tmp_path / "a.npy"
        np.save(path, self.VALUES)
        ids = {"queries": ["p", "y"], "items": ["x", "y"]}
        assert lists(ft.read_runs({"s": path}, **ids, larger_is_better=False), "s") == {
            "p": ["x", "y"],
            "y": ["y", "x"],
        }
        assert lists(ft.read_runs({"s": path}, **ids, exclude_self=True, depth=1), "s") == {
            "p": ["y"],
            "y": ["x"],
        }

    def test_errors_name_the_file(self, tmp_path) -> None:
        path = tmp_path / "a.npy"
        np.save(path, self.VALUES)
        with pytest.raises(
            ft.DataError, match=r"a.npy: is 2 × 2 numbers and does not name its que"
        ):
            ft.read_runs(path)
        run = tmp_path / "a.run"
        run.write_text("q1 Q0 d2 1 2.5 x\n")
        with pytest.raises(ft.OptionError, match=r"a.run\), .* take items=, depth="):
            ft.read_runs(run, items=["x"], depth=3)


def test_what_looks_like_distances() -> None:
    near = np.array([[0, 2, 3], [2, 0, 1], [3, 1, 0.0]])
    ids = {"queries": "abc", "items": "abc"}
    with pytest.warns(DistanceWarning, match=r"^matrix 'A': is read as .*larger_is_better=False$"):
        runs = ft.Runs.from_matrix({"A": near}, **ids)
    assert lists(runs, "A")["a"] == ["c", "b", "a"]  # largest first, as ever
    for larger in (True, False):
        ft.Runs.from_matrix(near, **ids, larger_is_better=larger)
    for other in (near - 1, 3 - near, np.zeros((3, 3)), -near):
        ft.Runs.from_matrix(other, **ids)
    ft.Runs.from_matrix(near, queries="xyz", items="abc")
    with pytest.raises(ft.DataError, match=r"shape is \(3, 3, 3\); give .*\{name: matrix\}"):
        ft.Runs.from_matrix(np.stack([near] * 3), **ids)
