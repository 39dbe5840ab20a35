"""Matrices of numbers from arrays, tensors, lists, frames of any library, and files."""

from __future__ import annotations

import csv
import io
import math
import struct
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np

from fuzzytruth._typing import Array, Floats
from fuzzytruth.errors import DataError, counted, plural, require, shown, shown_all
from fuzzytruth.io.column_names import is_known, is_spelling, normalised
from fuzzytruth.io.columns import check_ids, first_duplicate_row, numbers_or_values, parse_number
from fuzzytruth.io.files import Source
from fuzzytruth.io.table_files import decode
from fuzzytruth.io.tables import NamedColumns, flat_name, of_arrow

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
        given = of_arrow(given, what)
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
        raise _misfit(where, shape, tuple(zip(sizes, nouns, strict=True)), source)
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
    where: str, shape: tuple[int, ...], axes: tuple[tuple[int, str], ...], source: str
) -> DataError:
    """The error of a shape that differs from the numbers, with their noun, of rows and columns.

    `source` says what has these rows and columns; by default options that give ids.
    """
    wrong = [
        f"{plural(noun)}= needs {counted(size, 'id')}"
        for size, (n, noun) in zip(shape, axes, strict=True)
        if size != n
    ]
    rest = f" of {source}" if source else f"; {', '.join(wrong)}"
    rows, columns = axes
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
    return _matrix_of(frame.to_numpy(), rows, columns, what, ids)


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


def _matrix_of(
    values: Array, rows: list[Any] | None, columns: list[Any] | None, what: str, ids: Ids
) -> Matrix:
    """The matrix of a frame; cells that are wrong are named by its ids, or else by those given."""
    named = ids[0] if rows is None else rows, ids[1] if columns is None else columns
    return Matrix(checked_matrix(values, what, named), rows, columns)


def _is_numbering(labels: Any) -> bool:
    """Whether these are the numbers from 0 that pandas gives by default."""
    return type(labels).__name__ == "RangeIndex" and (labels.start, labels.step) == (0, 1)


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
    return _matrix_of(values, rows, names, what, ids)


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
    if _is_tensor(given):
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


def _is_tensor(given: Any) -> bool:
    return hasattr(given, "__array__") or hasattr(given, "__dlpack__")


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
    convertible = values.dtype.kind not in "mMcV"  # times and complex numbers, which NumPy converts
    if convertible:
        with suppress(TypeError, ValueError, OverflowError):
            return values.astype(np.float64)
    for (row, column), cell in np.ndenumerate(values):  # up to the first that is wrong
        with suppress(TypeError, ValueError, OverflowError):
            if convertible:
                float(cell)
                continue
        value = cell.item() if isinstance(cell, np.generic) else cell
        raise DataError(
            f"{_cell(what, row, column, ids)}: value {shown(value)} is not a number; every "
            "cell needs one"
        )
    raise DataError(f"{what}: must hold numbers, but its type is {values.dtype}")


# Matrices in text: comma- or tab-separated, with or without ids, or separated by white space.

_TREC_RUN = 6  # fields of a line
_MARKS = "\x1c\x1d\x1e\x1f"  # which NumPy takes for blanks around a number
_MATRIX_ENDINGS = (".matrix", ".dist")


def looks_like_matrix(source: Source) -> bool:
    """Whether the first lines of a text file are those of a matrix."""
    block = io.BytesIO(next(source.blocks(), b""))
    lines = [line.decode(errors="replace") for line in islice(filter(bytes.strip, block), 2)]
    if not lines:
        return False
    separator = _separator(source, lines[0])
    if separator is None:
        fields = lines[0].split()
        named = source.path.name.lower().removesuffix(".gz").endswith(_MATRIX_ENDINGS)
        return len(fields) > 1 and _all_numbers(fields) and (named or len(fields) != _TREC_RUN)
    first, *others = ([field.strip(' "\r\n') for field in line.split(separator)] for line in lines)
    if any(is_known(name) for name in first[1:]):
        return False
    cells = [cell for cell in (others[0] if others else first)[1:] if cell]
    return bool(cells) and _all_numbers(cells)


def read_text_matrix(source: Source) -> Matrix:
    """Read a matrix of text; see `read_matrix`."""
    sheet = _Sheet.of(source)
    header, has_ids = _layout(sheet)
    first = int(has_ids)
    width, rows = 0, []
    for number, (line, fields) in enumerate(sheet.records(header is not None)):
        if not number:
            width = len(fields)
        if len(fields) != width:
            raise DataError(
                f"{sheet.path}, line {line}: has {counted(len(fields), 'field')}, and the first "
                f"row has {width:,}; all rows need as many"
            )
        rows.append(fields[0].strip())
    columns = None if header is None else header[len(header) - (width - first) :]
    if header is not None and len(header) not in (width, width - first):
        raise DataError(
            f"{sheet.path}, line 1: names {counted(len(header), 'column')}, but rows have {width:,}"
        )
    values = _numbers(sheet, header is not None, range(first, width))
    return Matrix(values, rows if has_ids else None, columns)


