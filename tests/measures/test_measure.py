"""Measures as values: equality, cut-offs, parameters in canonical form; lists cut at a depth."""

import numpy as np
import pandas as pd
import pytest
from support.every_world import small

import fuzzytruth as ft
from fuzzytruth.errors import MeasureError
from fuzzytruth.measures import ADR, AP, IPrecAvg, P, parse_measure

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


def test_a_measure_without_closed_forms_says_none() -> None:
    measure = ADR()
    for method in ("moments", "exact_distribution", "bounds", "hit_weights", "defined_moments"):
        assert getattr(measure, method)(None) is None
    with pytest.raises(MeasureError, match="ADR: does not compare lists"):
        measure.compare_lists(None)


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
