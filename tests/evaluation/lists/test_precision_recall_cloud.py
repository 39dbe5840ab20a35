"""The cloud of precision and recall against every outcome of all items."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fuzzytruth as ft
from fuzzytruth.evaluation.lists.by_rank import make_cloud

quarters = st.sampled_from([0.0, 0.25, 0.5, 1.0])


def cloud_of(ranked, rest, depth):
    items = [f"d{j}" for j in range(len(ranked) + len(rest))]
    truth = ft.Judgments.from_probabilities(["q"] * len(items), items, ranked + rest)
    run = {"sys": {"q": {item: -float(j) for j, item in enumerate(items[: len(ranked)])}}}
    return ft.by_rank(truth, run, depth=depth).cloud("sys", "q")


def brute(ranked, rest, depth):
    """Probability of every (rank, recall, precision), all in fractions."""
    out = defaultdict(Fraction)
    for outcome in product((0, 1), repeat=len(ranked) + len(rest)):
        chance = Fraction(1)
        for p, hit in zip(ranked + rest, outcome, strict=True):
            chance *= Fraction(p) if hit else 1 - Fraction(p)
        for rank in range(1, depth + 1):
            hits = sum(outcome[: min(rank, len(ranked))])
            recall = Fraction(hits, sum(outcome)) if any(outcome) else Fraction(0)
            out[rank, recall, Fraction(hits, rank)] += chance
    return {point: chance for point, chance in out.items() if chance}


def quantile(values, level: float) -> float:
    """The smallest value that holds `level` of the probability up to it."""
    running = Fraction(0)
    for value, chance in sorted(values.items()):
        running += chance
        if running >= Fraction(level):
            return float(value)
    raise AssertionError("probabilities do not sum to 1")


lists = st.lists(quarters, min_size=1, max_size=4).filter(lambda ranked: max(ranked) > 0)


@settings(max_examples=40)
@given(lists, st.lists(quarters, max_size=3), st.integers(1, 5))
def test_points_curve_and_bands_by_every_outcome(ranked, rest, depth) -> None:
    cloud, points = cloud_of(ranked, rest, depth), brute(ranked, rest, depth)
    frame = cloud.to_frame()
    assert frame.columns.tolist() == ["rank", "recall", "precision", "probability"]
    got = frame.sort_values(["rank", "recall", "precision"]).to_numpy()
    expected = [[*map(float, point), float(points[point])] for point in sorted(points)]
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-11)
    curve, bands = cloud.mean_curve(), cloud.bands(0.5)
    assert curve["rank"].tolist() == bands["rank"].tolist() == list(range(1, depth + 1))
    for axis, name in enumerate(("recall", "precision"), start=1):
        for rank in range(1, depth + 1):
            law = defaultdict(Fraction)
            for point, chance in points.items():
                if point[0] == rank:
                    law[point[axis]] += chance
            assert curve[name][rank - 1] == pytest.approx(
                float(sum(value * chance for value, chance in law.items())), abs=1e-11
            )
            row = bands.iloc[rank - 1][[f"{name}_lower", f"{name}_upper"]].tolist()
            assert row == pytest.approx([quantile(law, 0.25), quantile(law, 0.75)], abs=1e-11)


def test_certain_judgments_have_one_point_a_rank() -> None:
    cloud = cloud_of([1.0, 0.0, 1.0], [1.0, 0.0], 3)
    frame = cloud.to_frame()
    assert frame["probability"].tolist() == [1, 1, 1]
    np.testing.assert_allclose(frame["recall"], [1 / 3, 1 / 3, 2 / 3], atol=1e-12)
    np.testing.assert_allclose(frame["precision"], [1, 1 / 2, 2 / 3], atol=1e-12)
    assert repr(cloud) == "Cloud(sys, query q: 3 points, 3 ranks)"


def test_equal_points_are_one() -> None:
    frame = cloud_of([0.5, 0.5], [], 2).to_frame()
    second = frame[frame["rank"] == 2]
    assert second[["recall", "precision"]].values.tolist() == [[0, 0], [1, 0.5], [1, 1]]
    assert second["probability"].tolist() == [0.25, 0.5, 0.25]


@pytest.mark.parametrize("level", [1.5, -0.1, np.nan])
def test_a_level_is_a_probability(level: float) -> None:
    with pytest.raises(ft.FuzzytruthError):
        cloud_of([0.5], [], 1).bands(level)


def test_components_are_mixed_by_weight() -> None:
    ranked, rest = [0.5, 0.25], [1.0]
    parts = [(0.75, ranked, rest), (0.25, ranked[::-1], rest)]
    frame = make_cloud(
        [(weight, np.array(p), np.array(q)) for weight, p, q in parts], ("sys", "q")
    ).to_frame()
    expected = defaultdict(float)
    for weight, p, q in parts:
        for point, chance in brute(p, q, 2).items():
            expected[point] += weight * float(chance)
    got = frame.sort_values(["rank", "recall", "precision"]).to_numpy()
    want = [[*map(float, point), expected[point]] for point in sorted(expected)]
    np.testing.assert_allclose(got, want, rtol=0, atol=1e-12)


VOTES = {"a": ["u", "u", "v", "top"], "b": ["u", "v"], "c": ["v", "v", "u"], "d": ["top", "u"]}


def by_example(**options) -> ft.RankDistributions:
    rows = [
        (f"s{s}", item, category)
        for item, given in VOTES.items()
        for s, category in enumerate(given)
    ]
    votes = ft.Assignments.from_columns(
        *zip(*rows, strict=True), taxonomy=ft.Taxonomy.from_children({"top": ["u", "v"]})
    )
    run = {"sys": {"a": {"b": 3.0, "c": 2.0, "d": 1.0}}}
    return ft.by_rank(votes.by_example(**options), run, depth=3)


def test_parts_are_the_clouds_given_each_category() -> None:
    """And the shares of the query's votes mix them."""
    cloud = by_example().cloud("sys", "a")
    assert {part.category: part.share for part in cloud.parts} == {"u": 0.5, "v": 0.25, "top": 0.25}
    mixed = defaultdict(float)
    for part in cloud.parts:
        alone = by_example(category=part.category).cloud("sys", "a").to_frame()
        np.testing.assert_allclose(part.to_frame(), alone, rtol=0, atol=1e-15)
        for *point, chance in alone.itertuples(index=False):
            mixed[tuple(point)] += part.share * chance
    got = cloud.to_frame()
    assert [tuple(point) for *point, _ in got.itertuples(index=False)] == sorted(mixed)
    assert got["probability"].tolist() == pytest.approx([mixed[point] for point in sorted(mixed)])
    assert repr(cloud.parts[0]) == "Cloud(sys, query a given top: 3 points, 3 ranks)"


