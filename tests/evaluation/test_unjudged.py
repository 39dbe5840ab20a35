"""Bounds against trying out every way in which unjudged items could be judged."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from support.scores_for_tests import dense

import fuzzytruth as ft
from fuzzytruth.measures.registry import lookup, without_bounds

MEASURES = [
    "P@2", "P@9", "P", "R@2", "R", "Success@1", "Success@3", "RR", "RR@2", "NN", "AP", "AP@2",
    "RBP", "RBP(p=0.5)@3", "CG@3", "DCG", "DCG(dcg=burges)@2", "TP@3", "AP(rel=2)", "R(rel=2)@3",
    "AP(norm=retrieved)", "AP(norm=retrieved)@3", "SetAP", "infAP", "infAP(rel=2)", "FP@3", "FP",
    "FN", "FN@2", "TN(collection=30)@3", "NumRet", "NumRet@2", "NumRel", "NumRelRet@2",
    "F", "F@3", "F(beta=2)@4", "F(points=max)", "F(points=max)@3", "F(beta=3,points=max)",
    "F(points=mean)", "F(points=mean)@4", "F(beta=0.5,points=mean,rel=2)", "E@3", "EPSB@3",
    "nCG", "nCG@3", "nDCG", "nDCG@3", "nDCG@9", "nDCG(dcg=burges)", "nDCG(dcg=burges)@2",
    "nDCG(dcg=jarvelin)", "nDCG(base=3,dcg=jarvelin)@4", "IPrec@0", "IPrec@0.3", "IPrec@1",
    "IPrec(interp=round)@0.5", "IPrec(interp=exact)@0.4", "IPrecAvg", "IPrecAvg(interp=round)",
    "IPrecAvg(interp=exact,levels=0.3/0.7,rel=2)", "RelP", "RelP@2", "RelP@9", "Rprec",
    "Rprec(mult=0.2)", "Rprec(mult=1.5)", "Rprec(mult=2.7,rel=2)", "bpref", "bpref(rel=2)",
    "FT", "FT(norm=depth)", "ST", "ST(norm=depth)", "ST(rel=2)", "ERR", "ERR@3",
    "R(rel=0)@2", "AP(rel=0)",
]  # fmt: skip
NO_RULE = {"ADR", "Footrule", "Judged", "Kendall", "RBO", "RBPResidual", "WD", "WDQ"}
quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


def case(seed):
    """A truth with negative grades, and two runs that list items nobody judged.

    The other query only has the top grade of the scale.
    """
    rng = np.random.default_rng(seed)
    grades = {f"d{j}": int(rng.choice([0, 0, 1, 2])) for j in range(rng.integers(1, 6))}
    grades["in the pool"] = -1
    ids = [*grades, *(f"u{j}" for j in range(rng.integers(1, 5)))]
    runs = {}
    for system in ("a", "b"):
        listed = rng.permutation(ids)[: rng.integers(1, len(ids) + 1)]
        scores = {str(d): float(-(k // 2)) for k, d in enumerate(listed)}  # two by two tied
        runs[system] = {"q": scores, "other": {"x": 1.0}}
    return grades, runs


def extremes(grades, runs, measures, **options):
    """Least and largest value over all ways to grade the unjudged items 0, 1 or 2."""
    listed = {d for run in runs.values() for d in run["q"]}
    pool = sorted((listed - set(grades)) | {d for d, g in grades.items() if g < 0})
    values = []
    for completion in itertools.product([0, 1, 2], repeat=len(pool)):
        truth = {"q": grades | dict(zip(pool, completion, strict=True)), "other": {"x": 2}}
        values.append(dense(ft.evaluate(truth, runs, measures, **options))[:, :, 0, 0])
    return np.nanmin(values, axis=0), np.nanmax(values, axis=0)


@quiet
@pytest.mark.parametrize("seed", range(16))
def test_all_completions_lie_between_the_bounds_and_reach_them(seed):
    grades, runs = case(seed)
    truth = {"q": grades, "other": {"x": 2}}
    result = ft.evaluate(truth, runs, MEASURES, unjudged="bounds")
    least, largest = extremes(grades, runs, MEASURES)
    named = np.array(MEASURES)
    for found, expected in ((result.lower, least), (result.upper, largest)):
        found = found[:, :, list(result.queries).index("q")]
        wrong = np.abs(found - expected).max(axis=0) > 1e-12
        assert named[wrong].tolist() == []


@quiet
def test_every_measure_has_bounds_or_is_known_to_have_none():
    tried = {ft.parse_measure(m).name for m in MEASURES}
    own = {n for n in ft.measures.names() if lookup(n)[0].__module__.startswith("fuzzytruth.")}
    assert own - tried == NO_RULE
    assert set(without_bounds()) & own == NO_RULE


@quiet
@pytest.mark.parametrize("undefined", ["zero", "exclude"])
def test_a_query_without_judged_relevant_items(undefined):
    """Judging could make items relevant: then nothing is undefined."""
    runs = {"a": {"q": {"u": 2.0, "d": 1.0, "v": 0.5}, "other": {"x": 1.0}}}
    truth = {"q": {"d": 0}, "other": {"x": 2}}
    measures = [m for m in MEASURES if "rel=0" not in m]
    result = ft.evaluate(truth, runs, measures, unjudged="bounds", undefined=undefined)
    least, largest = extremes({"d": 0}, runs, measures)
    needs = np.array([ft.parse_measure(m).needs_relevant for m in measures])
    q = list(result.queries).index("q")
    known = ~needs if undefined == "exclude" else np.full(len(needs), True)
    np.testing.assert_array_equal(np.isnan(result.lower[0, :, q]), ~known)
    np.testing.assert_allclose(result.lower[0, known, q], least[0, known], rtol=0, atol=1e-12)
    np.testing.assert_allclose(result.upper[0, known, q], largest[0, known], rtol=0, atol=1e-12)


@quiet
def test_rounding_does_not_put_the_value_outside():
    """Many queries with long lists, a third of the listed items unjudged."""
    rng = np.random.default_rng(11)
    truth, runs = {}, {"s": {}}
    for q in range(40):
        items = [f"d{j}" for j in range(60)]
        truth[f"q{q}"] = {d: int(rng.integers(0, 3)) for d in items if rng.random() < 0.66}
        truth[f"q{q}"]["top"] = 2
        order = rng.permutation(items)[: rng.integers(1, 61)]
        runs["s"][f"q{q}"] = {str(d): float(-k) for k, d in enumerate(order)}
    measures = [m for m in MEASURES if "rel=0" not in m and m[:5] not in ("bpref", "infAP")]
    measures = [m.replace("collection=30", "collection=200") for m in measures]
    scores = ft.evaluate(truth, runs, measures, unjudged="bounds")
    assert (scores.lower <= scores.values).all()
    assert (scores.values <= scores.upper).all()
    fixed = (scores.lower == scores.upper).all(axis=(0, 2))
    # The unjudged items are all in the list, and a relevant one never is.
    assert set(np.array(measures)[fixed]) == {"FN", "NumRet", "NumRet@2", "IPrec@1"}


@quiet
@pytest.mark.parametrize("p", [0.5, 0.8])
def test_rbp_and_its_residual(p):
    """The bounds are of the list as it is, the residual also of what comes after it."""
    truth, runs = {"q": {"a": 1, "b": 0}}, {"s": {"q": {"a": 3.0, "u": 2.0, "b": 1.0}}}
    rbp = ft.evaluate(truth, runs, f"RBP(p={p})", unjudged="bounds")
    residual = ft.evaluate(truth, runs, f"RBPResidual(p={p})").values.item()
    assert rbp.upper.item() - rbp.lower.item() == pytest.approx((1 - p) * p)
    assert residual == pytest.approx((1 - p) * p + p**3)


@quiet
def test_lower_is_better_has_its_ends_in_the_same_order():
    truth, runs = {"q": {"a": 1, "b": 0}}, {"s": {"q": {"u": 2.0, "a": 1.0}}}
    scores = ft.evaluate(truth, runs, ["E@1", "F@1"], unjudged="bounds")
    assert scores.values[0, :, 0].tolist() == [1, 0]
    assert (scores.lower[0, 0, 0], scores.upper[0, 0, 0]) == (pytest.approx(1 / 3), 1)
    np.testing.assert_allclose(scores.lower[0, 0], 1 - scores.upper[0, 1])


@quiet
def test_if_all_grades_are_0_the_top_grade_is_1():
    truth, runs = {"q": {"a": 0}}, {"s": {"q": {"u": 2.0, "a": 1.0}}}
    scores = ft.evaluate(truth, runs, ["P@1", "DCG@1", "nDCG", "ERR"], unjudged="bounds")
    assert scores.lower[0, :, 0].tolist() == [0, 0, 0, 0]
    assert scores.upper[0, :, 0].tolist() == [1, 1, 1, 0.5]


@quiet
def test_the_scale_of_err_goes_to_gmax():
    truth, runs = {"q": {"a": 1}}, {"s": {"q": {"u": 2.0, "a": 1.0}}}
    scores = ft.evaluate(truth, runs, ["ERR(gmax=3)@1"], unjudged="bounds")
    assert (scores.lower.item(), scores.upper.item()) == (0, 7 / 8)


@quiet
def test_each_subject_has_bounds_of_its_own():
    rows = [("q", "a", "x", 1), ("q", "b", "x", 0), ("q", "a", "y", 1)]
    votes = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    runs = {"s": {"q": {"b": 2.0, "a": 1.0}}}
    options = {"worlds": "subject", "missing": "nonrelevant", "unjudged": "bounds"}
    frame = ft.evaluate(votes, runs, ["P@1"], **options).to_frame().set_index("subject")
    assert frame.loc["x", ["lower", "upper"]].tolist() == [0, 0]
    assert frame.loc["y", ["lower", "upper"]].tolist() == [0, 1]  # y did not judge b


@quiet
def test_many_subjects_each_against_all_completions():
    """What a subject did not judge, others may have: it is unjudged in the subject's cells."""
    rng = np.random.default_rng(4)
    items = [f"d{j}" for j in range(6)]
    rows = [
        ("q", d, s, int(rng.integers(0, 3))) for s in "xyz" for d in items if rng.random() < 0.6
    ]
    rows += [("other", "e", s, 2) for s in "xyz"]
    votes = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    order = {str(d): float(-k) for k, d in enumerate(rng.permutation(items)[:5])}
    runs = {"s": {"q": order, "other": {"e": 1.0}}}
    measures = [m for m in MEASURES if "rel=0" not in m]
    options = {"worlds": "subject", "missing": "nonrelevant", "unjudged": "bounds"}
    result = ft.evaluate(votes, runs, measures, **options)
    lower, upper = (result.cells.dense(ends)[0] for ends in (result.lower, result.upper))
    q = list(result.queries).index("q")
    for n, subject in enumerate(result.subjects):
        grades = {d: g for query, d, s, g in rows if (query, s) == ("q", subject)}
        grades |= dict.fromkeys({d for query, d, *_ in rows if query == "q"} - set(grades), -1)
        least, largest = extremes(grades, runs, measures)
        np.testing.assert_allclose(lower[:, q, n], least[0], rtol=0, atol=1e-12)
        np.testing.assert_allclose(upper[:, q, n], largest[0], rtol=0, atol=1e-12)


