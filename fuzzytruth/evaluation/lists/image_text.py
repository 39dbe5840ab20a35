"""Image–text retrieval in both directions, from matrices of similarities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.arithmetic import offsets_of
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.layouts import EndToEnd
from fuzzytruth.core.validation import option_flag
from fuzzytruth.errors import DataError, choice, counted, first_few, nearest, require, shown
from fuzzytruth.evaluation.scores.score_arrays import IMAGE, Attributes
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.io.columns import check_id
from fuzzytruth.io.matrices import Ids, Matrix, given_ids, labelled_matrix, with_ids
from fuzzytruth.measures import R, Success
from fuzzytruth.truth.batch import Batch, Levels, ranks

# Values of image–text retrieval: of each query, and jackknife pseudo-values of sums of means.


_BLOCK = 1 << 24  # cells of the matrix in a block


def directed_values(
    matrix: Array, image_of: Ints, n_folds: int, cutoffs: tuple[int, ...], *, ties: str, sign: int
) -> tuple[Floats, Floats]:
    """Values of each image, and of each text: (2, cutoffs, queries) each.

    Whether any match is among the first K, and the share of the matches that is.

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
    of_images, of_texts = (np.concatenate(each, axis=-1) for each in zip(*parts, strict=True))
    return of_images, of_texts[..., np.argsort(np.concatenate(folds))]


