"""Names of trec_eval and objects of ir_measures: the same numbers as theirs, or refused."""

import ir_measures as irm
import numpy as np
import pytest
import pytrec_eval
from support.messy import messy

import fuzzytruth as ft
from fuzzytruth.errors import MeasureError, MeasureNameWarning
from fuzzytruth.measures import other_tools, parse_measures

TRUTH, RUN = {"q": {"a": 1}}, {"s": {"q": {"a": 1}}}
NO_VALUES = {"gm_map", "gm_bpref", "num_q", "runid", "relstring"}
OTHERS = ["P.3,7", "recall_2", "ndcg_cut.1", "map_cut_4", "iprec_at_recall_0.25", "set_F.0.5"]
#: pytrec_eval gives 0 for utility with parameters; trec_eval's own output is in tests/reference
OTHERS += ["11pt_avg.0.25,0.5", "success.2", "Rprec_mult.0.3"]

PYTREC_EVAL = [
    *(irm.AP, irm.AP(rel=2) @ 100, irm.P @ 5, irm.P(rel=2) @ 3, irm.Recall @ 5, irm.R(rel=2) @ 3),
    *(irm.nDCG @ 10, irm.nDCG(dcg="log2", judged_only=False) @ 3, irm.RR, irm.RR(rel=2)),
    *(irm.Success(rel=2) @ 5, irm.Bpref(rel=2), irm.infAP(rel=2), irm.SetP(rel=2), irm.SetRelP),
    *(irm.SetP(relative=False), irm.SetR, irm.SetF, irm.SetF(beta=4.0), irm.SetAP(rel=2)),
    *(irm.IPrec @ 0.1, irm.IPrec(rel=2) @ 0.5, irm.Rprec(rel=2), irm.NumRet, irm.NumRelRet),
    *(irm.NumRet(rel=2), irm.NumRel, irm.AP(rel=2, judged_only=True) @ 5),
    *(irm.P(judged_only=True) @ 5, irm.R(judged_only=True) @ 5, irm.RR(judged_only=True)),
    *(irm.Rprec(judged_only=True), irm.SetP(relative=True, judged_only=True)),
    *(irm.SetF(judged_only=True), irm.SetAP(judged_only=True), irm.IPrec(judged_only=True) @ 0.5),
    *(irm.nDCG(judged_only=True) @ 10, irm.nDCG(gains={0: 1, 1: 0, 3: 2})),
    irm.nDCG(gains={2: 9}, judged_only=True) @ 5,
]
#: with scales of which gains are exact in binary: cwl-eval's sums round others
CWL_EVAL = [
    *(irm.BPM(T=2, max_rel=4, min_rel=0) @ 4, irm.BPM(T=0.5, max_rel=3, min_rel=1) @ 7),
    *(irm.SDCG(max_rel=3) @ 10, irm.SDCG(dcg="log2", max_rel=2, min_rel=1) @ 5),
    *(irm.NERR8(max_rel=3) @ 10, irm.NERR8(max_rel=5) @ 60, irm.NERR9(max_rel=5) @ 60),
    *(irm.NERR10(max_rel=3), irm.NERR10(max_rel=5, p=0.99), irm.NERR11(max_rel=2, T=3.0)),
    *(irm.INST(max_rel=3), irm.INST(max_rel=2, T=0.4), irm.INSQ(max_rel=2, T=3.0)),
]
COMPAT = [irm.Compat, irm.Compat(p=0.8), irm.Compat(p=0.5, normalize=False)]
PROVIDERS = [
    (irm.pytrec_eval, PYTREC_EVAL, 1e-9),
    (irm.msmarco, [irm.RR @ 3, irm.RR(rel=2) @ 10], 1e-9),
    (irm.cwl_eval, CWL_EVAL, 1e-9),
    (irm.compat, COMPAT, 1e-9),
    (irm.judged, [irm.Judged @ 3, irm.Judged], 1e-9),
    (irm.gdeval, [irm.ERR @ 5, irm.nDCG(dcg="exp-log2") @ 5], 5.1e-6),  # prints five decimals
]
#: of pyndeval, whose values are in tests/reference
DIVERSITY = {
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


@pytest.mark.parametrize(
    ("provider", "measures", "tolerance"), PROVIDERS, ids=[p[0].NAME for p in PROVIDERS]
)
def test_values_are_those_of_ir_measures(provider, measures, tolerance) -> None:
    if not provider.is_available():
        pytest.skip(provider.install_instructions())
    for seed in range(2):
        qrels, run = random_data(seed)
        frame = ft.evaluate(qrels, {"sys": run}, measures).to_frame()
        values = frame.set_index(["measure", "query"])["value"]
        expected = list(provider.iter_calc(measures, qrels, run))
        assert len(expected) == len(measures) * len(qrels)
        for metric in expected:
            name = str(ft.measures.parse_measure(metric.measure))
            found = values[name, metric.query_id]
            assert found == pytest.approx(metric.value, abs=tolerance), name


def test_objects_become_measures() -> None:
    special = {
        irm.MAP @ 5: "AP@5",
        irm.SetP(judged_only=True): "P(judged_only=True)",
        irm.SetF(beta=4.0): "F(beta=2)",
        irm.SetP(relative=False): "P",
        irm.NumRet(rel=2): "NumRelRet(rel=2)",
        irm.nDCG(dcg="exp-log2") @ 5: "nDCG(dcg=burges)@5",
        irm.ERR @ 5: "ERR(gmax=4)@5",
        irm.INST(max_rel=2, T=3.0): "INST(max_rel=2,T=3)@1000",
        irm.RBP(rel=2, p=0.5) @ 10: "RBP(p=0.5,rel=2)@10",
    }
    for theirs, ours in (special | DIVERSITY).items():
        assert str(ft.measures.parse_measure(theirs)) == ours
    assert ft.evaluate(TRUTH, RUN, irm.AP).measures == ("AP",)
    # a printed form means the same, but where it means another measure or one without their limits
    ambiguous = ("ERR", "INST", "INSQ", "NERR10", "NERR11")
    for theirs in (key for _, table, _ in PROVIDERS for key in table):
        if not str(theirs).startswith(ambiguous):
            assert ft.measures.parse_measure(str(theirs)) == ft.measures.parse_measure(theirs)
    with pytest.warns(MeasureNameWarning, match=r"RBP\(p=0.9\) .*relevant from grade 1 on; .* rel"):
        ours = ft.measures.parse_measure(irm.RBP(p=0.9))
    assert (
        ours
        == ft.measures.parse_measure("RBP(p=0.9)")
        == ft.measures.parse_measure(irm.RBP(p=0.9, rel=1))
    )


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
        (irm.ERR_IA, "needs a cut-off, such as ERR_IA@10"),
        (irm.define(lambda qrels, run: [], name="AP"), "AP of ir_measures has no equal"),
        (irm.P @ 0, "whole number from 1"),
        (irm.nDCG(dcg="ln"), "dcg must be one of"),
        ("SetF(beta=-1)", "beta must be a finite number above 0"),
        ("SetF(beta=x)", "beta must be a finite number above 0"),
        ("SetF(beta=True)", "beta must be a finite number above 0"),
    ],
)
def test_what_has_no_equal_is_named(theirs, message: str) -> None:
    with pytest.raises(MeasureError, match=message):
        ft.measures.parse_measure(theirs)


