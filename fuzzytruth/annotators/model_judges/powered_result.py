"""`PredictionPowered`: the result of `prediction_powered`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median

from fuzzytruth._lazy import pd
from fuzzytruth.annotators.model_judges.powered_scores import PoweredConditions, PoweredMean
from fuzzytruth.core.validation import option_flag
from fuzzytruth.errors import counted
from fuzzytruth.show.answer import Column, Printed, Result, Sentences, Table
from fuzzytruth.show.number_text import (
    digits_for,
    interval_text,
    level_text,
    with_interval,
    written,
)

# What is printed of prediction-powered intervals.


MOST_ROWS = 10  # of one measure, or of all judges
MOST_OF_EACH = 3  # of each of several measures
MOST_MEASURES = 2
_MORE = Sentences.of("More: .to_frame(), .to_frame(full=True)")


def answer(asked: PoweredConditions, rows: Sequence[PoweredMean]) -> Printed:
    """What the model adds, then people alone, with the model, and the model alone."""
    judges = len(asked.judges or ())
    by = f", {counted(judges, 'model judge')} all" if judges else ""
    title = (
        f"Prediction-powered means of {counted(len(asked.systems), 'system')}: people judged "
        f"{asked.n_human:,} of {counted(asked.n_queries, 'query')}{by}"
    )
    if asked.judges:
        return Printed.of(title, *_judges(asked, rows), Sentences.of(*_legend_of_judges()), _MORE)
    return Printed.of(
        title,
        Sentences.of(*_gains(asked, rows)),
        _table(asked, rows),
        Sentences.of(*_legend(asked)),
        _MORE,
    )


def _gains(asked: PoweredConditions, rows: Sequence[PoweredMean]) -> list[str]:
    """What the model's judgments were worth."""
    if asked.n_human == asked.n_queries:
        return ["People judged every query: the model has nothing to add."]
    means = [row for row in rows if row.minus is None]
    pairs = [row for row in rows if row.minus is not None]
    worth = [_worth("Means", means), _worth("Differences", pairs)]
    return [*filter(None, worth), *_without_gain(rows), *_biased(means)]


def _worth(what: str, rows: Sequence[PoweredMean]) -> str:
    """How many human-judged queries the model's judgments replace; "" where nothing is known."""
    known = [row for row in rows if not math.isnan(row.width_ratio)]
    if not known:
        return ""
    ratio, extra = (median(getattr(row, key) for row in known) for key in ("width_ratio", "extra"))
    of = f" (median of {len(known):,})" if len(known) > 1 else ""
    gain = "add nothing" if ratio >= 1 else f"are worth {_queries(extra)}"
    return (
        f"{what}: the model's judgments {gain}{of}; intervals are {ratio:.2f} times as wide as "
        "people's alone."
    )


def _queries(extra: float) -> str:
    """Such as "about 14 more human-judged queries"."""
    number = max(math.floor(extra), 0)
    if number == 0:
        return "less than one more human-judged query"
    return f"about {counted(number, 'more human-judged query', 'more human-judged queries')}"


def _without_gain(rows: Sequence[PoweredMean]) -> list[str]:
    """How many intervals are no narrower than people's alone, and why."""
    lost = [row for row in rows if row.width_ratio >= 1]
    if not lost:
        return []
    rho = [row.rho for row in lost if not math.isnan(row.rho)]
    low, high = (f"{end(rho):.2f}" for end in (min, max)) if rho else ("", "")
    why = f" (rho {low if low == high else f'from {low} to {high}'})" if rho else ""
    of = f"{len(lost):,} of {counted(len(rows), 'interval')}"
    return [f"No narrower than people's alone: {of}{why}."]


