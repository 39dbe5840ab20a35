"""Scores under resampled subjects, against going through all resamples."""

from __future__ import annotations

import itertools
from math import factorial, prod

import numpy as np
import pandas as pd
import pytest
from support.every_world import enumerated, moments, small
from support.scores_for_tests import dense

import fuzzytruth as ft
from fuzzytruth.errors import LostVotesWarning

quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


def resamples(names):
    """All resamples of the subjects with their probabilities."""
    n = len(names)
    for drawn in itertools.combinations_with_replacement(names, n):
        ways = factorial(n) // prod(factorial(drawn.count(x)) for x in names)
        yield drawn, ways / n**n


@quiet
@pytest.mark.parametrize("top", [1, 2])
@pytest.mark.parametrize("missing", [False, True])
def test_population_worlds(top, missing):
    """The expectation under the votes of every resample, weighted by its probability."""
    votes, runs = small(6, top=top, missing=missing)
    measures = ["P@2", "AP", "nDCG@3", "RR", "bpref"]
    names = sorted(votes["subject"].unique())
    means, weights = [], []
    for drawn, weight in resamples(names):
        parts = []
        for _, part in votes.groupby(["query", "item"]):
            own = pd.concat([part[part["subject"] == name] for name in drawn])
            parts.append(own if len(own) else part)  # an item that lost all keeps its share
        want = enumerated(pd.concat(parts), runs, measures)
        means.append(np.stack([moments(*cell)[0] for cell in want.values()], axis=-1))
        weights.append(weight)
    means, weights = np.array(means), np.array(weights)
    center = np.tensordot(weights, means, 1)
    spread = np.sqrt(np.tensordot(weights, (means - center) ** 2, 1) * 3 / 2)
    scores = ft.evaluate(votes, runs, measures, worlds="population", rng=0)
    result = scores.uncertainty
    assert result.n_worlds == 10
    order = [scores.queries.index(q) for q in want]
    limit = np.where(result.exact, 1e-12, 4 * result.mc_error + 1e-12)[..., order]
    assert (np.abs(dense(scores)[:, :, 0][..., order] - center) <= limit).all()
    known = result.exact.all(axis=-1)
    np.testing.assert_allclose(result.std[known][:, order], spread[known], atol=1e-12)
    np.testing.assert_allclose(result.std[..., order], spread, atol=0.1)


@quiet
def test_population_by_sampling_agrees_with_enumeration():
    votes, runs = small(7)
    exact = ft.evaluate(votes, runs, ["P@2", "AP"], worlds="population", rng=0)
    drawn = ft.evaluate(votes, runs, ["P@2", "AP"], worlds="population", n_worlds=9, rng=0)
    assert exact.uncertainty.n_worlds == 10
    assert drawn.uncertainty.n_worlds == 9
    more, _ = small(7, n_subjects=8)
    many = ft.evaluate(more, runs, ["P@2"], worlds="population", n_worlds=3000, rng=0)
    share = more.assign(rel=more["grade"] >= 1).groupby(["query", "item"])["rel"].mean()
    for j, query in enumerate(many.queries):
        for s, system in enumerate(many.systems):
            top = sorted(runs[system][query], key=runs[system][query].get)[-2:]
            p = sum(share.get((query, item), 0.0) for item in top) / 2
            error = many.uncertainty.mc_error[s, 0, j]
            assert dense(many)[s, 0, 0, j] == pytest.approx(p, abs=4 * error + 1e-12)


@quiet
def test_population_nested_in_queries():
    """Each query's subjects are resampled on their own."""
    votes, runs = small(8)
    crossed = ft.Judgments.from_frame(votes)
    nested = ft.Judgments.from_frame(votes, design="nested")
    one = ft.evaluate(crossed, runs, ["P@2"], worlds="population", n_worlds=4000, rng=0)
    two = ft.evaluate(nested, runs, ["P@2"], worlds="population", n_worlds=4000, rng=0)
    np.testing.assert_allclose(two.values, one.values, atol=4 * two.uncertainty.mc_error.max())
    np.testing.assert_allclose(two.uncertainty.std, one.uncertainty.std, atol=0.02)
    each = two.uncertainty.std[0, 0] ** 2
    spread = two.mean_distribution("a", "P@2").std() ** 2 * 3 / 2
    assert spread == pytest.approx(each.sum() / 9, rel=0.1)  # queries are independent


