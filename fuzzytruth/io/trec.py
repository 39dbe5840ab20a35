"""TREC files, read fast: pieces of whole lines, parsed by Arrow on several threads.

A piece that Arrow does not understand is parsed again with its white space put in order, and if
that does not help, line by line (`trec_lines`), where errors are found exactly.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import count

import numpy as np

from fuzzytruth.errors import DataError
from fuzzytruth.io.arrow import as_numpy
from fuzzytruth.io.columns import Columns
from fuzzytruth.io.files import Source
from fuzzytruth.io.growing import GrowingTable
from fuzzytruth.io.ids import buffers, hash_ids
from fuzzytruth.io.trec_lines import Layout, LineError, parse_lines

Part = tuple[Columns, int]

_BLANKS = bytes.maketrans(b"\t\r\v\f", b"    ")
_SPACE, _NEWLINE = ord(" "), ord("\n")


def read_trec(source: Source, layout: Layout, wanted: tuple[str, ...]) -> Columns:
    """Read the `wanted` columns of a TREC file.

    A column 'item' brings 'item_hash' along; of a column 'tag' only the distinct values are kept.

    Raises
    ------
    DataError
        The file cannot be read, is empty, or a line breaks the layout.
    """
    parse = partial(_parse, layout, wanted)
    workers = min(4, os.cpu_count() or 1)
    table = GrowingTable(source.size)
    with ThreadPoolExecutor(workers) as pool:
        results = _in_order(pool, parse, source.blocks(), ahead=workers + 1)
        for block in count():
            try:
                part = next(results, None)
            except LineError as error:
                line = source.lines_before(block) + error.line
                raise DataError(f"{source.path}, line {line}{error}") from None
            if part is None:
                break
            table.append(*part)
    if not table.n_rows:
        raise DataError(f"{source.path}: the file is empty; {layout.rule}")
    return table.columns()


def _in_order(
    pool: ThreadPoolExecutor,
    function: Callable[[bytes], Part],
    blocks: Iterator[bytes],
    *,
    ahead: int,
) -> Iterator[Part]:
    """Results in the order of the blocks, of which only a few are held at a time."""
    pending: deque[Future[Part]] = deque()
    for block in blocks:
        pending.append(pool.submit(function, block))
        if len(pending) > ahead:
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()


def _parse(layout: Layout, wanted: tuple[str, ...], block: bytes) -> Part:
    """Columns of a block, and its number of bytes."""
    columns = None
    if b"\t" not in block or b" " not in block:
        separator = "\t" if b"\t" in block else " "
        columns = _parse_plain(block, separator, layout, wanted)
    if columns is None:
        columns = _parse_plain(squeeze(block), " ", layout, wanted)
    if columns is None:
        columns = parse_lines(block, layout, wanted)
    if "item" in columns:
        columns["item_hash"] = hash_ids(columns["item"])
    if "tag" in columns:
        columns["tag"] = columns["tag"].dictionary
    return columns, len(block)


def _parse_plain(
    block: bytes, separator: str, layout: Layout, wanted: tuple[str, ...]
) -> Columns | None:
    """Parse lines with exactly one separator between fields; None if they are not like that."""
    import pyarrow as pa
    from pyarrow import csv

    try:
        table = csv.read_csv(
            pa.BufferReader(block),
            read_options=csv.ReadOptions(
                use_threads=False, column_names=list(layout.fields), block_size=len(block) + 1
            ),
            parse_options=csv.ParseOptions(
                delimiter=separator, quote_char=False, escape_char=False
            ),
            convert_options=csv.ConvertOptions(
                column_types={name: layout.arrow_type(name) for name in wanted},
                include_columns=list(wanted),
                null_values=[],
                strings_can_be_null=False,
            ),
        )
    except pa.ArrowInvalid:
        return None
    columns = {}
    for name in wanted:
        column = table.column(name).combine_chunks()
        if isinstance(column, pa.ChunkedArray):
            column = column.chunk(0)
        if name in layout.numbers:
            column = as_numpy(column, np.float64)
            sound = np.isfinite(column).all()
        else:
            ids = column.dictionary if name in layout.coded else column
            _, offsets = buffers(ids.cast(pa.large_string()))
            sound = (offsets[1:] > offsets[:-1]).all()
        if not sound:
            return None
        columns[name] = column
    return columns


def squeeze(block: bytes) -> bytes:
    r"""Put white space in order: one blank between fields, none around a line.

    Examples
    --------
    >>> squeeze(b" 301  Q0\tFR94 \r\n")
    b'301 Q0 FR94\n'
    """
    text = np.frombuffer(block.translate(_BLANKS), dtype=np.uint8)
    space = text == _SPACE
    gap = space | (text == _NEWLINE)
    keep = ~space
    keep[:-1] |= ~gap[1:]  # of several blanks the last, unless the line ends there
    text = text[keep]
    indented = text == _SPACE
    indented[1:] &= text[:-1] == _NEWLINE
    squeezed: bytes = text[~indented].tobytes()
    return squeezed
