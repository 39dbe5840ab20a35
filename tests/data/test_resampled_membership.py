"""Bootstrap errors of membership against closed forms and a loop over all resamples."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from support.small_collections import FIGURE_1
from support.worlds_of_items import subtree

import fuzzytruth as ft


def figure_1() -> ft.Assignments:
    frame = pd.DataFrame(
        {
            "subject": ["s1", "s2", "s3", "s4", "s5"],
            "item": "fig1",
            "category": ["people", "people", "crowd", "city", "city"],
        }
    )
    return ft.Assignments.from_frame(frame, taxonomy=ft.Taxonomy.from_children(FIGURE_1))


def test_resampled_subjects() -> None:
    from scipy.stats import beta

    frame = figure_1().membership().resampled(n_resamples=20_000, rng=1).set_index("category")
    # All voted on the item, so that the bootstrap's variance is p (1 - p) / S, times S / (S - 1);
    # all 126 ways to draw five subjects are gone through.
    want = np.sqrt(0.6 * 0.4 / 4)
    assert frame.loc["people", "std_error"] == pytest.approx(want, abs=1e-12)
    assert frame.loc["all", "std_error"] == 0.0
    # As many independent votes as have this spread: four. Where all agree: five of five.
    lower, upper = frame.loc["people", ["lower", "upper"]]
    assert lower == pytest.approx(beta.ppf(0.025, 2.4, 2.6))
    assert upper == pytest.approx(beta.ppf(0.975, 3.4, 1.6))
    assert frame.loc["all", ["lower", "upper"]].tolist() == pytest.approx([0.025**0.2, 1.0])
    again = figure_1().membership().resampled(n_resamples=20_000, rng=1).set_index("category")
    pd.testing.assert_frame_equal(frame, again)


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.LostVotesWarning")
def test_resampled_with_missing_votes_against_a_loop() -> None:
    rng = np.random.default_rng(5)
    tax = ft.Taxonomy.from_children(FIGURE_1)
    rows = [
        (f"s{s}", f"i{i}", str(rng.choice(tax.nodes)))
        for i in range(4)
        for s in range(5)
        if rng.random() < 0.7
    ]
    frame = pd.DataFrame(rows, columns=["subject", "item", "category"])
    m = ft.Assignments.from_frame(frame, taxonomy=tax).membership()
    result = m.resampled(n_resamples=4000, rng=0).set_index(["item", "category"])["std_error"]
    names = frame["subject"].unique()
    below = subtree(tax, "people")
    some = frame[frame["item"] == "i1"]
    hit, n = some["category"].isin(below), len(some)
    values = []
    for drawn in itertools.product(names, repeat=len(names)):
        weight = some["subject"].map({s: drawn.count(s) for s in names})
        total = weight.sum()
        values.append((weight * hit).sum() / total if total else hit.mean())
    want = np.std(values) * np.sqrt(n / (n - 1))
    assert 0 < hit.mean() < 1
    assert result["i1", "people"] == pytest.approx(want, abs=1e-12)


def test_intervals_of_few_subjects_cover() -> None:
    """Independent votes, p = .8: intervals of three to ten subjects hold it as promised."""
    rng = np.random.default_rng(0)
    tax = ft.Taxonomy.from_children({"all": ["a", "b"]})
    for n in (3, 5, 10):
        said = np.where(rng.random((400, n)) < 0.8, "a", "b")
        rows = [(f"s{s}", f"i{i}", said[i, s]) for i in range(400) for s in range(n)]
        frame = pd.DataFrame(rows, columns=["subject", "item", "category"])
        m = ft.Assignments.from_frame(frame, taxonomy=tax).membership()
        result = m.resampled(n_resamples=500, rng=1).query("category == 'a'")
        covered = ((result["lower"] <= 0.8) & (result["upper"] >= 0.8)).sum() / 400
        assert covered > 0.93


def test_a_single_subject_tells_nothing_of_others() -> None:
    tax = ft.Taxonomy.from_children({"all": ["a", "b"]})
    rows = [("s", "i", "a"), ("t", "j", "a"), ("s", "j", "b")]
    frame = pd.DataFrame(rows, columns=["subject", "item", "category"])
    m = ft.Assignments.from_frame(frame, taxonomy=tax).membership()
    with pytest.warns(ft.FuzzytruthWarning, match="resample for 2 of 15 probabilities"):
        result = m.resampled(rng=0).set_index(["item", "category"])
    assert result.loc[("i", "a"), ["std_error", "lower", "upper"]].isna().all()
    # Draws of (s, s), (s, t), (t, t): p = 0, 1/2, 1 with chances 1/4, 1/2, 1/4; times 2.
    assert result.loc[("j", "a"), "std_error"] == pytest.approx(0.5)


def test_repetitions_go_with_their_subject() -> None:
    rows = [("s", "i", "a", 1), ("s", "i", "b", 2), ("t", "i", "a", 1), ("u", "i", "b", 1)]
    frame = pd.DataFrame(rows, columns=["subject", "item", "category", "repeat"])
    result = ft.Assignments.from_frame(frame).membership().resampled(rng=0)
    own = np.array([1 / 2, 1, 0])  # p of a by subject
    means = [own[list(drawn)].mean() for drawn in np.ndindex(3, 3, 3)]
    got = result.set_index("category")["std_error"]
    assert got["a"] == pytest.approx(np.std(means) * np.sqrt(3 / 2))
    assert got["all"] == 0
