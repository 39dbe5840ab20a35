"""Held-out votes and simulated models, against slow computations and in crowds with known truth."""

import numpy as np
import pytest
from support.crowds import crowd

from fuzzytruth.stats.votes.checks import (
    CANDIDATES,
    _largest_root,
    check_model,
    held_out,
    pairs_within,
    sampled_units,
)
from fuzzytruth.stats.votes.models import fit_votes


def test_scores_are_of_fits_without_the_votes() -> None:
    votes, _ = crowd("coin", 8, 60, 4)
    found = held_out(votes, ["one-coin"], prior=4.0, rng=np.random.default_rng(0))
    key = np.unique(votes.unit * 8 + votes.subject, return_inverse=True)[1]
    fold = np.random.default_rng(0).integers(0, 10, len(votes.unit))[key]
    for number in (0, 7):
        out = fold == number
        fitted = fit_votes(votes.take(~out), "one-coin", tolerance=1e-3)
        for vote in np.flatnonzero(out)[:5]:
            chance = (
                fitted.states[votes.unit[vote]]
                @ fitted.errors[votes.subject[vote], votes.value[vote], :, 0]
            )
            assert found.scores["one-coin"][vote] == pytest.approx(np.log(chance), rel=1e-9)
    predicted, said, n = found.curve(5)
    assert n.sum() == 240
    assert np.nansum(predicted * n) / 240 == pytest.approx(found.expected.max(axis=1).mean())
    hit = found.expected.argmax(axis=1) == found.value
    assert np.nansum(said * n) / 240 == pytest.approx(hit.mean())


def test_clusters_are_held_out_together() -> None:
    votes, _ = crowd("copies", 10, 80, 10)
    group = np.array([0, 0, 0, *range(1, 8)])
    rng = np.random.default_rng
    alone = held_out(votes, ["dawid-skene"], prior=4.0, rng=rng(1)).scores["dawid-skene"]
    together = held_out(votes, ["dawid-skene"], prior=4.0, rng=rng(1), group=group)
    copied = votes.subject < 3
    assert together.scores["dawid-skene"][copied].mean() < alone[copied].mean() - 0.1


@pytest.mark.parametrize(("kind", "model"), [("coin", "one-coin"), ("hard", "glad")])
def test_the_model_that_made_the_votes_is_chosen(kind: str, model: str) -> None:
    votes, _ = crowd(kind, 15, 400, 10, 3, seed=2)
    found = held_out(votes, CANDIDATES, prior=4.0, rng=np.random.default_rng(0))
    means = {name: score.mean() for name, score in found.scores.items()}
    assert means[found.chosen] - means[model] < 0.002
    assert means[model] - means["pooled"] > 0.01


def test_samples_are_whole_units() -> None:
    votes, _ = crowd("coin", 6, 50, 4)
    assert sampled_units(votes, 200, np.random.default_rng(0)) is votes
    some = sampled_units(votes, 82, np.random.default_rng(0))
    assert (some.n_units, len(some.unit), some.n_subjects) == (20, 80, 6)
    assert (np.bincount(some.unit) == 4).all()


def test_pairs() -> None:
    first, second = pairs_within(np.array([0, 2, 0, 1, 2, 0]), 3)
    assert {frozenset(pair) for pair in zip(first.tolist(), second.tolist(), strict=True)} == {
        frozenset(pair) for pair in ((0, 2), (0, 5), (2, 5), (1, 4))
    }


def test_agreement_beyond_the_other_votes() -> None:
    """Both votes of a pair are taken out of the posterior by which they are expected to agree."""
    votes, _ = crowd("coin", 5, 30, 4)
    fitted = fit_votes(votes, "dawid-skene")
    found = check_model(votes, fitted, rng=np.random.default_rng(0), n_simulated=2)
    errors = fitted.errors[..., 0]
    expected, agree = [], []
    for first, second in zip(*pairs_within(votes.unit, 30), strict=True):
        unit = votes.unit[first]
        rest = np.flatnonzero(votes.unit == unit)
        rest = rest[(rest != first) & (rest != second)]
        states = np.exp(fitted.log_prior)
        for vote in rest:
            states = states * errors[votes.subject[vote], votes.value[vote]]
        states /= states.sum()
        a, b = errors[votes.subject[first]], errors[votes.subject[second]]
        expected.append(((a * b).sum(axis=0) * states).sum())
        agree.append(votes.value[first] == votes.value[second])
    assert found.expected == pytest.approx(np.mean(expected), rel=1e-9)
    assert found.agree == pytest.approx(np.mean(agree))
    assert found.p in (1 / 3, 2 / 3, 1.0)


def test_the_largest_root() -> None:
    rng = np.random.default_rng(0)
    matrix = np.triu(np.maximum(rng.normal(size=(30, 30)), 0), 1)
    matrix[:5, :5] += np.triu(np.full((5, 5), 3), 1)
    row, column = np.nonzero(matrix)
    expected = np.linalg.eigvalsh(matrix + matrix.T)[-1]
    assert _largest_root(row, column, matrix[row, column], 30) == pytest.approx(expected, rel=1e-3)
    assert _largest_root(row, column, 0 * matrix[row, column], 30) == 0


@pytest.mark.parametrize("kind", ["coin", "hard", "copies"])
def test_power_and_level(kind: str) -> None:
    """More in benchmarks/validity: six crowds who err independently, or on hard items, or copy."""
    p = []
    for seed in range(6):
        votes, _ = crowd(kind, 20, 200, 5, 3, seed=seed)
        rng = np.random.default_rng(seed)
        found = held_out(votes, ("one-coin", "dawid-skene"), prior=4.0, rng=rng)
        check = check_model(votes, fit_votes(votes, found.independent), rng=rng, n_simulated=39)
        assert check.model == found.independent
        p.append(check.p)
    rejected = sum(one <= 0.05 for one in p)
    assert rejected <= 1 if kind == "coin" else rejected >= 5


def test_repeated_votes_are_held_out_together_and_make_no_pairs() -> None:
    votes, _ = crowd("coin", 6, 40, 3, 2)
    times = [np.repeat(each, 2) for each in (votes.unit, votes.subject, votes.value)]
    twice = type(votes).of(*times, votes.sizes)
    found = held_out(twice, ["one-coin"], prior=4.0, rng=np.random.default_rng(0))
    scores = found.scores["one-coin"].reshape(-1, 2)
    np.testing.assert_array_equal(scores[:, 0], scores[:, 1])
    checked = check_model(
        twice, fit_votes(twice, "one-coin"), rng=np.random.default_rng(0), n_simulated=3
    )
    once = check_model(
        votes, fit_votes(votes, "one-coin"), rng=np.random.default_rng(0), n_simulated=3
    )
    assert checked.agree == pytest.approx(once.agree)  # equal votes of one person are no pair