def test_every_name_of_trec_eval_is_a_measure_or_refused() -> None:
    for name, named in other_tools.NICKNAMES.items():
        assert set(named) == set(pytrec_eval.supported_nicknames[name]) - {"runid", "relstring"}
    assert set(other_tools.FAMILIES) < set(other_tools.NICKNAMES["all_trec"])
    for name in pytrec_eval.supported_measures:
        if name in NO_VALUES:
            with pytest.raises(MeasureError, match=f"'{name}' (is|summarises)"):
                ft.measures.parse_measure(name)
        else:
            assert parse_measures(name)


@pytest.mark.parametrize(("names", "seed"), [(["all_trec"], 0), (["all_trec"], 1), (OTHERS, 2)])
def test_values_are_those_of_trec_eval(names: list[str], seed: int) -> None:
    truth, run = messy(np.random.default_rng(seed))
    theirs = pytrec_eval.RelevanceEvaluator(truth, names).evaluate(run)
    columns = [name for name in theirs["q0"] if name not in NO_VALUES]
    given = {"set_F": "set_F.0.5", "11pt_avg": "11pt_avg.0.25,0.5"} if names is OTHERS else {}
    of = {str(ft.measures.parse_measure(given.get(name, name))): name for name in columns}
    # queries that the run lacks, or without relevant items
    with pytest.warns(ft.FuzzytruthWarning):
        scores = ft.evaluate(truth, {"run": run}, [given.get(name, name) for name in columns])
    n_compared = 0
    for _, query, measure, value in scores.to_frame().itertuples(index=False):
        if query in theirs:
            want = float(np.nan_to_num(theirs[query][of[measure]]))  # NaN of an empty list
            assert value == pytest.approx(want, abs=1e-9), (query, measure)
            n_compared += 1
    assert n_compared == len(theirs) * len(of) > 100


def test_names_of_several_measures() -> None:
    with pytest.warns(MeasureNameWarning, match="'official' is .* without num_q, gm_map, which"):
        measures = parse_measures("official")
    assert list(map(str, measures[:5])) == ["NumRet", "NumRel", "NumRelRet", "AP", "Rprec"]
    assert len(measures) == 7 + 11 + 9
    with pytest.warns(MeasureNameWarning, match="'set' is .* without num_q, which"):
        scores = ft.evaluate(TRUTH, RUN, ["set", "AP"])
    assert scores.measures[3:] == ("Utility", "P", "R", "RelP", "SetAP", "F", "AP")
    assert list(map(str, parse_measures("ndcg_cut")))[:3] == ["nDCG@5", "nDCG@10", "nDCG@15"]
    assert len(parse_measures(["Rprec_mult", "iprec_at_recall", "map_cut"])) == 10 + 11 + 9
    assert other_tools.expanded("success") == ("success_1", "success_5", "success_10")
    assert (
        other_tools.members("P") is None
    )  # a measure of its own here, the precision of the whole list
    with pytest.raises(MeasureError, match="'ndcg_cut' stands for several measures, ndcg_cut_5"):
        ft.measures.parse_measure("ndcg_cut")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gm_map", r"evaluate AP, and take Scores.summary\(statistic='geometric_mean'\)"),
        ("GM_bpref", "evaluate bpref, and"),
        ("num_q", r"len\(Scores.queries\)"),
        ("prefs_simp_ret", "judged preferences"),
        ("map_avgjg", "worlds='subject'"),
        ("P_avgjg_10", "worlds='subject'"),
        ("relstring", "text of grades"),
    ],
)
def test_what_is_no_measure_of_a_query_is_refused_by_name(name: str, message: str) -> None:
    assert other_tools.why_none(name) is not None
    with pytest.raises(MeasureError, match=message):
        ft.evaluate(TRUTH, RUN, [name, "AP"])
