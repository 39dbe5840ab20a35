"""Jackknife pseudo-values of sums of means against deletion, one image at a time."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzytruth.evaluation.lists.image_text import (
    directed_values,
    pseudo_values,
)


def total(of_image, of_text, image_of, n_folds, without=None):
    """The mean over folds of the sums of means, without an image and its texts."""
    fold_of = np.arange(of_image.shape[1]) * n_folds // of_image.shape[1]
    sums = []
    for fold in range(n_folds):
        images = (fold_of == fold) & (np.arange(of_image.shape[1]) != without)
        texts = (fold_of[image_of] == fold) & (image_of != without)
        sums.append(of_image[:, images].mean(axis=1).sum() + of_text[:, texts].mean(axis=1).sum())
    return np.mean(sums)


@pytest.mark.parametrize("n_folds", [1, 3])
@pytest.mark.parametrize("seed", range(3))
def test_against_deletion(seed, n_folds):
    rng = np.random.default_rng(seed)
    n = 12
    image_of = np.concatenate([np.arange(n), rng.integers(0, n, 17)])
    of_image, of_text = rng.random((3, n)), rng.random((3, len(image_of)))
    theta = total(of_image, of_text, image_of, n_folds)
    theta_i = np.array([total(of_image, of_text, image_of, n_folds, i) for i in range(n)])
    pseudo = n * theta - (n - 1) * theta_i
    found = pseudo_values(of_image, of_text, image_of, n_folds)
    np.testing.assert_allclose(found, pseudo + theta - pseudo.mean(), rtol=1e-12)
    assert found.mean() == pytest.approx(theta, rel=1e-14)


def test_a_single_image_has_the_sum_itself():
    one = np.array([[1.0], [1.0]])
    half = np.array([[0.0, 1.0], [1.0, 1.0]])
    found = pseudo_values(one, half, np.array([0, 0]), 1)
    assert found.tolist() == [3.5]


def test_folds_have_galleries_of_their_own():
    """Outside its fold, a better match does no harm."""
    matrix = np.array([[1.0, 9.0], [9.0, 1.0]])
    apart = directed_values(matrix, np.array([0, 1]), 2, (1,), ties="order", sign=1)
    together = directed_values(matrix, np.array([0, 1]), 1, (1,), ties="order", sign=1)
    for one, other in zip(apart, together, strict=True):  # of images, and of texts
        assert one[0].tolist() == [[1.0, 1.0]]
        assert other[0].tolist() == [[0.0, 0.0]]
