"""Base rates of votes, against known rates."""

import numpy as np
import pytest

from fuzzytruth.annotators.planning.vote_posterior import vote_rates


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


def test_groups_have_effects_of_their_own() -> None:
    counts, features, offsets, chance = drawn(40, 50)
    found = vote_rates(counts, features, offsets, 0.0)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert np.abs(found[:, 1] - chance).mean() < 0.04
    alone = vote_rates(counts, features, np.array([0, 2000]), 0.0)
    assert np.abs(alone[:, 1] - chance).mean() > 0.1


def test_three_options() -> None:
    rng = np.random.default_rng(3)
    feature = rng.normal(size=(3000, 1))
    go_on = 1 / (1 + np.exp(-np.column_stack((feature, 0.5 - feature))))
    chance = np.column_stack(
        (1 - go_on[:, 0], go_on[:, 0] * (1 - go_on[:, 1]), go_on[:, 0] * go_on[:, 1])
    )
    counts = rng.multinomial(4, chance).astype(float)
    found = vote_rates(counts, feature, np.array([0, 3000]), 0.0)
    assert np.abs(found - chance).mean() < 0.01


def test_items_without_votes_follow_their_features() -> None:
    counts, features, offsets, chance = drawn(40, 50)
    hidden = np.arange(len(counts)) % 2 == 0
    seen = counts * ~hidden[:, None]
    found = vote_rates(seen, features, offsets, 0.0)
    assert np.abs(found[hidden, 1] - chance[hidden]).mean() < 0.06


@pytest.mark.parametrize("grade", [0, 1])
def test_one_grade_and_nothing_that_varies(grade: int) -> None:
    counts = np.zeros((30, 2))
    counts[:, grade] = 2.0
    found = vote_rates(counts, np.ones((30, 3)), np.array([0, 10, 10, 30]), 0.5)
    assert (found > 0).all()
    assert (found[:, grade] > 0.9).all()
    assert vote_rates(np.ones((4, 1)), np.ones((4, 1)), np.array([0, 4]), 0.5).tolist() == [[1]] * 4


@pytest.mark.parametrize("shift", [-40.0, 40.0])
def test_features_have_no_origin_and_no_unit(shift: float) -> None:
    counts, features, offsets, _ = drawn(5, 20)
    plain = vote_rates(counts, features, offsets, 0.0)
    moved = vote_rates(counts, shift + 7 * features, offsets, 0.0)
    np.testing.assert_allclose(moved, plain, rtol=1e-8)
