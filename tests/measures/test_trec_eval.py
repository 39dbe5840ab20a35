"""All of trec_eval's names, each value against pytrec_eval on messy data."""

from __future__ import annotations

import numpy as np
import pytest
import pytrec_eval
from support.messy import messy

import fuzzytruth as ft
from fuzzytruth.errors import MeasureError, MeasureNameWarning
from fuzzytruth.measures import parse_measures
from fuzzytruth.measures.other_tools import FAMILIES, NICKNAMES, expanded, members, why_none

NO_VALUES = {"gm_map", "gm_bpref", "num_q", "runid", "relstring"}
OTHERS = ["P.3,7", "recall_2", "ndcg_cut.1", "map_cut_4", "iprec_at_recall_0.25", "set_F.0.5"]
#: pytrec_eval gives 0 for utility with parameters; trec_eval's own output is in tests/reference
OTHERS += ["11pt_avg.0.25,0.5", "success.2", "Rprec_mult.0.3"]


def test_the_sets_are_those_of_trec_eval() -> None:
    for name, named in NICKNAMES.items():
        assert set(named) == set(pytrec_eval.supported_nicknames[name]) - {"runid", "relstring"}
    assert set(FAMILIES) < set(NICKNAMES["all_trec"])


def test_every_name_is_a_measure_or_refused() -> None:
    for name in pytrec_eval.supported_measures:
        if name in NO_VALUES:
            with pytest.raises(MeasureError, match=f"'{name}' (is|summarises)"):
                ft.parse_measure(name)
        else:
            assert parse_measures(name)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("names", [["all_trec"], OTHERS], ids=["all_trec", "parameters"])
def test_values_are_those_of_trec_eval(names: list[str], seed: int) -> None:
    truth, run = messy(np.random.default_rng(seed))
    theirs = pytrec_eval.RelevanceEvaluator(truth, names).evaluate(run)
    columns = [name for name in theirs["q0"] if name not in NO_VALUES]
    given = {"set_F": "set_F.0.5", "11pt_avg": "11pt_avg.0.25,0.5"}
    if names is OTHERS:
        columns = [given.get(name, name) for name in columns]
        theirs = {q: {given.get(n, n): x for n, x in row.items()} for q, row in theirs.items()}
    with pytest.warns(
        ft.FuzzytruthWarning
    ):  # queries that the run lacks, or without relevant items
        scores = ft.evaluate(truth, {"run": run}, columns)
    of = {str(ft.parse_measure(name)): name for name in columns}
    n_compared = 0
    for _, query, measure, value in scores.to_frame().itertuples(index=False):
        if query in theirs:
            want = float(np.nan_to_num(theirs[query][of[measure]]))  # NaN of an empty list
            assert value == pytest.approx(want, abs=1e-9), (query, measure)
            n_compared += 1
    assert n_compared == len(theirs) * len(of) > 100


def test_sets_leave_out_what_is_no_value_of_a_query() -> None:
    with pytest.warns(MeasureNameWarning, match="'official' is .* without num_q, gm_map, which"):
        measures = parse_measures("official")
    assert list(map(str, measures[:5])) == ["NumRet", "NumRel", "NumRelRet", "AP", "Rprec"]
    assert len(measures) == 7 + 11 + 9
    with pytest.warns(MeasureNameWarning, match="'set' is .* without num_q, which"):
        scores = ft.evaluate({"q": {"a": 1}}, {"s": {"q": {"a": 1}}}, ["set", "AP"])
    assert scores.measures[3:] == ("Utility", "P", "R", "RelP", "SetAP", "F", "AP")


def test_names_of_several_measures() -> None:
    assert list(map(str, parse_measures("ndcg_cut")))[:3] == ["nDCG@5", "nDCG@10", "nDCG@15"]
    assert len(parse_measures(["Rprec_mult", "iprec_at_recall", "map_cut"])) == 10 + 11 + 9
    assert expanded("success") == ("success_1", "success_5", "success_10")
    assert members("P") is None  # a measure of its own here, the precision of the whole list
    with pytest.raises(MeasureError, match="'ndcg_cut' stands for several measures, ndcg_cut_5"):
        ft.parse_measure("ndcg_cut")


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
    assert why_none(name) is not None
    with pytest.raises(MeasureError, match=message):
        ft.evaluate({"q": {"a": 1}}, {"s": {"q": {"a": 1}}}, [name, "AP"])
