"""Comparisons as text."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from fuzzytruth.cli.messages import as_typed
from fuzzytruth.cli.options import ComparisonFormat
from fuzzytruth.cli.output import emit, emit_text, print_line
from fuzzytruth.cli.tables import by_ending, number_text, print_table, to_json

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.comparison.result import Comparison

LEGEND = """\
Letters after a mean: {beaten}. *: {p} at most {size:.2g}.
d_z: mean difference over its standard deviation. w/t/l: queries won, tied and lost."""
_BY_SUFFIX: dict[str, ComparisonFormat] = {
    ".csv": "csv",
    ".json": "json",
    ".tex": "latex",
    ".md": "markdown",
    ".txt": "table",
}


def format_of_comparison(output: Path | None) -> ComparisonFormat:
    """The format that the ending of a file names; see `format_for`."""
    return by_ending(output, _BY_SUFFIX, "table")


def show_comparison(
    result: Comparison, *, output_format: ComparisonFormat, output: Path | None
) -> None:
    """Print a comparison, or write it to a file."""
    if output_format == "table":
        emit(lambda file: print_comparison(result, file), output)
        return
    from fuzzytruth.io.writing import csv_text

    if output_format == "latex":
        text = result.to_latex()
    elif output_format == "markdown":
        text = result.to_markdown()
    else:
        frame = result.table
        text = csv_text(frame) if output_format == "csv" else to_json(frame)
    emit_text(text, output)


def print_comparison(result: Comparison, file: TextIO) -> None:
    """Means with letters, differences, and assumptions."""
    from fuzzytruth.comparison.tables import beaten

    print_means(result.means, result.superscripts(), file)
    print_line(file=file)
    adjusted = result.conditions.correction != "none"
    print_differences(result.table, "adjusted p" if adjusted else "p", file)
    legend = LEGEND.format(
        beaten=beaten(result.conditions).replace("systems", "the systems", 1),
        p="adjusted p" if adjusted else "p",
        size=1 - result.conditions.level,
    )
    print_line(f"\n{legend}{_detectable(result)}\n\n{as_typed(result.assumptions)}", file)


def _detectable(result: Comparison) -> str:
    """A line about the differences that would have been found where none is shown."""
    table = result.table
    found = table.loc[~table["significant"], "min_detectable"].dropna()
    found = found[found < math.inf]
    if not len(found):
        return ""
    least, most = found.min(), found.max()
    size = f"{least:.2g}" if f"{least:.2g}" == f"{most:.2g}" else f"{least:.2g} to {most:.2g}"
    return (
        "\nNo *: not shown, which is not the same as none; true differences of "
        f"{size}\nwould have been found with 80 % power."
    )


def print_means(means: pd.DataFrame, superscripts: pd.DataFrame, file: TextIO) -> None:
    """Means, each followed by the letters of the systems beaten."""
    from fuzzytruth.comparison.tables import letters

    rows = []
    for label, system in zip(letters(len(means)), means.index, strict=True):
        pairs = zip(means.loc[system], superscripts.loc[system], strict=True)
        cells = (f"{number_text(mean)} {mark.replace(',', ', ')}".rstrip() for mean, mark in pairs)
        rows.append([label, system, *cells])
    print_table(["", "system", *means.columns], rows, file)


def print_differences(table: pd.DataFrame, p: str, file: TextIO) -> None:
    """One row per pair and measure; `p` names the p-value that decides."""
    from fuzzytruth.comparison.verdicts import p_text

    headings = ["measure", "system", "minus", "mean diff.", "interval", p, "d_z", "w/t/l"]
    bayesian = "posterior_rope" in table
    rows = []
    pairs: Iterable[Any] = table.itertuples(index=False)
    for pair in pairs:
        cells = [
            pair.measure,
            pair.system_a,
            pair.system_b,
            _signed(pair.difference) + ("*" if pair.significant else ""),
            f"[{_signed(pair.lower)}, {_signed(pair.upper)}]",
            p_text(pair.p_adjusted).replace(" ", ""),
            _signed(pair.d_z, 2),
            f"{pair.wins}/{pair.ties}/{pair.losses}",
        ]
        if bayesian:
            shares = (pair.posterior_better, pair.posterior_rope, pair.posterior_worse)
            cells.append(" / ".join(f"{share:.2f}" for share in shares))
        rows.append(cells)
    print_table([*headings, "better / same / worse"] if bayesian else headings, rows, file)


def _signed(value: float, digits: int = 4) -> str:
    return number_text(value) if math.isnan(value) else f"{value:+.{digits}f}"
