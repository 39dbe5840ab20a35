"""Logs of Inspect and samples of lm-evaluation-harness: values, places, and what is refused."""

import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from support.harness_logs import (
    as_zstandard,
    harness_sample,
    inspect_log,
    inspect_sample,
    write_eval,
    write_samples,
)

import fuzzytruth as ft
from fuzzytruth.errors import DataError, LeftOutWarning
from fuzzytruth.io.files import Source, refuse_malformed
from fuzzytruth.io.harness_logs import (
    SampleLog,
    holds_samples,
    is_inspect_frame,
    log_of_frame,
    log_of_json,
    read_eval,
    read_samples,
    refuse_means,
)


def test_scorers_and_what_is_no_number() -> None:
    log = log_of_json(inspect_log(inspect_sample(1, judge={"a": 1}, match="C")), "w")
    assert log.measure == ["judge.a", "match"]
    samples = [
        inspect_sample(1, match="C", words=["a"]),
        inspect_sample(2, match=None, words="A"),
        inspect_sample(3),
        inspect_sample(4, match=float("nan")),
    ]
    log = log_of_json(inspect_log(*samples), "w")
    assert (log.sample, log.value) == ([1], [1])
    assert +log.left_out == {"sample without a score": 3, "value of 'words'": 2}


def stopped(config: dict[str, Any]) -> dict[str, Any]:
    """A log of three runs of samples, of which there are twelve."""
    samples = [inspect_sample("s1", epoch, match="C") for epoch in (1, 2, 3)]
    log = inspect_log(*samples, status="error")
    log["eval"] |= {"dataset": {"samples": 12}, "config": config}
    return log


@pytest.mark.parametrize(
    ("log", "message"),
    [
        (inspect_log(), "there are no samples in it"),
        (
            inspect_log(status="error", error={"message": "429"}),
            r"ended with status 'error' \(429\); give the log of one that succeeded",
        ),
        (inspect_log(status="started"), "status 'started'; give"),
        (stopped({}), r"status 'error' after 3 of 12 samples; give"),
        (stopped({"epochs": 3}), r"status 'error' after 3 of 36 samples \(3 epochs of 12\); give"),
        (inspect_log({"epoch": 1}), "sample 1: is no sample of Inspect; it has no 'id'"),
        (inspect_log({"id": 1, "scores": {"m": 1}}), "sample 1, id 1, score 'm': 1 has no 'value'"),
        (inspect_log({"id": "s", "scores": "C"}), "sample 1, id 's': malformed sample of Inspect"),
    ],
)
def test_logs_that_are_refused(log: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=f"^w.*{message}"):
        log_of_json(log, "w")


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    samples = inspect_sample("s1", match="C"), inspect_sample("s1", 2, match="I")
    return write_eval(tmp_path / "a.eval", inspect_log(*samples))


def test_zstandard(tmp_path: Path) -> None:
    """Which this version of Python may not know."""
    samples = [inspect_sample(n, match="CI"[n % 2], text=n) for n in range(40)]
    path = as_zstandard(write_eval(tmp_path / "a.eval", inspect_log(*samples)))
    assert {member.compress_type for member in zipfile.ZipFile(path).infolist()} == {93}
    assert read_eval(Source.of(path)).value == [x for n in range(40) for x in (1 - n % 2, n)]
    data = path.read_bytes()
    no_frame = data.replace(b"\x28\xb5\x2f\xfd", b"\x28\xb5\x2f\xfe")
    other_sums = re.sub(rb"(PK\x01\x02.{12}).{4}", rb"\1" + bytes(4), data, flags=re.DOTALL)
    for damaged in (no_frame, other_sums):
        path.write_bytes(damaged)
        with pytest.raises(DataError, match=r"not a log of Inspect \(a damaged ZIP archive\)"):
            read_eval(Source.of(path))


def with_damaged_header(data: bytes) -> bytes:
    start = data.index(b"header.json") + len("header.json")
    stop = data.index(b"PK\x03\x04", start)
    return data[:start] + b"\xff" * (stop - start) + data[stop:]


def zipped(members: dict[str, str]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return data.getvalue()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: b"{}", r"a\.eval: is not a log of Inspect \(no ZIP archive\)"),
        (with_damaged_header, r"not a log of Inspect \(a damaged ZIP archive\)"),
        (  # 98 names no compression that Python has
            lambda data: data.replace(b"\x00\x00\x08\x00", b"\x00\x00\x62\x00"),
            "convert it: inspect log convert --to json",
        ),
        (lambda data: data.replace(b"header.json", b"hooter.json"), "the evaluation has not ended"),
        (lambda data: zipped({"a.txt": "a"}), r"there is no header\.json in it"),
    ],
)
def test_archives_that_are_refused(archive: Path, damage: Any, message: str) -> None:
    archive.write_bytes(damage(archive.read_bytes()))
    with pytest.raises(DataError, match=message):
        read_eval(Source.of(archive))


