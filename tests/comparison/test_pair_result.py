"""What tests of two systems say."""

from __future__ import annotations

import numpy as np
import pytest
from support.scores_for_tests import scores_of

import fuzzytruth as ft

RNG = np.random.default_rng(11)
APART = scores_of(np.array([0.7, 0.4])[:, None] + RNG.normal(0, 0.05, (2, 10)))
ALIKE = scores_of([[0.4, 0.5] * 5, [0.45, 0.47] * 4 + [0.46, 0.49]])
PAIR = ("sys0", "sys1")


def test_the_mean_is_tested_in_words_of_better_and_worse() -> None:
    better = ft.paired_t(APART, *PAIR)
    assert better.rejected
    assert (
        better.verdict() == "sys0 is significantly better than sys1 on m over queries (p < 0.0001)"
    )
    other = ft.paired_t(APART, *PAIR[::-1])
    assert other.verdict() == better.verdict()
    assert ft.paired_t(ALIKE, *PAIR).verdict().startswith("no difference between sys0 and sys1 is")
    down = ft.Scores.from_frame(APART.to_frame(), higher_is_better=False)
    assert ft.paired_t(down, *PAIR).verdict().startswith("sys1 is significantly better than sys0")


@pytest.mark.parametrize("test", [ft.sign_flip, ft.wilcoxon, ft.sign_test])
def test_other_hypotheses_are_named(test: object) -> None:
    found, none = test(APART, *PAIR), test(ALIKE, *PAIR)  # type: ignore[operator]
    assert found.verdict().startswith(f"The null hypothesis that {found.null} is rejected (p ")
    assert "not rejected, which does not show that it holds" in none.verdict()


def test_margins() -> None:
    same = ft.equivalence(ALIKE, *PAIR, margin=0.5)
    assert same.verdict().startswith("sys0 and sys1 are equivalent on m over queries (p ")
    assert same.verdict().endswith(
        "rejected: the mean difference over queries is 0.5 or more in size)"
    )
    assert (same.level, same.alpha) == (0.9, 0.05)
    worse = ft.non_inferiority(APART, *PAIR[::-1], margin=0.01, level=0.9)
    assert worse.verdict().startswith("it is not shown that sys1 is not inferior to sys0 on m over")
    assert "; not rejected: the mean over queries of sys1 is worse than" in worse.verdict()
    assert worse.alpha == 0.1
    assert "Brackets: 90 % one-sided interval" in str(worse)


def test_the_printed_numbers_are_those_of_the_result() -> None:
    result = ft.paired_t(APART, *PAIR, level=0.9)
    lines = result._answer().text(80).split("\n")
    line = lines[next(j for j, line in enumerate(lines) if line.startswith("estimate")) + 2]
    numbers = line.replace("[", "").replace("]", "").replace(",", "").split()
    want = (result.estimate, result.lower, result.upper)
    assert [float(number) for number in numbers[:3]] == pytest.approx(want, abs=5e-5)
    assert repr(result).startswith("TestResult(paired t, sys0 and sys1 on m: 0.")


def test_printed_ends_are_within_what_differences_can_be() -> None:
    truth = {f"q{q}": {"a": 1, "b": 0} for q in range(3)}
    runs = {
        "x": {q: ["a", "b"] for q in truth},
        "y": {"q0": ["a"], "q1": ["b"], "q2": ["b"]},
    }
    result = ft.paired_t(ft.evaluate(truth, runs, ["P@1"]), "x", "y")
    assert result.upper > 1
    assert result.to_frame()["upper"][0] == result.upper
    assert "width" not in result.to_frame(full=True)
    assert "[-0.7676, +1.0000]" in str(result)
    assert "1.000]" in repr(result)
    values = [
        [row.value for row in part.itertuples()]
        for _, part in ft.evaluate(truth, runs, ["P@1"]).to_frame().groupby("system")
    ]
    assert "+2.1009" in str(ft.paired_t(scores_of(values), "sys0", "sys1"))


def test_where_p_is_from() -> None:
    drawn = ft.sign_flip(APART, *PAIR, n_resamples=99)
    assert "p is from drawn resamples." in str(drawn)
    assert "drawn" not in str(ft.sign_flip(APART, *PAIR))
    assert "drawn" not in str(ft.sign_flip(APART, *PAIR, mid_p=True))
