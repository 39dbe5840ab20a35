"""What has no number is reported."""

from __future__ import annotations

import pytest

from fuzzytruth.errors import DataError, LeftOutWarning
from fuzzytruth.io.harness_logs.sample_log import SampleLog


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
