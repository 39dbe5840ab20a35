"""What is printed of the agreement of judges with people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from fuzzytruth.errors import counted, first_few
from fuzzytruth.io.answer import Column, Printed, Sentences, Table, first_rows
from fuzzytruth.io.number_text import (
    interval_text,
    level_text,
    number_text,
    numbers_format,
    with_interval,
    written,
)

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS, WITH_ORDERS = 12, 5
NAMES = {"agreement": "agreement", "kappa": "kappa", "weighted_kappa": "weighted kappa"}


class Judged(Protocol):
    """A `JudgeAgreement`, as far as it is printed."""

    @property
    def judges(self) -> pd.DataFrame:
        """One row a judge."""
        ...

    @property
    def orders(self) -> pd.DataFrame | None:
        """One row a judge and measure."""
        ...

    @property
    def people(self) -> dict[str, float] | None:
        """Of people with each other."""
        ...

    @property
    def by(self) -> str:
        """What judges are compared by."""
        ...

    @property
    def level(self) -> float:
        """Of intervals."""
        ...

    @property
    def constant(self) -> str:
        """The most frequent value."""
        ...

    @property
    def over(self) -> str:
        """Queries or items."""
        ...

    @property
    def n_clusters(self) -> int:
        """How many."""
        ...

    @property
    def n_compared(self) -> int | None:
        """Units that all judges judged, if there are others."""
        ...

    @property
    def comparison(self) -> Any:
        """Of the judges."""
        ...


def judge_answer(result: Judged) -> Printed:
    """What `print` shows: the best judges, one row a judge, then the orders of systems."""
    rows = result.judges.sort_values(result.by, ascending=False, kind="stable")
    return Printed.of(
        f"{counted(len(rows), 'model judge')} beside people: agreement over {result.n_clusters:,} "
        f"{result.over}",
        _verdict(result, rows),
        _table(result, rows),
        _orders(result, rows),
        _legend(result),
        Sentences.of(
            "More: .to_frame(full=True), .scores, .comparison"
            + (", .orders" if result.orders is not None else "")
        ),
    )


def _verdict(result: Judged, rows: pd.DataFrame) -> Sentences:
    """Who is among the best, and who adds nothing."""
    best = [*rows.loc[rows["among_best"], "judge"]]
    name = NAMES[result.by]
    lines = []
    if len(rows) > 1 and (result.n_compared is not None or result.comparison is None):
        lines.append(_of_units(result))
    if result.comparison is None:
        pass
    elif len(best) == len(rows) > 1:
        lines.append(f"No judge is significantly better than another by {name}.")
    elif len(rows) > 1:
        lines.append(
            f"Among the best by {name}: {first_few(best, 4)} ({len(best)} of {len(rows)} judges; "
            "none is significantly better)."
        )
    for column, wanted, said in (
        ("above_chance", False, "Not shown to agree better than by chance"),
        (
            "above_constant",
            False,
            f"Not shown to agree more often than a judge that always says {result.constant}",
        ),
        ("below_people", True, "Agree with people less than people with each other"),
    ):
        named = [*rows.loc[rows[column] == wanted, "judge"]]
        if named:
            who = "all judges" if len(named) == len(rows) > 1 else first_few(named, 4)
            lines.append(f"{said}: {who}.")
    outside = int(rows["n_outside"].sum())
    if outside:
        named = [*rows.loc[rows["n_outside"] > 0, "judge"]]
        what = counted(outside, "grade is", "grades are")
        lines.append(f"{what} beyond the people's scale: {first_few(named, 4)}.")
    return Sentences.of(*lines)


def _of_units(result: Judged) -> str:
    """What judges are compared on, where they judged different units; or why they are not."""
    if result.n_compared is None:
        return (
            f"Judges are not compared: fewer than two have a {NAMES[result.by]} with an interval."
        )
    units = counted(result.n_compared, "unit")
    if result.comparison is None:
        return f"Judges are not compared: all of them judged {units} in common."
    return f"Judges are compared on the {units} that all of them judged."


def _table(result: Judged, rows: pd.DataFrame) -> Table:
    """One row a judge."""
    limit = MOST_ROWS if result.orders is None else WITH_ORDERS
    ends = zip(rows[f"{result.by}_lower"], rows[f"{result.by}_upper"], strict=True)
    columns = [
        Column.label("judge", rows["judge"]),
        Column(NAMES[result.by], _numbers(rows[result.by])),
        Column(level_text(result.level), tuple(interval_text(*pair, 3) for pair in ends)),
    ]
    for name in (*NAMES, "bias"):
        if name in rows and name != result.by:
            kind = "number" if name == "bias" else "extra"
            cells = _signed(rows[name]) if name == "bias" else _numbers(rows[name])
            columns.append(Column(NAMES.get(name, name), cells, kind))
    columns.append(Column("best", tuple("yes" if best else "" for best in rows["among_best"])))
    kept, left_out = first_rows(columns, limit)
    return Table(kept, f"the first {limit} of {len(rows):,} judges" if left_out else "")


def _numbers(values: pd.Series) -> tuple[str, ...]:
    return tuple(number_text(value, 3) for value in values)


def _signed(values: pd.Series) -> tuple[str, ...]:
    style = numbers_format(values, 2)
    return tuple(written(value, style, signed=True) for value in values)


def _orders(result: Judged, rows: pd.DataFrame) -> Table | None:
    """Correlations of the orders of systems, of the judges that are shown, by one measure."""
    if result.orders is None:
        return None
    measure = result.orders["measure"].iloc[0]
    own = result.orders[result.orders["measure"] == measure].set_index("judge")
    own = own.reindex([*rows["judge"][:WITH_ORDERS]])
    ends = zip(own["tau_b"], own["lower"], own["upper"], strict=True)
    columns = (
        Column.label("judge", own.index),
        Column("Kendall's tau_b", tuple(with_interval(*numbers, 2) for numbers in ends)),
        Column(
            "reversed",
            tuple(
                f"{int(count)} of {int(total)}"
                for count, total in zip(own["n_reversed"], own["n_significant"], strict=True)
            ),
        ),
    )
    return Table(columns, f"Order of the systems by {measure}")


def _legend(result: Judged) -> Sentences:
    """What the numbers are."""
    level = level_text(result.level)
    lines = [
        f"Brackets: {level} intervals of {NAMES[result.by]} over {result.over}, one judge at a "
        "time (jackknife). Best: no judge is significantly better, all pairs together.",
        "Kappa: Cohen's; 0 is agreement by chance."
        + (" Bias: mean grade minus the people's." if "bias" in result.judges else ""),
    ]
    if result.people is not None:
        lines.append(
            f"People with each other (units that several judged): {NAMES[result.by]} "
            f"{number_text(result.people[result.by], 3)}"
        )
    if result.orders is not None:
        lines.append(
            "Kendall's tau_b: of the systems' means by the judge and by people, in brackets in the "
            f"central {level} of resampled queries. Reversed: pairs of systems that differ "
            "significantly by people, and the other way round by the judge."
        )
    return Sentences.of(*lines)
