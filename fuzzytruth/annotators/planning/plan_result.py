"""The result of `plan`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fuzzytruth.annotators.planning.plan_curve import (
    QUANTITIES,
    ends,
    planning_figure,
    planning_title,
    points,
    target_of,
)
from fuzzytruth.annotators.planning.plan_options import sizes
from fuzzytruth.annotators.planning.planned_designs import Costs, Design, Estimator, Targets
from fuzzytruth.core.validation import MOST, option_flag, option_number, whole_number
from fuzzytruth.errors import OptionError, choice, counted
from fuzzytruth.io.answer import Answer, Printed

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from fuzzytruth.plots.frames import PlotData

_MOST_COLUMNS = 7  # beside the last, that a terminal of 80 characters shows


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Plan(Answer):
    """How many queries and subjects a collection needs.

    Parameters
    ----------
    table : DataFrame
        What `to_frame` shows.
    measure : str or None
        Of the pilot; None where components were assumed.
    targets : Targets
    estimator : Estimator
        What is estimated from which components.
    costs : Costs
    budget : float or None
    level : float
    n_comparisons : int
        Intervals that hold together.
    systems : int or None
        Number of systems; None where it was not said.
    components : dict of str to float
        The variances that the plan is made from.
    least_subjects : dict of int to int or None
        For each number of replicates, the least subjects with which some number of queries is
        enough.
    queries : sequence of int
        Numbers of queries that were considered.
    pilot : str
        Numbers of the pilot's systems, queries and subjects; "" where components were assumed.
    """

    table: pd.DataFrame
    measure: str | None
    targets: Targets
    estimator: Estimator
    costs: Costs
    budget: float | None
    level: float
    n_comparisons: int
    systems: int | None
    components: dict[str, float]
    least_subjects: dict[int, int | None]
    queries: Sequence[int]
    pilot: str

    def __repr__(self) -> str:
        best = self.best
        found = "no design" if best is None else _in_words(best)
        return f"Plan({found}, the best of {counted(len(self.table), 'row')})"

    def _answer(self) -> Printed:
        from fuzzytruth.annotators.planning.plan_answer import plan_answer

        return plan_answer(self)

    @property
    def best(self) -> Design | None:
        """The cheapest design that meets the targets; None where none does.

        With a budget and no target, the one with the smallest half-width.
        """
        chosen = self.table[self.table["best"]]
        if not len(chosen):
            return None
        row = chosen.iloc[0]
        return Design(int(row["queries"]), int(row["subjects"]), int(row["replicates"]))

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row a number of subjects and replicates, with the least queries that are enough.

        Columns: subjects (per query), replicates if several were asked for, queries, lower and
        upper (queries at the ends of the components' intervals; missing where no number is enough),
        judgments, or cost if anything has a price, what was asked for of half_width, power and
        coefficient, and best. Where no number of queries is enough they are missing, and status
        says why. With ``full=True`` all columns, which more targets than one may leave no room for
        otherwise: also std_error of the
        estimate, floor (the half-width with infinitely many queries), and status: "met", "too few
        subjects" (whatever the number of queries), "too few queries" (more than were considered
        are needed), "over budget", "within budget" (with a budget and no target).
        """
        if option_flag("full", full):
            return self.table.copy()
        several = bool((self.table["replicates"] != 1).any())
        wanted = ["subjects", *(["replicates"] if several else []), "queries"]
        ends = ["lower", "upper"] if self.table["lower"].notna().any() else []
        after = ["cost"] if self.costs.any else ["judgments"]
        after += self.asked_for
        after += [] if self.table["best"].any() else ["status"]
        if len(wanted) + len(ends) + len(after) > _MOST_COLUMNS:
            ends = []
        return self.table[[*wanted, *ends, *after, "best"]].copy()

    @property
    def asked_for(self) -> list[str]:
        """Columns of what was asked for; with a budget alone, the half-width."""
        asked = {
            "half_width": self.targets.half_width,
            "power": self.targets.difference,
            "coefficient": self.targets.coefficient,
        }
        return [name for name, value in asked.items() if value is not None] or ["half_width"]

    def predict(
        self,
        queries: int,
        subjects: int = 1,
        replicates: int = 1,
        *,
        difference: float | None = None,
    ) -> dict[str, float]:
        """What one design would give.

        Parameters
        ----------
        queries, subjects, replicates : int
            Subjects are those of each query.
        difference : float, optional
            A true difference, for the power; by default that of the plan.

        Returns
        -------
        dict
            half_width (expected; infinite for a single query, or subject where subjects are
            random), std_error, power (NaN without a difference), coefficient (NaN where the
            components do not say how systems differ), judgments, cost (without any price, the
            judgments).
        """
        design = Design(
            whole_number("queries", queries, 1, MOST),
            whole_number("subjects", subjects, 1, MOST),
            whole_number("replicates", replicates, 1, MOST),
        )
        if design.subjects > 1 and not self.estimator.components.has_subjects:
            raise OptionError(
                f"plan: {subjects} subjects are asked for, and nothing says how subjects differ; "
                "plan from a pilot with several, or name components of subjects"
            )
        given = None if difference is None else option_number("difference", difference)
        return predicted(
            self.estimator, self.costs, design, self.targets.difference if given is None else given
        )

    def curve(
        self,
        queries: Iterable[int] | int | None = None,
        subjects: Iterable[int] | int | None = None,
        *,
        full: bool = False,
    ) -> pd.DataFrame:
        """What many designs would give, for a figure.

        Parameters
        ----------
        queries, subjects : int or sequence of int, optional
            By default numbers of queries up to twice the most that any row of the plan needs, and
            its numbers of subjects.
        full : bool
            Also half_width_lower, half_width_upper and so on: what they are with the variance of
            the estimate at either end of its interval of the plan's level, as the pilot gives it.
            NaN where components were assumed.

        Returns
        -------
        DataFrame
            One row a design: queries, subjects, replicates, half_width, std_error, power,
            coefficient, judgments, cost; see `predict`.
        """
        import pandas as pd

        option_flag("full", full)
        rows = []
        people = (
            self.table["subjects"].unique() if subjects is None else sizes("subjects", subjects)
        )
        needed = self.table["queries"].dropna()
        numbers = points(self.queries, needed) if queries is None else sizes("queries", queries)
        for replicates in self.table["replicates"].unique().tolist():
            for n_subjects in map(int, people):
                for n in numbers:
                    design = {"queries": n, "subjects": n_subjects, "replicates": replicates}
                    row = design | self.predict(**design)
                    rows.append(row | self._ends(design) if full else row)
        return pd.DataFrame(rows)

    def _ends(self, design: dict[str, int]) -> dict[str, float]:
        return ends(self.estimator, Design(**design), self.targets.difference, self.level)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        quantity: str | None = None,
        subjects: Iterable[int] | int | None = None,
    ) -> Axes:
        """Draw what designs would give against their number of queries; see `plots.planning`.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure. Nothing is shown.
        quantity : {"half_width", "power", "coefficient"}, optional
            By default the first that was asked for.
        subjects : int or sequence of int, optional
            Numbers of subjects that have a curve; by default up to six of those of the plan.

        Raises
        ------
        OptionError
            The quantity is none of these, or is not known without a `difference` or systems.
        """
        from fuzzytruth.plots import planning

        chosen = self.asked_for[0] if quantity is None else quantity
        choice("quantity", chosen, QUANTITIES)
        shown = None if subjects is None else sizes("subjects", subjects)
        return planning(
            self, ax, quantity=chosen, subjects=shown, target=target_of(self.targets, chosen)
        )

    _figures: ClassVar[tuple[str, ...]] = ("planning",)

    def _plot_data(
        self, figure: str, *, quantity: str = "half_width", subjects: Iterable[int] | None = None
    ) -> PlotData:
        best = self.best
        at = float("nan")
        if best is not None:
            at = self.predict(best.queries, best.subjects, best.replicates)[quantity]
        curve = self.curve(subjects=subjects, full=True)
        return planning_figure(curve, quantity, best, at, planning_title(self, quantity))


def predicted(
    estimator: Estimator, costs: Costs, design: Design, difference: float | None
) -> dict[str, Any]:
    """What a design would give, by name."""
    errors = estimator.errors(design)
    return {
        "half_width": errors.half_width,
        "std_error": float(np.sqrt(errors.variance)),
        "power": float("nan") if difference is None else errors.power(difference),
        "coefficient": estimator.coefficient(design) if estimator.knows_systems else float("nan"),
        "judgments": costs.judgments(design),
        "cost": costs.of(design, nested=estimator.components.nested),
    }


def _in_words(design: Design) -> str:
    """A design as in "20 queries × 3 subjects"."""
    out = counted(design.queries, "query")
    if design.subjects > 1:
        out += f" × {counted(design.subjects, 'subject')}"
    return out + (f" × {counted(design.replicates, 'replicate')}" if design.replicates > 1 else "")
