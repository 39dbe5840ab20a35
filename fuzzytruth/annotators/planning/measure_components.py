"""Variance components of one measure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.annotators.planning.component_table import ComponentTable
from fuzzytruth.annotators.planning.generalizability import Coefficient, coefficients_of
from fuzzytruth.core.component_draws import estimated_components
from fuzzytruth.core.random_effects import EffectsLayout
from fuzzytruth.errors import DataError, DegenerateWarning, warn

_LARGEST = 1e140


@dataclass(frozen=True, slots=True, eq=False)
class MeasureComponents:
    """Components of one measure.

    Parameters
    ----------
    measure : str
    names : tuple of str
    variance, lower, upper, mean_square : (components,) float
        Variances as estimated, negative ones included; ends of intervals are 0 or more.
    draws : (draws, components) float
        Of the generalised pivotal distribution of the variances, none negative.
    coefficients : tuple of Coefficient
    table : ComponentTable
    layout : EffectsLayout
    """

    measure: str
    names: tuple[str, ...]
    variance: Floats
    lower: Floats
    upper: Floats
    mean_square: Floats
    draws: Floats
    coefficients: tuple[Coefficient, ...]
    table: ComponentTable
    layout: EffectsLayout

    @property
    def share(self) -> Floats:
        """Of the variance of a single score; 0 throughout where nothing varies: (components,)."""
        positive = self.variance.clip(min=0.0)
        total = positive.sum()
        return positive / total if total > 0 else positive


def components_of(measure: str, table: ComponentTable, level: float) -> MeasureComponents:
    """Components of one measure with their intervals."""
    layout = table.layout()
    _check_separate(measure, table, layout)
    unit = _unit(measure, table.values)
    values = table.values / unit
    mean_squares = layout.mean_squares(values)
    if not mean_squares.any():
        warn(
            f"{measure}: all values agree: variance components are 0, and coefficients unknown",
            DegenerateWarning,
        )
    components, draws = estimated_components(layout, values, mean_squares)
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2], axis=0)
    positive = components.clip(min=0.0)
    return MeasureComponents(
        measure,
        tuple(table.names.values()),
        components * unit**2,
        low * unit**2,
        high * unit**2,
        mean_squares * unit**2,
        draws * unit**2,
        coefficients_of(
            layout.effects,
            positive,
            draws,
            table.panel(layout),
            level,
            table.differences(layout),
        ),
        table,
        layout,
    )


def _unit(measure: str, values: Floats) -> float:
    """The largest size of the values, whose square is a number."""
    largest = float(np.abs(values).max(initial=0.0))
    if largest and not 1 / _LARGEST < largest < _LARGEST:
        raise DataError(
            f"{measure}: the largest value is {largest:g}, whose square is no number; give the "
            "scores in other units"
        )
    return largest or 1.0


def _check_separate(measure: str, table: ComponentTable, layout: EffectsLayout) -> None:
    """Raise if two components are not to be told apart."""
    names = [*table.names.values()]
    unclear = [names[place] for place in layout.confounded()]
    if unclear:
        raise DataError(
            f"{measure}: {' and '.join(unclear)} vary together in these scores, so that their "
            "variances are not to be told apart; more values that systems, queries and subjects "
            "share would"
        )
