"""Opposite groups of subjects: the same sentence wherever a comparison is shown."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.conditions import CONDITIONS
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.cli.app import main
from fuzzytruth.comparison.by_subject import opposite_alone
from fuzzytruth.comparison.verdicts import counts_alone, opposite_text

BOTH = (
    "significant for 20 of 20 subjects by their own judgments, in both directions "
    "(10 for sys0, 10 for sys1)"
)


def opposed(n_first: int, n_second: int, *, systems: int = 2, seed: int = 1) -> np.ndarray:
    """The first subjects prefer the first system by .5, the second ones the second system."""
    values = 0.5 + np.random.default_rng(seed).normal(0, 0.02, (systems, n_first + n_second, 12))
    signs = np.repeat([0.25, -0.25], [n_first, n_second])[:, None]
    values[0] += signs
    values[1] -= signs
    return values


def flat(text: Any) -> str:
    return re.sub(r"\s+", " ", str(text))


@pytest.mark.parametrize("over", ["query", ("query", "subject"), "subject"])
def test_no_difference_of_all_and_one_of_each(over: Any) -> None:
    result = ft.compare(scores_of(opposed(10, 10)), over=over)
    (line,) = result.verdicts()
    assert line.startswith("no difference between sys0 and sys1 is shown on m over ")
    assert line.endswith(f"; {BOTH}")
    assert BOTH in flat(result)


def test_differences_without_noise() -> None:
    values = np.full((2, 20, 12), 0.5)
    values[0, :10] = values[1, 10:] = 1.0
    (line,) = ft.compare(scores_of(values), over=("query", "subject")).verdicts()
    assert BOTH in line


def test_a_minority_beside_a_significant_difference() -> None:
    (line,) = ft.compare(scores_of(opposed(15, 5))).verdicts()
    assert line.startswith("sys0 is significantly better than sys1")
    assert (
        "; same direction for 15 of 20 subjects; significant for 20 of 20 subjects by their own "
        "judgments, in both directions (15 for sys0, 5 for sys1); "
    ) in line


def test_lower_may_be_better() -> None:
    scores = scores_of(opposed(8, 12), higher_is_better=(False,))
    assert "(12 for sys0, 8 for sys1)" in ft.compare(scores).verdicts()[0]


@pytest.mark.parametrize("correction", [None, "holm", "fdr_bh", "none", "permuted labels"])
def test_many_pairs_have_a_line_each(correction: str | None) -> None:
    using: dict[str, Any] = {"correction": correction}
    if correction == "permuted labels":
        using = {"null": "complete"}
    result = ft.compare(scores_of(opposed(3, 3, systems=5)), n_resamples=199, **using)
    lines = [line for line in str(result).split("\n") if line.startswith("  sys0 and sys1: ")]
    assert len(lines) == 1
    assert "(3 for sys0, 3 for sys1)" in flat(result)
    assert result.verdicts()[0].endswith("(3 for sys0, 3 for sys1)")


def test_of_many_such_pairs_the_first() -> None:
    values = opposed(3, 3, systems=6)
    values[2:4] = values[:2]
    values[4:] = values[:2]
    text = flat(ft.compare(scores_of(values + 1e-3 * np.random.default_rng(2).random((6, 6, 12)))))
    assert "in both directions also for 6 more pairs" in text


def test_same_directions_say_nothing() -> None:
    values = np.random.default_rng(3).normal(0.5, 0.1, (4, 30, 20))
    result = ft.compare(scores_of(values), n_resamples=199)
    assert opposite_alone(result) is None
    assert "both directions" not in f"{result}{result.verdicts()}"
    same = ft.compare(scores_of(opposed(10, 0)))
    assert "significant for 10 of them" in same.verdicts()[0]
    assert "both directions" not in same.verdicts()[0]


@pytest.mark.parametrize(
    ("n", "few", "level", "said"),
    [
        (2, 1, 0.95, True),
        (9, 1, 0.95, True),
        (10, 1, 0.95, False),
        (20, 2, 0.95, False),
        (20, 3, 0.95, True),
        (49, 1, 0.99, True),
        (50, 1, 0.99, False),
    ],
)
def test_more_than_chance_in_each_direction(n: int, few: int, level: float, said: bool) -> None:
    on = replace(CONDITIONS, level=level)
    row = pd.DataFrame({"n_subjects": [n], "system_a": ["a"], "system_b": ["b"]})
    (given,) = row.itertuples(index=False)
    for alone in ((few, n - few), (n - few, few)):
        assert bool(opposite_text(given, alone, on)) is said


def test_counts_by_pair_and_measure() -> None:
    keys = {"measure": "AP", "system_a": "a", "system_b": "b", "significant": True}
    alone = pd.DataFrame([keys | {"difference": d} for d in (0.1, 0.2, -0.1)])
    alone.loc[3] = [*keys.values(), -0.3]
    alone.loc[3, "significant"] = False
    table = pd.DataFrame([keys, keys | {"system_b": "c"}])
    assert counts_alone(table, alone, CONDITIONS) == [(2, 1), (0, 0)]
    assert counts_alone(table, None, CONDITIONS) == [None, None]


def test_pages_and_analyses_say_it(tmp_path: Path) -> None:
    scores = scores_of(opposed(10, 10))
    analysis = ft.analyse(scores, n_resamples=199)
    assert BOTH in flat(analysis)
    for number, result in enumerate((analysis, ft.compare(scores))):
        page = result.report(tmp_path / f"{number}.html").read_text(encoding="utf-8")
        assert unescape(page).count(BOTH) == 2  # the verdict, and the list of pairs


def test_the_command_line_says_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "scores.csv"
    scores_of(opposed(10, 10)).to_frame().to_csv(path, index=False)
    for command in ("compare", "analyse"):
        with pytest.raises(SystemExit):
            main([command, str(path)])
        assert BOTH in flat(capsys.readouterr().out)


def test_groups_that_cancel_exactly_are_opposite_too() -> None:
    """Their mean is the same for both systems on every query."""
    rows = [
        (f"q{q}", f"d{d}", f"s{s:02}", int((d < 2) == (s < 10)))
        for q in range(8)
        for d in range(4)
        for s in range(20)
    ]
    votes = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    order = {"A": [0, 1, 2, 3], "B": [2, 3, 0, 1]}
    runs = {
        name: {f"q{q}": {f"d{d}": -float(r) for r, d in enumerate(ranked)} for q in range(8)}
        for name, ranked in order.items()
    }
    [verdict] = ft.compare(ft.evaluate(votes, runs, "P@2", worlds="subject")).verdicts()
    assert verdict == (
        "A and B have the same mean P@2 of all subjects on all 8 queries; significant for 20 of 20 "
        "subjects by their own judgments, in both directions (10 for A, 10 for B)"
    )
