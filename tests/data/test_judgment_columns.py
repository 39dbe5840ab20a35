"""Columns of judgments: counts and repeats, other scales of grades, files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft

COUNTS = pd.DataFrame(
    [
        *(("q", "a", 0.0, 3.0), ("q", "a", 2.0, 1.0), ("q", "b", 1.0, 2.0)),
        *(("r", "a", 2.0, 0.0), ("r", "a", 1.0, 5.0)),
    ],
    columns=["query", "item", "grade", "count"],
)
REPEATS = pd.DataFrame(
    [
        *(("q", "a", "ann", "1", 0.0), ("q", "a", "ann", "2", 2.0)),
        *(("q", "a", "bob", "1", 1.0), ("q", "b", "ann", "1", 1.0)),
    ],
    columns=["query", "item", "subject", "repeat", "grade"],
)


@pytest.mark.parametrize("frame", [COUNTS, REPEATS], ids=["counts", "repeats"])
@pytest.mark.parametrize("ending", ["csv", "tsv", "json", "jsonl", "parquet", "csv.gz"])
def test_files_give_them_back(frame: pd.DataFrame, ending: str, tmp_path: Path) -> None:
    truth = ft.Judgments.from_frame(frame)
    pd.testing.assert_frame_equal(truth.to_frame()[list(frame)], frame, check_dtype=False)
    truth.write(tmp_path / f"a.{ending}")
    again = ft.read_judgments(tmp_path / f"a.{ending}")
    assert again.checksum == truth.checksum
    pd.testing.assert_frame_equal(again.to_frame(), truth.to_frame())


@pytest.mark.parametrize(("frame", "what"), [(COUNTS, "counts"), (REPEATS, "repeats")])
def test_trec_has_no_place_for_them(frame: pd.DataFrame, what: str, tmp_path: Path) -> None:
    with pytest.raises(ft.DataError, match=f"no place for {what}"):
        ft.Judgments.from_frame(frame).write(tmp_path / "a.qrels")


def test_repr() -> None:
    truth = ft.Judgments.from_frame(COUNTS)
    assert repr(truth) == "Judgments(5 rows, 2 queries, counts of 11 votes)"
    truth = ft.Judgments.from_frame(REPEATS)
    assert repr(truth) == "Judgments(4 rows, 1 query, 2 subjects, crossed, repeats)"


@pytest.mark.parametrize(("frame", "column"), [(COUNTS, "count"), (REPEATS, "repeat")])
def test_checksums_tell_columns_apart(frame: pd.DataFrame, column: str) -> None:
    truth = ft.Judgments.from_frame(frame)
    assert ft.Judgments.from_frame(frame[::-1]).checksum == truth.checksum
    changed = frame.assign(**{column: frame[column].replace({frame[column][0]: 7})})
    assert ft.Judgments.from_frame(changed).checksum != truth.checksum


def test_weights() -> None:
    assert ft.Judgments.from_frame(COUNTS).weight.tolist() == [3, 1, 2, 0, 5]
    assert ft.Judgments.from_frame(REPEATS).weight.tolist() == [1, 1, 2, 2]
    assert ft.Judgments.from_dict({"q": {"a": 1}}).weight is None


@pytest.mark.parametrize(
    ("how", "want"),
    [
        ("mean", [0.5, 1, 1]),
        ("median", [0, 1, 1]),
        ("majority", [0, 1, 1]),
        ("max", [2, 1, 1]),
        ("min", [0, 1, 1]),
    ],
)
def test_counts_are_merged_as_votes(how: str, want: list[float]) -> None:
    merged = ft.Judgments.from_frame(COUNTS).aggregate(how)
    assert merged.grade.tolist() == want
    assert merged.count is None


@pytest.mark.parametrize(
    ("how", "want"), [("mean", [1, 1]), ("median", [1, 1]), ("majority", [1, 1]), ("max", [2, 1])]
)
def test_repeats_share_the_vote_of_their_subject(how: str, want: list[float]) -> None:
    merged = ft.Judgments.from_frame(REPEATS).aggregate(how)
    assert merged.grade.tolist() == want
    assert merged.repeat is None


def test_one_subject_keeps_its_repeats() -> None:
    one = ft.Judgments.from_frame(REPEATS).select_subject("ann")
    assert one.repeat.to_pylist() == ["1", "2", "1"]
    assert one.subjects == ("ann",)


def test_largest_grade_over_intents_in_each_repeat() -> None:
    frame = pd.DataFrame(
        [
            *(("q", "a", "ann", "1", "x", 0), ("q", "a", "ann", "1", "y", 1)),
            *(("q", "a", "ann", "2", "x", 0), ("q", "a", "ann", "2", "y", 0)),
        ],
        columns=["query", "item", "subject", "repeat", "intent", "grade"],
    )
    runs = {"s": {"q": {"a": 1.0}}}
    assert ft.evaluate(frame, runs, "P@1").values.item() == 0.5
    counts = COUNTS.assign(intent="x")
    with pytest.raises(ft.DataError, match="intents and counts"):
        ft.evaluate(counts, runs, "P@1")


def test_thresholds() -> None:
    truth = ft.Judgments.from_frame(REPEATS)
    assert truth.binary(1).grade.tolist() == [0, 1, 1, 1]
    assert truth.binary({"ann": 2, "bob": 1}).grade.tolist() == [0, 1, 1, 0]
    assert truth.binary({"ann": 2, "bob": 1}).repeat == truth.repeat
    chances = ft.Judgments.from_columns(["q", "q"], ["a", "b"], [2, 1], probability=[0.5, 0.4])
    assert chances.binary(2).grade.tolist() == [1, 0]
    with pytest.raises(ft.OptionError, match="rel=0: must be above 0"):
        chances.binary(0)


def test_a_threshold_adds_up_counts() -> None:
    frame = pd.DataFrame(
        [("q", "a", 1, 3), ("q", "b", 1, 4), ("q", "a", 2, 5), ("q", "a", 3, 7)],
        columns=["query", "item", "grade", "count"],
    )
    binary = ft.Judgments.from_frame(frame).binary(2).to_frame()
    assert binary.to_numpy().tolist() == [
        ["q", "a", 0.0, 3.0], ["q", "b", 0.0, 4.0], ["q", "a", 1.0, 12.0],
    ]  # fmt: skip


def test_shares_of_scales() -> None:
    truth = ft.Judgments.from_frame(REPEATS)
    with pytest.raises(ft.DataError, match=r"shows no scale: bob \(1\); give .*\{'bob': \(low"):
        truth.rescaled()
    scaled = truth.rescaled({"bob": (0, 4)})
    assert scaled.grade.tolist() == [0, 1, 0.25, 0.5]
    assert truth.rescaled((0, 2)).grade.tolist() == [0, 1, 0.5, 0.5]
    assert scaled.subjects == ("ann", "bob")
    nested = ft.Judgments.from_frame(REPEATS, design="nested")
    with pytest.raises(ft.OptionError, match="the subjects are nested"):
        nested.rescaled()
    with pytest.raises(ft.OptionError, match="the subjects are nested"):
        nested.rescaled({"bob": (0, 4)})
    assert nested.rescaled((0, 2)).grade.tolist() == [0, 1, 0.5, 0.5]
    alone = ft.Judgments.from_dict({"q": {"a": 1, "b": 5, "c": 3}})
    assert alone.rescaled().grade.tolist() == [0, 1, 0.5]
    with pytest.raises(ft.OptionError, match="are probabilities"):
        ft.Judgments.from_probabilities(["q"], ["a"], [0.5]).rescaled()


def test_self_agreement() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        [
            (f"q{q}", f"d{d}", s, r, int(rng.integers(0, 3)))
            for q in range(2)
            for d in range(3)
            for s in ("ann", "bob", "once")
            for r in range(1 if s == "once" else int(rng.integers(1, 5)))
        ],
        columns=["query", "item", "subject", "repeat", "grade"],
    )
    found = ft.Judgments.from_frame(frame).self_agreement().set_index("subject")
    for name, own in frame.groupby("subject"):
        equal = [
            a == b
            for _, part in own.groupby(["query", "item"])
            for j, a in enumerate(part["grade"].tolist())
            for b in part["grade"].tolist()[:j]
        ]
        assert found.loc[name, "n_pairs"] == len(equal)
        want = np.mean(equal) if equal else np.nan
        np.testing.assert_allclose(found.loc[name, "agreement"], want, rtol=1e-12)
    with pytest.raises(ft.DataError, match="no repeats; name them in a column 'repeat'"):
        ft.Judgments.from_frame(frame.query("repeat == 0").drop(columns="repeat")).self_agreement()
