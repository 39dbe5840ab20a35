"""Image–text retrieval against a plain sort."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import fuzzytruth as ft


def by_sorting(matrix, image_of, k):
    """Any-hit and recall in both directions, the plain way; ties as given."""
    out = []
    for queries, relevant in (
        (matrix, [np.flatnonzero(image_of == i) for i in range(len(matrix))]),
        (matrix.T, [np.array([i]) for i in image_of]),
    ):
        result = [
            np.isin(np.argsort(-row, kind="stable")[:k], match).sum()
            for row, match in zip(queries, relevant, strict=True)
        ]
        share = [n / len(match) for n, match in zip(result, relevant, strict=True)]
        out.append((np.mean([n > 0 for n in result]), np.mean(share)))
    return out


@pytest.mark.parametrize("seed", range(4))
def test_against_sorting_with_ragged_texts_and_ties(seed):
    rng = np.random.default_rng(seed)
    image_of = np.concatenate((np.arange(12), rng.integers(0, 12, 20)))
    rng.shuffle(image_of)
    matrix = rng.integers(0, 8, (12, 32)).astype(float)
    result = ft.image_text(matrix, image_of, cutoffs=(1, 3), unit="fraction", ties="order")
    for j, k in enumerate((1, 3)):
        (any_i, rec_i), (any_t, rec_t) = by_sorting(matrix, image_of, k)
        np.testing.assert_allclose(result.any_hit[:, j], [any_i, any_t])
        np.testing.assert_allclose(result.recall[:, j], [rec_i, rec_t])


def test_expected_ties_against_all_orders():
    matrix = np.array([[1.0, 1.0, 0.0, 1.0], [0.0, 2.0, 2.0, 2.0]])
    image_of = np.array([0, 0, 1, 1])
    result = ft.image_text(matrix, image_of, cutoffs=(1, 2), unit="fraction")
    total = np.zeros((2, 2))
    for columns in itertools.permutations(range(4)):
        for rows in itertools.permutations(range(2)):
            shuffled = matrix[np.ix_(rows, columns)]
            where = np.argsort(rows)
            images = where[image_of[list(columns)]]
            total += ft.image_text(
                shuffled, images, cutoffs=(1, 2), unit="fraction", ties="order"
            ).any_hit
    np.testing.assert_allclose(result.any_hit, total / 48)


def test_a_constant_scorer_gets_chance_level():
    result = ft.image_text(np.zeros((100, 500)), unit="fraction")
    np.testing.assert_allclose(result.any_hit[1], [0.01, 0.05, 0.1])
    assert result.any_hit[0, 0] == pytest.approx(0.01)


def test_rsum_mr_and_units():
    rng = np.random.default_rng(0)
    matrix = rng.normal(size=(20, 100)).astype(np.float32)
    percent = ft.image_text(matrix)
    fraction = ft.image_text(matrix, unit="fraction")
    assert percent.Rsum == pytest.approx(100 * fraction.any_hit.sum())
    assert percent.mR == pytest.approx(percent.Rsum / 6)
    frame = percent.to_frame()
    assert list(frame.columns) == ["direction", "k", "R@K", "recall@K"]
    assert frame["R@K"].sum() == pytest.approx(percent.Rsum)
    assert ft.image_text(-matrix, larger_is_better=False).Rsum == pytest.approx(percent.Rsum)


def test_protocols():
    rng = np.random.default_rng(1)
    n = 5000
    image_of = np.arange(n)
    matrix = np.zeros((n, n), dtype=np.float32)
    for fold in range(5):  # inside a fold random, outside irrelevant to the fold protocol
        at = slice(1000 * fold, 1000 * (fold + 1))
        matrix[at, at] = rng.normal(size=(1000, 1000))
        matrix[at, at][np.diag_indices(1000)] += 2
    folds = [
        ft.image_text(matrix[s : s + 1000, s : s + 1000], np.arange(1000)).any_hit
        for s in range(0, n, 1000)
    ]
    np.testing.assert_allclose(
        ft.image_text(matrix, image_of, protocol="5fold").any_hit, np.mean(folds, axis=0)
    )
    np.testing.assert_allclose(ft.image_text(matrix, image_of, protocol="1K").any_hit, folds[0])
    with pytest.raises(ft.DataError, match="needs 5,000 images, the matrix has 20"):
        ft.image_text(np.zeros((20, 100)), protocol="5fold")


@pytest.mark.parametrize(
    ("matrix", "images", "message"),
    [
        (np.zeros((2, 3)), None, "are not 1:5; give image_of_text"),
        (np.zeros(3), None, r"its shape is \(3,\)"),
        (np.full((1, 5), np.nan), None, "image 0, text 0: nan is not allowed"),
        (np.zeros((2, 2)), [0, 0], "image 1 has no text"),
        (np.zeros((2, 2)), [0, 2], "text 1 has image 2, but images are 0 to 1"),
        (np.zeros((2, 2)), [0], "must be 2 whole numbers"),
        (np.array([["a"] * 5]), None, "must hold numbers"),
    ],
)
def test_errors(matrix, images, message):
    with pytest.raises(ft.DataError, match=message):
        ft.image_text(matrix, images)


def test_the_smallest_integer_has_no_opposite():
    matrix = np.array([[-128, 0], [0, 5]], dtype=np.int8)
    result = ft.image_text(matrix, [0, 1], cutoffs=(1,), larger_is_better=False)
    assert result.any_hit[0, 0] == 50
    with pytest.raises(ft.OptionError, match="must be a list of whole numbers from 1"):
        ft.image_text(matrix, [0, 1], cutoffs=(1.5,))


def test_bytes_and_booleans_are_numbers():
    matrix = np.array([[1, 0], [0, 1]], dtype=np.uint8)
    assert ft.image_text(matrix, [0, 1], cutoffs=(1,)).Rsum == 200
    assert ft.image_text(matrix == 0, [0, 1], cutoffs=(1,), larger_is_better=False).Rsum == 200
