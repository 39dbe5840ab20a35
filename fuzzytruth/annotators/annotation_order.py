"""`AnnotationOrder`: the items of a comparison by what more votes on each would settle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fuzzytruth.io.answer import Answer, Printed

if TYPE_CHECKING:
    import pandas as pd

_FIRST = ["query", "item", "n_votes", "grade", "share", "narrowing", "cumulative"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AnnotationOrder(Answer):
    """doc"""

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
    concentration: float
    n_queries: int
    n_items: int
    n_unjudged: int

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        return self.items.copy() if full else self.items[_FIRST].copy()
