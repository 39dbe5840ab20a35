"""Tables with named columns: those requested, those of objects in memory, and their answers.

None is imported that is not there already. Read are frames of pandas (named levels of the index are
columns, too), everything that offers the Arrow stream (polars, DuckDB, pyarrow, Hugging Face
datasets), structured arrays of NumPy, mappings of columns, and lists or iterators of named tuples,
data classes or mappings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fuzzytruth import errors
from fuzzytruth._lazy import pa
from fuzzytruth._typing import Floats
from fuzzytruth.core.validation import several
from fuzzytruth.errors import OptionError, first_few, is_among, require, shown
from fuzzytruth.io import column_names
from fuzzytruth.io.columns import Locate, check_ids, id_text, locate_by_row
from fuzzytruth.io.ids import encode
from fuzzytruth.io.numbers import check_numbers

_ONLY_OF_RUNS = ("rank", "distance", "system")


@dataclass(frozen=True, slots=True)
class ColumnRequest:
    """The columns to read from a table.

    Parameters
    ----------
    required, optional : tuple of str
        Canonical names.
    value : str
        The column that the innermost numbers of nested objects belong to, and the answers.
    any_of : tuple of str
        Canonical names, at least one of which is required.
    kept : tuple of str
        Columns required by their own names, under `kept_key` of these; they are then no aliases.
    columns : mapping of canonical to own name, or None
        Columns that the user named.
    numbers : mapping of word to number, or None
        What each word stands for, where answers are words.
    drop : tuple
        Answers that are none, such as "na"; their rows are left out.
    wide : tuple of str
        Columns that hold the answers of one subject (or system) each, by their own names.
    wide_as : str
        Canonical name of what the wide columns are, each of its own; empty if there are none.
    otherwise : str
        What to do, in a message, about a table without any column of `any_of`.
    excluded : tuple of (name, names)
        Columns that are not read where there is one of the others.
    duplicates : str
        What becomes of an item that a ranked list of nested objects holds twice; see `with_scores`.
    takes_score : bool
        Whether `score` is the value of a table without a column of `any_of` that is no run, as in
        judgments of BEIR and MTEB.
    readers : tuple of str or None
        The calls that take names of columns, of a file and of an object; see `find_columns`.
    """

    required: tuple[str, ...]
    optional: tuple[str, ...]
    value: str
    any_of: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    columns: Mapping[str, Any] | None = None
    numbers: Mapping[Any, float] | None = None
    drop: tuple[Any, ...] = ()
    wide: tuple[str, ...] = ()
    wide_as: str = ""
    otherwise: str = ""
    excluded: tuple[tuple[str, tuple[str, ...]], ...] = ()
    duplicates: str = "error"
    takes_score: bool = False
    readers: tuple[str | None, str | None] = ("", "")

    def given(
        self, columns: Any = None, *, grades: Any = None, drop: Any = (), wide: Any = ()
    ) -> ColumnRequest:
        """The request with the options of a reader, checked; see `Judgments.from_frame`."""
        if grades is not None:
            rule = "must be {word: number}, such as {'relevant': 1}"
            require("grades", grades, isinstance(grades, Mapping) and bool(grades), rule)
            for word, number in grades.items():
                is_number = isinstance(number, (int, float)) and not isinstance(number, bool)
                valid = is_number and number - number == 0
                require(f"grades[{word!r}]", number, valid, "must be a number")
        names = () if wide is None else tuple(several(wide))
        distinct = all(isinstance(name, Hashable) for name in names) and len({*names}) == len(names)
        require(f"{self.wide_as}s", wide, distinct, "must be the names of columns, each once")
        dropped = tuple(several(drop))
        for answer in dropped:
            try:
                id_text(answer)
            except ValueError as error:
                raise OptionError(f"drop={shown(drop)}: {error}") from None
        return replace(self, columns=columns, numbers=grades, drop=dropped, wide=names)

    @property
    def known(self) -> tuple[str, ...]:
        """All canonical names."""
        return tuple(dict.fromkeys((*self.required, *self.any_of, *self.optional)))

    @property
    def options(self) -> str:
        """The options that need named columns and were given, as a message names them."""
        given = {
            "columns": self.columns is not None,
            "grades": self.numbers is not None,
            "drop": bool(self.drop),
            f"{self.wide_as}s": bool(self.wide),
        }
        return ", ".join(f"{name}=" for name, is_given in given.items() if is_given)

    @property
    def example_header(self) -> tuple[str, ...]:
        """The least that the header of a table must name."""
        return (*self.required, *self.any_of[:1])

    @property
    def record_keys(self) -> str:
        """The keys that every record must have, in words."""
        return ", ".join(dict.fromkeys((*self.example_header, self.value)))

    @property
    def of_measures(self) -> str:
        """What to do about a table with a column for each measure, ready to end a message."""
        is_asked = self.wide_as == "system"
        return "; if each measure has a column: read_scores(..., measures=[...])" * is_asked

    def is_number(self, name: str) -> bool:
        """Whether a column holds numbers as it stands in the table."""
        words = self.numbers is not None or self.drop
        return name in column_names.NUMBERS and not (name == self.value and words)

    def may_miss(self, name: str) -> bool:
        """Whether a row may lack the column called `name` in what `match` gives."""
        return column_names.may_miss(name) or (name == self.value and bool(self.drop))

    def match(self, present: Iterable[Any], where: str, note: str | None = None) -> dict[str, Any]:
        """Canonical name -> the column's own name; see `find_columns`.

        `note` ends the message about a column that is missing of an object; None of a file.
        """
        present = list(present)
        wide = self.wide
        for name in (*self.kept, *wide):
            if not is_among(name, present):
                said_by = f", which {self.wide_as}s= names" if name in wide else ""
                raise column_names.no_column(where, name, present, said_by)
        names = column_names.given_columns(self.columns, self.known, present, where)
        found = {*names, *((self.value, self.wide_as) if wide else ())}
        taken = {*self.kept, *wide, *names.values()}
        others = [name for name in present if name not in taken]
        if self.value not in found:
            names |= self._marked_answer(others, where)
            names |= self._score_as_value(others, {*found, *names})
            found |= {*names}
        satisfied = bool(found & {*self.any_of})
        optional = (*self.optional, *self.any_of) if satisfied else self.optional
        names |= column_names.find_columns(
            others,
            tuple(name for name in self.required if name not in found),
            tuple(name for name in optional if name not in found),
            where=where,
            any_of=() if satisfied else self.any_of,
            hints=self._hints(others, note or "", "item" in found),
            reader=self.readers[note is not None],
        )
        names = self._without_excluded(names, where)
        rivals = [] if self.value in found else self._rivals(names, others)
        return (
            names
            | {column_names.kept_key(name): name for name in (*self.kept, *wide)}
            | {column_names.rival_key(name): name for name in rivals}
        )

    def _without_excluded(self, names: dict[str, Any], where: str) -> dict[str, Any]:
        """Without columns that others exclude, unless the user named them; warns of them."""
        named = {column_names.canonical_name(key, self.known) for key in self.columns or ()}
        for name, others in self.excluded:
            present = [other for other in others if other in names]
            if name in names and name not in named and present:
                other = shown(names[present[0]])
                errors.warn(
                    f"{where}: not used: {shown(names[name])}, as there is {other}",
                    errors.UnusedColumnWarning,
                )
                names = {key: own for key, own in names.items() if key != name}
        return names

    def _hints(self, others: list[Any], note: str, has_items: bool) -> dict[str, str]:
        """What to do about each column that is missing, ready to end a message."""
        hints = dict.fromkeys(self.known, note)
        for name in self.any_of:
            hints[name] += self.otherwise
        unknown = [name for name in others if not column_names.is_known(name)]
        has_items |= "item" not in self.required or column_names.has_columns(others, ("item",))
        if self.wide_as and len(unknown) > 1 and has_items:  # else one of these is the item
            some = first_few(unknown, show=shown)
            wide = f"; if each {self.wide_as} has a column ({some}): {self.wide_as}s=[...]"
            wide += self.of_measures
            if any(column_names.is_spelling(name, self.wide_as) for name in others):
                several = "measure" if "measure" in self.optional else "question"
                long = " (or several: read_scores(..., measures=[...]))" * (several == "measure")
                wide = (
                    f"; if each {several} has a column ({some}), read one at a time: "
                    f"columns={{{self.value!r}: {unknown[0]!r}}}{long}"
                )
            hints[self.value] = hints.get(self.value, "") + wide
        return hints

    def _rivals(self, names: Mapping[str, Any], others: list[Any]) -> list[Any]:
        """Columns that could be the grades as well as the one that was matched."""
        if self.value != "grade" or self.value not in names:
            return []
        spelt = (name for name in others if column_names.is_spelling(name, self.value))
        return [name for name in spelt if name != names[self.value]]

    def _marked_answer(self, present: list[Any], where: str) -> dict[str, Any]:
        """The only answer that the export of an annotation tool marks, unless it is named."""
        marked = [name for name in present if column_names.is_answer(name)]
        if len(marked) != 1 or self.value not in ("grade", "category"):
            return {}
        named = column_names.find_columns(present, (), (self.value,), where=where)
        return {} if named else {self.value: marked[0]}

    def _score_as_value(self, present: list[Any], found: set[str]) -> dict[str, Any]:
        """The only column `score`, unless the value is known, or the table is a run."""
        scores = [name for name in present if column_names.normalised(name) == "score"]
        others = (*self.any_of, *_ONLY_OF_RUNS)
        if not self.takes_score or len(scores) != 1 or found & {*self.any_of}:
            return {}
        is_other = any(
            column_names.is_spelling(name, other) for name in present for other in others
        )
        return {} if is_other else {self.value: scores[0]}


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


def named_columns(
    given: Any, where: str, request: ColumnRequest | None = None, otherwise: str = ""
) -> NamedColumns:
    """The columns of an object of any library; see the module."""
    if isinstance(given, NamedColumns):
        return given
    if is_parted(given):
        raise OptionError(f"{where}: Dask frames are for evaluate; elsewhere, give frame.compute()")
    if _is_frame(given):
        return _of_pandas(given, "value" if request is None else request.value)
    if hasattr(given, "__arrow_c_stream__"):
        return of_arrow(given, where)
    if getattr(getattr(given, "dtype", None), "names", None):
        return NamedColumns(tuple(given.dtype.names), given.__getitem__)
    if isinstance(given, Mapping) and all(map(_is_column, given.values())):
        return NamedColumns(tuple(given), given.__getitem__)
    records = list(given) if isinstance(given, Iterator) else given
    if isinstance(records, (list, tuple)) and records and _is_record(records[0]):
        return _of_records(records, where)
    if isinstance(given, Iterator) and not records:
        raise errors.DataError(f"{where}: there are no rows in it")
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
            raise errors.DataError(f"frame: there are several columns {shown(twice)}; rename one")
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


def of_arrow(given: Any, where: str) -> NamedColumns:
    """The columns of whatever offers the Arrow stream."""
    try:
        table = pa.table(given)
    except (pa.ArrowException, TypeError, ValueError) as error:
        text = " ".join(str(error).split())
        raise errors.DataError(
            f"{where}: this {type(given).__name__} is no table; its Arrow stream cannot be read "
            f"({text})"
        ) from None
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
            raise errors.DataError(f"{where}, row {row + 1}: {shown(record)} has no named values")
        rows.append(_named_values(record))
    names = dict.fromkeys(name for row in rows for name in row)
    return NamedColumns(tuple(names), lambda name: [row.get(name) for row in rows])


def _named_values(record: Any) -> Mapping[Any, Any]:
    if isinstance(record, Mapping):
        return record
    if isinstance(record, tuple):
        return dict(zip(record._fields, record, strict=True))  # type: ignore[attr-defined]
    return {field.name: getattr(record, field.name) for field in fields(record)}


# Nested dictionaries ``{query: {item: number}}``, as pytrec_eval and ranx take them.


@dataclass(frozen=True, slots=True, eq=False)
class NestedEntries:
    """The entries of a nested dictionary as columns.

    Parameters
    ----------
    where : str
        Name of the dictionary, for messages.
    code : (entries,) int32
        Index into `queries`.
    queries : Arrow array of strings
    item : Arrow array of strings, (entries,)
    number : (entries,) float
    """

    where: str
    code: NDArray[np.int32]
    queries: pa.LargeStringArray
    item: pa.LargeStringArray
    number: Floats

    def locate(self, row: int) -> str:
        """Name the query and item of an entry."""
        query, item = self.queries[int(self.code[row])].as_py(), self.item[row].as_py()
        return f"{self.where}, query {shown(query)}, item {shown(item)}"


#: the form of runs as nested dictionaries
FORM_OF_RUNS = "{system: {query: {item: score}}}"


def by_system(runs: Any, name: str) -> Mapping[Any, Any]:
    """Runs as {system: {query: ...}}; those of one system without its level are called `name`.

    Raises
    ------
    OptionError
        It is no mapping.
    DataError
        A system has a matrix.
    """
    require("runs", runs, isinstance(runs, Mapping), f"must be {FORM_OF_RUNS}")
    for system, lists in runs.items():
        if getattr(lists, "ndim", 0) == 2:
            raise errors.DataError(
                f"run {shown(system)}: is a matrix; Runs.from_matrix takes it, and the ids of "
                "its rows and columns"
            )
    inner = (v for lists in runs.values() if isinstance(lists, Mapping) for v in lists.values())
    has_level = any(isinstance(v, (Mapping, list, tuple, set, frozenset)) for v in inner)
    return runs if has_level else {name: runs}


def with_scores(lists: Any, where: str, duplicates: str = "error") -> Any:
    """Lists of ranked items, best first, as {item: score}.

    With `duplicates` "first", an item that is listed again keeps its first place.

    Raises
    ------
    DataError
        A list holds an item twice, or is a set, which has no order.
    """
    if not isinstance(lists, Mapping):
        return lists
    scored = {}
    for query, items in lists.items():
        place = f"{where}, query {shown(query)}"
        if isinstance(items, (set, frozenset)):
            raise errors.DataError(
                f"{place}: a set has no order; give a list, best first, or {{item: score}}"
            )
        ranked = isinstance(items, (list, tuple)) and all(map(_may_be_id, items))
        scored[query] = _descending(items, place, duplicates) if ranked else items
    return scored


def with_grades(grades: Any) -> Any:
    """Lists and sets of relevant items as {item: 1}."""
    if not isinstance(grades, Mapping):
        return grades
    return {
        query: dict.fromkeys(items, 1)
        if isinstance(items, (list, set, frozenset)) and all(map(_may_be_id, items))
        else items
        for query, items in grades.items()
    }


def _may_be_id(item: Any) -> bool:
    return not isinstance(item, (Mapping, list, set, frozenset))


def _descending(items: Sequence[Any], where: str, duplicates: str) -> dict[Any, int]:
    """Scores that rank items in the order given."""
    distinct = dict.fromkeys(items)
    if len(distinct) < len(items) and duplicates == "error":
        twice, n = Counter(items).most_common(1)[0]
        raise errors.DataError(
            f"{where}: item {shown(twice)} is listed {n} times; list it once, or keep its first "
            "place: duplicates='first'"
        )
    return {item: len(distinct) - place for place, item in enumerate(distinct)}


def flatten(
    nested: Mapping[Any, Mapping[Any, Any]],
    name: str,
    where: str,
    *,
    form: str = "",
    too_deep: str = "",
) -> NestedEntries:
    """The checked entries of a nested dictionary whose numbers are called `name`.

    Messages show the `form` that is accepted, by default ``{query: {item: name}}``; `too_deep` ends
    the one about dictionaries with one level more.

    Raises
    ------
    DataError
        It has another form, is empty, or holds a value that is not a finite number.
    """
    form = form or f"{{query: {{item: {name}}}}}"
    require(where, nested, isinstance(nested, Mapping), f"must be {form}")
    for query, inner in nested.items():
        if not isinstance(inner, Mapping):
            raise errors.DataError(
                f"{where}, query {shown(query)}: {shown(inner)} is not a mapping; give {form}"
            )
    size = [len(inner) for inner in nested.values()]
    items: list[Any] = list(chain.from_iterable(nested.values()))
    numbers: list[Any] = list(chain.from_iterable(inner.values() for inner in nested.values()))
    if not items:
        raise errors.DataError(f"{where}: there are no rows in it")
    codes = np.repeat(np.arange(len(size), dtype=np.int32), size)
    keys = list(nested)

    def locate(row: int) -> str:
        return f"{where}, query {shown(keys[codes[row]])}, item {shown(items[row])}"

    deep = next((j for j, number in enumerate(numbers) if isinstance(number, Mapping)), None)
    if deep is not None:
        raise errors.DataError(
            f"{locate(deep)}: {shown(numbers[deep])} is a dict and no {name}; give {form}{too_deep}"
        )
    # Keys that differ, such as 1 and "1", may be the same text.
    of_key, queries = encode(check_ids(keys, "query", where))
    return NestedEntries(
        where,
        of_key[codes],
        queries,
        check_ids(items, "item", locate),
        check_numbers(numbers, name, locate),
    )
