"""`AnnotationOrder`: the items of a comparison by what more votes on each would settle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth.core.validation import option_flag
from fuzzytruth.errors import counted, printable
from fuzzytruth.show.answer import Column, Printed, Result, Sentences, Table
from fuzzytruth.show.answer_rows import short_id
from fuzzytruth.show.number_text import numbers_format, values_format, written

# What is printed of an order of items to annotate.


_ROWS = 10
_LONG = 24  # characters of an id, beyond which it takes several lines
_NOTED = 0.01  # share of the variance, from which interactions are worth a sentence


def annotation_answer(result: AnnotationOrder) -> Printed:
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


def _style(result: AnnotationOrder) -> str:
    return numbers_format([result.difference, result.disagreement])


def _difference(result: AnnotationOrder) -> str:
    """The difference, and its standard error."""
    style = _style(result)
    found = f"Difference {written(result.difference, style, signed=True)}, standard error "
    found += f"{written(result.std_error, style)} due to few votes"
    if result.n_unjudged:
        found += f" ({counted(result.n_unjudged, 'item has', 'items have')} none)"
    return found + "."


def _first_items(result: AnnotationOrder) -> str:
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


def _table(result: AnnotationOrder) -> Table:
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


def _legend(result: AnnotationOrder) -> Sentences:
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


_FIRST = ["query", "item", "n_votes", "grade", "share", "narrowing", "cumulative"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AnnotationOrder(Result):
    """Which items to annotate next, for the difference of two systems.

    Three things make a difference of two systems uncertain, and only the first becomes smaller by
    more votes: `std_error` is because items have few votes; `disagreement` is because people
    disagree, however many are asked; `std_error_queries` is because there are few queries.

    Parameters
    ----------
    items : DataFrame
        One row for each item of a query, those first of which `k` more votes are expected to remove
        most: query, item; n_votes (0: unjudged); grade, its estimated mean; share of the variance
        of the difference that comes from this item's votes being few (of all items, these add up to
        1); narrowing, the share of the variance that `k` more votes on it are expected to remove;
        cumulative, the same for this item and all above it; rank_a and rank_b, its rank in the
        list of each system (0: not retrieved); mc_error, the Monte Carlo error of the share (0
        where it is exact); std_error, that of the difference after `k` more votes on this item and
        all above it.
    systems : tuple of str
    measure : str
    k : int
        Further votes on each item.
    difference : float
        Mean over queries of the first system's value minus the second one's, in expectation over
        shares of votes; that of `evaluate`, if all retrieved items are judged.
    std_error, std_error_after : float
        Of the difference, as far as it comes from few votes: now, and after `k` more votes on each
        of `items`.
    disagreement : float
        Standard deviation of the difference over worlds, in which each item draws one vote to come.
    std_error_queries : float
        Standard error of the difference, queries being a sample, apart from `std_error`: the
        squares of both add up to the variance of the mean over queries. 0 where that is less than
        few votes explain; NaN for a single query.
    interactions : float
        What `std_error` leaves out: variance that several items have only together, as a share of
        that of `std_error`. This is the most it may be; 0 for measures that add up items.
    correlation : float
        Of two votes on the same item, given its base rate: from 0 (votes say nothing about the
        item) to 1 (all agree).
    n_queries, n_items, n_unjudged : int
        Queries; items of a query, each counted once; and those of them that nobody judged.
    """

    items: pd.DataFrame
    systems: tuple[str, str]
    measure: str
    k: int
    difference: float
    std_error: float
    std_error_after: float
    disagreement: float
    std_error_queries: float
    interactions: float
    correlation: float
    n_queries: int
    n_items: int
    n_unjudged: int

    def __repr__(self) -> str:
        a, b = map(short_id, self.systems)
        return printable(
            f"AnnotationOrder({a} - {b} by {self.measure}: {self.difference:+.4f}, standard error "
            f"{self.std_error:.4f}; {counted(len(self.items), 'item')})"
        )

    def _answer(self) -> Printed:
        return annotation_answer(self)

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """A copy of `items`; all of its columns if `full`, else the first seven."""
        return self.items.copy() if option_flag("full", full) else self.items[_FIRST].copy()
