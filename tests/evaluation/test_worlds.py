"""Scores under worlds, against going through all of them."""

import numpy as np
import pytest
from support.every_world import enumerated, moments, small
from support.scores_for_tests import dense

import fuzzytruth as ft

MEASURES = [
    "P@2", "P", "R@2", "R", "F@3", "AP", "AP@2", "nDCG@3", "nDCG", "RR", "Success@1", "Success@3",
    "Rprec", "RBP", "DCG@3", "ERR@3", "bpref", "NN", "FT", "ST", "E@3", "P(rel=2)@2", "AP(rel=2)",
]  # fmt: skip


pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


def measures_for(top):
    return [m for m in MEASURES if top > 1 or "rel=2" not in m]


def test_mean_over_queries_in_shared_worlds():
    votes, runs = small(5)
    want = enumerated(votes, runs, ["AP"])
    scores = ft.evaluate(votes, runs, ["AP"], n_worlds=5000, rng=3)
    mean = {q: moments(*cell) for q, cell in want.items()}
    result = scores.mean_distribution("a", "AP")
    total = np.mean([m[0, 0] for m, _ in mean.values()])
    spread = np.sqrt(sum(s[0, 0] ** 2 for _, s in mean.values())) / len(mean)
    assert result.mean() == pytest.approx(total, abs=4 * result.mc_error)
    assert result.std() == pytest.approx(spread, rel=0.05)
    assert scores.mean().loc["a", "AP"] == pytest.approx(total, abs=4 * result.mc_error)
    gap = scores.difference("a", "b", "AP")
    other = np.mean([m[1, 0] for m, _ in mean.values()])
    assert gap.mean() == pytest.approx(total - other, abs=4 * gap.mc_error)


def test_probabilities():
    truth = ft.Judgments.from_probabilities(["q"] * 3, ["a", "b", "c"], [0.2, 0.5, 0.9])
    runs = {"x": {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}}
    scores = ft.evaluate(truth, runs, ["P@3", "P@1"], rng=0)
    assert dense(scores)[0, :, 0, 0] == pytest.approx([1.6 / 3, 0.2])
    result = scores.distribution("x", "q", "P@3")
    np.testing.assert_allclose(result.pmf(result.values), [0.04, 0.41, 0.46, 0.09])
    with pytest.raises(
        ft.errors.DataError, match=r"row 2, column 'probability': value 1.5 is not a prob"
    ):
        ft.Judgments.from_probabilities(["q", "q"], ["a", "b"], [0.1, 1.5])
    with pytest.raises(ft.errors.OptionError, match="probabilities and have no subjects"):
        ft.evaluate(truth, runs, "P@1", worlds="population")


@pytest.mark.parametrize("worlds", ["independent", "population"])
def test_errors_are_as_large_as_they_say(worlds):
    """The variance over seeds, over the mean squared Monte Carlo error: neither more nor less."""
    votes, runs = small(4, top=2, n_subjects=5)
    result = [
        ft.evaluate(votes, runs, ["bpref", "ERR"], worlds=worlds, n_worlds=60, rng=seed)
        for seed in range(60)
    ]
    spread = np.array([dense(s)[:, :, 0] for s in result]).var(axis=0, ddof=1)
    claimed = np.mean([s.uncertainty.mc_error**2 for s in result], axis=0)
    assert 0.6 < np.mean(spread / claimed) < 1.6
    means = np.array([[s.mean_distribution("a", m).mean() for m in s.measures] for s in result])
    errors = [[s.mean_distribution("a", m).mc_error ** 2 for m in s.measures] for s in result]
    assert 0.6 < np.mean(means.var(axis=0, ddof=1) / np.mean(errors, axis=0)) < 1.6


@pytest.mark.parametrize(
    ("seed", "top", "missing", "undefined"),
    [
        (0, 1, False, "exclude"),
        (1, 2, False, "zero"),
        (0, 2, True, "exclude"),
        (1, 2, True, "zero"),
    ],
)
def test_independent_worlds(seed, top, missing, undefined):
    votes, runs = small(seed, top=top, missing=missing)
    measures = measures_for(top)
    want = enumerated(votes, runs, measures, undefined=undefined)
    scores = ft.evaluate(votes, runs, measures, n_worlds=3000, rng=seed, undefined=undefined)
    spread = scores.uncertainty
    assert spread.worlds == "independent"
    for j, query in enumerate(scores.queries):
        mean, std = moments(*want[query])
        error = np.abs(scores.values[:, :, j] - mean)
        limit = np.where(spread.exact[:, :, j], 1e-12, 4 * spread.mc_error[:, :, j] + 1e-12)
        assert (error <= limit).all(), np.argwhere(error > limit)
        np.testing.assert_allclose(spread.std[:, :, j], std, atol=0.03)
    if undefined == "exclude":
        return
    values, p = want["q1"]
    for s, m in np.ndindex(values.shape[:2]):
        law = scores.distribution(scores.systems[s], "q1", scores.measures[m])
        for value in np.unique(values[s, m].round(9)):
            exact = p[np.isclose(values[s, m], value, atol=1e-8)].sum()
            limit = 1e-12 if law.exact else 4 * np.sqrt(exact * (1 - exact) / 3000) + 1e-3
            near = np.abs(law.values - value) < 1e-8
            assert law.probabilities[near].sum() == pytest.approx(exact, abs=limit)


@pytest.mark.parametrize("worlds", ["independent", "population", "subject"])
def test_equal_votes_give_the_classic_number(worlds):
    votes, runs = small(9, top=2)
    same = votes.assign(grade=votes.groupby(["query", "item"])["grade"].transform("first"))
    crisp = ft.Judgments.from_frame(same).select_subject("s0")
    want = ft.evaluate(crisp, runs, MEASURES).values
    scores = ft.evaluate(same, runs, MEASURES, worlds=worlds, n_worlds=40, rng=0)
    for values in np.moveaxis(scores.cells.dense(scores.values), -1, 0):
        np.testing.assert_allclose(values, want, rtol=0, atol=1e-12)
    if scores.uncertainty is not None:
        np.testing.assert_allclose(scores.uncertainty.std, 0, atol=1e-12)
        assert (scores.uncertainty.mc_error <= 1e-12).all()
