"""Matrices of numbers from arrays, tensors, lists and frames of any library."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzytruth._typing import Array, Floats
from fuzzytruth.errors import DataError, counted, plural, shown
from fuzzytruth.io.arrow import numbers_or_values

#: ids of the rows and of the columns, where they are known
Ids = tuple[Sequence[Any] | None, Sequence[Any] | None]

_BLOCK = 1 << 22  # cells looked at at a time


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """A matrix of numbers, and the ids of its rows and columns where it names them.

    Parameters
    ----------
    values : (rows, columns) array of floats
        Maybe the caller's own, which must not be changed.
    rows, columns : list or None
        Ids as they were given.
    distances : bool
        Whether it is called a matrix of distances.
    """

    values: Array
    rows: list[Any] | None = None
    columns: list[Any] | None = None
    distances: bool = False


def labelled_matrix(given: Any, what: str, ids: Ids = (None, None)) -> Matrix:
    """A matrix of any library with its ids; `what` names it in errors.

    A cell that is wrong is named by the `ids` of rows and columns, if they are given here.

    Parameters
    ----------
    given : array_like
        Anything with `__array__` or `__dlpack__` (NumPy, PyTorch, JAX), lists of lists, a pandas
        frame, or whatever offers `__arrow_c_stream__` (polars, pyarrow, DuckDB). Names of columns
        are ids of the columns; ids of the rows are the index of pandas or, without one, a first
        column of text. The default numbering of pandas is no id.

    Raises
    ------
    DataError
        It is no matrix of finite numbers, is sparse, or is on another device; the message names the
        first cell that is wrong.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"d1": [1, 2], "d2": [3, 4]}, index=["q1", "q2"])
    >>> matrix = labelled_matrix(frame, "m")
    >>> matrix.values.tolist(), matrix.rows, matrix.columns
    ([[1.0, 3.0], [2.0, 4.0]], ['q1', 'q2'], ['d1', 'd2'])
    """
    if isinstance(given, Matrix):
        return given
    if hasattr(given, "iloc") and hasattr(given, "columns"):
        return _of_pandas(given, what, ids)
    if hasattr(given, "__arrow_c_stream__"):
        return _of_arrow(given, what, ids)
    return Matrix(checked_matrix(_array_of(given, what), what, ids))


def checked_matrix(values: Array, what: str, ids: Ids = (None, None)) -> Array:
    """The array as one of floats, if it is two-dimensional, finite and not empty.

    Raises
    ------
    DataError
        It is not; the message names the first cell that is wrong, rows and columns from 1.
    """
    if values.ndim != 2 or 0 in values.shape:
        raise DataError(
            f"{what}: must be a matrix, rows × columns, but its shape is {values.shape}"
        )
    if values.dtype.kind != "f":
        values = _as_floats(values, what, ids)
    for rows, block in row_blocks(values):
        finite = np.isfinite(block)
        if not finite.all():
            row, column = np.argwhere(~finite)[0].tolist()
            raise DataError(
                f"{_cell(what, rows.start + row, column, ids)}: {block[row, column]} is not "
                "allowed; every cell needs a finite number"
            )
    return values


def misfit(
    where: str,
    shape: tuple[int, ...],
    rows: tuple[int, str],
    columns: tuple[int, str],
    source: str = "",
) -> DataError:
    """The error of a shape that differs from the numbers, with their noun, of rows and columns.

    `source` says what has these rows and columns.
    """
    turned = shape == (columns[0], rows[0])
    return DataError(
        f"{where}: shape {shape} does not fit {counted(*rows)} and {counted(*columns)}"
        f"{source and f' of {source}'}"
        f"{f'; rows are {plural(rows[1])}, so transpose it' if turned else ''}"
    )


def row_blocks(values: Array) -> Iterator[tuple[slice, Array]]:
    """Whole rows, of bounded memory together."""
    step = max(1, _BLOCK // max(1, values.shape[1]))
    for start in range(0, len(values), step):
        rows = slice(start, min(start + step, len(values)))
        yield rows, values[rows]


def _cell(what: str, row: int, column: int, ids: Ids) -> str:
    """The place of a cell, with the ids of its row and column if there are any."""
    named = []
    for axis, place, names in zip(("row", "column"), (row, column), ids, strict=True):
        known = names is not None and place < len(names)
        named.append(f"{axis} {place + 1}{f' ({shown(names[place])})' if names and known else ''}")
    return f"{what}, {', '.join(named)}"


def _of_pandas(frame: Any, what: str, ids: Ids) -> Matrix:
    columns = None if _is_numbering(frame.columns) else frame.columns.tolist()
    rows = None if _is_numbering(frame.index) else frame.index.tolist()
    if rows is None and frame.shape[1] and _is_text(frame.iloc[:, 0]):
        rows, frame = frame.iloc[:, 0].tolist(), frame.iloc[:, 1:]
        columns = None if columns is None else columns[1:]
    own = _first_of(ids, (rows, columns))
    return Matrix(checked_matrix(frame.to_numpy(), what, own), rows, columns)


def _first_of(given: Ids, own: Ids) -> Ids:
    """The ids that are given, or else those of a frame."""
    rows, columns = (own[j] if given[j] is None else given[j] for j in range(2))
    return rows, columns


def _is_numbering(labels: Any) -> bool:
    """Whether these are the numbers from 0 that pandas gives by default."""
    return type(labels).__name__ == "RangeIndex" and (labels.start, labels.step) == (0, 1)


def _is_text(column: Any) -> bool:
    return column.dtype.kind not in "biufc" and all(isinstance(cell, str) for cell in column)


def _of_arrow(frame: Any, what: str, ids: Ids) -> Matrix:
    import pyarrow as pa

    try:
        table = pa.table(frame)
    except (pa.ArrowException, TypeError, ValueError):
        raise DataError(
            f"{what}: this {type(frame).__name__} is no table; give a matrix, rows × columns"
        ) from None
    names, rows = table.column_names, None
    if names and _holds_arrow_text(table.column(0).type):
        rows, names, table = table.column(0).to_pylist(), names[1:], table.drop_columns(names[:1])
    columns = [np.asarray(numbers_or_values(column.combine_chunks())) for column in table.columns]
    values = np.stack(columns, axis=1) if columns else np.empty((0, 0))
    return Matrix(checked_matrix(values, what, _first_of(ids, (rows, names))), rows, names)


def _holds_arrow_text(kind: Any) -> bool:
    import pyarrow as pa

    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    texts = pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view
    return any(is_text(kind) for is_text in texts)


def _array_of(given: Any, what: str) -> Array:
    """An array of anything that is one, or of lists of lists of equal lengths."""
    if hasattr(given, "toarray"):
        raise DataError(
            f"{what}: is a sparse {type(given).__name__}, and every cell needs a number; if empty "
            f"cells are 0, give {what}.toarray()"
        )
    if hasattr(given, "__array__") or hasattr(given, "__dlpack__"):
        return _from_protocol(given, what)
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        raise DataError(f"{what}: must be rows × columns of numbers, not {shown(given)}")
    rows = list(given)
    sizes = [len(row) for row in rows if hasattr(row, "__len__")]
    ragged = next((j for j, size in enumerate(sizes) if size != sizes[0]), None)
    if ragged is not None:
        raise DataError(
            f"{what}, row {ragged + 1}: has {counted(sizes[ragged], 'column')}, and row 1 has "
            f"{sizes[0]:,}; all rows need as many"
        )
    try:
        return np.asarray([_array_of(row, what) if _is_tensor(row) else row for row in rows])
    except (TypeError, ValueError):
        raise DataError(f"{what}: must be rows × columns of numbers") from None


def _is_tensor(row: Any) -> bool:
    return hasattr(row, "__array__") or hasattr(row, "__dlpack__")


def _from_protocol(given: Any, what: str) -> Array:
    convert = np.asarray if hasattr(given, "__array__") else np.from_dlpack
    try:
        return convert(given)
    except Exception as error:  # each library raises its own
        reason = str(error).partition("\n")[0].strip(" .") or type(error).__name__
        raise DataError(
            f"{what}: this {type(given).__name__} cannot be read as an array ({reason}); move it "
            f"to the CPU and detach it: {what}.detach().float().cpu()"
        ) from None


def _as_floats(values: Array, what: str, ids: Ids) -> Floats:
    """Doubles of whole numbers, booleans, text and objects; the first that is none is an error."""
    if values.dtype.kind not in "mMcV":  # times and complex numbers, some of which NumPy converts
        try:
            return values.astype(np.float64)
        except (TypeError, ValueError, OverflowError):
            pass
    for (row, column), cell in np.ndenumerate(values):  # up to the first that is wrong
        try:
            if values.dtype.kind in "mMcV":
                raise TypeError
            float(cell)
        except (TypeError, ValueError, OverflowError):
            raise DataError(
                f"{_cell(what, row, column, ids)}: value {shown(cell)} is not a number; every cell "
                "needs one"
            ) from None
    raise DataError(f"{what}: must hold numbers, but its type is {values.dtype}")
