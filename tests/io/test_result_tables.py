"""Tables with a column a metric, HELM's runs, and MTEB's means, which are refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.errors import LeftOutWarning, RepeatsWarning

METRICS = ["faithfulness", "answer_relevancy"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    asked = [f"what is {n}?" for n in range(3)]
    one = pd.DataFrame({"user_input": asked, "faithfulness": [1, 0.5, 0], METRICS[1]: 0.25})
    one.to_csv("a.csv", index=False)
    one[::-1].assign(faithfulness=[0.1, 0.2, 0.3]).to_json("b.jsonl", orient="records", lines=True)
    return tmp_path


def test_a_column_for_each_measure() -> None:
    scores = ft.read_scores(["a.csv", "b.jsonl"], measures=METRICS)
    assert (scores.systems, scores.measures) == (("a", "b"), tuple(METRICS))
    assert scores.queries == ("what is 0?", "what is 1?", "what is 2?")
    assert scores.values[:, 0].tolist() == [[1, 0.5, 0], [0.3, 0.2, 0.1]]
    named = ft.read_scores({"x": "a.csv"}, measures="faithfulness")
    assert (named.systems, named.values.ravel().tolist()) == (("x",), [1, 0.5, 0])


def test_samples_are_told_apart_by_queries_or_numbers() -> None:
    frame = pd.DataFrame({"model": ["m", "m", "n"], "qid": [7, 8, 7], "f": [1, 0, "yes"]})
    scores = ft.read_scores(frame, measures="f")
    assert (scores.systems, scores.queries) == (("m", "n"), ("7", "8"))
    assert scores.mean()["f"].to_dict() == {"m": 0.5, "n": 1.0}
    assert ft.read_scores(frame[["f"]], measures=["f"]).queries == ("1", "2", "3")
    own = frame.rename(columns={"qid": "no"})
    assert ft.read_scores(own, measures="f", columns={"query": "no"}).queries == ("7", "8")
    with pytest.warns(RepeatsWarning, match="1 sample was run up to 2 times"):
        ft.read_scores(frame.assign(qid=7), measures="f")


def test_cells_without_numbers_are_counted() -> None:
    Path("gaps.csv").write_text("qid,f,g\n1,,1\n2,bad,1\n3,0.5,1\n")
    with pytest.warns(LeftOutWarning, match="1 empty cell of 'f', 1 value of 'f' left out, "):
        scores = ft.read_scores("gaps.csv", measures=["f", "g"])
    assert scores.mean().loc["gaps"].to_dict() == {"f": 0.5, "g": 1.0}


@pytest.mark.parametrize(
    ("path", "options", "message"),
    [
        ("a.csv", {"measures": "faithful"}, "a.csv, header: no column 'faithful' .nearest: 'faith"),
        ("a.csv", {"measures": "user_input"}, "a.csv: no sample of this log has a score"),
        ("a.csv", {"measures": "f", "systems": "g"}, "systems='g': does not go with measures="),
        (
            "a.csv",
            {},
            r"no known column; .*if each measure has a column: read_scores\(\.\.\., m",
        ),
        (
            "a.run",
            {"measures": "f"},
            "a.run: scores of measures need named columns .f.; give",
        ),
        ("results", {}, "^results: has means of tasks by MTEB, and no values of queries; evaluate"),
        ("results/m/T.json", {}, "T.json: has means of tasks by MTEB"),
        ("none", {}, "^none: is a directory without per_instance_stats.json, which HELM writes"),
    ],
)
def test_what_is_refused(path: str, options: dict[str, Any], message: str) -> None:
    Path("results/m").mkdir(parents=True)
    Path("results/m/model_meta.json").write_text("{}")
    Path("results/m/T.json").write_text('{"task_name": "T", "scores": {"test": []}}')
    Path("none").mkdir()
    Path("a.run").write_text("q Q0 d 1 1 x\n")
    with pytest.raises(ft.FuzzytruthError, match=message):
        ft.read_scores(path, **options)


def write_helm(run: str, values: list[float], **record: Any) -> Path:
    """Write a run of HELM, whose first instance comes again with the keys of `record`."""
    folder = Path("runs") / run
    folder.mkdir(parents=True)
    stats = [
        [{"name": {"name": "em"}, "count": 2, "sum": 2 * v}, {"name": {"name": "n"}, "count": 0}]
        for v in values
    ]
    records = [{"instance_id": f"id{n}", "stats": one} for n, one in enumerate(stats)]
    records.append({"instance_id": "id0", "stats": stats[0]} | record)
    (folder / "per_instance_stats.json").write_text(json.dumps(records))
    return folder


def test_runs_of_helm() -> None:
    write_helm("mmlu:subject=x,model=openai_gpt", [1, 0], perturbation={"name": "typos"})
    write_helm("mmlu:subject=x,model=meta_llama", [1, 1], perturbation={"name": "typos"})
    with pytest.warns(LeftOutWarning, match="1 perturbed instance left out"):
        scores = ft.read_scores("runs")
    assert scores.queries == ("id0", "id1")
    assert scores.mean()["em"].to_dict() == {"openai_gpt": 0.5, "meta_llama": 1.0}
    with pytest.warns(LeftOutWarning):
        assert ft.read_scores({"x": "runs/*gpt/*.json"}).systems == ("x",)
    trials = write_helm("trials", [0, 1], train_trial_index=1)
    with pytest.warns(RepeatsWarning, match="1 sample was run up to 2 times"):
        assert ft.read_scores(trials).systems == ("trials",)
    (trials / "per_instance_stats.json").write_text('[{"instance_id": 1, "stats": [{}]}]')
    with pytest.raises(ft.DataError, match="record 1: malformed record of HELM"):
        ft.read_scores(trials)
