"""TREC runs, read some lines at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from fuzzytruth.data.run_rows import RunRows
from fuzzytruth.errors import DataError
from fuzzytruth.io.arrow import as_numpy
from fuzzytruth.io.files import Source
from fuzzytruth.io.query_blocks import TextBlock, query_blocks
from fuzzytruth.io.trec import line_error, no_rows, parse_block
from fuzzytruth.io.trec_lines import RUN, LineError


@dataclass(frozen=True, slots=True)
class TrecReader:
    """See `RunReader`.

    Parameters
    ----------
    source : Source
    system : str
    order_by : str
        See `read_runs`.
    """

    source: Source
    system: str
    order_by: str = "score"

    def lists(self) -> Iterator[TextBlock]:
        """Whole lines, cut where the query changes."""
        return (block for block in query_blocks(self.source.blocks()) if not block.text.isspace())

    def pieces(self) -> Iterator[TextBlock]:
        """Whole lines."""
        start = 0
        for text in self.source.blocks():
            if not text.isspace():
                yield TextBlock(text, start)
            start += len(text)

    def rows(self, part: TextBlock) -> list[RunRows]:
        """Parsed lines."""
        rank = ("rank",) if self.order_by == "rank" else ()
        names = ("query", "item", "score", "tag", *rank)
        try:
            columns = parse_block(RUN, names, part.text)
        except LineError as error:
            raise line_error(self.source, error, part.start) from None
        query = columns["query"]
        codes = as_numpy(query.indices, np.int32)
        rows = RunRows(
            self.system,
            tuple(query.dictionary.to_pylist()),
            codes,
            columns["item"],
            columns["item_hash"],
            columns["score"],
            columns.get("rank"),
            np.arange(len(codes)),
            partial(self.source.locate, start=part.start),
            tuple(columns["tag"].to_pylist()),
        )
        return [rows]

    def empty(self) -> DataError:
        """Names what a line should be."""
        return no_rows(self.source, RUN)
