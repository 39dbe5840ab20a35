"""Base class of measures that compare a system's list with each subject's."""

from __future__ import annotations

import dataclasses
from typing import ClassVar, NoReturn

from fuzzytruth.errors import MeasureError
from fuzzytruth.measures.measure import Measure
from fuzzytruth.truth.batch import Batch


@dataclasses.dataclass(frozen=True, repr=False, kw_only=True)
class ListMeasure(Measure):
    """A measure whose ground truth is a subject's whole ranked list.

    Subclasses define `compare_lists`. Items that a subject did not list are not missing judgments.
    Only ``worlds="subject"`` (or one list a query) makes sense: other worlds take lists apart.
    """

    compares_lists: ClassVar[bool] = True
    takes_judged_only: ClassVar[bool] = False

    def score(self, batch: Batch) -> NoReturn:
        raise MeasureError(
            f"{self}: compares whole lists, which only single subjects have; use worlds='subject'"
        )
