"""`fuzzytruth displacement`."""

from pathlib import Path

import pandas as pd
import pytest

import fuzzytruth as ft

LINE = "displacement lists.csv a.run b.run"


@pytest.fixture(autouse=True)
def _lists(folder: Path) -> None:
    rows = "q1,ann,d1,1\nq1,ann,d2,.5\nq1,bob,dx,.5\nq2,ann,d3,.25\n"
    (folder / "lists.csv").write_text("query,subject,item,grade\n" + rows)


def displaced(*measures: str) -> ft.Scores:
    return ft.evaluate("lists.csv", ["a.run", "b.run"], measures, worlds="subject")


def test_values_of_subjects_and_queries(printed, records) -> None:
    printed(f"{LINE} --g exp --rate .1 --per-subject --per-query -o out.csv")
    expected = displaced("WDQ(unseen=optimist,g=exp,rate=0.1)").to_frame()
    pd.testing.assert_frame_equal(pd.read_csv("out.csv"), expected)
    rows = records(f"{LINE} --normalised --per-subject")
    assert list(rows[0]) == ["system", "subject", "measure", "value"]
    assert len(rows) == 4


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        ("--unseen worst", 2, "--unseen worst: needs N, the size of the collection"),
        ("--unseen best", 2, "--unseen best: must be one of 'optimist', 'pessimist'"),
        ("--unseen worst -N 1", 1, "the size of the collection, must be"),
        ("-N0", 2, "--collection-size 0: the size"),
        ("--g exp", 2, "give --rate 0.1"),
        ("--rate 2", 2, "add --g rational or --g exp"),
        ("--nested --per-subject", 2, "add --per-query"),
        ("--ties position", 2, "have no positions"),
    ],
)
def test_mistakes(error, options: str, status: int, message: str) -> None:
    found, text = error(f"displacement lists.csv a.run {options}")
    assert found == status
    assert message in text
