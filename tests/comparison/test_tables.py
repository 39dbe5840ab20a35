"""What a comparison prints."""

from __future__ import annotations

import numpy as np
import pytest
from support.scores_for_tests import scores_of

import fuzzytruth as ft


def many_values(systems: int) -> np.ndarray:
    """Systems each better than the one before."""
    return np.arange(systems)[:, None] + np.random.default_rng(1).normal(0, 0.1, (systems, 12))


def many(systems: int = 30) -> ft.Comparison:
    return ft.compare(scores_of(many_values(systems)))


def test_letters_work_beyond_the_alphabet() -> None:
    marks = many().superscripts()["m"]
    assert marks["sys0"] == ""
    assert marks["sys1"] == "a"
    assert marks["sys29"].split(",")[-4:] == ["z", "aa", "ab", "ac"]
    assert len(marks["sys29"].split(",")) == 29


def test_verdicts_say_for_whom_it_holds() -> None:
    rng = np.random.default_rng(1)
    subjects = rng.normal(0, 0.05, (2, 10, 40)) + rng.normal(0, 0.02, (1, 1, 40))
    subjects[0] += np.r_[np.full(9, 0.3), -0.1][:, None]
    result = ft.compare(scores_of(subjects))
    (line,) = result.verdicts()
    assert line.startswith(
        "sys0 is significantly better than sys1 on m over queries (difference 0.2"
    )
    assert "same direction for 9 of 10 subjects, significant for 9 of them" in line
    assert line.endswith("also significant over queries and subjects")
    subjects[0] += rng.normal(0, 3, (10, 1))
    subjects[0] += 0.3 - (subjects[0] - subjects[1]).mean()
    (line,) = ft.compare(scores_of(subjects)).verdicts()
    assert line.endswith("not significant over queries and subjects")
    flat = rng.normal(size=(2, 20))
    (line,) = ft.compare(scores_of(flat - flat.mean(axis=1, keepdims=True))).verdicts()
    assert line.startswith("no difference between sys0 and sys1 is shown on m over queries (")


def test_assumptions_name_the_null_and_what_is_random() -> None:
    values = np.random.default_rng(1).normal(size=(4, 15))
    text = ft.compare(scores_of(values)).assumptions
    assert "Random: queries" in text
    assert "Null hypothesis of each comparison: the mean difference is 0." in text
    assert "moderated bootstrap max-t over 6 comparisons" in text
    text = ft.compare(scores_of(values), correction="fdr_bh").assumptions
    assert "false discovery rate" in text
    assert "level 0.95, unadjusted, consistent with p" in text
    assert "only if no system differs" in ft.compare(scores_of(values), null="complete").assumptions
    text = ft.compare(scores_of(values), bayesian=True, rope=0.1).assumptions
    assert "prior p(mu, sigma)" in text


def test_repr_and_frames_are_copies() -> None:
    result = many(3)
    assert repr(result) == (
        "Comparison(3 pairs, 1 measure, over queries, max-t, level 0.95: 3 significant)"
    )
    table = result.to_frame(full=True)
    table["p"] = 7.0
    assert result.to_frame(full=True)["p"].max() <= 1


def test_picture() -> None:
    from matplotlib import pyplot as plt

    _, ax = plt.subplots()
    result = many(4)
    assert result.plot(ax) is ax
    assert {label.get_text() for label in ax.get_yticklabels()} >= {"sys1 − sys0", "sys3 − sys2"}
    assert "simultaneous" in ax.get_title(loc="left")
    with pytest.raises(ft.OptionError, match="measure 'x'"):
        result.plot(ax, measure="x")
    plt.close("all")
