"""What votes say of items: base rates, the weight of a prior, and parts of a variance."""

import itertools
import warnings
from typing import Any

import numpy as np
import pytest
from support.votes_of_items import GRADED, ITEMS, RUNS, RUNS_OF_ONE, VOTES, judgments

import fuzzytruth as ft
from fuzzytruth.annotators.planning.vote_posterior import (
    concentration_of,
    main_effects,
    orthonormal_steps,
    parts_under,
    vote_rates,
)


def test_variance_under_other_probabilities() -> None:
    rng = np.random.default_rng(3)
    chance, other = rng.dirichlet(np.ones(4), (2, 5))
    value = rng.normal(size=(5, 4))
    functions = orthonormal_steps(chance)
    coefficient = np.einsum("ifg,ig,ig->if", functions, chance, value)
    exact = (other * value**2).sum(axis=1) - (other * value).sum(axis=1) ** 2
    part, error = parts_under(functions, other, coefficient, np.zeros((5, 3)))
    np.testing.assert_allclose(part, exact)
    assert (error == 0).all()
    # with errors in the coefficients: no bias, and the error that is told
    size = rng.uniform(0.01, 0.1, (5, 3))
    seen = coefficient + size * rng.normal(size=(4000, 5, 3))
    parts, errors = zip(*(parts_under(functions, other, c, size**2) for c in seen), strict=True)
    spread = np.std(parts, axis=0)
    np.testing.assert_allclose(np.mean(parts, axis=0), exact, atol=4 * spread.max() / 60)
    np.testing.assert_allclose(np.sqrt(np.mean(errors, axis=0)), spread, rtol=0.1)


def test_matches_quadrature() -> None:
    """Posterior mean of the correlation, by 20,000 points."""
    counts = np.array([[2.0, 0], [1, 1], [0, 3], [1, 0]])
    rate = np.full(counts.shape, 0.5)
    rho = (np.arange(20_000) + 0.5) / 20_000
    alpha = 1 / rho - 1
    likelihood = np.ones_like(rho)
    for votes in counts.astype(int):  # votes drawn from an urn, one after the other
        total = 0
        for grade, n in enumerate(votes):
            for nth in range(n):
                likelihood *= (alpha * rate[0, grade] + nth) / (alpha + total)
                total += 1
    expected = (rho * likelihood).sum() / likelihood.sum()
    assert 1 / (1 + concentration_of(counts, rate)) == pytest.approx(expected, abs=1e-4)


def drawn(n_groups: int, size: int, seed: int = 0):
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(n_groups * size, 2))
    effect = np.repeat(rng.normal(0, 1, n_groups), size)
    odds = -0.5 + features @ [1.0, -0.7] + effect
    chance = 1 / (1 + np.exp(-odds))
    hits = rng.binomial(3, chance)
    offsets = np.arange(n_groups + 1) * size
    return np.stack((3 - hits, hits), axis=1).astype(float), features, offsets, chance


def test_one_group_is_logistic_regression() -> None:
    """Sums of residuals times features are 0 at the maximum of the likelihood."""
    counts, features, _, _ = drawn(1, 2000)
    found = vote_rates(counts, features, np.array([0, 2000]), 0.0)
    residual = counts[:, 1] - 3 * found[:, 1]
    scale = np.sqrt((3 * found[:, 0] * found[:, 1])[:, None] * features**2).sum(axis=0)
    assert (np.abs(features.T @ residual) < 1e-3 * scale).all()
    assert abs(residual.sum()) < 1


def signs(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).choice([-1.0, 1.0], shape)


@pytest.mark.parametrize("n_features", [5, 40, 300])
def test_no_bias_with_few_or_many_features(n_features: int) -> None:
    """Means over problems, within 4 standard errors or so."""
    features = signs(60, n_features, 200, seed=n_features)
    slope = np.random.default_rng(1).normal(0, 1 / np.sqrt(n_features), n_features)
    values = np.einsum("k,qkw->qw", slope, features) + features[:, 0] * features[:, 1]
    coefficient, variance = main_effects(features, values)
    error = np.sqrt(variance.mean(axis=0) / 60)
    assert (np.abs(coefficient.mean(axis=0) - slope) < 4.5 * error).all()
    parts = (coefficient**2 - variance).sum(axis=1)
    assert abs(parts.mean() - (slope**2).sum()) < 4 * parts.std() / np.sqrt(60)
    assert variance.mean() == pytest.approx(coefficient.var(axis=0).mean(), rel=0.15)


