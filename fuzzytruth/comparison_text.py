"""A `Comparison` in words and as tables of text."""

from __future__ import annotations

from itertools import product
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth.stats.axes import in_words
from fuzzytruth.stats.corrections import CORRECTIONS

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.comparison import Comparison, Conditions

_ESCAPED = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{c: "\\" + c for c in "&%$#_{}"},
}


def axes_of(conditions: Conditions) -> str:
    """What was random, in words."""
    return in_words(conditions.over)


def letters(count: int) -> list[str]:
    """Labels a to z, aa, ab, ...

    Examples
    --------
    >>> letters(28)[24:]
    ['y', 'z', 'aa', 'ab']
    """
    out: list[str] = []
    size = 1
    while len(out) < count:
        out += ["".join(word) for word in product(ascii_lowercase, repeat=size)]
        size += 1
    return out[:count]


def _winners(table: pd.DataFrame, conditions: Conditions) -> pd.DataFrame:
    """Measure, winner and loser of each significant row."""
    import pandas as pd

    better = dict(zip(conditions.measures, conditions.higher_is_better, strict=True))
    some = table[table["significant"]]
    up = (some["difference"] > 0) == some["measure"].map(better).astype(bool)
    return pd.DataFrame(
        {
            "measure": some["measure"],
            "winner": some["system_a"].where(up, some["system_b"]),
            "loser": some["system_b"].where(up, some["system_a"]),
        }
    )


def superscripts(comparison: Comparison) -> pd.DataFrame:
    """See `Comparison.superscripts`."""
    conditions = comparison.conditions
    label = dict(zip(conditions.systems, letters(len(conditions.systems)), strict=True))
    between = "," if len(conditions.systems) > len(ascii_lowercase) else ""
    out = comparison.means.astype(object)
    out.loc[:, :] = ""
    won = _winners(comparison.table, conditions)
    order = {system: place for place, system in enumerate(conditions.systems)}
    for (measure, winner), losers in won.groupby(["measure", "winner"])["loser"]:
        marks = [label[system] for system in sorted(losers, key=order.__getitem__)]
        out.loc[winner, measure] = between.join(marks)
    return out


def _number(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:.4f}"


def p_text(value: float) -> str:
    """A p-value in four digits, and never as 0.

    Examples
    --------
    >>> p_text(0.01234567), p_text(3e-9)
    ('0.01235', '< 0.0001')
    """
    return "< 0.0001" if value < 0.0001 else f"{value:.4g}"


def _test_in_words(conditions: Conditions) -> str:
    """Name of the test, and over how many comparisons it holds."""
    tests = conditions.tests
    pairs = "comparison" if tests == 1 else f"{tests:,} comparisons"
    drawn = f"{conditions.n_resamples:,} resamples"
    single = "t test"
    if conditions.over == ("world",) and conditions.worlds != "population":
        single = "share of worlds"
    names = {
        "max-t": f"studentised max-T by centred sign flips over {pairs} ({drawn})",
        "permuted labels": f"permuted labels over {pairs} ({drawn}; complete null)",
        "none": f"{single}, not adjusted" if tests > 1 else f"{single}, a single comparison",
    }
    default = f"{single}, adjusted by {conditions.correction} over {pairs}"
    return names.get(conditions.correction, default)


def _caption(conditions: Conditions) -> str:
    queries = f"{conditions.n_queries:,} {'query' if conditions.n_queries == 1 else 'queries'}"
    subjects = "" if conditions.n_subjects is None else f" and {conditions.n_subjects:,} subjects"
    against = "" if conditions.baseline is None else f", each system against {conditions.baseline}"
    lower = [
        name
        for name, up in zip(conditions.measures, conditions.higher_is_better, strict=True)
        if not up
    ]
    direction = f" Lower is better for {', '.join(lower)}." if lower else ""
    return (
        f"Means over {queries}{subjects}. Superscripts: systems that are beaten, by "
        f"{_test_in_words(conditions)}{against}, random over {axes_of(conditions)}, "
        f"level {conditions.level:g}.{direction}"
    )


