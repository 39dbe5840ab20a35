"""Reading a sample of an export of an annotation tool."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from fuzzytruth.errors import LeftOutWarning
from fuzzytruth.io.annotation_tools import OF_RECORDS, OF_TABLES, Record, Tool
from fuzzytruth.io.columns import Locate
from fuzzytruth.io.exports import Export, flatten_export

Flatten = Callable[[list[Record], Locate], Export]


def reader_of(name: str) -> tuple[Callable[[list[Record]], bool], Flatten]:
    """What recognises the records of a tool, and flattens them."""
    tool = _named(OF_RECORDS, name)
    return lambda records: all(map(tool.recognises, records)), partial(flatten_export, tool)


def reader_of_table(name: str) -> tuple[Callable[[list[str]], bool], Flatten]:
    """What recognises the header of a tool's tables, and flattens their rows."""
    tool = _named(OF_TABLES, name)
    return tool.recognises, partial(flatten_export, tool)


def _named(tools: Iterable[Tool], name: str) -> Tool:
    return next(tool for tool in tools if tool.name == name)


def locate(row: int) -> str:
    """A place as readers name it."""
    return f"f, record {row + 1}"


def triples(export: Export, column: str = "label") -> list[tuple[Any, Any, Any]]:
    """Subject, item and label of each record."""
    return [(r.get("subject"), r.get("item"), r.get(column)) for r in export.records]


def write_lines(path: Path, records: list[Record]) -> Path:
    """A file of JSON lines."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def write_json(path: Path, data: Any) -> Path:
    """A file of JSON."""
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def with_left_out(read: Callable[[], Any]) -> tuple[Any, list[str]]:
    """What `read` gives, and the messages about what is left out."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", LeftOutWarning)
        result = read()
    return result, [str(one.message) for one in caught]
