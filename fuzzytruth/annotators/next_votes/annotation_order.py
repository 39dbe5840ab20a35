"""`AnnotationOrder`: the items of a comparison by what more votes on each would settle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fuzzytruth.annotators.next_votes.annotation_answer import annotation_answer
from fuzzytruth.core.validation import option_flag
from fuzzytruth.errors import counted, printable
from fuzzytruth.io.answer import Answer, Printed
from fuzzytruth.io.answer_rows import short_id

if TYPE_CHECKING:
    import pandas as pd

_FIRST = ["query", "item", "n_votes", "grade", "share", "narrowing", "cumulative"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AnnotationOrder(Answer):
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
