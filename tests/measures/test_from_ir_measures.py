"""Measure objects of ir_measures: the same numbers as its own providers give, or refused."""

from __future__ import annotations

import ir_measures as irm
import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.errors import MeasureError, MeasureNameWarning
from fuzzytruth.measures.other_tools import SHARED, is_measure

#: object -> our measure
PYTREC_EVAL = {
    irm.AP: "AP",
    irm.AP(rel=2) @ 100: "AP(rel=2)@100",
    irm.MAP @ 5: "AP@5",
    irm.P @ 5: "P@5",
    irm.P(rel=2) @ 3: "P(rel=2)@3",
    irm.Recall @ 5: "R@5",
    irm.R(rel=2) @ 3: "R(rel=2)@3",
    irm.nDCG: "nDCG",
    irm.nDCG @ 10: "nDCG@10",
    irm.nDCG(dcg="log2", judged_only=False) @ 3: "nDCG@3",
    irm.RR: "RR",
    irm.RR(rel=2): "RR(rel=2)",
    irm.Success @ 1: "Success@1",
    irm.Success(rel=2) @ 5: "Success(rel=2)@5",
    irm.Bpref: "bpref",
    irm.Bpref(rel=2): "bpref(rel=2)",
    irm.infAP: "infAP",
    irm.infAP(rel=2): "infAP(rel=2)",
    irm.SetP: "P",
    irm.SetP(rel=2): "P(rel=2)",
    irm.SetRelP: "RelP",
    irm.SetP(relative=False): "P",
    irm.SetR: "R",
    irm.SetF: "F",
    irm.SetF(beta=4.0): "F(beta=2)",
    irm.SetAP(rel=2): "SetAP(rel=2)",
    irm.IPrec @ 0.1: "IPrec@0.1",
    irm.IPrec(rel=2) @ 0.5: "IPrec(rel=2)@0.5",
    irm.Rprec: "Rprec",
    irm.Rprec(rel=2): "Rprec(rel=2)",
    irm.NumRet: "NumRet",
    irm.NumRelRet: "NumRelRet",
    irm.NumRet(rel=2): "NumRelRet(rel=2)",
    irm.NumRel: "NumRel",
    irm.AP(judged_only=True): "AP(judged_only=True)",
    irm.AP(rel=2, judged_only=True) @ 5: "AP(rel=2,judged_only=True)@5",
    irm.P(judged_only=True) @ 5: "P(judged_only=True)@5",
    irm.R(judged_only=True) @ 5: "R(judged_only=True)@5",
    irm.RR(judged_only=True): "RR(judged_only=True)",
    irm.Rprec(judged_only=True): "Rprec(judged_only=True)",
    irm.Success(judged_only=True) @ 1: "Success(judged_only=True)@1",
    irm.SetP(judged_only=True): "P(judged_only=True)",
    irm.SetP(relative=True, judged_only=True): "RelP(judged_only=True)",
    irm.SetF(judged_only=True): "F(judged_only=True)",
    irm.SetAP(judged_only=True): "SetAP(judged_only=True)",
    irm.IPrec(judged_only=True) @ 0.5: "IPrec(judged_only=True)@0.5",
    irm.nDCG(judged_only=True) @ 10: "nDCG(judged_only=True)@10",
    irm.nDCG(gains={1: 5}) @ 5: "nDCG(gains={1:5})@5",
    irm.nDCG(gains={0: 1, 1: 0, 3: 2}): "nDCG(gains={0:1,1:0,3:2})",
    irm.nDCG(gains={2: 9}, judged_only=True) @ 5: "nDCG(gains={2:9},judged_only=True)@5",
}
#: with scales of which gains are exact in binary: cwl-eval's sums round others
CWL_EVAL = {
    irm.BPM(max_rel=2) @ 10: "BPM(max_rel=2)@10",
    irm.BPM(T=2, max_rel=4, min_rel=0) @ 4: "BPM(max_rel=4,T=2)@4",
    irm.BPM(T=0.5, max_rel=3, min_rel=1) @ 7: "BPM(min_rel=1,max_rel=3,T=0.5)@7",
    irm.SDCG(max_rel=3) @ 10: "SDCG(max_rel=3)@10",
    irm.SDCG(dcg="log2", max_rel=2, min_rel=1) @ 5: "SDCG(min_rel=1,max_rel=2)@5",
    irm.NERR8(max_rel=3) @ 10: "NERR8(max_rel=3)@10",
    irm.NERR8(max_rel=5) @ 60: "NERR8(max_rel=5)@60",
    irm.NERR9(max_rel=3) @ 10: "NERR9(max_rel=3)@10",
    irm.NERR9(max_rel=5) @ 60: "NERR9(max_rel=5)@60",
    irm.NERR10(max_rel=3): "NERR10(max_rel=3)@1000",
    irm.NERR10(max_rel=5, p=0.99): "NERR10(max_rel=5,p=0.99)@1000",
    irm.NERR11(max_rel=3): "NERR11(max_rel=3)@1000",
    irm.NERR11(max_rel=2, T=3.0): "NERR11(max_rel=2,T=3)@1000",
    irm.INST(max_rel=3): "INST(max_rel=3)@1000",
    irm.INST(max_rel=2, T=3.0): "INST(max_rel=2,T=3)@1000",
    irm.INST(max_rel=2, T=0.4): "INST(max_rel=2,T=0.4)@1000",
    irm.INSQ(max_rel=3): "INSQ(max_rel=3)@1000",
    irm.INSQ(max_rel=2, T=3.0): "INSQ(max_rel=2,T=3)@1000",
}
COMPAT = {
    irm.Compat: "Compat",
    irm.Compat(p=0.8): "Compat(p=0.8)",
    irm.Compat(normalize=False): "Compat(normalize=False)",
    irm.Compat(p=0.5, normalize=False): "Compat(p=0.5,normalize=False)",
}
MS_MARCO = {irm.RR @ 3: "RR@3", irm.RR(rel=2) @ 10: "RR(rel=2)@10"}
JUDGED = {irm.Judged @ 3: "Judged@3", irm.Judged: "Judged"}
GDEVAL = {
    irm.ERR @ 5: "ERR(gmax=4)@5",
    irm.nDCG(dcg="exp-log2") @ 5: "nDCG(dcg=burges)@5",
}
PROVIDERS = [
    (irm.pytrec_eval, PYTREC_EVAL, 1e-9),
    (irm.msmarco, MS_MARCO, 1e-9),
    (irm.cwl_eval, CWL_EVAL, 1e-9),
    (irm.compat, COMPAT, 1e-9),
    (irm.judged, JUDGED, 1e-9),
    (irm.gdeval, GDEVAL, 5.1e-6),  # prints five decimals
]


