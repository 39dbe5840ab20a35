"""Reading a sample of an export of an annotation tool."""

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fuzzytruth.errors import LeftOutWarning
from fuzzytruth.io.annotation_tools import Record


def locate(row: int) -> str:
    """A place as readers name it."""
    return f"f, record {row + 1}"


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
