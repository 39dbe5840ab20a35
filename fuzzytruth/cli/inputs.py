"""Read the files that a command line names, and refuse to overwrite them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from fuzzytruth.cli.table_options import TableOptions
from fuzzytruth.errors import DataError, FuzzytruthError, OptionError

if TYPE_CHECKING:
    from fuzzytruth.data.by_example import ByExample, ByItem
    from fuzzytruth.data.grading import Aggregation
    from fuzzytruth.data.judgments import Judgments
    from fuzzytruth.data.ranking import MatrixOptions
    from fuzzytruth.data.reading import Groups, NameBy
    from fuzzytruth.data.run_stream import StreamedRuns
    from fuzzytruth.data.runs import Runs
    from fuzzytruth.stats.observations import Kind

_NUMBER = r"[-+]?[\d.]+(?:=[-+]?[\d.]+)?"  # or a gain, as in trec_eval's ndcg.1=3.5,2=9
_BETWEEN_MEASURES = re.compile(rf",(?![^()]*\))(?!\s*{_NUMBER}\s*(?:,|$))")
#: the argument `columns` in a message
_COLUMNS = re.compile(r"\bcolumns(?==|: )")


@dataclass(frozen=True, slots=True)
class CategoryVotes:
    """How to read JUDGMENTS that are votes for categories.

    Parameters
    ----------
    taxonomy : Path or None
        None: the labels that occur.
    category : str or None
        The category that every query asks for; None: each query asks for its own.
    asked : Path or None
    by_item : bool
        Whether runs list categories of items, instead of items.
    """

    taxonomy: Path | None
    category: str | None
    asked: Path | None
    by_item: bool = False

    @classmethod
    def from_options(
        cls,
        taxonomy: Path | None,
        category: str | None,
        asked: Path | None,
        by_item: bool | None = None,
    ) -> Self | None:
        """From the options; None if none says that there are votes for categories."""
        if taxonomy is None and by_item is None:
            if category is not None or asked is not None:
                raise OptionError("--category, --asked: belong to votes; add --taxonomy TREE")
            return None
        if by_item and category is not None:
            raise OptionError("--category: is what queries ask for; leave it out with --by-item")
        return cls(taxonomy, category, asked, by_item=bool(by_item))

    def read(self, path: str | Path, table: TableOptions) -> ByExample | ByItem:
        """Votes for categories, as the truth of query by example or of classifiers."""
        from fuzzytruth.data.assignments import read_assignments

        table.refuse("votes have categories, not grades; leave it out", "grades", "rescale")
        votes = read_assignments(path, taxonomy=self.taxonomy, asked=self.asked, **table.given)
        return votes.by_item() if self.by_item else votes.by_example(category=self.category)


def read_truth(
    path: str | Path,
    *,
    groups: Groups,
    aggregate: Aggregation | None,
    categories: CategoryVotes | None = None,
    table: TableOptions | None = None,
) -> Judgments | ByExample | ByItem:
    """Read judgments, merged by `aggregate`, votes for categories, or a classification."""
    table = table or TableOptions()
    if is_classification(path):
        table.refuse(f"{path} has no named columns; leave it out")
        return _read_classification(path, groups, aggregate, categories)
    if categories is not None:
        if aggregate is not None or groups is not None:
            raise OptionError(
                "--aggregate, --groups, --intents: are for judgments; leave out --taxonomy, "
                "--by-item, --by-example"
            )
        return categories.read(path, table)
    truth = table.judgments(path, groups=groups)
    return truth if aggregate is None else truth.aggregate(aggregate)


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


def classified_items(path: str | Path, truth: Any) -> tuple[str, ...] | None:
    """The models of a `.cla` file in its order; None of another truth."""
    return tuple(truth.votes.items.to_pylist()) if is_classification(path) else None


def _read_classification(
    path: str | Path, groups: object, aggregate: object, categories: object
) -> ByExample:
    """The truth of a `.cla` file, which takes no options of other truths."""
    from fuzzytruth.data.assignments import read_cla

    if not groups is aggregate is categories is None:
        raise OptionError(
            f"--taxonomy, --aggregate, --groups, --intents: {path} says which model is in which "
            "class; leave them out"
        )
    return read_cla(path).by_example()


def read_systems(
    texts: Iterable[str],
    *,
    name_by: NameBy,
    order_by: str,
    duplicates: str,
    matrix: MatrixOptions | None = None,
    columns: Mapping[str, str] | None = None,
) -> Runs:
    """Read runs: files, patterns and NAME=FILE; `matrix` is about files of matrices."""
    from fuzzytruth.data.ranking import MatrixOptions
    from fuzzytruth.data.reading import runs_of_files

    files = _files_of(texts, name_by)
    with columns_of_runs():
        return runs_of_files(
            files,
            name=name_by,
            order_by=order_by,
            duplicates=duplicates,
            matrix=matrix or MatrixOptions(),
            columns=columns,
        )


def stream_systems(
    texts: Iterable[str],
    *,
    order_by: str,
    duplicates: str,
    matrix: MatrixOptions | None,
    n_jobs: int,
) -> StreamedRuns | None:
    """Runs that are read while they are scored; None if they are to be read beforehand."""
    from fuzzytruth.data.reading import stream_files

    options = matrix.given if matrix is not None else []
    if [name for name in options if name != "exclude_self"]:
        return None
    return stream_files(
        _files_of(texts, "file"),
        order_by=order_by,
        duplicates=duplicates,
        exclude_self=matrix is not None and matrix.exclude_self,
        n_jobs=n_jobs,
    )


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


@contextmanager
def columns_of_runs() -> Iterator[None]:
    """Let errors name --run-columns, for --columns is of the judgments."""
    try:
        yield
    except FuzzytruthError as error:
        raise type(error)(_COLUMNS.sub("run_columns", str(error))) from error


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


def groups_of_file(path: Path, kind: Kind) -> dict[str, str]:
    """Cluster or stratum of each query, from a table with these columns.

    Raises
    ------
    DataError
        It cannot be read, or a query is in two groups.
    """
    from fuzzytruth.evaluation.scores.query_groups import query_attributes
    from fuzzytruth.io.columns import check_ids
    from fuzzytruth.io.files import Source
    from fuzzytruth.io.ids import encode
    from fuzzytruth.io.table_files import table_of
    from fuzzytruth.io.tables import ColumnRequest

    group = {"clusters": "cluster", "strata": "stratum"}[kind]
    if not _is_table(path):
        raise DataError(
            f"{path}: must be a table with named columns query, {group}, as .csv, .tsv, .json, "
            ".jsonl or .parquet"
        )
    request = ColumnRequest(("query", group), (), group)
    columns, locate = table_of(Source.of(path), request)
    code, labels = encode(check_ids(columns["query"], "query", locate))
    queries = tuple(labels.to_pylist())
    named = query_attributes({group: columns[group]}, code, queries, locate)[group]
    return {query: name for query, name in zip(queries, named, strict=True) if name is not None}


def _is_table(path: Path) -> bool:
    from fuzzytruth.io.files import format_of

    return format_of(path) != "trec"


def split_measures(texts: Iterable[str]) -> list[str]:
    """Split at commas outside parentheses that no number follows, such as a second cut-off.

    Examples
    --------
    >>> split_measures(["AP,P(rel=2,)@5", "RR,P.5,10,11pt_avg"])
    ['AP', 'P(rel=2,)@5', 'RR', 'P.5,10', '11pt_avg']
    """
    parts = [part.strip() for text in texts for part in _BETWEEN_MEASURES.split(text)]
    return [part for part in parts if part]


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
    targets = [path.resolve() for path in named]
    if len(set(targets)) < len(targets):
        twice = next(path for path in targets if targets.count(path) > 1)
        raise OptionError(f"{twice}: is named by two options to be written; give each its own file")
    for text in map(str, inputs):
        for name in {text, text.partition("=")[2]} - {""}:
            for path in targets:  # an input may be a pattern
                if Path(name).resolve() == path or path.match(str(Path(name).absolute())):
                    raise OptionError(f"{path}: is read, and must not be overwritten")
    for path in named:
        check_target(path)
