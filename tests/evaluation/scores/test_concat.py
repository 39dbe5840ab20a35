"""`concat`: scores evaluated one after the other are those of one evaluation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.kinds_of_scores import CRISP, KINDS, MISSING, RUNS, VOTES, evaluated, runs_of

import fuzzytruth as ft

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
FRAME = pd.DataFrame(
    {"system": "a", "query": [1, 1, 2], "subject": ["x", "y", "x"], "value": [0.1, 0.2, 0.3]}
)


def check_same(one: ft.Scores, two: ft.Scores) -> None:
    """Bit for bit."""
    names = ("systems", "queries", "measures", "subjects", "design", "higher_is_better")
    for name in (*names, "query_attributes"):
        assert getattr(one, name) == getattr(two, name)
    assert one.provenance == two.provenance
    for name in ("values", "lower", "upper"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
    for name in ("query", "subject", "offsets"):
        np.testing.assert_array_equal(getattr(one.cells, name), getattr(two.cells, name))
    if one.uncertainty is None:
        assert two.uncertainty is None
        return
    for field in fields(one.uncertainty):
        if field.name not in ("sources", "spread", "in_worlds", "joint_spread"):
            mine, theirs = (getattr(x.uncertainty, field.name) for x in (one, two))
            np.testing.assert_array_equal(mine, theirs)
    for name in ("std", "world_means", "kept"):
        mine, theirs = (getattr(x.uncertainty, name) for x in (one, two))
        np.testing.assert_array_equal(mine, theirs)
    check_same_where_known(one.uncertainty.within, two.uncertainty.within)
    measure, query = one.measures[-1], one.queries[-1]
    if one.uncertainty.sources is None:
        return
    for ask in (
        lambda x: x.distribution("two", query, measure),
        lambda x: x.difference("one", "two", measure, query=query),
        lambda x: x.difference("one", "two", measure),
    ):
        np.testing.assert_array_equal(ask(one).to_frame(), ask(two).to_frame())


def check_same_where_known(one: np.ndarray | None, two: np.ndarray | None) -> None:
    """Of single systems all, and of pairs those that were evaluated together."""
    if one is None or two is None:
        assert one is two
        return
    known = ~np.isnan(one) & ~np.isnan(two)
    assert np.diagonal(known, axis1=1, axis2=2).all()
    np.testing.assert_array_equal(one[known], two[known])


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "bounds"])
def test_systems_scored_later_are_those_of_one_evaluation(kind: str) -> None:
    systems = runs_of(kind).systems
    parts = [evaluated(kind, systems=[system]) for system in systems]
    check_same(ft.concat(parts), evaluated(kind))
    check_same(ft.concat([ft.concat(parts[:1]), ft.concat(parts[1:])]), evaluated(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_measures_scored_later_are_those_of_one_evaluation(kind: str) -> None:
    measures = KINDS[kind][2]
    parts = [evaluated(kind, measures=[measure]) for measure in measures]
    check_same(ft.concat(parts), evaluated(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_selected_joins_again(kind: str) -> None:
    scores = evaluated(kind)
    if kind != "bounds":
        parts = [scores.select(systems=name) for name in scores.systems]
        check_same(ft.concat(parts), scores)
    parts = [scores.select(measures=name) for name in scores.measures]
    check_same(ft.concat(parts), scores)


def test_differences_of_old_and_new_systems_are_paired() -> None:
    runs = RUNS | {"twin": RUNS["one"]}
    old = ft.evaluate(VOTES, {"one": RUNS["one"]}, ["bpref"], rng=7)
    new = ft.evaluate(VOTES, {"twin": runs["twin"]}, ["bpref"], rng=7)
    gap = ft.concat([old, new]).difference("one", "twin", "bpref", query="q1")
    assert gap.support() == (0, 0)


def test_runs_that_answer_in_another_order_share_a_query_by_example() -> None:
    runs = runs_of("by example")
    frame = runs["two"].queries
    order = {query: place for place, query in enumerate(frame[::-1])}
    rows = runs.to_frame()
    rows = rows[rows["system"] == "two"].sort_values(
        "query", key=lambda ids: ids.map(order), kind="stable"
    )
    other = ft.Runs.from_frame(rows)
    assert other["two"].queries == frame[::-1]
    truth, _, measures, options = KINDS["by example"]
    both = evaluated("by example")
    one = evaluated("by example", systems=["one"])
    joined = ft.concat([one, ft.evaluate(truth, other, measures, rng=7, **options)])
    for query in both.queries:
        for measure in measures:
            for ask in (
                lambda x, q=query, m=measure: x.distribution("two", q, m),
                lambda x, q=query, m=measure: x.difference("one", "two", m, query=q),
            ):
                pd.testing.assert_frame_equal(ask(joined).to_frame(), ask(both).to_frame())


def test_saved_scores_are_joined_by_new_ones(tmp_path) -> None:
    evaluated("independent, kept", systems=["one"]).save(tmp_path / "one.parquet")
    old = ft.Scores.load(tmp_path / "one.parquet")
    new = evaluated("independent, kept", systems=["two", "three"])
    check_same(
        replace_sources(ft.concat([old, new])), replace_sources(evaluated("independent, kept"))
    )


def replace_sources(scores: ft.Scores) -> ft.Scores:
    return replace(scores, uncertainty=replace(scores.uncertainty, sources=None))


def test_only_new_systems_have_single_queries_where_old_ones_were_loaded(tmp_path) -> None:
    evaluated("independent", systems=["one"]).save(tmp_path / "one.parquet")
    both = ft.concat(
        [ft.Scores.load(tmp_path / "one.parquet"), evaluated("independent", systems=["two"])]
    )
    both.distribution("two", "q1", "AP")
    both.difference("one", "two", "AP")
    for ask in (
        lambda: both.distribution("one", "q1", "AP"),
        lambda: both.difference("two", "one", "AP", query="q1"),
    ):
        with pytest.raises(ft.OptionError, match="holds no worlds of single queries"):
            ask()


def test_rows_in_another_order_are_the_same_truth_for_crisp_scores() -> None:
    for truth, options in ((CRISP, {}), (VOTES, {"worlds": "subject"})):
        one = ft.evaluate(truth, {"one": RUNS["one"]}, ["AP", "P@2"], **options)
        two = ft.evaluate(truth[::-1], {"two": RUNS["two"]}, ["P@2", "AP"], **options)
        assert two.queries == one.queries[::-1]
        both = ft.evaluate(truth, {s: RUNS[s] for s in ("one", "two")}, ["AP", "P@2"], **options)
        joined = ft.concat([one, two])
        pd.testing.assert_frame_equal(joined.to_frame(), both.to_frame(), check_exact=True)


def test_scores_computed_elsewhere_are_joined() -> None:
    one = ft.Scores.from_frame(FRAME)
    two = ft.Scores.from_frame(FRAME[::-1].assign(system="b"))
    joined = ft.concat([one, two])
    expected = ft.Scores.from_frame(pd.concat([FRAME, FRAME.assign(system="b")]))
    pd.testing.assert_frame_equal(joined.to_frame(), expected.to_frame())
    assert joined.provenance is None
    other = ft.Scores.from_frame(FRAME.assign(measure="AP"))
    assert ft.concat([one, other]).measures == ("value", "AP")


def test_provenance_is_that_of_the_evaluated_scores() -> None:
    evaluated_ones = ft.evaluate(CRISP, {"one": RUNS["one"]}, ["AP"])
    made = evaluated_ones.provenance
    elsewhere = ft.Scores.from_frame(evaluated_ones.to_frame().assign(system="other"))
    for parts in ([evaluated_ones, elsewhere], [elsewhere, evaluated_ones]):
        joined = ft.concat(parts)
        assert joined.provenance == made
        assert [system for system, _ in joined.provenance.runs] == ["one"]
        assert joined.select(systems=["other", "one"]).provenance == made
        assert joined.select(systems="other").provenance is None
    measured = ft.Scores.from_frame(evaluated_ones.to_frame().assign(measure="mine"))
    joined = ft.concat([measured, evaluated_ones])
    assert (joined.measures, joined.provenance.measures) == (("mine", "AP"), ("AP",))
    assert joined.select(measures="mine").provenance is None
    other_truth = ft.evaluate(OTHER_GRADE, {"two": RUNS["two"]}, ["AP"])
    message = r"scores\[2\]: the checksum of the truth is .* and that of scores\[1\]"
    with pytest.raises(ft.DataError, match=message):
        ft.concat([elsewhere, evaluated_ones, other_truth])


def crisp(system: str = "two", truth: Any = CRISP, **options: Any) -> ft.Scores:
    return ft.evaluate(truth, {system: RUNS[system]}, ["AP"], **options)


def drawn(system: str = "two", truth: Any = VOTES, **options: Any) -> ft.Scores:
    return ft.evaluate(truth, {system: RUNS[system]}, ["AP"], **{"rng": 7, **options})


OTHER_GRADE = CRISP.assign(grade=CRISP["grade"].where(CRISP.index != 3, 5))
FORTH = ft.Scores.from_frame(FRAME.assign(system="b"), higher_is_better=False)
REFUSED: dict[str, Callable[[], tuple[ft.Scores, ft.Scores, str]]] = {
    "truth": lambda: (
        crisp("one"),
        crisp(truth=OTHER_GRADE),
        r"scores\[1\]: the checksum of the truth is",
    ),
    "worlds": lambda: (
        drawn("one"),
        drawn(worlds="population"),
        "kind of worlds is 'population'",
    ),
    "seed": lambda: (drawn("one"), drawn(rng=8), "the seed is"),
    "fresh seed": lambda: (drawn("one", rng=None), drawn(rng=None), "the seed is"),
    "n_worlds": lambda: (drawn("one"), drawn(n_worlds=99), "n_worlds is 99, and that of .* 1000"),
    "imputed": lambda: (
        drawn("one", MISSING, worlds="subject", missing="pooled"),
        drawn("two", MISSING, worlds="subject", missing="nonrelevant"),
        "the kind of worlds is 'subject', and that",
    ),
    "missing": lambda: (
        drawn("one", MISSING, worlds="subject", missing="exclude"),
        drawn("two", MISSING, worlds="subject", missing="nonrelevant"),
        "the option missing is 'nonrelevant', and that of .* 'exclude'",
    ),
    "ties": lambda: (
        crisp("one"),
        crisp(ties="order"),
        "the option ties is 'order'",
    ),
    "system": lambda: (crisp("one"), crisp("one"), r"system 'one' is in scores\[0\] already"),
    "run": lambda: (
        crisp("one"),
        ft.evaluate(CRISP, {"one": RUNS["two"]}, ["P@2"]),
        "the checksum of the run of 'one' is",
    ),
    "measure": lambda: (
        crisp("one"),
        ft.evaluate(CRISP, {"two": RUNS["two"]}, ["P@2"]),
        r"measure 'AP' is in scores\[0\] only",
    ),
    "queries": lambda: (
        crisp("one"),
        crisp().select(queries=["q1", "q3"]),
        r"query 'q2' is in scores\[0\] only",
    ),
    "cells": lambda: (
        ft.Scores.from_frame(FRAME),
        ft.Scores.from_frame(FRAME.assign(system="b", query=[1, 2, 2])),
        r"query '1' and subject 'y' has values in scores\[0\] only",
    ),
    "direction": lambda: (ft.Scores.from_frame(FRAME), FORTH, "higher values of value are better"),
    "design": lambda: (
        ft.Scores.from_frame(FRAME),
        ft.Scores.from_frame(FRAME.assign(system="b"), design="nested"),
        "the design is 'nested', and that of .* 'crossed'",
    ),
    "bounds": lambda: (
        evaluated("bounds", systems=["one"]),
        evaluated("bounds", systems=["two"]),
        "bounds depend on what all systems retrieved",
    ),
    "no bounds": lambda: (
        crisp("one"),
        crisp(unjudged="bounds"),
        "the option unjudged is 'bounds'",
    ),
    "unknown truth": lambda: (
        drawn("one"),
        replace(drawn(), provenance=None),
        "nothing tells whether these scores come from the truth",
    ),
    "version": lambda: (
        drawn("one"),
        replace(drawn(), provenance=replace(drawn().provenance, version="0.0")),
        "the version of fuzzytruth is '0.0'",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_does_not_fit_is_refused(what: str) -> None:
    one, two, message = REFUSED[what]()
    with pytest.raises(ft.DataError, match=message) as raised:
        ft.concat([one, two])
    assert "\n" not in str(raised.value)


def test_nothing_to_join() -> None:
    one = crisp("one")
    assert ft.concat([one]) is one
    with pytest.raises(ft.OptionError, match="give at least one"):
        ft.concat([])
    with pytest.raises(ft.OptionError, match="must be a list of Scores"):
        ft.concat(one)
    with pytest.raises(ft.OptionError, match=r"scores\[1\]=3: must be Scores"):
        ft.concat([one, 3])
