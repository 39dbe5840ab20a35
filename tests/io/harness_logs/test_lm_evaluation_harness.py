"""Samples of lm-evaluation-harness: names of models and tasks, metrics, filters."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.harness_logs import harness_sample, write_samples

from fuzzytruth.errors import DataError
from fuzzytruth.io.files import Source
from fuzzytruth.io.harness_logs import holds_samples, read_samples, refuse_means

ACC = [harness_sample(0, {"acc": 1.0, "acc_norm": 0.0}), harness_sample(1, {"acc": 0.0})]


def test_metrics(tmp_path: Path) -> None:
    path = write_samples(tmp_path, "EleutherAI__pythia", "arc_easy", ACC)
    assert holds_samples(Source.of(path))
    log = read_samples(Source.of(path))
    assert ({*log.model}, {*log.task}) == ({"EleutherAI__pythia"}, {"arc_easy"})
    assert log.sample == [0, 0, 1]
    assert log.measure == ["acc", "acc_norm", "acc"]
    assert log.value == [1, 0, 0]
    assert log.place[2] == f"{path}, line 2"


def test_filters(tmp_path: Path) -> None:
    samples = [
        harness_sample(0, {"exact_match": 1.0}, "strict-match"),
        harness_sample(0, {"exact_match": 0.0}, "flexible-extract"),
    ]
    log = read_samples(Source.of(write_samples(tmp_path, "m", "gsm8k", samples)))
    assert log.measure == ["exact_match (strict-match)", "exact_match (flexible-extract)"]


def test_metrics_that_are_not_listed(tmp_path: Path) -> None:
    sample = harness_sample(7, {"acc": True, "note": "x"})
    del sample["metrics"]
    log = read_samples(Source.of(write_samples(tmp_path, "m", "t", [sample])))
    assert (log.measure, log.value) == (["acc"], [1])


def test_values_that_are_no_numbers_are_counted(tmp_path: Path) -> None:
    samples = [harness_sample(0, {"acc": 1.0, "word_perplexity": [-12.5, 4]})]
    log = read_samples(Source.of(write_samples(tmp_path, "m", "t", samples)))
    assert log.measure == ["acc"]
    assert +log.left_out == {"value of 'word_perplexity'": 1}


def test_names_without_a_time(tmp_path: Path) -> None:
    path = write_samples(tmp_path, "m", "t", ACC)
    for name, task in (("samples_arc_easy.jsonl", "arc_easy"), ("mine.jsonl", "mine")):
        path = path.rename(path.with_name(name))
        assert read_samples(Source.of(path)).task[0] == task


def test_other_files(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"system": "a", "query": 1, "value": 2}\n')
    assert not holds_samples(Source.of(path))
    path = write_samples(tmp_path, "m", "t", [*ACC, {"doc": 1}])
    with pytest.raises(DataError, match=r"line 3: .* is no sample of lm-evaluation-harness"):
        read_samples(Source.of(path))


def test_means_are_no_samples() -> None:
    with pytest.raises(DataError, match=r"^r.json: has the means .* --log_samples writes$"):
        refuse_means({"results": {"arc": {"acc,none": 0.5}}, "configs": {}}, "r.json")
    refuse_means({"results": {"q1": {"d1": 1}}}, "r.json")
