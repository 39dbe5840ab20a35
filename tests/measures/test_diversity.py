"""Measures of diversity, by hand and in every kind of world, against plain loops."""

import math

import numpy as np
import pandas as pd
import pytest
from support.building import batch_of, query
from support.intents_by_hand import ranked, sets_of, value, votes_by_intent
from support.scores_for_tests import dense

import fuzzytruth as ft

MEASURES = [
    "alpha_nDCG@3", "alpha_nDCG", "alpha_nDCG(alpha=0.3)@2", "alpha_nDCG(alpha=1)@3", "alpha_DCG@2",
    "ERR_IA@1", "ERR_IA@3", "ERR_IA(alpha=0.2,rel=2)@3", "nERR_IA@2", "NRBP", "nNRBP",
    "NRBP(alpha=0.9,beta=0.8)", "P_IA@3", "P_IA", "AP_IA", "AP_IA(rel=2)", "StRecall@2", "StRecall",
]  # fmt: skip
ORDINARY = ["P@2", "AP", "nDCG@3", "ERR@2", "Rprec", "bpref", "P(rel=2)@3"]
quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


def test_a_list_by_hand() -> None:
    """Two intents: x by a and b, y by b; the ideal order is b, a."""
    truth = pd.DataFrame(
        [("q", "a", "x", 1), ("q", "b", "x", 2), ("q", "b", "y", 1), ("q", "c", "y", 0)],
        columns=["query", "item", "intent", "grade"],
    )
    runs = {"s": {"q": {"a": 4.0, "c": 3.0, "b": 2.0, "u": 1.0}}}
    names = ["alpha_nDCG@3", "ERR_IA@3", "nERR_IA@3", "NRBP", "nNRBP", "P_IA@4", "StRecall@2"]
    names += ["AP_IA", "alpha_DCG@1"]
    scores = ft.evaluate(truth, runs, names)
    log3 = math.log2(3)
    gain, ideal = 1 + 1.5 / 2, 2 + 0.5 / log3
    assert scores.values[0, :, 0].tolist() == pytest.approx(
        [
            gain / ideal,
            (1 + 1.5 / 3) / (2 * (1 + 0.5 / 2 + 0.25 / 3)),
            (1 + 1.5 / 3) / (2 + 0.5 / 2),
            (1 + 1.5 / 4) * 0.75 / 2,
            (1 + 1.5 / 4) / (2 + 0.5 / 2),
            3 / 8,
            1 / 2,
            ((1 + 2 / 3) / 2 + 1 / 3) / 2,
            1 / 2,
        ],
        abs=1e-12,
    )


@quiet
@pytest.mark.parametrize(
    ("share", "missing"), [(1.0, "nonrelevant"), (0.9, "nonrelevant"), (0.3, "exclude")]
)
def test_each_subject_has_its_own_intents(share: float, missing: str) -> None:
    """With all judgments, with many and with few, which are laid out differently."""
    votes, runs = votes_by_intent(5, n_items=9)
    rng = np.random.default_rng(1)
    pairs = votes[["query", "item", "subject"]].drop_duplicates()
    kept = votes.merge(pairs[rng.random(len(pairs)) < share])
    kept = pd.concat([kept, votes[votes["subject"] == "s0"]]).drop_duplicates()
    scores = ft.evaluate(kept, runs, MEASURES, worlds="subject", missing=missing).to_frame()
    assert len(scores) == 2 * len(MEASURES) * 3 * 3
    for (q, subject), rows in scores.groupby(["query", "subject"]):
        part = kept[kept["query"] == q]
        mine = part[part["subject"] == subject]
        truth = {item: next(iter(sets.values())) for item, sets in sets_of(mine).items()}
        pool = set(part["item"])
        for row in rows.itertuples():
            lists = ranked(runs[row.system][q])
            if missing == "exclude":
                lists = [d for d in lists if d in truth or d not in pool]
            want = value(ft.measures.parse_measure(row.measure), lists, truth)
            assert row.value == pytest.approx(want, abs=1e-12), row


@quiet
@pytest.mark.parametrize("worlds", ["subject", "independent", "population"])
def test_other_measures_see_the_largest_grade_in_the_same_worlds(worlds: str) -> None:
    votes, runs = votes_by_intent(8, n_items=8)
    merged = votes.groupby(["query", "item", "subject"], sort=False, as_index=False)["grade"].max()
    options = {"worlds": worlds, "n_worlds": 300, "rng": 3}
    with_intents, without = (
        ft.evaluate(truth, runs, ORDINARY, **options) for truth in (votes, merged)
    )
    order = [without.queries.index(q) for q in with_intents.queries]
    a, b = dense(with_intents), dense(without)
    if worlds == "subject":
        a = a[:, :, [with_intents.subjects.index(s) for s in without.subjects]]
    np.testing.assert_array_equal(a, b[..., order])


def test_judgments_without_intents_are_refused_by_name() -> None:
    runs = {"s": {"q": {"a": 1.0}}}
    message = r"alpha_nDCG@5, ERR_IA@5: need judgments by intent.*column 'intent'"
    with pytest.raises(ft.errors.MeasureError, match=message):
        ft.evaluate({"q": {"a": 1}}, runs, ["P@1", "alpha_nDCG@5", "ERR_IA@5"])
    votes = ft.Assignments.from_columns(
        ["ann"], ["a"], ["x"], taxonomy=ft.Taxonomy.from_children({"all": ["x"]})
    )
    with pytest.raises(ft.errors.MeasureError, match="StRecall: needs judgments by intent"):
        ft.evaluate(votes.by_item(), {"s": {"a": {"x": 1.0}}}, "StRecall")
    with pytest.raises(ft.errors.MeasureError, match="StRecall: needs judgments by intent"):
        ft.measures.parse_measure("StRecall").score(batch_of(query([1.0])))
