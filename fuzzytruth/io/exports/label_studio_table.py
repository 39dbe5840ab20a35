"""CSV and TSV exports of Label Studio: a row for each annotation, several labels as JSON.

References
----------
Label Studio documentation: "Export Annotations" (CSV, TSV).
"""

from __future__ import annotations

from typing import Any

from fuzzytruth.io.columns import Locate
from fuzzytruth.io.exports import label_studio
from fuzzytruth.io.exports.export import Export, Record
from fuzzytruth.io.files import parse_json

_OWN = ("annotation_id", "annotator", "lead_time", "id")
_AFTER = ("annotator", "annotation_id", "created_at", "updated_at", "lead_time")
#: how cells begin that hold several labels, or one that is no choice
_OF_JSON = tuple(
    f'{start}"{kind}"'
    for start in ("{", "[{")
    for kind in ("choices", "rating", "taxonomy", "text")
)


def recognise_header(header: list[str]) -> bool:
    """Whether a table has the columns that Label Studio adds to the data of a task."""
    return all(name in header for name in _OWN)


def flatten(records: list[Record], locate: Locate) -> Export:
    """One record an annotation and label.

    Columns with JSON are the answers; without any, all columns that Label Studio did not add stay
    as they are.
    """
    header = list(records[0])
    coded = [
        name for name in header if any(record[name].startswith(_OF_JSON) for record in records)
    ]
    data = [name for name in header if name not in (*coded, *_AFTER, "id")]
    after = [name for name in _AFTER if name in header]
    rows = []
    for row, record in enumerate(records):
        labels: Record = {name: _decoded(record[name], locate(row), name) for name in coded}
        plain = {name: record[name] or None for name in (*data, "id")}
        rows.append(plain | labels | {name: record[name] for name in after})
    return label_studio.flatten_minimal(rows, locate)


def _decoded(text: str, where: str, name: str) -> Any:
    """The labels in a cell."""
    if not text.startswith(_OF_JSON):
        return text or None
    return parse_json(text.encode(), f"{where}, column {name!r}", is_line=True)
