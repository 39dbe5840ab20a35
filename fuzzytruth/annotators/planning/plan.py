"""`plan`: how many queries and subjects a collection needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Any, ClassVar, Literal

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes
from fuzzytruth.annotators.planning import plan_components, planned_designs, vote_plans
from fuzzytruth.annotators.planning.plan_components import positive, sizes
from fuzzytruth.annotators.planning.planned_designs import Costs, Design, Estimator, Targets
from fuzzytruth.core import validation
from fuzzytruth.core.validation import between_zero_and_one, option_flag, option_number
from fuzzytruth.data.assignments import Assignments
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.errors import OptionError, choice, counted, require
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.plots.frames import PlotData, Title
from fuzzytruth.show.answer import Column, Parts, Result, Sentences, Table, printed_table
from fuzzytruth.show.number_text import level_text, numbers_format, written
from fuzzytruth.stats.settings import in_words

QUANTITIES = ("half_width", "power", "coefficient")
_MOST_QUERIES = 10_000
_MOST_ROWS = 12
_MOST_COLUMNS = 7  # beside the last, that a terminal of 80 characters shows
_POINTS = 16  # numbers of queries in a curve
_number, _range = planned_designs.number, planned_designs.range_text


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
        found = "no design"
        if best := self.best:
            found = counted(best.queries, "query")
            found += f" × {counted(best.subjects, 'subject')}" if best.subjects > 1 else ""
            found += f" × {counted(best.replicates, 'replicate')}" if best.replicates > 1 else ""
        return f"Plan({found}, the best of {counted(len(self.table), 'row')})"

    _more = ".predict(queries, subjects), .curve(), .to_frame(full=True)"

    def _title(self) -> str:
        of = "assumed variance components" if self.measure is None else f"{self.measure} of a pilot"
        return f"Plan of queries and subjects, from {of}"

    def _parts(self) -> Parts:
        """The cheapest design in words, the others, and what is assumed."""
        table, best = self.table, int(self.table["best"].to_numpy().argmax())
        most = _MOST_ROWS if len(self.asked_for) < 3 else _MOST_ROWS // 2  # in two, if narrow
        start = max(min(best - most // 2, len(table) - most), 0)
        rows = table.iloc[start : start + most]
        left_out = len(table) - len(rows)
        return [
            Sentences.of(self._verdict(), *self._reasons()),
            Table(tuple(self._columns(rows))),
            Sentences.of(
                f"Not shown: {counted(left_out, 'row')}." if left_out else "", *self._legend()
            ),
        ]

    def _verdict(self) -> str:
        """The best design, or that there is none."""
        best, aim = self.best, self._aim()
        if best is None:
            return f"{aim}: no design considered is enough."
        row = self.table[self.table["best"]].iloc[0]
        price = f" at a cost of {_number(row['cost'])}" if self.costs.any else ""
        judgments = ""
        if best.subjects > 1 or price:
            judgments = f", {_number(row['judgments'])} judgments{price}"
        others = int(self.table["queries"].notna().sum()) - 1
        end = f"; the cheapest of {others + 1} designs" if others else ""
        if not self.targets.any:
            end = f", for ±{written(float(row['half_width']), '.3g')}"
        words = counted(best.queries, "query")
        if best.subjects > 1:
            words += f" with {counted(best.subjects, 'subject')} each"
        if best.replicates > 1:
            words += f" and {counted(best.replicates, 'replicate')} of each system"
        return f"{aim}: {words}{judgments}{end}."

    def _aim(self) -> str:
        """What was asked for."""
        targets, n, parts = self.targets, self.n_comparisons, []
        what = "the difference of two systems" if n == 1 else f"each of {n:,} differences"
        what = "the mean of a system" if self.estimator.of_all else what
        held = f"{level_text(self.level)}, over {in_words(self.estimator.over)}"
        if targets.half_width is not None:
            parts.append(f"know {what} to ±{targets.half_width:g} ({held})")
        if targets.difference is not None:
            said = ([] if parts else [held]) + ([f"one of {n:,} comparisons"] if n > 1 else [])
            parts.append(
                f"find a true difference of {targets.difference:g} with power {targets.power:g}"
                + (f" ({', '.join(said)})" if said else "")
            )
        if targets.coefficient is not None:
            name = "Φ" if self.estimator.absolute else "Eρ²"
            parts.append(f"reach a coefficient {name} of {targets.coefficient:g}")
        if self.budget is not None:
            if not parts:
                return f"For a budget of {_number(self.budget)}, {what} best known ({held})"
            parts.append(f"spend {_number(self.budget)} at most")
        return "To " + " and to ".join(parts)

    def _reasons(self) -> Iterator[str]:
        """Why rows have no number of queries, and how sure the others are."""
        table = self.table
        with_status = table["status"].value_counts()
        if planned_designs.FLOOR in with_status:
            yield self._too_few(table[table["status"] == planned_designs.FLOOR])
        if planned_designs.MORE in with_status:
            yield (
                f"More than {self.queries[-1]:,} queries, the most considered, are needed in "
                f"{counted(int(with_status[planned_designs.MORE]), 'row')}."
            )
        if planned_designs.COSTLY in with_status:
            yield f"Over the budget: {counted(int(with_status[planned_designs.COSTLY]), 'row')}."
        best = table[table["best"]]
        if len(best) and best["lower"].notna().all():
            low, high = best["lower"].iloc[0], best["upper"].iloc[0]
            sure = f"{low:,} queries may be enough for as many subjects, or no number may be"
            if best["upper"].notna().all():
                least = f"between {low:,} and {high:,}" if high > low else f"{low:,}"
                sure = f"with as many subjects {least} queries are needed"
            yield f"As far as the pilot can tell, {sure}."

    def _too_few(self, short: pd.DataFrame) -> str:
        """Which numbers of subjects, or replicates, no number of queries makes up for."""
        runs = "subject" not in self.estimator.over and "replicate" in self.estimator.over
        unit = "replicate" if runs else "subject"
        most = int(short[f"{unit}s"].max())
        few = f"A single {unit} is" if most == 1 else f"{most:,} {unit}s or fewer are"
        out = f"{few} too few, whatever the number of queries"
        floor = float(short["floor"].iloc[-1])
        if self.targets.half_width is not None and floor < float("inf"):
            asked = f"{self.targets.half_width:g}"
            digits = next(n for n in range(2, 17) if n == 16 or f"{floor:.{n}g}" != asked)
            out += f" (±{floor:.{digits}g} with {counted(most, unit)} and infinitely many)"
        least = [n for n in self.least_subjects.values() if n is not None]
        return f"{out}; at least {min(least):,} are needed." if least else f"{out}."

    def _columns(self, rows: pd.DataFrame) -> Iterator[Column]:
        """Columns of the printed table."""
        half_width, priced = numbers_format(rows["half_width"]), self.costs.any
        table = printed_table(
            rows,
            {
                "subjects": ("subjects", _number, "label"),
                "replicates": ("replicates", _number) if (rows["replicates"] != 1).any() else None,
                "queries": ("queries", _number),
                ("lower", "upper"): (f"{level_text(self.level)} range", _range)
                if rows["lower"].notna().any()
                else None,
                "judgments": ("judgments", _number, "extra" if priced else "number"),
                "cost": ("cost", _number) if priced else None,
                **{
                    name: (name.replace("_", "-"), half_width if name == "half_width" else ".3f")
                    for name in self.asked_for
                },
                "best": ("", lambda best: "best" if best else ""),
            },
        )
        bold = tuple(map(bool, rows["best"]))
        return (replace(column, bold=bold) for column in table.columns)

    def _legend(self) -> Iterator[str]:
        """What the numbers are, and what they assume."""
        over, components = self.estimator.over, self.estimator.components
        if self.table["lower"].notna().any():
            yield (
                f"Brackets: queries needed at the ends of the {level_text(self.level)} interval of "
                "the pilot's variance components."
            )
        both = len(over) > 1 and not components.nested
        people = components.has_subjects and not components.nested
        drawn = "queries and subjects are" if "subject" in over else "queries are"
        every = ", and every subject judges every query" if people else ""
        normal = f"{',' if people else ' and'} scores are about normal"
        if "half_width" in self.asked_for:
            kind = "generalised pivotal" if both else "Student's"
            yield f"Half-widths are those expected of {kind} intervals."
        intervals = {"half_width", "power"} & {*self.asked_for}
        yield (
            f"Assumed: the new {drawn} drawn like those before{normal if intervals else ''}{every}."
        )
        if people and not both:
            yield "Subjects are taken as they are: nothing is said about other ones."
        if self.costs.judgments_per_query == 1 and people:
            yield "Judgments: one for each query and subject, as no number per query was given."
        if self.n_comparisons > 1 and intervals:
            narrower = (
                "; max-t, which compare uses over queries, is narrower where scores are about "
                "normal, and may be wider where a few queries stand out"
            )
            yield f"{self.n_comparisons:,} comparisons by Bonferroni{'' if both else narrower}."

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
            validation.whole_number("queries", queries, 1, validation.MOST),
            validation.whole_number("subjects", subjects, 1, validation.MOST),
            validation.whole_number("replicates", replicates, 1, validation.MOST),
        )
        if design.subjects > 1 and not self.estimator.components.has_subjects:
            raise OptionError(
                f"plan: {subjects} subjects are asked for, and nothing says how subjects differ; "
                "plan from a pilot with several, or name components of subjects"
            )
        given = None if difference is None else option_number("difference", difference)
        planner = planned_designs.Planner(
            self.estimator, self.targets, self.costs, self.budget, self.queries, self.level
        )
        return planner.predicted(design, given)

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
        people: Sequence[int] = self.table["subjects"].unique().tolist()
        if subjects is not None:
            people = sizes("subjects", subjects)
        numbers = self._points() if queries is None else sizes("queries", queries)
        rows = []
        for design in product(self.table["replicates"].unique().tolist(), people, numbers):
            one = dict(zip(("queries", "subjects", "replicates"), reversed(design), strict=True))
            rows.append(one | self.predict(**one))
            if full:
                rows[-1] |= self._ends(Design(**one))
        return pd.DataFrame(rows)

    def _points(self) -> list[int]:
        """Numbers of queries about evenly spaced by their logarithm."""
        needed, first, most = self.table["queries"].dropna(), self.queries[0], self.queries[-1]
        if len(needed):
            most = 2 * min(int(needed.max()), most)
        spaced = np.geomspace(max(2, first), max(most, max(2, first) + 1), _POINTS)
        return sorted({round(float(n)) for n in spaced})

    def _ends(self, design: Design) -> dict[str, float]:
        """Half-width, power and coefficient at the ends of the components' interval.

        NaN where components were assumed, or the quantity is unknown.
        """
        out = {f"{name}_{end}": float("nan") for name in QUANTITIES for end in ("lower", "upper")}
        estimator, difference = self.estimator, self.targets.difference
        if estimator.components.draws is None:
            return out
        errors = estimator.errors(design)
        for end, other, side in (("lower", "upper", -1), ("upper", "lower", 1)):
            ratio = estimator.ratio(design, side, self.level) ** 0.5
            out[f"half_width_{end}"] = errors.half_width * ratio
            if difference is not None:
                out[f"power_{other}"] = errors.power(difference / ratio if ratio > 0 else np.inf)
            if estimator.knows_systems:
                out[f"coefficient_{end}"] = estimator.coefficient_limit(design, side, self.level)
        return out

    def plot(
        self,
        ax: Axes | None = None,
        *,
        quantity: str | None = None,
        subjects: Iterable[int] | int | None = None,
        title: Title = True,
    ) -> Axes:
        """Draw what designs would give against their number of queries; see `plots.planning`.

        Parameters
        ----------
        ax, title
            As in `plots.planning`.
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
        targets = self.targets
        asked = {"power": targets.power} | {q: getattr(targets, q) for q in QUANTITIES}
        return planning(
            self, ax, quantity=chosen, subjects=shown, target=asked[chosen], title=title
        )

    _figures: ClassVar[tuple[str, ...]] = ("planning",)

    def _plot_data(
        self, figure: str, *, quantity: str = "half_width", subjects: Iterable[int] | None = None
    ) -> PlotData:
        """The curves of one quantity with their bands, and the chosen design and its value."""
        curve, best = self.curve(subjects=subjects, full=True), self.best
        names = {quantity: "value", f"{quantity}_lower": "lower", f"{quantity}_upper": "upper"}
        columns = ["queries", "subjects", "replicates", "value"]
        if not (curve["replicates"] != 1).any():
            columns.remove("replicates")
        frame, beside = curve.rename(columns=names), None
        if best is not None:
            at = self.predict(best.queries, best.subjects, best.replicates)[quantity]
            beside = pd.DataFrame([asdict(best) | {"value": at}])[columns]
        return PlotData(frame[[*columns, "lower", "upper"]], self._heading(quantity), beside)

    def _heading(self, quantity: str) -> str:
        """What is drawn, of what, and over what."""
        of = "the mean of one system" if self.estimator.of_all else "the difference of two systems"
        what = {
            "half_width": f"half-width of {level_text(self.level)} intervals of {of}",
            "power": f"power to find a difference of {self.targets.difference or 0:g}",
            "coefficient": "generalizability coefficient",
        }[quantity]
        measure = "" if self.measure is None else f"{self.measure}: "
        family = "" if self.n_comparisons == 1 else f", {counted(self.n_comparisons, 'comparison')}"
        band = "Planned from assumed variance components"
        if self.pilot:
            band = (
                f"Band: {level_text(self.level)} interval of the variance components of the pilot "
                f"({self.pilot})"
            )
        return f"{measure}{what}, over {in_words(self.estimator.over)}{family}\n{band}"


