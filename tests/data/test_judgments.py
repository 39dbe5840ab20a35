"""Judgments: what they accept, what they refuse, how subjects merge."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.texts import is_stored

import fuzzytruth as ft

FRAME = pd.DataFrame({"query": ["q1", "q1", "q1", "q2"], "item": [*"aaba"]}).assign(
    subject=["ann", "bob", "ann", "bob"], grade=[1.0, 0.0, 2.0, 0.5]
)
COUNTS = pd.DataFrame({"query": [*"qqqrr"], "item": [*"aabaa"]}).assign(
    grade=[0.0, 2.0, 1.0, 2.0, 1.0], count=[3.0, 1.0, 2.0, 0.0, 5.0]
)
REPEATS = pd.DataFrame({"query": [*"qqqq"], "item": [*"aaab"]}).assign(
    subject=["ann", "ann", "bob", "ann"], repeat=[*"1211"], grade=[0.0, 2.0, 1.0, 1.0]
)
INTENTS = pd.DataFrame({"query": ["q1"] * 4 + ["q2"], "item": [*"aaaba"]}).assign(
    subtopic=[1, 2, 1, 1, 1], subject=["ann"] * 2 + ["bob"] * 3, grade=[1.0, 0.0, 2.0, 1.0, 3.0]
)
SOFT = ft.Judgments.from_probabilities(["q", "q", "q"], ["a", "b", "c"], [0.0, 0.25, 1.0])


def rows(truth: ft.Judgments) -> list[list[Any]]:
    return truth.to_frame().to_numpy().tolist()


def objects(*values: Any) -> pd.Series[Any]:
    return pd.Series(values, dtype=object)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        *(
            (FRAME.assign(grade=objects(1, 0, bad, 1)), r"row 3 \(index 2\), column 'grade': value")
            for bad in (np.nan, -np.inf, None, pd.NA, "high")
        ),
        *(
            (FRAME.assign(**{c: objects("x", "y", "z", bad)}), rf"row 4 .*'{c}': the id is missing")
            for c, bad in (("query", np.nan), ("item", None), ("subject", pd.NA), ("item", pd.NaT))
        ),
        (
            FRAME.assign(subject="ann"),
            r"frame, row 2 \(index 1\), .* 'a' is judged twice .* 'q1' by subject 'ann' "
            r"\(first: frame, row 1 \(index 0\)\)",
        ),
        (FRAME[:0], "no judgments"),
        (FRAME.drop(columns="grade"), "no column for 'grade' .*present: 'query', 'item', 'sub"),
        (FRAME.assign(relevance=0), "columns 'grade', 'relevance' all mean 'grade'"),
        (FRAME[["query", "item"]], "no column for 'grade' or 'probability'"),
        (SOFT.to_frame().assign(probability=[0, 25, 100]), "row 2 .*'probability': value 25 is"),
        (INTENTS.assign(subtopic=[1, None, 1, 1, 1]), r"row 2 .*'subtopic': the id is missing"),
        (
            INTENTS.assign(subtopic=1),
            r"frame, row 2 .*, .* 'a' is judged twice for query 'q1', intent '1' by subject 'ann' "
            r"\(first: frame, row 1 \(index 0\)\); a subject judges an item once for each intent",
        ),
        (REPEATS.assign(repeat=1), "by subject 'ann', repeat '1' .*unless a column 'repeat'"),
        (REPEATS.drop(columns="subject"), "a column for 'repeat' and none for 'subject'; add one"),
        *(
            (COUNTS.assign(count=[1, bad, 1, 1, 1]), r"row 2 .*, column 'count': value .* is not a")
            for bad in (-1, 0.5, 2.0**53, np.nan, "many")
        ),
        (
            COUNTS.assign(grade=[0.0, -0.0, 1, 2, 1]),
            r"row 2 .*, column 'count': item 'a' of query 'q' has two counts of grade 0 "
            r"\(first: frame, row 1 .*; give their sum",
        ),
        (
            COUNTS.assign(count=[1, 1, 0, 1, 1]),
            r"row 3 .*, column 'count': item 'b' of query 'q' has no votes at all \(1 ",
        ),
    ],
)
def test_mistakes(given: pd.DataFrame, message: str) -> None:
    with pytest.raises(ft.errors.DataError, match=message):
        ft.Judgments.from_frame(given)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"grade": [1]}, "columns differ in length"),
        ({"grade": [1, 1], "intent": ["1"]}, "columns differ in length"),
        ({}, "neither grades nor probabilities"),
        ({"grade": [1, 1], "design": "mixed"}, "design='mixed'"),
        *(
            (
                {"grade": [1, 1], first: [0.5, 1], second: [1, 2]},
                f"'{first}' and for '{second}'; .* leave one of them",
            )
            for first, others in (("probability", "count subject"), ("count", "position repeat"))
            for second in others.split()
        ),
    ],
)
def test_columns_that_do_not_go_together(columns: dict[str, Any], message: str) -> None:
    with pytest.raises(ft.FuzzytruthError, match=message):
        ft.Judgments.from_columns(["q", "q"], ["a", "b"], **columns)


def test_select() -> None:
    truth = ft.Judgments.from_frame(FRAME)
    assert rows(truth.select_subject("bob")) == [["q1", "a", 0.0], ["q2", "a", 0.5]]
    with pytest.raises(
        ft.errors.OptionError, match="subject 'eve' is not among the subjects: ann, bob"
    ):
        truth.select_subject("eve")
    votes = ft.Judgments.from_columns(
        ["q", "q", "r", "r"], ["a", "a", "b", "c"], [3, 1, 2, 0], subject=["ann", "bob"] * 2
    )
    assert votes.select(subjects=["bob", "ann"]).grade.tolist() == [3, 1, 2, 0]
    assert votes.select(subjects="bob").grade.tolist() == [1, 0]
    assert votes.select(subjects="bob", queries="r").grade.tolist() == [0]
    lone = votes.select(subjects="ann", queries="q")
    for given, options, message in (
        (votes, {"subjects": ["bop"]}, "subjects: not among these judgments: 'bop'"),
        (votes, {"queries": []}, r"queries=\(\): name at least one"),
        (lone, {"queries": "r"}, "not among"),
        (SOFT, {"subjects": "ann"}, "these judgments have no subjects"),
    ):
        with pytest.raises(ft.errors.OptionError, match=message):
            given.select(**options)
    one = ft.Judgments.from_frame(REPEATS).select_subject("ann")
    assert (one.repeat.to_pylist(), one.subjects) == (["1", "2", "1"], ("ann",))


def test_aggregate() -> None:
    rng = np.random.default_rng(0)
    cells = [(f"q{q}", f"d{d}", f"s{s}") for q in range(4) for d in range(5) for s in range(6)]
    chosen = [cells[j] for j in rng.permutation(len(cells))[:80]]
    grades = rng.integers(-1, 3, size=80).tolist()
    query, item, subject = zip(*chosen, strict=True)
    merged = ft.Judgments.from_columns(query, item, grades, subject=subject).aggregate("max")
    votes = defaultdict(list)
    for (q, d, _), grade in zip(chosen, grades, strict=True):
        votes[q, d].append(grade)
    assert rows(merged) == [[*pair, max(given)] for pair, given in votes.items()]
    assert merged.subjects is None
    with pytest.raises(ft.errors.OptionError, match="how='mode': must be one of 'mean', 'median'"):
        SOFT.aggregate("mode")  # type: ignore[arg-type]
    doubled = ft.Judgments.from_frame(SOFT.to_frame().assign(grade=2)).aggregate("mean")
    assert (doubled.grade.tolist(), doubled.probability) == ([0.0, 0.5, 2.0], None)
    with pytest.raises(
        ft.errors.OptionError, match=r"how='max': these judgments are probabilities"
    ):
        SOFT.aggregate("max")


def test_repr_weights_and_checksums() -> None:
    kinds = {
        "4 rows, 2 queries, 2 subjects, crossed": FRAME,
        "1 row, 1 query, 1 subject, crossed": FRAME[:1],
        "5 rows, 2 queries, counts of 11 votes": COUNTS,
        "4 rows, 1 query, 2 subjects, crossed, repeats": REPEATS,
        "5 rows, 2 queries, 2 intents, 2 subjects, crossed": INTENTS,
        "3 rows, 1 query, probabilities": SOFT.to_frame(),
    }
    changed = [
        FRAME.assign(grade=[1.0, 0.0, 2.0, 0.75]),
        COUNTS.assign(count=[3, 2, 2, 0, 5]),
        REPEATS.assign(repeat=["1", "2", "1", "2"]),
        INTENTS.assign(subtopic=[2, 1, 1, 1, 1]),
        SOFT.to_frame().assign(probability=[0, 0.5, 1]),
    ]
    for said, frame in kinds.items():
        truth = ft.Judgments.from_frame(frame)
        assert repr(truth) == f"Judgments({said})"
        assert ft.Judgments.from_frame(frame[::-1]).checksum == truth.checksum
    sums = {ft.Judgments.from_frame(frame).checksum for frame in (*kinds.values(), *changed)}
    assert len(sums) == len(kinds) + len(changed)
    assert ft.Judgments.from_frame(COUNTS).weight.tolist() == [3, 1, 2, 0, 5]
    assert ft.Judgments.from_frame(REPEATS).weight.tolist() == [1, 1, 2, 2]
    assert SOFT.weight is None


def test_thresholds() -> None:
    truth = ft.Judgments.from_frame(REPEATS)
    assert truth.binary(1).grade.tolist() == [0, 1, 1, 1]
    assert truth.binary({"ann": 2, "bob": 1}).grade.tolist() == [0, 1, 1, 0]
    assert truth.binary({"ann": 2, "bob": 1}).repeat == truth.repeat
    chances = ft.Judgments.from_columns(["q", "q"], ["a", "b"], [2, 1], probability=[0.5, 0.4])
    assert chances.binary(2).grade.tolist() == [1, 0]
    with pytest.raises(ft.errors.OptionError, match="rel=0: must be above 0"):
        chances.binary(0)
    counts = ft.Judgments.from_columns(["q"] * 4, [*"abaa"], [1, 1, 2, 3], count=[3, 4, 5, 7])
    assert rows(counts.binary(2)) == [["q", "a", 0, 3], ["q", "b", 0, 4], ["q", "a", 1, 12]]


def test_shares_of_scales() -> None:
    truth = ft.Judgments.from_frame(REPEATS)
    with pytest.raises(
        ft.errors.DataError, match=r"shows no scale: bob \(1\); give .*\{'bob': \(low"
    ):
        truth.rescaled()
    scaled = truth.rescaled({"bob": (0, 4)})
    assert (scaled.grade.tolist(), scaled.subjects) == ([0, 1, 0.25, 0.5], ("ann", "bob"))
    nested = ft.Judgments.from_frame(REPEATS, design="nested")
    for given in (truth, nested):
        assert given.rescaled((0, 2)).grade.tolist() == [0, 1, 0.5, 0.5]
    for scales in (None, {"bob": (0, 4)}):
        with pytest.raises(ft.errors.OptionError, match="the subjects are nested"):
            nested.rescaled(scales)
    alone = ft.Judgments.from_dict({"q": {"a": 1, "b": 5, "c": 3}})
    assert alone.rescaled().grade.tolist() == [0, 1, 0.5]
    with pytest.raises(ft.errors.OptionError, match="are probabilities"):
        SOFT.rescaled()


def test_self_agreement() -> None:
    rng = np.random.default_rng(0)
    given = [
        (f"q{q}", f"d{d}", s, r, int(rng.integers(0, 3)))
        for q in range(2)
        for d in range(3)
        for s in ("ann", "bob", "once")
        for r in range(1 if s == "once" else int(rng.integers(1, 5)))
    ]
    frame = pd.DataFrame(given, columns=["query", "item", "subject", "repeat", "grade"])
    found = ft.Judgments.from_frame(frame).self_agreement().set_index("subject")
    for name, own in frame.groupby("subject"):
        equal = [
            a == b
            for _, part in own.groupby(["query", "item"])
            for j, a in enumerate(part["grade"].tolist())
            for b in part["grade"].tolist()[:j]
        ]
        assert found.loc[name, "n_pairs"] == len(equal)
        want = np.mean(equal) if equal else np.nan
        np.testing.assert_allclose(found.loc[name, "agreement"], want, rtol=1e-12)
    with pytest.raises(ft.errors.DataError, match="no repeats; name them in a column 'repeat'"):
        ft.Judgments.from_frame(FRAME).self_agreement()


@pytest.mark.parametrize("name", ["epoch", "seed"])
def test_repeats_are_not_taken_for_subjects(name: str) -> None:
    table = {"query": ["q", "q"], "item": ["a", "a"], name: [1, 2], "rel": [0, 1]}
    both = rf"columns=\{{'repeat': '{name}', 'subject': '...'\}}; else keep one row$"
    with pytest.raises(
        ft.errors.DataError, match=f"if '{name}' tells repeats by one subject .*: {both}"
    ):
        ft.Judgments.from_frame(table)
    table["who"] = ["x", "x"]
    named = {"subject": "who"}
    with pytest.raises(
        ft.errors.DataError, match=rf"such as columns=\{{'repeat': '{name}'\}}; or say"
    ):
        ft.Judgments.from_frame(table, columns=named)
    assert ft.Judgments.from_frame(table, columns={**named, "repeat": name}).repeat is not None


def test_printed() -> None:
    given = [2, 0, 0, 0, 1, 0]
    truth = ft.Judgments.from_columns(["q"] * 6, [*"aabbcc"], given, subject=["ann", "bob"] * 3)
    assert is_stored("judgments", truth._answer().text(80))
    counts = ft.Judgments.from_columns(["q"] * 2, ["a"] * 2, [0, 1], count=[3, 1])
    assert "0          3  0.750" in str(counts)
    many = str(ft.Judgments.from_columns(["q"] * 101, range(101), np.arange(101) / 10))
    assert "Quantiles of 101 different grades" in many
    assert "0.00  2.50    5.00  7.50    10.00" in many


TWICE = pd.DataFrame(
    [("q", "i", "ann", 1), ("q", "i", "bob", 3), ("q", "i", "ann", 2), ("q", "j", "ann", 0)],
    columns=["query", "item", "subject", "grade"],
)


@pytest.mark.parametrize(
    ("how", "grades", "kept"),
    [
        ("first", [1, 3, 0], "the first is kept"),
        ("last", [3, 2, 0], "the last is kept"),
        ("mean", [1.5, 3, 0], "their mean is taken"),
    ],
)
def test_duplicates_that_count_once(how: str, grades: list[float], kept: str) -> None:
    message = f"^frame: 1 row of 4 left out, for 1 item was judged several times .*: {kept}$"
    with pytest.warns(ft.errors.LeftOutWarning, match=message):
        votes = ft.Judgments.from_frame(TWICE, duplicates=how)
    assert votes.grade.tolist() == grades
    once = TWICE.drop(index=0)
    expected = ft.Judgments.from_frame(once).checksum
    assert ft.Judgments.from_frame(once, duplicates=how).checksum == expected


def test_duplicates_that_are_repetitions() -> None:
    votes = ft.Judgments.from_frame(TWICE, duplicates="repeat")
    assert votes.repeat.to_pylist() == ["1", "1", "2", "1"]
    assert votes.weight.tolist() == [1, 2, 1, 2]
    named = TWICE.assign(repeat=["1", "1", "2", "1"])
    assert votes.checksum == ft.Judgments.from_frame(named).checksum


def test_duplicates_are_refused_by_name() -> None:
    counts = pd.DataFrame({"query": ["q"], "item": ["i"], "grade": [1], "count": [3]})
    chances = pd.DataFrame({"query": ["q"], "item": ["i"], "probability": [0.5]})
    for frame, how, message in (
        (
            TWICE,
            "error",
            r"\(first: frame, row 1 .*; or say which counts: duplicates='first'",
        ),
        (TWICE.drop(columns="subject"), "error", "keep one row, or say which counts: duplicates="),
        (TWICE.drop(columns="subject"), "repeat", "'repeat': numbers the judgments of named subj"),
        (TWICE.assign(repeat=1), "repeat", "there is a column 'repeat' already"),
        (counts, "first", "duplicates='first': is for votes of single people, and these are count"),
        (chances, "mean", "duplicates='mean': is for grades, and these are probabilities"),
        (TWICE, "all", "duplicates='all': must be one of 'error', 'first', 'last', 'mean', 'repe"),
    ):
        with pytest.raises(ft.FuzzytruthError, match=message):
            ft.Judgments.from_frame(frame, duplicates=how)
