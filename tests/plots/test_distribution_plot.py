"""Pictures of distributions, on frames and through `Distribution.plot`."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.distributions import DIE

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.data.distribution import Distribution
from fuzzytruth.plots.distribution_plot import bin_edges, spacing


def steps(ax: Any) -> Any:
    """Heights of a filled histogram's bins, whose outline goes back along the bottom."""
    outline = ax.patches[0].get_xy()
    return outline[1 : len(outline) // 2 : 2, 1]


def test_plot_draws_on_the_axes_given(plt: Any) -> None:
    _, (left, right) = plt.subplots(1, 2)
    assert DIE.plot(ax=right) is right
    assert len(right.collections) == 1
    assert not left.collections
    many = Distribution.from_samples(range(500)).plot(left)
    heights = steps(many)  # 56 bins of 9 atoms, the last of 5
    assert heights.tolist() == pytest.approx([9 / 500] * 55 + [5 / 500])
    assert DIE.plot() is not left
    assert len(plt.get_fignums()) == 2


def test_plots_of_many_atoms_have_no_teeth(plt: Any) -> None:
    """If 59 atoms went into 40 bins, some would hold two and others one."""
    coins = ft.poisson_binomial([0.5] * 150)
    _, (left, right) = plt.subplots(1, 2)
    segments = coins.plot(left).collections[0].get_segments()
    assert len(segments) == 59  # 46 to 104: P(X ≤ 45) < 1e-6 < P(X ≤ 46)
    assert segments[0][0][0] == 46
    low, high = left.get_xlim()
    assert 40 < low < 46 < 104 < high < 110
    ft.poisson_binomial([0.5] * 4000).plot(right)
    heights = steps(right)
    top = heights.argmax()
    assert (np.diff(heights[:top]) >= 0).all()
    assert (np.diff(heights[top:]) <= 0).all()
    assert heights.max() > 0.03


def test_plots_beside_each_other(plt: Any) -> None:
    _, ax = plt.subplots()
    ax.set_xlabel("P@10")
    ft.poisson_binomial([0.5] * 12).plot(ax, label="one")
    ft.poisson_binomial([0.01] * 12).plot(ax, label="two")
    Distribution.from_samples(np.random.default_rng(0).normal(5, 1, 500)).plot(ax, label="three")
    Distribution.point(1).plot(ax, color="black", alpha=0.5, linewidth=7)
    colours = {tuple(c.get_color()[0][:3]) for c in ax.collections}
    assert len(colours | {ax.patches[0].get_facecolor()[:3]}) == 4
    assert ax.collections[-1].get_linewidth() == 7
    assert ax.get_ylim()[0] == 0
    assert ax.get_ylim()[1] > 1
    assert [t.get_text() for t in ax.legend().get_texts()] == ["one", "two", "three"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("P@10", "probability")


def test_lines_end_at_the_probabilities(plt: Any) -> None:
    """Unsorted rows, and two of the same value."""
    frame = pd.DataFrame({"value": [1, 0, 1], "probability": [0.25, 0.5, 0.25]})
    lines = plots.distribution(frame).collections[0].get_segments()
    assert [line.tolist() for line in lines] == [[[0, 0], [0, 0.5]], [[1, 0], [1, 0.5]]]
    of_a_distribution = Distribution.from_atoms([0, 1], [0.5, 0.5]).plot().collections[0]
    np.testing.assert_array_equal(of_a_distribution.get_segments(), lines)


def test_tails_are_left_out(plt: Any) -> None:
    frame = pd.DataFrame({"value": range(4), "probability": [1e-7, 0.5, 0.5 - 2e-7, 1e-7]})
    lines = plots.distribution(frame).collections[0].get_segments()
    assert [line[0, 0] for line in lines] == [1, 2]
    one = pd.DataFrame({"value": [3], "probability": [1.0]})
    assert len(plots.distribution(one).collections[0].get_segments()) == 1


def test_spacing_and_bins() -> None:
    assert spacing(np.array([0.0, 0.5, 2.0])) == 0.5
    assert spacing(np.array([0.0, 0.5, 0.8])) is None
    assert spacing(np.array([1.0])) is None
    assert spacing(np.array([0.0, 1.0, 1e7])) is None
    assert bin_edges(np.array([0.0, 121.0]), 1.0).tolist() == (np.arange(0, 124, 3) - 0.5).tolist()
    assert len(bin_edges(np.array([0.0, 1.0]), None)) == 61


COIN = pd.DataFrame({"value": [0.0, 1.0], "probability": [0.5, 0.5]})
LOADED = pd.DataFrame({"value": [0.0, 1.0], "probability": [0.2, 0.8]})


def places(ax: Any, value: float) -> list[float]:
    """Where the lines at a value are on the page, in points from the value."""
    ax.figure.canvas.draw()
    middle = ax.transData.transform((value, 0))[0]
    scale = 72 / ax.figure.dpi
    return [(c.get_transform().transform((value, 0))[0] - middle) * scale for c in ax.collections]


def test_distributions_at_the_same_values_stand_side_by_side(plt: Any) -> None:
    several = {"a": Distribution.from_atoms([0, 1], [0.5, 0.5]), "b": LOADED, "c": COIN}
    ax = plots.distribution(several, xlabel="P@1 of q")
    heights = [[line[1, 1] for line in c.get_segments()] for c in ax.collections]
    assert heights == [[0.5, 0.5], [0.2, 0.8], [0.5, 0.5]]
    assert places(ax, 1.0) == pytest.approx([-4, 0, 4])
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["a", "b", "c"]
    assert ax.get_xlabel() == "P@1 of q"
    frame = pd.concat([COIN.assign(system="a"), LOADED.assign(system="b")])
    tidy = plots.distribution(frame)
    assert places(tidy, 0.0) == pytest.approx([-2, 2])
    assert len({line.get_marker() for line in tidy.lines}) == 2


def test_repeated_calls_shift_and_name_what_they_add(plt: Any) -> None:
    first = Distribution.from_atoms([0, 1], [0.5, 0.5])
    ax = first.plot(label="first")
    assert ax.get_legend() is None
    for name in ("second", "third"):
        first.plot(ax, label=name)
    assert places(ax, 0.0) == pytest.approx([0, 4, -4])
    assert len({c.get_color()[0].tobytes() for c in ax.collections}) == 3
    names = [t.get_text() for t in ax.get_legend().get_texts()]
    assert names == ["first", "second", "third"]


def test_histograms_in_one_call_have_the_same_bins(plt: Any) -> None:
    rng = np.random.default_rng(0)
    drawn = {name: Distribution.from_samples(rng.normal(m, 1, 500)) for m, name in enumerate("ab")}
    ax = plots.distribution(drawn)
    assert not ax.collections
    first, second = ax.patches
    edges = [np.unique(patch.get_xy()[:, 0]) for patch in (first, second)]
    np.testing.assert_array_equal(*edges)
    assert len(edges[0]) == 61
    top = [patch.get_xy() for patch in (first, second)]
    for outline in top:
        assert outline[1 : len(outline) // 2 : 2, 1].sum() == pytest.approx(1)
    assert first.get_linestyle() != second.get_linestyle()
    assert first.get_facecolor()[3] < 0.5  # seen through
    assert ax.get_ylabel().startswith("probability\n(bins of 0.")


def test_cumulative_probabilities(plt: Any) -> None:
    ax = plots.distribution({"a": COIN, "b": DIE}, kind="cdf")
    coin, die = (np.asarray(line.get_xydata()) for line in ax.lines)
    assert coin.tolist() == [[0, 0], [0, 0.5], [1, 1], [6, 1]]
    assert die[:, 0].tolist() == [0, 1, 2, 3, 4, 5, 6, 6]
    np.testing.assert_allclose(die[1:-1, 1], DIE.cdf(range(1, 7)))
    assert coin[0, 1] == die[0, 1] == 0
    assert {line.get_drawstyle() for line in ax.lines} == {"steps-post"}
    assert ax.lines[0].get_linestyle() != ax.lines[1].get_linestyle()
    assert ax.get_ylabel() == "cumulative probability"


@pytest.mark.parametrize("kind", ["pmf", "cdf"])
def test_means_and_intervals_are_those_of_the_distribution(plt: Any, kind: Any) -> None:
    one, two = ft.poisson_binomial([0.5] * 12), ft.poisson_binomial([0.1] * 12)
    ax = plots.distribution({"one": one, "two": two}, kind=kind, interval=0.9)
    lines = [line for line in ax.lines if line.get_gid() == "interval of a distribution"]
    assert [tuple(line.get_xdata()) for line in lines] == [one.interval(0.9), two.interval(0.9)]
    means = [
        line.get_xdata()[0]
        for line in ax.lines
        if len(line.get_xdata()) == 1 and not line.get_gid()
    ]
    assert means == pytest.approx([one.mean(), two.mean()])
    assert "mean, central 90 % interval" in [t.get_text() for t in ax.get_legend().get_texts()]
    assert ax.get_ylim()[1] > 1.1 * max(one.probabilities)


def test_differences_have_a_line_at_zero(plt: Any) -> None:
    gap = Distribution.from_atoms([-1, 1], [0.5, 0.5])
    assert [list(line.get_xdata()) for line in gap.plot().lines] == [[0, 0]]
    assert not gap.plot(zero=False).lines
    assert not DIE.plot().lines
    assert len(DIE.plot(zero=True).lines) == 1


def test_a_legend_names_systems_as_they_are(plt: Any) -> None:
    names = ["$a_b$", "<script>", "x" * 90, "x" * 89 + "y", "_x"]
    ax = plots.distribution(dict.fromkeys(names, COIN))
    ax.figure.canvas.draw()
    texts = [t.get_text() for t in ax.get_legend().get_texts()]
    assert texts[:2] == names[:2]
    assert len(set(texts)) == 5
    assert texts[-1].strip() == "_x"
    figure = ax.figure.bbox
    box = ax.get_legend().get_window_extent()
    assert box.x0 >= figure.x0
    assert box.y0 >= figure.y0


@pytest.mark.parametrize(
    ("drawn", "options", "message"),
    [
        ({"a": COIN, "b": COIN}, {"label": "x"}, "label: there are several distributions"),
        ({}, {}, "empty mapping"),
        ({"a": COIN.assign(system="s")}, {}, "a: a frame in a mapping has one distribution"),
        (COIN.assign(system=None), {}, "system: 2 rows have no name"),
        ({"a": COIN.assign(probability=0.0)}, {}, "none is above 0 of a"),
        (3, {}, "draws a DataFrame or a result, not 3"),
    ],
)
def test_what_cannot_be_drawn(plt: Any, drawn: Any, options: Any, message: str) -> None:
    with pytest.raises(ft.FuzzytruthError, match=message):
        plots.distribution(drawn, **options)
    assert plt.get_fignums() == []


def test_scores_draw_their_distributions(plt: Any) -> None:
    truth = ft.Judgments.from_probabilities(["q", "q"], ["a", "b"], [0.9, 0.5])
    runs = {"x": {"q": {"a": 2, "b": 1}}, "y": {"q": {"b": 2, "a": 1}}}
    scores = ft.evaluate(truth, runs, ["P@1"])
    ax = scores.plot_distributions(query="q")
    heights = [[line[1, 1] for line in c.get_segments()] for c in ax.collections]
    assert np.array(heights) == pytest.approx(np.array([[0.1, 0.9], [0.5, 0.5]]))
    assert (
        scores.plot_distributions().get_xlabel() == "mean P@1 of 1 query\nover independent worlds"
    )
    gap = scores.plot_distributions(against="y", query="q")
    assert gap.get_xlabel() == "P@1 of query q, x minus y\nover independent worlds"
    segments = gap.collections[0].get_segments()
    found = scores.difference("x", "y", "P@1", query="q")
    assert [s[1].tolist() for s in segments] == found.to_frame().to_numpy().tolist()
    with pytest.raises(ft.OptionError, match="system 'z' is not among"):
        scores.plot_distributions(systems="z")
