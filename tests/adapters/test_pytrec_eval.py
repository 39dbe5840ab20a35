"""The interface of pytrec_eval: equal to it on messy data."""

import gzip

import numpy as np
import pytest
import pytrec_eval as theirs
from support.messy import messy

from fuzzytruth.adapters import pytrec_eval as ours
from fuzzytruth.errors import DataError, MeasureError
from fuzzytruth.measures.other_tools import FAMILIES

#: what pytrec_eval has as text: the grades of a list, and the name of the run
NOT_OURS = {"relstring", "runid"}
OTHERS = ["ndcg_cut.5,10", "P_7", "recall.3", "map_cut_4,2", "success.2", "relative_P_3"]
OTHERS += ["iprec_at_recall.0.25,0.75", "Rprec_mult_0.5,1", "set_F.2", "11pt_avg.0.25,0.5"]


def assert_same(mine: dict, expected: dict) -> int:
    """Equal; pytrec_eval has NaN for some values of an empty list, which are 0 here."""
    assert set(mine) == set(expected)
    for query, values in expected.items():
        assert set(mine[query]) == set(values) - NOT_OURS
        want = {name: float(np.nan_to_num(values[name])) for name in mine[query]}
        assert mine[query] == pytest.approx(want, abs=1e-9), query
    return len(expected)


def test_all_measures_but_a_few_are_supported() -> None:
    assert ours.supported_measures == set(theirs.supported_measures) - NOT_OURS
    for name, members in ours.supported_nicknames.items():
        assert members == set(theirs.supported_nicknames[name]) - NOT_OURS


@pytest.mark.parametrize(
    ("seed", "level", "judged_only"), [(0, 1, False), (1, 2, True), (2, 3, False)]
)
def test_equal_to_pytrec_eval(seed: int, level: int, judged_only: bool) -> None:
    truth, run = messy(np.random.default_rng(seed))
    for measures in (ours.supported_measures, set(OTHERS)):
        arguments = (truth, measures, level, judged_only)
        mine = ours.RelevanceEvaluator(*arguments).evaluate(run)
        assert assert_same(mine, theirs.RelevanceEvaluator(*arguments).evaluate(run)) > 20


def test_each_name_alone() -> None:
    truth, run = messy(np.random.default_rng(9), n_queries=8, n_items=20)
    for name in (*ours.supported_measures, *ours.supported_nicknames, *OTHERS):
        mine = ours.RelevanceEvaluator(truth, [name]).evaluate(run)
        assert_same(mine, theirs.RelevanceEvaluator(truth, [name]).evaluate(run))


def test_empty_lists_and_queries() -> None:
    truth = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {}}
    names = ["map", "num_rel", "num_q", "P_5"]
    empty, foreign = {"q1": {}}, {"z": {"a": 1.0}}
    for run in ({}, empty, {**empty, "q2": {"b": 1.0}}, {"q3": {"a": 1.0}}, foreign):
        mine = ours.RelevanceEvaluator(truth, names).evaluate(run)
        assert_same(mine, theirs.RelevanceEvaluator(truth, names).evaluate(run))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        *((name, f"{name!r} has no equal here.* those that have one") for name in sorted(NOT_OURS)),
        ("prefs", "'prefs' has no equal here"),
        ("foo_5", "'foo_5' has no equal here"),
        (3, "3 has no equal here"),
        ("mapp", r"'mapp' has no equal here \(nearest: 'map"),
        ("ndgc_cut", r"nearest: 'ndcg_cut'"),
        ("map.5", "map takes no parameters"),
        ("utility_1,-1", "is not a number"),
        ("num_q.3", "num_q takes no parameters"),
        ("set_F.1,2", "set_F takes one parameter, not 1, 2"),
        ("P_2.5", "a cut-off is a whole number"),
        ("P_0", "a cut-off is a whole number"),
        ("iprec_at_recall_1.5", "a number from 0 to 1"),
    ],
)
def test_what_has_no_equal_is_refused_by_name(name: object, message: str) -> None:
    with pytest.raises(MeasureError, match=message):
        ours.RelevanceEvaluator({"q": {"a": 1}}, ["map", name])


def test_columns() -> None:
    expected = {
        "map": {"map": "AP(rel=2)"},
        "ndcg_cut_10": {"ndcg_cut_10": "nDCG@10"},
        "P.10,5": {"P_5": "P(rel=2)@5", "P_10": "P(rel=2)@10"},
        "set_F_4": {"set_F": "F(beta=2,rel=2)"},
        "iprec_at_recall.0.333": {"iprec_at_recall_0.33": "IPrec(rel=2)@0.333"},
        "Rprec_mult_0.2": {"Rprec_mult_0.20": "Rprec(rel=2,mult=0.2)"},
        "11pt_avg.0.5,0.25": {"11pt_avg": "IPrecAvg(rel=2,levels=0.25/0.5)"},
        "num_q": {"num_q": "NumRet"},
        "Rndcg_1=3,2=9": {"Rndcg": "Rndcg(gains={1:3,2:9}) NumRel(rel=2)"},
        "utility.2,-1,0,0": {"utility": "Utility(rel=2,hit=2)"},
    }
    for name, measures in expected.items():
        found = {c.name: " ".join(map(str, c.measures)) for c in ours.columns([name], 2)}
        assert found == measures
    for name, parameters in FAMILIES.items():
        assert [c.name for c in ours.columns([name], 1)] == [f"{name}_{p}" for p in parameters]
    assert len({column.name for column in ours.columns(["official", "set"], 1)}) == 35


def test_lines_are_parsed_as_pytrec_eval_does(data) -> None:
    qrels, run = (
        gzip.decompress((data / name).read_bytes()).decode().splitlines(keepends=True)
        for name in ("qrels.test.gz", "results.test.gz")
    )
    assert ours.parse_qrel(qrels) == theirs.parse_qrel(qrels)
    assert ours.parse_run(run) == theirs.parse_run(run)
    assert ours.parse_qrel(["q 0 a 0.5\n", "q 0 b 1\n"]) == {"q": {"a": 0.5, "b": 1.0}}


@pytest.mark.parametrize(
    ("parse", "lines", "message"),
    [
        (ours.parse_qrel, ["q 0 a 1", "q 0 a 0"], "item 'a' occurs twice for query 'q'"),
        (ours.parse_qrel, ["q 0 a 1", "q 0 b x"], "judgments, line 2, column 'grade'"),
        (ours.parse_run, ["q Q0 a 1 2.5 s", "q Q0 a 2 1.5 s"], "occurs twice"),
        (ours.parse_run, ["q Q0 a 1 s"], "run, line 1: 5 fields"),
        (ours.parse_run, ["q 0 a 1"], "were judgments and runs swapped"),
    ],
)
def test_bad_lines(parse, lines: list[str], message: str) -> None:
    with pytest.raises(DataError, match=message):
        parse(lines)


def test_aggregates_are_those_of_pytrec_eval() -> None:
    for measure in ("map", "num_ret", "gm_map"):
        values = [-1.5, -0.25, -3.0]
        expected = theirs.compute_aggregated_measure(measure, values)
        assert ours.compute_aggregated_measure(measure, values) == pytest.approx(expected)
        with pytest.raises(DataError, match="there are none"):
            ours.compute_aggregated_measure(measure, [])