def _biased(means: Sequence[PoweredMean]) -> list[str]:
    """How far the model alone is off."""
    known = [row for row in means if not math.isnan(row.bias)]
    if not known:
        return []
    shown = sum(row.bias_lower > 0 or row.bias_upper < 0 for row in known)
    low, high = (f"{end(row.bias for row in known):+.3f}" for end in (min, max))
    off = f"by {low}" if low == high else f"by {low} to {high}"
    return [
        f"The model alone is off {off}; the interval of this bias excludes 0 for {shown:,} of "
        f"{counted(len(known), 'mean')}."
    ]


def _name(row: PoweredMean) -> str:
    return row.system if row.minus is None else f"{row.system} - {row.minus}"


def _judges(asked: PoweredConditions, rows: Sequence[PoweredMean]) -> tuple[Sentences, Table]:
    """What the judgments of each model judge were worth, the most first."""
    each = {
        judge: [row for row in rows if row.judge == judge and not math.isnan(row.width_ratio)]
        for judge in asked.judges or ()
    }
    known = {judge: some for judge, some in each.items() if some}
    order = sorted(known, key=lambda judge: _median(known[judge], "width_ratio"))
    lost = sum(_median(some, "width_ratio") >= 1 for some in known.values())
    kept = order[:MOST_ROWS]
    columns = [Column.label("judge", kept)]
    for heading, name, style in _OF_JUDGES:
        numbers = (_median(known[judge], name) for judge in kept)
        columns.append(Column(heading, tuple(written(value, style) for value in numbers)))
    title = f"Medians over {counted(len(rows) // max(len(each), 1), 'mean')}"
    title += " and differences" if asked.tests else ""
    if len(kept) < len(each):
        title += f", {len(kept):,} of {counted(len(each), 'judge')}"
    said = Sentences.of(
        f"The judgments of {len(known) - lost:,} of {counted(len(each), 'judge')} make intervals "
        "narrower than people's alone (median).",
        "The narrowest of several intervals covers less than its level: choose a judge on other "
        "data.",
    )
    return said, Table(tuple(columns), title)


_OF_JUDGES = (
    ("width / people's", "width_ratio", ".2f"),
    ("extra", "extra", ".0f"),
    ("rho", "rho", ".2f"),
    ("bias", "bias", ".3f"),
)


def _median(rows: Sequence[PoweredMean], name: str) -> float:
    of = [row for row in rows if name != "bias" or row.minus is None]  # of means alone
    values = [value for row in of if not math.isnan(value := getattr(row, name))]
    return median(values) if values else math.nan


def _table(asked: PoweredConditions, rows: Sequence[PoweredMean]) -> Table:
    """Rows of the first measures, means first."""
    shown = asked.measures[:MOST_MEASURES]
    limit = MOST_ROWS if len(shown) == 1 else MOST_OF_EACH
    kept = [row for measure in shown for row in _first(rows, measure, limit)]
    digits = _digits(kept)
    labels = [Column.label("system", [_name(row) for row in kept])]
    if len(asked.measures) > 1:
        labels.insert(0, Column.label("measure", [row.measure for row in kept]))
    estimates = (with_interval(row.estimate, row.lower, row.upper, digits) for row in kept)
    columns = (
        *labels,
        _ends("people alone", [(row.human_lower, row.human_upper) for row in kept], digits),
        Column("people and model", tuple(estimates)),
        _ends("model alone", [(row.model_lower, row.model_upper) for row in kept], digits),
        Column("extra", tuple(_count(row.extra) for row in kept)),
        Column("rho", tuple(_short(row.rho) for row in kept), "extra"),
    )
    left_out = len(rows) - len(kept)
    title = f"{len(kept):,} of {len(rows):,} rows" if left_out else ""
    if len(asked.measures) == 1:
        title = f"{asked.measures[0]}{title and ', '}{title}"
    return Table(columns, title, _EXTRAS)


def _first(rows: Sequence[PoweredMean], measure: str, limit: int) -> list[PoweredMean]:
    """The first rows of a measure, means before differences."""
    of_measure = (row for row in rows if row.measure == measure)
    return sorted(of_measure, key=lambda row: row.minus is not None)[:limit]


