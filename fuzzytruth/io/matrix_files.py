"""Files of matrices: NumPy's, and text; see `matrix_text` for the latter."""

from __future__ import annotations

import csv
import io
import math
import struct
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np

from fuzzytruth._typing import Array, Floats
from fuzzytruth.errors import DataError, counted, shown, shown_all
from fuzzytruth.io.column_names import is_known
from fuzzytruth.io.columns import parse_number
from fuzzytruth.io.delimited import decode, split_lines
from fuzzytruth.io.files import Source
from fuzzytruth.io.formats import format_of, stem_of
from fuzzytruth.io.matrices import Matrix, checked_matrix, heads_rows

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
    separator = _separator(source.path, lines[0])
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
    """Read a matrix of text; see `matrix_files.read_matrix`."""
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
        return cls(source.path, text, _separator(source.path, text.lstrip().partition("\n")[0]))

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


def _separator(path: Path, line: str) -> str | None:
    """Tabs, commas or semicolons by the ending of the name; else None, white space."""
    kind = format_of(path)
    if kind == "tsv":
        return "\t"
    return max(",;\t", key=line.count) if kind == "csv" else None


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
