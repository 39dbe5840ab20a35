"""`fuzzytruth displacement`."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

import fuzzytruth as ft


@pytest.fixture
def lists(folder: Path) -> Path:
    path = folder / "lists.csv"
    rows = "q1,ann,d1,1\nq1,ann,d2,.5\nq1,bob,dx,.5\nq2,ann,d3,.25\n"
    path.write_text("query,subject,item,grade\n" + rows)
    return path


def displaced(folder: Path, *measures: str) -> ft.Scores:
    return ft.evaluate(folder / "lists.csv", ["a.run", "b.run"], measures, worlds="subject")


def test_displacement_averages_within_queries_first(run, lists: Path) -> None:
    options = ("--unseen", "optimist", "--unseen", "worst", "-N", "50", "--format", "json")
    status, out, _ = run("displacement", "lists.csv", "a.run", "b.run", *options)
    assert status == 0
    result = {(row["system"], row["measure"]): row["value"] for row in json.loads(out)}
    expected = displaced(lists.parent, "WD(unseen=optimist,N=50)", "WD(unseen=worst,N=50)").mean()
    assert result == {(s, m): expected.loc[s, m] for s in expected.index for m in expected.columns}


def test_displacement_per_subject_and_query(run, lists: Path) -> None:
    options = ("--g", "exp", "--rate", ".1", "--per-subject", "--per-query", "-o", "out.csv")
    assert run("displacement", "lists.csv", "a.run", "b.run", *options)[0] == 0
    expected = displaced(lists.parent, "WDQ(unseen=optimist,g=exp,rate=0.1)").to_frame()
    pd.testing.assert_frame_equal(pd.read_csv("out.csv"), expected)
    options = ("--normalised", "--per-subject", "--format", "csv")
    _, out, _ = run("displacement", "lists.csv", "a.run", "b.run", *options)
    assert out.splitlines()[0] == "system,subject,measure,value"
    assert len(out.splitlines()) == 1 + 4


@pytest.mark.parametrize(
    ("named", "last"),
    [
        (("optimist", "worst", "pessimist"), "worst"),
        (("optimist",), "pessimist"),
        (("optimist", "incremental"), "pessimist"),
    ],
)
def test_a_figure_has_two_ends(run, lists: Path, named: tuple[str, ...], last: str) -> None:
    options = [text for name in named for text in ("--unseen", name)]
    call = ("displacement", "lists.csv", "a.run", "-N", "20", "--figure", "a.svg")
    status, _, err = run(*call, *options)
    assert (status, err) == (
        2,
        "error: --figure: shows ranges from optimist to pessimist; give --unseen optimist "
        f"--unseen {last} -N SIZE and no others (or pessimist-tail or worst in place of "
        "pessimist)\n",
    )
    assert run(*call, "--unseen", "optimist", "--unseen", last)[0] == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--unseen", "worst"), "--unseen worst: needs N, the size of the collection"),
        (("--unseen", "best"), "--unseen best: must be one of 'optimist', 'pessimist'"),
        (("--unseen", "worst", "-N", "1"), "the size of the collection, must be"),
        (("--g", "exp"), "give --rate 0.1"),
        (("--rate", "2"), "add --g rational or --g exp"),
        (("--nested", "--per-subject"), "add --per-query"),
        (("--ties", "position"), "have no positions"),
        (("-o", "lists.csv"), "must not be overwritten"),
    ],
)
def test_displacement_refuses_in_one_line(run, lists: Path, options, message: str) -> None:
    status, _, err = run("displacement", "lists.csv", "a.run", *options)
    assert status == (1 if "-N" in options else 2)  # the size of the collection against the lists
    assert message in err
    assert len(err.splitlines()) == 1
