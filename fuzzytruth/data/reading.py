"""Reading judgments and runs from files of any format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from fuzzytruth.data.judgment_columns import Design
from fuzzytruth.data.judgments import Judgments, judgment_request
from fuzzytruth.data.matrix_runs import MatrixOptions
from fuzzytruth.data.ranking import Ranking
from fuzzytruth.data.run_files import NameBy, holds_labels, read_run_file
from fuzzytruth.data.run_rows import RunReader
from fuzzytruth.data.run_stream import (
    StreamedFile,
    StreamedRuns,
    TableReader,
    TrecReader,
    note_name,
)
from fuzzytruth.data.runs import Runs
from fuzzytruth.errors import (
    DataError,
    GroupNotice,
    OptionError,
    choice,
    counted,
    first_few,
    require,
    shown_all,
    warn,
)
from fuzzytruth.io.columns import as_numpy, check_id, encode
from fuzzytruth.io.files import Source, as_path, is_pipe, matching_files
from fuzzytruth.io.matrices import holds_matrix
from fuzzytruth.io.table_files import IN_BLOCKS, read_table, refuse_table_options
from fuzzytruth.io.tables import is_parted
from fuzzytruth.io.trec import QRELS, read_trec

PathLike = str | Path
_LARGE = 1 << 25  # bytes of a table that is read in blocks
_PACKED = 8  # times as many bytes as a compressed file has
#: what the second column of TREC judgments holds: subjects, nothing, intents; None: see what it has
Groups = Literal[None, True, False, "intent"]


def read_judgments(
    path: PathLike | Source,
    *,
    design: Design = "crossed",
    groups: Groups = None,
    columns: Mapping[str, Any] | None = None,
    grades: Mapping[Any, float] | None = None,
    drop: Any = (),
    subjects: Iterable[Any] | str = (),
) -> Judgments:
    r"""Read judgments from a file; the ending of its name gives the format.

    Parameters
    ----------
    path : path
        TREC judgments (any ending not named here: lines of query, group, item, grade), `.csv`,
        `.tsv`, `.json` (a list of records, or ``{query: {item: grade}}``), `.jsonl` or `.parquet`;
        `.gz` of each. Columns query, item, grade and, optionally, subject, position, intent,
        probability, count and repeat have any of their usual names; `score` is the grade where
        there is no other, as in BEIR and MTEB (see `Judgments.from_frame`).
    design : {"crossed", "nested"}
        Whether the name of a subject stands for one person over all queries; see `Judgments`.
    groups : bool or "intent", optional
        Whether the second column of TREC judgments names subjects. By default, it does if some
        (query, item) occurs with two of its values; a `GroupNotice` then says so. "intent": it
        names intents of the query, as in TREC's diversity tasks.
    columns, grades, drop, subjects
        Your names of columns, grades of words, answers that are none, and columns that hold the
        grades of one subject each; see `Judgments.from_frame`. For tables with named columns.

    Returns
    -------
    Judgments

    Raises
    ------
    DataError
        The file cannot be read, a column is missing, a grade is not a finite number, or a subject
        judged an item twice; the message names the file, the line, the column and the value.
    OptionError
        `columns` has a name that is not read here, `grades` is no mapping to numbers, or options
        of tables are given for a TREC file.

    Warns
    -----
    GroupNotice
        The second column of TREC judgments is read as subjects.
    LeftOutWarning
        Rows were dropped, or cells are empty, with their number.
    UnusedColumnWarning
        A column is not used that could be the grades, the counts or the subjects.

    Examples
    --------
    >>> path = getfixture("tmp_path") / "qrels.txt"
    >>> _ = path.write_text("q1 0 d1 1\nq1 0 d2 0\n")
    >>> read_judgments(path)
    Judgments(2 rows, 1 query)
    """
    choice("design", design, ("crossed", "nested"))
    choice("groups", groups, get_args(Groups))
    source = Source.of(path)
    request = judgment_request(columns, grades, drop, subjects)
    if source.format != "trec":
        table, origin = read_table(source, request)
        return Judgments.from_table(table, origin, design=design, where=str(source.path))
    refuse_table_options(source.path, request)
    fields = read_trec(source, QRELS, QRELS.fields)
    group = fields["group"]
    if groups is None and _names_subjects(fields):
        groups = True
        names = group.dictionary.to_pylist()
        warn(
            f"{source.path}: the second column is read as {counted(len(names), 'subject')} "
            f"({shown_all(names)}), because it holds several judgments of one item; "
            "groups=True agrees, groups=False ignores it, groups='intent' reads intents of the "
            "query",
            GroupNotice,
        )
    return Judgments.from_columns(
        fields["query"],
        fields["item"],
        fields["grade"],
        subject=group if groups is True else None,
        intent=group if groups == "intent" else None,
        design=design,
        where=str(source.path),
        locate=source.locate,
    )


def _names_subjects(columns: dict[str, Any]) -> bool:
    """Whether some (query, item) occurs with two values of the second column."""
    group = as_numpy(columns["group"].indices, np.int32)
    if len(columns["group"].dictionary) < 2:
        return False
    query, _ = encode(columns["query"])
    item, items = encode(columns["item"])
    pair = query.astype(np.int64) * len(items) + item
    order = np.lexsort((group, pair))
    pair, group = pair[order], group[order]
    return bool(((pair[1:] == pair[:-1]) & (group[1:] != group[:-1])).any())


def read_runs(
    paths: PathLike | Iterable[PathLike] | Mapping[str, PathLike],
    *,
    name: NameBy = "file",
    order_by: str = "score",
    duplicates: str = "error",
    columns: Mapping[str, Any] | None = None,
    queries: Iterable[Any] | None = None,
    items: Iterable[Any] | None = None,
    exclude_self: bool = False,
    larger_is_better: bool | None = None,
    depth: int | None = None,
) -> Runs:
    r"""Read the ranked lists of one or more systems.

    Parameters
    ----------
    paths : path, pattern, list of those, or dict
        Files in TREC format (any ending not named here: lines of query, Q0, item, rank, score,
        tag), `.csv`, `.tsv`, `.json` (records, ``{query: {item: score}}`` or ``{system: {query:
        {item: score}}}``), `.jsonl` or `.parquet`; `.gz` of each. A pattern such as ``runs/*.txt``
        stands for all files that match. A dict names the systems: ``{"bm25": path}``.

        Matrices of scores between all queries (rows) and all items (columns): `.npy`; `.npz` with
        arrays `scores` (or `distances`), `queries` and `items`; `.csv` and `.tsv` with the ids of
        the items in the first line and those of the queries in the first column; lines of numbers.
    name : {"file", "tag"}
        What names the system of a file without names of systems: the name of the file without
        folder and ending (``runs/bm25.run.gz``: bm25), or the tag of a TREC run.
    order_by : {"score", "rank"}
        The column that orders a list. Lists need not be sorted in the file.
    duplicates : {"error", "first"}
        Whether a list that holds an item twice is refused, or keeps the better placed one.
    columns : mapping, optional
        Your names of columns, {name: your column}, in files with named columns:
        ``{"score": "cosine"}``.
    queries, items : ids, optional
        Those of the rows and of the columns of matrices, which may lack them.
    exclude_self : bool
        Remove each query from its own list; see `Runs.exclude_self`. Of a matrix, before `depth`.
    larger_is_better : bool, optional
        Of matrices: False for distances. By default, unless an `.npz` file calls them distances.
    depth : int, optional
        Of matrices: keep the best of each list only; see `Runs.from_matrix`.

    Returns
    -------
    Runs
        A column `system` (or `run`, `tag`) names the systems of a file; `name` says what does
        otherwise. The names do not depend on the other files.

    Raises
    ------
    DataError
        A file cannot be read or breaks a rule (the message names file, line, column and value), no
        file matches a pattern, or two systems have the same name.
    OptionError
        `columns` has a name that is not read here, or an option of matrices or tables is given for
        other files.

    Warns
    -----
    TagWarning
        The tag changes within a TREC file, which is read as one run.
    DistanceWarning
        Every query of a matrix has 0 with itself and more with all other items.
    SelfHitWarning
        Items were left out by `exclude_self`, of files that are no matrices.

    Examples
    --------
    >>> path = getfixture("tmp_path") / "bm25.txt"
    >>> _ = path.write_text("q1 Q0 d2 1 2.5 baseline\nq1 Q0 d1 2 1.5 baseline\n")
    >>> read_runs(path)
    Runs(1 system: bm25; 2 rows)
    >>> read_runs(path, name="tag")
    Runs(1 system: baseline; 2 rows)
    >>> read_runs({"mine": path})
    Runs(1 system: mine; 2 rows)
    """
    if is_parted(paths):
        raise OptionError(
            "paths: this is a Dask frame, which evaluate takes as it is; elsewhere, give "
            "Runs.from_frame(frame.compute())"
        )
    choice("name", name, get_args(NameBy))
    choice("order_by", order_by, ("score", "rank"))
    choice("duplicates", duplicates, ("error", "first"))
    matrix = MatrixOptions(
        queries=queries,
        items=items,
        exclude_self=exclude_self,
        larger_is_better=larger_is_better,
        depth=depth,
    )
    if isinstance(paths, Mapping):
        require("name", name, name == "file", "the keys of the dict already name the systems")
    return runs_of_files(
        named_files(paths),
        name=name,
        order_by=order_by,
        duplicates=duplicates,
        matrix=matrix,
        columns=columns,
    )


def stream_runs(
    paths: PathLike | Iterable[PathLike] | Mapping[str, PathLike],
    *,
    exclude_self: bool = False,
    n_jobs: int = 1,
) -> StreamedRuns | None:
    """Runs that are read block by block where they are needed, named as `read_runs` does."""
    return stream_files(named_files(paths), exclude_self=exclude_self, n_jobs=n_jobs)


def stream_files(
    given: Sequence[tuple[str | None, Path]],
    *,
    order_by: str = "score",
    duplicates: str = "error",
    exclude_self: bool = False,
    n_jobs: int = 1,
) -> StreamedRuns | None:
    """Files, each with the name of its system or None, read block by block; see `read_runs`.

    Several files are read by `n_jobs` workers. None if some file is read as a whole, for its format
    or because it is a pipe, which can be read only once.
    """
    if any(is_pipe(path) for _, path in given):
        return None
    readers = [_reader(name, Source.of(path), order_by) for name, path in given]
    known = [reader for reader in readers if reader is not None]
    if not known or len(known) < len(readers):
        return None
    path_of: dict[str, Path] = {}
    for reader in known:
        if isinstance(reader, TrecReader):
            note_name(reader.system, reader.source.path, path_of)
    return StreamedRuns((StreamedFile(one, duplicates, exclude_self) for one in known), n_jobs)


def _reader(name: str | None, source: Source, order_by: str) -> RunReader | None:
    """A reader of a file in blocks; None if it is to be read as a whole.

    So are matrices, tables of labels and tables that are not large, whose records may differ.
    """
    if holds_matrix(source):
        return None
    kind = source.format
    if kind == "trec":
        return TrecReader(source, source.stem if name is None else name, order_by)
    if name is not None or kind not in IN_BLOCKS or not _is_large(source):
        return None
    return None if holds_labels(source) else TableReader(source, order_by)


def _is_large(source: Source) -> bool:
    """Whether a table is read in blocks."""
    packed = source.format == "parquet" or source.path.suffix.lower() == ".gz"
    least = _LARGE // _PACKED if packed else _LARGE
    return source.path.is_file() and source.path.stat().st_size >= least


def named_files(
    paths: PathLike | Iterable[PathLike] | Mapping[str, PathLike],
) -> list[tuple[str | None, Path]]:
    """Files of runs, each with the name of its system if it is given."""
    if not isinstance(paths, Mapping):
        return [(None, path) for path in matching_files(paths)]
    nested = any(isinstance(value, Mapping) for value in paths.values())
    rule = "must be {name: path}; Runs.from_dict takes {system: {query: {item: score}}}"
    require("paths", paths, not nested, rule)
    return [
        (check_id(key, "system", "paths"), as_path("path", path)) for key, path in paths.items()
    ]


def runs_of_files(
    given: Sequence[tuple[str | None, Path | Source]],
    *,
    name: NameBy,
    order_by: str,
    duplicates: str,
    matrix: MatrixOptions,
    columns: Mapping[str, Any] | None = None,
) -> Runs:
    """Read files, each with the name of its system or None; see `read_runs`."""
    if not given:
        raise DataError("read_runs: there are no paths; give at least one file")
    sources = [Source.of(path) for _, path in given]
    files = [read_run_file(one, order_by, duplicates, matrix, columns) for one in sources]
    of_matrices = [option for option in matrix.given if option != "exclude_self"]
    if of_matrices and not any(file.is_matrix for file in files):
        raise OptionError(
            f"none of the files is a matrix ({first_few(str(one.path) for one in sources)}), and "
            f"only matrices take {', '.join(f'{option}=' for option in of_matrices)}"
        )
    rankings: dict[str, Ranking] = {}
    path_of: dict[str, Path] = {}
    for (given_name, _), source, file in zip(given, sources, files, strict=True):
        named = file.named(given_name, name)
        for system, ranking in named.items():
            note_name(system, source.path, path_of, several=len(named) > 1)
            rankings[system] = ranking
    runs = Runs(rankings)
    return runs.exclude_self() if matrix.exclude_self else runs
