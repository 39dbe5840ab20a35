"""What `print` shows of a `SantiniReport`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth.analysis import santini_tables as tables
from fuzzytruth.comparison.answer import (
    basis,
    difference_tables,
    legend,
    title_of,
    verdict_lines,
)
from fuzzytruth.comparison.result import Comparison
from fuzzytruth.errors import counted
from fuzzytruth.evaluation.scores_answer import unjudged_text
from fuzzytruth.io.answer import Column, Printed, Sentences, Table, first_rows
from fuzzytruth.stats.axes import in_words

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.analysis.santini_parts import SantiniParts

_MOST_ROWS = 4  # of items, categories, pairs and verdicts
_MOST_PAIRS = 12  # of which differences are shown
_MOST_MEANS = 16


def printed(report: SantiniParts) -> Printed:
    """Votes, means, pairs of systems and individual comparison, in the paper's order."""
    votes, scores = report.votes, report.scores
    title = (
        f"Santini's analysis: {counted(len(votes), 'vote')} on "
        f"{counted(len(report.membership.items), 'item')}; "
        f"{counted(len(scores.systems), 'system')}, "
        f"{counted(len(scores.queries), 'query')}, rank {report.k}"
    )
    return Printed.of(
        title,
        _agreement(report),
        _cut(_items(tables.of_items(report)), "Most disputed items"),
        _cut(_categories(tables.of_categories(report)), "Largest categories below the root"),
        _cut(
            _means(report),
            f"Means over {counted(len(scores.queries), 'query')}",
            _MOST_MEANS,
            "± worlds: standard deviation of the mean over worlds."
            * (scores.uncertainty is not None),
        ),
        _of_means(report),
        _cut(
            _pairs(report),
            "Both systems in the same worlds, means over queries",
            extras="P: probability over worlds. ± MC: its Monte Carlo standard error.",
        ),
        *_compared(report.comparison, _whose(report)),
        _of_individuals(report),
        *_compared(report.displaced_comparison, "from the people's own lists"),
    )


def _agreement(report: SantiniParts) -> Sentences:
    """How much subjects agree, and what the strong ground truth makes of it."""
    items = tables.of_items(report)
    n, unanimous = len(items), int((items["entropy"] == 0).sum())
    share = items["agreement"].mean()
    pairs = f"Two subjects agree on {percent(share)} of the items, on average"
    majority = int((items["share"] > 0.5).sum())
    return Sentences.of(
        f"{pairs}; all votes agree on {unanimous:,} of {n:,}." if not np.isnan(share) else "",
        f"Strong ground truth: the category with most votes, which has more than half of them for "
        f"{majority:,} of {n:,} items; for {report.strong.n_tied:,}, categories tie, and the first "
        "in the taxonomy is taken.",
    )


def _whose(report: SantiniParts) -> str:
    """What the comparison of the systems is by."""
    return "expected values" if report.people is None else "by the people's own categories"


def _cut(
    columns: tuple[Column, ...], title: str, most: int = _MOST_ROWS, extras: str = ""
) -> Table:
    kept, more = first_rows(columns, most)
    return Table(kept, title + (f" ({most} of {more + most:,})" if more else ""), extras)


def _items(frame: pd.DataFrame) -> tuple[Column, ...]:
    return (
        Column.label("item", frame["item"]),
        Column.label("most votes for", frame["category"].fillna("–")),
        _numbers("share, %", 100 * frame["share"], ".0f"),
        _numbers("agree, %", 100 * frame["agreement"], ".0f"),
        _numbers("entropy, bits", frame["entropy"], ".2f"),
    )


def _categories(frame: pd.DataFrame) -> tuple[Column, ...]:
    below = frame[frame["level"] > 0].sort_values("size", ascending=False, kind="stable")
    return (
        Column.label("category", below["category"]),
        _numbers("size", below["size"], ".1f"),
        _numbers("strong", below["strong_size"], "d"),
        _numbers("agreement, %", 100 * below["agreement"], ".0f"),
    )


