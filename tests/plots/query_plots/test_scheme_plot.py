"""The two schemes: distributions over worlds above the values by each person's own truth."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.drawn import labels_of, legend_of, lines_of, title_of

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.plots.frames import PlotData

OWN = pd.DataFrame(
    {
        "system": ["x", "x", "x", "y", "y", "y"],
        "subject": ["ann", "bob", "cy"] * 2,
        "value": [0.2, 0.6, 0.4, 0.4, 0.2, 0.4],
    }
)
WORLDS = pd.DataFrame(
    {
        "system": ["x", "x", "x", "y", "y"],
        "value": [0.0, 0.2, 0.4, 0.2, 0.6],
        "probability": [0.5, 0.25, 0.25, 0.9, 0.1],
    }
)


def drawn(ax: Any) -> list[tuple[float, float]]:
    """Marks at their places, apart from those that stand for entries of the legend."""
    lines = [line for line in ax.lines if line.get_marker() != "None"]
    points = [point for line in lines for point in line.get_xydata().tolist()]
    return [(round(x, 9), round(y, 9)) for x, y in points]


def bars(ax: Any) -> dict[float, dict[float, float]]:
    """Height of each bar by the middle of it, by the height of its base."""
    out: dict[float, dict[float, float]] = {}
    for bar in ax.patches:
        middle = round(bar.get_x() + bar.get_width() / 2, 9)
        out.setdefault(round(bar.get_y(), 9), {})[middle] = bar.get_height()
    return out


def test_bars_are_probabilities_and_marks_means(plt: Any) -> None:
    _, given = plt.subplots()
    ax = plots.two_schemes(PlotData(OWN, "P@5", beside=WORLDS, labels={"value": "mean"}), given)
    assert ax is given
    (base_y, of_y), (base_x, of_x) = sorted(bars(ax).items())
    unit = of_y[0.2] / 0.9
    for of, system in ((of_x, "x"), (of_y, "y")):
        atoms = WORLDS[WORLDS["system"] == system].set_index("value")["probability"]
        assert [*of] == pytest.approx([0.0, 0.2, 0.4, 0.6])
        assert [*of.values()] == pytest.approx([unit * atoms.get(x, 0.0) for x in of])
    points = drawn(ax)
    assert {(0.15, base_x), (0.24, base_y)} <= {*points}  # means of the distributions
    for row in OWN.itertuples():
        assert (row.value, 3.0 - ["ann", "bob", "cy"].index(row.subject)) in points
    assert {(0.4, 0.0), (round(1 / 3, 9), 0.0)} <= {*points}  # people averaged last
    assert len(points) == 2 + len(OWN) + 2
    assert sorted(lines_of(ax), key=lambda line: -line[2]) == [
        (0.2, 0.4, 3.0),
        (0.2, 0.6, 2.0),
        (0.4, 0.4, 1.0),
    ]
    assert labels_of(ax) == ["averaged first", "ann", "bob", "cy", "averaged last"]
    assert legend_of(ax) == ["x", "y", "open: mean"]
    assert (title_of(ax), ax.get_xlabel()) == ("P@5", "mean")
    assert title_of(plots.two_schemes(PlotData(OWN, "P@5", beside=WORLDS), title="mine")) == "mine"


def test_a_line_has_the_colour_of_the_best_system(plt: Any) -> None:
    ax = plots.two_schemes(OWN)
    (lines,) = [part for part in ax.collections if hasattr(part, "get_segments")]
    colours = [tuple(colour[:3]) for colour in lines.get_colors()]
    marks = {legend.get_label(): legend.get_color() for legend in ax.lines}
    import matplotlib.colors as colors

    assert colours[1:] == [colors.to_rgb(marks[system]) for system in "xy"]  # bob, ann


@pytest.mark.parametrize("people", [OWN, OWN.iloc[:0]])
def test_with_and_without_people(people: pd.DataFrame, plt: Any) -> None:
    ax = plots.two_schemes(PlotData(people, beside=WORLDS))
    rows = ["ann", "bob", "cy", "averaged last"] if len(people) else []
    assert labels_of(ax) == ["averaged first", *rows]
    assert len(drawn(ax)) == (10 if len(people) else 2)
    alone = plots.two_schemes(OWN)  # a frame has no distributions
    assert labels_of(alone) == ["ann", "bob", "cy", "averaged last"]
    assert len(alone.patches) == 0


def test_many_people_are_densities(plt: Any) -> None:
    for n in (20, 21, 300):
        values = np.linspace(0, 1, n) ** 2
        frame = pd.DataFrame({"subject": [f"s{j}" for j in range(n)], "value": values})
        both = pd.concat([frame.assign(system="x"), frame.assign(system="y", value=values / 2)])
        ax = plots.two_schemes(PlotData(both, beside=WORLDS))
        named = labels_of(ax)[1:-1]
        assert named == ([*frame["subject"]] if n == 20 else [f"each of {n} people"])
        means = {(values.mean() / k, 3.0 - k) for k in (1, 2)}  # on the densities
        points = {(round(x, 9), y) for x, y in means}
        assert (points <= {*drawn(ax)}) == (n > 20)
        if n > 20:
            first, second = (part.get_paths()[0].get_extents() for part in ax.collections)
            assert (first.x0, first.x1) == (0, 1)
            assert (second.x0, second.x1) == (0, 0.5)
            assert second.y0 > 0.5
            assert second.y1 < first.y0
        assert ax.figure.get_size_inches()[1] < 16


def test_one_value_and_many(plt: Any) -> None:
    certain = PlotData(OWN, beside=pd.DataFrame({"system": "x", "value": [0.5], "probability": 1}))
    ax = plots.two_schemes(certain)
    (bar,) = ax.patches
    assert (bar.get_x() + bar.get_width() / 2, bar.get_width() > 0.01) == (0.5, True)
    rng = np.random.default_rng(0)
    worlds = pd.DataFrame({"system": "x", "value": rng.random(999), "probability": 1 / 999})
    ax = plots.two_schemes(PlotData(OWN, beside=worlds))
    (heights,) = bars(ax).values()
    assert len(heights) == 25
    ends = worlds["value"].min(), worlds["value"].max()  # where bars stand
    np.testing.assert_allclose([*heights], np.linspace(*ends, 25), atol=1e-8)
    width = (ends[1] - ends[0]) / 24
    counts, _ = np.histogram(worlds["value"], ends[0] + width * (np.arange(26) - 0.5))
    shown = np.array([*heights.values()])
    np.testing.assert_allclose(shown / shown.sum(), counts / 999, atol=2e-3)


def test_frames_of_users(plt: Any) -> None:
    """Several values of a person are averaged, NaN is left out, one measure is drawn."""
    twice = pd.concat([OWN, OWN.assign(value=OWN["value"] + 0.1)])
    twice.iloc[0, 2] = np.nan
    measures = pd.concat([twice.assign(measure="P"), OWN.assign(measure="R", value=9.0)])
    points = drawn(plots.two_schemes(measures))
    assert {(0.3, 3.0), (0.45, 3.0), (0.65, 2.0), (0.25, 2.0)} <= {*points}
    assert max(x for x, _ in points) == 0.65
    with pytest.raises(ft.errors.DataError, match="value is NaN in every row"):
        plots.two_schemes(OWN.assign(value=np.nan))
    with pytest.raises(ft.errors.DataError, match="no column 'subject'"):
        plots.two_schemes(PlotData(OWN.drop(columns="subject"), beside=WORLDS))
