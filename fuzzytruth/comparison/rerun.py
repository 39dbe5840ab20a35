"""What it takes to compute a report again: versions, settings, checksums."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fuzzytruth.comparison.compared import Compared
from fuzzytruth.core.validation import option_text
from fuzzytruth.core.versions import installed_version
from fuzzytruth.errors import DataError
from fuzzytruth.io.paths import matching_files
from fuzzytruth.report import Code, Column, Section, Table, Text

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores import Scores


def rerun_section(
    scores: Scores,
    comparison: Compared | None,
    command: str = "",
    files: Sequence[tuple[str, str]] = (),
) -> Section:
    """How to compute it again.

    Parameters
    ----------
    scores : Scores
    comparison : Comparison or None
    command : str
        Of the command line.
    files : sequence of (name, SHA-256)
    """
    return Section.of(
        "rerun",
        "Compute it again",
        Code(command, "Command") if option_text("command", command) else None,
        _table("Settings", ("setting", "value"), _settings(scores, comparison)),
        _table("Files", ("file", "SHA-256"), files),
        _table("Data", ("data", "checksum"), _checksums(scores)),
        Text.of(
            "Checksums of data are those of fuzzytruth: equal for equal data, whatever the order "
            "of the rows.",
            kind="note",
        )
        if _checksums(scores)
        else None,
    )


def checksums(files: str | Path | Iterable[str | Path]) -> list[tuple[str, str]]:
    """Names of files, or patterns, without their folders, with their SHA-256.

    Raises
    ------
    DataError
        A file cannot be read, or no file matches a pattern.
    OptionError
        Something is no path.
    """
    out = []
    for path in matching_files(files):
        try:
            with path.open("rb") as file:
                out.append((path.name, hashlib.file_digest(file, "sha256").hexdigest()))
        except OSError as error:
            raise DataError(f"{path}: cannot be read ({error.strerror or error})") from None
    return out


def _settings(scores: Scores, comparison: Compared | None) -> list[tuple[str, str]]:
    """Options with their values."""
    out = [("fuzzytruth", installed_version("fuzzytruth"))]
    made = scores.provenance
    if made is not None:
        if made.version != out[0][1]:
            out.append(("fuzzytruth of the scores", made.version))
        out += [(name, str(value)) for name, value in made.options().items()]
        if made.seed is not None:
            out.append(("seed of the worlds", " ".join(map(str, made.seed))))
    out.append(("measures", ", ".join(scores.measures)))
    if comparison is not None:
        conditions = comparison.conditions
        out += [
            ("level", f"{conditions.level:g}"),
            ("correction", conditions.correction),
            ("resamples", f"{conditions.n_resamples:,}"),
            ("seed of the resamples", " ".join(map(str, comparison.family.using.entropy))),
        ]
        if conditions.baselines:
            out.append(("baseline", ", ".join(conditions.baselines)))
    return out


def _checksums(scores: Scores) -> list[tuple[str, str]]:
    """Those of the truth and of the runs, as far as they are known."""
    made = scores.provenance
    if made is None:
        return []
    truth = [("ground truth", made.truth)] if made.truth else []
    return [*truth, *((f"run of {system}", checksum) for system, checksum in made.runs)]


def _table(caption: str, headings: tuple[str, str], rows: Iterable[tuple[str, str]]) -> Table:
    listed = list(rows)
    columns = (Column(name, tuple(row[j] for row in listed)) for j, name in enumerate(headings))
    return Table(caption, tuple(columns), sortable=False)
