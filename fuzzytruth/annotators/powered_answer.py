"""What is printed of prediction-powered intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

from fuzzytruth.annotators.powered_rows import PoweredConditions, PoweredMean
from fuzzytruth.errors import counted, first_few
from fuzzytruth.io.answer import Column, Printed, Sentences, Table, first_rows
from fuzzytruth.io.number_text import digits_for, interval_text, level_text, with_interval

MOST_ROWS = 14  # of all tables together
MOST_MEASURES = 3
MOST_NAMES = 3


def answer(asked: PoweredConditions, rows: Sequence[PoweredMean]) -> Printed:
    """What the model adds, then people alone, with the model, and the model alone."""
    by = f", by each of {counted(len(asked.judges), 'model judge')}" if asked.judges else ""
    return Printed.of(
        f"Prediction-powered means of {counted(len(asked.systems), 'system')}: people judged "
        f"{asked.n_human:,} of {counted(asked.n_queries, 'query')}, the model all{by}",
        Sentences.of(*_gains(asked, rows)),
        *_tables(asked, rows),
        Sentences.of(*_legend(asked)),
    )


def _gains(asked: PoweredConditions, rows: Sequence[PoweredMean]) -> list[str]:
    """What the model's judgments were worth."""
    if asked.n_human == asked.n_queries:
        return ["People judged every query: the model has nothing to add."]
    if asked.judges:
        return _gains_of_judges(asked, rows)
    means = [row for row in rows if row.minus is None]
    pairs = [row for row in rows if row.minus is not None]
    out = []
    for some, what in ((means, "mean"), (pairs, "difference")):
        if text := _worth(some, what):
            out.append(text)
    return [*out, *_without_gain(rows), *_biased(rows)]


def _worth(rows: Sequence[PoweredMean], what: str) -> str:
    """How many human-judged queries the model's judgments replace; "" where nothing is known."""
    known = [row for row in rows if not math.isnan(row.width_ratio)]
    if not known:
        return ""
    ratio, extra = (median(getattr(row, key) for row in known) for key in ("width_ratio", "extra"))
    of = f"the {what}" if len(known) == 1 else f"the {what}s (median of {len(known):,})"
    if ratio >= 1:
        return f"For {of} the model adds nothing: the interval is {ratio:.2f} times as wide."
    return (
        f"For {of} the model's judgments are worth {_queries(extra)}: intervals are {ratio:.2f} "
        "times as wide as people's alone."
    )


def _queries(extra: float) -> str:
    """Such as "about 14 more human-judged queries"."""
    number = max(math.floor(extra), 0)
    if number == 0:
        return "less than one more human-judged query"
    return f"about {counted(number, 'more human-judged query', 'more human-judged queries')}"


def _without_gain(rows: Sequence[PoweredMean]) -> list[str]:
    """Rows whose interval is no narrower than people's alone."""
    lost = [row for row in rows if row.width_ratio >= 1]
    if not lost:
        return []
    listed = first_few(lost, MOST_NAMES, show=_with_rho)
    be = "is" if len(lost) == 1 else "are"
    return [
        f"{counted(len(lost), 'interval')} of {len(rows):,} {be} no narrower than people's alone: "
        f"{listed}."
    ]


def _with_rho(row: PoweredMean) -> str:
    rho = "" if math.isnan(row.rho) else f" (rho = {row.rho:.2f})"
    return f"{_name(row)} on {row.measure}{rho}"


def _name(row: PoweredMean) -> str:
    return row.system if row.minus is None else f"{row.system} - {row.minus}"


def _biased(rows: Sequence[PoweredMean]) -> list[str]:
    """How far the model alone is off."""
    means = [row for row in rows if row.minus is None and not math.isnan(row.bias)]
    if not means:
        return []
    shown = sum(row.bias_lower > 0 or row.bias_upper < 0 for row in means)
    low, high = (f"{end([row.bias for row in means]):+.3f}" for end in (min, max))
    off = low if low == high else f"from {low} to {high}"
    return [
        f"The model alone is off by {off}; the interval of this bias excludes 0 for {shown:,} of "
        f"{counted(len(means), 'mean')}."
    ]


def _gains_of_judges(asked: PoweredConditions, rows: Sequence[PoweredMean]) -> list[str]:
    """The judges whose judgments were worth most and least."""
    widths = {}
    for judge in asked.judges or ():
        known = [r.width_ratio for r in rows if r.judge == judge and r.width_ratio == r.width_ratio]
        if known:
            widths[judge] = median(known)
    if not widths:
        return []
    order = sorted(widths, key=lambda judge: widths[judge])
    lost = sum(width >= 1 for width in widths.values())
    best = ", ".join(f"{judge} ({widths[judge]:.2f})" for judge in order[:MOST_NAMES])
    return [
        f"Narrowest intervals, as a share of people's width (median of all rows): {best}; "
        f"{counted(lost, 'judge makes', 'judges make')} them no narrower.",
        "The narrowest of many intervals covers less than its level: choose a judge on other data.",
    ]


def _tables(asked: PoweredConditions, rows: Sequence[PoweredMean]) -> list[Table]:
    shown = asked.measures[:MOST_MEASURES]
    return [
        _table(asked, measure, [row for row in rows if row.measure == measure], len(shown))
        for measure in shown
    ]


def _table(
    asked: PoweredConditions, measure: str, rows: Sequence[PoweredMean], n_tables: int
) -> Table:
    """One measure: the means first."""
    rows = sorted(rows, key=lambda row: row.minus is not None)
    limit = MOST_ROWS // n_tables
    digits = digits_for((end for row in rows for end in (row.lower, row.upper)), 3)
    judges = [Column.label("judge", [row.judge for row in rows])] if asked.judges else []
    columns = (
        *judges,
        Column.label("system", [_name(row) for row in rows]),
        Column("people alone", tuple(_ends(r.human_lower, r.human_upper, digits) for r in rows)),
        Column(
            "people and model",
            tuple(with_interval(r.estimate, r.lower, r.upper, digits) for r in rows),
        ),
        Column("model alone", tuple(_ends(r.model_lower, r.model_upper, digits) for r in rows)),
        Column("more", tuple(_count(row.extra) for row in rows)),
        Column("rho", tuple(_short(row.rho) for row in rows), "extra"),
    )
    kept, left_out = first_rows(columns, limit)
    of = f", the first {limit} of {len(rows):,} rows" if left_out else ""
    return Table(kept, f"{measure}{of}", _EXTRAS)


_EXTRAS = "rho: correlation of people's and the model's scores of the human-judged queries."


def _ends(lower: float, upper: float, digits: int) -> str:
    return interval_text(lower, upper, digits)


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
        "Model alone: biased, and its interval does not say by how much. More: human-judged "
        "queries that would have made people's interval as narrow.",
    ]
    if asked.n_people > 1 and not asked.n_clusters:
        out.append(
            f"{asked.n_people:,} people judged; intervals take them as given. clusters='subject' "
            "lets them vary, if each query had one."
        )
    return [*out, "More columns: .to_frame(full=True)"]
