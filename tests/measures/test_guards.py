"""What a user's measure gives back is checked, and the error names measure and method."""

import numpy as np
import pytest

import fuzzytruth as ft

pytestmark = pytest.mark.usefixtures("own_measures")

TRUTH = ft.Judgments.from_probabilities(["q", "q", "r"], ["a", "b", "a"], [0.5, 0.25, 0.5])
RUNS = {"x": {"q": {"a": 2.0, "b": 1.0}, "r": {"a": 1.0}}, "y": {"q": {"b": 1.0}, "r": {}}}


def registered(**methods):
    """A measure like P@1 with other exact methods."""

    def score(self, batch):
        return batch.hits(1, 1) * 1.0

    cls = type("Own", (ft.measures.Measure,), {"score": score, "__annotations__": {}, **methods})
    return ft.measures.register(cls, name="Own")


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
    with pytest.raises(ft.errors.MeasureError, match=message):
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
    with pytest.raises(ft.errors.MeasureError, match=f"Own: its .*{message}"):
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
    with pytest.raises(ft.errors.MeasureError, match=message):
        ft.evaluate({"q": {"a": 1, "b": 0}, "r": {"a": 0}}, RUNS, "Own", unjudged="bounds")
