"""`fuzzytruth convert`, `demo` and `measures`."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal, TextIO, get_args

import typer

from fuzzytruth.cli import derived
from fuzzytruth.cli.derive import INPUT, OUTPUT, Option
from fuzzytruth.cli.inputs import check_outputs, matrix_options, second_column
from fuzzytruth.cli.options import TableOptions, files_of
from fuzzytruth.cli.output import emit, emit_answer, print_line, working, write_file
from fuzzytruth.cli.typed_words import as_typed
from fuzzytruth.errors import DataError, FuzzytruthError, OptionError

if TYPE_CHECKING:
    from fuzzytruth.data.assignments import Assignments
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
    if len({as_typed(str(error)) for error in errors.values()}) == 1:
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


# `fuzzytruth demo`.

SampleName = Literal[
    "clef_tar2017", "cragc25", "dermatology_ddx", "imagenet_dogs", "llmjudge_dl23", "model_vs_human"
]
#: networks of the demonstration, and what they are called there
NETWORKS = {"swag_vit_h14_in1k": "vit", "swag_regnety_128gf_in1k": "regnety"}
QUERY, RANK = "bear9", 5

INTRODUCTION = f"""\
Whose truth? Ten people and two neural networks, vit and regnety, named what 160
silhouettes show, out of 16 things. There is no answer key: the truth is what
these ten people said. A query is one silhouette, and asks for others of its
kind, a kind as uncertain as the votes for it. A network lists the others by how
near the names that it gave them are, in a tree, to the name it gave the query.

Membership of one silhouette, {QUERY}: the share of the votes for each category
"""
ONE_QUERY = """
Precision has a distribution, since {query} may be one thing or the other. At
least half of the first {k} images are right with these probabilities:
{chances}.
"""
SCREEN = """\
All queries, and each person's own truth:
"""
WHAT_NEXT = """
Try next:
  {command} demo --copy-to sample
  {command} santini sample/votes.csv --taxonomy sample/tree.csv \\
    sample/vit.run sample/regnety.run -k 5 -o santini.html
  {command} membership sample/votes.csv --taxonomy sample/tree.csv \\
    --item bear9
Graded judgments are the case where a grade takes the place of a category, and
a single truth the case where memberships are 0 or 1:
  {command} evaluate sample/judgments.parquet \\
    sample/runs.parquet --order-by rank --worlds subject
  {command} report sample/judgments.parquet \\
    sample/runs.parquet --order-by rank -m AP -o report.html
  {command} measures
and your own files:
  {command} evaluate qrels.txt a.run b.run -m AP -m nDCG@10
"""
SILHOUETTES = """\
`votes.csv`, `tree.csv`, `vit.run`, `regnety.run`: ten people's votes on 160 silhouettes, the
categories, and lists of two networks by the categories that they gave (the nearest in the tree
first), from model-vs-human (Geirhos et al., ICLR 2019; NeurIPS 2021), CC BY 4.0. The other files:

"""


@derived.with_options(
    copy_to=Option(panel=OUTPUT, metavar="FOLDER"),
    sample=Option(
        f"With --copy-to: {', '.join(get_args(SampleName))}.",
        panel=OUTPUT,
        metavar="NAME",
        kind=SampleName,
    ),
)
def demo(
    context: typer.Context, *, copy_to: Path | None = None, sample: SampleName | None = None
) -> None:
    """Evaluate two networks by ten people who disagree, on data that come with the package.

    Prints a silhouette's membership in categories, precision as a distribution, each person's own
    truth, a verdict, and what to try next.

    Parameters
    ----------
    copy_to : path
        Only copy the files of the samples to this folder; nothing that is there is overwritten.
    sample : str
        Which sample. By default that of the demonstration, and judgments and runs.

    Examples
    --------
      fuzzytruth demo
      fuzzytruth demo --copy-to sample
      fuzzytruth demo --sample cragc25 --copy-to essays
    """
    if copy_to is not None:
        copy_sample(copy_to, sample)
        return
    if sample is not None:
        raise OptionError(f"--sample {sample}: is for its files alone; add --copy-to FOLDER")
    from fuzzytruth.analysis.santini import santini

    votes, runs = silhouettes()
    print_line(INTRODUCTION)
    print_line(votes.taxonomy.to_text(votes.membership().of_item(QUERY)))
    found = santini(votes, runs, k=RANK)
    laws = [(system, found.distribution(system, QUERY)) for system in NETWORKS.values()]
    chances = ", ".join(f"{1 - law.cdf(0.49):.2f} ({system})" for system, law in laws)
    print_line(ONE_QUERY.format(query=QUERY, k=RANK, chances=chances))
    print_line(SCREEN)
    emit_answer(found, None)
    print_line(WHAT_NEXT.format(command=command()).rstrip("\n"))
    sys.stdout.flush()


def silhouettes() -> tuple[Assignments, Runs]:
    """The votes on silhouettes, and the lists of two networks."""
    from fuzzytruth.data.runs import Runs
    from fuzzytruth.datasets import load_model_vs_human

    data = load_model_vs_human("silhouette")
    answers = data.answers[data.answers["system"].isin(NETWORKS)]
    named = answers.assign(system=answers["system"].map(NETWORKS))
    return data.votes, Runs.by_similarity(named, data.votes.taxonomy)


def command() -> str:
    """How to call this command again: by name, or by path if the shell does not find it."""
    called = Path(sys.argv[0])
    if called.name == "__main__.py":
        return f"{Path(sys.executable).name} -m fuzzytruth"
    return sys.argv[0] if shutil.which("fuzzytruth") is None else "fuzzytruth"


def copy_sample(folder: Path, sample: SampleName | None = None) -> None:
    """Copy a sample's data, licences and description into a folder; None: those of the examples.

    Raises
    ------
    DataError
        The folder cannot be made, or has another file of the same name; nothing is written then.
    """
    from importlib.resources import files

    source = files("fuzzytruth.datasets") / (sample or "clef_tar2017")
    content = {file.name: file.read_bytes() for file in source.iterdir()}
    if sample is None:
        content |= _silhouette_files()
        content["README.md"] = SILHOUETTES.encode() + content["README.md"]
    for name in content:
        path = folder / name
        if path.exists() and not (path.is_file() and path.read_bytes() == content[name]):
            raise DataError(f"{path}: exists and is another file; give an empty folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{folder}: cannot be made ({error.strerror})") from None
    for name in sorted(content):
        write_file(folder / name, content[name])
        print_line(str(folder / name))


def _silhouette_files() -> dict[str, bytes]:
    """Data of the demonstration by name of the file."""
    from fuzzytruth.data.runs import Runs

    votes, runs = silhouettes()
    frame = votes.to_frame()[["subject", "item", "category"]]
    tables = {"votes.csv": frame, "tree.csv": votes.taxonomy.to_frame()}
    out = {name: table.to_csv(index=False).encode() for name, table in tables.items()}
    with TemporaryDirectory() as folder:
        for system in runs:
            path = Path(folder) / f"{system}.run"
            Runs({system: runs[system]}).write(path)
            out[path.name] = path.read_bytes()
    return out


# `fuzzytruth measures`.

_HEADINGS = ("measure", "meaning", "parameters", "spellings", "reference")


@derived.with_options()
def measures(context: typer.Context) -> None:
    r"""List all measures.

    With each: its meaning, its parameters and their defaults, other spellings of its name (in any
    case), and its reference. In a pipe, a measure is one line.

    Examples
    --------
      fuzzytruth measures
      fuzzytruth evaluate qrels.txt a.run \
        -m 'nDCG(dcg=jarvelin)@10' -m ndcg_cut_10 -m map
    """
    emit(_write, None)


def _write(file: TextIO) -> None:
    """A paragraph a measure on a terminal, else a table."""
    from fuzzytruth.cli.tables import print_table
    from fuzzytruth.show.answer import Column, Table, line_width, wrapped

    rows = _rows()
    if not file.isatty():
        columns = zip(_HEADINGS, zip(*rows, strict=True), strict=True)
        print_table(Table(tuple(Column.label(name, cells) for name, cells in columns)), file)
        return
    for name, meaning, *more in rows:
        parts = zip(_HEADINGS[2:], more, strict=True)
        notes = "; ".join(f"{heading}: {text}" for heading, text in parts if text)
        width = line_width()
        print_line(
            f"{wrapped(f'{name}: {meaning}', width)}\n{wrapped(f'  {notes}', width)}\n", file
        )


def _rows() -> Iterator[tuple[str, str, str, str, str]]:
    """Name, meaning, parameters, spellings and reference of each measure."""
    from fuzzytruth.measures import registry

    for name in sorted(registry.names(), key=str.lower):
        entry = registry.lookup(name)
        if entry is None:
            continue
        measure, _ = entry
        cutoff = {"required": "@k", "optional": "[@k]", "none": ""}[measure.cutoff_use]
        given = ", ".join(f"{key}={default}" for key, default in measure.parameters().items())
        spellings = ", ".join(registry.spellings_of(name))
        yield name + cutoff, measure.meaning, given, spellings, measure.reference