def _digits(rows: Sequence[PoweredMean]) -> int:
    """Decimals that show half-widths in two digits: from 2 to 6, fewer of large numbers."""
    half = [(row.upper - row.lower) / 2 for row in rows if 0 < row.upper - row.lower < math.inf]
    wanted = 1 - math.floor(math.log10(median(half))) if half else 3
    ends = (end for row in rows for end in (row.lower, row.upper))
    return digits_for(ends, min(max(wanted, 2), 6))


_EXTRAS = "rho: correlation of people's and the model's scores of the human-judged queries."


def _ends(heading: str, ends: Sequence[tuple[float, float]], digits: int) -> Column:
    return Column(heading, tuple(interval_text(*pair, digits) for pair in ends))


def _count(extra: float) -> str:
    return "–" if math.isnan(extra) else f"{extra + 0.0:.0f}"


def _short(rho: float) -> str:
    return "–" if math.isnan(rho) else f"{rho:.2f}"


def _legend(asked: PoweredConditions) -> list[str]:
    """What the intervals are."""
    level = level_text(asked.level)
    over = "of the mean over these queries" if asked.finite else "over queries"
    units = f", in {counted(asked.n_clusters, 'cluster')}" if asked.n_clusters else ""
    family = ""
    if asked.tests > 1:
        joint = asked.correction == "bonferroni"
        family = f"; of differences {'simultaneous (Bonferroni)' if joint else 'unadjusted'}"
    out = [
        f"Brackets: {level} intervals {over}{units}{family}. They assume that the human-judged "
        "queries are a simple random sample of all.",
        "Model alone: biased, and its interval does not say by how much. Extra: "
        "human-judged queries that would have made people's interval as narrow.",
    ]
    if asked.n_people > 1 and not asked.n_clusters:
        out.append(
            f"{asked.n_people:,} people judged; intervals take them as given. clusters='subject' "
            "lets them vary, if each query had one."
        )
    return out


def _legend_of_judges() -> list[str]:
    return [
        "Extra: human-judged queries that would have made people's interval as narrow. Bias of "
        "means: model minus people. Rho: correlation of their scores of the human-judged queries.",
        "Intervals assume that these are a simple random sample of all queries.",
    ]


#: columns of the narrow table
_COLUMNS = ("measure", "system", "minus", "estimate", "lower", "upper", "extra")


@dataclass(frozen=True, slots=True, repr=False)
class PredictionPowered(Result):
    """Means and differences estimated from few human judgments and many of a model.

    Parameters
    ----------
    conditions : PoweredConditions
    rows : tuple of PoweredMean
        By measure: the mean of each system, then differences of two; judge after judge where each
        model judge is taken alone.
    """

    conditions: PoweredConditions
    rows: tuple[PoweredMean, ...]

    def __repr__(self) -> str:
        asked = self.conditions
        return (
            f"PredictionPowered({counted(len(asked.systems), 'system')}, "
            f"{counted(len(asked.measures), 'measure')}, {asked.n_human:,} of "
            f"{counted(asked.n_queries, 'query')} judged by people)"
        )

    def _answer(self) -> Printed:
        return answer(self.conditions, self.rows)

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row a mean or difference.

        Columns: measure, judge (with ``by="judge"``), system, minus (the system subtracted; None
        for a mean), estimate, lower, upper (prediction-powered), and extra: how many more
        human-judged queries would have given an interval as narrow, rounded down. With
        ``full=True`` all fields of `PoweredMean`.
        """
        table = pd.DataFrame([asdict(row) for row in self.rows])
        by = self.conditions.judges is not None
        if not by:
            table = table.drop(columns="judge")
        if option_flag("full", full):
            return table
        return table[[*_COLUMNS[:1], *(("judge",) if by else ()), *_COLUMNS[1:]]]
