"""Tables with named columns: those requested, those of objects in memory, and their answers.

None is imported that is not there already. Read are frames of pandas (named levels of the index are
columns, too), everything that offers the Arrow stream (polars, DuckDB, pyarrow, Hugging Face
datasets), structured arrays of NumPy, mappings of columns, and lists or iterators of named tuples,
data classes or mappings.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.validation import several
from fuzzytruth.errors import (
    DataError,
    LeftOutWarning,
    OptionError,
    UnusedColumnWarning,
    counted,
    first_few,
    is_among,
    nearest,
    require,
    shown,
    shown_all,
    warn,
)
from fuzzytruth.io.column_names import (
    canonical_name,
    find_columns,
    given_columns,
    is_answer,
    is_known,
    is_spelling,
    normalised,
)
from fuzzytruth.io.columns import (
    Columns,
    Locate,
    Origin,
    as_numpy,
    check_text,
    column_at,
    id_text,
    locate_by_row,
    numbers_or_values,
    origin_of,
    parse_number,
    take,
    words_hint,
)

if TYPE_CHECKING:
    import pyarrow as pa


_KEPT, _RIVAL = "kept ", "rival "
_ONLY_OF_RUNS = ("rank", "distance", "system")

#: canonical names of columns that hold numbers; all others hold ids
NUMBERS = frozenset(
    {"grade", "probability", "position", "score", "distance", "rank", "weight", "value", "count"}
)


@dataclass(frozen=True, slots=True)
class Answers:
    """How the answers of a table are to be understood.

    Parameters
    ----------
    numbers : mapping of word to number, or None
        What each word stands for, where answers are words.
    drop : tuple
        Answers that are none, such as "na"; their rows are left out.
    wide : tuple of str
        Columns that hold the answers of one subject (or system) each, by their own names.
    option : str
        What the reader calls its option `wide`; empty if it has none.
    """

    numbers: Mapping[Any, float] | None = None
    drop: tuple[Any, ...] = ()
    wide: tuple[str, ...] = ()
    option: str = ""


def answers_of(grades: Any = None, drop: Any = (), wide: Any = (), *, option: str = "") -> Answers:
    """Validate the options of a reader; `option` is what it calls wide columns, if it takes any."""
    if grades is not None:
        rule = "must be {word: number}, such as {'relevant': 1}"
        require("grades", grades, isinstance(grades, Mapping) and bool(grades), rule)
        for word, number in grades.items():
            is_number = isinstance(number, (int, float)) and not isinstance(number, bool)
            require(
                f"grades[{word!r}]", number, is_number and number - number == 0, "must be a number"
            )
    columns = () if wide is None else tuple(several(wide))
    hashable = all(isinstance(name, Hashable) for name in columns)
    rule = "must be the names of columns, each once"
    require(option, wide, hashable and len({*columns}) == len(columns), rule)
    dropped = tuple(several(drop))
    for answer in dropped:
        try:
            id_text(answer)
        except ValueError as error:
            raise OptionError(f"drop={shown(drop)}: {error}") from None
    return Answers(grades, dropped, columns, option)


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
    answers : Answers
    wide_as : str
        Canonical name of what the wide columns are, each of its own.
    otherwise : str
        What to do, in a message, about a table without any column of `any_of`.
    excluded : tuple of (name, names)
        Columns that are not read where there is one of the others.
    duplicates : str
        What becomes of an item that a ranked list of nested objects holds twice; see `with_scores`.
    takes_score : bool
        Whether `score` is the value of a table without a column of `any_of` that is no run, as in
        judgments of BEIR and MTEB.
    """

    required: tuple[str, ...]
    optional: tuple[str, ...]
    value: str
    any_of: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    columns: Mapping[str, Any] | None = None
    answers: Answers = field(default_factory=Answers)
    wide_as: str = "subject"
    otherwise: str = ""
    excluded: tuple[tuple[str, tuple[str, ...]], ...] = ()
    duplicates: str = "error"
    takes_score: bool = False

    @property
    def known(self) -> tuple[str, ...]:
        """All canonical names."""
        return tuple(dict.fromkeys((*self.required, *self.any_of, *self.optional)))

    @property
    def options(self) -> str:
        """The options that need named columns and were given, as a message names them."""
        given = {
            "columns": self.columns is not None,
            "grades": self.answers.numbers is not None,
            "drop": bool(self.answers.drop),
            self.answers.option: bool(self.answers.wide),
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

    def is_number(self, name: str) -> bool:
        """Whether a column holds numbers as it stands in the table."""
        words = self.answers.numbers is not None or self.answers.drop
        return name in NUMBERS and not (name == self.value and words)

    def may_miss(self, name: str) -> bool:
        """Whether a row may lack the column called `name` in what `match` gives."""
        return name.startswith((_KEPT, _RIVAL)) or (name == self.value and bool(self.answers.drop))

    def match(self, present: Iterable[Any], where: str, note: str = "") -> dict[str, Any]:
        """Canonical name -> the column's own name; see `find_columns`.

        `note` ends the message about a column that is missing.
        """
        present = list(present)
        wide = self.answers.wide
        for name in (*self.kept, *wide):
            if not is_among(name, present):
                given = f", which {self.answers.option}= names" if name in wide else ""
                raise DataError(
                    f"{where}: no column {shown(name)}{nearest(str(name), list(map(str, present)))}"
                    f"{given}; columns present: {shown_all(map(str, present))}"
                )
        names = given_columns(self.columns, self.known, present, where)
        found = {*names, *((self.value, self.wide_as) if wide else ())}
        taken = {*self.kept, *wide, *names.values()}
        others = [name for name in present if name not in taken]
        if self.value not in found:
            names |= self._marked_answer(others, where)
            names |= self._score_as_value(others, {*found, *names})
            found |= {*names}
        satisfied = bool(found & {*self.any_of})
        optional = (*self.optional, *self.any_of) if satisfied else self.optional
        names |= find_columns(
            others,
            tuple(name for name in self.required if name not in found),
            tuple(name for name in optional if name not in found),
            where=where,
            any_of=() if satisfied else self.any_of,
            hints=self._hints(others, note),
        )
        names = self._without_excluded(names, where)
        rivals = [] if self.value in found else self._rivals(names, others)
        return (
            names
            | {kept_key(name): name for name in (*self.kept, *wide)}
            | {f"{_RIVAL}{name}": name for name in rivals}
        )

    def _without_excluded(self, names: dict[str, Any], where: str) -> dict[str, Any]:
        """Without columns that others exclude, unless the user named them; warns of them."""
        named = {canonical_name(key, self.known) for key in self.columns or ()}
        for name, others in self.excluded:
            present = [other for other in others if other in names]
            if name in names and name not in named and present:
                other = shown(names[present[0]])
                warn(
                    f"{where}: not used: {shown(names[name])}, as there is {other}",
                    UnusedColumnWarning,
                )
                names = {key: own for key, own in names.items() if key != name}
        return names

    def _hints(self, others: list[Any], note: str) -> dict[str, str]:
        """What to do about each column that is missing, ready to end a message."""
        hints = dict.fromkeys(self.known, note)
        for name in self.any_of:
            hints[name] += self.otherwise
        unknown = [name for name in others if not is_known(name)]
        if self.answers.option and len(unknown) > 1:
            some = first_few(unknown, show=shown)
            wide = f"; if each {self.wide_as} has a column ({some}): {self.answers.option}=[...]"
            if any(is_spelling(name, self.wide_as) for name in others):
                several = "measure" if "measure" in self.optional else "question"
                long = " (or make the table long: measure, value)" * (several == "measure")
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
        spelt = (name for name in others if is_spelling(name, self.value))
        return [name for name in spelt if name != names[self.value]]

    def _marked_answer(self, present: list[Any], where: str) -> dict[str, Any]:
        """The only answer that the export of an annotation tool marks, unless it is named."""
        marked = [name for name in present if is_answer(name)]
        if len(marked) != 1 or self.value not in ("grade", "category"):
            return {}
        named = find_columns(present, (), (self.value,), where=where)
        return {} if named else {self.value: marked[0]}

    def _score_as_value(self, present: list[Any], found: set[str]) -> dict[str, Any]:
        """The only column `score`, unless the value is known, or the table is a run."""
        scores = [name for name in present if normalised(name) == "score"]
        others = (*self.any_of, *_ONLY_OF_RUNS)
        if not self.takes_score or len(scores) != 1 or found & {*self.any_of}:
            return {}
        is_other = any(is_spelling(name, other) for name in present for other in others)
        return {} if is_other else {self.value: scores[0]}


def kept_key(name: str) -> str:
    """What a column that keeps its own name is called among canonical names."""
    return f"{_KEPT}{name}"


def rival_of(key: str) -> str | None:
    """The own name of a column that could have been read as the grades; None of any other."""
    return key.removeprefix(_RIVAL) if key.startswith(_RIVAL) else None


# The answers of a table: one a row, those that are none left out, and words as numbers.


def settle(
    columns: Columns, origin: Origin, request: ColumnRequest, where: str
) -> tuple[Columns, Origin]:
    """One row for each answer, in columns of canonical names.

    Raises
    ------
    DataError
        An answer is a word without a number, or none is left.

    Warns
    -----
    LeftOutWarning
        Answers were left out, with their number.
    """
    answers, value = request.answers, request.value
    columns = _without_rivals(columns, origin, request, where)
    if answers.wide:
        columns, origin = _made_long(columns, origin, request, where)
    if value not in columns or not (answers.wide or answers.drop or answers.numbers):
        return columns, origin
    if not (answers.drop or answers.numbers) and isinstance(columns[value], np.ndarray):
        return columns, origin  # wide columns of numbers
    texts = check_text(columns[value], value, origin)
    if answers.drop:
        columns, origin, texts = _without(columns, origin, texts, request, where)
    if value in NUMBERS:
        columns = columns | {value: _numbers(texts, answers, value, origin)}
    return columns, origin


def _without_rivals(
    columns: Columns, origin: Origin, request: ColumnRequest, where: str
) -> Columns:
    """Warn of columns of other numbers that could have been read as the grades, and drop them."""
    rivals = {key: name for key in columns if (name := rival_of(key)) is not None}
    for key, name in rivals.items():
        read, other = (_doubles(columns[column]) for column in (request.value, key))
        if read is None or other is None or read.shape != other.shape:
            continue
        differ = int((read != other).sum())
        if differ:
            warn(
                f"{where}: column {origin.column(request.value)} has the {request.value}s, and "
                f"{name!r}, which is not used, differs from it in {counted(differ, 'row')} of "
                f"{len(read):,}; say which you mean: columns={{{request.value!r}: {name!r}}}",
                UnusedColumnWarning,
            )
    return {key: column for key, column in columns.items() if key not in rivals}


def _doubles(column: Any) -> Floats | None:
    """The numbers of a column; None if it has words, or cells are empty."""
    values = numbers_or_values(column) if hasattr(column, "to_pylist") else column
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        return None
    return numbers if np.isfinite(numbers).all() else None


def _made_long(
    columns: Columns, origin: Origin, request: ColumnRequest, where: str
) -> tuple[Columns, Origin]:
    """A row for each cell of the wide columns that holds an answer."""
    import pyarrow as pa

    wide = request.answers.wide
    numbers = _wide_numbers(columns, request)
    if numbers is not None:
        values, empty = numbers, np.isnan(numbers)
    else:
        cells = [check_text(columns[kept_key(name)], str(name), origin) for name in wide]
        by_row = np.arange(len(cells[0]) * len(wide)).reshape(len(wide), -1).T.ravel()
        values = take(pa.concat_arrays(cells), by_row)
        empty = _which(values, lambda text: text is None or not text.strip())
    row, which = np.divmod(np.arange(len(empty)), len(wide))
    if empty.any():
        warn(
            f"{where}: {counted(int(empty.sum()), 'cell is', 'cells are')} empty of "
            f"{len(empty):,} in the columns {first_few(map(str, wide))}; they are no judgments",
            LeftOutWarning,
        )
    at = np.flatnonzero(~empty)
    if not len(at):
        raise DataError(f"{where}: all cells of the columns {first_few(map(str, wide))} are empty")
    kept = {kept_key(name) for name in wide}
    long = {name: _taken(column, row[at]) for name, column in columns.items() if name not in kept}
    long[request.value] = _taken(values, at)
    long[request.wide_as] = take(
        pa.array([str(name) for name in wide], pa.large_string()), which[at]
    )
    return long, replace(origin, rows=row[at], wide=(request.value, wide, which[at]))


def _wide_numbers(columns: Columns, request: ColumnRequest) -> Floats | None:
    """The cells of the wide columns, row by row, NaN where empty; None unless all are numbers."""
    answers = request.answers
    if answers.drop or answers.numbers or request.value not in NUMBERS:
        return None
    cells = [_numbers_of_type(columns[kept_key(name)]) for name in answers.wide]
    found = [cell for cell in cells if cell is not None]
    return np.stack(found, axis=1).ravel() if len(found) == len(cells) else None


def _numbers_of_type(column: Any) -> Floats | None:
    """The numbers of a column whose type is one of 64-bit floats or whole numbers; else None."""
    if hasattr(column, "to_pylist"):
        import pyarrow as pa

        whole = pa.types.is_integer(column.type)
        return numbers_or_values(column) if whole or pa.types.is_float64(column.type) else None
    kind = getattr(column, "dtype", None)
    if isinstance(kind, np.dtype) and (kind.kind in "iu" or kind == np.float64):
        return np.asarray(column, dtype=np.float64)
    return None


def _which(texts: pa.LargeStringArray, matches: Callable[[str | None], bool]) -> Bools:
    """Whether each text matches, asked once of each distinct one: (rows,)."""
    encoded: Any = texts.dictionary_encode()
    found = np.array([*map(matches, encoded.dictionary.to_pylist()), matches(None)], dtype=bool)
    out: Bools = found[as_numpy(encoded.indices.fill_null(-1), np.int32)]
    return out


def _without(
    columns: Columns, origin: Origin, texts: pa.LargeStringArray, request: ColumnRequest, where: str
) -> tuple[Columns, Origin, pa.LargeStringArray]:
    """Without the rows whose answers are to be dropped, of which there may be none."""
    dropped = {id_text(answer) for answer in request.answers.drop}
    if None in dropped:  # an empty cell of a text file is a missing answer, too
        dropped.add("")
    out = _which(texts, dropped.__contains__)
    if not out.any():
        return columns, origin, texts
    column = origin.column(request.value)
    left = counted(int(out.sum()), "row")
    named = first_few(shown(answer) for answer in request.answers.drop)
    warn(f"{where}: {left} of {len(out):,} left out, column {column}: {named}", LeftOutWarning)
    at = np.flatnonzero(~out)
    if not len(at):
        raise DataError(f"{where}, column {column}: drop= leaves no row; name fewer answers")
    rest = {name: _taken(values, at) for name, values in columns.items()}
    return rest, origin.take(at), take(texts, at)


def _numbers(texts: pa.LargeStringArray, answers: Answers, name: str, origin: Origin) -> Floats:
    """The number of each answer: that of its word, or the one it is."""
    encoded: Any = texts.dictionary_encode()
    number_of = {id_text(word): float(number) for word, number in (answers.numbers or {}).items()}
    codes = as_numpy(encoded.indices.fill_null(-1), np.int32)
    missing = np.flatnonzero(codes < 0)
    if len(missing):
        place = column_at(origin, int(missing[0]), name)
        raise DataError(f"{place}: the answer is missing; drop=[None] leaves such rows out")
    values = np.empty(len(encoded.dictionary))
    for code, text in enumerate(encoded.dictionary.to_pylist()):
        if text in number_of:
            values[code] = number_of[text]
            continue
        try:
            values[code] = parse_number(text)
        except ValueError as error:
            place = column_at(origin, int(np.argmax(codes == code)), name)
            raise DataError(_unknown_word(place, text, answers, error)) from None
    out: Floats = values[codes]
    return out


def _unknown_word(place: str, text: str, answers: Answers, error: ValueError) -> str:
    """The message about an answer that is no number, nor a word of `grades` or `drop`."""
    near = nearest(text, [str(answer) for answer in answers.drop])
    other = f"; this is not among the answers of drop={near}" if near else ""
    if not answers.numbers:
        return f"{place}: {error}{words_hint('grade', text)}{other}"
    known = [str(word) for word in answers.numbers]
    return (
        f"{place}: value {shown(text)} is not among grades={{{first_few(known, show=repr)}}}"
        f"{nearest(text, known)}; give its number there, or leave such rows out: drop=[{text!r}]"
        f"{other}"
    )


def _taken(column: Any, rows: Ints) -> Any:
    """Some rows of a column of any type."""
    if hasattr(column, "to_pylist"):
        import pyarrow as pa

        column = column.combine_chunks() if hasattr(column, "combine_chunks") else column
        if pa.types.is_string_view(column.type):  # of polars; Arrow cannot take rows of it
            column = column.cast(pa.large_string())
        return take(column, rows)
    if hasattr(column, "iloc"):
        return column.iloc[rows]
    if hasattr(column, "dtype") and hasattr(column, "ndim"):
        return column[rows]
    listed = list(column)
    return [listed[row] for row in rows.tolist()]


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
        return of_arrow(given, where)
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


def of_arrow(given: Any, where: str) -> NamedColumns:
    """The columns of whatever offers the Arrow stream."""
    import pyarrow as pa

    try:
        table = pa.table(given)
    except (pa.ArrowException, TypeError, ValueError) as error:
        text = " ".join(str(error).split())
        raise DataError(
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
