"""Measures as values: equality, cut-offs, parameters in canonical form; lists cut at a depth."""

import numpy as np
import pandas as pd
import pytest
from support.building import batch_of, query
from support.every_world import small

import fuzzytruth as ft
from fuzzytruth.errors import MeasureError
from fuzzytruth.measures import ADR, AP, RR, IPrecAvg, Measure, P, bpref, nDCG, parse_measure
from fuzzytruth.measures.measure import as_value, print_value, read_value

CUT = ["P@2", "R@2", "Success@2", "RelP@2", "Judged@2", "AP@2", "RR@2", "F@2", "F(points=max)@2"]
CUT += ["E@2", "EPSB@2", "TP@2", "FP@2", "FN@2", "TN(collection=9)@2", "NumRet@2", "CG@2", "nCG@2"]
CUT += ["DCG@2", "nDCG@2", "nDCG(dcg=burges)@2", "RBP@2", "ERR@2", "NN"]
quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


def test_values_not_types_count() -> None:
    ways = [P(rel=2) @ 5, P(rel=2.0) @ 5.0, P(rel=np.int64(2)) @ np.int32(5), P(rel="2", cutoff=5)]
    assert len(set(ways)) == 1
    assert {str(m) for m in ways} == {"P(rel=2)@5"}
    assert P @ 5 == parse_measure("P@5") == parse_measure(P @ 5)
    assert parse_measure(AP) == AP() != AP(rel=2)
    assert IPrecAvg(levels=(0.25, 0.5)) == IPrecAvg(levels="0.25/.5")


def test_canonical_parameters() -> None:
    given = [2.0, np.int64(3), np.float32(0.5), True, " 'log2' "]
    kept = [as_value(each) for each in given]
    assert kept == [2, 3, 0.5, True, "log2"]
    assert [type(each) for each in kept] == [int, int, float, bool, str]
    for value in (None, True, 3, 0.1, 1e300, 5e-324, 1e16, "exp"):
        assert read_value(print_value(value)) == value


def test_a_measure_without_closed_forms_says_none() -> None:
    measure = ADR()
    for method in ("moments", "exact_distribution", "bounds", "hit_weights", "defined_moments"):
        assert getattr(measure, method)(None) is None
    with pytest.raises(MeasureError, match="ADR: does not compare lists"):
        measure.compare_lists(None)


def test_cut_offs_and_depths() -> None:
    assert (nDCG(dcg="jarvelin") @ 10).k == 10
    assert RR().k is None
    assert str(AP @ 5) == "AP@5"
    with pytest.raises(MeasureError, match="takes no cut-off"):
        _ = bpref @ 3
    with pytest.raises(TypeError):
        Measure()
    assert (P @ 2).score(batch_of(query([1, 0]))).item() == 0.5
    assert [parse_measure(text).depth for text in CUT] == [2] * (len(CUT) - 1) + [1]
    for text in ("P", "AP", "bpref", "IPrec@0.2", "Rprec", "FT", "ADR", "nDCG"):
        assert parse_measure(text).depth is None


@quiet
@pytest.mark.parametrize(
    ("worlds", "ties"),
    [("subject", "trec"), ("independent", "expected"), ("population", "trec")],
)
def test_cut_lists_have_the_values_of_whole_ones(worlds: str, ties: str) -> None:
    votes, runs = small(1, top=2)
    if ties == "expected":
        runs = {s: {q: dict.fromkeys(d, 1.0) for q, d in run.items()} for s, run in runs.items()}
    known = [m for m in CUT if ties == "trec" or parse_measure(m).expects_ties]
    options = {"worlds": worlds, "ties": ties, "rng": 0, "n_worlds": 50}
    cut = ft.evaluate(votes, runs, known, **options)
    whole = ft.evaluate(votes, runs, [*known, "AP"], **options)
    np.testing.assert_allclose(cut.values, whole.values[:, :-1], atol=1e-14)
    if worlds != "subject":
        np.testing.assert_allclose(cut.uncertainty.std, whole.uncertainty.std[:, :-1], atol=1e-14)
        for measure in known:
            one, two = (s.mean_distribution(s.systems[0], measure) for s in (cut, whole))
            np.testing.assert_allclose(one.mean(), two.mean(), atol=1e-14)


@quiet
def test_lists_of_query_by_example_are_cut_alike() -> None:
    rng = np.random.default_rng(0)
    items = [f"i{j}" for j in range(12)]
    tree = ft.Taxonomy.from_children({"all": ["a", "b"]})
    rows = [(s, i, "ab"[int(rng.random() < 0.4)]) for s in "xyz" for i in items]
    frame = pd.DataFrame(rows, columns=["subject", "item", "category"])
    truth = ft.Assignments.from_frame(frame, taxonomy=tree).by_example()
    lists = {"s": {q: dict(zip(items, rng.random(12).tolist(), strict=True)) for q in items}}
    known = ["P@3", "nDCG@3", "R@3", "AP@3", "RR@3"]
    for worlds in ("subject", "independent"):
        options = {"worlds": worlds, "rng": 0, "n_worlds": 50}
        cut = ft.evaluate(truth, lists, known, **options)
        whole = ft.evaluate(truth, lists, [*known, "AP"], **options)
        np.testing.assert_allclose(cut.values, whole.values[:, :-1], atol=1e-14)


@quiet
def test_items_below_the_cut_move_up_where_missing_ones_are_left_out() -> None:
    judged = [("q", "a", "x", 1), ("q", "b", "y", 1), ("q", "c", "x", 1), ("q", "c", "y", 0)]
    votes = pd.DataFrame(judged, columns=["query", "item", "subject", "grade"])
    runs = {"s": {"q": {"b": 3, "a": 2, "c": 1}}}
    scores = ft.evaluate(votes, runs, ["P@1"], worlds="subject", missing="exclude")
    assert scores.values.ravel().tolist() == [1.0, 1.0]
