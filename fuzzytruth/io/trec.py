"""TREC files, read in blocks of whole lines that Arrow parses on several threads.

A block that Arrow cannot parse is parsed again with normalised white space, and if that fails too,
line by line (`trec_lines`), so that an error names its line.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from fuzzytruth.core.threads import in_order
from fuzzytruth.errors import DataError
from fuzzytruth.io.arrow import as_numpy
from fuzzytruth.io.columns import Columns
from fuzzytruth.io.files import Source
from fuzzytruth.io.growing import GrowingTable
from fuzzytruth.io.ids import BOM, buffers, encode_runs, first_forbidden, hash_ids
from fuzzytruth.io.trec_lines import LineError, LineFormat, parse_lines

_BLANKS = bytes.maketrans(b"\t\v\f\r", b"   \n")
_SEARCHED = 1 << 17  # bytes searched at a time, so that temporary arrays stay in cache
_SPACE, _NEWLINE = ord(" "), ord("\n")


def read_trec(source: Source, line_format: LineFormat, names: tuple[str, ...]) -> Columns:
    """Read the columns `names` of a TREC file.

    A column 'item' is accompanied by 'item_hash'; of a column 'tag', only the distinct values are
    kept.

    Raises
    ------
    DataError
        The file cannot be read, is empty, or a line breaks the format.
    """
    table = GrowingTable(source.size)
    n_read = 0  # bytes
    try:
        for columns, size in in_order(partial(_sized, line_format, names), source.blocks()):
            table.append(columns, size)
            n_read += size
    except LineError as error:
        raise line_error(source, error, n_read) from None
    if not table.n_rows:
        raise no_rows(source, line_format)
    return table.columns()


def line_error(source: Source, error: LineError, start: int) -> DataError:
    """The error of a line, given the number of bytes before the text that it is in."""
    return DataError(f"{source.path}, line {source.lines_within(start) + error.line}{error}")


def no_rows(source: Source, line_format: LineFormat) -> DataError:
    """The error of a file without rows."""
    return DataError(f"{source.path}: the file is empty; {line_format.rule}")


def _sized(line_format: LineFormat, names: tuple[str, ...], block: bytes) -> tuple[Columns, int]:
    return parse_block(line_format, names, block), len(block)


def parse_block(line_format: LineFormat, names: tuple[str, ...], block: bytes) -> Columns:
    """Columns of some whole lines; see `read_trec`.

    Raises
    ------
    LineError
        A line breaks the format.
    """
    columns = None
    separator = _only_separator(block)
    if separator is not None:
        columns = _parse_with_arrow(block, separator, line_format, names)
    if columns is None:
        columns = _parse_with_arrow(normalise_white_space(block), " ", line_format, names)
    if columns is None:
        columns = parse_lines(block, line_format, names)
    if "item" in columns:
        columns["item_hash"] = hash_ids(columns["item"])
    if "tag" in columns:
        columns["tag"] = columns["tag"].dictionary
    return columns


def _only_separator(block: bytes) -> str | None:
    """The blank or tab that alone stands between fields; None if other white space does, too."""
    separator, other = (b"\t", b" ") if b"\t" in block else (b" ", b"\t")
    if any(blank in block for blank in (other, b"\v", b"\f")):
        return None
    text = np.frombuffer(block, dtype=np.uint8)
    for start in range(0, len(text), _SEARCHED):
        is_separator = text[start : start + _SEARCHED + 1] == separator[0]
        if (is_separator[1:] & is_separator[:-1]).any():  # Arrow would read an empty field
            return None
    return separator.decode()


def _parse_with_arrow(
    block: bytes, separator: str, line_format: LineFormat, names: tuple[str, ...]
) -> Columns | None:
    """Parse lines with exactly one separator between fields; None if they are not of this form."""
    import pyarrow as pa
    from pyarrow import csv

    if block.startswith(BOM.encode()):  # Arrow would skip it
        return None
    try:
        table = csv.read_csv(
            pa.BufferReader(block),
            read_options=csv.ReadOptions(
                use_threads=False, column_names=list(line_format.fields), block_size=len(block) + 1
            ),
            parse_options=csv.ParseOptions(
                delimiter=separator, quote_char=False, escape_char=False
            ),
            convert_options=csv.ConvertOptions(
                column_types={name: line_format.arrow_type(name) for name in names},
                include_columns=list(names),
                null_values=[],
                strings_can_be_null=False,
            ),
        )
    except pa.ArrowInvalid:
        return None
    columns = {}
    for name in names:
        column = table.column(name).combine_chunks()
        if isinstance(column, pa.ChunkedArray):
            column = column.chunk(0)
        if name in line_format.numbers:
            column = as_numpy(column, np.float64)
            valid = bool(np.isfinite(column).all())
        else:
            ids = column
            if name in line_format.coded:
                column = encode_runs(column)
                ids = column.dictionary
            _, offsets = buffers(ids)
            valid = bool((offsets[1:] > offsets[:-1]).all()) and first_forbidden(ids) is None
        if not valid:
            return None
        columns[name] = column
    return columns


def normalise_white_space(block: bytes) -> bytes:
    r"""Leave one blank between fields and none at the ends of a line.

    Examples
    --------
    >>> normalise_white_space(b" 301  Q0\tFR94 \r\n")
    b'301 Q0 FR94\n'
    """
    text = np.frombuffer(block.replace(b"\r\n", b"\n").translate(_BLANKS), dtype=np.uint8)
    is_space = text == _SPACE
    is_gap = is_space | (text == _NEWLINE)
    kept = ~is_space
    kept[:-1] |= ~is_gap[1:]  # the last of several blanks, unless the line ends after it
    text = text[kept]
    is_indentation = text == _SPACE
    is_indentation[1:] &= text[:-1] == _NEWLINE
    normalised: bytes = text[~is_indentation].tobytes()
    return normalised