@quiet
def test_population_needs_two_subjects():
    votes, runs = small(0)
    with pytest.raises(ft.OptionError, match="at least two of them, and these judgments have 1"):
        ft.evaluate(votes[votes["subject"] == "s0"], runs, "AP", worlds="population")
    with pytest.raises(ft.OptionError, match="system 'c' is not among these scores"):
        ft.evaluate(votes, runs, "AP", n_worlds=5).distribution("c", "q0", "AP")


def test_distributions_say_when_their_atoms_are_estimates():
    rng = np.random.default_rng(5)
    rows = [("q", f"d{i}", f"s{s}", float(rng.integers(3))) for i in range(6) for s in range(3)]
    votes = ft.Judgments.from_frame(
        pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    )
    runs = {"y": {"q": {f"d{i}": 9.0 - i for i in range(6)}}}
    scores = ft.evaluate(votes, runs, ["ERR", "P@2"], worlds="population", rng=3)
    assert not scores.distribution("y", "q", "ERR").exact
    assert scores.mean_distribution("y", "ERR").mc_error > 0
    assert scores.mean_distribution("y", "P@2").exact
    with pytest.raises(ft.OptionError, match="2 resamples or more"):
        ft.evaluate(votes, runs, ["AP"], worlds="population", n_worlds=1)
    single = ft.evaluate(votes, runs, ["ERR"], n_worlds=1, rng=0).to_frame()
    assert single["mc_error"].tolist() == [np.inf]


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.UndefinedMeasureWarning")
def test_noise_of_estimates_is_not_spread():
    """Tied items that are never relevant make AP drawn, and change nothing else."""
    rng = np.random.default_rng(1)
    votes = [("q", f"d{i}", f"s{s}", int(rng.random() < 0.5)) for i in range(4) for s in range(6)]
    none = [("q", d, f"s{s}", 0) for d in ("x", "y") for s in range(6)]
    columns = ["query", "item", "subject", "grade"]
    lists = {"y": {"q": {f"d{i}": 9.0 - i for i in range(4)} | {"x": 1.0, "y": 1.0}}}
    truth = ft.Judgments.from_frame(pd.DataFrame(votes + none, columns=columns))
    plain = ft.evaluate(truth, lists, ["AP"], worlds="population", rng=0)
    drawn = ft.evaluate(truth, lists, ["AP"], worlds="population", rng=0, ties="expected")
    assert plain.uncertainty.exact.all()
    assert not drawn.uncertainty.exact.any()
    exact = plain.mean_distribution("y", "AP").std()
    assert drawn.mean_distribution("y", "AP").std() == pytest.approx(exact, rel=0.1)
    assert drawn.distribution("y", "q", "AP").std() == pytest.approx(exact, rel=0.1)
    assert drawn.uncertainty.std[0, 0, 0] == pytest.approx(plain.uncertainty.std[0, 0, 0], rel=0.1)


@quiet
def test_exact_values_stay_in_their_range():
    """Quadrature and weighted means round, but no AP is above 1."""
    rows = [
        (f"q{n}", f"d{d}", f"s{s}", 1) for n in range(1, 80) for d in range(n) for s in range(3)
    ]
    votes = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    runs = {"x": {f"q{n}": {f"d{d}": -float(d) for d in range(n)} for n in range(1, 80)}}
    for worlds in ("independent", "population"):
        scores = ft.evaluate(votes, runs, ["AP", "nDCG", "R", "F"], worlds=worlds, rng=0)
        assert scores.values.max() <= 1
        assert scores.values.min() == pytest.approx(1, abs=1e-12)


