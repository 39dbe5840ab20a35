"""`concat`: scores evaluated one after the other are those of one evaluation."""

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


def test_provenance_is_that_of_the_evaluated_scores() -> None:
    evaluated_ones = ft.evaluate(CRISP, {"one": RUNS["one"]}, ["AP"])
    made = evaluated_ones.provenance
    elsewhere = ft.Scores.from_frame(evaluated_ones.to_frame().assign(system="other"))
    for parts in ([evaluated_ones, elsewhere], [elsewhere, evaluated_ones]):
        joined = ft.concat(parts)
        assert joined.provenance == replace(made, queries_share_items=None)
        assert [system for system, _ in joined.provenance.runs] == ["one"]
        assert joined.select(systems=["other", "one"]).provenance == joined.provenance
        assert joined.select(systems="other").provenance is None
    measured = ft.Scores.from_frame(evaluated_ones.to_frame().assign(measure="mine"))
    joined = ft.concat([measured, evaluated_ones])
    assert (joined.measures, joined.provenance.measures) == (("mine", "AP"), ("AP",))
    assert joined.select(measures="mine").provenance is None
    other_truth = ft.evaluate(OTHER_GRADE, {"two": RUNS["two"]}, ["AP"])
    message = r"scores\[2\]: the checksum of the truth is .* and that of scores\[1\]"
    with pytest.raises(ft.errors.DataError, match=message):
        ft.concat([elsewhere, evaluated_ones, other_truth])


def crisp(system: str = "two", truth: Any = CRISP, **options: Any) -> ft.Scores:
    return ft.evaluate(truth, {system: RUNS[system]}, ["AP"], **options)


def drawn(system: str = "two", truth: Any = VOTES, **options: Any) -> ft.Scores:
    return ft.evaluate(truth, {system: RUNS[system]}, ["AP"], **{"rng": 7, **options})


OTHER_GRADE = CRISP.assign(grade=CRISP["grade"].where(CRISP.index != 3, 5))


@pytest.mark.parametrize("kind", KINDS)
def test_parts_scored_apart_or_selected_are_those_of_one_evaluation(kind: str) -> None:
    systems, measures = runs_of(kind).systems, KINDS[kind][2]
    whole = evaluated(kind)
    check_same(ft.concat([evaluated(kind, measures=[measure]) for measure in measures]), whole)
    check_same(ft.concat([whole.select(measures=measure) for measure in measures]), whole)
    if kind != "bounds":
        parts = [evaluated(kind, systems=[system]) for system in systems]
        check_same(ft.concat(parts), whole)
        check_same(ft.concat([ft.concat(parts[:1]), ft.concat(parts[1:])]), whole)
        check_same(ft.concat([whole.select(systems=system) for system in systems]), whole)


def test_loaded_scores_are_joined_by_new_ones(tmp_path) -> None:
    for kind in ("independent", "independent, kept"):
        evaluated(kind, systems=["one"]).save(tmp_path / "one.parquet")
        old, new = ft.Scores.load(tmp_path / "one.parquet"), evaluated(kind, systems=["two"])
        both = ft.concat([old, new])
        pd.testing.assert_frame_equal(
            both.to_frame(), evaluated(kind, systems=["one", "two"]).to_frame()
        )
        both.difference("one", "two", "AP")
        both.distribution("two", "q1", "AP")
        if kind == "independent":  # the file holds no worlds of single queries
            for ask in (
                lambda both=both: both.distribution("one", "q1", "AP"),
                lambda both=both: both.difference("two", "one", "AP", query="q1"),
            ):
                with pytest.raises(
                    ft.errors.OptionError, match="holds no worlds of single queries"
                ):
                    ask()


def elsewhere(**options: Any) -> ft.Scores:
    made = {name: options.pop(name) for name in ("design", "higher_is_better") if name in options}
    return ft.Scores.from_frame(FRAME.assign(**options), **made)


