"""Comparisons in words: verdicts, units that are too few, subjects whose truths part."""

from dataclasses import replace
from html import unescape
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.conditions import CONDITIONS
from support.scores_for_tests import scores_of
from support.texts import flat, is_stored, says

import fuzzytruth as ft
from fuzzytruth.cli.app import main
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.verdicts import (
    cannot_tell,
    count_line,
    counts_alone,
    detectable,
    direction_texts,
    few_units,
    varying_text,
    verdicts,
)
from fuzzytruth.errors import DegenerateWarning

BOTH = ("query", "subject")
ROW: dict[str, Any] = (
    {"measure": "AP", "system_a": "a", "system_b": "b", "difference": -0.1, "lower": -0.2}
    | {"upper": -0.05, "std_error": 0.02, "p_adjusted": 0.0123456, "significant": True}
    | {"min_detectable": 0.0312, "wins": 3, "losses": 9, "n_queries": 12, "n_subjects": 0}
    | {"share_subjects": np.nan, "subjects_agree": 0, "subjects_tied": 0, "share_worlds": np.nan}
)
NOT_SHOWN = {"significant": False, "upper": 0.01, "p_adjusted": 0.2}
SAME = {"wins": 0, "losses": 0, "std_error": 0.0}
AGREE = {"n_subjects": 5, "share_subjects": 0.8, "subjects_agree": 4}
WIDE = {"significant": False, "lower": -1.3, "upper": 1.1, "min_detectable": np.nan}
OPEN = {"significant": False, "upper": np.inf, "p_adjusted": 0.99}
ROWS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {}),
    ({"difference": 0.1, "lower": 0.05, "upper": 0.2}, {}),
    ({}, {"higher_is_better": (False,)}),
    ({}, {"correction": "none", "tests": 1}),
    ({}, {"interval": "unadjusted"}),
    ({"p_adjusted": 1e-5}, {"correction": "none"}),
    (WIDE, {}),
    (WIDE, {"widths": (1.0,)}),
    (WIDE | {"lower": -np.inf}, {"widths": (1.0,)}),
    (NOT_SHOWN, {}),
    (NOT_SHOWN, {"interval": "unadjusted"}),
    (NOT_SHOWN, {"interval": "unadjusted", "tests": 1}),
    (NOT_SHOWN | {"min_detectable": np.nan}, {}),
    (NOT_SHOWN | {"min_detectable": 1.2}, {"spans": (1.0,)}),
    (OPEN, {"alternative": "greater"}),
    (OPEN, {"alternative": "less"}),
    ({"difference": np.nan}, {}),
    (SAME | {"n_queries": 1234}, {}),
    (SAME | {"n_queries": 1}, {}),
    (AGREE, {}),
    (AGREE | {"subjects_tied": 1}, {}),
    (AGREE | {"n_subjects": 1, "subjects_agree": 1}, {}),
    ({"share_worlds": 0.97}, {}),
]


def verdict(beside: pd.DataFrame | None = None, on: Conditions = CONDITIONS, **row: Any) -> str:
    (found,) = verdicts(pd.DataFrame([ROW | row]), beside, None, None, on)
    return found.sentence


def test_stored_sentences() -> None:
    sentences = [verdict(on=replace(CONDITIONS, **on), **row) for row, on in ROWS]
    assert is_stored("verdicts", "\n\n".join(sentences))


@pytest.mark.parametrize(
    ("crossed", "words"),
    [
        ({}, "also significant over queries and subjects"),
        ({"significant": False}, "not significant over queries and subjects"),
        ({"difference": 0.1}, "not significant over queries and subjects"),
        ({"lower": -np.inf, "upper": np.inf}, "significance over queries and subjects unknown"),
    ],
)
@pytest.mark.parametrize("other", ["subjects", "worlds"])
def test_over_both_as_well(crossed: dict[str, Any], words: str, other: str) -> None:
    rows = [ROW | {"over": "queries"}, ROW | {"over": f"queries and {other}"} | crossed]
    assert verdict(pd.DataFrame(rows)).endswith(f"; {words}")


def test_how_many_subjects_show_it_alone() -> None:
    row = ROW | {"n_subjects": 3, "share_subjects": 2 / 3, "subjects_agree": 2}
    other = ROW | {"system_b": "c"}
    rows = [
        ROW | {"subject": "ann"},
        ROW | {"subject": "bob", "significant": False},
        ROW | {"subject": "cyd", "difference": 0.2},  # the other way round
        other | {"subject": "ann", "significant": False},
    ]
    table, alone = pd.DataFrame([row, other]), pd.DataFrame(rows)
    first, second = verdicts(table, None, alone, None, CONDITIONS)
    assert first.sentence.endswith("same direction for 2 of 3 subjects, significant for 1 of them")
    assert "subjects" not in second.sentence  # it has no share of subjects
    assert counts_alone(table, alone, CONDITIONS) == [(1, 1), (0, 0)]
    assert counts_alone(table, None, CONDITIONS) == [None, None]