Sizes = Iterable[int] | int


def plan(
    pilot: Scores | Judgments | Assignments | None = None,
    *,
    components: Any = None,
    half_width: float | None = None,
    difference: float | None = None,
    power: float = 0.8,
    coefficient: float | None = None,
    absolute: bool = False,
    of: Literal["difference", "mean"] = "difference",
    measure: str | None = None,
    systems: Iterable[str] | None = None,
    n_systems: int | None = None,
    family: str | int | None = None,
    queries: Sizes = range(2, _MOST_QUERIES + 1),
    subjects: Sizes | None = None,
    replicates: Sizes | None = None,
    over: Iterable[str] | str | None = None,
    level: float = 0.95,
    cost_per_judgment: float | None = None,
    judgments_per_query: float = 1.0,
    cost_per_subject: float | None = None,
    cost_per_query: float | None = None,
    budget: float | None = None,
    replicate_of: Mapping[str, str] | None = None,
    consensus: float | None = None,
    accuracy: float | None = None,
    rho: float = 0.0,
) -> Plan | vote_plans.ConsensusPlan | vote_plans.AgreementPlan:
    """How many queries and subjects a collection needs; or votes an item, or people a panel.

    For each number of subjects, the least number of queries that meets the targets; of several
    targets it meets all.

    Parameters
    ----------
    pilot : Scores, optional
        Scores of a first, small collection, with or without subjects. Or votes (Judgments or
        Assignments) of named people: then `half_width` is that of their agreement (alpha; of more
        than two grades ordinal, of more than 20 numbers interval, of sets of categories by MASI),
        and the result says how many items and people it takes.
    components : VarianceComponents or mapping of component to variance, optional
        Instead of a pilot: those of `variance_components`, or assumed ones, such as
        ``{"system:query": 0.02, "system:subject": 0.001, "residual": 0.05}``. Without a component
        of subjects, and without `subjects`, the residual is that of whole queries.
    half_width : float, optional
        Target: the largest expected half-width of an interval of `level`, in units of the measure.
        Of votes alone: of their agreement; by default half of what it is now, over the pilot's
        items and people, or items alone where it is not known how people differ.
    difference : float, optional
        Target: this true difference is significant with the chance `power`.
    power : float
        Chance with which `difference` is to be significant, at least.
    coefficient : float, optional
        Target: the least generalizability coefficient, from 0 to 1: Eρ², or Φ if `absolute`.
    absolute : bool
        The coefficient is Φ, not the relative Eρ².
    of : {"difference", "mean"}
        What is estimated: the difference of two systems, or the mean of one.
    measure : str, optional
        Of the pilot, in any spelling; may be left out where there is one.
    systems : sequence of str, optional
        Plan from these systems of the pilot alone, such as the two that matter.
    n_systems : int, optional
        How many systems will be compared; by default as many as in the pilot, else two.
    family : {"all pairs", "baseline", "one"} or int, optional
        Whose intervals hold together; a number is a number of comparisons. By default all pairs,
        and one for means.
    queries, subjects : int or sequence of int
        Numbers to choose from. Subjects are those of each query, by default up to 10 and as many as
        in the pilot, and more where these are too few.
    replicates : int or sequence of int
        Numbers of runs, or seeds, of each system to choose from; by default 1, or as many as in a
        pilot whose systems have several.
    over : {"query", "subject", "replicate"} or several, optional
        What is random; by default queries, with subjects where there are any, and with the runs of
        systems where these are told apart. Over queries alone, statements are about these subjects
        and runs.
    level : float
        Of the intervals.
    cost_per_judgment : float, optional
        Price of a judgment. Without any price, designs are compared by their numbers of judgments.
    judgments_per_query : float
        Judgments that each subject gives for a query, such as the depth of the pool.
    cost_per_subject : float, optional
        Price of a subject, however much they judge.
    cost_per_query : float, optional
        Price of a query, whoever judges it.
    budget : float, optional
        Leave out designs that cost more; without a target, the most queries that it pays for, and
        what they give.
    replicate_of : mapping of system to name, optional
        Systems of the pilot that are runs or seeds of one system; see `variance_components`.
    consensus : float, optional
        Target, without a pilot: the probability that the majority of an item's votes is right.
    accuracy, rho : float
        Of `consensus`: the probability that a vote is right, and the correlation of two people's
        being right on one item (0: independent).

    Returns
    -------
    Plan, ConsensusPlan or AgreementPlan

    Raises
    ------
    OptionError
        There is no target and no budget; or a pilot and components, or neither; or an option is out
        of its range, or does not go with the components.
    DataError
        The pilot cannot tell how its systems differ.

    Warns
    -----
    DegenerateWarning
        All variances that an error consists of are 0, so that any collection will do.

    Notes
    -----
    The variance of a difference, with Q queries, S subjects each and R replicates, is 2 (σ²_tq/Q +
    σ²_ts/S + σ²_tqs/(QS) + σ²_r/R + σ²_rq/(QR) + σ²_rs/(SR) + σ²_rqs/(QSR)), where t are systems.
    `half_width` is what `compare` and `Scores.summary` are expected to report with the same `over`
    (which is queries alone by default in `compare`), with scores that are normal and complete: over
    queries Student's interval, over queries and subjects the generalised pivotal one, which is
    several times as wide with few subjects; infinite with a single one. A family is corrected by
    Bonferroni, as `compare` does over queries and subjects; its max-t over queries gives intervals
    that are narrower for normal scores, and may be wider where a few queries stand out (by a
    seventh for the 28 pairs of `load_clef_tar2017`). Over replicates, intervals are those of
    `compare` whose variances of runs are moderated in a study of three systems or more: 2 runs make
    them some 7 times as wide as a known variance would, 3 twice, 5 a third wider.

    `lower` and `upper` are the queries needed if the variance of the estimate, or the difference of
    variances that a coefficient needs, is at either end of its interval of `level`, as the pilot
    gives it (generalised pivotal quantities, as in `variance_components`).

    References
    ----------
    Brennan 2001, Generalizability theory; Urbano, Marrero & Martín 2013, On the measurement of test
    collection reliability; Sakai 2016, Topic set size design, Information Retrieval Journal 19;
    Weerahandi 1993, Generalized confidence intervals.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> assumed = {"system:query": 0.01, "system:subject": 0.0002, "residual": 0.02}
    >>> found = ft.plan(components=assumed, half_width=0.05, subjects=[3, 5, 10])
    >>> found.to_frame()
       subjects  queries  judgments  half_width   best
    0         3      513       1539    0.049997  False
    1         5       73        365    0.049921   True
    2        10       45        450    0.049720  False
    """
    if consensus is not None or accuracy is not None:
        rule = "is without a pilot and components"
        require("consensus", consensus, pilot is None and components is None, rule)
        return vote_plans.consensus_plan(consensus, accuracy, rho)
    if isinstance(pilot, (Judgments, Assignments)):
        return vote_plans.agreement_plan(pilot, half_width, between_zero_and_one("level", level))
    choice("of", of, ("difference", "mean"))
    choice("absolute", absolute, (True, False))
    chance = between_zero_and_one("power", power)
    targets = Targets(
        None if half_width is None else positive("half_width", half_width),
        None if difference is None else positive("difference", difference),
        None if difference is None else chance,
        None if coefficient is None else between_zero_and_one("coefficient", coefficient),
    )
    costs = Costs(
        plan_components.price("cost_per_judgment", cost_per_judgment),
        plan_components.price("cost_per_subject", cost_per_subject),
        plan_components.price("cost_per_query", cost_per_query),
        positive("judgments_per_query", judgments_per_query),
    )
    money = None if budget is None else positive("budget", budget)
    level = between_zero_and_one("level", level)
    targets.check(money, of)
    asked = None if over is None else plan_components.axes_of(over)
    known = pilot, components, measure, systems, replicate_of, asked
    of_all, people = of == "mean", subjects is not None
    found = plan_components.pilot_of(*known, subjects=people, of_all=of_all)
    axes = asked or found.axes
    count = (
        found.n_systems
        if n_systems is None
        else validation.whole_number("n_systems", n_systems, 2, validation.MOST)
    )
    tests = plan_components.comparisons(family, count, of_all=of_all)
    family_of = count if tests > 1 else None
    estimator = Estimator(found, of_all, axes, (1 - level) / tests, bool(absolute), family_of)
    starts: Sequence[Design] = [
        Design(1, n, r)
        for r in sizes("replicates", replicates or found.n_runs)
        for n in plan_components.numbers_of_subjects(subjects, found, axes)
    ]
    planner = planned_designs.Planner(
        estimator, targets, costs, money, sizes("queries", queries), level
    )
    planner.check(starts)
    table = planner.table(planner.with_enough(starts) if subjects is None else starts)
    short = map(int, table.loc[table["status"] == planned_designs.FLOOR, "replicates"].unique())
    return Plan(
        table,
        found.measure,
        targets,
        estimator,
        costs,
        money,
        level,
        tests,
        count,
        dict(zip(found.names, found.value.tolist(), strict=True)),
        {r: planner.least_subjects(r) for r in short},
        planner.queries,
        found.sizes,
    )
