"""What has no number is reported."""

from __future__ import annotations

import pytest

from fuzzytruth.errors import DataError, LeftOutWarning
from fuzzytruth.io.harness_logs import SampleLog


def test_report() -> None:
    log = SampleLog("a.json")
    log.left_out["value of 'x'"] += 2
    with pytest.raises(
        DataError, match=r"a.json: no sample .* \(left out: 2 values of 'x'\); give"
    ):
        log.report()
    log.add(model="m", task="t", sample=1, values={"acc": 1.0, "f1": 0.5}, place="line 1")
    assert (log.measure, log.value, log.place) == (["acc", "f1"], [1, 0.5], ["line 1", "line 1"])
    with pytest.warns(LeftOutWarning, match="a.json: of this log, 2 values of 'x' left out"):
        log.report()


def test_the_first_value_that_is_no_number_is_named() -> None:
    log = SampleLog("a.json")
    log.add(model="m", task="t", sample=1, values={"acc": 1.0}, place="line 1")
    for line, value in ((2, "so so"), (3, "bad")):
        log.leave_out("value of 'x'", value, f"line {line}")
    with pytest.warns(
        LeftOutWarning, match=r"2 values of 'x' left out, such as 'so so' \(line 2\)$"
    ):
        log.report()


def test_a_name_instead_of_the_models() -> None:
    log = SampleLog("a.json")
    for model in ("m", "n"):
        log.add(model=model, task="t", sample=1, values={"acc": 1.0}, place="line 1")
    named = log.named("gpt")
    assert (named.model, log.model) == (["gpt", "gpt"], ["m", "n"])
    assert named.value == log.value
