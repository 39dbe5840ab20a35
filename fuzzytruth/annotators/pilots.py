"""Where the variance components of a plan come from: a pilot, or assumptions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth.annotators.components import variance_components
from fuzzytruth.annotators.component_result import VarianceComponents
from fuzzytruth.annotators.design_variances import Components
from fuzzytruth.errors import DataError, OptionError, shown_all
from fuzzytruth.evaluation.axes import check_over
from fuzzytruth.stats.axes import Over

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores import Scores


@dataclass(frozen=True, slots=True)
class Pilot:
    """Components, and what they are of.

    Parameters
    ----------
    components : Components
    measure : str or None
    n_systems : int or None
        None where it is not known.
    n_subjects : int
        0 where there are none.
    """

    components: Components
    measure: str | None = None
    n_systems: int | None = None
    n_subjects: int = 0


def pilot_of(
    pilot: Scores | None,
    components: Any,
    *,
    measure: str | None,
    systems: Iterable[str] | None,
    replicate_of: Mapping[str, str] | None,
    over: Over | None,
    subjects: bool,
    of_all: bool,
) -> Pilot:
    """Components of a pilot, or those given.

    `subjects`: whether numbers of subjects are given; `of_all`: whether a plan for the mean of a
    single system will do.
    """
    if (pilot is None) == (components is None):
        raise OptionError(
            "plan: give the scores of a pilot, or components=, "
            + ("and not both" if components is not None else "such as {'residual': 0.05}")
        )
    if pilot is not None:
        return _of_scores(pilot, measure, systems, replicate_of, over, of_all=of_all)
    for name, value in (("systems", systems), ("replicate_of", replicate_of)):
        if value is not None:
            raise OptionError(f"{name}: is of a pilot, and these are components")
    if isinstance(components, VarianceComponents):
        found = _of_components(components, measure, of_all=of_all)
    else:
        if measure is not None:
            raise OptionError(f"measure={measure!r}: is of a pilot, and these are components")
        named = "subject" in over if over is not None else False
        found = Pilot(Components.assumed(components, subjects=subjects or named))
    if over is not None and "subject" in over and not found.components.has_subjects:
        raise OptionError("over='subject': these components are of scores without subjects")
    return found
