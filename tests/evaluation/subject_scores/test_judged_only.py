"""`judged_only`, under every kind of worlds, against runs without the items it removes."""

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


JUDGED = [
    "P(judged_only=True)@2",
    "AP(judged_only=True)",
    "nDCG(judged_only=True)@3",
    "RR(judged_only=True)@1",
    "R(judged_only=True)@2",
    "F(judged_only=True)@2",
    "INST(max_rel=2,judged_only=True)",
    "NumRet(judged_only=True)",
    "Rndcg(judged_only=True)",
]


BY_INTENT = [
    "alpha_nDCG@5",
    "ERR_IA@4",
    "P_IA@3",
    "P_IA",
    "AP_IA",
    "StRecall@1",
    "NRBP",
    "nERR_IA@3",
]


JUDGED_BY_INTENT = [
    f"{name}(judged_only=True){at}{k}"
    for name, at, k in (each.partition("@") for each in BY_INTENT)
]


COLUMNS = ["query", "item", "intent", "subject", "grade"]


def without(run, judged):
    """The lists without the items that are not among the judged (query, item) pairs."""
    return {q: {i: s for i, s in items.items() if (q, i) in judged} for q, items in run.items()}


@pytest.mark.parametrize(
    "options",
    [
        {"worlds": "subject", "missing": "exclude"},
        {"worlds": "subject", "missing": "pooled"},
        {"worlds": "independent"},
        {"worlds": "population"},
    ],
)
def test_items_that_nobody_judged_are_left_out(options) -> None:
    rng = np.random.default_rng(0)
    rows = [
        (f"q{j}", item, intent, who, int(rng.integers(0, 3)))
        for j in range(4)
        for item in "abcdef"
        for intent in "xyz"
        for who in "uv"
        if rng.random() < 0.6
    ]
    votes = pd.DataFrame(rows, columns=COLUMNS)
    run = {f"q{j}": {i: float(rng.normal()) for i in "abcdefghij"} for j in range(4)}
    some = without(run, set(zip(votes["query"], votes["item"], strict=True)))
    given = {**options, "rng": 0, "n_worlds": 40}
    plain, judged = ["P@2", "nDCG@3", *BY_INTENT], [*JUDGED[::2][:2], *JUDGED_BY_INTENT]
    result, expected, before = (
        ft.evaluate(votes, {"s": lists}, names, **given).values
        for lists, names in ((run, judged), (some, plain), (run, plain))
    )
    np.testing.assert_allclose(result, expected, rtol=0, atol=1e-12)
    assert (np.abs(result - before).max(axis=(0, 2)) > 0.01).all()