def test_differences_that_would_have_been_found() -> None:
    """No difference of two values of AP is above 1, however few the queries."""
    table = pd.DataFrame([ROW | NOT_SHOWN, ROW, ROW | NOT_SHOWN | {"min_detectable": 1.2}])
    start = "No *: not shown, which is not the same as none"
    found = "found with 80 % power"
    power = f"would have been {found}"
    on = replace(CONDITIONS, spans=(1.0,))
    for rows, conditions, expected in (
        (table, CONDITIONS, f"{start}; true differences of 0.031 to 1.2 {power}."),
        (table[:2], on, f"{start}; true differences of 0.031 {power}."),
        (
            table[2:],
            on,
            f"{start}; even the largest possible difference would not have been {found}.",
        ),
        (table, on, f"...0.031 {power}, and for 1 pair not even the largest possible."),
        (table[1:2], on, ""),
    ):
        assert says(detectable(rows, conditions), expected)


# Subjects or queries that are too few for any difference to be significant.


def by_few(n_subjects: int, n_systems: int = 2, measure: str = "P@10") -> ft.Scores:
    """Whose differences vary with the subjects."""
    rng = np.random.default_rng(3)
    values = rng.normal(0.5, 0.1, (n_systems, n_subjects, 50))
    values += rng.normal(0, 0.2, (n_systems, n_subjects, 1))
    return replace(scores_of(np.clip(values, 0, 1)), measures=(measure,))


def apart(first: float, second: float, center: float, spread: float) -> ft.Scores:
    """Two subjects, by whom the first system is better by these numbers."""
    values = np.random.default_rng(3).normal(center, spread, (2, 2, 50))
    values[0] += np.array([first, second])[:, None]
    return replace(scores_of(values), measures=("P@10",))


def test_stored_words_of_few_subjects() -> None:
    """The largest difference of a measure of unknown range is not that of the values seen."""
    with pytest.warns(DegenerateWarning):
        single = ft.compare(by_few(1, measure="mine"), over=BOTH)
    results = [
        single,
        ft.compare(by_few(2, measure="mine"), over=BOTH),
        ft.compare(by_few(2), over=BOTH),
        ft.compare(by_few(2), over=BOTH, alternative="greater", level=0.99),
        ft.compare(by_few(2, 8), over=BOTH),
        ft.compare(by_few(12), over=BOTH),
        ft.compare(apart(0.1, 0.5, 0.3, 0.05)),
        ft.compare(apart(0.4, -0.4, 0.5, 0.02)),
    ]
    texts = [f"{result.verdicts()[0]}\n\n{result._answer().text(80)}" for result in results]
    assert is_stored("verdicts, few subjects", "\n\n".join(texts))
    text = flat(ft.analyse(apart(0.1, 0.5, 0.3, 0.05), n_resamples=199))
    assert "over queries and subjects, 2 subjects cannot tell" in text
    text = flat(ft.analyse(by_few(2, 8), n_resamples=199))
    assert "2 subjects cannot tell: 28 of 28 differences could not be significant with" in text
    assert "of 28 differences significant over queries" in text
    for measure, values, span in (
        ("P@5", [0.2, 0.3, 0.7], 1),
        ("P@5", [20, 30, 70], np.inf),  # in per cent
        ("DCG@5", [0.2, 0.3, 0.7], np.inf),
    ):
        scores = replace(scores_of([values, values[::-1]]), measures=(measure,))
        assert ft.compare(scores, n_resamples=99).conditions.spans == (span,)


def few_row(**of: Any) -> pd.DataFrame:
    given = {"measure": "AP", "difference": 0.1, "lower": -1.0, "upper": 1.2, "std_error": 0.1}
    return pd.DataFrame([given | {"significant": False, "n_queries": 50, "n_subjects": 2} | of])


def test_the_rule() -> None:
    on = replace(CONDITIONS, spans=(1.0,), over=BOTH)
    assert cannot_tell(few_row(), on)
    assert not cannot_tell(few_row(lower=-0.9), on)  # a difference of 1 would be significant
    assert not cannot_tell(few_row(), replace(on, spans=(2.0,)))
    assert not cannot_tell(few_row(), replace(on, spans=()))  # of unknown range
    assert cannot_tell(few_row(upper=np.inf), replace(on, alternative="greater"))
    endless = {"lower": -np.inf, "upper": np.inf}
    assert cannot_tell(few_row(**endless, std_error=np.nan), on)  # a single subject
    assert not cannot_tell(few_row(**endless), on)  # of too few resamples
    assert not cannot_tell(few_row(difference=np.nan, lower=np.nan, upper=np.nan), on)
    worlds = replace(on, over=("world",), worlds="independent")
    assert not cannot_tell(few_row(), worlds)
    assert few_units(on, 50, 2) == "2 subjects"
    assert few_units(on, 3, 3) == "3 queries and 3 subjects"
    assert few_units(replace(on, over=("query",)), 2, 9) == "2 queries"
    clusters = replace(on, over=("query",), groups="clusters", n_groups=3)
    assert few_units(clusters, 50, 0) == "3 clusters"
    resampled = replace(on, worlds="population", n_resampled=4)
    assert few_units(resampled, 50, 0, ("query", "world")) == "4 subjects"


