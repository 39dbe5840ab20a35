"""The result of `variance_components`."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from fuzzytruth.annotators.planning.component_answer import component_answer
from fuzzytruth.annotators.planning.component_shares import share_rows, shares_figure
from fuzzytruth.annotators.planning.measure_components import MeasureComponents
from fuzzytruth.core.validation import option_flag, place_of
from fuzzytruth.errors import MeasureError, OptionError, counted, require, shown_all
from fuzzytruth.io.answer import Answer, Printed
from fuzzytruth.measures import parse_measure

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from fuzzytruth.plots.frames import PlotData


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class VarianceComponents(Answer):
    """Variance components of scores, and generalizability coefficients.

    Parameters
    ----------
    of_measures : tuple of MeasureComponents
        Components of each measure, with intervals.
    level : float
        Of the intervals.
    """

    of_measures: tuple[MeasureComponents, ...]
    level: float

    @property
    def measures(self) -> tuple[str, ...]:
        """Names of the measures."""
        return tuple(one.measure for one in self.of_measures)

    def __repr__(self) -> str:
        first = self.of_measures[0]
        return (
            f"VarianceComponents({counted(len(self.of_measures), 'measure')}, "
            f"{', '.join(first.names)})"
        )

    def _answer(self) -> Printed:
        return component_answer(self)

    def variances(self, measure: str | None = None) -> dict[str, float]:
        """Variance of each component by its name, negative estimates as 0.

        Parameters
        ----------
        measure : str, optional
            In any spelling; may be left out where there is one.

        Raises
        ------
        OptionError
            There is no such measure, or there are several and none is named.
        """
        one = components_of_measure(self, measure)
        return dict(zip(one.names, one.variance.clip(min=0.0).tolist(), strict=True))

    def reml(self, measure: str | None = None) -> pd.DataFrame:
        """Restricted maximum likelihood estimates beside ours, by statsmodels' `MixedLM`.

        A check of another method: equal to rounding in balanced tables without negative
        estimates, close to it elsewhere. Its estimates are never negative.

        Parameters
        ----------
        measure : str, optional
            In any spelling; may be left out where there is one.

        Returns
        -------
        DataFrame
            One row a component: measure, component, variance (as in `to_frame`), reml.

        Raises
        ------
        OptionError
            There is no such measure, or there are several and none is named.
        DataError
            There are more than 3,000 values or 800 levels of effects, for which the fit takes
            minutes; or all values agree.

        Warns
        -----
        DegenerateWarning
            The search did not converge.
        """
        import pandas as pd

        from fuzzytruth.annotators.planning.reml import reml_variances

        one = components_of_measure(self, measure)
        return pd.DataFrame(
            {
                "measure": one.measure,
                "component": one.names,
                "variance": one.variance,
                "reml": reml_variances(one),
            }
        )

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row a measure and component: measure, component, variance, lower, upper, share.

        `variance` is as estimated and may be negative, which counts as 0 in `share`, the share of
        the variance of a single score; `lower` and `upper` are the ends of its interval, 0 or
        more. With ``full=True`` also `std`, the root of the variance, and `df` and `mean_square`
        of the analysis of variance (in unbalanced tables of its analogue, whose mean squares are
        not adjusted for one another and may be negative). Intervals may take fewer degrees of
        freedom.
        """
        import pandas as pd

        frames = []
        for one in self.of_measures:
            columns = {
                "measure": one.measure,
                "component": one.names,
                "variance": one.variance,
                "lower": one.lower,
                "upper": one.upper,
                "share": one.share,
            }
            if option_flag("full", full):
                columns |= {
                    "std": one.variance.clip(min=0.0) ** 0.5,
                    "df": one.layout.df,
                    "mean_square": one.mean_square,
                }
            frames.append(pd.DataFrame(columns))
        return pd.concat(frames, ignore_index=True)

    def shares(self) -> pd.DataFrame:
        """Share of each component in the variance of a score, and in the error of a difference.

        One row a measure, component and variance: measure, component, of ("a single score", or "the
        error of a difference of two systems' means" over the queries, subjects and replicates there
        are, to which only components of systems contribute; left out for a single system), share,
        lower, upper. `share` is negative where the estimate is, and relative to the sum of the
        others; `lower` and `upper` are the ends of its interval of `level`, 0 or more. NaN where
        nothing varies.

        Examples
        --------
        >>> import pandas as pd, fuzzytruth as ft
        >>> scores = ft.Scores.from_frame(pd.DataFrame({
        ...     "system": list("aaaabbbb"), "query": [1, 2, 3, 4] * 2,
        ...     "value": [0.5, 0.7, 0.9, 0.8, 0.3, 0.6, 0.6, 0.6]}))
        >>> shares = ft.variance_components(scores).shares()
        >>> shares[["component", "share"]].round(2).values.tolist()[:3]
        [['system', 0.43], ['query', 0.5], ['residual', 0.07]]
        """
        import pandas as pd

        parts = [share_rows(one, self.level) for one in self.of_measures]
        return pd.concat(parts, ignore_index=True)

    def plot(self, ax: Axes | None = None, *, measure: str | None = None) -> Axes:
        """Draw the shares of one measure; see `plots.variance_components`.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure. Nothing is shown.
        measure : str, optional
            In any spelling; by default the first.

        Raises
        ------
        OptionError
            There is no such measure.
        """
        from fuzzytruth.plots import variance_components

        name = self.measures[0] if measure is None else components_of_measure(self, measure).measure
        return variance_components(self, ax, measure=name)

    _figures: ClassVar[tuple[str, ...]] = ("variance_components",)

    def _plot_data(self, figure: str, *, measure: str | None = None) -> PlotData:
        return shares_figure(components_of_measure(self, measure or self.measures[0]), self.level)

    def coefficients(self) -> pd.DataFrame:
        """One row a measure and coefficient: measure, coefficient, value, lower, upper.

        All are of means over the queries, subjects and replicates there are, from 0 to 1:

        - relative: Eρ², σ²_system over itself and the error variance of a system's mean within
          the same queries and subjects, which may change the systems' order; where systems lack
          different values, also what those have in common, which then does not cancel;
        - absolute: Φ, likewise with all that changes the means, such as easier queries;
        - share of queries, subjects, query:subject, replicates: what part of the variance of a
          difference between two systems (twice the relative error variance) is from
          system:query, system:subject, system:query:subject (with the residual of single values)
          and whatever replicates do;
        - disagreement: of subjects, and query:subject, together.

        Shares are left out where there is one source only, and all without several systems. NaN
        where nothing varies.

        References
        ----------
        Brennan 2001, Generalizability theory, chapters 2 and 4.
        """
        import pandas as pd

        rows = [
            (one.measure, each.name, each.value, each.lower, each.upper)
            for one in self.of_measures
            for each in one.coefficients
        ]
        return pd.DataFrame(rows, columns=["measure", "coefficient", "value", "lower", "upper"])


def components_of_measure(found: VarianceComponents, measure: str | None) -> MeasureComponents:
    """The components of one measure, named in any spelling; None: of the only one.

    Raises
    ------
    OptionError
        There is no such measure, or there are several and none is named.
    """
    if measure is None and len(found.of_measures) == 1:
        return found.of_measures[0]
    if measure is None:
        raise OptionError(f"measure: name one of {shown_all(found.measures)}")
    require("measure", measure, isinstance(measure, str), "must be the name of a measure")
    name = measure
    if measure not in found.measures:
        with suppress(MeasureError):  # a name that the library does not know may be a typo
            name = str(parse_measure(measure))
    return found.of_measures[place_of(found.measures, name, "measure")]
