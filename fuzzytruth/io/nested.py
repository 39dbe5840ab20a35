"""Nested dictionaries ``{query: {item: number}}``, as pytrec_eval and ranx take them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import Floats
from fuzzytruth.errors import DataError, require, shown
from fuzzytruth.io.columns import check_ids, encode
from fuzzytruth.io.numbers import check_numbers

if TYPE_CHECKING:
    import pyarrow as pa


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
            raise DataError(
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
            raise DataError(
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
        raise DataError(
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
            raise DataError(
                f"{where}, query {shown(query)}: {shown(inner)} is not a mapping; give {form}"
            )
    size = [len(inner) for inner in nested.values()]
    items: list[Any] = list(chain.from_iterable(nested.values()))
    numbers: list[Any] = list(chain.from_iterable(inner.values() for inner in nested.values()))
    if not items:
        raise DataError(f"{where}: there are no rows in it")
    codes = np.repeat(np.arange(len(size), dtype=np.int32), size)
    keys = list(nested)

    def locate(row: int) -> str:
        return f"{where}, query {shown(keys[codes[row]])}, item {shown(items[row])}"

    deep = next((j for j, number in enumerate(numbers) if isinstance(number, Mapping)), None)
    if deep is not None:
        raise DataError(
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