@dataclass(frozen=True, slots=True)
class _Sheet:
    """The text of a file; a `separator` of None is white space."""

    path: Path
    text: str
    separator: str | None

    @classmethod
    def of(cls, source: Source) -> _Sheet:
        text = decode(source.path, source.text())
        return cls(source.path, text, _separator(source, text.lstrip().partition("\n")[0]))

    def records(self, after_header: bool = False) -> Iterator[tuple[int, list[str]]]:
        """Line number and fields of each row that is not blank."""
        lines = io.StringIO(self.text, newline=None)
        if self.separator is None:
            every = ((n, line.split()) for n, line in enumerate(lines, start=1))
        else:
            reader = csv.reader(lines, delimiter=self.separator)
            every = ((reader.line_num, fields) for fields in reader)
        rows = ((n, fields) for n, fields in every if any(map(str.strip, fields)))
        try:
            yield from islice(rows, int(after_header), None)
        except csv.Error as error:
            raise DataError(f"{self.path}: {error}; is a quote or a line end missing?") from None


def _separator(source: Source, line: str) -> str | None:
    """Tabs, commas or semicolons by the ending of the name; else None, white space."""
    if source.format == "tsv":
        return "\t"
    return max(",;\t", key=line.count) if source.format == "csv" else None


def _layout(sheet: _Sheet) -> tuple[list[str] | None, bool]:
    """The header, None without one, and whether the first column holds ids."""
    records = [fields for _, fields in islice(sheet.records(), 2)]
    if not records:
        raise DataError(f"{sheet.path}: there are no rows in it")
    first = [field.strip() for field in records[0]]
    second = records[-1]
    has_ids = not _all_numbers(second[:1])
    if len(records) == 1 or _all_numbers(first) or _all_numbers(first[:1]):
        shorter = len(first) == len(second) - 1
        return (first, True) if shorter and has_ids else (None, not _all_numbers(first[:1]))
    if len(first) == len(second) - 1 or heads_rows(first[0]):
        return first, True
    if not _all_numbers(first[1:]):
        if not has_ids:
            raise DataError(
                f"{sheet.path}, line 1: does not say whether the first column, {first[0]!r}, holds "
                "ids or numbers of the matrix; call it 'query' if it holds ids, else remove line 1"
            )
        return first, True
    if not has_ids:
        return first, True
    if all(field.isdigit() for field in first[1:]) and len(set(first[1:])) == len(first) - 1:
        raise DataError(
            f"{sheet.path}, line 1: may be a row or a header of ids; call the first column 'query' "
            "if it is a header, else add one"
        )
    return None, True


def _numbers(sheet: _Sheet, after_header: bool, columns: Sequence[int]) -> Floats:
    """The numbers of these columns; the first cell that is none is an error."""
    skipped = next((line for line, _ in islice(sheet.records(), 1)), 0) if after_header else 0
    try:
        values = np.loadtxt(
            io.StringIO(sheet.text, newline=None),
            delimiter=sheet.separator,
            skiprows=skipped,
            usecols=columns,
            comments=None,
            quotechar=None if sheet.separator is None else '"',
            ndmin=2,
        )
    except ValueError:
        values = np.array([[math.nan]])
    finite = bool(np.isfinite(values).all())
    if finite and not any(mark in sheet.text for mark in _MARKS):
        return values
    for line, fields in sheet.records(after_header):
        for column in columns:
            try:
                parse_number(fields[column])
            except ValueError as error:
                place = f"{sheet.path}, line {line}, column {column + 1}"
                raise DataError(f"{place}: {error}") from None
    if finite:
        return values
    raise DataError(f"{sheet.path}: cannot be read as a matrix of numbers; is a quote missing?")


def _all_numbers(fields: Sequence[str]) -> bool:
    """Whether all are numbers, finite or not."""
    try:
        return bool([float(field) for field in fields])
    except ValueError:
        return False


#: names of the arrays of an .npz file
_SCORES = ("matrix", "scores", "score", "similarity", "similarities", "sims", "sim", "values")
_DISTANCES = ("distances", "distance", "dists", "dist")
_ROWS = ("queries", "query", "query_ids", "rows", "images", "image_ids")
_COLUMNS = ("items", "item", "item_ids", "columns", "texts", "text_ids")
#: endings of the files of NumPy
NUMPY_ENDINGS = (".npy", ".npz")
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
    if source.ending in NUMPY_ENDINGS:
        return True
    return source.ending not in _NO_MATRIX and looks_like_matrix(source)


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
    if source.ending in _OF_OTHER_TOOLS and not _is_text_matrix(source):
        raise DataError(
            f"{source.path}: the ending {shown(source.ending)} names no format of matrices "
            "that is read; save an array as .npy (np.save), .npz or .csv"
        )
    if source.ending not in NUMPY_ENDINGS:
        return read_text_matrix(source)
    loaded = _load(source)
    if isinstance(loaded, np.ndarray):
        return Matrix(checked_matrix(loaded, str(source.path)))
    return _of_arrays(loaded, str(source.path))


def _is_text_matrix(source: Source) -> bool:
    """Whether a file is text and looks like a matrix."""
    with suppress(DataError):
        return looks_like_matrix(source)
    return False


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
