"""RBO, Kendall and Footrule through `evaluate`, against the public functions list by list."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from support.scores_for_tests import dense

import fuzzytruth as ft
from fuzzytruth.measures import Kendall, parse_measure

MEASURES = {
    "RBO": lambda a, b: ft.rank_biased_overlap(a, b).ext,
    "RBO(ties=b)": lambda a, b: ft.rank_biased_overlap(a, b, ties="b").ext,
    "RBO(p=0.5,ties=w)": lambda a, b: ft.rank_biased_overlap(a, b, p=0.5, ties="w").ext,
    "RBO(kind=min)": lambda a, b: ft.rank_biased_overlap(a, b).min,
    "RBO(ties=b,kind=max)": lambda a, b: ft.rank_biased_overlap(a, b, ties="b").max,
    "RBO(ties=w,kind=res)": lambda a, b: ft.rank_biased_overlap(a, b, ties="w").res,
    "Kendall": ft.kendall_distance,
    "Kendall(penalty=0)": lambda a, b: ft.kendall_distance(a, b, penalty=0),
    "Kendall(norm=union)": lambda a, b: ft.kendall_distance(a, b, norm="union"),
    "Kendall(penalty=0.25,norm=disjoint)": lambda a, b: ft.kendall_distance(
        a, b, penalty=0.25, norm="disjoint"
    ),
    "Footrule": ft.footrule,
    "Footrule(missing=next)": lambda a, b: ft.footrule(a, b, missing="next"),
    "Footrule(norm=union)": lambda a, b: ft.footrule(a, b, norm="union"),
    "Footrule(missing=next,norm=disjoint)": lambda a, b: ft.footrule(
        a, b, missing="next", norm="disjoint"
    ),
    "Footrule(norm=disjoint)": lambda a, b: ft.footrule(a, b, norm="disjoint"),
}


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
            assert row.value == pytest.approx(MEASURES[measure](subject, system), abs=1e-12)


def test_long_lists_go_in_blocks(monkeypatch):
    frame, runs = lists_and_runs(positions=True)
    whole = ft.evaluate(frame, runs, ["RBO", "Kendall"]).values
    monkeypatch.setattr("fuzzytruth.core.lists.similarity._DEPTHS", 50)
    monkeypatch.setattr("fuzzytruth.core.lists.similarity._ITEM_PAIRS", 400)
    again = ft.evaluate(frame, runs, ["RBO", "Kendall"]).values
    np.testing.assert_allclose(again, whole, rtol=1e-13)


def test_directions_and_spellings():
    scores = [parse_measure(m) for m in ("rank_biased_overlap(p=.8)", "kendall", "footrule@5")]
    assert [str(m) for m in scores] == ["RBO(p=0.8)", "Kendall", "Footrule@5"]
    assert [m.higher_is_better for m in scores] == [True, False, False]
    for text in MEASURES:
        assert str(parse_measure(text)) == text


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("RBO(p=1)", "p must be a finite number above 0"),
        ("RBO(ties=c)", "ties must be one of a, b, w"),
        ("RBO(kind=mean)", "kind must be one of ext"),
        ("Kendall(penalty=2)", r"must lie in \[0, 1\]"),
        ("Footrule(norm=max)", "norm must be one of None, union, disjoint"),
        ("Footrule(missing=no)", "missing must be one of tied, next"),
    ],
)
def test_bad_parameters(measure, message):
    with pytest.raises(ft.MeasureError, match=message):
        parse_measure(measure)


def test_a_list_without_common_items_and_an_empty_answer():
    lists = pd.DataFrame({"query": ["q1", "q2"], "item": ["a", "b"], "grade": [1, 1]})
    nothing = pytest.warns(ft.FuzzytruthWarning, match="no retrieved item was judged")
    with nothing, pytest.warns(ft.FuzzytruthWarning, match="q2"):
        scores = ft.evaluate(lists, {"s": {"q1": {"x": 1}}}, ["RBO", Kendall(), "Footrule"])
    assert dense(scores)[0, :, 0].tolist() == [[0, 0], [1, 0], [2, 0]]
