"""The result of a gate: verdict, table, JSON and print."""

from __future__ import annotations

import json
from dataclasses import fields, replace

import numpy as np
import pytest
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.comparison.gate import GateTest

RNG = np.random.default_rng(0)
TABLE = RNG.normal(0.0, 0.05, (2, 6, 25)) + RNG.normal(size=(1, 6, 25))


@pytest.fixture(scope="module")
def result() -> ft.Gate:
    return ft.gate(scores_of(TABLE), "sys0", "sys1", margin=0.02)


def test_only_what_decides_counts(result: ft.Gate) -> None:
    beside, deciding = result.tests
    assert result.deciding == (deciding,)
    assert replace(result, tests=(replace(beside, passed=False), deciding)).passed
    assert not replace(result, tests=(beside, replace(deciding, passed=False))).passed
    two = (deciding, replace(deciding, measure="n", passed=False))
    assert not replace(result, tests=two).passed


def test_frame(result: ft.Gate) -> None:
    frame = result.to_frame()
    assert frame["over"].tolist() == ["query", "query,subject"]
    assert frame["decides"].tolist() == [False, True]
    assert frame["p"].tolist() == [test.p for test in result.tests]
    assert frame["bound"].tolist() == [test.bound for test in result.tests]
    assert max(map(len, repr(frame).splitlines())) <= 80
    full = result.to_frame(full=True)
    assert list(full) == [field.name for field in fields(GateTest)]
    assert full["n_queries"].tolist() == [25, 25]


def test_json_has_no_number_that_is_none(result: ft.Gate) -> None:
    found = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert list(found) == [
        *("passed", "verdict", "claim", "new", "old", "level", "groups", "tests")
    ]
    assert (found["passed"], found["claim"], found["groups"]) == (True, "non-inferior", None)
    assert found["verdict"] == result.lines()[0]
    assert found["tests"][1]["over"] == ["query", "subject"]
    assert found["tests"][1]["bound"] == result.tests[1].bound
    alone = ft.gate(scores_of(TABLE[:, 0, :1]), "sys0", "sys1", better=True)
    single = json.loads(json.dumps(alone.to_dict(), allow_nan=False))
    assert (single["claim"], single["passed"]) == ("better", False)
    numbers = single["tests"][0]
    assert [numbers[key] for key in ("margin", "bound", "std_error", "detectable")] == [None] * 4


def test_shown(result: ft.Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert repr(result) == "Gate(sys0 against sys1 on m: passed)"
    text = str(result)
    assert max(map(len, text.splitlines())) <= 60
    assert text.startswith("passed: sys0 is not worse than sys1 by 0.02 or more on m")
    html = result._repr_html_()
    assert html.count("<table>") == 1
    assert result.lines()[0] in html
