"""What is printed of an order of items to annotate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from fuzzytruth.errors import counted
from fuzzytruth.io.answer import Column, Printed, Sentences, Table
from fuzzytruth.io.answer_rows import short_id
from fuzzytruth.io.number_text import numbers_format, values_format, written

if TYPE_CHECKING:
    import pandas as pd

_ROWS = 10
_LONG = 24  # characters of an id, beyond which it takes several lines
_NOTED = 0.01  # share of the variance, from which interactions are worth a sentence


class Ordered(Protocol):
    """An `AnnotationOrder`, as far as it is printed."""

    @property
    def items(self) -> pd.DataFrame:
        """The items, first ones first."""
        ...

    @property
    def systems(self) -> tuple[str, str]:
        """Names of the systems."""
        ...

    @property
    def measure(self) -> str:
        """Name of the measure."""
        ...

    @property
    def k(self) -> int:
        """Further votes on each item."""
        ...

    @property
    def difference(self) -> float:
        """Of the systems."""
        ...

    @property
    def std_error(self) -> float:
        """Of the difference, because votes are few."""
        ...

    @property
    def disagreement(self) -> float:
        """Standard deviation over worlds."""
        ...

    @property
    def std_error_queries(self) -> float:
        """Of the difference, because queries are few."""
        ...

    @property
    def interactions(self) -> float:
        """What the standard error leaves out, at most."""
        ...

    @property
    def n_queries(self) -> int:
        """Number of queries."""
        ...

    @property
    def n_items(self) -> int:
        """Number of items of all queries."""
        ...

    @property
    def n_unjudged(self) -> int:
        """Those of them without votes."""
        ...


def annotation_answer(result: Ordered) -> Printed:
    """What `print` shows: how uncertain the difference is, and the items that come first."""
    a, b = map(short_id, result.systems)
    size = f"{counted(result.n_items, 'item')} of {counted(result.n_queries, 'query')}"
    title = f"What to annotate next: {a} - {b} by {result.measure}, {size}"
    if not result.std_error > 0:
        why = (
            "No item's votes matter to this difference: the systems list the same items in the "
            "same places, or no judged item at all, or all votes have one grade."
        )
        return Printed.of(title, Sentences.of(_difference(result), why))
    return Printed.of(
        title,
        Sentences.of(_difference(result), _first_items(result)),
        _table(result),
        _legend(result),
        Sentences.of("More: .to_frame(), .to_frame(full=True)"),
    )


def _style(result: Ordered) -> str:
    return numbers_format([result.difference, result.disagreement])


def _difference(result: Ordered) -> str:
    """The difference, and its standard error."""
    style = _style(result)
    found = f"Difference {written(result.difference, style, signed=True)}, standard error "
    found += f"{written(result.std_error, style)} due to few votes"
    if result.n_unjudged:
        found += f" ({counted(result.n_unjudged, 'item has', 'items have')} none)"
    return found + "."


def _first_items(result: Ordered) -> str:
    """The items that carry half of the variance, or what all that are listed carry."""
    rows = result.items
    total = np.cumsum(rows["share"].to_numpy())
    half = total[-1] >= 0.5 - 1e-9
    n = int(np.argmax(total >= 0.5 - 1e-9)) + 1 if half else len(rows)
    share = "half" if half else f"{100 * total[-1]:.0f} %"
    which = "first" if half or n < result.n_items else "listed"
    error = float(rows["std_error"].iloc[n - 1])
    style = _style(result)
    after = f"bring the standard error to {written(error, style)}"
    if written(error, style) == written(result.std_error, style):  # would seem to change nothing
        change = 100 * (1 - error / result.std_error)
        after = f"lower the standard error by {written(change, values_format([change], 2))} %"
    queries = counted(rows["query"].iloc[:n].nunique(), "query")
    what, verb = ("item", "carries") if n == 1 else (f"{n:,} items", "carry")
    return (
        f"The {which} {what}, of {queries}, {verb} {share} of its variance; "
        f"{_more_votes(result.k)} on each would {after}."
    )


def _more_votes(k: int) -> str:
    return "one more vote" if k == 1 else f"{k:,} more votes"


def _table(result: Ordered) -> Table:
    """The first items."""
    rows = result.items.head(_ROWS)
    if len(result.items) > _ROWS and max(rows[["query", "item"]].map(len).max()) > _LONG:
        rows = rows.head(_ROWS // 2)
    errors = numbers_format([result.difference, result.disagreement], 5)
    votes, grades = rows["n_votes"].tolist(), rows["grade"].tolist()
    columns = (
        Column.label("query", map(short_id, rows["query"])),
        Column.label("item", map(short_id, rows["item"])),
        Column("votes", tuple(written(n, values_format(votes, 2)) for n in votes)),
        Column("grade", tuple(written(grade, numbers_format(grades, 2)) for grade in grades)),
        Column("share", tuple(f"{100 * share:.1f} %" for share in rows["share"])),
        Column("std. error", tuple(written(error, errors) for error in rows["std_error"])),
    )
    n = len(result.items)
    title = f"The first {len(rows)} of {n:,} items" if n > len(rows) else ""
    return Table(columns, title)


def _legend(result: Ordered) -> Sentences:
    """What the columns are, and what more votes do not change."""
    style = _style(result)
    queries = result.std_error_queries
    error = f"standard error of the difference {written(queries, style)}"
    if queries == 0:
        error = "which is estimated to add no error to that of few votes"
    lines = [
        f"Ordered by the variance that {_more_votes(result.k)} would remove. Grade: estimated "
        "mean. Share: of the variance of the difference, because the item has few votes. Std. "
        f"error: after {_more_votes(result.k)} on the item and on all above it.",
        "More votes do not change the disagreement itself (with one vote to come drawn for each "
        f"item, the difference has standard deviation {written(result.disagreement, style)})"
        + ("" if queries != queries else f", nor that queries are a sample ({error})")
        + ".",
    ]
    if result.interactions > _NOTED:
        lines.append(
            "What several items change only together adds at most "
            f"{100 * result.interactions:.0f} % to the variance."
        )
    return Sentences.of(*lines)