def test_counts_of_differences() -> None:
    on = replace(CONDITIONS, spans=(1.0,), over=BOTH)
    few, shown = few_row(), few_row(lower=0.05, upper=0.15, significant=True)
    not_shown = few_row(lower=-0.1, upper=0.3)
    over = "over queries and subjects"
    for rows, expected in (
        ([few, shown, few_row(n_subjects=3)], f"1 of 3 differences significant {over}; for 2, 3"),
        ([few, not_shown, not_shown], f"0 of 3 differences significant {over}; for 1, 2 subjects"),
        ([few, not_shown], f"0 of 2 differences significant {over}; for 1, 2 subjects cannot tell"),
        ([few, few, not_shown], f"{over}, 2 subjects cannot tell: 2 of 3 differences could not be"),
    ):
        table = pd.concat(rows).reset_index(drop=True)
        assert says(count_line(table, on), f"AP: {expected}...")


# Groups of subjects whose truths part: the same sentences wherever a comparison is shown.

OPPOSITE = (
    "m: the people's truths part. Significant for 20 of 20 alone, in both directions (sys0: 10, "
    "sys1: 10; p < 0.0001); sys0 is better for at least 10 of them and sys1 for at least 10 "
    "(simultaneous 95 %). The mean difference 0.0021 (sd over people 0.52, by chance 0.0073, as "
    "if queries shared no items) describes neither group. See ft.communities(votes)."
)


def opposed(n_first: int, n_second: int, *, systems: int = 2) -> np.ndarray:
    """The first subjects prefer the first system by .5, the second ones the second system."""
    values = 0.5 + np.random.default_rng(1).normal(0, 0.02, (systems, n_first + n_second, 12))
    signs = np.repeat([0.25, -0.25], [n_first, n_second])[:, None]
    values[0] += signs
    values[1] -= signs
    return values


def test_truths_that_part_replace_that_no_difference_is_shown() -> None:
    result = ft.compare(scores_of(opposed(10, 10)))
    assert result.verdicts() == [OPPOSITE]
    assert "no difference" not in str(result)
    values = opposed(10, 10)
    values[1] = values[0].mean(axis=0)
    values[0] = values[1] + np.repeat([0.25, -0.25], 10)[:, None] * np.linspace(0.9, 1.1, 12)
    (same,) = ft.compare(scores_of(values)).verdicts()
    assert same.startswith("m: the people's truths part. ")
    assert same.endswith("sys0 and sys1 have the same mean m of all subjects on all 12 queries")
    lower = scores_of(opposed(8, 12), higher_is_better=(False,))
    assert "(sys0: 12, sys1: 8; p" in ft.compare(lower).verdicts()[0]
    assert "mean difference -0.1" in ft.compare(scores_of(opposed(8, 12)), "sys1").verdicts()[0]


def test_a_minority_beside_a_significant_difference() -> None:
    (line,) = ft.compare(scores_of(opposed(15, 5))).verdicts()
    expected = (
        "m: the people's truths part. ...(sys0: 15, sys1: 5; p < 0.0001)... See "
        "ft.communities(votes). sys0 is significantly better than sys1 ...; same direction for 15 "
        "of 20 subjects; ..."
    )
    assert says(line, expected)
    assert "of them;" not in line.partition("See")[2]
    same = ft.compare(scores_of(opposed(10, 0)))
    assert "significant for 10 of them" in same.verdicts()[0]
    alike = ft.compare(scores_of(np.random.default_rng(3).normal(0.5, 0.1, (4, 30, 20))))
    for result in (same, alike):
        assert "people" not in f"{result}{result.verdicts()}"


FOUND: dict[str, Any] = {
    "n_a": 7,
    "n_b": 3,
    "at_least_a": 2,
    "at_least_b": 1,
    "p_both_ways": 0.012,
} | {"p_differs": 0.0034, "sd_subjects": 0.21, "sd_chance": 0.08}


def found_row(**of: Any) -> tuple[Any, Any]:
    row = pd.DataFrame([ROW | {"n_subjects": 12}])
    found = pd.DataFrame([FOUND | of])
    return next(row.itertuples(index=False)), next(found.itertuples(index=False))


