"""Names of the columns of a table on disk, without reading its rows."""

from __future__ import annotations

import csv
import json
from typing import Any

from fuzzytruth.io.delimited import separator_of
from fuzzytruth.io.exports.recognise import is_export, is_export_header
from fuzzytruth.io.files import Source
from fuzzytruth.io.formats import format_of
from fuzzytruth.io.table_blocks import parquet_file


def column_names(source: Source) -> tuple[str, ...]:
    """Names in the first line of CSV and TSV, in the schema of Parquet, in the first JSON record.

    Empty where there are none, as in TREC files and nested objects; for exports of annotation
    tools, whose columns are not what they hold; and where the file breaks a rule, which its reader
    reports.

    Examples
    --------
    >>> path = getfixture("tmp_path") / "a.json"
    >>> _ = path.write_text('[{"item": "a", "category": "cat"}]')
    >>> column_names(Source.of(path))
    ('item', 'category')
    """
    kind = format_of(source.path)
    if kind == "trec":
        return ()
    if kind == "parquet":
        with parquet_file(source) as file:
            return tuple(file.schema_arrow.names)
    text = next(source.blocks(), b"").decode(errors="replace").lstrip()
    if kind in ("json", "jsonl"):
        record = _first_record(text, in_list=kind == "json")
        return () if is_export([record]) else tuple(record)
    line = next(iter(text.splitlines()), "")[:100_000]
    names = next(csv.reader([line], delimiter=separator_of(source.path, line)), [])
    return () if is_export_header(names) else tuple(names)


def _first_record(text: str, *, in_list: bool) -> dict[str, Any]:
    """The first record of a list or of JSON lines; empty if there is none."""
    if in_list and not text.startswith("["):
        return {}
    start = text.removeprefix("[").lstrip() if in_list else text
    try:
        record, _ = json.JSONDecoder().raw_decode(start)
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}