def test_bands_by_category() -> None:
    cloud = by_example().cloud("sys", "a")
    frame = cloud.by_category(0.9)
    assert frame["category"].tolist() == ["top"] * 3 + ["u"] * 3 + ["v"] * 3
    for part in cloud.parts:
        rows = frame[frame["category"] == part.category].reset_index(drop=True)
        assert (rows["share"] == part.share).all()
        ends = ["precision_lower", "precision_upper"]
        np.testing.assert_array_equal(rows[ends], part.bands(0.9)[ends])
        np.testing.assert_array_equal(rows[["recall", "precision"]], part.mean_curve().iloc[:, 1:])
    mean = (frame["share"] * frame["precision"]).groupby(frame["rank"]).sum()
    assert mean.tolist() == pytest.approx(cloud.mean_curve()["precision"].tolist())
    top = frame[frame["category"] == "top"]  # everything is in the root
    assert (top[["precision", "precision_lower", "precision_upper"]] == 1).all(axis=None)


def test_a_band_over_all_where_there_are_no_categories() -> None:
    import matplotlib.pyplot as plt

    cloud = cloud_of([0.5], [], 1)
    assert (cloud.parts, len(cloud.by_category())) == ((), 0)
    assert len(cloud.plot().collections) == 2
    with pytest.raises(ft.OptionError, match="query 'q' has no category"):
        cloud.plot(by_category=True)
    several = by_example().cloud("sys", "a")
    assert len(several.plot().collections) == 1 + 3
    assert len(several.plot(by_category=False).collections) == 2
    given = by_example(category="u").cloud("sys", "a")
    assert [part.category for part in given.parts] == ["u"]
    assert len(given.plot().collections) == 2
    plt.close("all")
