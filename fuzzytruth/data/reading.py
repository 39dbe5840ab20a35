"""Reading judgments and runs from files of any format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from glob import has_magic
from pathlib import Path
from typing import Any, get_args

import numpy as np

from fuzzytruth.data.judgment_columns import Design
from fuzzytruth.data.judgments import COLUMNS, Judgments
from fuzzytruth.data.ranking import Ranking
from fuzzytruth.data.run_files import NameBy, read_run_file
from fuzzytruth.data.runs import Runs
from fuzzytruth.errors import (
    DataError,
    GroupNotice,
    choice,
    counted,
    require,
    shown,
    shown_all,
    warn,
)
from fuzzytruth.io.arrow import as_numpy
from fuzzytruth.io.columns import check_id
from fuzzytruth.io.files import Source
from fuzzytruth.io.formats import format_of
from fuzzytruth.io.ids import encode
from fuzzytruth.io.paths import as_path
from fuzzytruth.io.tables import read_table
from fuzzytruth.io.trec import read_trec
from fuzzytruth.io.trec_lines import QRELS

PathLike = str | Path


def read_judgments(
    path: PathLike, *, design: Design = "crossed", groups: bool | None = None
) -> Judgments:
    r"""Read judgments from a file; the ending of its name gives the format.

    Parameters
    ----------
    path : path
        TREC judgments (any ending not named here: lines of query, group, item, grade), `.csv`,
        `.tsv`, `.json` (a list of records, or ``{query: {item: grade}}``), `.jsonl` or `.parquet`;
        `.gz` of each. Columns query, item, grade and, optionally, subject, position, intent,
        probability, count and repeat (see `Judgments.from_frame`) have any of their usual names.
    design : {"crossed", "nested"}
        Whether the name of a subject stands for one person over all queries; see `Judgments`.
    groups : bool, optional
        Whether the second column of TREC judgments names subjects. By default, it does if some
        (query, item) occurs with two of its values; a `GroupNotice` then says so.

    Returns
    -------
    Judgments

    Raises
    ------
    DataError
        The file cannot be read, a column is missing, a grade is not a finite number, or a subject
        judged an item twice; the message names the file, the line, the column and the value.

    Examples
    --------
    >>> path = getfixture("tmp_path") / "qrels.txt"
    >>> _ = path.write_text("q1 0 d1 1\nq1 0 d2 0\n")
    >>> read_judgments(path)
    Judgments(2 rows, 1 query)
    """
    choice("design", design, ("crossed", "nested"))
    choice("groups", groups, (None, True, False))
    source = Source.of(path)
    if format_of(source.path) != "trec":
        table, locate = read_table(source, COLUMNS)
        return Judgments.from_columns(**table, design=design, where=str(source.path), locate=locate)
    columns = read_trec(source, QRELS, QRELS.fields)
    subject = columns["group"]
    if groups is None and _names_subjects(columns):
        groups = True
        names = subject.dictionary.to_pylist()
        warn(
            f"{source.path}: the second column is read as {counted(len(names), 'subject')} "
            f"({shown_all(names)}), because it holds several judgments of one item; "
            "groups=True agrees, groups=False ignores it",
            GroupNotice,
        )
    return Judgments.from_columns(
        columns["query"],
        columns["item"],
        columns["grade"],
        subject=subject if groups else None,
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
) -> Runs:
    r"""Read the ranked lists of one or more systems.

    Parameters
    ----------
    paths : path, pattern, list of those, or dict
        Files in TREC format (any ending not named here: lines of query, Q0, item, rank, score,
        tag), `.csv`, `.tsv`, `.json` (records, ``{query: {item: score}}`` or ``{system: {query:
        {item: score}}}``), `.jsonl` or `.parquet`; `.gz` of each. A pattern such as ``runs/*.txt``
        stands for all files that match. A dict names the systems: ``{"bm25": path}``.
    name : {"file", "tag"}
        What names the system of a file without names of systems: the name of the file without
        folder and ending (``runs/bm25.run.gz``: bm25), or the tag of a TREC run.
    order_by : {"score", "rank"}
        The column that orders a list. Lists need not be sorted in the file.
    duplicates : {"error", "first"}
        Whether a list that holds an item twice is refused, or keeps the better placed one.

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
    choice("name", name, get_args(NameBy))
    choice("order_by", order_by, ("score", "rank"))
    choice("duplicates", duplicates, ("error", "first"))
    if isinstance(paths, Mapping):
        nested = any(isinstance(value, Mapping) for value in paths.values())
        rule = "must be {name: path}; Runs.from_dict takes {system: {query: {item: score}}}"
        require("paths", paths, not nested, rule)
        require("name", name, name == "file", "the keys of the dict already name the systems")
        given: list[tuple[str | None, Path]] = [
            (check_id(key, "system", "paths"), as_path("path", path)) for key, path in paths.items()
        ]
    else:
        given = [(None, path) for path in _matching(paths)]
    if not given:
        raise DataError("read_runs: there are no paths; give at least one file")
    files = [read_run_file(Source.of(path), order_by, duplicates) for _, path in given]
    rankings: dict[str, Ranking] = {}
    path_of: dict[str, Path] = {}
    for (given_name, path), file in zip(given, files, strict=True):
        for system, ranking in file.named(given_name, name).items():
            if system in rankings:
                raise DataError(
                    f"{path}: its system is called {shown(system)}, and so is one of "
                    f"{path_of[system]}; name the files: read_runs({{name: path, ...}})"
                )
            rankings[system], path_of[system] = ranking, path
    return Runs(rankings)


def _matching(paths: PathLike | Iterable[PathLike]) -> list[Path]:
    """The files that paths and patterns stand for, the matches of a pattern sorted."""
    files: list[Path] = []
    given: Any = paths
    if isinstance(paths, str) or not isinstance(paths, Iterable):
        given = [paths]
    for each in given:
        path = as_path("path", each)
        if Path(path).exists() or not has_magic(str(path)):
            files.append(Path(path))
            continue
        root = Path(path).anchor
        pattern = str(path).removeprefix(root)
        matches = sorted(m for m in Path(root or ".").glob(pattern) if not m.is_dir())
        if not matches:
            raise DataError(f"{path}: no file matches this pattern")
        files += matches
    return files