def pseudo_values(any_image: Floats, any_text: Floats, image_of: Ints, n_folds: int) -> Floats:
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
    >>> pseudo_values(one, half, np.array([0, 0, 1]), 1)
    array([2.16666667, 0.16666667])
    """
    of_image = any_image.sum(axis=0)  # (images,)
    n_images = len(of_image)
    texts = np.bincount(image_of, minlength=n_images)
    of_texts = np.bincount(image_of, any_text.sum(axis=0), n_images)
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
    return np.asarray(total - (n_images - 1) * (shift - shift.mean()))


def _both_directions(
    matrix: Array, image_of: Ints, cutoffs: tuple[int, ...], ties: str, sign: int
) -> tuple[Floats, Floats]:
    """Any hit and recall of images, and of texts: (2, cutoffs, queries) each."""
    texts = np.argsort(image_of, kind="stable")  # texts of image 0, of image 1, ...
    by_image = offsets_of(np.bincount(image_of, minlength=len(matrix)))
    of_images = _batch(matrix, texts, by_image, ties, sign)
    of_texts = _batch(matrix.T, image_of, np.arange(len(image_of) + 1), ties, sign)
    of_each = [
        np.stack(
            [
                np.concatenate([measure(cutoff=k).score(batch) for k in cutoffs])
                for measure in (Success, R)
            ]
        )
        for batch in (of_images, of_texts)
    ]
    return of_each[0], of_each[1]


def _batch(matrix: Array, match: Array, offsets: Array, ties: str, sign: int) -> Batch:
    """Ranks of each row's matching columns ``match[offsets[row]:offsets[row + 1]]``, as a batch."""
    row = np.repeat(np.arange(len(matrix)), np.diff(offsets))
    first = np.empty(len(match), dtype=np.int64)
    last = np.empty(len(match), dtype=np.int64)
    step = max(1, _BLOCK // matrix.shape[1])
    for start in range(0, len(matrix), step):
        block = np.ascontiguousarray(matrix[start : start + step])
        pairs = slice(offsets[start], offsets[min(start + step, len(matrix))])
        first[pairs], last[pairs] = _ranks(sign * block, row[pairs] - start, match[pairs], ties)
    order = np.lexsort((first, row))
    return Batch(
        np.full(len(matrix), matrix.shape[1]),
        EndToEnd(offsets),
        *ranks(first[order], last[order]),
        np.ones((1, len(match))),
        Levels(np.arange(len(matrix) + 1), np.ones(len(matrix)), np.diff(offsets)[None, :]),
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


_NOUNS = ("image", "text")  # a row and a column of a matrix
_FOLD = 1000  # images in a fold of the "1K" and "5-fold 1K" protocols
_PROTOCOLS = {"all": (None, 1), "1K": (_FOLD, 1), "5K": (5 * _FOLD, 1), "5fold": (_FOLD, 5)}


def image_text(
    similarity: Any,
    image_of_text: Sequence[int] | Sequence[str] | Array | None = None,
    *,
    name: str = "system",
    images: Iterable[Any] | None = None,
    texts: Iterable[Any] | None = None,
    protocol: str = "all",
    cutoffs: Sequence[int] = (1, 5, 10),
    recall: bool = False,
    unit: str = "percent",
    ties: str = "expected",
    larger_is_better: bool = True,
) -> Scores:
    """Score image–text retrieval as the MS COCO and Flickr30k benchmarks do.

    Every image and every text is a query. `i2t R@K` is 1 (100 %) for an image with any of its texts
    among the first K, `t2i R@K` for a text with its image among them. `Rsum` and `mR` are the sum
    and the mean of the means of all these. They have a value for each image, its delete-one-image
    jackknife pseudo-value (which may be below 0 or above the maximum): their mean is exactly the
    benchmark's number, and intervals and comparisons are the jackknife's. The galleries are fixed.

    The texts of an image vary together: give `Scores.summary` and `compare` ``clusters="image"``.

    Parameters
    ----------
    similarity : (images, texts) array_like, or mapping of system to such
        Arrays and tensors (`__array__`, `__dlpack__`), lists, frames of pandas, polars or Arrow.
    image_of_text : (texts,) int or str, optional
        The image (row, from 0, or its id) that each text (column) describes; an image may have any
        number of texts. By default five texts for each image, in order: texts 0-4 describe image 0.
    name : str
        Name of the system of a single matrix.
    images, texts : ids, optional
        Ids of the queries. By default the labels of a frame, else "image 0", ..., "text 0", ...
        Rows and columns of a frame with labels are put in the order given here.
    protocol : {"all", "1K", "5K", "5fold"}
        All images, the first 1,000 or 5,000, or the mean over five folds of 1,000. Folds are
        contiguous, each with its own texts only. `Rsum` and `mR` are then means over folds, and so
        is a mean `t2i R@K` if the folds have as many texts (else with ``strata="fold"``); means of
        `Rsum` and `mR` over some of the images then say nothing about these images.
    cutoffs : sequence of int
        The K of "R@K".
    recall : bool
        Add true recall, `i2t recall@K`: the share of a query's matches among the first K.
    unit : {"percent", "fraction"}
    ties : {"expected", "order"}
        Equal similarities: the mean over all orders (a constant matrix gets chance level), or in
        the order of columns and rows.
    larger_is_better : bool
        False for distances.

    Returns
    -------
    Scores
        NaN where a measure is of the other direction. `query_attributes` are `image`, which every
        text shares with its image, and, with folds, `fold`.

    Raises
    ------
    DataError
        A matrix is not two-dimensional or not finite, `image_of_text` does not fit it, an image
        has no text, ids occur twice, matrices are of different images or texts, or there are too
        few images for the protocol.
    OptionError
        An option has a value that it does not take.

    References
    ----------
    Karpathy & Fei-Fei 2015, Deep visual-semantic alignments for generating image descriptions;
    Efron & Tibshirani 1993, section 11 (jackknife).

    Examples
    --------
    >>> import numpy as np
    >>> scores = image_text({"A": np.eye(3), "B": np.ones((3, 3))}, [0, 1, 2], cutoffs=(1,))
    >>> scores.mean().round(1).values.tolist()
    [[100.0, 100.0, 200.0, 100.0], [33.3, 33.3, 66.7, 33.3]]
    >>> scores.measures
    ('i2t R@1', 't2i R@1', 'Rsum', 'mR')
    """
    choice("protocol", protocol, tuple(_PROTOCOLS))
    choice("unit", unit, ("percent", "fraction"))
    choice("ties", ties, ("expected", "order"))
    option_flag("recall", recall)
    wanted = tuple(cutoffs) if isinstance(cutoffs, Iterable) else ()
    whole = all(isinstance(k, (int, np.integer)) and k >= 1 for k in wanted)
    require("cutoffs", cutoffs, bool(wanted) and whole, "must be a list of whole numbers from 1")
    require("cutoffs", cutoffs, len(set(wanted)) == len(wanted), "must not hold a number twice")
    matrices = _matrices(similarity, name, given_ids(images, texts, _NOUNS))
    first = next(iter(matrices.values()))
    ids = _query_ids(first)
    image_of = _checked_map(first.values.shape, image_of_text, ids[0], next(iter(matrices)))
    n_images, n_folds = _sizes(protocol, len(first.values))
    used = np.flatnonzero(image_of < n_images)
    sign = 1 if option_flag("larger_is_better", larger_is_better) else -1
    columns = []
    for matrix in matrices.values():
        part = matrix.values[:n_images]
        part = part if len(used) == part.shape[1] else part[:, used]
        values = directed_values(part, image_of[used], n_folds, wanted, ties=ties, sign=sign)
        columns.append(_by_measure(*values, image_of[used], n_folds, wanted, recall=recall))
    scale = 100.0 if unit == "percent" else 1.0
    table = scale * np.stack([list(column.values()) for column in columns])
    tops = dict.fromkeys(columns[0], scale) | {"Rsum": 2 * len(wanted) * scale}
    names = (ids[0][:n_images], [ids[1][text] for text in used])
    return Scores(
        systems=tuple(matrices),
        queries=(*names[0], *names[1]),
        measures=tuple(columns[0]),
        values=table,  # (systems, measures, images and texts)
        cells=Cells.of_queries(table.shape[2]),
        higher_is_better=(True,) * table.shape[1],
        query_attributes=_attributes(names[0], image_of[used], n_folds),
        ranges=tuple((0.0, top) for top in tops.values()),
    )


def _sizes(protocol: str, available: int) -> tuple[int, int]:
    """Number of images, and of folds."""
    size, n_folds = _PROTOCOLS[protocol]
    n_images = available if size is None else size * n_folds
    if available < n_images:
        raise DataError(
            f"protocol={protocol!r} needs {n_images:,} images, the matrix has {available:,}"
        )
    return n_images, n_folds


def _matrices(given: Any, name: str, ids: Ids) -> dict[str, Matrix]:
    """The matrices by name, all of the same images and texts, whose `ids` may be given."""
    if not isinstance(given, Mapping):
        return {check_id(name, "name", "similarity"): _identified(given, "similarity", ids)}
    require("name", name, name == "system", "the keys of the dict already name the systems")
    if not given:
        raise DataError("similarity: there are no matrices in it; give {name: matrix}")
    out: dict[str, Matrix] = {}
    for key, each in given.items():
        system = check_id(key, "system", "similarity")
        if system in out:
            raise DataError(f"similarity: two systems are called {shown(system)}; rename one")
        out[system] = _identified(each, f"similarity {shown(key)}", ids)
    (first, one), *others = out.items()
    for system, other in others:
        if other.values.shape != one.values.shape:
            raise DataError(
                f"similarity {shown(system)}: its shape is {other.values.shape}, and that of "
                f"{shown(first)} {one.values.shape}; give matrices of the same images and texts"
            )
        for a, b, what in ((one.rows, other.rows, "images"), (one.columns, other.columns, "texts")):
            if a is not None and b is not None and a != b:
                raise DataError(
                    f"similarity {shown(system)}: its {what} are not those of {shown(first)} in "
                    "the same order; sort both alike"
                )
    return out


def _identified(given: Any, where: str, ids: Ids) -> Matrix:
    return with_ids(labelled_matrix(given, where, ids), where, ids, _NOUNS)


def _query_ids(matrix: Matrix) -> tuple[list[str], list[str]]:
    """Ids of all images and of all texts, no two equal."""
    axes = zip(_NOUNS, matrix.values.shape, (matrix.rows, matrix.columns), strict=True)
    out = [[f"{noun} {j}" for j in range(n)] if ids is None else ids for noun, n, ids in axes]
    queries = out[0] + out[1]
    if len(set(queries)) < len(queries):
        twice = [query for query, n in Counter(queries).items() if n > 1]
        raise DataError(
            f"images, texts: {counted(len(twice), 'id occurs', 'ids occur')} twice "
            f"({first_few(twice, show=shown)}); every image and text is a query and needs an id of "
            "its own: give images= and texts="
        )
    return out[0], out[1]


def _checked_map(
    shape: tuple[int, ...], image_of_text: Any, images: list[str], system: str
) -> Ints:
    """The row of each text's image; `system` names the matrix in messages."""
    n_images, n_texts = shape
    if image_of_text is None:
        if n_texts != 5 * n_images:
            raise DataError(
                f"similarity: {counted(n_images, 'image')} and {counted(n_texts, 'text')} "
                "are not 1:5; say which image each text has: image_of_text=[...]"
            )
        return np.repeat(np.arange(n_images), 5)
    image_of = np.asarray(image_of_text)
    if image_of.shape == (n_texts,) and image_of.dtype.kind in "UOT":
        image_of = _places(image_of.tolist(), images)
    if image_of.shape != (n_texts,) or image_of.dtype.kind not in "iu":
        raise DataError(
            f"image_of_text: must be {counted(n_texts, 'whole number')}, one for each text, "
            f"but it is {image_of.dtype} of shape {image_of.shape}; similarity {shown(system)} has "
            f"shape {shape}, and its rows are images, its columns texts"
        )
    outside = (image_of < 0) | (image_of >= n_images)
    if outside.any():
        t = int(np.argmax(outside))
        raise DataError(
            f"image_of_text: text {t} has image {image_of[t]}, but images are 0 to {n_images - 1}"
        )
    count = np.bincount(image_of, minlength=n_images)
    if not count.all():
        raise DataError(f"image_of_text: image {int(np.argmin(count))} has no text")
    return image_of.astype(np.int64)


def _places(names: list[Any], images: list[str]) -> Ints:
    """The row of each image that is named."""
    place = {image: j for j, image in enumerate(images)}
    for text, image in enumerate(names):
        if str(image) not in place:
            raise DataError(
                f"image_of_text: text {text} has image {shown(image)}, which is none of the images"
                f"{nearest(str(image), images)}; give row numbers from 0, or ids by images="
            )
    return np.array([place[str(image)] for image in names])


def _by_measure(
    of_images: Floats,
    of_texts: Floats,
    image_of: Ints,
    n_folds: int,
    cutoffs: tuple[int, ...],
    *,
    recall: bool,
) -> dict[str, Floats]:
    """Values of each measure: (images and texts,)."""
    no_image, no_text = (np.full(values.shape[-1], np.nan) for values in (of_images, of_texts))
    out = {}
    kinds = ("R", "recall") if recall else ("R",)
    for kind, images, texts in zip(kinds, of_images, of_texts, strict=False):
        for k, one in zip(cutoffs, images, strict=True):
            out[f"i2t {kind}@{k}"] = np.concatenate([one, no_text])
        for k, one in zip(cutoffs, texts, strict=True):
            out[f"t2i {kind}@{k}"] = np.concatenate([no_image, one])
    pseudo = pseudo_values(of_images[0], of_texts[0], image_of, n_folds)
    total = np.concatenate([pseudo, no_text])
    return out | {"Rsum": total, "mR": total / (2 * len(cutoffs))}


def _attributes(images: list[str], image_of: Ints, n_folds: int) -> Attributes:
    """The image of each query and, with folds, its fold from 1."""
    of_query = np.concatenate([np.arange(len(images)), image_of])
    out = {IMAGE: tuple(images[j] for j in of_query.tolist())}
    if n_folds > 1:
        fold = of_query * n_folds // len(images) + 1
        out["fold"] = tuple(map(str, fold.tolist()))
    return out
