"""Spellings, printing and errors of measures."""

import pickle
import re

import pytest
from support.variants import VARIANTS

from fuzzytruth.errors import MeasureError, MeasureNameWarning
from fuzzytruth.measures import (
    Measure,
    parse_measure,
    parse_measures,
)

SPELLINGS = {
    "nDCG@10": "ndcg@10 nDCG@10 NDCG@10 ndcg_cut_10 ndcg_cut.10 ndcg_at_10 nDCG(k=10)",
    "nDCG": "ndcg nDCG retrieval_normalized_dcg RetrievalNormalizedDCG",
    "nDCG(dcg=burges)@10": "nDCG(dcg=burges)@10 ndcg_burges@10 nDCG(dcg='exp-log2')@10",
    "AP": "map MAP AP average_precision RetrievalMAP",
    "AP@100": "map@100 map_cut_100 AP@100 AP(cutoff=100)",
    "RR": "mrr RR recip_rank reciprocal_rank retrieval_reciprocal_rank",
    "RR@10": "mrr@10 RR@10 recip_rank_10",
    "P@10": "P@10 precision@10 P_10 P.10 prec@10 P@1e1",
    "P": "set_P SetP P",
    "P(rel=2)@10": "P(rel=2)@10 P(rel=2.0)@10",
    "R@20": "recall@20 R@20 recall_20 recall.20",
    "R": "set_recall SetR recall",
    "Success@5": "hit_rate@5 Success@5 success_5 success.5 hit@5 HR@5 hr_5 hit_ratio@5 Hit@5",
    "NumRelRet@5": "hits@5 NumRelRet@5",
    "NumRelRet": "num_rel_ret hits",
    "NumRet": "num_ret",
    "NumRelRet(rel=2)": "NumRet(rel=2) NumRelRet(rel=2)",
    "NumRel": "num_rel",
    "F@10": "f1@10 F@10",
    "F": "set_F SetF f1",
    "F(beta=2)": "set_F_4 F(beta=2) set_F.4.0 SetF(beta=4) setf(beta=4.0)",
    "RelP@5": "relative_P_5 RelP@5",
    "RelP": "set_relative_P SetRelP SetP(relative=True)",
    "RelP(rel=2)": "SetRelP(rel=2) SetP(rel=2,relative=True)",
    "SetAP": "set_map SetAP",
    "Rprec": "Rprec r_prec r-prec r-precision R_Precision RetrievalRPrecision",
    "Rprec(mult=0.2)": "Rprec_mult_0.20 Rprec_mult.0.2",
    "Judged@10": "judged@10 Judged@10 Judged(norm=retrieved)@10",
    "Judged(norm=cutoff)@10": "Judged(norm='cutoff')@10",
    "RBP": "rbp RBP rbp(p=.8) rbp_0.8",
    "RBP(p=0.95)": "rbp.95 rbp(p=.95)",
    "ERR@20": "err@20 ERR@20",
    "bpref": "bpref Bpref",
    "infAP": "infAP infap",
    "IPrec@0.1": "IPrec@0.1 iprec_at_recall_0.10 iprec_at_recall..10 IPrec@.1",
    "IPrecAvg": "11pt_avg 11PT_AVG IPrecAvg",
    "IPrecAvg(levels=0.25/0.5/0.75)": "11pt_avg_.25,.5,.75 11pt_avg..25,.5,.75",
    "FT": "FT first_tier",
    "TN(collection=1814)@5": "tn(collection=1814)@5",
    "nDCG(gains={0:0,1:1.5,2:3})@10": "ndcg( gains = {2: 3,1:1.5,0:0} )@10",
    "nDCG(gains={1:3.5,2:9})": "ndcg.1=3.5,2=9",
    "alpha_nDCG@10": "alpha-nDCG@10 α_nDCG@10 alpha_nDCG(alpha=0.5)@10",
    "ERR_IA@20": "ERR-IA@20",
    "StRecall@5": "strec@5",
    "AP_IA": "MAP-IA",
    "nNRBP": "nnrbp",
    "RBO(p=0.8)": "rank_biased_overlap(p=.8)",
    "Kendall": "kendall kendall_distance",
    "Footrule@5": "footrule@5 spearman_footrule@5",
}