class Enumerated:
    """The exact posterior of a difference, by all worlds of each query."""

    def __init__(self, votes: Any, runs: Any, measure: str, prior: dict[float, float]) -> None:
        self.alpha = {
            q: np.array(v, dtype=float) + np.array([*prior.values()]) for q, v in votes.items()
        }  # (items, grades)
        self.worlds = {
            q: np.array([*itertools.product(range(a.shape[1]), repeat=len(a))])
            for q, a in self.alpha.items()
        }
        self.values = {q: self._differences(q, runs, measure) for q in votes}

    def _differences(self, query: str, runs: Any, measure: str) -> Any:
        """The difference in each world: worlds are the queries of one evaluation."""
        worlds = self.worlds[query]
        truth = {
            f"w{j:04}": dict(zip(ITEMS, map(float, world), strict=False))
            for j, world in enumerate(worlds)
        }
        lists = {name: dict.fromkeys(truth, answers[query]) for name, answers in runs.items()}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            values = ft.evaluate(truth, lists, measure).values[:, 0]
        return values[0] - values[1]

    def moments(self, alpha: dict[str, Any] | None = None) -> tuple[float, float]:
        """Mean and variance of the difference, Dirichlet shares being drawn for each item."""
        means, variances = [], []
        for query, a in (alpha or self.alpha).items():
            world, value = self.worlds[query], self.values[query]
            total = a.sum(axis=1)
            item = np.arange(len(a))
            single = (a / total[:, None])[item, world]  # (worlds, items)
            same = world[:, None] == world[None]
            both = single[:, None] * (a[item, world][None] + same) / (total + 1)
            mean = single.prod(axis=1) @ value
            means.append(mean)
            variances.append(value @ both.prod(axis=2) @ value - mean**2)
        return float(np.mean(means)), float(np.sum(variances)) / len(means) ** 2

    def narrowed(self, query: str, item: int, k: int = 1) -> float:
        """Expected decrease of the variance by `k` more votes on one item."""
        before, after = self.moments()[1], 0.0
        n_grades = self.alpha[query].shape[1]
        for votes in itertools.product(range(n_grades), repeat=k):
            alpha = {q: a.copy() for q, a in self.alpha.items()}
            chance = 1.0
            for grade in votes:
                chance *= alpha[query][item, grade] / alpha[query][item].sum()
                alpha[query][item, grade] += 1
            after += chance * self.moments(alpha)[1]
        return before - after


def narrowing_of(order: ft.results.AnnotationOrder) -> dict[tuple[str, str], float]:
    """Decrease of the variance by item."""
    rows = order.items
    amount = rows["narrowing"] * order.std_error**2
    return dict(zip(zip(rows["query"], rows["item"], strict=True), amount, strict=True))


@pytest.mark.parametrize(
    ("measure", "k", "votes", "runs"),
    [
        ("P@2", 1, VOTES, RUNS),
        ("RBP(p=0.5)", 2, VOTES, RUNS),
        ("TP", 2, VOTES, RUNS),
        ("FN", 1, VOTES, RUNS),
        ("DCG@3", 1, GRADED, RUNS_OF_ONE),
    ],
)
def test_linear_measures_are_exact(measure: str, k: int, votes: Any, runs: Any) -> None:
    grades = len(votes["q1"][0])
    prior = dict(zip([0.0, 1.0, 2.0][:grades], [1.0, 0.5, 0.25], strict=False))
    exact = Enumerated(votes, runs, measure, prior)
    order = ft.annotate_next(judgments(votes), runs, measure, prior=prior, k=k)
    mean, variance = exact.moments()
    assert order.difference == pytest.approx(mean, abs=1e-12)
    assert order.std_error**2 == pytest.approx(variance, abs=1e-12)
    assert order.interactions < 1e-9
    assert order.items["mc_error"].max() == 0
    found = narrowing_of(order)
    for query in votes:
        for i, item in enumerate(ITEMS):
            assert found[query, item] == pytest.approx(exact.narrowed(query, i, k), abs=1e-12)


@pytest.mark.parametrize(
    ("measure", "votes", "runs"), [("AP", VOTES, RUNS), ("nDCG", GRADED, RUNS_OF_ONE)]
)
def test_other_measures_agree_with_enumeration(measure: str, votes: Any, runs: Any) -> None:
    grades = len(next(iter(votes.values()))[0])
    prior = {float(g): 1.0 for g in range(grades)}
    exact = Enumerated(votes, runs, measure, prior)
    order = ft.annotate_next(judgments(votes), runs, measure, prior=prior, n_worlds=20_000)
    mean, variance = exact.moments()
    assert order.difference == pytest.approx(mean, abs=0.01)
    # what is left out are the interactions, of which the most is known
    assert order.std_error**2 < variance * 1.02
    assert order.std_error**2 * (1 + order.interactions) > variance * 0.98
    assert order.interactions > 0.002
    rows = order.items.set_index(["query", "item"])
    for query in votes:
        for i, item in enumerate(ITEMS):
            row = rows.loc[(query, item)]
            error = 4 * row["mc_error"] * row["narrowing"] / row["share"] + 0.004
            narrowed = exact.narrowed(query, i) / order.std_error**2
            assert row["narrowing"] == pytest.approx(narrowed, abs=error)


def test_the_error_of_a_share_is_that_of_many_seeds() -> None:
    votes = judgments(VOTES)
    tables = [
        ft.annotate_next(votes, RUNS, "AP", n_worlds=400, rng=seed).items for seed in range(20)
    ]
    shares = np.stack([t.sort_values(["query", "item"])["share"] for t in tables])
    errors = np.stack([t.sort_values(["query", "item"])["mc_error"] for t in tables])
    ratio = errors.mean(axis=0) / shares.std(axis=0, ddof=1)
    assert 0.7 < np.median(ratio) < 1.5


def test_variance_of_an_item_by_its_number_of_votes() -> None:
    """One vote's over n, with the share of it that is between items left out; unjudged: twice."""
    votes = judgments({"q1": [(1, 1), (2, 2), (0, 4), (1, 0)]})
    runs = {"x": {"q1": ["a", "b", "new"]}, "y": {"q1": ["c", "d"]}}
    for k in (1, 3):
        order = ft.annotate_next(votes, runs, "P@3", k=k)
        rows = order.items.set_index("item")
        ratio = rows["narrowing"] / rows["share"]
        n = rows["n_votes"].to_numpy()
        rest = 1 - order.correlation
        np.testing.assert_allclose(ratio, np.where(n > 0, k / (n + k), 1 - rest / (2 * k)))
        base = rows.loc["new", "grade"]
        assert rows.loc["new", "share"] * order.std_error**2 == pytest.approx(
            2 * base * (1 - base) / 9
        )
