"""What is printed of a comparison: verdicts, differences, and what they rest on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from string import ascii_lowercase
from typing import Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Bools
from fuzzytruth.comparison.assumptions import (
    procedure,
    shared_lines,
    units_of,
    worlds_lines,
)
from fuzzytruth.comparison.by_subject import SubjectComparisons, opposite_alone, significant_alone
from fuzzytruth.comparison.compared import Compared
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.inference import turned
from fuzzytruth.comparison.rank_sets import better_than
from fuzzytruth.comparison.tables import (
    beaten,
    cut_line,
    difference_columns,
    found_words,
    intervals_text,
    letters,
    p_name,
    too_few_worlds,
    worlds_held,
)
from fuzzytruth.comparison.verdicts import (
    Verdict,
    cannot_tell,
    few_units,
    opposite_texts,
    two_digits,
    verdicts,
)
from fuzzytruth.errors import counted, first_few
from fuzzytruth.evaluation.scores.score_rows import best_first, best_systems
from fuzzytruth.show.answer import Column, Printed, Sentences, Table, first_rows
from fuzzytruth.show.number_text import digits_for, number_text, signed_text

MOST_SENTENCES = 6
MOST_DIFFERENCES = 12
MOST_SYSTEMS = 20
MOST_OPPOSITE = 3
_D_Z = "d_z: the mean difference divided by the standard deviation of the queries' differences."
_D_Z_OF_STRATA = (
    "d_z: the mean of the queries' differences, all queries weighing the same, divided by their "
    "standard deviation."
)
_WINS = "w/t/l: queries on which the first system is better, equal, worse."


def comparison_answer(result: Compared) -> Printed:
    """What `print` shows: short, whatever the number of systems."""
    shown: list[Sentences | Table] = [verdict_lines(result, MOST_SENTENCES)]
    if len(result.table) <= MOST_DIFFERENCES or result.conditions.baselines:
        shown += [_first(table) for table in difference_tables(result)] + [legend(result)]
    else:
        conditions = result.conditions
        rests_on = (*shared_lines(conditions), *basis(result).lines, *worlds_lines(conditions))
        shown += [means_table(result, MOST_SYSTEMS), Sentences.of(*rests_on)]
    return Printed.of(title_of(result), *shown, _more(result))


def title_of(result: Compared) -> str:
    """What was compared."""
    conditions = result.conditions
    measures = first_few(conditions.measures, 4)
    return (
        f"{counted(len(conditions.systems), 'system')} compared on {measures}: "
        f"{counted(len(result.table), 'difference')} over {units_of(conditions)}"
    )


def row_verdicts(result: Compared) -> list[Verdict]:
    """What was found about each row."""
    say_how_many = result.family.over == ("query",) and result.table["significant"].any()
    alone = significant_alone(result) if say_how_many else opposite_alone(result)
    return verdicts(result.table, result.beside, alone, result.conditions)


def verdict_lines(result: Compared, limit: int) -> Sentences:
    """A sentence for each row, or one for each measure if there are more than `limit` rows."""
    conditions = result.conditions
    if len(result.table) <= limit:
        return Sentences(tuple(verdict.short for verdict in row_verdicts(result)))
    return Sentences.of(
        *(
            line
            for measure in conditions.measures
            for line in _counts(result.table[result.table["measure"] == measure], conditions)
            + _opposite(result, measure)
        )
    )


def _opposite(result: Compared, measure: str) -> list[str]:
    """The pairs whose differences have both directions by single subjects' judgments."""
    table = result.table[result.table["measure"] == measure]
    texts = opposite_texts(table, opposite_alone(result), result.conditions)
    pairs = zip(table["system_a"], table["system_b"], texts, strict=True)
    lines = [f"  {a} and {b}: {text}" for a, b, text in pairs if text]
    more = len(lines) - MOST_OPPOSITE
    rest = [f"  in both directions also for {counted(more, 'more pair')}"] if more > 0 else []
    return lines[:MOST_OPPOSITE] + rest


def _counts(table: pd.DataFrame, conditions: Conditions) -> list[str]:
    """How many of the differences by one measure are significant, and whose they are."""
    measure = str(table["measure"].iloc[0])
    word, head = _found(conditions)[1], count_line(table, conditions)
    if not table["significant"].any():
        return [head]
    above = better_than(table, conditions, measure)
    names = conditions.systems
    if conditions.baselines:
        return [head, *_against_baselines(above, conditions, measure)]
    if conditions.alternative != "two-sided":
        return [head]  # each pair was tested in one direction only
    best = [names[j] for j in np.flatnonzero(~above.any(axis=0))]
    return [head, f"  among the best (no system is {word}): {first_few(best, 10)}"]


