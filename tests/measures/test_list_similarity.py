"""RBO, Kendall and Footrule through `evaluate`, against the public functions list by list."""

import itertools

import numpy as np
import pandas as pd
import pytest
from support.scores_for_tests import dense

import fuzzytruth as ft
from fuzzytruth.measures import Kendall

MEASURES = {
    "RBO": {"kind": "ext"},
    "RBO(ties=b)": {"kind": "ext", "ties": "b"},
    "RBO(p=0.5,ties=w)": {"kind": "ext", "p": 0.5, "ties": "w"},
    "RBO(kind=min)": {"kind": "min"},
    "RBO(ties=b,kind=max)": {"kind": "max", "ties": "b"},
    "RBO(ties=w,kind=res)": {"kind": "res", "ties": "w"},
    "Kendall": {},
    "Kendall(penalty=0)": {"penalty": 0},
    "Kendall(norm=union)": {"norm": "union"},
    "Kendall(penalty=0.25,norm=disjoint)": {"penalty": 0.25, "norm": "disjoint"},
    "Footrule": {},
    "Footrule(missing=next)": {"missing": "next"},
    "Footrule(norm=union)": {"norm": "union"},
    "Footrule(missing=next,norm=disjoint)": {"missing": "next", "norm": "disjoint"},
}


def by_function(measure: str, a, b) -> float:
    options = dict(MEASURES[measure])
    if measure.startswith("RBO"):
        kind = options.pop("kind")
        return getattr(ft.lists.rank_biased_overlap(a, b, **options), kind)
    return (ft.lists.kendall_distance if measure[0] == "K" else ft.lists.footrule)(a, b, **options)


def lists_and_runs(*, positions: bool):
    rng = np.random.default_rng(8)
    rows, runs = [], {"one": {}, "two": {}}
    for q, subject in itertools.product(range(8), ("ann", "bob")):
        for item in rng.permutation(25)[: rng.integers(1, 14)].tolist():
            rows.append((f"q{q}", subject, f"i{item}", int(rng.integers(-1, 4))))
        for run in runs.values():
            order = rng.permutation(25)[: rng.integers(1, 20)].tolist()
            run[f"q{q}"] = {f"i{i}": -float(k) for k, i in enumerate(order)}
    frame = pd.DataFrame(rows, columns=["query", "subject", "item", "grade"])
    if positions:
        frame["position"] = np.abs(frame["grade"]) * 2 + 1.0
    return frame, runs


@pytest.mark.parametrize(("number", "measure"), list(enumerate(MEASURES)))
def test_evaluate_is_the_function_list_by_list(number, measure):
    for positions, cut in ((number % 2 == 0, None), (number % 2 == 1, 4)):
        frame, runs = lists_and_runs(positions=positions)
        scores = ft.evaluate(frame, runs, f"{measure}@{cut}" if cut else measure).to_frame()
        assert len(scores) == 2 * 8 * 2
        key = -frame["position"] if positions else frame["grade"]
        for row in scores.itertuples():
            mine = (frame["query"] == row.query) & (frame["subject"] == row.subject)
            subject = dict(zip(frame["item"][mine], key[mine], strict=True))
            system = list(runs[row.system][row.query])[:cut]
            assert row.value == pytest.approx(by_function(measure, subject, system), abs=1e-12)


def test_a_list_without_common_items_and_an_empty_answer():
    lists = pd.DataFrame({"query": ["q1", "q2"], "item": ["a", "b"], "grade": [1, 1]})
    nothing = pytest.warns(ft.FuzzytruthWarning, match="no retrieved item was judged")
    with nothing, pytest.warns(ft.FuzzytruthWarning, match="q2"):
        scores = ft.evaluate(lists, {"s": {"q1": {"x": 1}}}, ["RBO", Kendall(), "Footrule"])
    assert dense(scores)[0, :, 0].tolist() == [[0, 0], [1, 0], [2, 0]]
