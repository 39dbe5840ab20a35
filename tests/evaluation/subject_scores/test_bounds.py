"""Bounds against trying out every way in which unjudged items could be judged."""

import itertools

import numpy as np
import pandas as pd
import pytest

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
    "R(rel=0)@2", "AP(rel=0)", "yaap", "yaap(rel=2)", "NumNonRelJudgedRet",
    "NumNonRelJudgedRet(rel=2)@2", "Utility", "Utility(hit=2,other=-0.5,missed=-1)@3",
    "Utility(hit=-1,other=1)", "Utility(collection=30,missed=1,rejected=0.5)@2", "SDCG@3",
    "SDCG(max_rel=3,min_rel=-1)@4", "SDCG(min_rel=1)@2", "INSQ", "INSQ(T=2,max_rel=1)@3",
    "nDCG(gains={0:0,1:1,2:5})@3", "nDCG(gains={1:0.5,2:0.75})", "nCG(gains={1:0,2:1})@2",
    "DCG(gains={1:3,2:3})@4",
]  # fmt: skip


NO_RULE = {
    "ADR", "AP_IA", "BPM", "Compat", "ERR_IA", "Footrule", "G", "INST", "Judged", "Kendall",
    "NERR10", "NERR11", "NERR8", "NERR9", "NRBP", "P_IA", "RBO", "RBPResidual", "Rndcg", "StRecall",
    "WD", "WDQ", "alpha_DCG", "alpha_nDCG", "binG", "nERR_IA", "nNRBP", "ndcg_rel",
}  # fmt: skip


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


pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


def extremes(grades, runs, measures):
    """Least and largest value over all ways to grade the unjudged items 0, 1 or 2."""
    listed = {d for run in runs.values() for d in run["q"]}
    pool = sorted((listed - set(grades)) | {d for d, g in grades.items() if g < 0})
    rows = []
    for way, completion in enumerate(itertools.product([0, 1, 2], repeat=len(pool))):
        judged = grades | dict(zip(pool, completion, strict=True))
        rows += [("q", item, way, grade) for item, grade in judged.items()]
        rows.append(("other", "x", way, 2))
    frame = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    scores = ft.evaluate(frame, runs, measures, worlds="subject")
    values = scores.cells.dense(scores.values)[:, :, scores.queries.index("q")]
    return values.min(axis=-1), values.max(axis=-1)


def assert_bounds(scores, cell, extremes, measures):
    named = np.array(measures)
    for found, expected in zip((scores.lower, scores.upper), extremes, strict=True):
        wrong = ~(np.abs(found[:, :, cell] - expected) <= 1e-12)
        assert named[wrong.any(axis=0)].tolist() == []


@pytest.mark.parametrize("seed", range(7))
def test_all_completions_lie_between_the_bounds_and_reach_them(seed):
    grades, runs = case(seed)
    scores = ft.evaluate({"q": grades, "other": {"x": 2}}, runs, MEASURES, unjudged="bounds")
    assert_bounds(scores, scores.queries.index("q"), extremes(grades, runs, MEASURES), MEASURES)


@pytest.mark.parametrize(
    ("judged", "listed", "ends"),
    [
        ({"a": 1, "b": 0}, "ua", {"F@1": (0, 2 / 3), "E@1": (1 / 3, 1)}),
        ({"a": 0}, "ua", {"P@1": (0, 1), "DCG@1": (0, 1), "nDCG": (0, 1), "ERR": (0, 0.5)}),
        ({"a": 1}, "ua", {"ERR(gmax=3)@1": (0, 7 / 8)}),
        # the bounds are of the list as it is, not of what comes after it
        ({"a": 1, "b": 0}, "aub", {"RBP(p=0.8)": (0.2, 0.2 + 0.16)}),
    ],
)
def test_by_hand(judged, listed, ends):
    runs = {"s": {"q": list(listed)}}
    scores = ft.evaluate({"q": judged}, runs, list(ends), unjudged="bounds")
    found = zip(scores.lower[0, :, 0].tolist(), scores.upper[0, :, 0].tolist(), strict=True)
    assert list(found) == [pytest.approx(pair) for pair in ends.values()]


def test_every_measure_has_bounds_or_is_known_to_have_none():
    tried = {ft.measures.parse_measure(m).name for m in MEASURES}
    own = {n for n in ft.measures.names() if lookup(n)[0].__module__.startswith("fuzzytruth.")}
    assert own - tried == NO_RULE
    assert set(without_bounds()) & own == NO_RULE


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
    # An unjudged item counts otherwise than one of grade 0.
    outside = ("rel=0", "bpref", "infAP", "min_rel=-1")
    measures = [m for m in MEASURES if not any(part in m for part in outside)]
    measures = [m.replace("collection=30", "collection=200") for m in measures]
    scores = ft.evaluate(truth, runs, measures, unjudged="bounds")
    assert (scores.lower <= scores.values).all()
    assert (scores.values <= scores.upper).all()
    fixed = (scores.lower == scores.upper).all(axis=(0, 2))
    # The unjudged items are all in the list, and a relevant one never is.
    assert set(np.array(measures)[fixed]) == {"FN", "NumRet", "NumRet@2", "IPrec@1"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"measures": ["ADR", "P@1"]},
            r"no rule is known for ADR; leave it out \(measures without",
        ),
        ({"measures": ["ADR", "Judged@1"]}, "no rule is known for ADR, Judged@1; leave them out"),
        (
            {"measures": ["AP(judged_only=True)", "ADR", "nDCG(gains={0.5:2,1:1})", "R@1"]},
            r"for ADR; gains that are not 0 for grade 0 and largest for the top one, as in "
            r"nDCG\(gains=\{0.5:2,1:1\}\); judged_only, as in AP\(judged_only=True\); leave th",
        ),
        ({"measures": ["DCG(gains={0:1,1:2})"]}, r"for gains .* in DCG\(gains=\{0:1,1:2\}\); lea"),
        ({"ties": "expected"}, "items need one rank"),
        ({"worlds": "independent"}, "worlds='independent' has none"),
        ({"unjudged": "both"}, "unjudged='both'"),
    ],
)
def test_what_has_no_bounds(options, message):
    given = {"measures": ["P@1"], "unjudged": "bounds"} | options
    with pytest.raises(ft.FuzzytruthError, match=message):
        ft.evaluate({"q": {"a": 1}}, {"s": {"q": {"a": 1.0}}}, **given)