def test_spellings() -> None:
    for printed, text in SPELLINGS.items():
        several = [text] if " )" in text else text.split()
        assert {str(parse_measure(spelling)) for spelling in several} == {printed}, text
    assert str(parse_measure("  P( rel = 2 ) @ 10 ")) == "P(rel=2)@10"
    given = ["P.5,7,3", "11pt_avg..25,.5", "Rprec_mult.5.0,0.2", "iprec_at_recall..10,.20", "P_5"]
    expected = ["P@5", "P@7", "P@3", "IPrecAvg(levels=0.25/0.5)", "Rprec(mult=5)"]
    expected += ["Rprec(mult=0.2)", "IPrec@0.1", "IPrec@0.2"]
    assert list(map(str, parse_measures(given))) == expected


@pytest.mark.parametrize(
    ("texts", "names"),
    [
        (["hits@10"], "'hits@10' counts relevant items, as NumRelRet@10 does; .* is Success@10"),
        (["Hits@1", "AP", "hits_3"], "'Hits@1', 'hits_3' counts .* is Success@1, Success@3"),
        ("hits(k=5)", "'hits.k=5.' counts .* as NumRelRet@5"),
    ],
)
def test_hits_at_a_cutoff_are_a_count(texts: list[str], names: str) -> None:
    with pytest.warns(MeasureNameWarning, match=names) as caught:
        measures = parse_measures(texts)
    assert len(caught) == 1
    assert "NumRelRet" in {measure.name for measure in measures}
    # no warning of names that mean one thing
    names = ["hits", "hit@10", "HR@5", "hit_ratio@3", "num_rel_ret", "NumRelRet@10"]
    assert len(parse_measures(names)) == 5


def round_trip(measure: Measure) -> None:
    again = parse_measure(str(measure))
    assert again == measure
    assert hash(again) == hash(measure)
    assert str(again) == str(measure)
    assert pickle.loads(pickle.dumps(measure)) == measure


