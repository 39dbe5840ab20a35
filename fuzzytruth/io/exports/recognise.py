"""Which tool wrote an export, as its records or its header tell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fuzzytruth.errors import DataError
from fuzzytruth.io.columns import Columns, Locate, Origin, origin_of
from fuzzytruth.io.exports import (
    argilla,
    doccano,
    label_studio,
    label_studio_table,
    mturk,
    potato,
    prodigy,
    toloka,
)
from fuzzytruth.io.exports.export import Export, Record
from fuzzytruth.io.files import refuse_malformed, stem_of
from fuzzytruth.io.tables import ColumnRequest

_FIRST = 50  # records that must look alike


@dataclass(frozen=True, slots=True)
class _Tool:
    """How the records of one tool are recognised and flattened.

    Parameters
    ----------
    subject_of : callable, optional
        Who annotated a file that does not say so; None: not one person.
    """

    name: str
    recognise: Callable[[list[Record]], bool]
    flatten: Callable[[list[Record], Locate], Export]
    subject_of: Callable[[Path], str | None] = lambda path: None


def _annotator_by_file(path: Path) -> str | None:
    """The name of a file that holds the annotations of one person."""
    stem = stem_of(path)
    return None if stem.lower() in doccano.SHARED else stem


#: of records of JSON; Argilla before doccano, whose labels could be responses
_OF_RECORDS = (
    _Tool("Label Studio", label_studio.recognise, label_studio.flatten),
    _Tool("Label Studio (JSON-MIN)", label_studio.recognise_minimal, label_studio.flatten_minimal),
    _Tool("Prodigy", prodigy.recognise, prodigy.flatten),
    _Tool("Argilla", argilla.recognise, argilla.flatten),
    _Tool("Potato", potato.recognise, potato.flatten, lambda path: path.absolute().parent.name),
    _Tool("doccano", doccano.recognise, doccano.flatten, _annotator_by_file),
)
#: of tables, by their header
_OF_TABLES = (
    (toloka.recognise_header, toloka.flatten),
    (mturk.recognise_header, mturk.flatten),
    (label_studio_table.recognise_header, label_studio_table.flatten),
    (potato.recognise_header, potato.flatten),
)


def is_export(records: Sequence[Any]) -> bool:
    """Whether these values from JSON are an export of a known tool."""
    return _tool_of(records) is not None


def is_export_header(header: list[str]) -> bool:
    """Whether a table with this header is an export of a known tool."""
    distinct = len(set(header)) == len(header)
    return distinct and any(recognise(header) for recognise, _ in _OF_TABLES)


def flatten_export(records: list[Any], where: str, locate: Locate) -> Export | None:
    """The export of a tool that these records from JSON are; None if they are none.

    Parameters
    ----------
    where : str
        Path of the file, whose name or folder stands for the annotator with some tools.
    locate : callable
        Names the place of a record.

    Raises
    ------
    DataError
        Some records are of a tool, and others not.
    """
    tool = _tool_of(records)
    if tool is None:
        return None
    for row, record in enumerate(records):
        if not tool.recognise([record]):
            raise DataError(
                f"{locate(row)}: is no record of {tool.name}, as those before are; give an export "
                "as the tool wrote it"
            )
    export = _flattened(tool, records, locate, where)
    subject = tool.subject_of(Path(where))
    if subject is None or any("subject" in record for record in export.records):
        return export
    return replace(export, records=[{"subject": subject} | one for one in export.records])


def _flattened(tool: _Tool, records: list[Any], locate: Locate, where: str) -> Export:
    """What the tool makes of the records; the first malformed one is an error."""
    try:
        return tool.flatten(records, locate)
    except DataError:
        raise
    except Exception:  # found again, one record at a time
        for row, record in enumerate(records):
            with refuse_malformed(locate(row), f"record of {tool.name}"):
                tool.flatten([record], locate)
        with refuse_malformed(where, f"export of {tool.name}"):
            return tool.flatten(records, locate)


def read_export(
    records: list[Any], request: ColumnRequest, where: str, locate: Locate
) -> tuple[Columns, Origin] | None:
    """The requested columns of an export; None if these records from JSON are none.

    Warns
    -----
    LeftOutWarning
        Some of it is no answer, with counts.
    """
    export = flatten_export(records, where, locate)
    return None if export is None else columns_of_export(export, request, where)


def read_export_table(
    rows: list[Record], request: ColumnRequest, where: str, locate: Locate
) -> tuple[Columns, Origin]:
    """The requested columns of a table whose header `is_export_header`; see `read_export`."""
    header = list(rows[0])
    flatten = next(flatten for recognise, flatten in _OF_TABLES if recognise(header))
    with refuse_malformed(where, "export of an annotation tool"):
        export = flatten(rows, locate)
    return columns_of_export(export, request, where)


def columns_of_export(export: Export, request: ColumnRequest, where: str) -> tuple[Columns, Origin]:
    """The requested columns; what they lack, or is no answer, is left out with a warning."""
    if not export.records:
        export.report(where)
    present = export.columns
    names = replace(request, takes_score=False).match(present, where)  # it may be a model's
    if names.get("item") == "item" and "item" not in (request.columns or {}):
        export.report_gaps(where)
    export = export.distinct([key for name, key in names.items() if not request.may_miss(name)])
    export.report(where)
    columns: Columns = {
        name: [record.get(key) for record in export.records] for name, key in names.items()
    }
    return columns, origin_of(export.place.__getitem__, names, present)


def _tool_of(records: Sequence[Any]) -> _Tool | None:
    first = records[:_FIRST]
    if not first or not all(isinstance(record, dict) for record in first):
        return None
    return next((tool for tool in _OF_RECORDS if tool.recognise(list(first))), None)
