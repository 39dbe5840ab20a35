"""The result of `plan`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth.annotators.planning.plan_options import sizes
from fuzzytruth.annotators.planning.plan_search import COSTLY, FLOOR, MORE
from fuzzytruth.annotators.planning.planned_designs import Costs, Design, Estimator, Targets
from fuzzytruth.core.validation import MOST, option_flag, option_number, whole_number
from fuzzytruth.errors import OptionError, choice, counted
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show.answer import Column, Printed, Result, Sentences, Table
from fuzzytruth.show.number_text import level_text, numbers_format, written
from fuzzytruth.stats.axes import in_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# What is printed of a plan: the cheapest design in words, the others, and what is assumed.


_MOST_ROWS = 12


def plan_answer(result: Plan) -> Printed:
    """What `print` shows."""
    of = "assumed variance components" if result.measure is None else result.measure
    table, left_out = _table(result)
    return Printed.of(
        f"Plan of queries and subjects, from {of}"
        + ("" if result.measure is None else " of a pilot"),
        Sentences.of(_verdict(result), *_reasons(result)),
        table,
        Sentences.of(*_legend(result, left_out)),
        Sentences.of("More: .predict(queries, subjects), .curve(), .to_frame(full=True)"),
    )


def _verdict(result: Plan) -> str:
    """The best design, or that there is none."""
    best = result.best
    if best is None:
        return f"{_aim(result)}: no design considered is enough."
    row = result.table[result.table["best"]].iloc[0]
    price = f" at a cost of {_number(row['cost'])}" if result.costs.any else ""
    judgments = (
        f", {_number(row['judgments'])} judgments{price}" if best.subjects > 1 or price else ""
    )
    if not result.targets.any:
        half = written(float(row["half_width"]), ".3g")
        return f"{_aim(result)}: {design_in_words(best)}{judgments}, for ±{half}."
    others = int(result.table["queries"].notna().sum()) - 1
    cheapest = f"; the cheapest of {others + 1} designs" if others else ""
    return f"{_aim(result)}: {design_in_words(best)}{judgments}{cheapest}."


def _aim(result: Plan) -> str:
    """What was asked for."""
    targets, parts = result.targets, []
    what = "the mean of a system" if result.estimator.of_all else _differences(result)
    held = f"{level_text(result.level)}, over {in_words(result.estimator.over)}"
    if targets.half_width is not None:
        parts.append(f"know {what} to ±{targets.half_width:g} ({held})")
    if targets.difference is not None:
        n = result.n_comparisons
        said = ([] if parts else [held]) + ([f"one of {n:,} comparisons"] if n > 1 else [])
        parts.append(
            f"find a true difference of {targets.difference:g} with power {targets.power:g}"
            + (f" ({', '.join(said)})" if said else "")
        )
    if targets.coefficient is not None:
        name = "Φ" if result.estimator.absolute else "Eρ²"
        parts.append(f"reach a coefficient {name} of {targets.coefficient:g}")
    if result.budget is not None:
        if not parts:
            return f"For a budget of {_number(result.budget)}, {what} best known ({held})"
        parts.append(f"spend {_number(result.budget)} at most")
    return "To " + " and to ".join(parts)


def _differences(result: Plan) -> str:
    n = result.n_comparisons
    return "the difference of two systems" if n == 1 else f"each of {n:,} differences"


def design_in_words(design: Design) -> str:
    """A design as "120 queries with 5 subjects each"."""
    out = counted(design.queries, "query")
    if design.subjects > 1:
        out += f" with {counted(design.subjects, 'subject')} each"
    if design.replicates > 1:
        out += f" and {counted(design.replicates, 'replicate')} of each system"
    return out


def _reasons(result: Plan) -> Iterable[str]:
    """Why rows have no number of queries, and how sure the others are."""
    table = result.table
    short = table[table["status"] == FLOOR]
    if len(short):
        yield _too_few(result, short)
    if (table["status"] == MORE).any():
        yield (
            f"More than {result.queries[-1]:,} queries, the most considered, are needed in "
            f"{counted(int((table['status'] == MORE).sum()), 'row')}."
        )
    if (table["status"] == COSTLY).any():
        yield f"Over the budget: {counted(int((table['status'] == COSTLY).sum()), 'row')}."
    best = table[table["best"]]
    if len(best) and best["lower"].notna().all():
        low, high = best["lower"].iloc[0], best["upper"].iloc[0]
        sure = f"{low:,} queries may be enough for as many subjects, or no number may be"
        if best["upper"].notna().all():
            least = f"between {low:,} and {high:,}" if high > low else f"{low:,}"
            sure = f"with as many subjects {least} queries are needed"
        yield f"As far as the pilot can tell, {sure}."


def _too_few(result: Plan, short: pd.DataFrame) -> str:
    """Which numbers of subjects no number of queries makes up for."""
    most = int(short["subjects"].max())
    few = "A single subject is" if most == 1 else f"{most:,} subjects or fewer are"
    out = f"{few} too few, whatever the number of queries"
    floor = float(short["floor"].iloc[-1])
    if result.targets.half_width is not None and floor < float("inf"):
        asked = f"{result.targets.half_width:g}"
        digits = next(n for n in range(2, 17) if n == 16 or f"{floor:.{n}g}" != asked)
        out += f" (±{floor:.{digits}g} with {counted(most, 'subject')} and infinitely many)"
    least = [n for n in result.least_subjects.values() if n is not None]
    return f"{out}; at least {min(least):,} are needed." if least else f"{out}."


def _table(result: Plan) -> tuple[Table, int]:
    every = result.table
    best = int(every["best"].to_numpy().argmax())
    most = _MOST_ROWS if len(result.asked_for) < 3 else _MOST_ROWS // 2  # in two tables, if narrow
    start = max(min(best - most // 2, len(every) - most), 0)
    rows = every.iloc[start : start + most]
    columns = [Column("subjects", _whole(rows["subjects"]), "label")]
    if (rows["replicates"] != 1).any():
        columns.append(Column("replicates", _whole(rows["replicates"])))
    columns.append(Column("queries", _whole(rows["queries"])))
    if rows["lower"].notna().any():
        pairs = zip(_whole(rows["lower"]), _whole(rows["upper"], "∞"), strict=True)
        ends = [f"[{low}, {high}]" if low != "–" else "–" for low, high in pairs]
        columns.append(Column(f"{level_text(result.level)} range", tuple(ends)))
    kind = "extra" if result.costs.any else "number"
    columns.append(Column("judgments", _whole(rows["judgments"]), kind))
    if result.costs.any:
        columns.append(Column("cost", _whole(rows["cost"])))
    for name in result.asked_for:
        style = numbers_format(rows[name]) if name == "half_width" else ".3f"
        cells = tuple(written(float(one), style) for one in rows[name])
        columns.append(Column(name.replace("_", "-"), cells))
    marks = tuple("best" if one else "" for one in rows["best"])
    columns.append(Column("", marks))
    bold = tuple(bool(one) for one in rows["best"])
    shown = tuple(Column(c.heading, c.cells, c.kind, bold) for c in columns)
    return Table(shown), len(every) - len(rows)


def _legend(result: Plan, left_out: int) -> Iterable[str]:
    """What the numbers are, and what they assume."""
    if left_out:
        yield f"Not shown: {counted(left_out, 'row')}."
    if result.table["lower"].notna().any():
        yield (
            f"Brackets: queries needed at the ends of the {level_text(result.level)} interval of "
            "the pilot's variance components."
        )
    both = len(result.estimator.over) > 1 and not result.estimator.components.nested
    kind = "generalised pivotal" if both else "Student's"
    people = result.estimator.components.has_subjects and not result.estimator.components.nested
    drawn = "queries and subjects are" if "subject" in result.estimator.over else "queries are"
    every = ", and every subject judges every query" if people else ""
    normal = ", scores are about normal" if people else " and scores are about normal"
    if "half_width" in result.asked_for:
        yield f"Half-widths are those expected of {kind} intervals."
    intervals = {"half_width", "power"} & {*result.asked_for}
    yield f"Assumed: the new {drawn} drawn like those before{normal if intervals else ''}{every}."
    if people and not both:
        yield "Subjects are taken as they are: nothing is said about other ones."
    if result.costs.judgments_per_query == 1 and people:
        yield "Judgments: one for each query and subject, as no number per query was given."
    if result.n_comparisons > 1 and intervals:
        yield (
            f"{result.n_comparisons:,} comparisons by Bonferroni"
            + (
                "."
                if both
                else "; max-t, which compare uses over queries, is narrower where scores are "
                "about normal, and may be wider where a few queries stand out."
            )
        )


def _whole(values: Iterable[float], unknown: str = "–") -> tuple[str, ...]:
    return tuple(unknown if one != one else _number(one) for one in _floats(values))


def _floats(values: Iterable[float]) -> list[float]:
    return [float("nan") if pd.isna(one) else float(one) for one in values]


def _number(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() or abs(value) >= 100 else f"{value:,.2f}"


# What many designs would give, with the uncertainty that the pilot leaves.


_POINTS = 16  # numbers of queries in a curve
QUANTITIES = ("half_width", "power", "coefficient")


def points(queries: Sequence[int], needed: pd.Series[Any]) -> list[int]:
    """Numbers of queries about evenly spaced by their logarithm."""
    most = min(2 * int(needed.max()), 2 * queries[-1]) if len(needed) else queries[-1]
    first = max(2, queries[0])
    spaced = np.geomspace(first, max(most, first + 1), _POINTS)
    return sorted({round(float(n)) for n in spaced})


def ends(
    estimator: Estimator, design: Design, difference: float | None, level: float
) -> dict[str, float]:
    """Ends of half-width, power and coefficient at the ends of the components' interval.

    NaN where components were assumed, or the quantity is unknown.
    """
    out = {f"{name}_{end}": float("nan") for name in QUANTITIES for end in ("lower", "upper")}
    if estimator.components.draws is None:
        return out
    errors = estimator.errors(design)
    for end, side in (("lower", -1), ("upper", 1)):
        ratio = estimator.ratio(design, side, level) ** 0.5
        out[f"half_width_{end}"] = errors.half_width * ratio
        if difference is not None:
            other = "upper" if end == "lower" else "lower"
            out[f"power_{other}"] = errors.power(difference / ratio if ratio > 0 else np.inf)
        if estimator.knows_systems:
            out[f"coefficient_{end}"] = estimator.coefficient_limit(design, side, level)
    return out


def planning_figure(
    curve: pd.DataFrame, quantity: str, best: Design | None, at: float, title: str
) -> PlotData:
    """The curves of one quantity with their bands, and the chosen design and its value."""
    names = {quantity: "value", f"{quantity}_lower": "lower", f"{quantity}_upper": "upper"}
    several = bool((curve["replicates"] != 1).any())
    columns = ["queries", "subjects", *(["replicates"] if several else []), "value"]
    frame = curve.rename(columns=names)[[*columns, "lower", "upper"]]
    beside = None
    if best is not None:
        row = {"queries": best.queries, "subjects": best.subjects, "value": at}
        row |= {"replicates": best.replicates} if several else {}
        beside = frame.iloc[:1][columns].assign(**row)
    return PlotData(frame, title, beside)


def planning_title(plan: Plan, quantity: str) -> str:
    """What is drawn, of what, and over what."""
    of = "the mean of one system" if plan.estimator.of_all else "the difference of two systems"
    what = {
        "half_width": f"half-width of {level_text(plan.level)} intervals of {of}",
        "power": f"power to find a difference of {plan.targets.difference or 0:g}",
        "coefficient": "generalizability coefficient",
    }[quantity]
    measure = "" if plan.measure is None else f"{plan.measure}: "
    family = "" if plan.n_comparisons == 1 else f", {counted(plan.n_comparisons, 'comparison')}"
    band = "Planned from assumed variance components"
    if plan.pilot:
        band = (
            f"Band: {level_text(plan.level)} interval of the variance components of the pilot "
            f"({plan.pilot})"
        )
    return f"{measure}{what}, over {in_words(plan.estimator.over)}{family}\n{band}"


def target_of(targets: Targets, quantity: str) -> float | None:
    """What was asked for of a quantity."""
    wanted = {
        "half_width": targets.half_width,
        "power": targets.power if targets.difference is not None else None,
        "coefficient": targets.coefficient,
    }
    return wanted[quantity]


_MOST_COLUMNS = 7  # beside the last, that a terminal of 80 characters shows


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Plan(Result):
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
