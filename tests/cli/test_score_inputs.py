"""Files of scores: tables, saved scores and logs, one or several."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import fuzzytruth as ft
from fuzzytruth.cli.compared_scores import hold_scores, read_score_files

TABLE = "system,query,value\n" + "".join(f"{{0}},q{q},0.{q}\n" for q in range(1, 5))


def log(model: str, *values: str) -> str:
    samples = [
        {"id": f"s{n}", "epoch": 1, "scores": {"choice": {"value": value}}}
        for n, value in enumerate(values)
    ]
    about = {"task": "gpqa", "model": model, "dataset": {"samples": len(values)}}
    return json.dumps({"version": 2, "status": "success", "eval": about, "samples": samples})


@pytest.fixture(autouse=True)
def _files(folder: Path) -> None:
    for name in ("good", "poor"):
        (folder / f"{name}.csv").write_text(TABLE.format(name))
    (folder / "gpt.json").write_text(log("gpt", "C", "C", "I", "C"))
    (folder / "llama.json").write_text(log("llama", "I", "C", "I", "I"))


@pytest.mark.parametrize(
    ("texts", "systems"),
    [
        (["good.csv", "poor.csv"], ("good", "poor")),
        (["good.csv"], ("good",)),
        (["gpt.json", "llama.json"], ("gpt", "llama")),
        (["new=gpt.json", "old=llama.json"], ("new", "old")),
        (["*.json"], ("gpt", "llama")),
    ],
)
def test_scores_of_all_files(texts: list[str], systems: tuple[str, ...]) -> None:
    assert hold_scores(texts)
    scores = read_score_files(texts, columns=None, drop=(), systems=(), kept=())
    assert scores.systems == systems
    assert len(scores.queries) == 4


def test_judgments_and_runs_are_no_scores(folder: Path) -> None:
    (folder / "run.csv").write_text("system,query,item,score\nx,q1,d1,1\n")
    (folder / "mine.csv").write_text("net,topic_no,auc\na,q1,0.5\n")
    for name in ("qrels.txt", "votes.csv", "run.csv", "mine.csv"):
        assert not hold_scores([name, "a.run"])
    columns = {"system": "net", "query": "topic_no", "value": "auc"}
    assert hold_scores(["mine.csv", "mine.csv"], columns)


def test_compare_takes_logs(run) -> None:
    status, out, err = run("compare", "gpt.json", "llama.json", "--format", "json")
    assert status == 0, err
    want = ft.compare(ft.read_scores(["gpt.json", "llama.json"])).to_frame(full=True)
    assert json.loads(out)[0]["difference"] == want["difference"].iloc[0] == 0.5
    status, _, err = run("compare", "new=gpt.json", "llama.json")
    assert status == 2
    assert "llama.json: give every file of scores a name" in err
    status, _, err = run("compare", "new=good.csv", "old=poor.csv")
    assert status == 2
    assert "good.csv" in err


def test_columns_of_wide_tables_of_scores(run, folder: Path) -> None:
    lines = "".join(f"t{n},0.{n},0.{n + 2},x{n % 2}\n" for n in range(1, 7))
    (folder / "wide.csv").write_text("topic_no,bm25,dense,kind\n" + lines)
    options = ("--columns", "query=topic_no", "--systems", "bm25,dense", "--format", "json")
    status, out, err = run("compare", "wide.csv", *options)
    assert status == 0, err
    assert json.loads(out)[0]["difference"] == pytest.approx(-0.2)
    clusters = run("compare", "wide.csv", *options, "--clusters", "kind")
    assert clusters[0] == 0, clusters[2]
    status, _, err = run("compare", "qrels.txt", "a.run", "--columns", "a=b", "-m", "P@1")
    assert status == 2
    assert "--columns: qrels.txt has no named columns" in err
