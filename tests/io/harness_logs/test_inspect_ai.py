"""Logs of Inspect: values of scores, both kinds of files, and what is refused."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from support.harness_logs import as_zstandard, inspect_log, inspect_sample, write_eval

from fuzzytruth.errors import DataError
from fuzzytruth.io.files import Source
from fuzzytruth.io.harness_logs import (
    is_inspect_frame,
    is_inspect_log,
    log_of_frame,
    log_of_json,
    read_eval,
)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("C", {"match": 1}),
        ("I", {"match": 0}),
        ("P", {"match": 0.5}),
        ("N", {"match": 0}),
        (0.25, {"match": 0.25}),
        (True, {"match": 1}),
        ("3", {"match": 3}),
        ({"fluency": 4, "truth": "C"}, {"match.fluency": 4, "match.truth": 1}),
    ],
)
def test_values(value: Any, expected: dict[str, float]) -> None:
    log = log_of_json(inspect_log(inspect_sample(1, match=value)), "a.json")
    assert dict(zip(log.measure, log.value, strict=True)) == expected
    assert {*log.model} == {"ollama/gemma3"}
    assert {*log.place} == {"a.json, sample 1"}


def test_keys_of_several_scorers_are_told_apart() -> None:
    log = log_of_json(inspect_log(inspect_sample(1, judge={"a": 1}, match="C")), "w")
    assert log.measure == ["judge.a", "match"]


def test_what_is_no_number_is_counted() -> None:
    samples = [
        inspect_sample(1, match="C", words=["a"]),
        inspect_sample(2, match=None, words="A"),
        inspect_sample(3),
        inspect_sample(4, match=float("nan")),
    ]
    log = log_of_json(inspect_log(*samples), "w")
    assert (log.sample, log.value) == ([1], [1])
    no_score = "sample without a score"
    assert +log.left_out == {no_score: 3, "value of 'words'": 2}


def test_eval_file_holds_the_same(tmp_path: Path) -> None:
    log = inspect_log(inspect_sample("s1", match="C"), inspect_sample("s1", 2, match="I"))
    read = read_eval(Source.of(write_eval(tmp_path / "a.eval", log)))
    assert (read.sample, read.value) == (["s1", "s1"], [1, 0])
    assert read.place[1] == f"{tmp_path / 'a.eval'}, samples/s1_epoch_2.json"


def test_zstandard(tmp_path: Path) -> None:
    """Which this version of Python may not know."""
    samples = [inspect_sample(n, match="CI"[n % 2], text=n) for n in range(40)]
    path = as_zstandard(write_eval(tmp_path / "a.eval", inspect_log(*samples)))
    assert {member.compress_type for member in zipfile.ZipFile(path).infolist()} == {93}
    read = read_eval(Source.of(path))
    assert read.value == [value for n in range(40) for value in (1 - n % 2, n)]
    data = path.read_bytes()
    no_frame = data.replace(b"\x28\xb5\x2f\xfd", b"\x28\xb5\x2f\xfe")
    for damaged in (no_frame, _without_checksums(data)):
        path.write_bytes(damaged)
        with pytest.raises(DataError, match=r"not a log of Inspect \(a damaged ZIP archive\)"):
            read_eval(Source.of(path))


def _without_checksums(archive: bytes) -> bytes:
    """An archive in whose directory all checksums are 0."""
    return re.sub(rb"(PK\x01\x02.{12}).{4}", rb"\1" + bytes(4), archive, flags=re.DOTALL)


def test_what_a_log_is() -> None:
    assert is_inspect_log(inspect_log())
    assert not is_inspect_log([inspect_log()])
    assert not is_inspect_log({"eval": 1, "status": "success"})


def _stopped(config: dict[str, Any]) -> dict[str, Any]:
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
        (_stopped({}), r"status 'error' after 3 of 12 samples; give"),
        (
            _stopped({"epochs": 3}),
            r"status 'error' after 3 of 36 samples \(3 epochs of 12\); give",
        ),
        (inspect_log({"epoch": 1}), "sample 1: is no sample of Inspect; it has no 'id'"),
        (inspect_log({"id": 1, "scores": {"m": 1}}), "sample 1, id 1, score 'm': 1 has no 'value'"),
    ],
)
def test_logs_that_are_refused(log: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=f"^w.*{message}"):
        log_of_json(log, "w")


def test_archives_that_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.eval"
    path.write_text("{}")
    with pytest.raises(DataError, match=r"a\.eval: is not a log of Inspect \(no ZIP archive\)"):
        read_eval(Source.of(path))
    write_eval(path, inspect_log(), header="other.json")
    with pytest.raises(DataError, match="the evaluation has not ended"):
        read_eval(Source.of(path))
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "a")
    with pytest.raises(DataError, match=r"there is no header\.json in it"):
        read_eval(Source.of(path))


def test_damaged_member(tmp_path: Path) -> None:
    path = write_eval(tmp_path / "a.eval", inspect_log(inspect_sample(1, match="C")))
    data = bytearray(path.read_bytes())
    start = data.index(b"header.json") + len("header.json")
    stop = data.index(b"PK\x03\x04", start)
    data[start:stop] = b"\xff" * (stop - start)
    path.write_bytes(data)
    with pytest.raises(DataError, match=r"not a log of Inspect \(a damaged ZIP archive\)"):
        read_eval(Source.of(path))


def test_unknown_compression(tmp_path: Path) -> None:
    path = write_eval(tmp_path / "a.eval", inspect_log(inspect_sample(1, match="C")))
    unknown = b"\x62\x00"  # 98 names no method that Python has
    data = path.read_bytes().replace(b"\x00\x00\x08\x00", b"\x00\x00" + unknown)
    path.write_bytes(data)
    with pytest.raises(DataError, match="convert it: inspect log convert --to json"):
        read_eval(Source.of(path))


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
