"""`fuzzytruth convert`."""

import os
from pathlib import Path
from threading import Thread

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft


def test_scores_are_kept_in_every_format(printed) -> None:
    expected = ft.evaluate("qrels.txt", "a.run", "AP").values
    for ending in ("csv", "tsv", "json", "jsonl", "parquet", "txt", "csv.gz"):
        printed(f"convert qrels.txt truth.{ending}")
        printed(f"convert a.run run.{ending}")
        found = ft.evaluate(f"truth.{ending}", f"run.{ending}", "AP").values
        assert np.array_equal(found, expected), ending


@pytest.mark.parametrize("name", ["qrels.txt", "a.run"])
def test_a_pipe_is_read_once(run, printed, folder: Path, name: str) -> None:
    os.mkfifo(folder / "pipe")
    text = (folder / name).read_text()
    writer = Thread(target=lambda: (folder / "pipe").write_text(text), daemon=True)
    writer.start()
    assert run("convert pipe out.csv") == (0, "", "")
    writer.join()
    printed(f"convert {name} again.csv")
    expected = pd.read_csv(folder / "again.csv").drop(columns="system", errors="ignore")
    assert pd.read_csv(folder / "out.csv")[expected.columns].equals(expected)


def test_runs_one_file_a_system_and_by_rank(run, printed, folder: Path) -> None:
    frame = pd.concat([ft.read_runs(name).to_frame() for name in ("a.run", "b.run")])
    frame.to_csv(folder / "both.csv", index=False)
    assert run("convert both.csv {system}.tsv") == (0, "", "")
    assert ft.read_runs(["a.tsv", "b.tsv"]).systems == ("a", "b")
    (folder / "r.run").write_text("q1 Q0 d3 1 0.5 r\nq1 Q0 d1 2 9.5 r\nq1 Q0 d2 3 0.5 r\n")
    printed("convert r.run out.run --order-by rank")
    for order_by in ("rank", "score"):
        frame = ft.read_runs("out.run", order_by=order_by).to_frame()
        assert frame["item"].tolist() == ["d3", "d1", "d2"]


def test_what_a_table_holds_can_be_said(printed, error, folder: Path) -> None:
    (folder / "net.csv").write_text("item,category\na,cat\n")
    assert error("convert net.csv net.run")[0] == 1
    printed("convert net.csv net.run --kind runs")
    assert (folder / "net.run").read_text().split()[:3] == ["a", "Q0", "cat"]
    (folder / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t2\n")
    for options, expected in (
        ("", "q1 Q0 d1 1 2.0 test"),  # scores without grades are runs
        ("--kind judgments", "q1 0 d1 2"),
        ("--columns grade=score", "q1 0 d1 2"),
    ):
        printed(f"convert test.tsv out.txt {options}")
        assert (folder / "out.txt").read_text().strip() == expected
    printed("evaluate test.tsv a.run -m RR")


def test_grades_are_rescaled(printed, error, folder: Path) -> None:
    (folder / "own.csv").write_text("query,item,subject,grade\nq,a,ann,3\nq,b,ann,1\nq,a,bob,0\n")
    printed("convert own.csv out.csv --rescale ann=1:5,bob=0:1")
    assert ft.read_judgments(folder / "out.csv").grade.tolist() == [0.5, 0, 0]
    status, message = error("convert own.csv out.csv --rescale own")
    assert status == 1
    assert "shows no scale: bob (0); give the scale, --rescale bob=low:high" in message
    assert error("convert own.csv x.run --kind runs --rescale own") == (
        2,
        "--rescale: is for judgments, not runs; leave it out",
    )
