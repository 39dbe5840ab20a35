"""Named columns of objects in memory, of any library: none is imported that is not there already.

Read are frames of pandas (named levels of the index are columns, too), everything that offers the
Arrow stream (polars, DuckDB, pyarrow, Hugging Face datasets), structured arrays of NumPy, mappings
of columns, and lists or iterators of named tuples, data classes or mappings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import partial
from typing import Any

from fuzzytruth.errors import DataError, OptionError, shown
from fuzzytruth.io.answers import settle
from fuzzytruth.io.column_request import ColumnRequest
from fuzzytruth.io.columns import Columns
from fuzzytruth.io.origin import Locate, Origin, locate_by_row, origin_of

_KINDS = (
    "a DataFrame (of pandas, polars, DuckDB, Arrow), a structured array, a mapping of columns, or "
    "a list of named tuples or mappings"
)


@dataclass(frozen=True, slots=True)
class NamedColumns:
    """The columns of an object.

    Parameters
    ----------
    names : tuple
    column : callable
        From a name to its values.
    label : callable or None
        What the object itself calls a row.
    note : str
        What of it has no name, ready to end a message.
    """

    names: tuple[Any, ...]
    column: Callable[[Any], Any]
    label: Callable[[int], Any] | None = None
    note: str = ""

    def values(self, name: Any) -> list[Any]:
        """The values of a column, as Python has them."""
        column = self.column(name)
        convert = getattr(column, "to_pylist", None) or getattr(column, "tolist", None)
        return list(column) if convert is None else list(convert())

    def locate(self, where: str) -> Locate:
        """Locate by the number of the row, and its label if it has one."""
        label = self.label
        if label is None:
            return locate_by_row(where)
        return lambda row: f"{where}, row {row + 1} (index {shown(label(row))})"


def is_parted(given: Any) -> bool:
    """Whether this is a frame of Dask, whose other collections have no divisions."""
    return hasattr(given, "to_delayed") and hasattr(given, "divisions")


def is_table(given: Any) -> bool:
    """Whether an object has named columns; see `named_columns`."""
    if isinstance(given, (str, bytes)) or hasattr(given, "__fspath__"):
        return False
    if _is_frame(given) or hasattr(given, "__arrow_c_stream__"):
        return True
    names = getattr(getattr(given, "dtype", None), "names", None)
    if names or isinstance(given, Iterator):
        return True
    return isinstance(given, (list, tuple)) and bool(given) and _is_record(given[0])


def table_of(
    given: Any, request: ColumnRequest, where: str = "frame", otherwise: str = ""
) -> tuple[Columns, Origin]:
    """Unchecked columns under their canonical names, and where each row comes from.

    As `read_table` gives them for files; `otherwise` ends the message about an object without
    named columns.

    Raises
    ------
    OptionError
        The object has no named columns.
    DataError
        A column is missing or ambiguous.
    """
    return columns_of(named_columns(given, where, request, otherwise), request, where)


def columns_of(
    table: NamedColumns, request: ColumnRequest, where: str = "frame"
) -> tuple[Columns, Origin]:
    """The columns that a request matches; see `table_of`."""
    names = request.match(table.names, where, table.note)
    columns = {name: table.column(own) for name, own in names.items()}
    return settle(columns, origin_of(table.locate(where), names, table.names), request, where)


def named_columns(
    given: Any, where: str, request: ColumnRequest | None = None, otherwise: str = ""
) -> NamedColumns:
    """The columns of an object of any library; see the module."""
    if is_parted(given):
        raise OptionError(f"{where}: Dask frames are for evaluate; elsewhere, give frame.compute()")
    if _is_frame(given):
        return _of_pandas(given, "value" if request is None else request.value)
    if hasattr(given, "__arrow_c_stream__"):
        return _of_arrow(given, where)
    if getattr(getattr(given, "dtype", None), "names", None):
        return NamedColumns(tuple(given.dtype.names), given.__getitem__)
    if isinstance(given, Mapping) and all(map(_is_column, given.values())):
        return NamedColumns(tuple(given), given.__getitem__)
    records = list(given) if isinstance(given, Iterator) else given
    if isinstance(records, (list, tuple)) and records and _is_record(records[0]):
        return _of_records(records, where)
    if isinstance(given, Iterator) and not records:
        raise DataError(f"{where}: there are no rows in it")
    raise OptionError(f"{where}={shown(given)}: must be {_KINDS}{otherwise}")


def _is_frame(given: Any) -> bool:
    """Whether this is a DataFrame or a Series of pandas."""
    return hasattr(given, "iloc") and hasattr(given, "index")


def _of_pandas(given: Any, value: str) -> NamedColumns:
    """Columns of a DataFrame or Series, and the named levels of its index."""
    index = given.index
    columns: dict[Any, Callable[[], Any]] = {}
    for level, name in enumerate(index.names):
        if name is not None:
            columns[name] = partial(index.get_level_values, level)
    if hasattr(given, "columns"):
        for place, name in enumerate(given.columns):
            columns[flat_name(name)] = partial(given.iloc.__getitem__, (slice(None), place))
        if len(columns) < len(given.columns) + sum(name is not None for name in index.names):
            names = [flat_name(name) for name in given.columns] + list(index.names)
            twice = next(name for name in names if names.count(name) > 1)
            raise DataError(f"frame: there are several columns {shown(twice)}; rename one")
    else:
        columns[value if given.name is None else given.name] = lambda: given
    note = ""
    if len(index.names) > 1 and None in index.names:
        note = "; name the levels of its index, such as frame.index.names = ['query', 'item']"
    return NamedColumns(
        tuple(columns), lambda name: columns[name](), lambda row: _plain(index[row]), note
    )


def _plain(label: Any) -> Any:
    """A label as Python shows it, not as NumPy does."""
    return label.item() if hasattr(label, "item") else label


def flat_name(name: Any) -> Any:
    """The name of a column; the levels of a MultiIndex joined, empty ones left out."""
    return "_".join(str(part) for part in name if part != "") if isinstance(name, tuple) else name


def _of_arrow(given: Any, where: str) -> NamedColumns:
    import pyarrow as pa

    try:
        table = pa.table(given)
    except (pa.ArrowException, TypeError, ValueError) as error:
        text = " ".join(str(error).split())
        raise DataError(f"{where}: its Arrow stream cannot be read ({text})") from None
    return NamedColumns(tuple(table.column_names), table.column)


def _is_column(value: Any) -> bool:
    return hasattr(value, "__len__") and not isinstance(value, (str, bytes, Mapping, set))


def _is_record(value: Any) -> bool:
    named = isinstance(value, tuple) and hasattr(value, "_fields")
    return (
        named or isinstance(value, Mapping) or (is_dataclass(value) and not isinstance(value, type))
    )


def _of_records(records: Iterable[Any], where: str) -> NamedColumns:
    """Columns of named tuples, data classes or mappings; None where one lacks a name."""
    rows = []
    for row, record in enumerate(records):
        if not _is_record(record):
            raise DataError(f"{where}, row {row + 1}: {shown(record)} has no named values")
        rows.append(_named_values(record))
    names = dict.fromkeys(name for row in rows for name in row)
    return NamedColumns(tuple(names), lambda name: [row.get(name) for row in rows])


def _named_values(record: Any) -> Mapping[Any, Any]:
    if isinstance(record, Mapping):
        return record
    if isinstance(record, tuple):
        return dict(zip(record._fields, record, strict=True))  # type: ignore[attr-defined]
    return {field.name: getattr(record, field.name) for field in fields(record)}
