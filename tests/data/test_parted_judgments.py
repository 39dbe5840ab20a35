"""Judgments in the partitions of a Dask frame."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.core.workers import Workers
from fuzzytruth.data.parted import PartedJudgments
from fuzzytruth.errors import UnusedColumnWarning

dd = pytest.importorskip("dask.dataframe")


def frame_of(n: int = 60) -> pd.DataFrame:
    rng = np.random.default_rng(4)
    return pd.DataFrame(
        {
            "query": [f"q{q}" for q in rng.integers(0, 6, n)],
            "item": np.arange(n).astype(str),
            "subject": [f"s{s}" for s in rng.integers(0, 3, n)],
            "grade": rng.integers(0, 4, n),
        }
    )


def parted(frame: pd.DataFrame, n_partitions: int = 4) -> PartedJudgments:
    return PartedJudgments.of(
        dd.from_pandas(frame, npartitions=n_partitions, sort=False), Workers()
    )


def rows_of(truth: PartedJudgments, tasks: list[object]) -> list[tuple[object, ...]]:
    parts = truth.workers.results(tasks, "judgments")
    return [row for part in parts for row in part.to_frame().itertuples(index=False, name=None)]


def test_facts_are_those_of_all_judgments() -> None:
    frame = frame_of()
    truth, whole = parted(frame), ft.Judgments.from_frame(frame)
    assert (truth.queries, truth.subjects) == (whole.queries, whole.subjects)
    assert truth.checksum == whole.checksum
    assert (truth.grades.low, truth.grades.high, truth.grades.count) == (0, 3, 60)
    assert truth.binary(2).checksum == whole.binary(2).checksum
    levels = {"s0": 1, "s1": 2, "s2": 3}
    assert truth.binary(levels).checksum == whole.binary(levels).checksum


def test_groups_of_queries_have_all_their_rows_in_order() -> None:
    frame = frame_of()
    truth = parted(frame)
    groups = [("q3", "unknown"), (), ("q0", "q5")]
    found = truth.of_groups(groups)
    assert found[1] is None
    for number, group in ((0, ["q3"]), (2, ["q0", "q5"]), (3, ["q1", "q2", "q4"])):
        part = found[number]
        assert part is not None
        tasks, numbers = part
        assert len(tasks) == len(numbers)
        expected = frame[frame["query"].isin(group)].itertuples(index=False, name=None)
        assert rows_of(truth, tasks) == list(expected)


def test_what_is_wrong_names_the_partition() -> None:
    frame = frame_of()
    with pytest.raises(ft.DataError, match=r"^judgments, partition 3, row 15.*not a finite number"):
        parted(frame.assign(grade=[*range(59), np.nan]))
    with pytest.raises(ft.OptionError, match="no threshold for 1 subject: s2"):
        parted(frame).binary({"s0": 1, "s1": 1})
    empty = dd.from_pandas(frame, npartitions=2, sort=False)
    with pytest.raises(ft.DataError, match=r"^judgments: there are no rows in any partition"):
        PartedJudgments.of(empty[empty["grade"] > 9], Workers())


def test_an_item_judged_twice_in_two_partitions_is_refused() -> None:
    rows = [("q", "a", "s", 1), ("q", "b", "s", 0), ("q", "c", "s", 0), ("q", "a", "s", 0)]
    frame = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    given = dd.from_pandas(frame, npartitions=2, sort=False)
    runs = dd.from_pandas(
        pd.DataFrame({"query": ["q"], "item": ["a"], "score": [1.0]}), npartitions=1
    )
    with pytest.raises(ft.DataError, match="value 'a' is judged twice"):
        ft.evaluate(given, runs, ["AP"], worlds="subject")


def scores_of(truth: pd.DataFrame, n_partitions: int) -> ft.Scores:
    runs = pd.DataFrame({"query": ["a", "a", "b"], "item": ["x", "y", "y"], "score": [2.0, 1, 3]})
    given = dd.from_pandas(truth, npartitions=n_partitions, sort=False)
    frame = dd.from_pandas(runs, npartitions=2, sort=False)
    expected, scores = (ft.evaluate(*pair, ["P@1"]) for pair in ((truth, runs), (given, frame)))
    assert scores.values.tolist() == expected.values.tolist()
    assert scores.provenance == expected.provenance
    return scores


@pytest.mark.parametrize(("iterations", "n_intents"), [("0011", 2), ("0000", 0), ("0112", 3)])
def test_a_column_iteration_names_intents_if_partitions_differ(
    iterations: str, n_intents: int
) -> None:
    frame = pd.DataFrame({"query": ["a", "a", "b", "b"], "item": list("xyyx"), "grade": 1})
    frame = frame.assign(iteration=list(iterations))
    truth = parted(frame, 2)  # the first two rows, and the others
    assert ("intent" in truth.columns) == (n_intents > 0)
    assert truth.checksum == ft.Judgments.from_frame(frame).checksum
    scores_of(frame, 2)


def test_a_column_that_may_name_people_is_reported() -> None:
    rows = {"query": ["a", "b"], "item": ["x", "y"], "grade": [1, 0], "reviewed_by": ["s", "t"]}
    with pytest.warns(UnusedColumnWarning, match=r"^judgments: not used: 'reviewed_by'"):
        parted(pd.DataFrame(rows), 2)


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.parametrize("rel", [None, 1])
def test_counts_of_an_item_in_several_partitions(rel: float | None) -> None:
    frame = pd.DataFrame(
        {
            "query": ["b", "a", "a", "a", "b", "b", "a"],
            "item": ["y", "x", "x", "y", "y", "x", "x"],
            "grade": [0, 0, 1, 0, 2, 1, 2],
            "count": [0, 0, 0, 3, 1, 2, 4],
        }
    )
    runs = pd.DataFrame({"query": ["a", "a", "b"], "item": ["x", "y", "y"], "score": [2.0, 1, 3]})
    expected = ft.evaluate(frame, runs, ["P@1", "AP"], rel=rel)
    for n_partitions in (2, 3, 7):
        given = dd.from_pandas(frame, npartitions=n_partitions, sort=False)
        of_parts = dd.from_pandas(runs, npartitions=2, sort=False)
        scores = ft.evaluate(given, of_parts, ["P@1", "AP"], rel=rel)
        assert scores.queries == expected.queries == ("b", "a")
        np.testing.assert_array_equal(scores.values, expected.values)
        assert scores.provenance == expected.provenance
    message = r"^judgments, partition 0, row 2, column 'count': item 'x' of query 'a' has no votes"
    with pytest.raises(ft.DataError, match=message):
        parted(frame[:-1], 3)
