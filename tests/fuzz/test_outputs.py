"""The comparison of two versions' outputs notices what changed."""

import copy

import pytest

from fuzz.outputs import compare, outputs_of

VERBS = ("scores", "displacement", "mcnemar")


def test_a_changed_number_and_a_missing_one_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    old = outputs_of(2, VERBS)
    assert compare(old, outputs_of(2, VERBS)) == 0
    new = copy.deepcopy(old)
    new["2/scores/to_frame.value"] = new["2/scores/to_frame.value"] + 1e-6
    new["2/scores/text"] = ["other"]
    del new["2/displacement/text"]
    capsys.readouterr()
    assert compare(old, new) == 1
    printed = capsys.readouterr().out
    assert "1 missing, 1 numbers or names differ\n1 printed texts differ\n" in printed
    assert "- 2/displacement/text\n- 2/scores/to_frame.value\n= 2/scores/text\n" in printed
    assert printed.endswith("  + other\n")
    assert old["2/mcnemar/error"] == ["OptionError"]
