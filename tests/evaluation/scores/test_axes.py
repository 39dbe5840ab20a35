"""Which axes scores have."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.kinds_of_scores import evaluated
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.evaluation.scores.score_arrays import check_over

PLAIN = scores_of(np.zeros((2, 3)))
CROSSED = scores_of(np.zeros((2, 4, 3)))


def one_query_each() -> ft.Scores:
    values = np.full((2, 6, 3), np.nan)
    values[:, np.arange(6), np.arange(6) // 2] = 1.0
    return scores_of(values)


def test_axes_come_in_one_order() -> None:
    assert check_over("query", PLAIN) == ("query",)
    assert check_over(["subject", "query"], CROSSED) == ("query", "subject")


def test_subjects_of_one_query_each_look_nested() -> None:
    assert one_query_each().cells.look_nested
    assert not CROSSED.cells.look_nested
    assert not scores_of(np.zeros((2, 4, 1))).cells.look_nested  # a single query tells nothing
    with pytest.raises(ft.OptionError, match="design='nested'"):
        check_over("subject", one_query_each())


def test_people_who_are_a_sample() -> None:
    assert CROSSED._over_people == ("query", "subject")
    assert evaluated("population")._over_people == ("query", "world")
    nested = replace(CROSSED, design="nested")
    single = scores_of(np.zeros((2, 1, 4)))
    assert single.subjects is not None
    assert len(single.subjects) == 1
    for scores in (PLAIN, nested, one_query_each(), single, evaluated("independent")):
        assert scores._over_people is None
    resampled = replace(evaluated("population"), design="nested")  # which has no subjects
    kinds = (CROSSED, nested, one_query_each(), PLAIN, resampled)
    assert [one._are_nested for one in kinds] == [False, True, True, False, True]


@pytest.mark.parametrize("kind", ["independent", "independent, kept", "by example"])
def test_queries_with_worlds_that_are_no_sample_of_people(kind: str) -> None:
    scores = evaluated(kind)
    assert check_over("world", scores) == ("world",)
    assert "summary over query and world" not in scores.answers
    with pytest.raises(ft.OptionError, match=r"no sample of people.*'population'.*'subject'"):
        check_over(("query", "world"), scores)


def test_queries_with_resampled_subjects() -> None:
    scores = evaluated("population")
    assert check_over(("world", "query"), scores) == ("query", "world")
    assert scores.uncertainty is not None
    older = replace(scores, uncertainty=replace(scores.uncertainty, has_within=False))
    assert "summary over query and world" not in older.answers
    with pytest.raises(ft.OptionError, match="saved before"):
        check_over(("query", "world"), older)
    assert check_over(("query", "world"), replace(older, design="nested")) == ("query", "world")


@pytest.mark.parametrize(
    ("over", "scores", "words"),
    [
        ("queries", PLAIN, "over='queries': must be 'query', 'subject', 'world'"),
        ((), PLAIN, "name what is random"),
        ("subject", PLAIN, "worlds='subject'"),
        ("world", PLAIN, "worlds='independent'"),
        ("world", CROSSED, "they have subjects: over='subject'"),
    ],
)
def test_axes_that_scores_lack(over, scores: ft.Scores, words: str) -> None:
    with pytest.raises(ft.OptionError, match=words):
        check_over(over, scores)