FIRST = evaluated("crisp", systems=["one"], measures=["AP"])


POOLED = {"worlds": "subject", "missing": "pooled"}


IMPUTED = {"worlds": "subject", "missing": "nonrelevant"}


EXCLUDED = {"worlds": "subject", "missing": "exclude"}


REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: [FIRST, crisp(truth=OTHER_GRADE)], r"scores\[1\]: the checksum of the truth is"),
    (lambda: [drawn("one"), drawn(worlds="population")], "kind of worlds is 'population'"),
    (lambda: [drawn("one"), drawn(rng=8)], "the seed is"),
    (lambda: [drawn("one", rng=None), drawn(rng=None)], "the seed is"),
    (lambda: [drawn("one"), drawn(n_worlds=99)], "n_worlds is 99, and that of .* 1000"),
    (
        lambda: [drawn("one", MISSING, **POOLED), drawn("two", MISSING, **IMPUTED)],
        "worlds is 'subject', and",
    ),
    (
        lambda: [drawn("one", MISSING, **EXCLUDED), drawn("two", MISSING, **IMPUTED)],
        "the option missing is 'nonrelevant', and that of .* 'exclude'",
    ),
    (lambda: [FIRST, crisp(ties="order")], "the option ties is 'order'"),
    (lambda: [FIRST, FIRST], r"system 'one' is in scores\[0\] already"),
    (
        lambda: [FIRST, ft.evaluate(CRISP, {"one": RUNS["two"]}, ["P@2"])],
        "the checksum of the run of 'one' is",
    ),
    (
        lambda: [FIRST, ft.evaluate(CRISP, {"two": RUNS["two"]}, ["P@2"])],
        r"measure 'AP' is in scores\[0\] only",
    ),
    (lambda: [FIRST, crisp().select(queries=["q1", "q3"])], r"query 'q2' is in scores\[0\] only"),
    (
        lambda: [elsewhere(), elsewhere(system="b", query=[1, 2, 2])],
        r"query '1' and subject 'y' has values in scores\[0\] only",
    ),
    (
        lambda: [elsewhere(), elsewhere(system="b", higher_is_better=False)],
        "higher values of value are bet",
    ),
    (
        lambda: [elsewhere(), elsewhere(system="b", design="nested")],
        "design is 'nested', and .* 'crossed'",
    ),
    (
        lambda: [evaluated("bounds", systems=["one"]), evaluated("bounds", systems=["two"])],
        "bounds depend on what all systems retrieved",
    ),
    (lambda: [FIRST, crisp(unjudged="bounds")], "the option unjudged is 'bounds'"),
    (
        lambda: [drawn("one"), replace(drawn(), provenance=None)],
        "nothing tells whether these scores come",
    ),
    (
        lambda: [
            drawn("one"),
            replace(drawn(), provenance=replace(drawn().provenance, version="0.0")),
        ],
        "the version of fuzzytruth is '0.0'",
    ),
    (list, "give at least one"),
    (lambda: FIRST, "must be a list of Scores"),
    (lambda: [FIRST, 3], r"scores\[1\]=3: must be Scores"),
]


@pytest.mark.parametrize(("parts", "message"), REFUSED)
def test_what_does_not_fit_is_refused(parts: Callable[[], Any], message: str) -> None:
    with pytest.raises(ft.FuzzytruthError, match=message) as raised:
        ft.concat(parts())
    assert "\n" not in str(raised.value)


# Several collections.


def part(systems: str, queries: int = 3, **columns: Any) -> ft.Scores:
    """Values that tell system and query."""
    rows = [
        {"system": s, "query": f"q{q}", "value": (ord(s) - 96) / 10 + q / 100}
        for q in range(queries)
        for s in systems
    ]
    frame = pd.DataFrame(rows).assign(**columns)
    return ft.Scores.from_frame(frame, clusters=[*columns])