def random_data(seed: int) -> tuple[dict, dict]:
    """Judgments of grades 0 to 3 and a run without ties, with short lists and unjudged items."""
    rng = np.random.default_rng(seed)
    items = [f"d{j}" for j in range(30)]
    qrels, run = {}, {}
    for query in map(str, range(1, 9)):
        judged = rng.choice(items, 12, replace=False).tolist()
        grades = [0, 3, *rng.integers(0, 4, 10).tolist()]
        qrels[query] = dict(zip(judged, grades, strict=True))
        found = rng.choice(items, int(rng.integers(1, 25)), replace=False).tolist()
        scores = rng.permutation(1000)[: len(found)] / 7
        run[query] = dict(zip(found, scores.tolist(), strict=True))
    return qrels, run


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("provider", "measures", "tolerance"), PROVIDERS, ids=[p[0].NAME for p in PROVIDERS]
)
def test_values_are_those_of_ir_measures(provider, measures, tolerance, seed) -> None:
    if not provider.is_available():
        pytest.skip(provider.install_instructions())
    qrels, run = random_data(seed)
    frame = ft.evaluate(qrels, {"sys": run}, list(measures)).to_frame()
    values = frame.set_index(["measure", "query"])["value"]
    expected = list(provider.iter_calc(list(measures), qrels, run))
    assert len(expected) == len(measures) * len(qrels)
    for metric in expected:
        name = str(ft.parse_measure(metric.measure))
        assert values[name, metric.query_id] == pytest.approx(metric.value, abs=tolerance), name


#: of pyndeval, which needs judgments by intent
DIVERSITY = {
    irm.alpha_nDCG @ 5: "alpha_nDCG@5",
    irm.alpha_nDCG(alpha=0.25, rel=2) @ 10: "alpha_nDCG(alpha=0.25,rel=2)@10",
    irm.alpha_DCG @ 20: "alpha_DCG@20",
    irm.ERR_IA @ 10: "ERR_IA@10",
    irm.nERR_IA(rel=2) @ 10: "nERR_IA(rel=2)@10",
    irm.NRBP: "NRBP",
    irm.nNRBP(alpha=0.75, beta=0.25): "nNRBP(alpha=0.75,beta=0.25)",
    irm.MAP_IA: "AP_IA",
    irm.P_IA @ 5: "P_IA@5",
    irm.StRecall(rel=2) @ 5: "StRecall(rel=2)@5",
}


