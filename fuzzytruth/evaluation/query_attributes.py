"""Attributes of queries, such as their topic, by which they can be grouped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from fuzzytruth._typing import Array, Ints
from fuzzytruth.errors import DataError, OptionError, nearest, require, shown, shown_all
from fuzzytruth.io.columns import check_text
from fuzzytruth.io.ids import encode
from fuzzytruth.io.origin import Locate

#: name of an attribute -> value of each query, None where it has none
#: attribute of image–text scores; the queries of an image vary together
IMAGE = "image"
#: measures of these scores whose values are pseudo-values of the jackknife
PSEUDO_VALUES = ("Rsum", "mR")
Attributes = Mapping[str, tuple[str | None, ...]]


def attribute_names(clusters: Iterable[str] | str | None) -> tuple[str, ...]:
    """Names of the columns to keep.

    Raises
    ------
    OptionError
        They are no names.
    """
    if clusters is None or isinstance(clusters, str):
        return () if clusters is None else (clusters,)
    rule = "must be the name of a column, or several"
    require("clusters", clusters, isinstance(clusters, Iterable), rule)
    names = list(clusters)
    require("clusters", clusters, all(isinstance(name, str) for name in names), rule)
    return tuple(dict.fromkeys(names))


def check_kept(names: tuple[str, ...], present: Sequence[Any]) -> None:
    """Raise unless a frame has all these columns.

    Raises
    ------
    OptionError
        There is no such column.
    """
    columns = [str(column) for column in present]
    for name in names:
        if name not in columns:
            raise OptionError(
                f"clusters={shown(name)}: is not a column of the frame"
                f"{nearest(name, columns)}; it has {shown_all(columns)}"
            )


def check_attribute(option: str, name: str, attributes: Attributes) -> None:
    """Raise `OptionError` unless the scores have this attribute of queries."""
    if name not in attributes:
        known = shown_all(attributes) if attributes else "none"
        raise OptionError(
            f"{option}={shown(name)}: is no attribute of the queries of these scores (they have "
            f"{known}); name a column to keep to Scores.from_frame, or give {{query: group}}"
        )


def query_attributes(
    columns: Mapping[str, Any], query: Array, queries: tuple[str, ...], where: Locate
) -> dict[str, tuple[str | None, ...]]:
    """Attributes of queries by rows; missing or empty text is None.

    Parameters
    ----------
    columns : mapping of name to (rows,)
    query : (rows,) int
        Place of each row's query among `queries`, each of which has a row.

    Raises
    ------
    DataError
        A query has two values.
    """
    first = np.unique(query, return_index=True)[1]
    out = {}
    for name, column in columns.items():
        code, labels = encode(check_text(column, name, where).fill_null(""))
        values = [text or None for text in labels.to_pylist()]
        differs = code != code[first][query]
        if differs.any():
            row = int(np.argmax(differs))
            before = int(first[query[row]])
            raise DataError(
                f"{where(row)}: query {shown(queries[query[row]])} has {name} "
                f"{_shown(values[code[row]])}, and {_shown(values[code[before]])} before "
                f"({where(before)}); a query has one"
            )
        out[name] = tuple(values[value] for value in code[first])
    return out


def _shown(value: str | None) -> str:
    return "none" if value is None else shown(value)


def attributes_of(attributes: Attributes, queries: Ints) -> Attributes:
    """Attributes of some of the queries, in their order."""
    return {name: tuple(values[q] for q in queries) for name, values in attributes.items()}
