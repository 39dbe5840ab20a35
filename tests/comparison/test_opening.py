"""The answer of a comparison in one sentence."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.comparison.by_subject import each_subject
from fuzzytruth.comparison.opening import how_sure, opening

N = 20


def compared(
    *gains: float, people: Any = ((0.0,),), spread: float = 0.02, **options: Any
) -> ft.results.Comparison:
    """Systems with these means, and what each person adds to them, over the same queries."""
    rng = np.random.default_rng(1)
    added = np.broadcast_to(np.array(people), (len(people), len(gains)))
    values = np.array(gains) + added  # (people, systems)
    noise = rng.normal(0, spread, (len(gains), len(people), N))
    scores = scores_of(values.T[:, :, None] + noise)
    if len(people) == 1:
        scores = scores_of(values[0][:, None] + noise[:, 0])
    return ft.compare(scores, n_resamples=199, **options)


def said(result: ft.results.Comparison) -> str:
    return opening(result, each_subject(result))


OPPOSED = [(0.3, 0, 0)] * 2 + [(0, 0.3, 0)] * 2
ONE_OTHER = [(0.2, 0, 0)] * 4 + [(0, 0.4, 0)]
CASES: dict[str, tuple[ft.results.Comparison, str]] = {
    "best": (
        compared(0.9, 0.5, 0.1),
        "sys0 is best on m: significantly better than all others over queries.",
    ),
    "two": (
        compared(0.1, 0.9),
        "sys1 is best on m: significantly better than sys0 over queries.",
    ),
    "tie": (compared(0.5, 0.1, 0.508), "sys2 and sys0 tie for best on m."),
    "many tie": (
        compared(0.1, *[0.5] * 5),
        "5 of 6 systems tie for best on m, led by sys5.",
    ),
    "no difference of two": (
        compared(0.5, 0.5),
        "No difference between sys0 and sys1 is shown on m over queries.",
    ),
    "no difference": (
        compared(0.5, 0.5, 0.5),
        "No system is shown to be better than another on m over queries.",
    ),
    "baseline": (
        compared(0.5, 0.9, 0.1, 0.5, baseline="sys0"),
        "sys1 is significantly better than sys0 and sys2 is significantly worse than sys0 on m "
        "over queries.",
    ),
    "many baselines": (
        compared(0.1, 0.1, 0.9, 0.9, baseline=["sys0", "sys1"]),
        "sys3 and sys2 are significantly better than sys0 and sys3 and sys2 are significantly "
        "better than sys1 on m over queries.",
    ),
    "none better than the baseline": (
        compared(0.5, 0.5, 0.5, baseline="sys0"),
        "None of 2 systems is shown to differ from sys0 on m over queries.",
    ),
    "one-sided": (
        compared(0.9, 0.5, 0.1, alternative="greater"),
        "On m: 3 of 3 differences significant over queries.",
    ),
    "not adjusted": (
        compared(0.9, 0.5, 0.1, correction="none"),
        "On m: 3 of 3 differences with p at most 0.05, not adjusted, over queries.",
    ),
    "people agree": (
        compared(0.9, 0.5, 0.1, people=[(0,), (0.1,), (0.2,)]),
        "sys0 is best on m: significantly better than all others over queries; it has the best "
        "mean by each of 3 subjects alone.",
    ),
    "people agree on a tie": (
        compared(0.5, 0.5, 0.1, people=[(0,), (0,)]),
        "sys0 and sys1 tie for best on m; sys0 has the best mean by each of 2 subjects alone.",
    ),
    "people agree on no difference": (
        compared(0.5, 0.5, 0.5, people=[(0,)] * 2, spread=1e-9),
        "No system is shown to be better than another on m over queries.",
    ),
    "people part on a tie": (
        compared(0.5, 0.5, 0.1, people=[(0.1, 0, 0), (0, 0.1, 0)] * 2),
        "sys0 and sys1 tie for best on m; not for everybody: the people's truths part on sys0 and "
        "sys1; sys0 has the best mean by 2 of 4 subjects alone, sys1 by 2.",
    ),
    "each has another first": (
        compared(0.5, 0.5, 0.5, people=[(0.1, 0, 0), (0, 0.1, 0), (0, 0, 0.1)]),
        "No system is shown to be better than another on m over queries; not for everybody: the "
        "people's truths part on sys0 and sys1, sys0 and sys2, and 1 more; sys0 has the best mean "
        "by 1 of 3 subjects alone, sys1 by 1, sys2 by 1.",
    ),
    "few are named": (
        compared(*[0.5] * 5, 0.1, people=np.eye(6)[[0, 0, 1, 2, 3, 4]] * [0.05, *[0.1] * 5]),
        "5 of 6 systems tie for best on m, led by sys3; not for everybody: the people's truths "
        "part on sys0 and sys1, sys0 and sys2, and 8 more; sys0 has the best mean by 2 of 6 "
        "subjects alone, sys3 by 1, sys4 by 1, others by 2.",
    ),
    "one would have another": (
        compared(0.5, 0.5, 0.1, people=ONE_OTHER),
        "sys0 is best on m: significantly better than all others over queries; not for everybody: "
        "the people's truths part on sys0 and sys1; under s4's judgments alone sys1 would win.",
    ),
    "people part": (
        compared(0.5, 0.5, people=[one[:2] for one in OPPOSED]),
        "No difference between sys0 and sys1 is shown on m over queries; not for everybody: the "
        "people's truths part; sys0 has the best mean by 2 of 4 subjects alone, sys1 by 2.",
    ),
    "over people, too": (
        compared(0.9, 0.1, people=[(0,)] * 5, over=["query", "subject"]),
        "sys0 is best on m: significantly better than sys1 over queries and subjects; it has "
        "the best mean by each of 5 subjects alone.",
    ),
    "many others": (
        compared(0.5, 0.5, 0.5, people=[(0.3, 0, 0)] * 9 + [(0, 0.2, 0)] * 3),
        "sys0 is best on m: significantly better than all others over queries; not for everybody: "
        "the people's truths part on sys0 and sys1; by the judgments of 3 of 12 subjects alone, "
        "sys1 would lead.",
    ),
}


def frame_of(means: Any) -> ft.Scores:
    """Systems with these means by each person: {person: {system: mean}}, missing ones left out."""
    rng = np.random.default_rng(5)
    base = rng.normal(0, 0.05, N)
    rows = [
        (system, f"q{q}", person, mean + base[q] + rng.normal(0, 0.03))
        for person, of in means.items()
        for system, mean in of.items()
        for q in range(N)
    ]
    return ft.Scores.from_frame(
        pd.DataFrame(rows, columns=["system", "query", "subject", "value"]).assign(measure="m")
    )


def test_who_ties_by_somebody_alone_would_lead_not_win() -> None:
    two = {"A": 0.8, "B": 0.5, "C": 0.2}
    scores = frame_of({"ann": two, "bob": two, "cat": {"A": 0.3, "B": 0.5, "C": 0.501}})
    text = said(ft.compare(scores, n_resamples=199))
    assert text.endswith("under cat's judgments alone C would lead.")


def test_people_who_did_not_judge_the_best_are_left_out_and_counted() -> None:
    both = {"A": 0.8, "B": 0.5, "C": 0.2}
    scores = frame_of({"ann": both, "bob": both, "cat": {"B": 0.5, "C": 0.5}})
    with pytest.warns(ft.errors.FuzzytruthWarning):
        text = said(ft.compare(scores, n_resamples=199))
    assert text.endswith(
        "; it has the best mean by each of 2 subjects alone (1 of 3 did not judge the best)."
    )


def test_a_system_without_values_is_not_best() -> None:
    values = np.array([[0.9] * N, [0.5] * N, [0.0] * N]) + np.random.default_rng(0).normal(
        0, 0.02, (3, N)
    )
    values[2, 1:] = np.nan
    with pytest.warns(ft.errors.FuzzytruthWarning):
        text = said(ft.compare(scores_of(values), n_resamples=199))
    assert text == (
        "sys0 is best on m (sys2: too few queries to tell): significantly better than sys1 over "
        "queries."
    )


def test_tied_systems_part_though_a_third_has_the_best_mean() -> None:
    scores = frame_of({"ann": {"A": 0.9, "B": 0.3}, "bob": {"A": 0.3, "B": 0.9}})
    noisy = scores.to_frame().query("system == 'A'").assign(system="D")
    noisy["value"] = 0.62 + np.random.default_rng(2).normal(0, 0.9, len(noisy))
    joined = ft.Scores.from_frame(pd.concat([scores.to_frame(), noisy]))
    assert "the people's truths part on A and B" in said(ft.compare(joined, n_resamples=199))


@pytest.mark.parametrize("name", CASES)
def test_the_answer(name: str) -> None:
    result, text = CASES[name]
    assert said(result) == text


def test_it_is_the_answer_of_each_measure() -> None:
    """Measures with the same answer share it; lower may be better, names may have braces."""
    rng = np.random.default_rng(3)
    rows = [
        (name, q, measure, value + rng.normal(0, 0.01))
        for measure, values in (("AP", (0.9, 0.5)), ("cost", (0.1, 0.5)), ("RR", (0.5, 0.5)))
        for name, value in zip(("{a}", "b"), values, strict=True)
        for q in range(N)
    ]
    frame = pd.DataFrame(rows, columns=["system", "query", "measure", "value"])
    scores = ft.Scores.from_frame(frame, higher_is_better={"cost": False})
    text = said(ft.compare(scores, n_resamples=99))
    assert text == (
        "{a} is best on AP and cost: significantly better than b over queries; no difference "
        "between {a} and b is shown on RR over queries."
    )


def test_equal_means_count_for_each() -> None:
    """Of four people, one has both first, and two have one of them."""
    people = [(0.1, 0, 0), (0.1, 0, 0), (0, 0.2, 0), (0, 0, 0)]
    text = said(compared(0.5, 0.5, 0.1, people=people, spread=1e-9))
    assert text.endswith(
        "sys0 has the best mean by 3 of 4 subjects alone, sys1 by 2 (equal means count for each)."
    )


def test_equal_means_of_all_people() -> None:
    text = said(compared(0.5, 0.5, 0.1, people=[(0,)] * 3, spread=1e-9))
    assert text.endswith("; sys0 and sys1 have the best mean by each of 3 subjects alone.")


def test_of_several_measures_none_is_meant_by_or() -> None:
    """The measure comes before the people, as theirs are the numbers that follow."""
    scores = compared(0.5, 0.5, 0.5, people=np.eye(3) / 10).scores.to_frame()
    both = pd.concat([scores, scores.assign(measure="n")])
    text = said(ft.compare(ft.Scores.from_frame(both), n_resamples=199))
    assert text.startswith("No system is shown to be better than another on m or n over queries; ")
    assert "truths part on sys0 and sys1, sys0 and sys2, and 1 more by m and n; " in text
    assert text.endswith(
        "; sys0 has the best mean on m by 1 of 3 subjects alone, sys1 by 1, sys2 by 1."
    )


def test_equals_and_people_who_say_nothing_change_nothing() -> None:
    """One has a third system first, together with the best; another judged nothing of all."""
    result = compared(0.5, 0.1, 0.1, people=[(0, 0, 0)] * 3 + [(0, 0.4, 0)], spread=1e-9)
    values = result.scores.values.copy()
    values[1, :, result.scores.cells.subject_codes == 3] = values[
        0, :, result.scores.cells.subject_codes == 3
    ]
    values[2, :, result.scores.cells.subject_codes == 2] = np.nan
    with pytest.warns(ft.errors.FuzzytruthWarning):
        result = ft.compare(replace(result.scores, values=values), n_resamples=199)
    assert said(result).endswith("; it has the best mean by each of 4 subjects alone.")


def test_too_few_queries_cannot_tell() -> None:
    scores = scores_of([[0.1], [0.8], [0.5]])
    with pytest.warns(ft.errors.DegenerateWarning):
        result = ft.compare(scores, n_resamples=99)
    assert said(result) == "1 query cannot tell which system is better on m."


def test_how_sure() -> None:
    """Sentences about few pairs, of many how many there are, and what would have been found."""
    few, many = compared(0.9, 0.5, 0.1), compared(*[0.1] * 4, 0.5)
    found, notes = how_sure(few)
    assert found.lines == tuple(few._verdict_lines(6).lines)
    assert notes.lines[0].startswith("Systems tie for best if none is significantly better")
    found, notes = how_sure(many, many)
    assert found.lines == ("m: 4 of 10 differences significant over queries",) * 2
    assert any("would have been found with 80 % power" in line for line in notes.lines)
    assert any(line.startswith("Significant over queries: ") for line in notes.lines)
