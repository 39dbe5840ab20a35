"""The numbers of scores, and what their axes are."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Array, Floats
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.validation import place_of
from fuzzytruth.data.judgments import Design
from fuzzytruth.errors import DataError, MeasureError, OptionError, counted, shown
from fuzzytruth.evaluation.scores.provenance import Provenance
from fuzzytruth.evaluation.worlds.uncertainty import Uncertainty

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores.query_groups import Attributes

#: numbers of each system, measure and cell: column of tables → field of scores
NUMBERS = {"value": "values", "lower": "lower", "upper": "upper"}
#: those of their uncertainty, by which name both have them
WORLD_NUMBERS = ("std", "exact", "mc_error")


def check_scores(scores: object) -> None:
    """Raise `OptionError` unless these are scores."""
    if not isinstance(scores, ScoreArrays):
        raise OptionError(
            "scores: give Scores, as evaluate, Scores.load and Scores.from_frame make them, not "
            f"{shown(scores)}"
        )


def check_several(scores: ScoreArrays, what: str) -> None:
    """Raise `DataError` for a single system; `what` begins the message."""
    if len(scores.systems) < 2:
        raise DataError(
            f"{what}: the scores have a single system, {shown(scores.systems[0])}; give those of "
            "two or more"
        )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ScoreArrays:
    """What modules that compute with scores are given; see `Scores` for the parameters."""

    systems: tuple[str, ...]
    queries: tuple[str, ...]
    measures: tuple[str, ...]
    values: Floats  # (systems, measures, cells)
    cells: Cells
    subjects: tuple[str, ...] | None = None
    design: Design = "crossed"
    higher_is_better: tuple[bool, ...] = ()
    lower: Floats | None = None  # (systems, measures, cells)
    upper: Floats | None = None
    uncertainty: Uncertainty | None = None
    provenance: Provenance | None = None
    query_attributes: Attributes = field(default_factory=dict)
    ranges: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        # The last bit of a sum depends on how the numbers lie in memory.
        for name in NUMBERS.values():
            numbers = getattr(self, name)
            if numbers is not None:
                object.__setattr__(self, name, np.ascontiguousarray(numbers))

    def __repr__(self) -> str:
        sizes = [
            counted(len(self.systems), "system"),
            counted(len(self.queries), "query"),
            counted(len(self.measures), "measure"),
        ]
        if self.subjects is not None:
            sizes.append(counted(len(self.subjects), "subject"))
        if self.uncertainty is not None:
            sizes.append(f"{self.uncertainty.n_worlds:,} {self.uncertainty.worlds} worlds")
        return f"{type(self).__name__}({', '.join(sizes)})"

    @property
    def numbers(self) -> dict[str, Array]:
        """All numbers that there are by column, (systems, measures, cells) each; `value` first."""
        found = {name: getattr(self, field) for name, field in NUMBERS.items()}
        if self.uncertainty is not None:
            found |= {name: getattr(self.uncertainty, name) for name in WORLD_NUMBERS}
        return {name: values for name, values in found.items() if values is not None}

    def measure_place(self, measure: str) -> int:
        """Place of a measure, in any spelling.

        Raises
        ------
        OptionError
            There is no such measure.
        """
        return place_of(self.measures, self.measure_name(measure), "measure")

    def measure_name(self, measure: Any) -> Any:
        """The name of a measure as these scores spell it; as given if it is unknown."""
        from fuzzytruth.measures import Measure, parse_measure

        if isinstance(measure, (str, Measure)) and measure not in self.measures:
            with suppress(MeasureError):  # a name that the library does not know may be a typo
                return str(parse_measure(measure))
        return measure