@quiet
def test_t_intervals_by_hand():
    """Four subjects; P@1 of one query is the share of those who say yes."""
    votes = [("q", "d", f"s{s}", grade) for s, grade in enumerate([1, 1, 0, 1])]
    frame = pd.DataFrame(votes, columns=["query", "item", "subject", "grade"])
    runs = {"x": {"q": {"d": 1.0}}}
    scores = ft.evaluate(frame, runs, ["P@1"], worlds="population", rng=0)
    (row,) = scores.summary(over="world").itertuples()
    # sqrt(.75 * .25 / 4) over resamples, times sqrt(4 / 3) and t(3) = 3.18244630528
    half = 3.18244630528 * 0.25
    assert row.mean == pytest.approx(0.75)
    assert 0.75 - half < 0 < 1 < 0.75 + half  # cut at the ends of the measure
    assert (row.lower, row.upper) == (0, 1)
    (row,) = scores.summary(over="world", level=0.5).itertuples()  # t(3) = 0.764892328404
    half = 0.764892328404 * 0.25
    assert (row.lower, row.upper) == pytest.approx((0.75 - half, 0.75 + half))


def nested_votes():
    """One item a query: two judges of q say 1, 0, and four of r say 1, 1, 1, 0."""
    rows = [("q", "d", f"s{s}", g) for s, g in enumerate([1, 0])]
    rows += [("r", "d", f"s{s}", g) for s, g in enumerate([1, 1, 1, 0])]
    frame = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    return ft.Judgments.from_frame(frame, design="nested")


ONE = {"x": {"q": {"d": 1.0}, "r": {"d": 1.0}}}


def test_nested_subjects_are_counted_in_each_query():
    scores = ft.evaluate(nested_votes(), ONE, ["P@1"], worlds="population", n_worlds=20000, rng=0)
    # p (1 - p) / S over resamples, times S / (S - 1)
    want = [0.25 / 2 * 2, 0.75 * 0.25 / 4 * 4 / 3]
    assert (scores.uncertainty.std[0, 0] ** 2).tolist() == pytest.approx(want, rel=0.04)


def test_nested_subjects_have_no_mean_of_their_own():
    scores = ft.evaluate(nested_votes(), ONE, ["P@1"], worlds="subject")
    with pytest.raises(ft.OptionError, match="nested in queries: a name is another person"):
        scores.mean_distribution("x", "P@1")
    assert scores.distribution("x", "r", "P@1").mean() == 0.75


def test_lost_votes_are_counted():
    """Three resamples of two subjects; only those with the first one leave b a vote."""
    rows = [("q", "a", "s", 1), ("q", "a", "t", 1), ("q", "b", "s", 1)]
    frame = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    runs = {"x": {"q": {"b": 1.0}}}
    with pytest.warns(
        LostVotesWarning, match="no vote left in 1 of 6 pairs of a resample and an item"
    ):
        scores = ft.evaluate(frame, runs, ["P@1"], worlds="population", rng=0)
    assert scores.values.item() == 1.0


@quiet
@pytest.mark.parametrize("kind", ["all resamples", "drawn", "pooled"])
def test_saved_and_loaded(kind, tmp_path):
    votes, runs = small(3, top=2, missing=True, n_subjects=3)
    options = {"worlds": "population", "n_worlds": 9 if kind == "drawn" else 1000}
    if kind == "pooled":
        options = {"worlds": "subject", "missing": "pooled", "n_worlds": 40}
    scores = ft.evaluate(votes, runs, ["AP", "bpref"], rng=0, keep_worlds=True, **options)
    scores.save(tmp_path / "s.parquet")
    back = ft.Scores.load(tmp_path / "s.parquet")
    pd.testing.assert_frame_equal(back.to_frame(), scores.to_frame())
    for name in ("std", "exact", "mc_error", "world_means", "weight", "kept"):
        one, two = getattr(scores.uncertainty, name), getattr(back.uncertainty, name)
        if one is None:
            assert two is None
        else:
            np.testing.assert_array_equal(one, two)
    for name in ("worlds", "inflation", "drawn", "n_worlds", "entropy"):
        assert getattr(scores.uncertainty, name) == getattr(back.uncertainty, name)
    if kind == "all resamples":  # ten of three subjects, whose weights differ
        assert back.uncertainty.weight.tolist() == pytest.approx(
            [1 / 27, 3 / 27, 3 / 27, 3 / 27, 6 / 27, 3 / 27, 1 / 27, 3 / 27, 3 / 27, 1 / 27]
        )
    for query in (None, "q0"):
        one, two = (x.difference("a", "b", "bpref", query=query) for x in (scores, back))
        np.testing.assert_array_equal(one.values, two.values)
        np.testing.assert_array_equal(one.probabilities, two.probabilities)
