"""What is written reads back the same, or is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft

ENDINGS = [
    f"{e}{p}" for e in ("txt", "csv", "tsv", "json", "jsonl", "parquet") for p in ("", ".gz")
]
ODD_NUMBERS = [0.1 + 0.2, 1e-300, -5e-324, 1.7976931348623157e308, 3.0, 1 / 3, -0.0, 2.0**60]


@pytest.fixture
def votes():
    return ft.Judgments.from_frame(
        pd.DataFrame(
            {
                "query": ["q1"] * 8,
                "item": ["007", "NA", "é", "a", "007", "NA", "é", "a"],
                "subject": ["ann"] * 4 + ["bob"] * 4,
                "grade": ODD_NUMBERS,
            }
        )
    )


@pytest.mark.parametrize("ending", ENDINGS)
def test_judgments_read_back(tmp_path, votes, ending):
    path = tmp_path / f"votes.{ending}"
    votes.write(path)
    options = {"groups": True} if ending.startswith("txt") else {}
    pd.testing.assert_frame_equal(
        ft.read_judgments(path, **options).to_frame(), votes.to_frame(), check_exact=True
    )


@pytest.mark.parametrize("ending", [e for e in ENDINGS if not e.startswith("txt")])
def test_intents_read_back(tmp_path, votes, ending):
    frame = pd.concat([votes.to_frame().assign(intent=intent) for intent in ("1", "two words")])
    truth = ft.Judgments.from_frame(frame, design="nested")
    path = tmp_path / f"votes.{ending}"
    truth.write(path)
    back = ft.read_judgments(path, design="nested")
    assert back.intents == ("1", "two words")
    pd.testing.assert_frame_equal(back.to_frame(), truth.to_frame(), check_exact=True)


def test_trec_files_have_no_place_for_intents(tmp_path):
    truth = ft.Judgments.from_columns(["q"], ["a"], [1], intent=["1"])
    with pytest.raises(ft.DataError, match=r"no place for intents; write \.csv, \.json or"):
        truth.write(tmp_path / "q.txt")


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("order_by", ["score", "rank"])
def test_runs_read_back(tmp_path, ending, order_by):
    frame = pd.DataFrame(
        {
            "query": ["q1"] * 8 + ["q0"],
            "item": ["007", "NA", "é", "a", "b", "c", "d", "e", "007"],
            "score": [*ODD_NUMBERS, 1.0],
            "rank": [3, 1, 2, 4, 8, 7, 6, 5, 1],
        }
    )
    runs = ft.Runs.from_frame(frame, name="s", order_by=order_by)
    path = tmp_path / f"s.{ending}"
    runs.write(path)
    back = ft.read_runs(path, order_by=order_by)
    assert back.systems == ("s",)
    pd.testing.assert_frame_equal(back.to_frame(), runs.to_frame(), check_exact=True)


@pytest.mark.parametrize("ending", [e for e in ENDINGS if not e.startswith("txt")])
def test_odd_ids_read_back(tmp_path, ending):
    ids = ["a b", 'say "hi"', "x,y;z", "tab\tid", "two\nlines", " padded ", "'", "cr\rid", "null"]
    truth = ft.Judgments.from_columns(ids, ids[::-1], np.arange(9.0), position=np.arange(9) / 3)
    path = tmp_path / f"odd.{ending}"
    truth.write(path)
    pd.testing.assert_frame_equal(ft.read_judgments(path).to_frame(), truth.to_frame())


@pytest.mark.parametrize("ending", [e for e in ENDINGS if not e.startswith("txt")])
def test_several_systems_read_back(tmp_path, ending):
    runs = ft.Runs.from_dict({"x": {"q": {"a": 1.0, "b": 2.0}}, "y": {"q": {"a": 3.0}}})
    path = tmp_path / f"all.{ending}"
    runs.write(path)
    pd.testing.assert_frame_equal(ft.read_runs(path).to_frame(), runs.to_frame())


class TestTrecRefuses:
    def test_ids_with_white_space(self, tmp_path):
        truth = ft.Judgments.from_dict({"q": {"my doc": 1}})
        with pytest.raises(ft.DataError, match="item 'my doc' has white space"):
            truth.write(tmp_path / "q.txt")

    def test_several_systems(self, tmp_path):
        runs = ft.Runs.from_dict({"x": {"q": {"a": 1}}, "y": {"q": {"a": 1}}})
        with pytest.raises(ft.DataError, match="holds one system, not 2"):
            runs.write(tmp_path / "a.run")

    def test_positions(self, tmp_path):
        truth = ft.Judgments.from_columns(["q"], ["a"], [1], position=[1])
        with pytest.raises(ft.DataError, match="no place for positions"):
            truth.write(tmp_path / "q.txt")

    def test_probabilities(self, tmp_path):
        truth = ft.Judgments.from_probabilities(["q"], ["a"], [0.3])
        with pytest.raises(ft.DataError, match=r"no place for probabilities.*aggregate\('mean"):
            truth.write(tmp_path / "q.txt")


@pytest.mark.parametrize("ending", [e for e in ENDINGS if not e.startswith("txt")])
@pytest.mark.parametrize("graded", [False, True])
def test_probabilities_read_back(tmp_path, ending, graded):
    columns = {"probability": [0.0, 0.3, 1.0]} | ({"grade": [2.0, 2.0, 0.5]} if graded else {})
    truth = ft.Judgments.from_columns(["q", "q", "r"], ["a", "b", "a"], **columns)
    assert repr(truth) == "Judgments(3 rows, 2 queries, probabilities)"
    path = tmp_path / f"p.{ending}"
    truth.write(path)
    back = ft.read_judgments(path)
    pd.testing.assert_frame_equal(back.to_frame(), truth.to_frame())
    pd.testing.assert_frame_equal(
        ft.Judgments.from_frame(back.to_frame()).to_frame(), back.to_frame()
    )
    runs = {"s": {"q": {"a": 2.0, "b": 1.0}, "r": {"a": 1.0}}}
    scores = [ft.evaluate(t, runs, ["P(rel=0.5)@1"]).values for t in (truth, back)]
    assert scores[0].ravel().tolist() == scores[1].ravel().tolist() == [0.0, 1.0]


def test_nothing_is_half_written(tmp_path):
    path = tmp_path / "q.txt"
    path.write_text("as it was")
    with pytest.raises(ft.DataError):
        ft.Judgments.from_dict({"q": {"my doc": 1}}).write(path)
    assert path.read_text() == "as it was"
    assert list(tmp_path.iterdir()) == [path]


def test_unwritable_place(tmp_path):
    with pytest.raises(ft.DataError, match="cannot be written"):
        ft.Judgments.from_dict({"q": {"a": 1}}).write(tmp_path / "no" / "q.txt")
