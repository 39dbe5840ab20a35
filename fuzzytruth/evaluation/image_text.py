"""Image–text retrieval in both directions, from one matrix of similarities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.layouts import EndToEnd
from fuzzytruth.core.segments import offsets_of
from fuzzytruth.errors import DataError, choice, counted, require
from fuzzytruth.measures import R, Success
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.levels import Levels

if TYPE_CHECKING:
    import pandas as pd

_FOLD = 1000  # images in a fold of the "1K" and "5-fold 1K" protocols
_PROTOCOLS = {"all": (None, 1), "1K": (_FOLD, 1), "5K": (5 * _FOLD, 1), "5fold": (_FOLD, 5)}
_BLOCK = 1 << 24  # cells of the matrix in a block


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ImageText:
    """Retrieval of texts by images (i2t) and of images by texts (t2i).

    Parameters
    ----------
    cutoffs : tuple of int
    any_hit : (2, cutoffs) float
        The field's "R@K": share of queries with any of their matches among the first K.
        i2t in the first row, t2i in the second.
    recall : (2, cutoffs) float
        True recall: share of a query's matches among the first K.
    unit : {"percent", "fraction"}

    Examples
    --------
    >>> import numpy as np
    >>> scores = image_text(np.eye(2), [0, 1], cutoffs=(1,), unit="fraction")
    >>> scores.Rsum, scores.mR
    (2.0, 1.0)
    """

    cutoffs: tuple[int, ...]
    any_hit: Floats
    recall: Floats
    unit: str

    @property
    def Rsum(self) -> float:
        """Sum of the "R@K" of both directions."""
        return float(self.any_hit.sum())

    @property
    def mR(self) -> float:
        """Mean of the "R@K" of both directions."""
        return float(self.any_hit.mean())

    def __repr__(self) -> str:
        cells = (f"{d}_R@{k} {v:.4g}" for d, k, v, _ in self._rows())
        return f"ImageText({', '.join(cells)}; Rsum {self.Rsum:.4g}, mR {self.mR:.4g})"

    def to_frame(self) -> pd.DataFrame:
        """One row for each direction and cut-off: direction, k, R@K (any hit), recall@K."""
        import pandas as pd

        return pd.DataFrame(list(self._rows()), columns=["direction", "k", "R@K", "recall@K"])

    def _rows(self) -> Iterator[tuple[str, int, float, float]]:
        for d, direction in enumerate(("i2t", "t2i")):
            for j, k in enumerate(self.cutoffs):
                yield direction, k, float(self.any_hit[d, j]), float(self.recall[d, j])


def image_text(
    similarity: Any,
    image_of_text: Sequence[int] | Array | None = None,
    *,
    protocol: str = "all",
    cutoffs: Sequence[int] = (1, 5, 10),
    unit: str = "percent",
    ties: str = "expected",
    larger_is_better: bool = True,
) -> ImageText:
    """Score image–text retrieval as the MS COCO and Flickr30k benchmarks do.

    Parameters
    ----------
    similarity : (images, texts) array
    image_of_text : (texts,) int, optional
        The image (row) that each text (column) describes; an image may have any number of texts.
        By default five texts for each image, in order: texts 0-4 describe image 0.
    protocol : {"all", "1K", "5K", "5fold"}
        All images; the first 1,000; the first 5,000; or the mean over five contiguous folds of
        1,000 images, each with its own texts only.
    cutoffs : sequence of int
        The K of "R@K".
    unit : {"percent", "fraction"}
    ties : {"expected", "order"}
        Equal similarities: the mean over all orders (a constant matrix gets chance level), or in
        the order of columns and rows.
    larger_is_better : bool
        False for distances.

    Returns
    -------
    ImageText
        "R@K", the share of queries with any match among the first K, and true recall, in both
        directions; `Rsum` and `mR` are the sum and the mean of "R@K".

    Raises
    ------
    DataError
        The matrix is not two-dimensional or not finite, `image_of_text` does not fit it, an image
        has no text, or there are too few images for the protocol.
    OptionError
        An option has a value that it does not take.

    References
    ----------
    Karpathy & Fei-Fei 2015, Deep visual-semantic alignments for generating image descriptions.

    Examples
    --------
    >>> import numpy as np
    >>> image_text(np.eye(3), [0, 1, 2], cutoffs=(1,)).Rsum
    200.0
    """
    choice("protocol", protocol, tuple(_PROTOCOLS))
    choice("unit", unit, ("percent", "fraction"))
    choice("ties", ties, ("expected", "order"))
    wanted = tuple(cutoffs) if isinstance(cutoffs, Iterable) else ()
    whole = all(isinstance(k, (int, np.integer)) and k >= 1 for k in wanted)
    require("cutoffs", cutoffs, bool(wanted) and whole, "must be a list of whole numbers from 1")
    matrix = np.asarray(similarity)
    if matrix.dtype.kind in "iub":  # not all of them can be negated
        matrix = matrix.astype(np.float64)
    image_of = _checked_map(matrix, image_of_text)
    size, n_folds = _PROTOCOLS[protocol]
    size = len(matrix) if size is None else size
    if len(matrix) < size * n_folds:
        raise DataError(
            f"protocol={protocol!r} needs {size * n_folds:,} images, the matrix has {len(matrix):,}"
        )
    scale = 100.0 if unit == "percent" else 1.0
    folds = []
    for fold in range(n_folds):
        texts = np.flatnonzero((image_of >= fold * size) & (image_of < (fold + 1) * size))
        part = matrix[fold * size : (fold + 1) * size]
        if len(texts) < matrix.shape[1]:
            part = part[:, texts]
        sign = 1 if larger_is_better else -1
        folds.append(_both_directions(part, image_of[texts] - fold * size, wanted, ties, sign))
    any_hit, recall = scale * np.mean(folds, axis=0)  # (2 directions, cutoffs) both
    return ImageText(wanted, any_hit, recall, unit)


def _checked_map(matrix: Array, image_of_text: Any) -> Ints:
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise DataError(f"similarity: must be images × texts, but its shape is {matrix.shape}")
    if matrix.dtype.kind != "f":
        raise DataError(f"similarity: must hold numbers, but its type is {matrix.dtype}")
    finite = np.isfinite(matrix)
    if not finite.all():
        i, t = np.argwhere(~finite)[0]
        raise DataError(f"similarity, image {i}, text {t}: {matrix[i, t]} is not allowed")
    n_images, n_texts = matrix.shape
    if image_of_text is None:
        if n_texts != 5 * n_images:
            raise DataError(
                f"similarity: {counted(n_images, 'image')} and {counted(n_texts, 'text')} "
                "are not 1:5; give "
                "image_of_text, the image of each text"
            )
        return np.repeat(np.arange(n_images), 5)
    image_of = np.asarray(image_of_text)
    if image_of.shape != (n_texts,) or image_of.dtype.kind not in "iu":
        raise DataError(
            f"image_of_text: must be {counted(n_texts, 'whole number')}, one for each text, "
            "but it is "
            f"{image_of.dtype} of shape {image_of.shape}"
        )
    count = np.bincount(image_of.clip(0, n_images - 1), minlength=n_images)
    if image_of.min() < 0 or image_of.max() >= n_images:
        t = int(np.flatnonzero((image_of < 0) | (image_of >= n_images))[0])
        raise DataError(
            f"image_of_text: text {t} has image {image_of[t]}, but images are 0 to {n_images - 1}"
        )
    if not count.all():
        raise DataError(f"image_of_text: image {int(np.argmin(count))} has no text")
    return image_of.astype(np.int64)


def _both_directions(
    matrix: Array, image_of: Ints, cutoffs: tuple[int, ...], ties: str, sign: int
) -> Array:
    """Any-hit and recall of i2t and t2i: (2 kinds, 2 directions, cutoffs)."""
    texts = np.argsort(image_of, kind="stable")  # texts of image 0, of image 1, ...
    by_image = offsets_of(np.bincount(image_of, minlength=len(matrix)))
    one_each = np.arange(len(image_of) + 1)
    batches = (
        _batch(matrix, texts, by_image, ties, sign),
        _batch(matrix.T, image_of, one_each, ties, sign),
    )
    out = np.empty((2, 2, len(cutoffs)))
    for d, batch in enumerate(batches):
        for j, k in enumerate(cutoffs):
            out[0, d, j] = Success(cutoff=k).score(batch).mean()
            out[1, d, j] = R(cutoff=k).score(batch).mean()
    return out


def _batch(matrix: Array, match: Array, offsets: Array, ties: str, sign: int) -> Batch:
    """Ranks of each row's matching columns ``match[offsets[row]:offsets[row + 1]]``, as a batch."""
    row = np.repeat(np.arange(len(matrix)), np.diff(offsets))
    first = np.empty(len(match), dtype=np.int64)
    last = np.empty(len(match), dtype=np.int64)
    step = max(1, _BLOCK // matrix.shape[1])
    for start in range(0, len(matrix), step):
        block = np.ascontiguousarray(matrix[start : start + step])
        pairs = slice(offsets[start], offsets[min(start + step, len(matrix))])
        ranks = _ranks(sign * block, row[pairs] - start, match[pairs], ties)
        first[pairs], last[pairs] = ranks
    order = np.lexsort((first, row))
    count = np.diff(offsets)
    return Batch(
        np.full(len(matrix), matrix.shape[1]),
        EndToEnd(offsets),
        first[order],
        last[order],
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