def count_line(table: pd.DataFrame, conditions: Conditions) -> str:
    """How many of the differences by one measure are significant, or that units are too few."""
    measure, few = table["measure"].iloc[0], cannot_tell(table, conditions)
    n, of, unable = int(table["significant"].sum()), counted(len(table), "difference"), ""
    if few.any():
        rows = table[few]
        units = few_units(conditions, rows["n_queries"].max(), rows["n_subjects"].max())
        unable = f"; for {len(rows):,}, {units} cannot tell"
        if not n and len(rows) > len(table) / 2:
            what = f"{len(rows):,} of {of} could not be significant with such a spread"
            return f"{measure}: over {conditions.random}, {units} cannot tell: {what}"
    return f"{measure}: {n:,} of {of} {_found(conditions)[0]}{unable}"


def _against_baselines(above: Bools, conditions: Conditions, measure: str) -> list[str]:
    """The systems found better or worse than each baseline, as far as that was tested."""
    names = conditions.systems
    tested = {"better", "worse"}
    if conditions.alternative != "two-sided":
        up = (conditions.alternative == "greater") == conditions.better_up(measure)
        tested = {"better" if up else "worse"}
    lines = []
    for name in conditions.baselines:
        base = names.index(name)
        for word, which in (("better", above[:, base]), ("worse", above[base])):
            if word in tested:
                found = [names[j] for j in np.flatnonzero(which)]
                lines.append(f"  {word} than {name}: {first_few(found, 20) or 'none'}")
    return lines


def _found(conditions: Conditions) -> tuple[str, str]:
    """What the differences found are, and what the better one of two systems is called."""
    if conditions.of_worlds:
        return "shown to have one direction in nearly all worlds", "better in nearly all worlds"
    if conditions.is_adjusted:
        return f"significant over {conditions.random}", "significantly better"
    size = f"p at most {1 - conditions.level:.2g}, not adjusted"
    return f"with {size}, over {conditions.random}", f"better (with {size})"


def difference_tables(result: Compared) -> list[Table]:
    """A table of the differences by each measure."""
    measures = result.conditions.measures
    tables = [
        _differences(
            result.table[result.table["measure"] == measure],
            result.conditions,
            title=measure if len(measures) > 1 else "",
        )
        for measure in measures
    ]
    return [*tables[:-1], replace(tables[-1], extras=_extras(result.conditions))]


def _extras(conditions: Conditions) -> str:
    """What columns beside the difference are."""
    return f"{_D_Z_OF_STRATA if conditions.groups == 'strata' else _D_Z} {_WINS}"


def largest_differences(result: Compared, limit: int) -> Table:
    """The `limit` largest differences by the first measure, whatever their sign."""
    measure = result.conditions.measures[0]
    table = result.table[result.table["measure"] == measure]
    sizes = table["difference"].abs().sort_values(ascending=False, kind="stable")
    title = f"The {limit} largest of {counted(len(table), 'difference')} by {measure}"
    chosen = table.loc[sizes.index[:limit]]
    shown = _differences(chosen, result.conditions, title=title if len(table) > limit else measure)
    return replace(shown, extras=_extras(result.conditions))


def _differences(table: pd.DataFrame, conditions: Conditions, *, title: str) -> Table:
    rows: Sequence[Any] = list(turned(table, conditions).itertuples(index=False))
    second = [Column.label("minus", (row.system_b for row in rows))]
    if len(conditions.baselines) == 1:
        title = f"{title + ': ' if title else ''}system minus {conditions.baselines[0]}"
        second = []
    columns = [
        Column.label("system", (row.system_a for row in rows)),
        *second,
        *difference_columns(rows, conditions),
        Column("d_z", tuple(signed_text(row.d_z, 2) for row in rows), "extra"),
        Column("w/t/l", tuple(f"{row.wins}/{row.ties}/{row.losses}" for row in rows), "extra"),
    ]
    if conditions.rope is not None:
        shares = ((row.posterior_better, row.posterior_rope, row.posterior_worse) for row in rows)
        texts = tuple(" / ".join(f"{share:.2f}" for share in three) for three in shares)
        columns.append(Column("better / same / worse", texts))
    return Table(tuple(columns), title)


def means_table(result: Compared, limit: int | None = None) -> Table:
    """Means with the letters of the systems beaten, the best by the first measure first.

    Of more systems than `limit`, the first, with the number of those beaten.
    """
    means, marks = result.means, result.superscripts()
    conditions, measures = result.conditions, result.conditions.measures
    values = means.to_numpy(dtype=float)  # (systems, measures)
    order = best_first(values[:, 0], higher_is_better=conditions.better_up(measures[0])).tolist()
    best = best_systems(values, conditions.higher_is_better)
    counted_only = limit is not None and len(means) > limit
    label = letters(len(means))
    columns = [
        Column.label("", (label[j] for j in order)),
        Column.label("system", (means.index[j] for j in order)),
    ]
    for m, measure in enumerate(measures):
        beats = [_beats(mark, counted_only, len(means)) for mark in marks[measure]]
        digits = digits_for(values[:, m].tolist(), 4)
        cells = (f"{number_text(values[j, m], digits)} {beats[j]}".rstrip() for j in order)
        columns.append(Column(measure, tuple(cells), "label", tuple(best[order, m].tolist())))
    kept, _ = first_rows(columns[1:] if counted_only else columns, limit or len(means))
    of, what = "", "letters"
    if counted_only:
        of, what = f" of {limit} of {len(means)} systems", "in parentheses how many"
    return Table(kept, f"Means{of} by {measures[0]}, the best first; {what}: {beaten(conditions)}.")


