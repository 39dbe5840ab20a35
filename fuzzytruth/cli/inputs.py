"""Read the files that a command line names and score them; refuse to overwrite them."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from os.path import realpath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import typer

from fuzzytruth import errors
from fuzzytruth.cli import options
from fuzzytruth.cli.derived import EVALUATION, typed
from fuzzytruth.cli.output import Bar, print_line
from fuzzytruth.cli.typed_words import naming
from fuzzytruth.errors import DataError, OptionError, counted, first_few, shown, warn

if TYPE_CHECKING:
    from fuzzytruth.data.by_example import ByExample, ByItem
    from fuzzytruth.data.judgments import Judgments
    from fuzzytruth.data.ranking import MatrixOptions
    from fuzzytruth.data.reading import Groups, NameBy
    from fuzzytruth.data.run_stream import StreamedRuns
    from fuzzytruth.data.runs import Runs
    from fuzzytruth.evaluation.scores.scores import Scores
    from fuzzytruth.measures import Measure
    from fuzzytruth.stats.observations import Kind

_IDS = ("queries", "items")  # files of ids of rows and columns


def read_truth(path: str | Path, given: Mapping[str, Any], *, votes: bool = False) -> Any:
    """Read judgments, merged if asked for, votes for categories, or a classification.

    Parameters
    ----------
    path : path
    given : mapping
        Options of the command.
    votes : bool
        Whether votes without queries are read, too; see `as_votes`.

    Raises
    ------
    OptionError
        Options do not go together, or not with the file.
    """
    from fuzzytruth.io.table_files import read_id_lines

    groups = second_column(given["groups"], intents=given.get("intents", False))
    aggregate, table = given.get("aggregate"), options.TableOptions.of(given)
    taxonomy, category, asked, by_item = (
        given.get(name) for name in ("taxonomy", "category", "asked", "by_item")
    )
    of_categories = taxonomy is not None or by_item is not None
    if not of_categories and (category is not None or asked is not None):
        raise OptionError("--category, --asked: belong to votes; add --taxonomy TREE")
    if by_item and category is not None:
        raise OptionError("--category: is what queries ask for; leave it out with --by-item")
    if is_classification(path):
        from fuzzytruth.data.assignments import read_assignments, read_cla

        table.refuse(f"{path} has no named columns; leave it out")
        if of_categories or aggregate is not None or groups is not None:
            raise OptionError(
                f"--taxonomy, --aggregate, --groups, --intents: {path} says which model is in "
                "which class; leave them out"
            )
        if Path(path).exists():
            return read_cla(path).by_example()
        return read_assignments(options.files_of(path)).by_example()
    if not of_categories and not votes and is_matrix(path):
        raise OptionError(
            f"{path}: holds numbers of items and categories; add --by-item, for classifiers, or "
            "--by-example"
        )
    if not of_categories:
        if votes:
            return table.votes(path, groups=groups)
        truth = table.judgments(path, groups=groups)
        return truth if aggregate is None else truth.aggregate(aggregate)
    if aggregate is not None or groups is not None:
        raise OptionError(
            "--aggregate, --groups, --intents: are for judgments; leave out --taxonomy, "
            "--by-item, --by-example"
        )
    ids = [read_id_lines(given[name]) if given.get(name) else None for name in _IDS]
    ids = ids if by_item else [ids[1], None]
    assigned = table.assignments(path, taxonomy, asked, ids)
    return assigned.by_item() if by_item else assigned.by_example(category=category)


def second_column(groups: bool | None, *, intents: bool) -> Groups:
    """What the second column of TREC judgments holds, from --groups and --intents."""
    if not intents:
        return groups
    if groups is not None:
        option = "--groups" if groups else "--no-groups"
        raise OptionError(f"--intents, {option}: say both what the second column holds; give one")
    return "intent"


def is_classification(path: str | Path) -> bool:
    """Whether this is a `.cla` file."""
    return str(path).lower().removesuffix(".gz").endswith(".cla")


def is_matrix(path: str | Path) -> bool:
    """Whether this is a matrix of NumPy."""
    from fuzzytruth.io.matrices import NUMPY_ENDINGS

    return str(path).lower().removesuffix(".gz").endswith(NUMPY_ENDINGS)


def ids_of_truth(path: str | Path, truth: Any) -> tuple[Any, Any] | None:
    """What rows and columns of runs are, where the truth is a `.cla` file or a matrix; else None.

    The models, or items, in the truth's order; of classifiers' runs, columns are categories.
    """
    if not (is_classification(path) or is_matrix(path)):
        return None
    from fuzzytruth.data.by_example import ByItem

    items = truth.votes.items.to_pylist()
    return items, truth.votes.taxonomy.nodes[1:] if isinstance(truth, ByItem) else items


def runs_of(
    given: Mapping[str, Any], texts: Iterable[str], matrix: MatrixOptions | None = None
) -> Runs:
    """Read runs: files, patterns and NAME=FILE; `matrix` is about files of matrices."""
    from fuzzytruth.data.ranking import MatrixOptions
    from fuzzytruth.data.reading import runs_of_files

    columns = options.columns_of("--run-columns", given["run_columns"])
    how = {name: given[name] for name in ("order_by", "duplicates")}
    files = _files_of(texts, given["name_by"])
    with naming(columns="--run-columns", queries="--queries"):
        matrix = matrix or MatrixOptions()
        return runs_of_files(files, name=given["name_by"], matrix=matrix, columns=columns, **how)


def stream_systems(
    given: Mapping[str, Any], texts: Iterable[str], matrix: MatrixOptions
) -> StreamedRuns | None:
    """Runs that are read while they are scored; None if they are to be read beforehand."""
    from fuzzytruth.data.reading import stream_files

    if [name for name in matrix.given if name != "exclude_self"]:
        return None
    how = {name: given[name] for name in ("order_by", "duplicates", "n_jobs")}
    return stream_files(_files_of(texts, "file"), exclude_self=matrix.exclude_self, **how)


def _files_of(texts: Iterable[str], name_by: NameBy) -> list[tuple[str | None, Path]]:
    """Files with the names given to their systems."""
    from fuzzytruth.io.columns import check_id
    from fuzzytruth.io.files import as_path, matching_files

    named, unnamed = split_names(texts)
    if name_by == "tag" and not unnamed:
        raise OptionError("--name tag: every run is named by NAME=FILE; leave out one of the two")
    files: list[tuple[str | None, Path]] = [(None, path) for path in matching_files(unnamed)]
    for system, path in named.items():
        files.append((check_id(system, "system", "paths"), as_path("path", path)))
    return files


def split_names(texts: Iterable[str]) -> tuple[dict[str, str], list[str]]:
    """Files by NAME of NAME=FILE, and the others.

    Raises
    ------
    OptionError
        A name or a file is empty, or a name comes twice.
    """
    named: dict[str, str] = {}
    unnamed: list[str] = []
    for text in texts:
        name, equals, path = text.partition("=")
        if not equals or Path(text).exists():
            unnamed.append(text)
        elif not name or not path:
            raise OptionError(f"run {text!r}: write NAME=FILE")
        elif name in named:
            raise OptionError(
                f"run {text!r}: the name {name!r} is given twice, also to {named[name]}; change one"
            )
        else:
            named[name] = path
    return named, unnamed


def groups_of_option(text: str, kind: Kind) -> dict[str, str] | str:
    """Groups of queries by a file, or the name of a column of the table of scores.

    A file is what exists, or has the ending of a table.
    """
    path = Path(text)
    return groups_of_file(path, kind) if path.is_file() or _is_table(path) else text


#: columns of tables of groups
_GROUPS = {
    "clusters": ("query", "cluster"),
    "strata": ("query", "stratum"),
    "communities": ("subject", "group"),
}


def groups_of_file(path: Path, kind: Kind | Literal["communities"]) -> dict[str, str]:
    """Cluster or stratum of each query, or group of each subject, from a table.

    Raises
    ------
    DataError
        It cannot be read, a query, or subject, is in two groups, or no subject is in one.
    """
    from fuzzytruth.evaluation.scores.scores_from_frame import query_attributes
    from fuzzytruth.io.columns import check_ids
    from fuzzytruth.io.files import Source
    from fuzzytruth.io.ids import encode
    from fuzzytruth.io.table_files import table_of
    from fuzzytruth.io.tables import ColumnRequest

    unit, group = _GROUPS[kind]
    request = ColumnRequest((unit, group), (), group)
    with naming(columns=""):
        columns, locate = table_of(Source.of(path), request)
    code, labels = encode(check_ids(columns[unit], unit, locate))
    ids = tuple(labels.to_pylist())
    named = query_attributes({group: columns[group]}, code, ids, locate, unit)[group]
    found = {one: name for one, name in zip(ids, named, strict=True) if name is not None}
    if not found and kind == "communities":
        raise DataError(f"{path}: holds no groups (communities found none)")
    return found


def _is_table(path: Path) -> bool:
    from fuzzytruth.io.files import format_of

    return format_of(path) != "trec"


def check_outputs(inputs: Sequence[str | Path], *outputs: Path | None) -> None:
    """Refuse outputs that cannot be written, overwrite an input, or share one file.

    Raises
    ------
    OptionError
        An output is an input, or two outputs are one file.
    DataError
        A file cannot be written.
    """
    from fuzzytruth.io.writing import check_target

    named = [path for path in outputs if path is not None]
    targets = [Path(realpath(path)) for path in named]
    if len(set(targets)) < len(targets):
        twice = next(path for path in targets if targets.count(path) > 1)
        raise OptionError(f"{twice}: is named by two options to be written; give each its own file")
    for text in map(str, inputs):
        of_names = (part.partition("=")[2] for part in options.parts_of(text))
        for name in {text, *text.split(","), *of_names} - {""}:
            inside = f"{name}/*" if Path(name).is_dir() else name
            for path in targets:  # an input may be a pattern
                if realpath(name) == str(path) or path.match(str(Path(inside).absolute())):
                    raise OptionError(f"{path}: is read, and must not be overwritten")
    for path in named:
        check_target(path)


def command_line(context: typer.Context) -> str:
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


def matrix_options(given: Mapping[str, Any]) -> MatrixOptions:
    """The options as the library takes them, ids read from their files."""
    from fuzzytruth.data.ranking import MatrixOptions
    from fuzzytruth.io.table_files import read_id_lines

    queries, items = (given[name] and read_id_lines(given[name]) for name in ("queries", "items"))
    return MatrixOptions(
        queries=queries,
        items=items,
        larger_is_better=False if given["distances"] else None,
        exclude_self=given["exclude_self"],
        depth=given["depth"],
    )


# Scores of what was read.


#: called with judgments and runs
Keep = Callable[[Any, Any], object]
DEFAULT_MEASURES = ("AP", "nDCG@10", "P@10", "R@100", "RR")
TRUTH_BY_DEFAULT = "note: the truth of each item is a random vote; each subject's: --worlds subject"
_OF_CLASSIFIERS = ("P@1", "RR")


def measures_of(names: Sequence[str] | None, *, by_item: bool | None) -> tuple[Measure, ...]:
    """The measures asked for, or the usual ones: of classifiers P@1, which is accuracy, and RR."""
    from fuzzytruth.measures import parse_measures

    return parse_measures(
        options.split_measures(names or (_OF_CLASSIFIERS if by_item else DEFAULT_MEASURES))
    )


def of_systems(scores: Scores, given: Mapping[str, Any], *, named: bool) -> Scores:
    """Means over the runs of systems, as --replicates and --deterministic say.

    `named`: by a pattern of the names of runs alone, there being no columns.

    Raises
    ------
    OptionError
        It is no pattern and has to be, or no two runs match it.
    """
    pattern, fixed = given.get("replicates"), given.get("deterministic")
    system_of = None
    if pattern is not None and (named or "{" in pattern):
        parts = re.split(r"(\{system\}|\{replicate\})", pattern)
        if sorted(parts[1::2]) != ["{replicate}", "{system}"]:
            raise OptionError(
                f"--replicates {pattern}: must be how runs are called, with {{system}} and "
                "{replicate}, such as '{system}.s{replicate}'; or a column, of a table of scores"
            )
        groups = {"{system}": "(?P<system>.+)", "{replicate}": ".+"}
        whole = "".join(groups.get(part, re.escape(part)) for part in parts)
        matches = {run: re.fullmatch(whole, run) for run in scores.systems}
        system_of = {run: found["system"] for run, found in matches.items() if found}
        if len({*system_of.values()}) == len(system_of):
            runs = first_few(scores.systems, show=shown)
            raise OptionError(f"--replicates {pattern}: no two runs of {runs} are of one system")
    names = options.names_of("--deterministic", fixed) if fixed else None
    return scores.with_replicates(system_of, deterministic=names)


def scores_of(
    context: typer.Context,
    inputs: Sequence[str],
    measures: Iterable[Measure],
    *,
    several: str | None = None,
    save: Path | None = None,
    keep: Keep | None = None,
) -> Scores:
    """Scores of judgments and runs, under the options of the context.

    `several` takes the place of --worlds left out, where several subjects judged. `keep` is called
    with what was read.

    Raises
    ------
    OptionError
        --missing without each subject's truth in turn, or several truths after --aggregate.
    """
    from fuzzytruth.data.judgments import Judgments  # which take runs block by block

    truth, runs = inputs[0], inputs[1:]
    given, settings = context.params, EVALUATION.given(context)
    aggregate, worlds = given["aggregate"], given["worlds"]
    kind = several if worlds is None and aggregate is None else worlds
    if given["missing"] != "error" and kind != "subject":
        raise OptionError(
            "--missing: is about each subject's own truth; add --worlds subject, or compare groups "
            "of subjects with --communities FILE"
        )
    if aggregate is not None and worlds not in (None, "crisp"):
        raise OptionError(f"--aggregate: leaves one truth, and no --worlds {worlds}; choose one")
    matrix, streams = matrix_options(given), keep is None and given["name_by"] == "file"
    if worlds == "community" and given.get("communities") is not None:
        settings["groups"] = groups_of_file(given["communities"], "communities")
    with Bar() as bar:
        bar.stage("reading")
        judged = read_truth(truth, given)
        if worlds is None and len(judged.subjects or ()) > 1:
            settings["worlds"] = several
        matrix = replace(matrix, otherwise=ids_of_truth(truth, judged), otherwise_of=str(truth))
        if is_matrix(truth):  # whose rows and columns have been named
            matrix = replace(matrix, queries=None, items=None)
        systems: Any = None
        if streams and not given["run_columns"] and isinstance(judged, Judgments):
            systems = stream_systems(given, runs, matrix)
        if systems is None:
            systems = runs_of(given, runs, matrix)
        with naming(columns="--run-columns", groups="--communities"):  # runs may be read now
            scores = score(judged, systems, measures, bar, **settings)
        scores = of_systems(scores, given, named=True)
        if save is not None:
            scores.save(save)
    if kind is None and aggregate is None and len(judged.subjects or ()) > 1:
        _note_default(scores)
    if keep is not None:
        keep(judged, systems)
    return scores


def score(
    truth: Judgments | ByExample | ByItem,
    runs: Runs | StreamedRuns,
    measures: Iterable[Measure],
    bar: Bar,
    **settings: Any,
) -> Scores:
    """`fuzzytruth.evaluate`, reporting to a progress bar."""
    from fuzzytruth.evaluation.evaluate import evaluate

    bar.stage("scoring")
    scores = evaluate(truth, runs, measures, progress=bar.advance, **settings)
    if scores.uncertainty is not None:
        bar.stage("drawing worlds")
        scores.uncertainty.draw()
    made = scores.provenance
    if settings.get("n_worlds") == "auto" and made is not None and made.n_worlds is not None:
        print_line(f"drew {counted(made.n_worlds, 'world')}", sys.stderr)
    return scores


def _note_default(scores: Scores) -> None:
    """Say what several subjects' judgments were taken for, where nothing was said."""
    if scores.provenance is not None and scores.provenance.worlds == "independent":
        print_line(TRUTH_BY_DEFAULT, sys.stderr)


def note_unused(context: typer.Context, scores: Scores, *names: str) -> None:
    """Warn of options for drawing worlds that were typed, where no world was drawn."""
    given = [f"--{name.replace('_', '-')}" for name in names if typed(context, name)]
    if given and scores.uncertainty is None:
        warn(
            f"{', '.join(given)}: no effect, for these scores draw no worlds; see --worlds",
            errors.FuzzytruthWarning,
        )
