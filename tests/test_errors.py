"""Every warning points to the line of the caller; errors show values on one line."""

from __future__ import annotations

import contextlib
import functools
import linecache
import threading
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth import errors

TREE = ft.Taxonomy.from_children({"all": ["a", "b"]})
CRISP = {"q": {"x": 1}, "r": {"x": 1}, "none": {"x": 0}}
RUNS = {"s": {"q": {"x": 2.0}, "none": {"x": 1.0}, "z": {"x": 1.0}}}
ANSWERED = {"s": {"q": {"x": 2.0}, "none": {"x": 1.0}}}
VOTES = pd.DataFrame(
    [("q", "x", "ann", 1), ("q", "x", "bob", 1), ("none", "x", "bob", 0)],
    columns=["query", "item", "subject", "grade"],
)
SCALES = pd.DataFrame(
    [("q", f"d{j}", s, g) for j in range(9) for s, g in (("ann", 5), ("bob", 1), ("eve", 0.5))],
    columns=["query", "item", "subject", "grade"],
)
FAR = {"s": {"q": {"elsewhere": 1.0}}}
CHANCES = ft.Judgments.from_probabilities(["q", "none"], ["x", "x"], [0.5, 0.1])


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text("q 1 x 1\nq 2 x 0\nr 1 x 1\n")
    Path("mixed.run").write_text("q Q0 x 1 2.0 one\nr Q0 x 1 2.0 two\n")


def categories(rows, **options) -> ft.Assignments:
    frame = pd.DataFrame(rows, columns=["subject", "item", "category"])
    return ft.Assignments.from_frame(frame, taxonomy=TREE, **options)


BY_EXAMPLE = categories([("ann", "i", "a"), ("ann", "j", "a"), ("bob", "j", "b")]).by_example()
SIMILAR = {"s": {"i": {"j": 2.0, "unknown": 1.0}, "j": {"i": 1.0}}}


def gaps() -> ft.Scores:
    table = np.random.default_rng(0).random((3, 9))
    table[0, 1:] = np.nan
    return scores_of(table)


def recorded() -> warnings.catch_warnings[list[warnings.WarningMessage]]:
    return warnings.catch_warnings(record=True, action="always")


def check(call: str, *categories: type[Warning], made: list[warnings.WarningMessage]) -> None:
    """Every warning was raised, each of them at a line of this file that holds the call."""
    assert {w.category for w in made} == set(categories)
    for warning in made:
        assert warning.filename == __file__, str(warning.message)
        assert call in linecache.getline(__file__, warning.lineno), warning.lineno


COVERAGE = (errors.MissingQueryWarning, errors.UnjudgedQueryWarning)
UNDEFINED = errors.UndefinedMeasureWarning
GRADES = (
    *(errors.AllRelevantWarning, errors.FractionWarning, errors.ScaleWarning),
    errors.UnjudgedRunWarning,
)
SUBJECTS = {"worlds": "subject"}
POPULATION = {"worlds": "population"}

#: ann and bob share one item, cat none
SPLIT = ft.Judgments.from_columns(
    ["q"] * 5, [*"xxyyz"], [1, 0, 1, 1, 1], subject=["ann", "bob"] * 2 + ["cat"]
)

UNKNOWN, MISSING = errors.UnjudgedItemWarning, errors.MissingCellWarning
UNKNOWN_SPREAD = errors.DegenerateWarning

OF_FILES = errors.GroupNotice, errors.TagWarning
ANSWERS = pd.DataFrame({"item": ["i", "unknown"], "category": ["b", "a"]})
NOT_ALL = categories([("ann", "i", "a")])
FEW = categories([("s", "i", "a"), ("t", "j", "a"), ("s", "j", "b")])