def _rows(comparison: Comparison) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Label, system, and for each measure the mean and its marks."""
    marks = superscripts(comparison)
    label = letters(len(comparison.means))
    out = []
    for number, system in enumerate(comparison.means.index):
        cells = [
            (_number(float(mean)), str(mark))
            for mean, mark in zip(comparison.means.iloc[number], marks.iloc[number], strict=True)
        ]
        out.append((label[number], str(system), cells))
    return out


def escaped(text: str) -> str:
    r"""Text as LaTeX prints it.

    Examples
    --------
    >>> print(escaped("run_1 & 50%"))
    run\_1 \& 50\%
    """
    return "".join(_ESCAPED.get(c, c) for c in text)


def to_latex(comparison: Comparison) -> str:
    """See `Comparison.to_latex`."""
    measures = comparison.conditions.measures
    lines = [
        r"\begin{table}[t]",
        r"\centering",
        rf"\caption{{{escaped(_caption(comparison.conditions))}}}",
        r"\label{tab:comparison}",
        rf"\begin{{tabular}}{{ll{'l' * len(measures)}}}",
        r"\toprule",
        " & ".join(["", "system", *map(escaped, measures)]) + r" \\",
        r"\midrule",
    ]
    for label, system, cells in _rows(comparison):
        numbers = [mean + (f"$^{{{mark}}}$" if mark else "") for mean, mark in cells]
        lines.append(" & ".join([label, escaped(system), *numbers]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}", ""])


def to_markdown(comparison: Comparison) -> str:
    """See `Comparison.to_markdown`."""
    measures = comparison.conditions.measures

    def cell(text: str) -> str:
        return text.replace("|", "\\|")

    lines = [
        "| | system | " + " | ".join(map(cell, measures)) + " |",
        "|---|---|" + "---|" * len(measures),
    ]
    for label, system, cells in _rows(comparison):
        numbers = [mean + (f"<sup>{mark}</sup>" if mark else "") for mean, mark in cells]
        lines.append("| " + " | ".join([label, cell(system), *numbers]) + " |")
    return "\n".join([*lines, "", _caption(comparison.conditions), ""])


def verdicts(comparison: Comparison) -> list[str]:
    """See `Comparison.verdicts`."""
    conditions = comparison.conditions
    better: dict[Any, bool] = dict(
        zip(conditions.measures, conditions.higher_is_better, strict=True)
    )
    both: dict[Any, Any] = {}
    other = ""
    if comparison.beside is not None and conditions.over == ("query",):
        other = "worlds" if conditions.n_subjects is None else "subjects"
        some = comparison.beside[comparison.beside["over"] == f"queries and {other}"]
        both = {
            (row.measure, row.system_a, row.system_b): row for row in some.itertuples(index=False)
        }
    out = []
    for row in comparison.table.itertuples(index=False):
        crossed = both.get((row.measure, row.system_a, row.system_b))
        out.append(_verdict(row, better[row.measure], conditions, crossed, other))
    return out


def _verdict(row: Any, up: bool, conditions: Conditions, crossed: Any, other: str) -> str:
    """The sentence on one pair."""
    if np.isnan(row.difference):
        return f"{row.system_a} and {row.system_b} have no value of {row.measure} in common"
    if row.wins + row.losses == 0:
        return (
            f"{row.system_a} and {row.system_b} have the same {row.measure} on all "
            f"{row.n_queries:,} queries"
        )
    if not row.significant:
        size = _size(row, 1, conditions)
        return f"{row.measure} does not tell {row.system_a} from {row.system_b}: difference {size}"
    a_wins = (row.difference > 0) == up
    first, second = (row.system_a, row.system_b) if a_wins else (row.system_b, row.system_a)
    size = _size(row, 1 if row.difference > 0 else -1, conditions, "" if up else " less")
    parts = [f"{first} beats {second} on {row.measure} by {size}"]
    if not np.isnan(row.share_subjects):
        parts.append(f"holds for {row.subjects_agree} of {row.n_subjects} subjects")
    if not np.isnan(row.share_worlds):
        parts.append(f"holds in {row.share_worlds:.0%} of the worlds")
    if crossed is not None:
        held = crossed.significant and (crossed.difference > 0) == (row.difference > 0)
        parts.append(f"{'also' if held else 'not'} if queries and {other} are both resampled")
    return "; ".join(parts)


def _size(row: Any, sign: int, conditions: Conditions, unit: str = "") -> str:
    """Difference, interval and p of a row, turned round if `sign` is -1."""
    lower, upper = sorted((sign * row.lower, sign * row.upper))
    name = "p" if conditions.correction == "none" else "adjusted p"
    p = p_text(row.p_adjusted)
    return (
        f"{sign * row.difference:.4g}{unit} [{lower:.4g}, {upper:.4g}], "
        f"{name} {p if p.startswith('<') else '= ' + p}"
    )


def assumptions(conditions: Conditions) -> str:
    """See `Comparison.assumptions`."""
    over = axes_of(conditions)
    lines = [
        f"Estimated: the mean difference of each pair, over {conditions.n_queries:,} queries"
        + ("" if conditions.n_subjects is None else f" and {conditions.n_subjects:,} subjects")
        + ".",
        f"Random: {over}, taken as a sample of those that might have been; all else is fixed.",
        "Null hypothesis of each comparison: the mean difference is 0.",
        f"Test: {_test_in_words(conditions)}"
        + (", all measures being one family." if conditions.across_measures else "."),
        f"Intervals: level {conditions.level:g}, {conditions.interval}"
        + ("" if conditions.interval == "unadjusted" else ", agreeing with the adjusted p")
        + ".",
    ]
    lines += _caveats(conditions)
    return "\n".join(lines)


def _caveats(conditions: Conditions) -> list[str]:
    """What the answer rests on."""
    out = []
    if conditions.correction in CORRECTIONS:
        out.append(f"It holds: {CORRECTIONS[conditions.correction]}.")
    if conditions.correction == "max-t":
        out.append(
            "It holds the family-wise error whichever systems differ, for independent queries; "
            "with few queries and skewed differences only roughly."
        )
    if conditions.correction == "permuted labels":
        out.append("It holds the family-wise error only if no system differs from any other.")
    if conditions.nested and conditions.n_subjects is not None:
        out.append("Subjects are nested in queries and come anew with them.")
    elif conditions.over == ("query",) and conditions.n_subjects is not None:
        out.append("Other subjects might decide otherwise: see over=('query', 'subject').")
    if conditions.worlds is not None:
        out.append(f"Values are expected ones under {conditions.worlds} worlds.")
    if conditions.rope is not None:
        widths = ", ".join(f"{width:g} ({name})" for name, width in conditions.rope.items())
        out.append(
            f"Posterior: prior p(mu, sigma) ~ 1/sigma; practically the same within {widths}; "
            "not adjusted for the number of comparisons."
        )
    return out
