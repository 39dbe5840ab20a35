"""Pairwise preferences from a frame: which of two items was preferred, in which query, by whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.segments import offsets_of
from fuzzytruth.errors import DataError, counted, first_few, shown, shown_all
from fuzzytruth.io.answers import settle
from fuzzytruth.io.arrow import take
from fuzzytruth.io.column_names import COLUMN_ALIASES, find_columns, given_columns
from fuzzytruth.io.column_request import ColumnRequest, answers_of
from fuzzytruth.io.columns import Columns, check_ids, check_weights
from fuzzytruth.io.ids import encode
from fuzzytruth.io.objects import named_columns
from fuzzytruth.io.origin import Locate, origin_of
from fuzzytruth.stats.bradley_terry import Comparisons

if TYPE_CHECKING:
    import pyarrow as pa

Ties = Literal["half", "drop"]

_WHERE = "preferences"
_ORDERED = ("winner", "loser")
_JUDGED = ("left", "right", "preferred")
_OPTIONAL = ("query", "subject", "count", "weight")
#: what is said of the item on the left, of the one on the right, and of neither; in lower case
_LEFT = frozenset({"a", *COLUMN_ALIASES["left"]})
_RIGHT = frozenset({"b", *COLUMN_ALIASES["right"]})
_TIE = frozenset(
    {"tie", "tied", "draw", "equal", "same", "both", "neither", "neutral", "n", "none"}
    | {"tie (bothbad)", "both_bad", "bothbad"}
)


@dataclass(frozen=True, slots=True, eq=False)
class Preferences:
    """Checked preferences, as comparisons of items that are numbered query after query.

    Parameters
    ----------
    comparisons : Comparisons
        Without those of weight 0 and, if so asked, without ties.
    queries : tuple of str or None
        None: there is no such column, and all comparisons are of one query.
    items : tuple of str, (items,)
    subject : (comparisons,) int or None
    query_column : str or None
        The frame's own name of the queries.
    """

    comparisons: Comparisons
    queries: tuple[str, ...] | None
    items: tuple[str, ...]
    subject: Ints | None
    query_column: str | None

    @classmethod
    def of(
        cls, frame: Any, columns: Mapping[str, str] | None, ties: Ties, drop: Any = ()
    ) -> Preferences:
        """Check a frame; `columns` gives its own names of some columns by their usual ones.

        Rows whose preference is one of `drop` are left out.
        """
        table = named_columns(frame, _WHERE)
        names = _column_names(list(table.names), columns)
        origin = origin_of(table.locate(_WHERE), names, table.names)
        given = {name: table.column(column) for name, column in names.items()}
        value = "preferred" if "preferred" in names else "winner"
        answers = answers_of(None, drop, (), option="subjects")
        given, locate = settle(given, origin, ColumnRequest((), (), value, answers=answers), _WHERE)
        ids = {
            name: check_ids(column, name, locate)
            for name, column in given.items()
            if name not in ("count", "weight")
        }
        if not len(next(iter(ids.values()))):
            raise DataError(f"{_WHERE}: the table is empty")
        sides = ("winner", "loser") if "loser" in ids else ("left", "right")
        first, second, items = _encode_together(*(ids[side] for side in sides))
        _check_distinct(first, second, items, [names[side] for side in sides], locate)
        share = _shares(ids, names, locate) if "preferred" in ids else np.ones(len(first))
        weight = _weights(given, len(first), locate)
        query = np.zeros(len(first), dtype=np.int64)
        queries = None
        if "query" in ids:
            code, found = encode(ids["query"])
            query, queries = code.astype(np.int64), tuple(found.to_pylist())
        subject = encode(ids["subject"])[0].astype(np.int64) if "subject" in ids else None
        first, second, item, offsets = _by_query(query, first, second, len(items))
        kept = weight > 0 if ties == "half" else (weight > 0) & (share != 0.5)
        return cls(
            Comparisons(first[kept], second[kept], share[kept], weight[kept], offsets),
            queries,
            tuple(take(items, item).to_pylist()),
            None if subject is None else subject[kept],
            names.get("query"),
        )


def _column_names(present: list[Any], given: Mapping[str, str] | None) -> dict[str, str]:
    """Canonical name -> the frame's own name, of one of the two forms of preferences."""
    known = (*_ORDERED, *_JUDGED, *_OPTIONAL)
    own = given_columns(given, known, present, _WHERE)
    rest = [column for column in present if column not in own.values()]

    def find(required: tuple[str, ...], optional: tuple[str, ...]) -> dict[str, str]:
        required, optional = (
            tuple(name for name in names if name not in own) for names in (required, optional)
        )
        return find_columns(rest, required, optional, where=_WHERE)

    sides = {*own} | {*find((), ("left", "right", "loser"))}
    if not sides & {"left", "right", "loser"}:
        raise DataError(
            f"{_WHERE}: needs columns 'winner' and 'loser', or 'left', 'right' and 'preferred', "
            "under any of their usual names, or as columns={'left': ...} says; columns present: "
            f"{shown_all(map(str, present))}"
        )
    if "loser" in sides and sides & {"left", "right"}:
        raise DataError(
            f"{_WHERE}: columns for 'loser' and for 'left' or 'right'; keep 'winner' and 'loser', "
            "or 'left', 'right' and 'preferred'"
        )
    names = own | find(_ORDERED if "loser" in sides else _JUDGED, _OPTIONAL)
    if {"count", "weight"} <= names.keys():
        raise DataError(
            f"{_WHERE}: columns {shown(names['count'])} and {shown(names['weight'])} both say how "
            "many comparisons a row stands for; keep one"
        )
    return names


