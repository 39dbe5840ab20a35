"""`fuzzytruth report`."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import typer

from fuzzytruth.cli.analyse import ANALYSED, read_analysis
from fuzzytruth.cli.derive import OUTPUT, Option
from fuzzytruth.cli.derived import with_options
from fuzzytruth.cli.inputs import split_names
from fuzzytruth.cli.output import print_line
from fuzzytruth.errors import OptionError

_FILES = ("clusters", "taxonomy", "asked", "queries", "items")


def _check_page(path: Path) -> Path:
    from fuzzytruth.comparison.comparison_report import PAGE_ENDINGS

    if path.suffix.lower() not in PAGE_ENDINGS:
        raise OptionError(f"-o {path}: a report is a page; name the file {', '.join(PAGE_ENDINGS)}")
    return path


@with_options(
    *ANALYSED,
    title=Option(panel=OUTPUT, metavar="TEXT"),
    output=Option(panel=OUTPUT, metavar="FILE.html", settings={"callback": _check_page}),
)
def report(
    context: typer.Context,
    inputs: list[str],
    *,
    title: str | None = None,
    output: Path = Path("report.html"),
) -> None:
    r"""Write what analyse finds as a page, in one file that needs no network.

    It has verdicts, figures, tables to sort (systems, pairs, queries, subjects), agreement, checks
    of the data, a paragraph on methods with references, and the command and checksums of the files
    to compute it again.

    Parameters
    ----------
    title : str
        Heading of the page. By default what was analysed.
    output : path
        Where to write it.

    Examples
    --------
    On the sample that comes with the package:
      fuzzytruth demo --copy-to sample
      fuzzytruth report sample/judgments.parquet sample/runs.parquet \
        --order-by rank -m AP,RR
    On files of your own:
      fuzzytruth report qrels.txt a.run b.run -m nDCG@10 -o report.html
      fuzzytruth report votes.csv a.run b.run -m AP,P@10 --title "Two readings"
      fuzzytruth report scores.csv --baseline a
    """
    files = list(_files(context, inputs))

    def without_folders(note: str) -> str:
        for file in files:
            note = note.replace(str(file), file.name) if file.is_absolute() else note
        return note

    result = read_analysis(context, inputs, reworded=without_folders)
    path = result.report(output, title=title, command=_command(context), files=files)
    print_line(f"wrote {path}", sys.stderr)


def _files(context: typer.Context, inputs: list[str]) -> Iterator[Path]:
    """All files that were read."""
    from fuzzytruth.io.files import matching_files

    named, unnamed = split_names(inputs)
    yield from matching_files(unnamed)
    yield from map(Path, named.values())
    for name in _FILES:
        given = context.params.get(name)
        if given is not None and Path(given).is_file():
            yield Path(given)


def _command(context: typer.Context) -> str:
    """The command line without the name of the page, and without folders of absolute paths."""
    words = [_without_folder(word) for word in context.obj.words]
    for flag in ("-o", "--output"):
        if flag in words:
            at = words.index(flag)
            del words[at : at + 2]
    kept = (word for word in words if not word.startswith("--output="))
    return shlex.join(["fuzzytruth", *kept])


def _without_folder(word: str) -> str:
    """A path, or NAME=PATH, without its folder if it is absolute."""
    name, equals, path = word.rpartition("=")
    return f"{name}{equals}{Path(path).name}" if Path(path).is_absolute() else word
