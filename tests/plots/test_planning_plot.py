"""Planning curves, as drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.drawn import title_of
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.errors import DataError, OptionError

ASSUMED = {"system:query": 0.01, "system:subject": 0.0002, "residual": 0.02}


def curve(ax: Any, label: str) -> list[list[float]]:
    (line,) = [line for line in ax.lines if line.get_label() == label]
    return line.get_xydata().tolist()


def names(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.get_legend().get_texts()]


def pilot() -> ft.Scores:
    values = np.random.default_rng(5).normal(0.5, 0.1, (3, 4, 12))
    values += 0.2 * np.arange(3)[:, None, None]
    return scores_of(values + 0.05 * np.random.default_rng(6).normal(size=(3, 1, 12)))


def test_the_curves_of_a_plan_are_its_numbers(plt: Any) -> None:
    found = ft.plan(components=ASSUMED, half_width=0.05, subjects=[3, 5, 10])
    ax = found.plot()
    table = found.curve()
    for n in (3, 5, 10):
        rows = table[(table["subjects"] == n) & np.isfinite(table["half_width"])]
        assert curve(ax, f"{n} subjects") == rows[["queries", "half_width"]].values.tolist()
    best = found.best
    assert best is not None
    at = found.predict(best.queries, best.subjects)["half_width"]
    assert curve(ax, f"chosen: {best.queries} × {best.subjects}") == [[best.queries, at]]
    assert names(ax)[-1] == "target: 0.05"
    assert not ax.collections  # components were assumed: no band
    assert ax.get_xscale() == "log"
    title = title_of(ax)
    assert "half-width of 95 % intervals of the difference of two systems" in title
    assert title.endswith("Planned from assumed variance components")


def test_the_band_is_that_of_the_pilot(plt: Any) -> None:
    found = ft.plan(pilot(), half_width=0.05, subjects=[4, 8], over="query")
    ax = found.plot()
    band = "Band: 95 % interval of the variance components of the pilot"
    assert title_of(ax).endswith(f"{band} (3 systems, 12 queries, 4 subjects)")
    table = found.curve(full=True)
    best = found.best
    assert best is not None
    rows = table[table["subjects"] == best.subjects]
    (band,) = ax.collections
    drawn = {tuple(point) for point in band.get_paths()[0].vertices.tolist()}
    for row in rows.itertuples():
        assert (row.queries, row.half_width_lower) in drawn
        assert (row.queries, row.half_width_upper) in drawn
        assert row.half_width_lower <= row.half_width <= row.half_width_upper
    assert "uncertainty (pilot)" in names(ax)


def test_the_band_crosses_the_target_at_the_queries_of_the_table(plt: Any) -> None:
    found = ft.plan(pilot(), half_width=0.05, subjects=4, over="query")
    row = found.to_frame().iloc[0]
    ends = found.curve([int(row["lower"]), int(row["upper"])], 4, full=True)
    assert ends["half_width_lower"][0] <= 0.05 < ends["half_width_lower"][0] * 1.5
    assert ends["half_width_upper"][1] <= 0.05 < ends["half_width_upper"][1] * 1.5
    before = found.curve(int(row["upper"]) - 1, 4, full=True)
    assert before["half_width_upper"][0] > 0.05


def test_power_and_coefficients(plt: Any) -> None:
    found = ft.plan(pilot(), difference=0.03, subjects=[4, 8], over="query")
    ax = found.plot()
    assert names(ax)[-1] == "target: 0.8"
    assert ax.get_ylabel() == "power"
    full = found.curve(full=True)
    assert (full["power_lower"] <= full["power"] + 1e-12).all()
    assert (full["power"] <= full["power_upper"] + 1e-12).all()
    other = ft.plan(pilot(), coefficient=0.5, subjects=[4, 8])
    full = other.curve(full=True)
    assert (full["coefficient_lower"] <= full["coefficient_upper"]).all()
    rows = full[full["subjects"] == 8]
    ax = other.plot(subjects=8, quantity="coefficient")
    assert curve(ax, "8 subjects") == rows[["queries", "coefficient"]].values.tolist()


def test_unknown_numbers_of_subjects_are_said(plt: Any) -> None:
    found = ft.plan(components=ASSUMED, half_width=0.05, subjects=[1, 5])
    ax = found.plot()
    assert "1 subject" not in names(ax)
    assert ax.get_title(loc="left").endswith("unknown with 1 subject")


def test_at_most_six_curves_with_the_chosen_one(plt: Any) -> None:
    rows = [(q, s, 1 / (q * s)) for s in range(1, 21) for q in (10, 100)]
    frame = pd.DataFrame(rows, columns=["queries", "subjects", "value"])
    ax = plots.planning(frame, best=(50, 7))
    assert len(names(ax)) == 7
    assert {"1 subject", "7 subjects", "20 subjects", "chosen: 50 × 7"} <= set(names(ax))
    (star,) = curve(ax, "chosen: 50 × 7")
    assert star[1] == pytest.approx(np.interp(np.log(50), np.log([10, 100]), [1 / 70, 1 / 700]))


def test_errors(plt: Any) -> None:
    frame = pd.DataFrame({"queries": [1], "subjects": [1], "value": [np.inf]})
    with pytest.raises(DataError, match="no half_width is finite"):
        plots.planning(frame)
    with pytest.raises(OptionError, match="quantity='cost'"):
        plots.planning(frame, quantity="cost")
    with pytest.raises(OptionError, match=r"subjects=\[3\]: those with values are 1"):
        plots.planning(frame.assign(value=1.0), subjects=[3])
    found = ft.plan(components=ASSUMED, half_width=0.05, subjects=[3])
    with pytest.raises(OptionError, match="quantity='x'"):
        found.plot(quantity="x")
    with pytest.raises(DataError, match="no power is finite"):
        found.plot(quantity="power")


def test_the_legend_says_which_curves_are_above_the_figure(plt: Any) -> None:
    values = pd.DataFrame(
        {"subjects": [2, 2, 9, 9], "queries": [10, 50] * 2, "value": [9.0, 8.0, 0.1, 0.05]}
    )
    ax = plots.planning(values, target=0.05)
    assert names(ax)[:2] == ["2 subjects (above)", "9 subjects"]


@pytest.mark.parametrize(("target", "top"), [(None, 1.04), (0.05, 0.208)])
def test_nothing_varies(plt: Any, target: float | None, top: float) -> None:
    frame = pd.DataFrame({"queries": [10, 40], "subjects": 2, "value": 0.0})
    ax = plots.planning(frame, quantity="half_width", target=target)
    assert ax.get_ylim() == pytest.approx((0, top))