def _beats(mark: str, counted_only: bool, n_systems: int) -> str:
    """The letters of the systems beaten, or how many they are."""
    if not counted_only:
        return mark.replace(",", ", ")
    separated = n_systems > len(ascii_lowercase)
    return f"({len(mark.split(',')) if separated and mark else len(mark)})"


def legend(result: Compared) -> Sentences:
    """What the brackets and stars of a table of differences are."""
    conditions = result.conditions
    fixed = ""
    if conditions.over == ("query",) and conditions.n_subjects is not None:
        fixed = "; subjects are fixed"
        if conditions.nested:
            fixed = "; subjects are sampled with their query"
    brackets = (
        f"Brackets: {intervals_text(conditions)} of the mean difference over {conditions.random}"
        f"{fixed}."
    )
    if conditions.of_worlds:
        brackets = (
            f"Brackets: what holds {worlds_held(conditions)}; worlds say how uncertain these "
            "scores are, and are no sample of people."
        )
    return Sentences.of(brackets, cut_line(result.table, conditions), *basis(result).lines)


def basis(result: Compared) -> Sentences:
    """What decides whether a difference is significant."""
    conditions = result.conditions
    size = f"{1 - conditions.level:.2g}"
    lower = [name for name in conditions.measures if not conditions.better_up(name)]
    few = too_few_worlds(result.table, conditions)
    return Sentences.of(
        f"{found_words(conditions)}: {p_name(conditions)} at most {size}, by "
        f"{procedure(conditions)}.",
        f"{few}." if few else "",
        f"Lower is better for {', '.join(lower)}." if lower else "",
    )


def subject_table(each: SubjectComparisons, limit: int) -> Table:
    """The comparison by each subject's judgments alone; counts if there are more rows.

    Of the counts, too, at most `limit` rows.
    """
    conditions, table = each.conditions, each.table
    title = "Each subject's judgments alone as the ground truth, over queries"
    if len(table) > limit:
        counts = table.groupby(["subject", "measure"], sort=False)["significant"].agg(
            ["sum", "size"]
        )
        subject, measure = zip(*counts.index, strict=True)
        totals = (
            Column.label("subject", subject),
            Column.label("measure", measure),
            Column("significant", tuple(f"{n:,}" for n in counts["sum"])),
            Column("differences", tuple(f"{n:,}" for n in counts["size"])),
        )
        kept, left_out = first_rows(totals, limit)
        of = f"; the first {limit} of {len(counts):,} rows" if left_out else ""
        return Table(kept, f"{title}{of}:")
    rows: Sequence[Any] = list(turned(table, conditions, each.pooled.table).itertuples(index=False))
    several = len(conditions.measures) > 1
    labels = {"subject": "subject", "measure": "measure", "system_a": "system"}
    if not several:
        del labels["measure"]
    if len(conditions.baselines) == 1:
        title += f"; system minus {conditions.baselines[0]}"
    else:
        labels["system_b"] = "minus"
    columns = tuple(
        Column.label(heading, (getattr(row, name) for row in rows))
        for name, heading in labels.items()
    )
    return Table((*columns, *difference_columns(rows, conditions)), f"{title}:")


def detectable(result: Compared) -> str:
    """The differences that would have been found where none is shown; "" if there are none."""
    table = result.table
    unknown = table.loc[~table["significant"], ["measure", "min_detectable"]].dropna()
    unknown = unknown[unknown["min_detectable"] < math.inf]
    if not len(unknown):
        return ""
    spans = unknown["measure"].map(result.conditions.span_of)
    found = unknown.loc[unknown["min_detectable"] <= spans, "min_detectable"]
    start, power = "No *: not shown, which is not the same as none", "found with 80 % power"
    power += result.conditions.found_by
    if not len(found):
        return f"{start}; no difference that such values can have would have been {power}."
    least, most = two_digits(found.min()), two_digits(found.max())
    size = least if least == most else f"{least} to {most}"
    rest = len(unknown) - len(found)
    never = f", and for {counted(rest, 'pair')} none that such values can have" if rest else ""
    return f"{start}; true differences of {size} would have been {power}{never}."


def _first(table: Table) -> Table:
    """The first rows of a table of differences."""
    columns, left_out = first_rows(table.columns, MOST_DIFFERENCES)
    if not left_out:
        return table
    title = f"{table.title}. " if table.title else ""
    title += f"The first {MOST_DIFFERENCES} of {table.n_rows} differences."
    return Table(columns, title, table.extras)


def _more(result: Compared) -> Sentences:
    """Where the rest is."""
    each = (
        ", .by_subject()" if result.conditions.n_subjects and not result.conditions.nested else ""
    )
    return Sentences.of(
        f'More: .to_frame(full=True), .assumptions, .verdicts(){each}, .report("report.html")'
    )