#: the call, the warnings it gives, and how it is made, each on a line of its own
CASES = [
    ("evaluate(CRISP", (*COVERAGE, UNDEFINED), lambda: ft.evaluate(CRISP, RUNS, "AP")),
    ("evaluate(VOTES", (UNDEFINED,), lambda: ft.evaluate(VOTES, ANSWERED, "AP", **SUBJECTS)),
    ("evaluate(CHANCES", (UNDEFINED,), lambda: ft.evaluate(CHANCES, ANSWERED, "AP")),
    ("evaluate(BY", (UNKNOWN, UNDEFINED), lambda: ft.evaluate(BY_EXAMPLE, SIMILAR, "AP")),
    ("evaluate(SCALES", GRADES, lambda: ft.evaluate(SCALES, FAR, ["P@1", "P(rel=0.5)@1"])),
    ("by_rank(CRISP", COVERAGE, lambda: ft.by_rank(CRISP, RUNS)),
    ("by_rank(BY_EXAMPLE", (UNKNOWN,), lambda: ft.by_rank(BY_EXAMPLE, SIMILAR)),
    ("curves(CRISP", (*COVERAGE, UNDEFINED), lambda: ft.curves(CRISP, RUNS, "nDCG")),
    ("compare(gaps", (MISSING, UNKNOWN_SPREAD), lambda: ft.compare(gaps())),
    ("stability(gaps", (MISSING, UNKNOWN_SPREAD), lambda: ft.rank_stability(gaps(), rng=0)),
    ("agreement(SPLIT", (MISSING, UNKNOWN_SPREAD), lambda: ft.pairwise_agreement(SPLIT)),
    ("gaps().summary(", (UNKNOWN_SPREAD,), lambda: gaps().summary(over="query")),
    ("read_judgments(", (errors.GroupNotice,), lambda: ft.read_judgments("qrels.txt")),
    ("read_runs(", (errors.TagWarning,), lambda: ft.read_runs("mixed.run")),
    ('by_rank("', OF_FILES, lambda: ft.by_rank("qrels.txt", "mixed.run", depth=2)),
    ('te("', (*OF_FILES, UNDEFINED), lambda: ft.evaluate("qrels.txt", "mixed.run", "AP")),
    ("class_scores(", (UNKNOWN,), lambda: ft.classification.class_scores(NOT_ALL, ANSWERS)),
    (
        "hierarchical_scores(",
        (UNKNOWN,),
        lambda: ft.classification.hierarchical_scores(NOT_ALL, ANSWERS),
    ),
    ("resampled(", (errors.LostVotesWarning,), lambda: FEW.membership().resampled(rng=0)),
]


@pytest.mark.parametrize(("call", "expected", "make"), CASES, ids=[case[0] for case in CASES])
def test_warnings_point_to_the_call(call, expected, make) -> None:
    with recorded() as made:
        make()
    check(call, *expected, made=made)


def test_lost_votes() -> None:
    rows = [("q", "x", "ann", 1), ("q", "x", "bob", 1), ("q", "y", "ann", 1)]
    votes = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    runs = {"s": {"q": {"y": 1.0}}}
    for n_jobs in (1, 2):
        with recorded() as made:
            ft.evaluate(votes, runs, "P@1", n_jobs=n_jobs, **POPULATION)
        check("ft.evaluate(votes", errors.LostVotesWarning, made=made)


PACKAGE = Path(errors.__file__).parent
SITE = Path(np.__file__).parents[1]
STUDY = str(PACKAGE.with_name("fuzzytruth_study") / "run.py")
INSIDE = str(PACKAGE / "evaluation" / "evaluate.py")


def warned_through(*files: str, name: str = "call") -> tuple[str, int]:
    """File and line of a warning whose stack has one frame in each file, the outermost first.

    They run in a thread, so that no frame of these tests lies around them. The line is the place
    of the file among `files`, from 1.
    """
    calls = []
    for line, path in enumerate(files, start=1):
        namespace: dict[str, Any] = {"__name__": "made_up"}
        code = "\n" * (line - 1) + f"def {name}(rest): return rest()"
        exec(compile(code, path, "exec"), namespace)
        calls.append(namespace[name])
    inner: Callable[[], None] = partial(errors.warn, "so", errors.TagWarning)
    for each in reversed(calls):
        inner = partial(each, inner)
    with recorded() as made:
        thread = Thread(target=inner)
        thread.start()
        thread.join()
    (warning,) = made
    assert warning.category is errors.TagWarning
    return warning.filename, warning.lineno


JOBLIB, PANDAS = str(SITE / "joblib" / "parallel.py"), str(SITE / "pandas" / "groupby.py")
TYPER = str(SITE / "typer" / "core.py")


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param((STUDY, INSIDE), 1, id="folder whose name starts like the package's"),
        pytest.param((STUDY, functools.__file__, INSIDE), 1, id="singledispatch, called by user"),
        pytest.param((STUDY, INSIDE, functools.__file__, INSIDE), 1, id="singledispatch, inside"),
        pytest.param((STUDY, INSIDE, contextlib.__file__, INSIDE), 1, id="contextlib"),
        pytest.param((STUDY, INSIDE, JOBLIB, threading.__file__, INSIDE), 1, id="joblib"),
        pytest.param((STUDY, INSIDE, PANDAS, PANDAS, INSIDE), 1, id="pandas"),
        pytest.param(("/bin/fuzzytruth", INSIDE, TYPER, INSIDE), 1, id="command line"),
        pytest.param((STUDY, INSIDE, "/home/me/kernel.py", INSIDE), 3, id="a user's measure"),
        pytest.param((STUDY, JOBLIB, INSIDE), 2, id="library that calls the package"),
        pytest.param((STUDY, JOBLIB, INSIDE, PANDAS, INSIDE), 2, id="and the package a library"),
        pytest.param(("<string>", INSIDE), 1, id="python -c"),
        pytest.param(("<stdin>", INSIDE), 1, id="standard input"),
    ],
)
def test_the_line_is_that_of_the_user(files, expected) -> None:
    assert warned_through(*files) == (files[expected - 1], expected)


def test_generated_methods_are_skipped() -> None:
    assert warned_through(STUDY, "<string>", INSIDE, name="__init__") == (STUDY, 1)