def _means(report: SantiniParts) -> tuple[Column, ...]:
    frame = tables.of_systems(report)
    columns = [
        Column.label("system", frame["system"]),
        Column.label("measure", frame["measure"]),
        _numbers("strong", frame["strong"], ".3f"),
        _numbers("expected", frame["mean"], ".3f"),
        Column("± worlds", tuple(f"{std:.3f}" for std in frame["std"]), "extra"),
    ]
    if report.people is not None:
        columns.append(_numbers("people", frame["people"], ".3f"))
    if report.over:
        ends = zip(frame["lower"], frame["upper"], strict=True)
        cells = tuple(f"[{low:.3f}, {high:.3f}]" for low, high in ends)
        columns.append(Column(f"{percent(report.level)} interval", cells))
    return tuple(columns)


def _of_means(report: SantiniParts) -> Sentences:
    """What the columns of the means are."""
    frame, scores = tables.of_systems(report), report.scores
    kind = "exact" if frame["exact"].all() else "exact where known, else simulated"
    gap, hidden = frame["query_gap"].mean(), frame["query_std"].mean()
    whose = "people: mean over the subjects' own categories"
    whose += "" if report.people is None else unjudged_text(report.people)
    interval = ""
    if report.over:
        what = "of people" if report.people is not None else "of expected"
        interval = f"Interval: {what}, {percent(report.level)}, over {in_words(report.over)}."
    return Sentences.of(
        f"strong: one truth, the majority category; expected: over worlds in which every item "
        f"takes one of its votes at random ({kind})"
        + (f"; {whose}." if report.people is not None else "."),
        interval,
        f"Of a single query, strong and expected differ by {gap:.3f} on average, and the value "
        f"has a standard deviation of {hidden:.3f} over worlds, which strong does not show."
        if scores.uncertainty is not None
        else "",
    )


def _pairs(report: SantiniParts) -> tuple[Column, ...]:
    frame = tables.of_pairs(report, None)
    if not len(frame):
        return ()
    a, b = frame["system_a"], frame["system_b"]
    return (
        Column.label("a, b", (f"{one}, {other}" for one, other in zip(a, b, strict=True))),
        Column.label("measure", frame["measure"]),
        _numbers("a - b", frame["difference"], "+.3f"),
        _numbers("P(a > b)", frame["better"], ".3f"),
        _numbers("P(=)", frame["equal"], ".3f"),
        _numbers("P(a < b)", frame["worse"], ".3f"),
        Column("± MC", tuple(f"{error:.3f}" for error in frame["mc_error"]), "extra"),
    )


def _compared(comparison: Comparison | None, whose: str) -> list[Sentences | Table]:
    """Verdicts, differences while they are few, and what they rest on."""
    if comparison is None:
        return []
    title = Sentences.of(f"{title_of(comparison)}, {whose}.")
    shown: list[Sentences | Table] = [title, verdict_lines(comparison, _MOST_ROWS)]
    if len(comparison.table) <= _MOST_PAIRS:
        return [*shown, *difference_tables(comparison), legend(comparison)]
    return [*shown, basis(comparison)]


def _of_individuals(report: SantiniParts) -> Table | None:
    """A row for each system and measure: its range over subjects, and for how many it is best."""
    rows: list[tuple[str, str, float, float, str]] = []
    for scores in (report.people, report.displaced):
        if scores is None:
            continue
        for m, measure in enumerate(scores.measures):
            table = scores.mean(by="subject")[measure].unstack("system")[list(scores.systems)]
            best = table.max(axis=1) if scores.higher_is_better[m] else table.min(axis=1)
            firsts = table.eq(best, axis=0).sum()
            low, high = table.min(), table.max()
            rows += [
                (name, measure, low[name], high[name], f"{firsts[name]} of {len(table)}")
                for name in scores.systems
            ]
    if not rows:
        return None
    columns = (
        Column.label("system", (row[0] for row in rows)),
        Column.label("measure", (row[1] for row in rows)),
        _numbers("lowest", (row[2] for row in rows), ".3f"),
        _numbers("highest", (row[3] for row in rows), ".3f"),
        Column("best for", tuple(row[4] for row in rows)),
    )
    return _cut(columns, "Means by one person alone (.individuals() has all)", _MOST_MEANS)


def percent(share: float) -> str:
    """A share in percent, such as 95 %."""
    return f"{100 * share:.0f} %"


def _numbers(heading: str, values: Iterable[float], form: str) -> Column:
    """Numbers in one form; – where there is none."""
    return Column(
        heading, tuple("–" if value != value else format(value, form) for value in values)
    )
