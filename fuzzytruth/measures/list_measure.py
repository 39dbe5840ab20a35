"""What measures have in common that compare a system's list with each subject's."""

from __future__ import annotations

import dataclasses
from typing import ClassVar, NoReturn

from fuzzytruth.errors import MeasureError
from fuzzytruth.measures.measure import Measure
from fuzzytruth.truth.batch import Batch


@dataclasses.dataclass(frozen=True, repr=False, kw_only=True)
class ListMeasure(Measure):
    """A measure whose truth is a subject's whole ranked list.

    Items that the subject did not list are no holes in it. Under worlds that cut up lists it has
    no meaning; each subject is a world.
    """

    compares_lists: ClassVar[bool] = True

    def score(self, batch: Batch) -> NoReturn:
        raise MeasureError(
            f"{self}: compares whole lists, which exist only for single subjects; use "
            "worlds='subject'"
        )
