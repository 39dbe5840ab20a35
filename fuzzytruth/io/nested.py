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
from fuzzytruth.io.columns import check_ids, check_numbers
from fuzzytruth.io.ids import encode

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


def with_scores(lists: Any, where: str) -> Any:
    """Lists of ranked items, best first, as {item: score}.

    Raises
    ------
    DataError
        A list holds an item twice.
    """
    if not isinstance(lists, Mapping):
        return lists
    return {
        query: _descending(items, f"{where}, query {shown(query)}")
        if isinstance(items, (list, tuple))
        else items
        for query, items in lists.items()
    }


def _descending(items: Sequence[Any], where: str) -> dict[Any, int]:
    """Scores that rank items in the order given."""
    scores = {item: len(items) - place for place, item in enumerate(items)}
    if len(scores) < len(items):
        twice, n = Counter(items).most_common(1)[0]
        raise DataError(f"{where}: item {shown(twice)} is listed {n} times; list it once")
    return scores


def flatten(nested: Mapping[Any, Mapping[Any, Any]], name: str, where: str) -> NestedEntries:
    """The checked entries of a nested dictionary whose numbers are called `name`.

    Raises
    ------
    DataError
        It has another form, is empty, or holds a value that is not a finite number.
    """
    require(where, nested, isinstance(nested, Mapping), f"must be {{query: {{item: {name}}}}}")
    for query, inner in nested.items():
        if not isinstance(inner, Mapping):
            raise DataError(
                f"{where}, query {shown(query)}: {shown(inner)} is not a mapping; give "
                f"{{query: {{item: {name}}}}}"
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

    # Keys that differ, such as 1 and "1", may be the same text.
    of_key, queries = encode(check_ids(keys, "query", where))
    return NestedEntries(
        where,
        of_key[codes],
        queries,
        check_ids(items, "item", locate),
        check_numbers(numbers, name, locate),
    )