@quiet
def test_bounds_are_the_value_when_everything_is_judged(tmp_path):
    truth = {"q": {"a": 1, "b": 0, "c": 1}}
    measures = [m for m in MEASURES if "rel=2" not in m]
    runs = {"s": {"q": {"b": 2.0, "a": 1.0}}}
    scores = ft.evaluate(truth, runs, measures, unjudged="bounds")
    np.testing.assert_array_equal(scores.lower, scores.values)
    np.testing.assert_array_equal(scores.upper, scores.values)
    scores.save(tmp_path / "s.parquet")
    pd.testing.assert_frame_equal(
        ft.Scores.load(tmp_path / "s.parquet").to_frame(), scores.to_frame()
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"measures": ["ADR", "P@1"]},
            r"no rule is known for ADR; leave it out \(measures without",
        ),
        ({"measures": ["ADR", "Judged@1"]}, "no rule is known for ADR, Judged@1; leave them out"),
        ({"ties": "expected"}, "items need one rank"),
        ({"worlds": "independent"}, "worlds='independent' has none"),
        ({"unjudged": "both"}, "unjudged='both'"),
    ],
)
def test_what_has_no_bounds(options, message):
    given = {"measures": ["P@1"], "unjudged": "bounds"} | options
    with pytest.raises(ft.FuzzytruthError, match=message):
        ft.evaluate({"q": {"a": 1}}, {"s": {"q": {"a": 1.0}}}, **given)
