"""Infinite intervals over worlds say how many worlds finite ones take."""

from __future__ import annotations

import numpy as np
import pytest
from support.drawn import title_of

import fuzzytruth as ft
from fuzzytruth.errors import DegenerateWarning
from fuzzytruth.evaluation.scores.score_rows import score_rows

ITEMS = [*"abc"]
FEW = "too few for {} intervals: n_worlds={} or more gives finite ones"


def scores(n_worlds: int, worlds: str = "independent") -> ft.Scores:
    truth = ft.Judgments.from_columns(
        ["q"] * 9, ITEMS * 3, [1, 0, 0, 0, 1, 0, 1, 1, 0], subject=[*"rrrsssttt"]
    )
    runs = {"x": {"q": ITEMS}, "y": {"q": ITEMS[::-1]}}
    return ft.evaluate(truth, runs, ["P@2"], worlds=worlds, n_worlds=n_worlds, rng=0)


@pytest.mark.parametrize(("level", "needed"), [(0.95, 39), (0.9, 19), (0.99, 199)])
def test_one_world_fewer_is_too_few(level: float, needed: int) -> None:
    words = FEW.format(f"{100 * level:g} %", needed)
    few, enough = scores(needed - 1), scores(needed)
    with pytest.warns(DegenerateWarning, match=f"^{needed - 1} worlds are {words}$"):
        table = few.summary(over="world", level=level)
    assert (table["lower"] == 0).all()  # nothing is known: the whole range
    assert (table["upper"] == 1).all()
    assert np.isfinite(enough.summary(over="world", level=level)[["lower", "upper"]]).all(axis=None)
    rows = score_rows(few, over="world", level=level)
    assert rows.few == f"{needed - 1} worlds are {words}"
    assert score_rows(enough, over="world", level=level).few == ""
    assert rows.few in title_of(few.plot(over="world", level=level))
    assert "too few" not in title_of(enough.plot(over="world", level=level))


def test_printed_tables_and_captions_say_so() -> None:
    few = scores(20)
    words = f"20 worlds are {FEW.format('95 %', 39)}."
    assert words in score_rows(few, over="world").legend()
    assert words in few.to_markdown(over="world").replace("\\", "")
    assert words in few.to_latex(over="world").replace("\\", "").replace("\n", " ")


def test_other_intervals_need_no_worlds() -> None:
    people = scores(20, "population")
    assert score_rows(people, over="world").few == ""
    assert np.isfinite(people.summary(over="world")["lower"]).all()
