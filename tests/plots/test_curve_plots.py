"""Curves, fans and clouds, on frames and through results."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.drawn import corners_of, curves_of, legend_of, title_of
from support.results import some_votes

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.errors import DataError
from fuzzytruth.evaluation.lists.by_rank import Cloud

FRAME = pd.DataFrame(
    {
        "system": ["x"] * 3 + ["y"] * 3,
        "rank": [1, 2, 3] * 2,
        "value": [1, 0.6, 0.5, 0.5, np.nan, 0.7],
        "lower": [0.9, 0.5, np.nan, 0.4, 0.4, 0.6],
        "upper": [1.1, 0.7, np.nan, 0.6, 0.6, 0.8],
    }
)
RUNS = {
    "x": {f"q{q}": list("abcde") for q in range(6)},
    "y": {f"q{q}": list("edcba") for q in range(6)},
}


def crossed() -> ft.Judgments:
    """Two subjects who judged all items of all queries."""
    axes = {"query": RUNS["x"], "item": "abcde", "subject": ["ann", "bob"]}
    frame = pd.MultiIndex.from_product([*map(list, axes.values())], names=axes)
    grades = np.random.default_rng(3).integers(0, 2, len(frame))
    return ft.Judgments.from_frame(frame.to_frame(index=False).assign(grade=grades))


def test_lines_and_bands_are_those_of_the_frame(plt: Any) -> None:
    _, ax = plt.subplots()
    assert plots.curves(FRAME.assign(band="a band", measure="nDCG"), ax, title="t") is ax
    drawn = curves_of(ax)
    assert drawn["x"] == [[1, 1], [2, 0.6], [3, 0.5]]
    assert drawn["y"] == [[1, 0.5], [3, 0.7]]  # NaN has no point
    first, second = ax.collections
    assert corners_of(first) == {(1, 0.9), (1, 1.1), (2, 0.5), (2, 0.7)}
    assert {(1, 0.4), (3, 0.8)} <= corners_of(second)
    assert legend_of(ax) == ["x", "y", "a band"]
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title(loc="left")) == ("rank", "nDCG", "t")
    for look in ("get_color", "get_marker", "get_linestyle"):
        assert len({getattr(line, look)() for line in ax.lines[:2]}) == 2
    one = plots.curves(FRAME[FRAME["system"] == "x"], bands=False)
    assert (one.get_legend(), len(one.collections)) == (None, 0)
    rows = {"recall": [0.0, 1.0], "precision": [0.5, 0.25]}
    two = pd.concat([pd.DataFrame(rows).assign(system=name) for name in ("_x", "y")])
    ax = plots.curves(two, x="recall", y="precision")
    assert [name.strip() for name in legend_of(ax)] == ["_x", "y"]


def test_of_many_systems_the_highest_are_highlighted(plt: Any) -> None:
    heights = np.random.default_rng(0).permutation(63)
    frame = pd.DataFrame(
        {
            "system": np.repeat([f"run_$_{h}" for h in heights], 2),
            "rank": [1, 2] * 63,
            "value": np.repeat(heights, 2) / 63,
        }
    )
    ax = plots.curves(frame)
    assert len(ax.lines) == 63
    assert legend_of(ax) == [*(f"run_$_{h}" for h in (62, 61, 60, 59, 58)), "58 other systems"]
    faint = [line for line in ax.lines if line.get_color() == "0.8"]
    assert max(line.get_ydata()[0] for line in faint) == 57 / 63
    named = plots.curves(frame, highlight=["run_$_3"])
    assert legend_of(named) == ["run_$_3", "62 other systems"]
    assert curves_of(named)["run_$_3"] == [[1, 3 / 63], [2, 3 / 63]]
    ax.figure.canvas.draw()
    assert ax.get_legend().get_window_extent().y0 >= 0
    five = pd.concat([FRAME.assign(system=name) for name in "abcde"])  # too many bands
    for options, n in (({}, 0), ({"bands": True}, 5), ({"highlight": ["a", "e"]}, 2)):
        assert len(plots.curves(five, **options).collections) == n


def test_bands_over_queries_and_over_subjects(plt: Any) -> None:
    truth = crossed()
    drawn = ft.curves(truth, RUNS, "nDCG", worlds="subject")
    scores = ft.evaluate(truth, RUNS, ["nDCG@1", "nDCG@3"], worlds="subject")
    bands = drawn.bands(level=0.9)
    for row in scores.summary(over="query", method="t", level=0.9).itertuples():
        at = (bands["system"] == row.system) & (bands["rank"] == int(row.measure[-1]))
        mine = bands.loc[at, ["value", "lower", "upper"]].to_numpy()[0]
        assert mine == pytest.approx([row.mean, row.lower, row.upper])
    ax = drawn.plot(level=0.9)
    points = bands[bands["system"] == "y"]
    assert curves_of(ax)["y"] == points[["rank", "value"]].to_numpy().tolist()
    wanted = {(r, v) for r, *ends in points[["rank", "lower", "upper"]].to_numpy() for v in ends}
    np.testing.assert_allclose(sorted(corners_of(ax.collections[1])), sorted(wanted))
    assert legend_of(ax)[-1] == "pointwise 90 % t interval over queries"
    assert ax.get_title(loc="left") == "nDCG by rank: means over 6 queries and 2 subjects"
    gains = ft.curves(truth, RUNS, "CG", worlds="subject")
    bands = gains.bands(over="subject")
    alone = [
        ft.curves(truth.select(subjects=[name]), RUNS, "CG").mean()["value"]
        for name in ("ann", "bob")
    ]
    np.testing.assert_allclose(bands["lower"], np.minimum(*alone))
    np.testing.assert_allclose(bands["upper"], np.maximum(*alone))
    assert legend_of(gains.plot(over="subject"))[-1] == "range of 2 subjects"


def test_gain_against_recall_has_bands_of_the_queries_that_reach_it() -> None:
    truth = {"q1": {"a": 1, "b": 1}, "q2": {"a": 1}, "q3": {"a": 1, "z": 1}}
    runs = {"x": {q: ["a", "b"] for q in truth}}
    bands = ft.curves(truth, runs, "CG-recall").bands(level=0.8).set_index("recall")
    at_all = bands.loc[1.0]  # q1: 2 items, q2: 1; q3 never
    assert (at_all["n"], at_all["value"]) == (2, 1.5)
    assert at_all["upper"] - 1.5 == pytest.approx(3.0776835 * 0.5)  # t of 1 df, s / √2 = 1 / 2
    assert bands.loc[0.5, ["lower", "upper"]].tolist() == [1.0, 1.0]


def test_curves_are_thin_where_queries_drop_out(plt: Any) -> None:
    """With the numbers of queries that reach the last level."""
    truth = {"q1": {"a": 1, "b": 1}, "q2": {"a": 1}, "q3": {"a": 1, "z": 1}}
    runs = {"x": {q: ["a", "b"] for q in truth}, "y": {q: ["b"] for q in truth}}
    found = ft.curves(truth, runs, "CG-recall")
    mean = found.mean()
    assert mean["n"].tolist() == [3] * 5 + [2] * 5 + [1] * 5 + [0] * 5
    ax = found.plot(over=None)
    for system, n_full in (("x", 5), ("y", 0)):  # all of y's are over fewer
        known = mean[(mean["system"] == system) & mean["value"].notna()]
        rows = known[["recall", "value"]].to_numpy().tolist()
        assert curves_of(ax)[system] == rows[:n_full]
        thin = [one for one in ax.lines if one.get_linewidth() < 1]
        (line,) = [one for one in thin if one.get_xydata().tolist() == rows]
        assert line.get_markerfacecolor() == "white"
    label = "thin: fewer queries reach this recall (at their ends: 1 to 2 of 3)"
    assert [name.replace("\n", " ") for name in legend_of(ax)] == ["x", "y", label]
    ranks = ft.curves(truth, runs, "CG").plot(over=None)  # all queries have all ranks
    assert legend_of(ranks) == ["x", "y"]
    assert ranks.get_xlim()[0] == 0.5  # there is no rank 0


@pytest.mark.parametrize(
    ("kind", "x", "y"),
    [
        ("PR", "recall", "precision"),
        ("IPR", "recall", "interpolated precision"),
        ("DCG-recall", "recall", "DCG"),
    ],
)
def test_axes_name_the_kind_of_curve(plt: Any, kind: str, x: str, y: str) -> None:
    drawn = ft.curves(crossed(), RUNS, kind, worlds="subject")
    ax = drawn.plot(over=None)
    assert (ax.get_xlabel(), ax.get_ylabel()) == (x, y)
    mean = drawn.mean()
    column = "precision" if "precision" in mean else "value"
    mine = mean.loc[mean["system"] == "x", [x, column]].to_numpy()
    np.testing.assert_allclose(curves_of(ax)["x"], mine)


def test_what_has_no_bands(plt: Any) -> None:
    one = ft.curves({"q": {"a": 1}}, {"x": {"q": ["a"]}}, "CG")
    assert one.bands()[["lower", "upper"]].isna().all(axis=None)
    runs = {"x": {"q": ["a"], "r": ["a"]}}
    part = ft.Judgments.from_columns(["q", "q", "r"], list("aba"), [1, 0, 1], subject=list("sst"))
    frame = pd.DataFrame({"query": list("qqrr"), "item": list("abab"), "grade": [1, 0, 0, 1]})
    nested = ft.Judgments.from_frame(frame.assign(subject=list("stst")), design="nested")
    for drawn, options, message in (
        (one, {"over": "subject"}, "over='subject': the truth of these curves has no"),
        (one, {"over": "world"}, "over='world'"),
        (one, {"level": 95}, "level=95"),
        (
            ft.curves(part, runs, "CG", worlds="subject"),
            {"over": "subject"},
            "2 subjects of 2 did not judge all 2 queries",
        ),
        (
            ft.curves(nested, runs, "CG", worlds="subject", missing="nonrelevant"),
            {"over": "subject"},
            "over='subject': subjects are nested in queries",
        ),
    ):
        with pytest.raises(ft.errors.OptionError, match=message):
            drawn.bands(**options)
        with pytest.raises(ft.errors.OptionError, match=message):
            drawn.plot(**options)


# Fans of precision, recall and F by rank.

FAN = pd.DataFrame(
    {
        "rank": [1, 1, 2, 2],
        "mean": [0.5, 0.5, 0.4, 0.4],
        "median": [1.0, 1.0, 0.5, 0.5],
        "level": [0.5, 0.9, 0.5, 0.9],
        "lower": [0.4, 0.1, 0.3, 0.2],
        "upper": [0.6, 0.9, 0.5, 0.8],
    }
)


def ranks() -> ft.results.RankDistributions:
    items, chances = list("abcdefgh"), np.random.default_rng(0).uniform(size=16)
    truth = ft.Judgments.from_probabilities(["q"] * 8 + ["r"] * 8, items * 2, chances)
    both = {"q": items[:6], "r": items}
    return ft.by_rank(truth, {"x": both, "y": {q: both[q][::-1] for q in both}}, depth=5)


def test_fans_have_nested_intervals(plt: Any) -> None:
    _, ax = plt.subplots()
    assert plots.by_rank(FAN, ax, title="t") is ax
    wide, narrow = ax.collections
    ends = {(0.5, 0.1), (1.5, 0.1), (1.5, 0.2), (2.5, 0.2), (2.5, 0.8), (0.5, 0.9)}
    assert ends <= corners_of(wide)
    assert {(0.5, 0.4), (2.5, 0.3), (2.5, 0.5), (0.5, 0.6)} <= corners_of(narrow)
    assert ax.lines[-1].get_xydata().tolist() == [[1, 0.5], [2, 0.4]]
    assert legend_of(ax) == ["central 90 %", "central 50 %", "mean"]
    one, both = (line.get_alpha() for line in ax.lines[:2])
    assert one == pytest.approx(wide.get_facecolor()[0, 3])
    assert both == pytest.approx(1 - (1 - one) ** 2)  # as it looks inside both
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_xlim()) == ("rank", "value", (0.5, 2.5))
    assert ax.get_title(loc="left") == "t"
    median = plots.by_rank(FAN.drop(columns="mean"), line="median")
    assert median.lines[-1].get_ydata().tolist() == [1.0, 0.5]
    part = plots.by_rank(FAN.assign(lower=[0.4, 0.1, np.nan, np.nan]))
    assert (part.lines[-1].get_xdata().tolist(), part.get_xlim()) == ([1], (0.5, 1.5))
    assert all(tick == round(tick) for tick in part.get_xticks())


@pytest.mark.parametrize("measure", ["precision", "recall", "f"])
def test_fans_are_the_quantiles_of_the_distributions(plt: Any, measure: Any) -> None:
    options = {"query": "r", "system": "y", "levels": [0.9, 0.5]}
    found = ranks()
    frame = found.fan(measure, **options)
    for row in frame.itertuples():
        at = getattr(found, measure)("y", "r", row.rank)
        assert (row.mean, row.median) == (at.mean(), at.median())
        assert (row.lower, row.upper) == at.interval(row.level)
    ax = found.plot(measure=measure, **options)
    for band, level in zip(ax.collections, (0.9, 0.5), strict=True):
        rows = frame[frame["level"] == level]
        assert {y for _, y in corners_of(band)} == {*rows["lower"], *rows["upper"]}
    assert ax.lines[-1].get_ydata().tolist() == frame["mean"].to_numpy()[::2].tolist()
    name = {"f": "F"}.get(measure, measure)
    assert ax.get_ylabel() == name
    words = f"{name.capitalize()} at each rank, query r, over independent worlds"
    assert ax.get_title(loc="left") == words


def test_fans_of_several_systems_and_given_a_category(plt: Any) -> None:
    ax = ranks().plot(system=["x", "y"], levels=0.8)
    assert len(ax.collections) == 2
    assert legend_of(ax) == ["central 80 %", "mean of x", "mean of y"]
    first, second = ax.lines[-2:]
    assert first.get_linestyle() != second.get_linestyle()
    assert first.get_marker() != second.get_marker()
    ax = ranks().plot(system=["x", "y"], levels=[0.5, 0.8])  # the widest intervals of two
    assert (len(ax.collections), legend_of(ax)[0]) == (2, "central 80 %")
    four = pd.concat([FAN.assign(system=name) for name in "abcd"])
    ax = plots.by_rank(four)  # of more, none
    assert (len(ax.collections), len(legend_of(ax))) == (0, 4)
    assert title_of(ax).startswith("Without intervals")
    votes = ft.Assignments.from_columns(list("ststst"), list("aabbcc"), list("uvuuvv"))
    found = ft.by_rank(votes.by_example(), {"x": {"a": ["b", "c"]}}, depth=2)
    ax = found.plot(category="u")
    assert ax.lines[-1].get_ydata().tolist() == [1.0, 0.5]
    assert "query a given u" in ax.get_title(loc="left")
    assert found.plot().lines[-1].get_ydata().tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"measure": "AP"}, "measure='AP'"),
        ({"levels": 95}, "levels=95"),
        ({"levels": []}, "levels: name at least one"),
        ({"system": "z"}, "system 'z' is not among"),
        ({"query": "z"}, "query 'z' is not among"),
        ({"category": "z"}, "category='z'"),
    ],
)
def test_fans_that_cannot_be_drawn(plt: Any, wrong: Any, message: str) -> None:
    with pytest.raises(ft.errors.OptionError, match=message):
        ranks().plot(**wrong)
    assert plt.get_fignums() == []


# Clouds of precision and recall.

POINTS = pd.DataFrame(
    {"recall": [0.0, 0.5, 1.0], "precision": [0.0, 0.25, 1.0], "probability": [1e-4, 0.2, 0.8]}
)
CURVES = pd.DataFrame(
    {
        "recall": [0.25, 0.5],
        "precision": [0.75, 0.5],
        "precision_lower": [0.5, 0.25],
        "precision_upper": [1.0, 0.75],
    }
)


def test_points_curve_and_band(plt: Any) -> None:
    _, ax = plt.subplots()
    assert plots.precision_recall(POINTS, ax, curves=CURVES, level=0.9, title="q") is ax
    points, band = ax.collections
    assert points.get_offsets().tolist() == [[0.5, 0.25], [1.0, 1.0]]
    assert points.get_sizes().tolist() == pytest.approx([8 + 60 * 0.5, 68])
    assert points.get_facecolors()[:, 3].tolist() == pytest.approx([0.08 + 0.6 * 0.5, 0.68])
    assert corners_of(band) == {(0.25, 0.5), (0.25, 1.0), (0.5, 0.25), (0.5, 0.75)}
    assert curves_of(ax)["mean"] == CURVES[["recall", "precision"]].to_numpy().tolist()
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("recall", "precision")
    assert (ax.get_xlim(), ax.get_ylim()) == ((-0.02, 1.02), (-0.02, 1.05))
    assert ax.get_title(loc="left") == "q"
    words = [
        "possible recall and precision (larger: more probable)",
        "mean",
        "central 90 % of precision at a rank",
    ]
    assert legend_of(ax) == words
    alone = plots.precision_recall(POINTS)
    assert [line for line in alone.lines if len(line.get_xdata())] == []
    assert alone.get_legend() is None


def of_categories(n: int) -> pd.DataFrame:
    """Curves over all, and of `n` categories whose shares rise."""
    parts = [CURVES.assign(category="", share=1.0)]
    for j in range(n):
        share = (j + 1) / (n * (n + 1) / 2)
        parts.append((CURVES / (j + 2)).assign(category=f"${j}$", share=share))
    return pd.concat(parts, ignore_index=True)


def test_a_band_and_a_curve_for_each_category_of_few(plt: Any) -> None:
    ax = plots.precision_recall(POINTS, curves=of_categories(2))
    _, first, second = ax.collections  # none over all
    assert {x for x, _ in corners_of(first)} == {0.25 / 3, 0.5 / 3}
    assert {x for x, _ in corners_of(second)} == {0.25 / 2, 0.5 / 2}
    drawn = curves_of(ax)
    assert drawn["mean if $1$, probability 0.67"] == [[0.25 / 3, 0.25], [0.5 / 3, 0.5 / 3]]
    assert drawn["mean over all categories"] == [[0.25, 0.75], [0.5, 0.5]]
    assert legend_of(ax) == [
        "possible recall and precision (larger: more probable)",
        *("mean if $1$, probability 0.67", "mean if $0$, probability 0.33"),
        "mean over all categories",
        "central 95 % of precision at a rank",
    ]
    many = plots.precision_recall(POINTS, curves=of_categories(7))
    assert len(many.collections) == 1 + 4
    assert legend_of(many)[1:3] == [
        "3 other categories, probability 0.21",
        "mean if $6$, probability 0.25",
    ]
    many.figure.canvas.draw()
    assert many.get_legend().get_window_extent().y0 >= 0


def test_a_cloud_hands_down_its_frames(plt: Any) -> None:
    columns = ([0, 0.5, 1, 1], [0, 1, 0.5, 1], [0.5, 0.5, 1e-5, 1 - 1e-5])
    cloud = Cloud("sys", "q", np.array([1, 1, 2, 2]), *map(np.array, columns))
    ax = cloud.plot(level=0.5)
    points, band = ax.collections
    assert points.get_offsets().tolist() == [[0, 0], [0.5, 1], [1, 1]]
    mean = cloud.mean_curve()[["recall", "precision"]]
    assert curves_of(ax)["mean"] == mean.to_numpy().tolist()
    bands = cloud.bands(0.5)
    edges = {*bands["precision_lower"], *bands["precision_upper"]}
    assert {y for _, y in corners_of(band)} == edges
    assert ax.get_title(loc="left") == "sys, query q, ranks 1 to 2, over independent worlds"
    assert "central 50 % of precision at a rank" in legend_of(ax)


def test_mean_curves_never_run_backwards() -> None:
    """Nor with lists that end before the last rank, and categories of different sizes."""
    rng = np.random.default_rng(1)
    items = [f"i{j}" for j in range(8)]
    votes = ft.Assignments.from_columns(
        list("stuv") * 8, np.repeat(items, 4), rng.choice(["a", "b", "c"], 32).tolist()
    )
    runs = {"x": {q: rng.permutation([i for i in items if i != q])[:4].tolist() for q in items}}
    found = ft.by_rank(votes.by_example(), runs, depth=6)
    clouds = [found.cloud("x", query) for query in items]
    for one in (part for cloud in clouds for part in (cloud, *cloud.parts)):
        assert (np.diff(one.mean_curve()["recall"]) >= 0).all()
    with pytest.raises(DataError, match=r"curves: recall falls from 0.5 to 0.25 in row 1; give"):
        plots.precision_recall(POINTS, curves=CURVES.assign(recall=[0.5, 0.25]))


def test_held_out_votes_by_their_predicted_probability(plt: Any) -> None:
    votes = ft.datasets.load_model_vs_human("silhouette").votes
    fit = ft.reliability(votes, level=None, n_simulated=0)
    held: Any = fit.fit.scores
    predicted, observed, n = held.curve()
    ax = plots.reliability_curve(fit)
    (line,) = [one for one in ax.lines if one.get_marker() == "o"]
    np.testing.assert_allclose(line.get_xydata(), np.array([predicted, observed]).T[n > 0])
    assert [text.get_text() for text in ax.texts] == [f"{one:,.0f}" for one in n[n > 0]]
    assert n.sum() == len(votes.to_frame())
    ends = np.array([bar[:, 1] for bar in ax.collections[0].get_segments()])
    sums = np.round(observed * n)[n > 0].astype(int)
    for (low, high), k, of in zip(ends, sums, n[n > 0].astype(int), strict=True):
        interval = stats.binomtest(k, of).proportion_ci(0.95, "wilson")
        np.testing.assert_allclose((low, high), (interval.low, interval.high), atol=1e-6)
    assert (ax.get_xlabel(), ax.get_ylabel()) == (
        "predicted probability",
        "observed share of votes",
    )
    label = "share of votes, 95 % interval; below 0: number of votes"
    assert legend_of(ax) == ["as predicted", label]
    title = title_of(ax).replace("\xa0", " ")
    assert title.startswith(f"1,578 votes held out in ten folds, predicted by {held.chosen}; mean ")
    assert all(f"{row.model} {row.score:.3f}" in title for row in fit.scores().itertuples())


@pytest.mark.parametrize("size", [(6.4, 4.6), (3.4, 3.0)])
def test_numbers_of_votes_are_inside_the_axes_and_below_the_marks(plt: Any, size: Any) -> None:
    columns = {"predicted": [0.15, 0.55, 0.95], "observed": [0.0, 0.5, 1.0], "upper": 1.0}
    frame = pd.DataFrame(columns).assign(lower=0.0, n_votes=[7, 12_345, 1_234_567])
    figure, ax = plt.subplots(figsize=size, layout="constrained")
    plots.reliability_curve(frame, ax, title="two lines of a title\nas of a result of ten people")
    figure.canvas.draw()
    zero = ax.transData.transform((0, 0))[1]
    for text in ax.texts:
        box = text.get_window_extent()
        assert ax.bbox.y0 < box.y0 < box.y1 < zero
    assert title_of(ax).startswith("two lines")


def test_a_model_that_was_given_held_out_no_votes() -> None:
    fit = ft.reliability(some_votes(), "one-coin", n_simulated=0)
    with pytest.raises(DataError, match="the model was given, and no votes were held out"):
        plots.reliability_curve(fit)
