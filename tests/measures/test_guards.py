"""What a user's measure gives back is checked, and the error names measure and method."""

import numpy as np
import pytest
from support.scores_for_tests import dense

import fuzzytruth as ft
from fuzzytruth.measures import P

pytestmark = pytest.mark.usefixtures("own_measures")

TRUTH = ft.Judgments.from_probabilities(["q", "q", "r"], ["a", "b", "a"], [0.5, 0.25, 0.5])
RUNS = {"x": {"q": {"a": 2.0, "b": 1.0}, "r": {"a": 1.0}}, "y": {"q": {"b": 1.0}, "r": {}}}


def registered(**methods):
    """A measure like P@1 with other exact methods."""

    def score(self, batch):
        return batch.hits(1, 1) * 1.0

    cls = type("Own", (ft.Measure,), {"score": score, "__annotations__": {}, **methods})
    return ft.register(cls, name="Own")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((np.zeros(3), None), r"Own: its mean is an array of shape \(3,\); it must give one"),
        (("many", None), "Own: its mean gave 'many'; it must give numbers"),
        ((np.full(2, np.inf), None), "Own: its mean is infinite for some query"),
        ((np.ones(2), np.zeros((2, 1))), r"Own: its variance is an array of shape \(2, 1\)"),
        ((np.ones(2), np.full(2, -0.1)), "Own: its variance is negative for some query: -0.1"),
        (np.zeros(2), r"Own: its moments gave array\(\[0., 0.\]\); it must give a mean and a var"),
        ((np.zeros(2),), "it must give a mean and a variance, which may be None"),
    ],
)
def test_wrong_moments(given, message):
    registered(moments=lambda self, m: given)
    with pytest.raises(ft.MeasureError, match=message):
        ft.evaluate(TRUTH, RUNS, "Own", rng=0)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (([0.0, 1.0], [0.5, 0.6]), "exact_distribution gave probabilities that add up to 1.1"),
        (([0.0, 1.0], [1.5, -0.5]), "probabilities that add up to 1; they must be 0 or more"),
        (([0.0, 1.0], [1.0]), r"values of shape \(2,\) and probabilities of shape \(1,\)"),
        (([0.0, np.nan], [0.5, 0.5]), "the values finite"),
        ([0.0, 1.0], "it must give two arrays"),
    ],
)
def test_wrong_distributions(given, message):
    registered(exact_distribution=lambda self, m: given)
    scores = ft.evaluate(TRUTH, RUNS, "Own", rng=0)
    with pytest.raises(ft.MeasureError, match=f"Own: its .*{message}"):
        scores.distribution("x", "q", "Own")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((np.zeros((1, 2)), np.zeros(3)), r"bounds are arrays of shape \(1, 2\) and \(3,\)"),
        ((np.ones((1, 2)), np.zeros((1, 2))), "lower bound is above its upper bound"),
        (3, "its bounds gave 3; it must give two arrays"),
    ],
)
def test_wrong_bounds(given, message):
    registered(bounds=lambda self, lists: given)
    with pytest.raises(ft.MeasureError, match=message):
        ft.evaluate({"q": {"a": 1, "b": 0}, "r": {"a": 0}}, RUNS, "Own", unjudged="bounds")


def test_nan_means_that_the_value_is_not_known():
    """The query whose mean is NaN is simulated, the other one is exact."""
    registered(moments=lambda self, m: (P(cutoff=1).moments(m)[0] * [np.nan, 1.0], None))
    scores = ft.evaluate(TRUTH, RUNS, "Own", rng=0, n_worlds=4000)
    assert scores.uncertainty.exact[:, 0].tolist() == [[False, True]] * 2
    assert dense(scores)[0, 0, 0, 1] == 0.5
    error = scores.uncertainty.mc_error[0, 0]
    assert error[1] == 0
    assert dense(scores)[0, 0, 0, 0] == pytest.approx(0.5, abs=4 * error[0])


def test_a_difference_scores_what_it_needs_once():
    calls = []

    def counted(batch):
        calls.append(batch)
        return batch.hits(1, 1) * 1.0

    ft.register(counted, name="Counted")
    scores = ft.evaluate(TRUTH, RUNS | {"z": RUNS["x"]}, ["Counted", "P@2"], rng=0, n_worlds=64)
    drawn = [scores.distribution(s, "q", "Counted") for s in "xy"]
    calls.clear()
    gap = scores.difference("x", "y", "Counted", query="q")
    assert len(calls) == 2  # one block of worlds, two systems
    assert gap.mean() == pytest.approx(drawn[0].mean() - drawn[1].mean())