def test_queries_of_collections_stay_apart_and_keep_attributes() -> None:
    joined = ft.concat({"nq": part("ab", 2, topic="x"), "fiqa": part("ba", 3)})
    assert joined.queries == ("nq/q0", "nq/q1", "fiqa/q0", "fiqa/q1", "fiqa/q2")
    assert joined.systems == ("a", "b")
    assert joined.query_attributes == {
        "topic": ("x", "x", None, None, None),
        "collection": ("nq", "nq", "fiqa", "fiqa", "fiqa"),
    }
    assert joined.values[1, 0].tolist() == pytest.approx([0.2, 0.21, 0.2, 0.21, 0.22])
    again = ft.concat({"dl": joined, "x": joined}, as_="track")
    assert again.queries[5] == "x/nq/q0"
    assert again.query_attributes["track"] == ("dl",) * 5 + ("x",) * 5


def test_subjects_and_ranges_of_collections(tmp_path) -> None:
    truth = {"q": {"a": 1}, "r": {"b": 1}}
    one = ft.evaluate(truth, {"x": {"q": ["a"], "r": ["a", "b"]}, "y": {"q": ["b"]}}, ["RR"])
    joined = ft.concat({"one": one, "two": one})
    assert joined.ranges == ((0.0, 1.0),)
    assert joined.provenance is None
    joined.save(tmp_path / "both.parquet")
    check_same(ft.Scores.load(tmp_path / "both.parquet"), joined)
    rows = [("a", 1, "x", 0.1), ("a", 1, "y", 0.2), ("a", 2, "z", 0.3)]
    judged = ft.Scores.from_frame(
        pd.DataFrame(rows, columns=["system", "query", "subject", "value"])
    )
    other = judged.select(subjects=["z"])
    both = ft.concat({"n": judged, "f": other})
    assert both.subjects == ("x", "y", "z")
    assert both.values[0, 0].tolist() == [0.1, 0.2, 0.3, 0.3]


def test_what_not_all_collections_have_is_left_out_and_counted() -> None:
    with pytest.warns(ft.errors.LeftOutWarning, match="2 systems are not in all 2 .*: c, d"):
        joined = ft.concat({"nq": part("abc"), "fiqa": part("bad")})
    assert joined.systems == ("a", "b")


@pytest.mark.parametrize(
    ("given", "options", "error", "text"),
    [
        (
            {"nq": part("ab"), "f": part("cd")},
            {},
            ft.errors.DataError,
            "no system is in all.*'nq' has",
        ),
        (
            {"nq": part("ab"), "f": replace(part("ab"), measures=("AP",))},
            {},
            ft.errors.DataError,
            "no measure is in all collections: 'nq' has 'value'; 'f' has 'AP'",
        ),
        (
            {"nq": part("ab"), "f": part("ab", collection="x")},
            {},
            ft.errors.OptionError,
            "another name",
        ),
        ({"nq": part("ab")}, {"as_": "query"}, ft.errors.OptionError, "another name"),
        ({"nq": part("ab")}, {"as_": 3}, ft.errors.OptionError, "as_=3: must be a text"),
        ([part("ab")], {"as_": "track"}, ft.errors.OptionError, "is for a mapping"),
        ({}, {}, ft.errors.OptionError, "give at least one"),
        ({"nq": "scores"}, {}, ft.errors.OptionError, "must be Scores"),
        ({"": part("ab")}, {}, ft.errors.DataError, "the name is empty"),
        (
            {"nq": part("ab"), "f": replace(part("ab"), higher_is_better=(False,))},
            {},
            ft.errors.DataError,
            "scores\\['f'\\]: higher values of value are better",
        ),
        (
            {"nq": part("ab"), "f": replace(part("ab"), design="nested")},
            {},
            ft.errors.DataError,
            "the design is 'nested', and that of scores\\['nq'\\] 'crossed'",
        ),
    ],
)
def test_collections_that_cannot_be_joined(given, options, error, text) -> None:
    with pytest.raises(error, match=text):
        ft.concat(given, **options)