def test_frames() -> None:
    columns = {"id": ["a", "b"], "epoch": [1, 1], "model": ["m", "m"], "score_match": ["C", "I"]}
    assert is_inspect_frame(list(columns))
    assert not is_inspect_frame(["id", "epoch", "score"])
    log = log_of_frame(columns, "frame")
    assert (log.model, log.measure, log.value) == (["m", "m"], ["match", "match"], [1, 0])
    assert log.place[1] == "frame, row 2"
    del columns["model"]
    with pytest.raises(DataError, match=r"frame: no column 'model' .*EvalModel \+ SampleSummary"):
        log_of_frame(columns, "frame")


ACC = [harness_sample(0, {"acc": 1.0, "acc_norm": 0.0}), harness_sample(1, {"acc": 0.0})]
UNLISTED = harness_sample(7, {"acc": True, "note": "x"})
del UNLISTED["metrics"]
FILTERED = [harness_sample(0, {"em": 1.0}, "strict"), harness_sample(0, {"em": 0.0}, "loose")]
WORDS = [harness_sample(0, {"acc": 1.0, "word_perplexity": [-12.5, 4]})]


@pytest.mark.parametrize(
    ("samples", "sample", "measure", "value", "left_out"),
    [
        (ACC, [0, 0, 1], ["acc", "acc_norm", "acc"], [1, 0, 0], {}),
        ([UNLISTED], [7], ["acc"], [1], {}),
        (FILTERED, [0, 0], ["em (strict)", "em (loose)"], [1, 0], {}),
        (WORDS, [0], ["acc"], [1], {"value of 'word_perplexity'": 1}),
    ],
)
def test_samples(
    samples: list[Any],
    sample: list[int],
    measure: list[str],
    value: list[float],
    left_out: dict[str, int],
    tmp_path: Path,
) -> None:
    path = write_samples(tmp_path, "EleutherAI__pythia", "arc_easy", samples)
    assert holds_samples(Source.of(path))
    log = read_samples(Source.of(path))
    assert ({*log.model}, {*log.task}) == ({"EleutherAI__pythia"}, {"arc_easy"})
    assert (log.sample, log.measure, log.value) == (sample, measure, value)
    assert +log.left_out == left_out
    assert log.place[-1] == f"{path}, line {len(samples)}"


def test_files_of_samples(tmp_path: Path) -> None:
    path = write_samples(tmp_path, "m", "t", ACC)
    for name, task in (("samples_arc_easy.jsonl", "arc_easy"), ("mine.jsonl", "mine")):
        path = path.rename(path.with_name(name))
        assert read_samples(Source.of(path)).task[0] == task
    path.write_text('{"system": "a", "query": 1, "value": 2}\n')
    assert not holds_samples(Source.of(path))
    path = write_samples(tmp_path, "m", "t", [*ACC, {"doc": 1}])
    with pytest.raises(DataError, match=r"line 3: .* is no sample of lm-evaluation-harness"):
        read_samples(Source.of(path))
    path.write_text(json.dumps(harness_sample(0, {"acc": 1.0}) | {"metrics": [["acc"]]}))
    with pytest.raises(DataError, match=r"line 1: malformed sample of lm-evaluation-ha"):
        ft.read_scores(path)
    with pytest.raises(DataError, match=r"^r.json: has the means .* --log_samples writes$"):
        refuse_means({"results": {"arc": {"acc,none": 0.5}}, "configs": {}}, "r.json")
    refuse_means({"results": {"q1": {"d1": 1}}}, "r.json")
    with pytest.raises(DataError, match=r"^mine$"), refuse_malformed("f", "log"):
        raise DataError("mine")


def test_reports_and_names() -> None:
    log = SampleLog("a.json")
    log.left_out["value of 'x'"] += 2
    with pytest.raises(DataError, match=r"a.json: no sample .* \(left out: 2 values of 'x'\); giv"):
        log.report()
    log.add(model="m", task="t", sample=1, values={"acc": 1.0, "f1": 0.5}, place="line 1")
    assert (log.measure, log.value, log.place) == (["acc", "f1"], [1, 0.5], ["line 1", "line 1"])
    with pytest.warns(LeftOutWarning, match="a.json: of this log, 2 values of 'x' left out"):
        log.report()
    named = log.named("gpt")
    assert (named.model, log.model) == (["gpt", "gpt"], ["m", "m"])
    assert named.value == log.value
