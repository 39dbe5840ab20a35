"""What a plan takes from a pilot: its components, its systems and its measure."""

import itertools
from typing import Any

import pandas as pd
import pytest
from support.pilots import CROSSED, WIDE, pilot, said, t_half_width

import fuzzytruth as ft


def test_pilot_and_its_components_give_one_plan() -> None:
    scores = pilot()
    found = ft.plan(scores, half_width=0.06)
    components = ft.variance_components(scores)
    same = ft.plan(components=components, half_width=0.06, n_systems=4)
    pd.testing.assert_frame_equal(found.table, same.table)
    assumed = ft.plan(components=components.variances(), half_width=0.06, n_systems=4)
    given = assumed.table.drop(columns=["lower", "upper"])
    pd.testing.assert_frame_equal(given, found.table.drop(columns=["lower", "upper"]))
    assert assumed.table["lower"].isna().all()
    assert found.estimator.over == ("query", "subject")
    assert "and scores are about normal" in said(found).replace(",", " and")
    assert "normal" not in said(ft.plan(scores, coefficient=0.8))
    # the prediction of what the pilot itself gives
    half = ft.compare(scores, over=("query", "subject")).to_frame()
    half = ((half["upper"] - half["lower"]) / 2).mean()
    assert found.predict(30, 5)["half_width"] == pytest.approx(half, rel=0.35)


def test_without_subjects() -> None:
    found = ft.plan(pilot(4, 1), half_width=0.1)
    assert found.table["subjects"].tolist() == [1]
    with pytest.raises(
        ft.errors.OptionError, match="subjects are asked for, and the pilot has not"
    ):
        ft.plan(pilot(4, 1), half_width=0.1, subjects=[2, 3])
    with pytest.raises(ft.errors.OptionError, match="4 subjects are asked for"):
        found.predict(10, 4)


def test_nested_subjects() -> None:
    """Fresh subjects for each query: no floor, and all over queries."""
    frame = pilot().to_frame()
    frame["subject"] += " of " + frame["query"]
    scores = ft.Scores.from_frame(frame, design="nested")
    found = ft.plan(scores, half_width=0.08)
    parts = found.components
    assert "subject(query)" in parts
    variance = 2 * (parts["system:query"] + parts["residual"] / 3)
    want = t_half_width(variance, 40, 6)
    assert found.predict(40, 3)["half_width"] == pytest.approx(want, rel=2e-3)
    assert (found.table["status"] == "met").all()
    assert found.table["subjects"].tolist() == list(range(1, 11))


def test_replicates_of_a_pilot() -> None:
    scores = pilot(6, n_queries=8)
    runs = dict(zip(scores.systems, ["a", "a", "b", "b", "c", "c"], strict=True))
    options: dict[str, Any] = {"half_width": 1.0, "queries": 20, "subjects": 5}
    found = ft.plan(scores, replicate_of=runs, replicates=[1, 5], **options)
    assert found.systems == 3
    half = [found.predict(20, 5, r)["half_width"] for r in (1, 5)]
    assert half[1] < half[0]
    assert "replicates" in found.to_frame()
    with pytest.raises(
        ft.errors.OptionError, match="nothing says how replicates of a system differ"
    ):
        ft.plan(scores, replicates=[1, 5], **options)


def test_mistakes_with_a_pilot() -> None:
    scores = pilot()
    for given, message in (
        ({"components": CROSSED}, "and not both"),
        ({"measure": "nope"}, "nope"),
        ({"systems": ["nope"]}, "nope"),
        ({"over": "world"}, "over='world'"),
    ):
        with pytest.raises(ft.errors.OptionError, match=message):
            ft.plan(scores, half_width=0.1, **given)
    with pytest.raises(ft.FuzzytruthError, match="single query"):
        ft.plan(scores.select(queries=scores.queries[0]), half_width=0.1)
    single = scores.select(systems=scores.systems[0])
    with (
        pytest.warns(ft.FuzzytruthWarning),
        pytest.raises(ft.errors.DataError, match="single system"),
    ):
        ft.plan(single, half_width=0.1)
    with pytest.warns(ft.FuzzytruthWarning):
        mean = ft.plan(single, half_width=0.1, of="mean")
    assert mean.best is not None
    with pytest.raises(ft.FuzzytruthError):
        ft.plan("scores.csv", half_width=0.1)


def test_several_measures_and_systems_that_matter() -> None:
    scores = pilot(n_queries=8)
    pairs = itertools.combinations(scores.systems, 2)
    widths = [ft.plan(scores, systems=pair, **WIDE).predict(30, 5) for pair in pairs]
    assert len({round(one["half_width"], 9) for one in widths}) == 6
    assert ft.plan(scores, systems=scores.systems[:2], **WIDE).n_comparisons == 1
    frame = scores.to_frame()
    both = ft.Scores.from_frame(pd.concat([frame.assign(measure=name) for name in ("AP", "RR")]))
    with pytest.raises(ft.errors.OptionError, match="measure=: the pilot has 2"):
        ft.plan(both, half_width=0.1)
    assert ft.plan(both, measure="map", **WIDE).measure == "AP"
