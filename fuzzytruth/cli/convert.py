"""`fuzzytruth convert`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from fuzzytruth.cli import matrices, options, panels, table_options
from fuzzytruth.cli.inputs import second_column
from fuzzytruth.cli.panels import setting
from fuzzytruth.cli.progress import working
from fuzzytruth.cli.table_options import TableOptions
from fuzzytruth.errors import DataError, FuzzytruthError, OptionError

if TYPE_CHECKING:
    from fuzzytruth.data.judgments import Judgments
    from fuzzytruth.data.ranking import MatrixOptions
    from fuzzytruth.data.reading import Groups, NameBy
    from fuzzytruth.data.runs import Runs
    from fuzzytruth.io.files import Source

EXAMPLE = """\b
Examples, on the sample that comes with the package:
  fuzzytruth demo --copy-to sample
  fuzzytruth convert sample/judgments.parquet judgments.csv
  fuzzytruth convert sample/runs.parquet '{system}.run' --order-by rank
On files of your own:
  fuzzytruth convert qrels.txt judgments.parquet
  fuzzytruth convert runs.csv 'runs/{system}.run.gz' --kind runs
  fuzzytruth convert export.csv qrels.txt --columns query=topic_no \\
    --grades yes=1,no=0 --drop na
  fuzzytruth convert sim.npy sim.run --queries queries.txt \\
    --items items.txt --depth 1000
"""
Kind = Literal["auto", "judgments", "runs"]
_SYSTEM = "{system}"


def convert(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="IN", help="A file of any format.", show_default=False, readable=False
        ),
    ],
    target: Annotated[
        str,
        typer.Argument(
            metavar="OUT",
            help="Its ending names the format: TREC without one, or .txt, .run, .qrels. With "
            "{system} in it, one file a system.",
            show_default=False,
        ),
    ],
    kind: Annotated[
        Kind,
        setting(
            panels.INPUT,
            "What IN holds; auto: whatever it can be read as (a table with scores and "
            "without grades: runs).",
        ),
    ] = ("auto"),
    name_by: options.NameBy = "file",
    order_by: options.OrderBy = "score",
    duplicates: options.Duplicates = "error",
    columns: table_options.Columns = None,
    grades: table_options.Grades = None,
    drop: table_options.Drop = None,
    subjects: table_options.Subjects = None,
    rescale: table_options.Rescale = None,
    groups: options.Groups = None,
    intents: options.IntentGroups = False,
    queries: matrices.QueryFile = None,
    items: matrices.ItemFile = None,
    distances: matrices.Distances = False,
    exclude_self: matrices.ExcludeSelf = False,
    depth: matrices.Depth = None,
) -> None:
    """Convert judgments or runs to other formats.

    TREC, CSV, TSV, JSON, JSON lines, Parquet and .gz of each; columns may have any of their usual
    names. With --order-by rank, the scores written agree with the ranks.
    """
    from fuzzytruth.io.files import format_to_write
    from fuzzytruth.io.writing import check_target

    format_to_write(Path(target))
    if _SYSTEM not in str(Path(target).parent):
        check_target(Path(target))
    with working("reading"):
        content = read(
            source,
            kind=kind,
            name_by=name_by,
            order_by=order_by,
            duplicates=duplicates,
            groups=second_column(groups, intents=intents),
            table=table_options.TableOptions.from_options(columns, grades, drop, subjects, rescale),
            matrix=matrices.matrix_options(
                queries, items, distances=distances, exclude_self=exclude_self, depth=depth
            ),
        )
    if _SYSTEM in target:
        write_each_system(content, target)
    else:
        content.write(target)


def read(
    source: Path,
    *,
    kind: Kind,
    name_by: NameBy,
    order_by: str,
    duplicates: str,
    groups: Groups,
    table: TableOptions,
    matrix: MatrixOptions,
) -> Judgments | Runs:
    """Read a file as judgments or runs, or as the one of them that it can be read as."""
    from fuzzytruth.data.reading import runs_of_files
    from fuzzytruth.io.files import Source, matching_files

    opened = Source.of(source)
    kind = _kind(opened, kind, table)
    contents: dict[str, Judgments | Runs] = {}
    errors: dict[str, FuzzytruthError] = {}
    if kind != "runs":
        try:
            contents["judgments"] = table.judgments(opened, groups=groups)
        except (DataError, OptionError) as error:
            errors["judgments"] = error
    if kind != "judgments":
        try:
            is_read = opened.contents is not None
            contents["runs"] = runs_of_files(
                [(None, path) for path in ([opened] if is_read else matching_files(source))],
                name=name_by,
                order_by=order_by,
                duplicates=duplicates,
                matrix=matrix,
                columns=table.columns,
            )
        except (DataError, OptionError) as error:
            errors["runs"] = error
    return _the_one(source, contents, errors)


def _kind(source: Source, kind: Kind, table: TableOptions) -> Kind:
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

    of_judgments = {"grades", "drop", "subjects", "rescale"} & {*table.typed}
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


def _the_one(
    source: Path, contents: dict[str, Judgments | Runs], errors: dict[str, FuzzytruthError]
) -> Judgments | Runs:
    """What could be read.

    Raises
    ------
    OptionError
        It is judgments as well as runs.
    DataError
        It is neither.
    """
    if len(contents) == 1:
        return next(iter(contents.values()))
    if contents:
        raise OptionError(
            f"{source}: can be read as judgments and as runs; add --kind judgments or --kind runs"
        )
    if len(set(map(str, errors.values()))) == 1:
        raise next(iter(errors.values()))
    both = "; ".join(f"as {name}: {error}" for name, error in errors.items())
    raise DataError(f"{source}: can be read neither as judgments nor as runs: {both}")


def write_each_system(content: Judgments | Runs, pattern: str) -> None:
    """Write one file per system, its name in place of ``{system}``."""
    from fuzzytruth.data.runs import Runs

    if not isinstance(content, Runs):
        raise OptionError(f"{pattern}: {_SYSTEM} is for runs only, and these are judgments")
    for system in content:
        if Path(system).name != system:
            raise DataError(f"{pattern}: the system {system!r} cannot be part of a file name")
    for system, ranking in content.items():
        Runs({system: ranking}).write(pattern.replace(_SYSTEM, system))
