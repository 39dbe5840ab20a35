"""Taxonomies as JSON: children or parents of each category, nested objects, records, pairs."""

from __future__ import annotations

from typing import Any

from fuzzytruth.errors import DataError, shown
from fuzzytruth.io import edge_forms as edge_forms
from fuzzytruth.io.column_names import find_columns
from fuzzytruth.io.edges import Edges
from fuzzytruth.io.files import Source, locate_by_number
from fuzzytruth.io.json_text import parse_json

_FORMS = (
    '{parent: [child, ...]}, {root: {child: {...}}}, {child: parent}, [{"parent": ..., "child": '
    "...}] or [[parent, child]]"
)


def read_taxonomy_json(source: Source) -> Edges:
    """Read any of the forms, recognised by the types of their parts."""
    where = str(source.path)
    data = parse_json(source.text(), where)
    if isinstance(data, list) and data and all(isinstance(row, dict) for row in data):
        return _of_records(source, data)
    _refuse_truth_values(data, where)
    if isinstance(data, list):
        return edge_forms.of_pairs(data, where)
    if not isinstance(data, dict):
        raise DataError(f"{where}: {shown(data)} is no taxonomy; give {_FORMS}")
    if any(isinstance(value, dict) for value in data.values()):
        return edge_forms.of_nested(data, where)
    if all(isinstance(value, list) for value in data.values()):
        return edge_forms.of_children(data, where)
    return edge_forms.of_parents(data, where)


def _refuse_truth_values(data: Any, where: str) -> None:
    """Raise if true or false stands somewhere, which is no name of a category."""
    stack = [data]
    while stack:  # no recursion, as nesting may exceed the depth of calls in Python
        part = stack.pop()
        if isinstance(part, bool):
            word = str(part).lower()
            raise DataError(f'{where}: {word} is no name; write "{word}" if it is meant')
        if isinstance(part, (dict, list)):
            stack += part.values() if isinstance(part, dict) else part


def _of_records(source: Source, records: list[dict[str, Any]]) -> Edges:
    """Edges of ``[{"parent": ..., "child": ...}, ...]``."""
    keys = dict.fromkeys(key for record in records for key in record)
    key_of = find_columns(keys, ("parent", "child"), (), where=str(source.path))
    parent, child = (
        [record.get(key_of[name]) for record in records] for name in ("parent", "child")
    )
    _refuse_truth_values([parent, child], str(source.path))
    return Edges(parent, child, locate_by_number(source.path, "record"), str(source.path))