@pytest.mark.parametrize(
    ("of", "on", "words"),
    [
        ({}, {}, "(a: 7, b: 3; adjusted p = 0.012); a is better for at least 2 of them and b for "),
        ({}, {}, "for 10 of 12 alone, not adjusted for other pairs, in both directions"),
        ({}, {"tests": 1}, "10 of 12 alone, in both directions (a: 7, b: 3; p = 0.012); a is"),
        ({"at_least_a": 0}, {}, "0.012); b is better for at least 1 of them (simultaneous 95 %)."),
        ({"at_least_a": 0, "at_least_b": 0}, {}, "p = 0.012). The mean difference 0.1 (sd"),
        ({}, {"level": 0.98}, "and b for at least 1 (simultaneous 98 %)."),
        ({}, {"over": BOTH}, "for 10 of 12 alone over queries, not adjusted"),
        ({}, {}, "(sd over people 0.21, by chance 0.08, as if queries shared no items) describes"),
        ({}, {"queries_share_items": False}, "(sd over people 0.21, by chance 0.08) describes"),
        (
            {"sd_chance": np.nan},
            {"queries_share_items": True},
            "0.21; whether by more than chance: ft.structure(votes, runs, measures)) describes",
        ),
        ({"sd_chance": np.nan}, {"groups": "clusters"}, "(sd over people 0.21) describes neither"),
    ],
)
def test_words_of_truths_that_part(of: dict[str, Any], on: dict[str, Any], words: str) -> None:
    assert words in " ".join(direction_texts(*found_row(**of), replace(CONDITIONS, **on)))


def test_what_is_not_shown_is_not_said() -> None:
    row, found = found_row(p_both_ways=0.06)
    assert direction_texts(row, found, CONDITIONS) == ()
    size = "the size differs between people (sd over people 0.21, by chance 0.08"
    as_if = ", as if queries shared no items; adjusted p = 0.0034), the direction not shown to"
    three = replace(CONDITIONS, subjects=tuple("stu"))
    assert varying_text(found, three) == size + as_if
    assert varying_text(found, replace(three, subjects=("s", "t"))) == ""
    known = replace(three, queries_share_items=False, tests=1)
    assert varying_text(found, known) == size + "; p = 0.0034), the direction not shown to"
    for p in (0.051, np.nan):
        assert varying_text(found_row(p_differs=p)[1], three) == ""
    assert direction_texts(row, None, CONDITIONS) == ()
    few, found = found_row()
    assert "communities" not in direction_texts(few._replace(n_subjects=5), found, CONDITIONS)[2]
    assert varying_text(None, three) == ""


@pytest.mark.parametrize("using", [{}, {"correction": "fdr_bh"}, {"null": "complete"}])
def test_many_pairs_have_a_line_each(using: dict[str, Any]) -> None:
    result = ft.compare(scores_of(opposed(3, 3, systems=5)), n_resamples=199, **using)
    text = flat(result)
    assert text.count("the people's truths part") == 3
    assert (
        "They part on 4 more pairs, too. All pairs: .directions(). See ft.communities(votes)."
        in text
    )
    for said in (text, result.verdicts()[0]):
        assert "(sys0: 3, sys1: 3; adjusted p" in said
    values = opposed(6, 0, systems=5)
    values[0, :3] += 0.3
    text = flat(ft.compare(scores_of(values), n_resamples=199, **using))
    assert "the people's truths part" not in text
    assert "for 4 pairs the size differs between people by more than chance, as if" in text
    values = opposed(3, 3, systems=6)
    values[2:4] = values[4:] = values[:2]
    values += 1e-3 * np.random.default_rng(2).random((6, 6, 12))
    text = flat(ft.compare(scores_of(values), n_resamples=199))
    assert text.count("the people's truths part") == 3
    assert (
        "They part on 6 more pairs, too. All pairs: .directions(). See ft.communities(votes)."
        in text
    )


def test_pages_analyses_and_the_command_line_say_it(tmp_path, capsys):
    scores = scores_of(opposed(10, 10))
    analysis = ft.analyse(scores, n_resamples=199)
    assert OPPOSITE in flat(analysis)
    for place, result in enumerate((analysis, ft.compare(scores))):
        page = result.report(tmp_path / f"{place}.html").read_text(encoding="utf-8")
        assert unescape(page).count(OPPOSITE) == 1
        assert "; not for everybody: the people's truths part" in unescape(page)
    scores.to_frame().to_csv(tmp_path / "scores.csv", index=False)
    with pytest.raises(SystemExit):
        main(["compare", str(tmp_path / "scores.csv")])
    typed = OPPOSITE.replace("ft.communities(votes)", "fuzzytruth communities")
    assert typed in flat(capsys.readouterr().out)
