"""Planning curves and shares of variance components, as drawn."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.drawn import curves_of, labels_of, legend_of, lines_of, title_of
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth import plots

ASSUMED = {"system:query": 0.01, "system:subject": 0.0002, "residual": 0.02}


def pilot() -> ft.Scores:
    values = np.random.default_rng(5).normal(0.5, 0.1, (3, 4, 12))
    values += 0.2 * np.arange(3)[:, None, None]
    return scores_of(values + 0.05 * np.random.default_rng(6).normal(size=(3, 1, 12)))


def test_the_curves_of_a_plan_are_its_numbers(plt: Any) -> None:
    found = ft.plan(components=ASSUMED, half_width=0.05, subjects=[3, 5, 10])
    ax = found.plot()
    table, drawn = found.curve(), curves_of(ax)
    for n in (3, 5, 10):
        rows = table[(table["subjects"] == n) & np.isfinite(table["half_width"])]
        assert drawn[f"{n} subjects"] == rows[["queries", "half_width"]].values.tolist()
    best = found.best
    at = found.predict(best.queries, best.subjects)["half_width"]
    assert drawn[f"chosen: {best.queries} queries × {best.subjects} subjects"] == [
        [best.queries, at]
    ]
    assert legend_of(ax)[-1] == "target: 0.05"
    assert not ax.collections  # components were assumed: no band
    assert ax.get_xscale() == "log"
    assert "half-width of 95 % intervals of the difference of two systems" in title_of(ax)
    assert title_of(ax).endswith("Planned from assumed variance components")
    ax = ft.plan(components=ASSUMED, half_width=0.05, subjects=[1, 5]).plot()
    assert "1 subject" not in legend_of(ax)
    assert title_of(ax).endswith("unknown with 1 subject")


def test_power_and_coefficients(plt: Any) -> None:
    found = ft.plan(pilot(), difference=0.03, subjects=[4, 8], over="query")
    ax = found.plot()
    assert (legend_of(ax)[-1], ax.get_ylabel()) == ("target: 0.8", "power")
    full = found.curve(full=True)
    assert (full["power_lower"] <= full["power"] + 1e-12).all()
    assert (full["power"] <= full["power_upper"] + 1e-12).all()
    other = ft.plan(pilot(), coefficient=0.5, subjects=[4, 8])
    full = other.curve(full=True)
    assert (full["coefficient_lower"] <= full["coefficient_upper"]).all()
    rows = full[full["subjects"] == 8][["queries", "coefficient"]]
    drawn = curves_of(other.plot(subjects=8, quantity="coefficient"))
    assert drawn["8 subjects"] == rows.values.tolist()


def test_at_most_six_curves_with_the_chosen_one(plt: Any) -> None:
    rows = [(q, s, 1 / (q * s)) for s in range(1, 21) for q in (10, 100)]
    frame = pd.DataFrame(rows, columns=["queries", "subjects", "value"])
    ax = plots.planning(frame, best=(50, 7))
    assert len(legend_of(ax)) == 7
    named = {"1 subject", "7 subjects", "20 subjects", "chosen: 50 queries × 7 subjects"}
    assert named <= set(legend_of(ax))
    ((_, height),) = curves_of(ax)["chosen: 50 queries × 7 subjects"]
    assert height == pytest.approx(np.interp(np.log(50), np.log([10, 100]), [1 / 70, 1 / 700]))


@pytest.mark.parametrize(("target", "top"), [(None, 1.04), (0.05, 0.208)])
def test_curves_outside_the_figure_and_curves_of_nothing(
    plt: Any, target: float | None, top: float
) -> None:
    frame = pd.DataFrame({"queries": [10, 40], "subjects": 2, "value": 0.0})
    ax = plots.planning(frame, quantity="half_width", target=target)
    assert ax.get_ylim() == pytest.approx((0, top))
    values = {"subjects": [2, 2, 9, 9], "queries": [10, 50] * 2, "value": [9.0, 8.0, 0.1, 0.05]}
    ax = plots.planning(pd.DataFrame(values), target=0.05)
    assert legend_of(ax)[:2] == ["2 subjects (above)", "9 subjects"]


def test_shares_in_per_cent_negative_ones_left_of_zero(plt: Any) -> None:
    frame = pd.DataFrame(
        {
            "component": ["query", "subject", "residual"],
            "of": "a single score",
            "share": [0.75, -0.125, 0.25],
            "lower": [0.5, 0.0, np.nan],
            "upper": [1.0, 0.0625, np.nan],
        }
    )
    ax = plots.variance_components(frame)
    assert labels_of(ax) == ["query", "subject", "residual"]
    assert [patch.get_width() for patch in ax.patches] == [75, -12.5, 25]
    assert lines_of(ax) == [(50, 100, 0), (0, 6.25, 1)]
    assert [text.get_text() for text in ax.texts] == ["75 %", "−12 %", "25 %"]
    ax.figure.canvas.draw()
    assert {round(text.get_window_extent().x0 - ax.bbox.x1) for text in ax.texts} == {6}
    assert ax.get_xlim()[0] < -12.5
    assert ax.get_xlim()[1] > 100
    assert ax.yaxis_inverted()
