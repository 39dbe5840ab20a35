"""Judgments and runs from files of any format, tables, dicts and objects of other libraries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, cast, get_args

import numpy as np

from fuzzytruth import errors
from fuzzytruth.core.validation import option_mapping
from fuzzytruth.core.workers import Workers
from fuzzytruth.data import assessor_files, judgments, run_stream
from fuzzytruth.data.assessor_files import Files, PathLike, files_of_assessors, joined_columns
from fuzzytruth.data.grading import Duplicates
from fuzzytruth.data.judgments import Design, Judgments
from fuzzytruth.data.ranking import MatrixOptions, RankedLists, Ranking, ranking_of_matrix
from fuzzytruth.data.runs import COLUMNS, LabelColumns, Runs
from fuzzytruth.errors import counted, first_few, shown, shown_all
from fuzzytruth.io.column_names import has_columns, is_known, is_spelling
from fuzzytruth.io.columns import Columns, check_id
from fuzzytruth.io.files import Source, as_path, is_pipe, matching_files
from fuzzytruth.io.ids import as_numpy, encode
from fuzzytruth.io.matrices import holds_matrix, read_matrix
from fuzzytruth.io.table_files import IN_BLOCKS, column_names, refuse_table_options, table_of
from fuzzytruth.io.tables import ColumnRequest, is_parted, is_table, named_columns
from fuzzytruth.io.trec import QRELS, RUN, read_trec

#: what names the system of a TREC run
NameBy = Literal["file", "tag"]


@dataclass(frozen=True, slots=True)
class RunFile:
    """The systems in a file of ranked lists.

    Parameters
    ----------
    path : Path
    systems : mapping of str to Ranking
        By their names in the file; without such names, one system named after the file.
    tags : tuple of str
        The distinct tags of a TREC run.
    is_matrix : bool
    """

    path: Path
    systems: Mapping[str, Ranking]
    tags: tuple[str, ...] = ()
    is_matrix: bool = False

    def named(self, given: str | None, name: NameBy) -> Mapping[str, Ranking]:
        """The systems under their final names, which depend on this file alone.

        Parameters
        ----------
        given : str, optional
            The name given by the user to the only system.
        name : {"file", "tag"}
            What names the system of a TREC run otherwise.
        """
        if given is None and name == "tag" and self.tags:
            if len(self.tags) > 1:
                raise errors.DataError(
                    f"{self.path}: the tag changes within the file ({shown_all(self.tags)}) and "
                    "cannot name its system; name='file' takes the name of the file"
                )
            given = self.tags[0]
        if given is None:
            run_stream.report_tags(self.path, self.tags, next(iter(self.systems), ""))
            return self.systems
        if len(self.systems) > 1:
            raise errors.DataError(
                f"{self.path}: holds {counted(len(self.systems), 'system')} and cannot be called "
                f"{shown(given)}; give its path without a name"
            )
        return {given: next(iter(self.systems.values()))}


def read_run_file(
    source: Source,
    order_by: str,
    duplicates: str,
    matrix: MatrixOptions | None = None,
    columns: Mapping[str, Any] | None = None,
) -> RunFile:
    """Read all systems of a file; `matrix` says how to read one that holds a matrix."""
    path = source.path
    stem = source.stem
    request = replace(COLUMNS.given(columns), duplicates=duplicates)
    if columns is None and holds_matrix(source):
        ranking = ranking_of_matrix(read_matrix(source), str(path), matrix or MatrixOptions())
        return RunFile(path, {stem: ranking}, is_matrix=True)
    if source.format == "trec":
        refuse_table_options(path, request)
        lines = read_trec(source, RUN, run_stream.trec_fields(order_by))
        rows = run_stream.RunRows.of_trec(lines, stem, source.locate, lines["tag"])
        return RunFile(path, {stem: rows.ranking(duplicates)}, rows.tags)
    if holds_labels(source, columns):
        labels = LabelColumns.of(source, str(path), name=stem, columns=columns)
        return RunFile(path, Runs.of_labels(labels))
    table, origin = table_of(source, request)
    runs = Runs.from_columns(
        **table, name=stem, order_by=order_by, duplicates=duplicates, where=str(path), locate=origin
    )
    return RunFile(path, runs)


def holds_labels(source: Source, columns: Mapping[str, Any] | None = None) -> bool:
    """Whether a file is a table of the categories that systems give to items.

    With a column of subjects and none of systems, they are votes; `columns` are the user's names.
    """
    given = option_mapping("columns", columns)
    named = [*given, *(name for name in column_names(source) if name not in given.values())]
    votes = has_columns(named, ("subject",)) and not has_columns(named, ("system",))
    return has_labels(named) and not votes


def has_labels(columns: Iterable[Any]) -> bool:
    """Whether a table names items and categories, or is too narrow for a run; and no queries."""
    columns = list(columns)
    if any(has_columns(columns, (name,)) for name in ("query", *COLUMNS.any_of)):
        return has_columns(columns, ("item", "category")) and not has_columns(columns, ("query",))
    n_others = sum(not is_spelling(name, "system") for name in columns)
    return n_others == 2 < len(columns) or has_columns(columns, ("item", "category"))


_LARGE = 1 << 25  # bytes of a table that is read in blocks
_PACKED = 8  # times as many bytes as a compressed file has
#: what the second column of TREC judgments holds: subjects, nothing, intents; None: see what it has
Groups = Literal[None, True, False, "intent"]


def read_judgments(
    path: Files,
    *,
    design: Design = "crossed",
    groups: Groups = None,
    columns: Mapping[str, Any] | None = None,
    grades: Mapping[Any, float] | None = None,
    drop: Any = (),
    subjects: Iterable[Any] | str = (),
    duplicates: Duplicates = "error",
) -> Judgments:
    r"""Read judgments from a file, or from one of each assessor; its ending gives the format.

    Parameters
    ----------
    path : path, pattern, folder, list of paths, or dict
        TREC judgments (any ending not named here: lines of query, group, item, grade), `.csv`,
        `.tsv`, `.json` (a list of records, or ``{query: {item: grade}}``), `.jsonl` or `.parquet`;
        `.gz` of each. Columns query, item, grade and, optionally, subject, position, intent,
        probability, count and repeat have any of their usual names; `score` is the grade where
        there is no other, as in BEIR and MTEB (see `Judgments.from_frame`).

        Of several files, each holds the judgments of one subject: ``{"ann": path, "bob": path}``
        names them; those of a list, a pattern such as ``qrels/*.txt`` or a folder are called as
        their files, without ending, unless a file names its own subjects.
    design : {"crossed", "nested"}
        Whether the name of a subject stands for one person over all queries; see `Judgments`.
    groups : bool or "intent", optional
        Whether the second column of TREC judgments names subjects. By default if an item of a query
        is judged under two of them; a `GroupNotice` then says so. "intent": it names intents of the
        query, as in TREC's diversity tasks.
    columns, grades, drop, subjects
        Your names of columns, grades of words, answers that are none, and columns that hold the
        grades of one subject each; see `Judgments.from_frame`. For tables with named columns.
    duplicates : {"error", "first", "last", "mean", "repeat"}
        Several judgments of an item by one subject: an error, the first or last one counts, their
        mean grade, or each is a repetition; see `Judgments.from_frame`.

    Returns
    -------
    Judgments

    Raises
    ------
    DataError
        The file cannot be read, a column is missing, a grade is not a finite number, or a subject
        judged an item twice; the message names the file, the line, the column and the value. Of
        several files: one is given twice, or two are of one subject.
    OptionError
        `columns` has a name that is not read here, `grades` is no mapping to numbers, or options
        of tables are given for a TREC file.

    Warns
    -----
    GroupNotice
        The second column of TREC judgments is read as subjects, or the columns of a CSV file that
        begins with query and docid, as Quepid exports books, as one judge each.
    LeftOutWarning
        Rows were dropped, or cells are empty, or duplicates left out, with their number.
    UnusedColumnWarning
        A column is not used that could be the grades, the counts or the subjects.

    Examples
    --------
    >>> path = getfixture("tmp_path") / "qrels.txt"
    >>> _ = path.write_text("q1 0 d1 1\nq1 0 d2 0\n")
    >>> read_judgments(path)
    Judgments(2 rows, 1 query)
    >>> read_judgments({"ann": path}).subjects
    ('ann',)
    """
    errors.choice("design", design, ("crossed", "nested"))
    errors.choice("groups", groups, get_args(Groups))
    request = judgments.COLUMNS.given(columns, grades=grades, drop=drop, wide=subjects)
    request = replace(request, duplicates=duplicates)
    return judgments_of_files(path, request, design, groups)


def judgments_of_files(
    path: Files, request: ColumnRequest, design: Design = "crossed", groups: Groups = None
) -> Judgments:
    """The judgments of one file, or of one for each assessor; see `read_judgments`."""
    files = files_of_assessors(path)
    if files is None:
        return _judgments_of(Source.of(cast(assessor_files.OneFile, path)), request, design, groups)

    def read(source: Source) -> tuple[Columns, None]:
        part = _judgments_of(source, request, design, groups)
        return part.present(judgments.COLUMN_NAMES), None

    return Judgments(**joined_columns(files, read)[0], design=design)


def _judgments_of(
    source: Source, request: ColumnRequest, design: Design, groups: Groups
) -> Judgments:
    """The judgments of one file."""
    duplicates: Any = request.duplicates
    if source.format != "trec":
        table, origin = table_of(source, _with_judges_of_quepid(source, request))
        return Judgments.from_table(
            table, origin, design=design, where=str(source.path), duplicates=duplicates
        )
    refuse_table_options(source.path, request)
    fields = read_trec(source, QRELS, QRELS.fields)
    group = fields["group"]
    if groups is None and _names_subjects(fields):
        groups = True
        names = group.dictionary.to_pylist()
        errors.warn(
            f"{source.path}: the second column is read as {counted(len(names), 'subject')} "
            f"({shown_all(names)}), because it holds several judgments of one item; "
            "groups=True agrees, groups=False ignores it, groups='intent' reads intents of the "
            "query",
            errors.GroupNotice,
        )
    return Judgments.from_columns(
        fields["query"],
        fields["item"],
        fields["grade"],
        subject=group if groups is True else None,
        intent=group if groups == "intent" else None,
        design=design,
        duplicates=duplicates,
        where=str(source.path),
        locate=source.locate,
    )


def _with_judges_of_quepid(source: Source, request: ColumnRequest) -> ColumnRequest:
    """The request, with a column for each judge of a book that Quepid exported."""
    names = column_names(source) if source.format == "csv" and not request.options else ()
    judges = names[2:]
    if names[:2] != ("query", "docid") or not judges or any(map(is_known, judges)):
        return request
    errors.warn(
        f"{source.path}: read as a book that Quepid exported, each column after 'docid' being the "
        f"ratings of one judge ({first_few(judges, show=shown)}); otherwise: "
        f"subjects={[*judges[:1]]!r} names them",
        errors.GroupNotice,
    )
    return replace(request, wide=judges)


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
        The column of a run that orders its lists. They need not be sorted in the file.
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
        raise errors.OptionError(
            "paths: this is a Dask frame, which evaluate takes as it is; elsewhere, give "
            "Runs.from_frame(frame.compute())"
        )
    errors.choice("name", name, get_args(NameBy))
    errors.choice("order_by", order_by, ("score", "rank"))
    errors.choice("duplicates", duplicates, ("error", "first"))
    matrix = MatrixOptions(queries, items, exclude_self, larger_is_better, depth)
    if isinstance(paths, Mapping):
        rule = "the keys of the dict already name the systems"
        errors.require("name", name, name == "file", rule)
    return runs_of_files(named_files(paths), name, order_by, duplicates, matrix, columns)


def stream_files(
    given: Sequence[tuple[str | None, Path]],
    *,
    order_by: str = "score",
    duplicates: str = "error",
    exclude_self: bool = False,
    n_jobs: int = 1,
) -> run_stream.StreamedRuns | None:
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
        if isinstance(reader, run_stream.TrecReader):
            run_stream.note_name(reader.system, reader.source.path, path_of)
    return run_stream.StreamedRuns(
        (run_stream.StreamedFile(one, duplicates, exclude_self) for one in known), n_jobs
    )


def _reader(name: str | None, source: Source, order_by: str) -> run_stream.RunReader | None:
    """A reader of a file in blocks; None if it is to be read as a whole.

    So are matrices, tables of labels and tables that are not large, whose records may differ.
    """
    if holds_matrix(source):
        return None
    kind = source.format
    if kind == "trec":
        return run_stream.TrecReader(source, source.stem if name is None else name, order_by)
    if name is not None or kind not in IN_BLOCKS or not _is_large(source, kind):
        return None
    return None if holds_labels(source) else run_stream.TableReader(source, order_by)


def _is_large(source: Source, kind: str) -> bool:
    """Whether a table is read in blocks."""
    packed = kind == "parquet" or source.path.suffix.lower() == ".gz"
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
    errors.require("paths", paths, not nested, rule)
    return [
        (check_id(key, "system", "paths"), as_path("path", path)) for key, path in paths.items()
    ]


def runs_of_files(
    given: Sequence[tuple[str | None, Path | Source]],
    name: NameBy,
    order_by: str,
    duplicates: str,
    matrix: MatrixOptions,
    columns: Mapping[str, Any] | None = None,
) -> Runs:
    """Read files, each with the name of its system or None; see `read_runs`."""
    if not given:
        raise errors.DataError("read_runs: there are no paths; give at least one file")
    sources = [Source.of(path) for _, path in given]
    files = [read_run_file(one, order_by, duplicates, matrix, columns) for one in sources]
    of_matrices = [option for option in matrix.given if option != "exclude_self"]
    if of_matrices and not any(file.is_matrix for file in files):
        raise errors.OptionError(
            f"none of the files is a matrix ({first_few(str(one.path) for one in sources)}), and "
            f"only matrices take {', '.join(f'{option}=' for option in of_matrices)}"
        )
    rankings: dict[str, Ranking] = {}
    path_of: dict[str, Path] = {}
    for (given_name, _), source, file in zip(given, sources, files, strict=True):
        named = file.named(given_name, name)
        for system, ranking in named.items():
            run_stream.note_name(system, source.path, path_of, several=len(named) > 1)
            rankings[system] = ranking
    runs = Runs(rankings)
    return runs.exclude_self() if matrix.exclude_self else runs


def as_judgments(given: Any, *, argument: str = "truth", also: str = "") -> Judgments:
    """Judgments from a table, a dict, a path, or an object of another library.

    Parameters
    ----------
    given : Judgments, table, mapping, path, several paths or ranx.Qrels
        A table is read by `Judgments.from_frame`: a frame of pandas, polars, DuckDB or Arrow, a
        list or iterator of named tuples such as those of ir_measures and ir_datasets, and so on. A
        mapping is ``{query: {item: grade}}`` or ``{query: [relevant item, ...]}``; or paths, of
        one file for each subject; see `read_judgments`.
    argument, also : str
        For the error: the name of what is given, and what else it may be.

    Raises
    ------
    OptionError
        It is nothing of these.

    Examples
    --------
    >>> as_judgments({"q1": {"a": 1, "b": 0}})
    Judgments(2 rows, 1 query)
    """
    if isinstance(given, Judgments):
        return given
    if isinstance(given, Runs):
        raise errors.OptionError(f"{argument}: these are runs; give judgments, and runs as runs=")
    if is_parted(given):
        given = Workers().results([given], "judgments")[0]
    if is_table(given):
        return Judgments.from_frame(given)
    if assessor_files.are_files(given):
        return read_judgments(given)
    if _is_of_ranx(given, "qrels"):
        given = given.to_dict()
    if isinstance(given, Mapping):
        return Judgments.from_dict(given, where=argument)
    raise errors.OptionError(
        f"{argument}: give Judgments, {also}a frame, {{query: {{item: grade}}}} or a path, not "
        f"{shown(given)}"
    )


def as_runs(given: Any) -> Runs:
    """Runs from a table, a dict, a path or several, or objects of another library.

    Parameters
    ----------
    given : Runs, table, mapping, path, pattern, ranx.Run, or a list or mapping of these
        A table is read by `Runs.from_frame`, or by `Runs.from_labels` if it has items and
        categories but no queries. A mapping ``{system: ...}`` names the systems of tables, runs,
        paths, ``{query: {item: score}}`` and ``{query: [best item, next item, ...]}``; the last two
        alone are one system.

    Raises
    ------
    OptionError
        It is nothing of these, or there is no system in it.
    DataError
        Two systems have the same name.

    Examples
    --------
    >>> as_runs({"a": {"q1": ["d2", "d1"]}, "b": {"q1": {"d1": 0.3}}})
    Runs(2 systems: a, b; 3 rows)
    """
    if isinstance(given, Mapping) and not isinstance(given, Runs) and _names_systems(given):
        if all(isinstance(part, (str, Path)) for part in given.values()):
            return read_runs(given)
        return _joined((check_id(name, "system", "runs"), part) for name, part in given.items())
    several = isinstance(given, (list, tuple)) and bool(given)
    if several and (isinstance(given[0], Runs) or not is_table(given)):
        return _joined((None, part) for part in given)
    runs = _one(given)
    if not runs:
        raise errors.OptionError("runs: there is no system in them")
    return runs


def as_ranked_lists(given: Any, *, exclude_self: bool, n_jobs: int, in_blocks: bool) -> RankedLists:
    """Runs as `as_runs` makes them, or, `in_blocks`, files that are read where they are needed.

    With `exclude_self`, lists leave out the id of their query; see `Runs.exclude_self`. Several
    files are read by `n_jobs` workers.
    """
    if isinstance(given, run_stream.StreamedRuns):
        return given
    parts = given.values() if isinstance(given, Mapping) else given
    parts = parts if isinstance(given, (list, tuple, Mapping)) else [given]
    if in_blocks and len(parts) and all(isinstance(part, (str, Path)) for part in parts):
        streamed = stream_files(named_files(given), exclude_self=exclude_self, n_jobs=n_jobs)
        if streamed is not None:
            return streamed
    runs = as_runs(given)
    return runs.exclude_self() if exclude_self else runs


def _one(given: Any) -> Runs:
    """The runs of one object."""
    if isinstance(given, Runs):
        return given
    if is_parted(given):
        raise errors.OptionError(
            "runs: Dask frames are for evaluate, a single one with all systems (in a column "
            "'system'); elsewhere, give frame.compute()"
        )
    if is_table(given):
        table = named_columns(given, "runs", COLUMNS)
        return Runs.from_labels(table) if has_labels(table.names) else Runs.from_frame(table)
    name, of_ranx = "system", _is_of_ranx(given, "run")
    if of_ranx:
        given, name = given.to_dict(), str(given.name or name)
    if of_ranx or (isinstance(given, Mapping) and given):
        return Runs.from_dict(given, name=name)
    if isinstance(given, (str, Path)):
        return read_runs(given)
    raise errors.OptionError(
        "runs: give Runs, a frame, {system: {query: {item: score}}}, a path or several, not "
        f"{shown(given)}"
    )


def _names_systems(given: Mapping[Any, Any]) -> bool:
    """Whether a mapping has objects by names of systems, and not only numbers or lists of items."""
    return any(
        isinstance(value, (Runs, str, Path)) or is_table(value) or _is_of_ranx(value, "run")
        for value in given.values()
    )


def _joined(parts: Iterable[tuple[str | None, Any]]) -> Runs:
    """The runs of several objects, under the names given for those of one system."""
    rankings: dict[str, Ranking] = {}
    for name, part in parts:
        runs = _one(part)
        if name is not None:
            if len(runs) != 1:
                raise errors.DataError(
                    f"runs: {shown(name)} holds {counted(len(runs), 'system')}; name one at a time"
                )
            runs = Runs({name: next(iter(runs.values()))})
        for system, ranking in runs.items():
            if system in rankings:
                raise errors.DataError(
                    f"runs: two systems are called {shown(system)}; name them: {{name: run, ...}}"
                )
            rankings[system] = ranking
    return Runs(rankings)


def _is_of_ranx(given: Any, attribute: str) -> bool:
    """Whether this is ranx's `Qrels` (which has `qrels`) or `Run` (which has `run`)."""
    return hasattr(given, "to_dict") and hasattr(given, attribute)
