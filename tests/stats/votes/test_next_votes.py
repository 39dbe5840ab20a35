"""The information of a vote against Bayes' rule, one vote and answer at a time."""

import numpy as np
import pytest
from support.crowds import crowd

from fuzzytruth.stats.votes.models import fit_votes
from fuzzytruth.stats.votes.next_votes import information


def entropy(p):
    return -sum(x * np.log(x) for x in p if x > 0)


@pytest.mark.parametrize("model", ["one-coin", "dawid-skene", "glad", "clarity", "rating-scale"])
def test_information_is_the_expected_fall_by_bayes(model) -> None:
    votes, _ = crowd("coin", 4, 12, 3, 3, seed=1)
    fitted = fit_votes(votes, model)
    gain, of_third = information(fitted), information(fitted, 2)
    errors = np.exp(fitted.log_errors)
    for unit in (0, 5, 11):
        before = fitted.posterior[unit]
        for subject in range(4):
            fall = fall_of_variance = 0.0
            for said in range(3):
                joint = fitted.states[unit] * errors[subject, said]
                chance = joint.sum()
                after = (joint / chance) @ fitted.of_class
                fall += chance * (entropy(before) - entropy(after))
                variances = [p[2] * (1 - p[2]) for p in (before, after)]
                fall_of_variance += chance * (variances[0] - variances[1])
            assert gain[unit, subject] == pytest.approx(fall, abs=1e-9)
            assert of_third[unit, subject] == pytest.approx(fall_of_variance, abs=1e-9)


def test_batches_do_not_matter(monkeypatch) -> None:
    fitted = fit_votes(crowd("hard", 5, 40, 3, seed=2)[0], "glad")
    whole = information(fitted)
    monkeypatch.setattr("fuzzytruth.stats.votes.next_votes._NUMBERS", 50)
    np.testing.assert_allclose(information(fitted), whole, rtol=0, atol=1e-12)


def test_the_better_subject_tells_more() -> None:
    fitted = fit_votes(crowd("coin", 6, 300, 4, seed=3)[0], "one-coin")
    accuracy = np.einsum("skk->sk", fitted.confusion)[:, 0]
    assert (information(fitted).mean(axis=0).argsort() == accuracy.argsort()).all()
