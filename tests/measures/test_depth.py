"""Lists cut at the last rank that matters give the numbers of the whole lists."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from support.every_world import small

import fuzzytruth as ft
from fuzzytruth.measures import parse_measure

CUT = ["P@2", "R@2", "Success@2", "RelP@2", "Judged@2", "AP@2", "RR@2", "F@2", "F(points=max)@2"]
CUT += ["E@2", "EPSB@2", "TP@2", "FP@2", "FN@2", "TN(collection=9)@2", "NumRet@2", "CG@2", "nCG@2"]
CUT += ["DCG@2", "nDCG@2", "nDCG(dcg=burges)@2", "RBP@2", "ERR@2", "NN"]
WHOLE = ["P", "AP", "bpref", "IPrec@0.2", "Rprec", "FT", "ADR", "nDCG"]
quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


def test_depths() -> None:
    assert [parse_measure(text).depth for text in CUT] == [2] * (len(CUT) - 1) + [1]
    assert [parse_measure(text).depth for text in WHOLE] == [None] * len(WHOLE)


@quiet
@pytest.mark.parametrize("worlds", ["subject", "independent", "population"])
@pytest.mark.parametrize("ties", ["trec", "expected"])
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
@pytest.mark.parametrize("worlds", ["subject", "independent"])
def test_lists_of_query_by_example_are_cut_alike(worlds: str) -> None:
    rng = np.random.default_rng(0)
    items = [f"i{j}" for j in range(12)]
    tree = ft.Taxonomy.from_children({"all": ["a", "b"]})
    rows = [(s, i, "ab"[int(rng.random() < 0.4)]) for s in "xyz" for i in items]
    frame = pd.DataFrame(rows, columns=["subject", "item", "category"])
    votes = ft.Assignments.from_frame(frame, taxonomy=tree)
    lists = {q: dict(zip(items, rng.random(12).tolist(), strict=True)) for q in items}
    known = ["P@3", "nDCG@3", "R@3", "AP@3", "RR@3"]
    options = {"worlds": worlds, "rng": 0, "n_worlds": 50}
    cut = ft.evaluate(votes.by_example(), {"s": lists}, known, **options)
    whole = ft.evaluate(votes.by_example(), {"s": lists}, [*known, "AP"], **options)
    np.testing.assert_allclose(cut.values, whole.values[:, :-1], atol=1e-14)


@quiet
def test_items_below_the_cut_move_up_where_missing_ones_are_left_out() -> None:
    judged = [("q", "a", "x", 1), ("q", "b", "y", 1), ("q", "c", "x", 1), ("q", "c", "y", 0)]
    votes = pd.DataFrame(judged, columns=["query", "item", "subject", "grade"])
    runs = {"s": {"q": {"b": 3, "a": 2, "c": 1}}}
    scores = ft.evaluate(votes, runs, ["P@1"], worlds="subject", missing="exclude")
    assert scores.values.ravel().tolist() == [1.0, 1.0]
