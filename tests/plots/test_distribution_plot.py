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


def test_lines_end_at_the_probabilities(plt: Any) -> None:
    """Unsorted rows, and two of the same value."""
    frame = pd.DataFrame({"value": [1, 0, 1], "probability": [0.25, 0.5, 0.25]})
    lines = plots.distribution(frame).collections[0].get_segments()
    assert [line.tolist() for line in lines] == [[[0, 0], [0, 0.5]], [[1, 0], [1, 0.5]]]
    of_a_distribution = Distribution.from_atoms([0, 1], [0.5, 0.5]).plot().collections[0]
    np.testing.assert_array_equal(of_a_distribution.get_segments(), lines)


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
    one, two = (
        ft.Distribution.poisson_binomial([0.5] * 12),
        ft.Distribution.poisson_binomial([0.1] * 12),
    )
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
    with pytest.raises(ft.errors.OptionError, match="system 'z' is not among"):
        scores.plot_distributions(systems="z")
