"""Taxonomies in JSON: children of each, parents of each, nested objects, records or pairs."""

from __future__ import annotations

from typing import Any

from fuzzytruth.data.taxonomy import forms as forms
from fuzzytruth.data.taxonomy.building import Edges
from fuzzytruth.errors import DataError, shown
from fuzzytruth.io.column_names import find_columns
from fuzzytruth.io.files import Source, numbered
from fuzzytruth.io.json_files import parse_json

_FORMS = (
    '{parent: [child, ...]}, {root: {child: {...}}}, {child: parent}, [{"parent": ..., "child": '
    "...}] or [[parent, child]]"
)


def read_taxonomy_json(source: Source) -> Edges:
    """Read any of the forms, told apart by what is in them."""
    where = str(source.path)
    data = parse_json(source.text(), where)
    if isinstance(data, list) and data and all(isinstance(row, dict) for row in data):
        return _of_records(source, data)
    if isinstance(data, list):
        return forms.of_pairs(data, where)
    if not isinstance(data, dict):
        raise DataError(f"{where}: {shown(data)} is no taxonomy; give {_FORMS}")
    if any(isinstance(value, dict) for value in data.values()):
        return forms.of_nested(data, where)
    if all(isinstance(value, list) for value in data.values()):
        return forms.of_children(data, where)
    return forms.of_parents(data, where)


def _of_records(source: Source, records: list[dict[str, Any]]) -> Edges:
    present = dict.fromkeys(key for record in records for key in record)
    found = find_columns(present, ("parent", "child"), (), where=str(source.path))
    parent, child = ([r.get(found[name]) for r in records] for name in ("parent", "child"))
    return Edges(parent, child, numbered(source.path, "record"), str(source.path))
