"""Files of matrices: NumPy's, and text; see `matrix_text` for the latter."""

from __future__ import annotations

import io
import struct
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.errors import DataError, shown, shown_all
from fuzzytruth.io.delimited import decode, split_lines
from fuzzytruth.io.files import Source
from fuzzytruth.io.formats import stem_of
from fuzzytruth.io.matrices import Matrix, checked_matrix
from fuzzytruth.io.matrix_text import looks_like_matrix, read_text_matrix

#: names of the arrays of an .npz file
_SCORES = ("matrix", "scores", "score", "similarity", "similarities", "sims", "sim", "values")
_DISTANCES = ("distances", "distance", "dists", "dist")
_ROWS = ("queries", "query", "query_ids", "rows", "images", "image_ids")
_COLUMNS = ("items", "item", "item_ids", "columns", "texts", "text_ids")
_NUMPY = (".npy", ".npz")
_OF_OTHER_TOOLS = (".pt", ".pth", ".safetensors", ".mat", ".h5", ".hdf5", ".pkl", ".pickle", ".rds")
_NO_MATRIX = (".json", ".jsonl", ".ndjson", ".parquet", ".pq", ".cla")


#: what NumPy and `zipfile` raise where bytes are damaged
_DAMAGED = (
    *(ValueError, TypeError, LookupError, ArithmeticError, SyntaxError, EOFError, OSError),
    *(MemoryError, RuntimeError, TokenError, struct.error, zipfile.BadZipFile, zlib.error),
)


def holds_matrix(source: Source) -> bool:
    """Whether a file holds a matrix, and no table or TREC run.

    Names end in `.npy` or `.npz`; or the first lines hold numbers alone, but for a header and a
    first column that name nothing that a table has. Lines of six fields are a TREC run's, unless
    the name ends in `.matrix` or `.dist`.
    """
    if is_numpy_file(source.path):
        return True
    return _ending(source.path) not in _NO_MATRIX and looks_like_matrix(source)


def is_numpy_file(path: Path) -> bool:
    """Whether the name ends in `.npy` or `.npz`."""
    return _ending(path) in _NUMPY


def read_matrix(path: str | Path | Source) -> Matrix:
    r"""Read a matrix from a file.

    Parameters
    ----------
    path : path
        `.npy`; `.npz` of one array, or with arrays named `matrix`, `scores`, `similarity` or
        `distance` and, optionally, `queries` and `items`; `.csv` and `.tsv` of numbers, optionally
        with the ids of the columns in the first line and those of the rows in the first column;
        any other ending for numbers separated by white space, a line a row; `.gz` of each.

    Returns
    -------
    Matrix
        With `rows` and `columns` None where the file names none.

    Raises
    ------
    DataError
        The file cannot be read, holds pickled objects, or a cell is no finite number; the message
        names the line or row, and the column.

    Examples
    --------
    >>> path = getfixture("tmp_path") / "a.csv"
    >>> _ = path.write_text(",d1,d2\nq1,0.5,0.25\n")
    >>> matrix = read_matrix(path)
    >>> matrix.values.tolist(), matrix.rows, matrix.columns
    ([[0.5, 0.25]], ['q1'], ['d1', 'd2'])
    """
    source = path if isinstance(path, Source) else Source.of(path)
    if _ending(source.path) in _OF_OTHER_TOOLS and not _is_text_matrix(source):
        raise DataError(
            f"{source.path}: the ending {shown(_ending(source.path))} names no format of matrices "
            "that is read; save an array as .npy (np.save), .npz or .csv"
        )
    if not is_numpy_file(source.path):
        return read_text_matrix(source)
    loaded = _load(source)
    if isinstance(loaded, np.ndarray):
        return Matrix(checked_matrix(loaded, str(source.path)))
    return _of_arrays(loaded, str(source.path))


def _is_text_matrix(source: Source) -> bool:
    """Whether a file is text and looks like a matrix."""
    try:
        return looks_like_matrix(source)
    except DataError:
        return False


def read_id_lines(path: str | Path) -> list[str]:
    """Ids from a text file, one a line.

    Raises
    ------
    DataError
        The file cannot be read, or a line between ids is blank.
    """
    source = Source.of(path)
    lines = [line.strip() for line in split_lines(decode(source.path, source.text()))]
    while lines and not lines[-1]:
        lines.pop()
    if "" in lines:
        raise DataError(
            f"{source.path}, line {lines.index('') + 1}: is blank; every line needs an id"
        )
    return lines


def _ending(path: Path) -> str:
    name = path.name[:-3] if path.name.lower().endswith(".gz") else path.name
    return name.removeprefix(stem_of(path)).lower()


def _load(source: Source) -> Array | dict[str, Array]:
    """The array of an .npy file, or those of an .npz file by name; nothing is unpickled."""
    where = source.path
    data = io.BytesIO(source.read())
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of headers that Python 2 wrote
            loaded = np.load(data, allow_pickle=False)
            if isinstance(loaded, np.ndarray):
                return loaded
            arrays = {name: loaded[name] for name in loaded.files}
    except _DAMAGED as error:
        if "allow_pickle" in str(error) or "pickled" in str(error):
            raise DataError(
                f"{where}: holds pickled objects, or is no file of NumPy; save an array of "
                "numbers, and ids as an array of text: np.array(ids, dtype=str)"
            ) from None
        raise DataError(
            f"{where}: is no complete file of NumPy ({' '.join(str(error).split())})"
        ) from None
    for name, array in arrays.items():
        if not isinstance(array, np.ndarray):  # NumPy gives the bytes of other members
            raise DataError(f"{where}: {name!r} in it is no array of NumPy; save all by np.savez")
    return arrays


def _of_arrays(arrays: Mapping[str, Array], where: str) -> Matrix:
    """The matrix among the arrays of an .npz file, and its ids."""
    lower = {name.lower(): name for name in arrays}
    values = [lower[name] for name in (*_SCORES, *_DISTANCES) if name in lower]
    if not values and len(arrays) == 1:
        values = list(arrays)
    if len(values) != 1:
        what = "several arrays could be the matrix" if values else "no array is called matrix"
        raise DataError(
            f"{where}: {what} among {shown_all(arrays)}; call one of them 'scores' or 'distances', "
            "and the ids 'queries' and 'items'"
        )
    name = values[0]
    return Matrix(
        checked_matrix(arrays[name], f"{where}, array {name!r}"),
        _ids(arrays, lower, _ROWS),
        _ids(arrays, lower, _COLUMNS),
        distances=name.lower() in _DISTANCES,
    )


def _ids(
    arrays: Mapping[str, Array], lower: Mapping[str, str], names: Iterable[str]
) -> list[Any] | None:
    name = next((lower[name] for name in names if name in lower), None)
    return None if name is None else arrays[name].tolist()