def test_round_trip_of_every_variant() -> None:
    for text in VARIANTS:
        round_trip(parse_measure(text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ndgc@10", "did you mean nDCG@10 or "),
        ("precison@5", "did you mean P@5 "),
        ("recal@5", "did you mean R@5"),
        ("mpa", "did you mean AP"),
        ("xyzzy", "known are P@1 (of classifiers, the accuracy), AP, RR, nDCG@10 and more: me"),
        ("P(foo=2)", "no parameter 'foo'; P has: rel"),
        ("NN(rel=1)@5", "NN takes no cut-off"),
        ("P@0", "P@0: a cut-off is a whole number from 1"),
        ("P@2.5", "P@2.5: a cut-off is a whole number from 1"),
        ("P@nan", "a cut-off is a whole number from 1"),
        ("P@ten", "'ten' is not a number"),
        ("", "write Name"),
        ("P(rel=1,rel=2)", "rel is given twice"),
        ("P(k=5)@5", "the cut-off is given twice"),
        ("P(rel=inf)", "rel must be a finite number"),
        ("P(rel=True)", "rel must be a finite number"),
        ("AP(norm=x)", "norm must be one of relevant, retrieved"),
        ("FT(norm=x)", "norm must be one of class, depth"),
        ("F(points=x)", "points must be one of cutoff, max, mean"),
        ("F(beta=0)", "beta must be a finite number above 0"),
        ("nDCG(dcg=x)", "dcg must be one of log2, jarvelin, burges"),
        ("DCG(base=1,dcg=jarvelin)", "base must be a finite number above 1"),
        ("nDCG(base=3)", "base is a parameter of dcg=jarvelin only"),
        ("RBP(p=1)", "p must be a finite number above 0 and below 1"),
        ("ERR(gmax=0)", "gmax must be a finite number above 0"),
        ("Rprec(mult=0)", "mult must be a finite number above 0"),
        ("Rprec_mult_1,2", "is not a number"),
        ("TN", "TN: needs the number of items in the collection"),
        ("IPrec", "IPrec: needs a cut-off, such as IPrec@0.1"),
        ("IPrec@1.5", "a level of recall is a number from 0 to 1"),
        ("IPrec(interp=x)@0.5", "interp must be one of trec, round, exact"),
        ("BPM", "BPM: needs a cut-off, such as BPM@10"),
        ("NERR8", "NERR8: needs a cut-off"),
        ("SDCG(max_rel=0)@5", "max_rel must be a finite number above 0"),
        ("INST(T=0)", "T must be a finite number above 0"),
        ("NERR10(p=1)", "p must be a finite number above 0 and below 1"),
        ("Compat(p=1)", "p must be a finite number above 0 and below 1"),
        ("Compat(normalize=no)", "normalize must be True or False"),
        ("alpha_nDCG(alpha=1.5)@5", "alpha must be from 0 to 1"),
        ("NRBP(beta=-1)", "beta must be from 0 to 1"),
        ("ERR_IA", "ERR_IA: needs a cut-off"),
        ("NRBP@5", "NRBP takes no cut-off"),
        ("RBO(p=1)", "p must be a finite number above 0"),
        ("RBO(ties=c)", "ties must be one of a, b, w"),
        ("RBO(kind=mean)", "kind must be one of ext"),
        ("Kendall(penalty=2)", "penalty must lie in [0, 1]"),
        ("Footrule(norm=max)", "norm must be one of None, union, disjoint"),
        ("Footrule(missing=no)", "missing must be one of tied, next"),
        ("nDCG(gains=1:2)", "gains must be {grade: gain}"),
        ("nDCG(gains={1:2,1:3})", "gains must be {grade: gain}"),
        ("nDCG(gains={1:-1})", "gains must be {grade: gain}"),
        ("IPrecAvg(levels=1)", "levels must be a number of levels from 2"),
        ("IPrecAvg(levels=0.2/2)", "levels must be a number of levels from 2"),
        ("IPrecAvg(levels=a/b)", "levels must be a number of levels from 2"),
    ],
)
def test_errors_name_the_measure_and_the_rule(text: str, message: str) -> None:
    with pytest.raises(MeasureError) as error:
        parse_measure(text)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_other_errors() -> None:
    with pytest.raises(MeasureError, match="a measure is a text"):
        parse_measure(5)  # type: ignore[arg-type]
    with pytest.raises(MeasureError, match="no measure given"):
        parse_measures([])
    for text in ("AP P(rel=2)@5", "AP,P(rel=2)@5", "AP, P(rel=2)@5"):
        said = f"measure '{text}': give several as a list of texts"
        with pytest.raises(MeasureError, match=f"^{re.escape(said)}$"):
            parse_measures(text)


def test_all_wrong_measures_are_named_at_once() -> None:
    with pytest.raises(MeasureError) as caught:
        parse_measures(["ndgc@10", "AP", "P@0", "mpa", "xyzzyqqq", "ndgc@10", "gm_map"])
    text = str(caught.value)
    assert text.startswith("measures: 'ndgc@10' (did you mean nDCG@10 or ")
    assert "'mpa' (did you mean AP or " in text
    assert "'xyzzyqqq' are not known; " in text
    assert "; P@0: a cut-off is a whole number from 1; measure 'gm_map' summarises" in text
    assert "; known are P@1 (" in text
    assert "\n" not in text
    with pytest.raises(MeasureError, match=r"^measure 'mpa' is not known; did you mean AP or"):
        parse_measures(["AP", "mpa", "mpa"])
    with pytest.raises(MeasureError, match=r"^measures: 'mpa' \(.*\?\) is not known; P@0: "):
        parse_measures(["mpa", "P@0"])


def test_the_error_of_an_unknown_measure_is_a_public_one() -> None:
    for parse in (parse_measure, parse_measures):
        with pytest.raises(MeasureError) as caught:
            parse("mpa")
        assert type(caught.value) is MeasureError
        assert caught.value.__cause__ is caught.value.__context__ is None
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


LOWER = ["perplexity", "word_perplexity,none", "Brier", "brier_score", "log score", "MSE", "rmse"]
LOWER += ["WER", "error_rate", "val loss", "bits_per_byte", "latency (s)", "FID", "NLL", "time"]
