"""Logs and tables become scores."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from support.harness_logs import (
    harness_sample,
    inspect_log,
    inspect_sample,
    write_eval,
    write_samples,
)

import fuzzytruth as ft
from fuzzytruth.errors import DataError, LeftOutWarning, OptionError, RepeatsWarning


def put(path: Path, log: dict[str, Any]) -> Path:
    path.write_text(json.dumps(log), encoding="utf-8")
    return path


def logs_of_inspect(folder: Path) -> None:
    first = inspect_log(inspect_sample(1, match="C"), inspect_sample(2, match="I"), model="a")
    second = inspect_log(inspect_sample(2, match="P"), inspect_sample(3, match="C"), model="b")
    put(folder / "1.json", first)
    write_eval(folder / "2.eval", second)


def test_models_of_inspect_are_paired_by_sample(tmp_path: Path) -> None:
    logs_of_inspect(tmp_path)
    scores = ft.read_scores([tmp_path / "*.json", str(tmp_path / "*.eval")])
    assert (scores.systems, scores.queries) == (("a", "b"), ("1", "2", "3"))
    assert scores.measures == ("match",)
    expected = [[[1, 0, np.nan]], [[np.nan, 0.5, 1]]]
    np.testing.assert_array_equal(scores.values, expected)
    assert scores.higher_is_better == (True,)


def test_two_logs_of_a_model_and_task(tmp_path: Path) -> None:
    write_samples(tmp_path, "gpt", "arc", [harness_sample(0, {"acc": 1})], "01T10-00-00.1")
    write_samples(tmp_path, "gpt", "arc", [harness_sample(0, {"acc": 0})], "02T10-00-00.1")
    with pytest.raises(DataError, match="the model 'gpt' has a log of the task 'arc' already"):
        ft.read_scores(tmp_path / "gpt" / "*.jsonl")


@pytest.mark.parametrize(
    ("paths", "options", "error", "message"),
    [
        ("a.csv", {"name": "tag"}, OptionError, "name='tag': must be one of 'model', 'file'"),
        ({"x": "a.csv"}, {}, OptionError, "is no log; its table names its systems itself"),
        ({"x": "a.csv"}, {"name": "file"}, OptionError, "the keys of the dict already name"),
        (
            "m.jsonl",
            {"columns": {}},
            OptionError,
            "columns={}: is for tables, and m.jsonl is a log",
        ),
        ("m.jsonl", {"systems": ["a"]}, OptionError, "is for tables, and m.jsonl is a log; leave"),
        ("a.csv", {"higher_is_better": True}, OptionError, "is for logs; make the scores of tabl"),
        ([], {}, DataError, "read_scores: there are no paths; give at least one file"),
        ("*.eval", {}, DataError, "no file matches this pattern"),
        (3, {}, OptionError, "path=3: must be the path of a file"),
        ("b.json", {}, DataError, "b.json: 3 does not belong there; give a list of records with"),
    ],
)
def test_mistakes(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    paths: Any,
    options: Any,
    error: type[Exception],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text("run,qid,score\na,1,0.5\n")
    Path("b.json").write_text("3")
    write_samples(tmp_path, ".", "t", [harness_sample(0, {"acc": 1})]).rename("m.jsonl")
    with pytest.raises(error, match=message.replace("*", r"\*")):
        ft.read_scores(paths, **options)


def test_epochs_and_samples_without_a_score(tmp_path: Path) -> None:
    runs = [inspect_sample(1, epoch, match=value) for epoch, value in ((1, "C"), (2, "I"), (3, 1))]
    log = inspect_log(*runs, inspect_sample(2, match="C"))
    with pytest.warns(RepeatsWarning, match=r"a\.json: 1 sample was run up to 3 times \(epochs\)"):
        scores = ft.read_scores(put(tmp_path / "a.json", log))
    np.testing.assert_allclose(scores.values.ravel(), [2 / 3, 1], atol=1e-15)
    log = inspect_log(inspect_sample(1, match="C"), inspect_sample(2))
    with pytest.warns(LeftOutWarning, match="of this log, 1 sample without a score left out"):
        assert ft.read_scores(put(tmp_path / "a.json", log)).queries == ("1",)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_frames_of_any_library(make: Any) -> None:
    samples = {"id": ["1", "2"], "epoch": [1, 1], "model": ["a", "b"], "score_ok": ["C", "P"]}
    scores = ft.read_scores(make(samples))
    assert (scores.systems, scores.measures) == (("a", "b"), ("ok",))
    np.testing.assert_array_equal(scores.values[:, 0], [[1, np.nan], [np.nan, 0.5]])
    rows = {"system": ["a", "a", "b"], "query": [1, 2, 1], "value": [0.5, 1.0, 0.25]}
    assert ft.read_scores(make(rows)).mean()["value"].tolist() == [0.75, 0.25]


def test_a_table_is_not_parsed_as_a_log_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "scores.json").write_text('[{"system": "a", "query": 1, "value": 0.5}]')
    monkeypatch.delattr("fuzzytruth.evaluation.tables.score_logs.parse_json")
    assert ft.read_scores(tmp_path / "scores.json").systems == ("a",)
