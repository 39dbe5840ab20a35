"""A new measure is one class: it is scored in every kind of world, exactly where it says how."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.measures import Measure, P

pytestmark = pytest.mark.usefixtures("own_measures")

RUNS = {"x": {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}, "y": {"q": {"c": 2.0, "b": 1.0, "u": 0.5}}}


@pytest.fixture
def measure():
    """Half the relevant items among the first k, with every method a measure may have."""

    class HalfHits(Measure):
        """Half the number of relevant items among the first k."""

        rel: float = 1
        weight: float = 0.5
        name: ClassVar[str] = "HalfHits"
        meaning: ClassVar[str] = "half the number of relevant items among the first k"
        range: ClassVar[tuple[float, float]] = (0.0, float("inf"))

        def score(self, batch):
            return self.weight * batch.hits(self.cutoff, self.rel)

        def moments(self, probabilities):
            p = probabilities.hits.at_least(self.rel) * (probabilities.rank <= self.k)
            starts = probabilities.hits.offsets[:-1]
            mean = np.add.reduceat(p, starts, axis=-1)
            variance = np.add.reduceat(p * (1 - p), starts, axis=-1)
            return self.weight * mean, self.weight**2 * variance

        def exact_distribution(self, probabilities):
            pmf = np.ones(1)
            for p in probabilities.hits.at_least(self.rel)[probabilities.rank <= self.k]:
                pmf = np.convolve(pmf, [1 - p, p])
            return self.weight * np.arange(len(pmf)), pmf

        def bounds(self, lists):
            inside = lists.within(self.k)
            low = inside.relevant(self.rel).sum(axis=-1)
            return self.weight * low, self.weight * (low + inside.n_open)

    return ft.register(HalfHits)


def votes(grades: dict[str, list[int]]) -> pd.DataFrame:
    rows = [("q", i, s, g) for i, own in grades.items() for s, g in zip("stu", own, strict=False)]
    return pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])


VOTES = votes({"a": [1, 1, 0], "b": [1, 0, 0], "c": [1, 1, 1]})


def test_crisp(measure) -> None:
    truth = {"q": {"a": 1, "b": 0, "c": 1}}
    scores = ft.evaluate(truth, RUNS, ["HalfHits@2", measure(weight=2) @ 3])
    assert scores.values[:, :, 0].tolist() == [[0.5, 4], [0.5, 2]]
    assert scores.measures == ("HalfHits@2", "HalfHits(weight=2)@3")


def test_bounds(measure) -> None:
    scores = ft.evaluate({"q": {"a": 1, "b": 0, "c": 1}}, RUNS, "HalfHits@3", unjudged="bounds")
    assert scores.lower[:, 0, 0].tolist() == [1, 0.5]
    assert scores.upper[:, 0, 0].tolist() == [1, 1]  # y retrieved u, which nobody judged


def test_subjects(measure) -> None:
    scores = ft.evaluate(VOTES, RUNS, "HalfHits@2", worlds="subject")
    assert scores.values[0, 0].tolist() == [1, 0.5, 0]


def test_independent(measure) -> None:
    scores = ft.evaluate(VOTES, RUNS, ["HalfHits@2", "P@2"], worlds="independent", rng=0)
    assert scores.uncertainty.exact.all()
    assert scores.values[:, 0, 0] == pytest.approx([0.5 * (2 / 3 + 1 / 3), 0.5 * (1 + 1 / 3)])
    assert scores.uncertainty.std[0, 0, 0] == pytest.approx(0.5 * np.sqrt(2 * 2 / 9))
    distribution = scores.distribution("x", "q", "HalfHits@2")
    assert distribution.exact
    assert distribution.values.tolist() == [0, 0.5, 1]
    assert distribution.probabilities == pytest.approx([2 / 9, 5 / 9, 2 / 9])
    np.testing.assert_allclose(scores.values[:, 0], scores.values[:, 1])  # half of two is P@2


def test_population(measure) -> None:
    scores = ft.evaluate(VOTES, RUNS, ["HalfHits@2", P @ 2], worlds="population", rng=0)
    assert scores.uncertainty.exact.all()
    assert scores.values[:, 0, 0] == pytest.approx([0.5, 2 / 3])
    np.testing.assert_allclose(scores.uncertainty.std[:, 0], scores.uncertainty.std[:, 1])


def test_without_moments_it_is_simulated(measure, monkeypatch) -> None:
    monkeypatch.delattr(measure, "moments")
    scores = ft.evaluate(VOTES, RUNS, "HalfHits@2", worlds="independent", rng=0, n_worlds=4000)
    assert not scores.uncertainty.exact.any()
    error = scores.uncertainty.mc_error[:, 0, 0]
    assert (np.abs(scores.values[:, 0, 0] - [0.5, 2 / 3]) < 4 * error).all()


def test_arithmetic_on_grades_is_of_floats_in_any_layout() -> None:
    class Above(Measure):
        """How far the grades of all hits are above 1."""

        name: ClassVar[str] = "Above"
        any_layout: ClassVar[bool] = True
        range: ClassVar[tuple[float, float]] = (-float("inf"), float("inf"))

        def score(self, batch):
            assert batch.gain.dtype == np.float64
            return batch.per_query(batch.gain - 1)

    above = ft.register(Above)()
    scores = ft.evaluate(votes({"a": [0, 2], "b": [0, 1], "c": [0, 0]}), RUNS, above, rng=0)
    expected = np.array([[[-1.5]], [[-1.5]]])
    assert (abs(scores.values - expected) <= 5 * scores.uncertainty.mc_error).all()


class _Listed:
    """A kernel beside a measure's class, which takes hits end to end."""

    def score(self, batch):
        return batch.per_query(batch.relevant(1)) / (10 * np.diff(batch.offsets))


class _Half:
    def score(self, batch):
        return (P(rel=1) @ 3).score(batch.end_to_end()) / 2


@pytest.mark.parametrize("kernel", [_Listed, _Half])
@pytest.mark.parametrize("beside", [True, False])
def test_another_kernel_has_none_of_the_closed_forms(kernel: type, beside: bool) -> None:
    bases, own = ((kernel, P), {}) if beside else ((P,), {"score": kernel.score})
    made = ft.register(type("AnotherP", bases, {**own, "name": "AnotherP"}))
    truth = votes({"a": [2, 0, 1], "b": [0, 1, 1], "c": [1, 0, 0]})
    scores = ft.evaluate(truth, RUNS, [made() @ 3], rng=0)
    assert not scores.uncertainty.exact.any()
    by_subject = ft.evaluate(truth, RUNS, [made() @ 3], worlds="subject")
    assert (made.any_layout, made.stops_at_cutoff, made.linear) == (False, False, False)
    expected = by_subject.values.mean(axis=-1)  # linear, in fact
    assert (abs(scores.values[..., 0] - expected) <= 5 * scores.uncertainty.mc_error[..., 0]).all()
