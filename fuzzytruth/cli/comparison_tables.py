"""Comparisons as text."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from fuzzytruth.cli.options import ComparisonFormat
from fuzzytruth.cli.output import emit
from fuzzytruth.cli.tables import by_ending, print_table, to_json

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.comparison.result import Comparison

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
        emit(lambda file: _print(result, file), output)
        return
    if output_format == "latex":
        text = result.to_latex()
    elif output_format == "markdown":
        text = result.to_markdown()
    else:
        frame = result.to_frame()
        text = frame.to_csv(index=False) if output_format == "csv" else to_json(frame)
    emit(lambda file: file.write(text), output)


def _print(result: Comparison, file: TextIO) -> None:
    """Means with letters, differences, and assumptions."""
    print_means(result.means, result.superscripts(), file)
    print(file=file)
    headings, *rows = _differences(result.to_frame())
    print_table(headings, rows, file)
    print(f"\n{result.assumptions}", file=file)


def print_means(means: pd.DataFrame, superscripts: pd.DataFrame, file: TextIO) -> None:
    """Means, each followed by the letters of the systems beaten."""
    from fuzzytruth.comparison.tables import letters

    rows = []
    for label, system in zip(letters(len(means)), means.index, strict=True):
        pairs = zip(means.loc[system], superscripts.loc[system], strict=True)
        rows.append([label, system, *(f"{mean:.4f} {mark}".rstrip() for mean, mark in pairs)])
    print_table(["", "system", *means.columns], rows, file)


def _differences(table: pd.DataFrame) -> list[list[str]]:
    """Headings, and one row per pair and measure."""
    from fuzzytruth.comparison.verdicts import p_text

    headings = ["measure", "a - b", "difference", "interval", "p", "adjusted p", "d_z", "w/t/l"]
    bayesian = "posterior_rope" in table
    rows = [[*headings, "better/same/worse"] if bayesian else headings]
    pairs: Iterable[Any] = table.itertuples(index=False)
    for pair in pairs:
        cells = [
            pair.measure,
            f"{pair.system_a} - {pair.system_b}",
            f"{pair.difference:+.4f}" + (" *" if pair.significant else ""),
            f"[{pair.lower:+.4f}, {pair.upper:+.4f}]",
            p_text(pair.p),
            p_text(pair.p_adjusted),
            "-" if pair.d_z != pair.d_z else f"{pair.d_z:+.2f}",
            f"{pair.wins}/{pair.ties}/{pair.losses}",
        ]
        if bayesian:
            shares = (pair.posterior_better, pair.posterior_rope, pair.posterior_worse)
            cells.append("/".join(f"{share:.2f}" for share in shares))
        rows.append(cells)
    return rows
