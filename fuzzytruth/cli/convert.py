"""`fuzzytruth convert`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from fuzzytruth.cli import derived
from fuzzytruth.cli.derive import INPUT, Option
from fuzzytruth.cli.inputs import check_outputs, matrix_options, second_column
from fuzzytruth.cli.options import TableOptions, files_of
from fuzzytruth.cli.output import working
from fuzzytruth.errors import DataError, FuzzytruthError, OptionError

if TYPE_CHECKING:
    from fuzzytruth.data.judgments import Judgments
    from fuzzytruth.data.runs import Runs
    from fuzzytruth.io.files import Source

_SYSTEM = "{system}"


@derived.with_options(
    derived.RUNS_OR_MATRICES,
    derived.JUDGMENTS,
    derived.RESCALED,
    derived.INTENTS,
    derived.DISTANCES,
    kind=Option(panel=INPUT),
)
def convert(context: typer.Context, source: Path, target: str, *, kind: str = "auto") -> None:
    r"""Convert judgments or runs to other formats.

    TREC, CSV, TSV, JSON, JSON lines, Parquet and .gz of each; columns may have any of their usual
    names. With --order-by rank, the scores written agree with the ranks.

    Parameters
    ----------
    source : path
        A file of any format.
    target : str
        Its ending names the format: TREC without one, or .txt, .run, .qrels. With {system} in it,
        one file a system.
    kind : {"auto", "judgments", "runs"}
        What IN holds; auto: whatever it can be read as (a table with scores and without grades:
        runs).

    Examples
    --------
    On the sample that comes with the package:
      fuzzytruth demo --copy-to sample
      fuzzytruth convert sample/judgments.parquet judgments.csv
      fuzzytruth convert sample/runs.parquet '{system}.run' --order-by rank
    On files of your own:
      fuzzytruth convert qrels.txt judgments.parquet
      fuzzytruth convert runs.csv 'runs/{system}.run.gz' --kind runs
      fuzzytruth convert export.csv qrels.txt --columns query=topic_no \
        --grades yes=1,no=0 --drop na
      fuzzytruth convert sim.npy sim.run --queries queries.txt \
        --items items.txt --depth 1000
    """
    from fuzzytruth.io.files import format_to_write
    from fuzzytruth.io.writing import check_target

    format_to_write(Path(target))
    if Path(target).exists() and not source.is_file():  # which may be rewritten in its place
        check_outputs([source], Path(target))
    if _SYSTEM not in str(Path(target).parent):
        check_target(Path(target))
    with working("reading"):
        content = _read(context, source, kind)
    if _SYSTEM in target:
        _write_each_system(content, target)
    else:
        content.write(target)


def _read(context: typer.Context, path: Path, kind: str) -> Judgments | Runs:
    """Read a file as judgments or runs, or as the one of them that it can be read as.

    Raises
    ------
    OptionError
        It is judgments as well as runs.
    DataError
        It is neither.
    """
    from fuzzytruth.data.reading import runs_of_files
    from fuzzytruth.io.files import Source, matching_files

    given, table = context.params, TableOptions.of(context.params)
    groups = second_column(given["groups"], intents=given["intents"])
    matrix = matrix_options(given)
    votes = files_of(path)
    several = isinstance(votes, (dict, list)) or path.is_dir()
    if kind == "judgments" or (kind == "auto" and several):
        return table.judgments(votes, groups=groups)
    source = Source.of(path)
    kind = _kind(source, kind, table)

    def runs() -> Runs:
        files = matching_files(path) if source.contents is None else [source]
        return runs_of_files(
            [(None, file) for file in files],
            name=given["name_by"],
            order_by=given["order_by"],
            duplicates=given["duplicates"],
            matrix=matrix,
            columns=table.columns,
        )

    readers: dict[str, Callable[[], Judgments | Runs]] = {
        "judgments": partial(
            table.judgments, path if source.contents is None else source, groups=groups
        ),
        "runs": runs,
    }
    contents: list[Judgments | Runs] = []
    errors: dict[str, FuzzytruthError] = {}
    for name, read in readers.items():
        if kind in ("auto", name):
            try:
                contents.append(read())
            except (DataError, OptionError) as error:
                errors[name] = error
    if len(contents) == 1:
        return contents[0]
    if contents:
        raise OptionError(
            f"{path}: can be read as judgments and as runs; add --kind judgments or --kind runs"
        )
    if len(set(map(str, errors.values()))) == 1:
        raise next(iter(errors.values()))
    both = "; ".join(f"as {name}: {error}" for name, error in errors.items())
    raise DataError(f"{path}: can be read neither as judgments nor as runs: {both}")


def _kind(source: Source, kind: str, table: TableOptions) -> str:
    """What the file and the options say it holds; "auto" if they do not.

    Raises
    ------
    OptionError
        Options of judgments are given for runs.
    """
    from fuzzytruth.data.reading import holds_labels
    from fuzzytruth.io.column_names import has_columns
    from fuzzytruth.io.matrices import NUMPY_ENDINGS
    from fuzzytruth.io.table_files import column_names

    of_judgments = {"grades", "drop", "subjects", "rescale", "duplicate_votes"} & {*table.typed}
    if kind == "runs":
        table.refuse("is for judgments, not runs; leave it out", *of_judgments)
    if kind != "auto":
        return kind
    if source.ending in NUMPY_ENDINGS:
        return "runs"
    if of_judgments or holds_labels(source, table.columns):
        return "judgments"  # labels are runs if --kind says so: they may be votes, or shares
    named = [*column_names(source), *(table.columns or {})]
    is_graded = any(has_columns(named, (name,)) for name in ("grade", "probability"))
    return "runs" if has_columns(named, ("query", "item", "score")) and not is_graded else kind


def _write_each_system(content: Judgments | Runs, pattern: str) -> None:
    """Write one file per system, its name in place of ``{system}``."""
    from fuzzytruth.data.runs import Runs

    if not isinstance(content, Runs):
        raise OptionError(f"{pattern}: {_SYSTEM} is for runs only, and these are judgments")
    for system in content:
        if Path(system).name != system:
            raise DataError(f"{pattern}: the system {system!r} cannot be part of a file name")
    for system, ranking in content.items():
        Runs({system: ranking}).write(pattern.replace(_SYSTEM, system))