def _encode_together(*columns: pa.LargeStringArray) -> tuple[Ints, Ints, pa.LargeStringArray]:
    """Codes of two columns of items, and the distinct items in order of first appearance."""
    import pyarrow as pa

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
    by_item[_equal(preferred, ids["right"])] = 0.0
    by_item[_equal(preferred, ids["left"])] = 1.0
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


def _equal(one: pa.LargeStringArray, other: pa.LargeStringArray) -> Bools:
    first, second, _ = _encode_together(one, other)
    equal: Bools = first == second
    return equal


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


def check_finite(preferences: Preferences, strong: Ints, weak: Ints) -> None:
    """Raise unless finite strengths exist in every query.

    Parameters
    ----------
    preferences : Preferences
    strong, weak : (items,) int
        Components of the graph of wins; see `stats.bradley_terry.components`.
    """
    offsets = preferences.comparisons.offsets
    starts, ends = offsets[:-1], offsets[1:]
    spread = np.maximum.reduceat(strong, starts) != np.minimum.reduceat(strong, starts)
    if not spread.any():
        return
    worst = int(np.argmax(spread))
    rows = slice(int(starts[worst]), int(ends[worst]))
    names = np.array(preferences.items[rows], dtype=object)
    place, of, leave = _WHERE, "", ""
    if preferences.queries is not None:
        place = f"{_WHERE}, query {shown(preferences.queries[worst])}"
        of = f" (in {int(spread.sum()):,} of {counted(len(spread), 'query')})"
        leave = (
            f", or leave out the column {shown(preferences.query_column)} for one model of all "
            "comparisons"
        )
    raise DataError(
        f"{place}: {_obstacle(preferences, rows, names, strong, weak)}, so that there are no "
        f"finite strengths{of}; give prior=1, which adds half a win and half a loss between every "
        f"two items of a query{leave}"
    )


def _obstacle(preferences: Preferences, rows: slice, names: Any, strong: Ints, weak: Ints) -> str:
    """Why the items `rows` of a query have no finite strengths."""
    part = weak[rows]
    apart = part != part[0]
    if apart.any():
        sides = (first_few(names[side], show=shown) for side in (~apart, apart))
        return "no comparisons connect {} with {}".format(*sides)
    wins = preferences.comparisons.wins()[rows].tocoo()
    own = strong[rows]
    across = own[wins.row] != strong[wins.col]
    lost = np.isin(own, strong[wins.col[across]])  # some comparison with another component
    won = np.isin(own, own[wins.row[across]])
    outcomes = [("won", names[~lost]), ("lost", names[~won])]
    outcomes.sort(key=lambda outcome: len(outcome[1]))
    if sum(len(some) for _, some in outcomes) == len(names):  # each says what the other does
        del outcomes[1]
    return " and ".join(
        f"{first_few(some, show=shown)} {verb} every comparison with the other items"
        for verb, some in outcomes
    )
