"""The comparison of two versions' outputs notices what changed."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from fuzz.outputs import Outputs, Recorder, compare, of_lists


def outputs() -> Outputs:
    recorder = Recorder(3)
    of_lists(recorder)
    return recorder.out


def test_the_same_calls_give_the_same_outputs(capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(outputs(), outputs()) == 0
    assert "0 missing, 0 numbers or names differ" in capsys.readouterr().out


def test_a_changed_number_and_a_missing_one_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    old = outputs()
    new = copy.deepcopy(old)
    floats = [key for key, value in old.items() if getattr(value, "dtype", None) is np.dtype(float)]
    number, other = floats[:2]
    new[number] = new[number] + 1e-6
    del new[other]
    assert compare(old, new) == 1
    printed = capsys.readouterr().out
    assert "1 missing, 1 numbers" in printed
    assert f"- {number}" in printed
    assert f"- {other}" in printed
