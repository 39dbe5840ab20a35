"""Matrices of numbers from arrays, tensors, lists and frames of any library."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzytruth._typing import Array, Floats
from fuzzytruth.errors import DataError, counted, plural, require, shown
from fuzzytruth.io.column_names import is_spelling, normalised
from fuzzytruth.io.columns import check_ids, first_duplicate_row
from fuzzytruth.io.ids import numbers_or_values
from fuzzytruth.io.objects import NamedColumns, flat_name

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

    A cell that is wrong is named by the ids of its row and column: its own, or else these `ids`.

    Parameters
    ----------
    given : array_like
        Anything with `__array__` or `__dlpack__` (NumPy, PyTorch, JAX), lists of lists, a pandas
        frame, whatever offers `__arrow_c_stream__` (polars, pyarrow, DuckDB), or `NamedColumns`.
        Names of columns are ids of the columns. Ids of the rows are a column "item", the index of
        pandas or, without one, a first column of text or one whose name `heads_rows`. The default
        numbering of pandas is no id.

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
    if isinstance(given, NamedColumns):
        return _of_columns(given, what, ids)
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


def heads_rows(name: Any) -> bool:
    """Whether a name is one of a column of ids of rows, before columns of numbers."""
    plain = normalised(name)
    return plain in ("", "id", "name") or is_spelling(name, "query") or is_spelling(name, "item")


def axis_ids(ids: Any, axis: str, where: str) -> list[str]:
    """The ids of the rows or columns of a matrix, which are its `axis`, as text.

    Raises
    ------
    OptionError
        This is no list.
    DataError
        An id is missing or occurs twice.
    """
    is_list = isinstance(ids, Iterable) and not isinstance(ids, (str, bytes))
    require(axis, ids, is_list, "must be a list of ids")
    checked = check_ids(ids if hasattr(ids, "__len__") else list(ids), axis, where)
    twice = first_duplicate_row([checked])
    if twice is not None:
        first, second = twice
        raise DataError(
            f"{where}: {shown(checked[second].as_py())} is listed twice among the {axis}, at "
            f"places {first + 1:,} and {second + 1:,}; rename one"
        )
    texts: list[str] = checked.to_pylist()
    return texts


def given_ids(rows: Any, columns: Any, nouns: tuple[str, str]) -> Ids:
    """The ids that the user gives for rows and columns; `nouns` says what one of each is."""
    first, second = (
        None if ids is None else axis_ids(ids, plural(noun), plural(noun))
        for ids, noun in zip((rows, columns), nouns, strict=True)
    )
    return first, second


def with_ids(
    matrix: Matrix,
    where: str,
    given: Ids,
    nouns: tuple[str, str],
    *,
    source: str = "",
    listed: str | None = None,
) -> Matrix:
    """The matrix with the ids that are given, in their order, else its own, as text.

    Labels that are the same ids in another order move its rows or columns.

    Parameters
    ----------
    matrix : Matrix
    where : str
    given : Ids
        Checked; see `given_ids`.
    nouns : two of str
        What a row and a column is.
    source : str
        What has as many rows and columns, for the error of the shape.
    listed : str, optional
        Where ids are given, for errors; by default by the options ``items=`` and the like.

    Raises
    ------
    DataError
        An id is missing or occurs twice, the shape does not fit, or the labels of the matrix are
        other ids than those given, and no mere numbering.
    """
    values, shape, own = matrix.values, matrix.values.shape, (matrix.rows, matrix.columns)
    axes = [plural(noun) for noun in nouns]
    sizes = [n if ids is None else len(ids) for n, ids in zip(shape, given, strict=True)]
    if shape != tuple(sizes):
        raise _misfit(where, shape, (sizes[0], nouns[0]), (sizes[1], nouns[1]), source)
    ids: list[list[str] | None] = []
    for j, (axis, chosen, labels) in enumerate(zip(axes, given, own, strict=True)):
        if isinstance(labels, list) and len(labels) != shape[j]:
            line = ("row", "column")[j]
            raise DataError(
                f"{where}: has {counted(shape[j], line)} and {len(labels):,} {axis}; name each "
                f"{line} once"
            )
        if chosen is None:
            ids.append(None if labels is None else axis_ids(labels, axis, where))
            continue
        ids.append(list(chosen))
        places = None
        if labels is not None:
            places = _places(ids[j] or [], labels, axis, where, listed or f"{axis}=")
        values = values if places is None else np.take(values, places, axis=j)
    return Matrix(values, ids[0], ids[1], matrix.distances)


def _places(ids: list[str], labels: Any, axis: str, where: str, names: str) -> list[int] | None:
    """Where each id stands among the labels of an axis; None if they are in order.

    Labels that are other ids are an error, unless they only number the axis, as libraries do.
    """
    own: list[str] = check_ids(labels, axis, where).to_pylist()
    if own == ids:
        return None
    at = {label: j for j, label in enumerate(own)}
    known = {*ids}
    if at.keys() == known:
        return [at[label] for label in ids]
    if any(own == [f"{stem}{j}" for j in range(len(own))] for stem in ("", "column", "column_")):
        return None
    stray = next((label for label in own if label not in known), own[0])
    raise DataError(
        f"{where}: its {axis} have labels, and {shown(stray)} is not among {names}; give the ids "
        "that the labels are, in any order, or numbers without labels, such as frame.to_numpy()"
    )


def _misfit(
    where: str,
    shape: tuple[int, ...],
    rows: tuple[int, str],
    columns: tuple[int, str],
    source: str = "",
) -> DataError:
    """The error of a shape that differs from the numbers, with their noun, of rows and columns.

    `source` says what has these rows and columns; by default options that give ids.
    """
    sizes = zip(shape, (rows, columns), strict=True)
    wrong = (
        f"{plural(noun)}= needs {counted(size, 'id')}" for size, (n, noun) in sizes if size != n
    )
    rest = f" of {source}" if source else f"; {', '.join(wrong)}"
    if shape == (columns[0], rows[0]):
        rest = f"{source and rest}; rows are {plural(rows[1])}, so transpose it"
    return DataError(
        f"{where}: shape {shape} does not fit {counted(*rows)} and {counted(*columns)}{rest}"
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
    names = [flat_name(name) for name in frame.columns.tolist()]
    index = frame.index
    counts_rows = index.name is None and index.dtype.kind in "iu"
    at = _place_of_ids(names, frame.iloc[:, 0].tolist() if names else [])
    rows = None if _is_numbering(index) else index.tolist()
    if at is not None and (rows is None or counts_rows or names[at] == "item"):
        rows = frame.iloc[:, at].tolist()
        frame = frame.iloc[:, [j for j in range(len(names)) if j != at]]
        names = _without(names, at, what)
    columns = None if _is_numbering(frame.columns) else names
    own = _first_of((rows, columns), ids)
    return Matrix(checked_matrix(frame.to_numpy(), what, own), rows, columns)


def _place_of_ids(names: Sequence[Any], first: list[Any]) -> int | None:
    """Which column holds the ids of the rows, if any; `first` has the values of the first one."""
    if "item" in names:
        return names.index("item")
    texts = [isinstance(value, str) for value in first if value is not None]
    if texts and all(texts):
        return 0
    is_whole = bool(first) and not any(isinstance(value, (float, bool)) for value in first)
    return 0 if is_whole and heads_rows(names[0]) else None


def _without(names: list[Any], at: int, what: str) -> list[Any]:
    """The names of the columns of numbers."""
    if len(names) == 1:
        raise DataError(f"{what}: has no columns of numbers beside {shown(names[at])}, the ids")
    return names[:at] + names[at + 1 :]


def _first_of(own: Ids, given: Ids) -> Ids:
    """The ids of a frame, or else those that are given."""
    rows, columns = (given[j] if own[j] is None else own[j] for j in range(2))
    return rows, columns


def _is_numbering(labels: Any) -> bool:
    """Whether these are the numbers from 0 that pandas gives by default."""
    return type(labels).__name__ == "RangeIndex" and (labels.start, labels.step) == (0, 1)


def _of_arrow(frame: Any, what: str, ids: Ids) -> Matrix:
    import pyarrow as pa

    try:
        table = pa.table(frame)
    except (pa.ArrowException, TypeError, ValueError):
        raise DataError(
            f"{what}: this {type(frame).__name__} is no table; give a matrix, rows × columns"
        ) from None
    return _of_columns(NamedColumns(tuple(table.column_names), table.column), what, ids)


def _of_columns(table: NamedColumns, what: str, ids: Ids) -> Matrix:
    names, rows = list(table.names), None
    at = _place_of_ids(names, table.values(names[0]) if names else [])
    if at is not None:
        rows = table.values(names[at])
        names = _without(names, at, what)
    columns = [_cells(table.column(name)) for name in names]
    lengths = {column.shape for column in columns}
    if len(lengths) > 1 or any(len(shape) != 1 for shape in lengths):
        raise DataError(f"{what}: columns differ in length: {sorted(lengths)}")
    values = np.stack(columns, axis=1) if columns else np.empty((0, 0))
    return Matrix(checked_matrix(values, what, _first_of((rows, names), ids)), rows, names)


def _cells(column: Any) -> Array:
    """The values of a column, objects if some are no numbers."""
    if hasattr(column, "combine_chunks"):
        column = numbers_or_values(column.combine_chunks())
    values = np.asarray(column)
    return values if values.dtype.kind in "biuf" else np.asarray(column, dtype=object)


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
            value = cell.item() if isinstance(cell, np.generic) else cell
            raise DataError(
                f"{_cell(what, row, column, ids)}: value {shown(value)} is not a number; every "
                "cell needs one"
            ) from None
    raise DataError(f"{what}: must hold numbers, but its type is {values.dtype}")
