"""`judged_only` measures of diversity, under every kind of worlds."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
NAMES = ["alpha_nDCG@5", "ERR_IA@4", "P_IA@3", "P_IA", "AP_IA", "StRecall@1", "NRBP", "nERR_IA@3"]
JUDGED = [
    f"{name}(judged_only=True){at}{k}" for name, at, k in (each.partition("@") for each in NAMES)
]
COLUMNS = ["query", "item", "intent", "subject", "grade"]


def votes_of(seed: int, low: int, subjects: str) -> pd.DataFrame:
    """Each subject judges most items, for most of three intents; `low` is the lowest grade."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"q{j}", item, intent, who, int(rng.integers(low, 3)))
        for j in range(4)
        for item in "abcdef"
        for intent in "xyz"
        for who in subjects
        if rng.random() < 0.6
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def run_of(seed: int, items: str = "abcdefghij") -> dict[str, dict[str, float]]:
    rng = np.random.default_rng(seed)
    return {f"q{j}": {item: float(rng.normal()) for item in items} for j in range(4)}


def without(run: dict[str, dict[str, float]], judged: Any) -> dict[str, dict[str, float]]:
    """The lists without the items that are not among the judged (query, item) pairs."""
    return {q: {i: s for i, s in items.items() if (q, i) in judged} for q, items in run.items()}


@pytest.mark.parametrize(
    "options",
    [
        {"worlds": "subject", "missing": "nonrelevant"},
        {"worlds": "subject", "missing": "exclude"},
        {"worlds": "subject", "missing": "pooled"},
        {"worlds": "independent"},
        {"worlds": "population"},
    ],
)
def test_items_that_nobody_judged_are_left_out(options: dict[str, Any]) -> None:
    votes, run = votes_of(0, 0, "uv"), run_of(8)
    some = without(run, set(zip(votes["query"], votes["item"], strict=True)))
    given = {**options, "rng": 0, "n_worlds": 40}
    result, expected, before = (
        ft.evaluate(votes, {"s": lists}, names, **given).values
        for lists, names in ((run, JUDGED), (some, NAMES), (run, NAMES))
    )
    np.testing.assert_allclose(result, expected, rtol=0, atol=1e-12)
    assert (np.abs(result - before).max(axis=(0, 2)) > 0.01).all()


def test_items_that_a_subject_gave_negative_grades_are_left_out() -> None:
    """Each subject then has lists of their own."""
    votes, run = votes_of(2, -1, "uv"), run_of(3)
    options = {"worlds": "subject", "missing": "exclude"}
    result = ft.evaluate(votes, {"s": run}, JUDGED, **options).to_frame()
    found = result.set_index(["subject", "query", "measure"])["value"]
    for who, own in votes.groupby("subject"):
        best = own.groupby(["query", "item"])["grade"].max()
        lists = without(run, best.index[best >= 0])
        expected = ft.evaluate(own, {"s": lists}, NAMES, worlds="subject").to_frame()
        for query, name, value in expected[["query", "measure", "value"]].itertuples(index=False):
            judged = JUDGED[NAMES.index(name)]
            assert found[who, query, str(ft.parse_measure(judged))] == pytest.approx(value)


def test_an_item_judged_in_some_worlds_only() -> None:
    """Worlds whose lists differ, against all of them."""
    rows = [
        *(("q", "a", "x", "u", 1), ("q", "a", "y", "u", 1), ("q", "a", "x", "v", -1)),
        *(("q", "b", "y", "u", 0), ("q", "b", "y", "v", 1), ("q", "b", "x", "v", 1)),
        *(("q", "c", "x", "u", -1), ("q", "c", "x", "v", 2)),
    ]
    votes = pd.DataFrame(rows, columns=COLUMNS)
    run = {"q": {"n": 9.0, "c": 8.0, "a": 7.0, "m": 6.0, "b": 5.0}}
    options = {"worlds": "independent", "rng": 3, "n_worlds": 20_000}
    scores = ft.evaluate(votes, {"s": run}, JUDGED, **options)
    values = []
    for who in itertools.product("uv", repeat=3):
        drawn = votes[
            [
                dict(zip("abc", who, strict=True))[i] == s
                for i, s in votes[["item", "subject"]].itertuples(index=False)
            ]
        ]
        best = drawn.groupby(["query", "item"])["grade"].max()
        lists = without(run, best.index[best >= 0])
        truth = drawn.drop(columns="subject")
        values.append(ft.evaluate(truth, {"s": lists}, NAMES).values[0, :, 0])
    error = 5 * scores.uncertainty.mc_error[0, :, 0] + 1e-12
    assert (np.abs(scores.values[0, :, 0] - np.mean(values, axis=0)) < error).all()