def test_without_user_code_the_line_is_that_which_called_the_package() -> None:
    file, _ = warned_through(INSIDE, JOBLIB, INSIDE)
    assert file == threading.__file__


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (errors.shown("a\nb"), "'a\\nb'"),
        (errors.shown("x" * 100), f"'{'x' * 60}'... (100 characters)"),
        (errors.shown(10**5000), "<int>"),
        (errors.shown([1] * 200)[-3:], "..."),
        (errors.shown_all([1, "b", 3], limit=2), "1, 'b', and 1 more"),
        (errors.shown_all([]), "none"),
        (errors.nearest("nDGC", ["nDCG", "AP"]), " (nearest: 'nDCG')"),
        (errors.nearest("xyz", ["nDCG", "AP"]), ""),
        (errors.counted(0, "row"), "0 rows"),
        (errors.counted(1, "category"), "1 category"),
        (errors.counted(1000, "category"), "1,000 categories"),
        (errors.counted(2, "essay"), "2 essays"),
        (errors.counted(2, "class", "classes"), "2 classes"),
        (errors.first_few([]), ""),
        (errors.first_few("abcde"), "a, b, c, d, e"),
        (errors.first_few("abcdef"), "a, b, c, d, e, and 1 more"),
        (errors.first_few("abc", 1, separator="; "), "a; and 2 more"),
        (errors.first_few("abc", 1, unit="query"), "a, and 2 more queries"),
        (errors.first_few("ab", 1, unit="query"), "a, and 1 more query"),
        (errors.first_few(map(str, range(1003)), 2, unit="run"), "0, 1, and 1,001 more runs"),
    ],
)
def test_values_and_numbers_in_messages(shown: str, expected: str) -> None:
    assert shown == expected


def test_options_are_named_with_their_value() -> None:
    errors.require("n", 1, True, "must be 1")
    errors.choice("way", "up", ("up", "down"))
    with pytest.raises(ft.errors.OptionError, match=r"^n=0: must be 1$"):
        errors.require("n", 0, False, "must be 1")
    with pytest.raises(ft.errors.OptionError, match=r"^way='left': must be one of 'up', 'down'$"):
        errors.choice("way", "left", ("up", "down"))


def test_all_are_one_family() -> None:
    own = [
        x for x in vars(errors).values() if isinstance(x, type) and x.__module__ == errors.__name__
    ]
    assert len(own) >= 16
    for each in own:
        base = ft.FuzzytruthError if each.__name__.endswith("Error") else ft.FuzzytruthWarning
        assert issubclass(each, base)
    assert issubclass(ft.FuzzytruthError, ValueError)
    assert issubclass(ft.FuzzytruthWarning, UserWarning)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("red \x1b[31m", r"red \x1b[31m"),
        ("a\nb\r\tc\x00\x7f\x9b", r"a\nb\r\tc\x00\x7f\x9b"),
        ("\u2028\u202e\u2066\udcff", r"\u2028\u202e\u2066\udcff"),
        ("é – 日本 \u200d \U0001f600", "é – 日本 \u200d \U0001f600"),
    ],
)
def test_what_a_terminal_obeys_is_escaped(given: str, shown: str) -> None:
    assert errors.printable(given) == shown
    assert str(ft.errors.DataError(given)) == shown
    with pytest.warns(errors.TagWarning) as made:
        errors.warn(given, errors.TagWarning)
    assert str(made[0].message) == shown


@pytest.mark.parametrize(
    ("word", "known", "near"),
    [
        ("mia", ["Mia Wong", "Luis"], "'Mia Wong'"),
        ("Wong", ["Mia Wong", "Luis"], "'Mia Wong'"),
        ("lius", ["Mia Wong", "luis"], "'luis'"),
        ("--world", ["--bold", "--n-worlds", "--worlds"], "'--worlds'"),
        ("do", ["doc", "document"], "'doc'"),
        ("zzz", ["doc"], ""),
    ],
)
def test_nearest_are_those_that_begin_so(word: str, known: list[str], near: str) -> None:
    expected = f" (nearest: {near})" if near else ""
    assert errors.nearest(word, known, prefix="-") == expected


VOTED = ft.Judgments.from_frame(VOTES.replace({"bob": "Bob Ray"}))
LABELLED = categories([("Ann Lee", "i", "a"), ("bob", "i", "b")])


@pytest.mark.parametrize(
    ("call", "near"),
    [
        (lambda: VOTED.select(subjects=["bob"]), "'bob' (nearest: 'Bob Ray'); known are ann, Bob"),
        (lambda: VOTED.select_subject("ray"), "subjects (nearest: 'Bob Ray'): ann, Bob Ray"),
        (lambda: LABELLED.categorisation("ann"), "subjects (nearest: 'Ann Lee'): Ann Lee, bob"),
    ],
)
def test_a_subject_is_found_by_a_part_of_the_name(call: Callable[[], Any], near: str) -> None:
    with pytest.raises(errors.OptionError) as error:
        call()
    assert near in str(error.value)
