"""What is printed of a plan: the cheapest design in words, the others, and what is assumed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from fuzzytruth.annotators.planning.plan_search import COSTLY, FLOOR, MORE
from fuzzytruth.annotators.planning.planned_designs import Costs, Design, Estimator, Targets
from fuzzytruth.errors import counted
from fuzzytruth.io.answer import Column, Printed, Sentences, Table
from fuzzytruth.io.number_text import level_text, numbers_format, written
from fuzzytruth.stats.axes import in_words

if TYPE_CHECKING:
    import pandas as pd

_MOST_ROWS = 12


class Planned(Protocol):
    """A `Plan`, as far as it is printed."""

    @property
    def table(self) -> pd.DataFrame:
        """All rows."""
        ...

    @property
    def measure(self) -> str | None:
        """Of the pilot."""
        ...

    @property
    def pilot(self) -> str:
        """Its size."""
        ...

    @property
    def targets(self) -> Targets:
        """What was asked for."""
        ...

    @property
    def estimator(self) -> Estimator:
        """What is estimated."""
        ...

    @property
    def costs(self) -> Costs:
        """Prices."""
        ...

    @property
    def budget(self) -> float | None:
        """The most that a design may cost."""
        ...

    @property
    def level(self) -> float:
        """Of intervals."""
        ...

    @property
    def n_comparisons(self) -> int:
        """Intervals that hold together."""
        ...

    @property
    def least_subjects(self) -> dict[int, int | None]:
        """Subjects that are needed at least."""
        ...

    @property
    def queries(self) -> Sequence[int]:
        """Numbers that were considered."""
        ...

    @property
    def asked_for(self) -> list[str]:
        """Columns of what was asked for."""
        ...

    @property
    def best(self) -> Design | None:
        """The cheapest design."""
        ...


def plan_answer(result: Planned) -> Printed:
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


def _verdict(result: Planned) -> str:
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


def _aim(result: Planned) -> str:
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


def _differences(result: Planned) -> str:
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


def _reasons(result: Planned) -> Iterable[str]:
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


def _too_few(result: Planned, short: pd.DataFrame) -> str:
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


def _table(result: Planned) -> tuple[Table, int]:
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


def _legend(result: Planned, left_out: int) -> Iterable[str]:
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
    import pandas as pd

    return [float("nan") if pd.isna(one) else float(one) for one in values]


def _number(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() or abs(value) >= 100 else f"{value:,.2f}"
