"""Gates that are asked again: levels, looks, words, and what is refused."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.comparison.repeated import Repeats, largest_p
from fuzzytruth.errors import DegenerateWarning, LevelWarning

PAIR, LOOKS = ("sys0", "sys1"), (40, 80, 120, 200)
RNG = np.random.default_rng(0)
OLD = RNG.normal(1, 0.2, 80)
GAP = np.resize(RNG.normal(0, 0.05, 40), 80)
GAP = np.r_[GAP[:40], -GAP[:40]]  # mean and skewness 0
SCORES = scores_of(np.stack([OLD + GAP, OLD]))


def test_levels_of_attempts() -> None:
    planned = Repeats.of(10, None, None)
    assert planned.level(0.95) == pytest.approx(0.995)
    each = [1 - Repeats.of(None, k, None).level(0.95) for k in range(1, 21)]
    assert each[:4] == pytest.approx([0.025, 0.05 / 6, 0.05 / 12, 0.0025])
    assert sum(each) == pytest.approx(0.05 * (1 - 1 / 21))
    for options, level in (({"attempts": 10}, 0.995), ({"attempt": 4}, 0.9975)):
        result = ft.gate(SCORES, *PAIR, margin=0.02, **options)
        same = ft.gate(SCORES, *PAIR, margin=0.02, level=level)
        assert result.tests == same.tests
        assert result.conditions.level == 0.95
        assert result.to_dict()["level_used"] == pytest.approx(level)


def test_a_look_is_student_at_the_spent_level() -> None:
    p = stats.ttest_1samp(GAP, -0.018, alternative="greater").pvalue
    alpha = largest_p((0.2, 0.4, 0.6, 1.0), 0.05)[1]
    result = ft.gate(SCORES, *PAIR, margin=0.018, looks=LOOKS)
    assert result.tests[0].p == pytest.approx(p)
    assert result.passed == (p <= alpha)
    assert result.conditions.level_used == pytest.approx(1 - alpha)
    t = stats.t(79).ppf(alpha) * GAP.std(ddof=1) / np.sqrt(80)
    assert result.tests[0].bound == pytest.approx(t, rel=1e-6)
    found = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert [found[key] for key in ("attempts", "attempt", "looks")] == [None, None, [*LOOKS]]
    assert ft.gate(SCORES, *PAIR, margin=0.018, looks=[80]).tests[0].p == pytest.approx(p)


@pytest.mark.parametrize(
    ("shift", "options", "verdict", "start"),
    [
        (0, {"looks": LOOKS}, "not passed yet", "not passed yet, 80 of 200 queries; look again at"),
        (0.05, {"looks": LOOKS}, "passed", "passed at 80 of 200 queries: sys0 is not worse"),
        (-0.1, {"looks": LOOKS}, "not passed", "not passed at 80 of 200 queries: sys0 is worse"),
        (0, {"looks": (40, 80)}, "not passed", "not passed at 80 of 80 queries: sys0 may be"),
        (0, {"attempt": 4}, "not passed", "not passed at attempt 4 (level 99.75 % of a budget of "),
        (
            0,
            {"attempts": 3},
            "not passed",
            "not passed, one of 3 attempts (level 98.3 %, 95 %",
        ),
    ],
)
def test_words(shift: float, options: Any, verdict: str, start: str) -> None:
    scores = scores_of(np.stack([OLD + GAP + shift, OLD]))
    result = ft.gate(scores, *PAIR, margin=0.002, **options)
    (line,) = result.lines()
    assert (result.verdict, result.passed) == (verdict, verdict == "passed")
    assert line.startswith(start)
    assert ("a bound above -0.002 is enough" in line) == (verdict == "not passed yet")
    assert result.to_dict()["next_look"] == (120 if verdict == "not passed yet" else None)
    down = scores_of(np.stack([-OLD - GAP - shift, -OLD]), higher_is_better=(False,))
    (line,) = ft.gate(down, *PAIR, margin=0.002, **options).lines()
    assert ("a bound below 0.002 is enough" in line) == (verdict == "not passed yet")


def test_several_measures_and_clusters() -> None:
    values = np.stack([np.stack([OLD + GAP + 0.05, OLD + GAP]), np.stack([OLD, OLD])])
    scores = replace(SCORES, measures=("a", "b"), values=values, higher_is_better=(True, True))
    result = ft.gate(scores, *PAIR, margin=0.002, looks=LOOKS)
    first, *each = result.lines()
    assert first.startswith("not passed yet, 80 of 200 queries; look again at 120: sys0 may be")
    assert each[0].startswith("  passed: ")
    assert each[1].startswith("  not passed: ")
    clusters = {f"q{q}": f"t{q // 2}" for q in range(80)}
    result = ft.gate(SCORES, *PAIR, margin=0.002, looks=LOOKS, clusters=clusters)
    assert result.lines()[0].startswith("not passed yet, 40 of 200 clusters; look again at 80: ")
    values[:, 1, 0] = np.nan
    with pytest.raises(ft.errors.OptionError, match="values of 80 and of 79 queries"):
        ft.gate(replace(scores, values=values), *PAIR, margin=0.002, looks=(79, 80, 200))


def test_systems_that_were_the_same_so_far_pass_at_the_last_look() -> None:
    same = scores_of(np.stack([OLD, OLD]))
    for looks, verdict in ((LOOKS, "not passed yet"), ((40, 80), "passed")):
        with pytest.warns(DegenerateWarning):
            assert ft.gate(same, *PAIR, margin=0.1, looks=looks).verdict == verdict


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"looks": (40, 90, 120)},
            "looks=40, 90, 120: there are 80 queries.*next one is at 90",
        ),
        ({"looks": (40, 60)}, "80 queries, more than the plan of 60"),
        ({"looks": (90, 80)}, "must be ascending"),
        ({"looks": []}, "must be ascending"),
        ({"looks": range(2, 103)}, "at most 100"),
        ({"looks": (80, 81, 10_000)}, "less than a thousandth"),
        ({"looks": (1, 80)}, "looks=1: must be 2 or more"),
        ({"looks": "80"}, "looks='80': must be a whole number"),
        ({"attempts": 0}, "attempts=0: must be 1 or more"),
        ({"attempt": 1.5}, r"attempt=1\.5: must be a whole number"),
        ({"attempts": 3, "attempt": 1}, "attempts, attempt: give one of these"),
        ({"attempts": 3, "looks": LOOKS}, "attempts, looks: give one of these"),
    ],
)
def test_mistakes(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ft.errors.OptionError, match=words):
        ft.gate(SCORES, *PAIR, margin=0.1, **options)


def test_subjects_do_not_arrive_with_the_queries() -> None:
    judged = scores_of(np.stack([OLD + GAP, OLD]).reshape(2, 2, 40))
    for over in (None, ("query", "subject")):
        with pytest.raises(
            ft.errors.OptionError, match="queries and subjects are random; use over='que"
        ):
            ft.gate(judged, *PAIR, margin=0.1, over=over, looks=LOOKS)
    alone = ft.gate(judged, *PAIR, margin=0.001, over="query", looks=LOOKS)
    assert alone.conditions.repeats.n == 40


@pytest.mark.parametrize("name", ["attempts", "attempt"])
def test_many_attempts(name: str) -> None:
    options: Any = {name: 21}
    with pytest.warns(LevelWarning, match=f"{name}=21: .*renew the queries"):
        ft.gate(SCORES, *PAIR, margin=0.1, **options)
    assert Repeats.of(*(20 if name == each else None for each in ("attempts", "attempt")), None)
