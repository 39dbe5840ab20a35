"""Pairwise preferences from a table: which of two items was preferred, in which query, by whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from fuzzytruth._lazy import pa
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import offsets_of
from fuzzytruth.errors import DataError, shown, shown_all
from fuzzytruth.io.column_names import COLUMN_ALIASES, given_columns, has_columns, report_people
from fuzzytruth.io.columns import Columns, Locate, Origin, check_ids
from fuzzytruth.io.ids import encode, same_ids, take
from fuzzytruth.io.numbers import check_weights
from fuzzytruth.io.table_files import column_names, table_of, table_source
from fuzzytruth.io.tables import ColumnRequest, named_columns

Ties = Literal["half", "drop"]

_OPTIONAL = ("query", "subject", "count", "weight")
_ORDERED = ColumnRequest(("winner", "loser"), _OPTIONAL, "winner")
_JUDGED = ColumnRequest(("left", "right", "preferred"), _OPTIONAL, "preferred")
#: what is said of the item on the left, of the one on the right, and of neither; in lower case
_LEFT = frozenset({"a", *COLUMN_ALIASES["left"]})
_RIGHT = frozenset({"b", *COLUMN_ALIASES["right"]})
_TIE = frozenset(
    {"tie", "tied", "draw", "equal", "same", "both", "neither", "neutral", "n", "none"}
    | {"tie (bothbad)", "both_bad", "bothbad"}
)


@dataclass(frozen=True, slots=True, eq=False)
class Preferences:
    """Checked comparisons of two items of one query, which are numbered query after query.

    Parameters
    ----------
    where : str
        Names the source in errors.
    queries : tuple of str or None
        None: there is no such column, and all comparisons are of one query.
    items : tuple of str, (items,)
    offsets : (queries + 1,) int
        The items of query j are ``offsets[j]:offsets[j + 1]``.
    first, second : (comparisons,) int
        Number of the items. Comparisons of weight 0 and, if so asked, ties are left out.
    share : (comparisons,) float
        1 if the first item was preferred, 0 if the second was, 1/2 for a tie.
    weight : (comparisons,) float
        How many comparisons this is.
    subject : (comparisons,) int or None
    query_column : str or None
        The table's own name of the queries.
    ordered : bool
        Whether the columns say which item was shown first, that on the left, and do not only say
        which one won.
    """

    where: str
    queries: tuple[str, ...] | None
    items: tuple[str, ...]
    offsets: Ints
    first: Ints
    second: Ints
    share: Floats
    weight: Floats
    subject: Ints | None
    query_column: str | None
    ordered: bool

    @classmethod
    def of(
        cls, given: Any, columns: Mapping[str, Any] | None, ties: Ties, drop: Any = ()
    ) -> Preferences:
        """Check a table or a path; `columns` gives its own names of some columns.

        Rows whose preference is one of `drop` are left out.

        Raises
        ------
        DataError
            Columns are missing or of both forms, an item is compared with itself, or a preference
            names neither item.
        """
        table, origin, where = _read(given, columns, drop)
        if "subject" not in table:
            report_people(origin, where)
        names = {name: origin.names[name] for name in table}
        if {"count", "weight"} <= names.keys():
            raise DataError(
                f"{where}: columns {shown(names['count'])} and {shown(names['weight'])} both say "
                "how many comparisons a row stands for; keep one"
            )
        ids = {
            name: check_ids(column, name, origin)
            for name, column in table.items()
            if name not in ("count", "weight")
        }
        if not len(next(iter(ids.values()))):
            raise DataError(f"{where}: the table is empty")
        sides = ("winner", "loser") if "loser" in ids else ("left", "right")
        first, second, items = _encode_together(*(ids[side] for side in sides))
        _check_distinct(first, second, items, [names[side] for side in sides], origin)
        share = _shares(ids, names, origin) if "preferred" in ids else np.ones(len(first))
        weight = _weights(table, len(first), origin)
        query = np.zeros(len(first), dtype=np.int64)
        queries = None
        if "query" in ids:
            code, found = encode(ids["query"])
            query, queries = code.astype(np.int64), tuple(found.to_pylist())
        subject = encode(ids["subject"])[0].astype(np.int64) if "subject" in ids else None
        first, second, item, offsets = _by_query(query, first, second, len(items))
        kept = weight > 0 if ties == "half" else (weight > 0) & (share != 0.5)
        return cls(
            where,
            queries,
            tuple(take(items, item).to_pylist()),
            offsets,
            first[kept],
            second[kept],
            share[kept],
            weight[kept],
            None if subject is None else subject[kept],
            names.get("query"),
            "preferred" in ids,
        )


def _read(given: Any, columns: Mapping[str, Any] | None, drop: Any) -> tuple[Columns, Origin, str]:
    """Unchecked columns of a table or a file, their origin, and what the source is called."""
    if isinstance(given, (str, Path)):
        given = table_source(given, "preferences", _JUDGED.required)
        where = str(given.path)
        header = column_names(given)  # none: there is a mistake, which the reader reports
        form = _form(header, columns, where) if header else _JUDGED
    else:
        where = "preferences"
        given = named_columns(given, where)
        form = _form(given.names, columns, where)
    return *table_of(given, form.given(columns, drop=drop), where), where


def _form(present: Iterable[Any], columns: Mapping[str, Any] | None, where: str) -> ColumnRequest:
    """Which of the two forms of preferences a table has, by the columns that differ."""
    present = list(present)
    given = [*columns.values()] if isinstance(columns, Mapping) else []
    known = (*_ORDERED.required, *_JUDGED.required, *_OPTIONAL)
    named = given_columns(columns, known, [*present, *given], where)
    rest = [name for name in present if name not in given]
    ordered, left, right = (
        side in named or has_columns(rest, (side,)) for side in ("loser", "left", "right")
    )
    if ordered and (left or right):
        raise DataError(
            f"{where}: columns for 'loser' and for 'left' or 'right'; keep 'winner' and 'loser', "
            "or 'left', 'right' and 'preferred'"
        )
    if not (ordered or left or right):
        raise DataError(
            f"{where}: needs columns 'winner' and 'loser', or 'left', 'right' and 'preferred', "
            "under any of their usual names, or as columns={'left': ...} says; columns present: "
            f"{shown_all(map(str, present))}"
        )
    return _ORDERED if ordered else _JUDGED


def _encode_together(*columns: pa.LargeStringArray) -> tuple[Ints, Ints, pa.LargeStringArray]:
    """Codes of two columns of items, and the distinct items in order of first appearance."""
    codes, items = encode(pa.concat_arrays(columns))
    first, second = codes.astype(np.int64).reshape(2, -1)
    return first, second, items


def _check_distinct(
    first: Ints, second: Ints, items: pa.LargeStringArray, columns: list[str], locate: Locate
) -> None:
    same = np.flatnonzero(first == second)
    if len(same):
        row = int(same[0])
        raise DataError(
            f"{locate(row)}: columns {shown(columns[0])} and {shown(columns[1])} both hold "
            f"{shown(items[int(first[row])].as_py())}; an item cannot be compared with itself"
        )


def _shares(
    ids: Mapping[str, pa.LargeStringArray], names: Mapping[str, str], locate: Locate
) -> Floats:
    """1 where the left item was preferred, 0 where the right one was, 1/2 for ties: (rows,).

    The column holds items if all its values are among those compared (or words for a tie), and
    words if all are words; of a mixed column each row must have one meaning.
    """
    preferred = ids["preferred"]
    code, words = encode(preferred)
    by_word = np.array([_meaning(word, names) for word in words.to_pylist()])[code]
    by_item = np.where(by_word == 0.5, 0.5, np.nan)
    by_item[same_ids(preferred, ids["right"])] = 0.0
    by_item[same_ids(preferred, ids["left"])] = 1.0
    fitting = [share for share in (by_item, by_word) if not np.isnan(share).any()]
    if len(fitting) == 1:
        return fitting[0]
    known = ~np.isnan(by_item) & ~np.isnan(by_word)
    for rows, problem in (
        (np.isnan(by_item) & np.isnan(by_word), _unknown),
        (known & (by_item != by_word), _ambiguous),
    ):
        if rows.any():
            row = int(np.argmax(rows))
            values = {name: column[row].as_py() for name, column in ids.items()}
            raise DataError(
                f"{locate(row)}, column {shown(names['preferred'])}: value "
                f"{shown(values['preferred'])} {problem(values, names)}"
            )
    return np.where(np.isnan(by_item), by_word, by_item)


def _ambiguous(values: Mapping[str, str], names: Mapping[str, str]) -> str:
    meaning = {1.0: "the left item", 0.0: "the right item", 0.5: "a tie"}
    word = meaning[_meaning(values["preferred"], names)]
    return f"is an item, and also a word for {word}; write 'left', 'right' or 'tie'"


def _unknown(values: Mapping[str, str], names: Mapping[str, str]) -> str:
    return (
        f"is neither {shown(values['left'])} nor {shown(values['right'])}, the items compared, nor "
        f"a word such as 'left', 'a' or {shown(names['left'])}, 'right', 'b' or "
        f"{shown(names['right'])}, or 'tie'"
    )


def _meaning(word: str, names: Mapping[str, str]) -> float:
    """The left item's share that a word stands for; NaN for any other."""
    text = word.strip().lower()
    if text in _TIE:
        return 0.5
    for side, words, share in (("left", _LEFT, 1.0), ("right", _RIGHT, 0.0)):
        if text in words or text == str(names[side]).strip().lower():
            return share
    return np.nan


def _weights(columns: Columns, n_rows: int, locate: Locate) -> Floats:
    """How many comparisons each row stands for: (rows,)."""
    name = next((name for name in ("count", "weight") if name in columns), None)
    if name is None:
        return np.ones(n_rows)
    return check_weights(columns[name], name, locate, hint=", of comparisons in the row")


def _by_query(
    query: Ints, first: Ints, second: Ints, n_items: int
) -> tuple[Ints, Ints, Ints, Ints]:
    """Number the items of each query: those of each row, the items numbered, and offsets."""
    keys = np.concatenate([query, query]) * n_items + np.concatenate([first, second])
    distinct, number = np.unique(keys, return_inverse=True)
    left, right = number.reshape(2, -1)
    return left, right, distinct % n_items, offsets_of(np.bincount(distinct // n_items))
