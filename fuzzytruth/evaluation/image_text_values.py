"""Values of image–text retrieval: of each query, and jackknife pseudo-values of sums of means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.layouts import EndToEnd
from fuzzytruth.core.segments import offsets_of
from fuzzytruth.measures import R, Success
from fuzzytruth.truth.batch import Batch, ranks
from fuzzytruth.truth.levels import Levels

_BLOCK = 1 << 24  # cells of the matrix in a block


@dataclass(frozen=True, slots=True, eq=False)
class DirectedValues:
    """Values of both directions at each cut-off, of the queries of all folds.

    Parameters
    ----------
    any_image, recall_image : (cutoffs, images) float
        Of texts retrieved by images: whether any match is among the first K, and the share of the
        matches that is.
    any_text, recall_text : (cutoffs, texts) float
        Of images retrieved by texts.
    """

    any_image: Floats
    recall_image: Floats
    any_text: Floats
    recall_text: Floats


def directed_values(
    matrix: Array,
    image_of: Ints,
    n_folds: int,
    cutoffs: tuple[int, ...],
    *,
    ties: str,
    sign: int,
) -> DirectedValues:
    """Values of each image and text.

    Parameters
    ----------
    matrix : (images, texts) float
    image_of : (texts,) int
    n_folds : int
        Folds of contiguous images, as many in each, with their own texts.
    cutoffs : tuple of int
    ties : {"expected", "order"}
    sign : {1, -1}
        -1 for distances.
    """
    size = len(matrix) // n_folds
    folds = [np.flatnonzero(image_of // size == fold) for fold in range(n_folds)]
    parts = []
    for fold, texts in enumerate(folds):
        part = matrix[fold * size : (fold + 1) * size]
        if len(texts) < matrix.shape[1]:
            part = part[:, texts]
        parts.append(_both_directions(part, image_of[texts] - fold * size, cutoffs, ties, sign))
    by_text = np.argsort(np.concatenate(folds))
    any_image, recall_image, any_text, recall_text = (
        np.concatenate([part[j] for part in parts], axis=1) for j in range(4)
    )
    return DirectedValues(any_image, recall_image, any_text[:, by_text], recall_text[:, by_text])


def pseudo_values(values: DirectedValues, image_of: Ints, n_folds: int) -> Floats:
    """Delete-one-image jackknife pseudo-values of the sum of all means "R@K": (images,).

    The sum is of the means over images and over texts, and the mean over folds. With theta_(-i)
    for the sum without image i and its texts as queries (they stay in the galleries), image i has
    I theta - (I - 1) theta_(-i), shifted so that the mean over images is theta. The standard error
    of that mean is the jackknife's. Of a single image, it is theta.

    References
    ----------
    Tukey 1958; Efron & Tibshirani 1993, An Introduction to the Bootstrap, section 11.

    Examples
    --------
    >>> one, half = np.array([[1.0, 0.0]]), np.array([[1.0, 1.0, 0.0]])
    >>> pseudo_values(DirectedValues(one, one, half, half), np.array([0, 0, 1]), 1)
    array([2.16666667, 0.16666667])
    """
    of_image = values.any_image.sum(axis=0)  # (images,)
    n_images = len(of_image)
    texts = np.bincount(image_of, minlength=n_images)
    of_texts = np.bincount(image_of, values.any_text.sum(axis=0), n_images)
    shape = (n_folds, n_images // n_folds)
    one, many, size = (x.reshape(shape) for x in (of_image, of_texts, texts))
    mean_one = one.mean(axis=1, keepdims=True)
    all_texts = size.sum(axis=1, keepdims=True)
    mean_many = many.sum(axis=1, keepdims=True) / all_texts
    total = float((mean_one + mean_many).mean())
    if n_images == 1:
        return np.array([total])
    # theta_(-i) - theta, without the difference of large numbers
    shift = (mean_one - one) / (shape[1] - 1) + (size * mean_many - many) / (all_texts - size)
    shift = shift.ravel() / n_folds
    out: Floats = total - (n_images - 1) * (shift - shift.mean())
    return out


def _both_directions(
    matrix: Array, image_of: Ints, cutoffs: tuple[int, ...], ties: str, sign: int
) -> tuple[Floats, Floats, Floats, Floats]:
    """Any hit and recall of images, then of texts: (cutoffs, queries) each."""
    texts = np.argsort(image_of, kind="stable")  # texts of image 0, of image 1, ...
    by_image = offsets_of(np.bincount(image_of, minlength=len(matrix)))
    of_images = _batch(matrix, texts, by_image, ties, sign)
    of_texts = _batch(matrix.T, image_of, np.arange(len(image_of) + 1), ties, sign)
    any_image, recall_image, any_text, recall_text = (
        np.concatenate([measure(cutoff=k).score(batch) for k in cutoffs])
        for batch in (of_images, of_texts)
        for measure in (Success, R)
    )
    return any_image, recall_image, any_text, recall_text


def _batch(matrix: Array, match: Array, offsets: Array, ties: str, sign: int) -> Batch:
    """Ranks of each row's matching columns ``match[offsets[row]:offsets[row + 1]]``, as a batch."""
    row = np.repeat(np.arange(len(matrix)), np.diff(offsets))
    first = np.empty(len(match), dtype=np.int64)
    last = np.empty(len(match), dtype=np.int64)
    step = max(1, _BLOCK // matrix.shape[1])
    for start in range(0, len(matrix), step):
        block = np.ascontiguousarray(matrix[start : start + step])
        pairs = slice(offsets[start], offsets[min(start + step, len(matrix))])
        found = _ranks(sign * block, row[pairs] - start, match[pairs], ties)
        first[pairs], last[pairs] = found
    order = np.lexsort((first, row))
    count = np.diff(offsets)
    return Batch(
        np.full(len(matrix), matrix.shape[1]),
        EndToEnd(offsets),
        *ranks(first[order], last[order]),
        np.ones((1, len(match))),
        Levels(np.arange(len(matrix) + 1), np.ones(len(matrix)), count[None, :]),
    )


def _ranks(block: Array, row: Array, column: Array, ties: str) -> tuple[Array, Array]:
    """First and last rank of cells (row, column) within their rows, largest first."""
    first, last = np.empty((2, len(row)), dtype=np.int64)
    nth = np.arange(len(row)) - np.searchsorted(row, row)  # number among its row's matches
    # One match of every row at a time, which compares the block in place.
    for n in range(int(nth.max()) + 1):
        at = np.flatnonzero(nth == n)
        rows = block if len(at) == len(block) else block[row[at]]
        own = block[row[at], column[at]][:, None]
        larger = np.count_nonzero(rows > own, axis=1)
        equal = rows == own
        if ties == "order":
            equal &= np.arange(block.shape[1]) < column[at][:, None]
            first[at] = last[at] = larger + np.count_nonzero(equal, axis=1) + 1
        else:
            first[at] = larger + 1
            last[at] = larger + np.count_nonzero(equal, axis=1)
    return first, last
