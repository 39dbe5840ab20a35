"""What is printed of an analysis: one screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Bools
from fuzzytruth.analysis.analysed import Analysed
from fuzzytruth.comparison.answer import count_line, verdict_lines
from fuzzytruth.comparison.assumptions import procedure, shared_lines
from fuzzytruth.comparison.by_subject import SubjectComparisons
from fuzzytruth.comparison.compared import Compared
from fuzzytruth.comparison.conditions import on_shared_values
from fuzzytruth.comparison.rank_sets import better_than, rank_range
from fuzzytruth.comparison.report_parts import LETTER
from fuzzytruth.comparison.tables import letters
from fuzzytruth.core.validation import option_flag
from fuzzytruth.errors import counted, first_few
from fuzzytruth.evaluation.scores.score_rows import best_first, best_systems
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.evaluation.scores.scores_answer import direction_line, values_line
from fuzzytruth.evaluation.undefined import measures_in_words
from fuzzytruth.show.answer import Column, Printed, Sentences, Table, first_rows
from fuzzytruth.show.number_text import digits_for, level_text

# The system that an analysis finds best, if there is one.


def winner(analysis: Analysed) -> str:
    """A sentence on the system with the best mean on every measure; "" if there is none.

    There is none, either, unless it is significantly better than all others on a measure, or where
    not all pairs were tested in both directions, or p is not adjusted.
    """
    comparison = analysis.comparison
    if comparison is None:
        return ""
    conditions = comparison.conditions
    is_plain = conditions.is_adjusted and conditions.alternative == "two-sided"
    if conditions.of_worlds or conditions.baselines or not is_plain:
        return ""
    best = best_systems(comparison.means.to_numpy(dtype=float), conditions.higher_is_better)
    (first,) = np.nonzero(best.all(axis=1))
    if len(first) != 1 or not (best.sum(axis=0) == 1).all():
        return ""
    return _sentence(comparison, int(first[0]))


def _sentence(comparison: Compared, best: int) -> str:
    """On which measures the best system beats all others, and whom it does not beat on the rest."""
    conditions = comparison.conditions
    names, measures = conditions.systems, conditions.measures
    over_all, rest = [], []
    for measure in measures:
        above = better_than(comparison.table, conditions, measure)
        unbeaten = [name for j, name in enumerate(names) if j != best and not above[best, j]]
        if unbeaten:
            rest.append(f"not shown to be better than {first_few(unbeaten, 3)} on {measure}")
        else:
            over_all.append(measure)
    if not over_all:
        return ""
    others = names[1 - best] if len(names) == 2 else "all others"
    where = {1: measures[0], 2: "both measures"}.get(len(measures), f"all {len(measures)} measures")
    on = f" on {measures_in_words(over_all)}" if rest else ""
    shown = f"significantly better than {others}{on} over {conditions.random}"
    return f"{names[best]} is best on {where}: {'; '.join([shown, *rest])}."


# The table of an analysis: a row a system, as a frame, in LaTeX and in Markdown.


MOST_LETTERS = 12  # systems; of more, those beaten are counted
_MORE = ["rank", "rank_lower", "rank_upper", "share_first", "lowest_subject", "highest_subject"]


def table_of(analysis: Analysed, *, full: bool) -> pd.DataFrame:
    """See `Analysis.to_frame`."""
    scores, rows = on_shared_values(analysis.scores), analysis.rows
    unknown = np.full(rows.values.shape, np.nan)
    lower, upper = (unknown if ends is None else ends for ends in (rows.lower, rows.upper))
    lowest, highest = _ends_by_subject(scores)
    n_queries = (~np.isnan(scores.cells.mean_by_query(scores.values))).sum(axis=-1)
    parts = []
    for m, measure in enumerate(scores.measures):
        columns: dict[str, Any] = {
            "measure": measure,
            "system": list(scores.systems),
            "mean": rows.values[:, m],
            "lower": lower[:, m],
            "upper": upper[:, m],
            "beats": [",".join(names) for names in _beaten(analysis, "comparison", measure)],
        }
        if analysis.both is not None:
            columns["beats_both"] = [
                ",".join(names) for names in _beaten(analysis, "both", measure)
            ]
        parts.append(
            pd.DataFrame(columns).assign(
                lowest_subject=lowest[:, m],
                highest_subject=highest[:, m],
                n_queries=n_queries[:, m],
            )
        )
    table = pd.concat(parts, ignore_index=True)
    ranks = ["rank", "rank_lower", "rank_upper", "share_first"]
    if analysis.stability is None:
        table[ranks] = np.nan
    else:
        of_systems = analysis.stability.systems[["measure", "system", *ranks]]
        table = table.merge(of_systems, on=["measure", "system"], how="left")
    first = [name for name in table.columns if name not in (*_MORE, "n_queries")]
    return table[[*first, *_MORE, "n_queries"]] if option_flag("full", full) else table[first]


def _beaten(
    analysis: Analysed, which: Literal["comparison", "both"], measure: str
) -> list[list[str]]:
    """For each system, the names of those that are significantly worse."""
    comparison, systems = getattr(analysis, which), analysis.scores.systems
    if comparison is None:
        return [[] for _ in systems]
    above = better_than(comparison.table, comparison.conditions, measure)
    return [[systems[j] for j in np.flatnonzero(row)] for row in above]


def _ends_by_subject(scores: Scores) -> tuple[Any, Any]:
    """Lowest and highest mean by a single subject: (systems, measures); NaN without subjects."""
    shape = (len(scores.systems), len(scores.measures))
    if scores.subjects is None or scores.design == "nested":
        return np.full(shape, np.nan), np.full(shape, np.nan)
    means = scores.cells.mean_by_subject(scores.values)  # (systems, measures, subjects)
    known = ~np.isnan(means)
    low = np.where(known, means, np.inf).min(axis=-1)
    high = np.where(known, means, -np.inf).max(axis=-1)
    some = known.any(axis=-1)
    return np.where(some, low, np.nan), np.where(some, high, np.nan)


def columns_of(analysis: Analysed, measure: str, digits: int | None = None) -> dict[str, list[str]]:
    """The printed columns of one measure as text, in the order of the systems."""
    systems, rows = analysis.scores.systems, analysis.rows
    m = rows.measures.index(measure)
    places = digits_for(rows.values[:, m].tolist(), 3) if digits is None else digits
    out = {
        "": letters(len(systems)),
        "system": list(systems),
        "mean": rows.column(m, places),
    }
    if analysis.comparison is not None:
        out["beats"] = _marks(_beaten(analysis, "comparison", measure), systems)
    if analysis.both is not None:
        out["both"] = _marks(_beaten(analysis, "both", measure), systems)
    if analysis.stability is not None:
        table = analysis.stability.systems
        sets = table[table["measure"] == measure].set_index("system").loc[list(systems)]
        ends = zip(sets["rank_lower"], sets["rank_upper"], strict=True)
        out["ranks"] = [rank_range(*pair) for pair in ends]
    return out


def _marks(beaten: list[list[str]], systems: tuple[str, ...]) -> list[str]:
    """Letters of the systems beaten, or how many they are."""
    if len(systems) > MOST_LETTERS:
        return [str(len(names)) if names else "" for names in beaten]
    label = dict(zip(systems, letters(len(systems)), strict=True))
    return ["".join(label[name] for name in names) for names in beaten]


def best_of(analysis: Analysed, measure: str) -> Bools:
    """Which systems have the best mean: (systems,)."""
    return analysis.rows.best[:, analysis.rows.measures.index(measure)]


MOST_MEASURES = 3
MOST_SYSTEMS = 12
MOST_NOTES = 5
MOST_SENTENCES = 3
_LABELS = ("", "system", "beats", "both")


def printed(result: Analysed) -> Printed:
    """What `print` shows of an analysis."""
    scores = result.scores
    notes = result.data.notes
    more = len(notes) - MOST_NOTES
    shown = scores.measures[:MOST_MEASURES]
    left = [
        f"{MOST_MEASURES} of {len(scores.measures)} measures"
        if len(shown) < len(scores.measures)
        else "",
        f"the best {MOST_SYSTEMS} of {len(scores.systems)} systems"
        if len(scores.systems) > MOST_SYSTEMS
        else "",
    ]
    cut = " and ".join(filter(None, left))
    return Printed.of(
        f"Analysis of {counted(len(scores.systems), 'system')} by "
        f"{measures_in_words(scores.measures)}",
        Sentences.of(winner(result)),
        Sentences.of(
            result.data.title,
            *(f"- {note}" for note in notes[:MOST_NOTES]),
            f"- and {counted(more, 'more note')}: .data" if more > 0 else "",
        ),
        verdicts(result),
        *(table_of_measure(result, measure) for measure in shown),
        Sentences.of(*legend(result), f"Shown: {cut}; all: .to_frame()." if cut else ""),
        Sentences.of(
            "More: .data, .scores, .comparison, .both, .by_subject, .stability, "
            '.to_frame(full=True), .report("report.html")'
        ),
    )


def verdicts(analysis: Analysed) -> Sentences | None:
    """Verdicts over queries, and how many hold over queries and subjects."""
    comparison, both = analysis.comparison, analysis.both
    if comparison is None:
        return None
    lines = list(verdict_lines(comparison, MOST_SENTENCES).lines)
    if both is not None and len(comparison.table) > MOST_SENTENCES:
        of_measures = both.table.groupby("measure", sort=False)
        lines += [count_line(table, both.conditions) for _, table in of_measures]
    if analysis.by_subject is not None:
        lines += _lines_by_subject(analysis.by_subject, comparison.conditions.measures)
    return Sentences(tuple(lines))


def _lines_by_subject(each: SubjectComparisons, measures: tuple[str, ...]) -> list[str]:
    """How many differences are significant by each subject alone, in a line a measure."""
    out = []
    for measure in measures:
        table = each.table[each.table["measure"] == measure]
        counts = table.groupby("subject", sort=False)["significant"].sum()
        named = first_few((f"{count:,} ({name})" for name, count in counts.items()), 10)
        total = len(table) // max(len(each.subjects), 1)
        out.append(
            f"{measure}: significant by one subject's judgments alone, of {total:,}: {named}"
        )
    return out


def table_of_measure(analysis: Analysed, measure: str, limit: int | None = MOST_SYSTEMS) -> Table:
    """A row a system, the best first; of many, the first `limit`."""
    cells, best = columns_of(analysis, measure), best_of(analysis, measure)
    m = analysis.rows.measures.index(measure)
    up = analysis.scores.higher_is_better[m]
    order = best_first(analysis.rows.values[:, m], higher_is_better=up).tolist()
    columns = []
    for name, texts in cells.items():
        kind = "label" if name in _LABELS else "number"
        bold = tuple(best[order].tolist()) if name == "mean" else ()
        chosen = (texts[j] for j in order)
        one = Column.label(name, chosen) if kind == "label" else Column(name, tuple(chosen), kind)
        columns.append(Column(one.heading, one.cells, one.kind, bold))
    kept, _ = first_rows(columns, limit or len(order))
    return Table(kept, measure if len(analysis.scores.measures) > 1 else "")


def legend(analysis: Analysed) -> list[str]:
    """What the columns are of."""
    scores, rows = analysis.scores, analysis.rows
    level = level_text(analysis.level)
    out = [f"Brackets: {rows.brackets}." if rows.brackets else "", values_line(scores)]
    if scores.lower is not None:
        out.append("They are no confidence intervals; beats and ranks rest on the means.")
    elif len(scores.queries) < 2:
        out.append("One query: how means vary over queries is not known.")
    comparison, both = analysis.comparison, analysis.both
    if comparison is not None:
        what = "number" if len(scores.systems) > MOST_LETTERS else "letters"
        conditions = comparison.conditions
        pairs = f" Only pairs with {' or '.join(conditions.baselines)} were compared."
        out += shared_lines(conditions)
        out.append(
            f"beats: {what} of the systems significantly worse over {conditions.random}, by "
            f"{procedure(conditions)}, level {conditions.level:g}."
            + (pairs if conditions.baselines else "")
        )
    if both is not None:
        out.append(
            f"both: the same over {both.conditions.random}, by {procedure(both.conditions)}."
        )
    if comparison is not None and analysis.stability is not None:
        of = ", from comparisons of all pairs" if comparison.conditions.baselines else ""
        over = comparison.conditions.random
        out.append(f"ranks: simultaneous {level} confidence sets over {over}{of}.")
    out.append(direction_line(scores))
    return [line for line in out if line]


def verdict_columns(analysis: Analysed, headings: Sequence[str]) -> list[str]:
    """What the columns of a table on a page are that hold letters, or numbers in their place."""
    has_letters = LETTER in headings
    naming = " and ".join(name for name in ("beats", "both") if name in headings)
    out = [f"{LETTER}: stands for the system under {naming}."] if has_letters and naming else []
    refers = "the systems" if has_letters else "how many systems are"
    for name, found in (("beats", analysis.comparison), ("both", analysis.both)):
        if name in headings and found is not None:
            out.append(f"{name}: {refers} significantly worse over {found.conditions.random}.")
    return out