def test_measures_of_diversity_are_those_of_ir_measures() -> None:
    if not irm.pyndeval.is_available():
        pytest.skip(irm.pyndeval.install_instructions())
    rng = np.random.default_rng(5)
    run = random_data(5)[1]
    qrels = [
        irm.Qrel(query, item, int(rng.integers(4)), str(intent))
        for query, found in run.items()
        for item in found
        for intent in rng.choice(4, 2, replace=False)
    ]
    columns = ["query", "item", "grade", "iteration"]
    truth = ft.Judgments.from_frame(pd.DataFrame(qrels, columns=columns))
    frame = ft.evaluate(truth, {"sys": run}, list(DIVERSITY)).to_frame()
    values = frame.set_index(["measure", "query"])["value"]
    # one at a time: its evaluator gives values to the first of several parameters alone
    expected = [m for one in DIVERSITY for m in irm.pyndeval.iter_calc([one], qrels, run)]
    assert len(expected) == len(DIVERSITY) * len(run)
    for metric in expected:
        name = DIVERSITY[metric.measure]
        assert values[name, metric.query_id] == pytest.approx(metric.value, abs=1e-9), name


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [*DIVERSITY.items()]
    + [item for _, table, _ in PROVIDERS for item in table.items()]
    + [(irm.RBP(rel=1), "RBP"), (irm.RBP(rel=2, p=0.5) @ 10, "RBP(p=0.5,rel=2)@10")],
    ids=str,
)
def test_objects_become_measures(theirs, ours) -> None:
    assert str(ft.parse_measure(theirs)) == ours


#: whose printed form means another measure here, or one without the limits of their tools
AMBIGUOUS = ("ERR", "INST", "INSQ", "NERR10", "NERR11")


@pytest.mark.parametrize("theirs", [key for _, table, _ in PROVIDERS for key in table], ids=str)
def test_printed_objects_mean_the_same(theirs) -> None:
    text = str(theirs)
    if not text.startswith(AMBIGUOUS):
        assert ft.parse_measure(text) == ft.parse_measure(theirs)


def test_rbp_without_a_threshold_is_that_of_its_name() -> None:
    with pytest.warns(
        MeasureNameWarning, match=r"RBP\(p=0.9\) .*relevant from grade 1 on; .* rel="
    ):
        ours = ft.parse_measure(irm.RBP(p=0.9))
    assert ours == ft.parse_measure("RBP(p=0.9)") == ft.parse_measure(irm.RBP(p=0.9, rel=1))


@pytest.mark.parametrize("text", ["SetF(beta=-1)", "SetF(beta=x)", "SetF(beta=True)"])
def test_a_wrong_beta_is_refused(text: str) -> None:
    with pytest.raises(MeasureError, match="beta must be a finite number above 0"):
        ft.parse_measure(text)


@pytest.mark.parametrize(
    ("theirs", "message"),
    [
        (irm.AP(judged=True), r"AP\(judged=True\) .*: judged=True has no equal"),
        (irm.nDCG(dcg="exp-log2", gains={1: 5}) @ 5, "both set gains"),
        (irm.INST, r"needs max_rel=, the largest grade, such as INST\(max_rel=3\)"),
        (irm.P, "needs a cut-off, such as P@10"),
        (irm.R, "needs a cut-off"),
        (irm.Success, "needs a cut-off"),
        (irm.IPrec, "needs a level of recall"),
        (irm.NumQ, "NumQ of ir_measures has no equal here; .* are AP, AP_IA, BPM"),
        (irm.Accuracy @ 5, r"Accuracy\(cutoff=5\) of ir_measures has no equal"),
        (irm.alpha_nDCG(judged_only=True) @ 5, "judged_only=True has no equal"),
        (irm.ERR_IA, "needs a cut-off, such as ERR_IA@10"),
        (irm.define(lambda qrels, run: [], name="AP"), "AP of ir_measures has no equal"),
        (irm.AP(foo=1), "foo=1 has no equal here"),
        (irm.P @ 0, "whole number from 1"),
        (irm.nDCG(dcg="ln"), "dcg must be one of"),
    ],
)
def test_what_has_no_equal_is_named(theirs, message: str) -> None:
    with pytest.raises(MeasureError, match=message):
        ft.parse_measure(theirs)


def test_one_object_is_one_measure() -> None:
    scores = ft.evaluate({"q": {"a": 1}}, {"sys": {"q": {"a": 1}}}, irm.AP)
    assert scores.measures == ("AP",)


def test_shared_parameters_are_those_of_ir_measures() -> None:
    for name, parameters in SHARED.items():
        theirs = irm.measures.registry[name]
        assert name == theirs.NAME
        assert set(parameters) <= set(theirs.SUPPORTED_PARAMS)


@pytest.mark.parametrize("value", ["AP", ft.measures.P @ 5, None, {"NAME": "AP"}, irm.Qrel])
def test_other_values_are_no_objects_of_ir_measures(value) -> None:
    assert not is_measure(value)
