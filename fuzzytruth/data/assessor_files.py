"""Files of votes, one for each assessor, whose name is given or is that of the file."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from glob import has_magic
from itertools import accumulate
from os.path import realpath
from pathlib import Path
from typing import Any

import numpy as np

from fuzzytruth._lazy import pa
from fuzzytruth.errors import DataError, counted, first_few, require, shown
from fuzzytruth.io.columns import Columns, Locate, Origin, check_id, string_array
from fuzzytruth.io.files import Source, as_path, matching_files
from fuzzytruth.io.ids import take

PathLike = str | Path
#: one file; or one for each assessor: a list, {name: path}, a pattern, or a folder
Files = PathLike | Source | Sequence[PathLike] | Mapping[str, PathLike]
OneFile = PathLike | Source
#: a file, and the name given to its assessor
NamedFiles = list[tuple[str | None, Path]]


def files_of_assessors(given: Files) -> NamedFiles | None:
    """Files, each with the name given to its assessor; None where there is a single file.

    Raises
    ------
    DataError
        There is no file, or a file occurs twice.
    """
    files: NamedFiles
    if isinstance(given, Mapping):
        pairs = given.items()
        files = [(check_id(name, "subject", "path"), as_path("path", one)) for name, one in pairs]
    elif isinstance(given, (list, tuple, Iterator)):
        files = [(None, path) for path in matching_files(given)]
    elif isinstance(given, (str, Path)) and (path := as_path("path", given)).is_dir():
        files = [(None, one) for one in sorted(path.iterdir()) if _is_visible_file(one)]
        if not files:
            raise DataError(f"{path}: there is no file in this folder")
    elif isinstance(given, (str, Path)) and has_magic(str(given)) and not path.exists():
        files = [(None, one) for one in matching_files(path)]
    else:
        return None
    require("path", given, bool(files), "must name a file, or several")
    _refuse_twice(files)
    return files


def are_files(given: Any) -> bool:
    """Whether this is a path, or paths of one file for each assessor."""
    parts = [*given.values()] if isinstance(given, Mapping) else given
    parts = parts if isinstance(parts, (list, tuple)) else [given]
    return bool(parts) and all(isinstance(part, (str, Path)) for part in parts)


def _is_visible_file(path: Path) -> bool:
    return not path.is_dir() and not path.name.startswith(".")


def _refuse_twice(files: NamedFiles) -> None:
    """Raise if a file has two names, or is given twice."""
    first: dict[str, tuple[str | None, Path]] = {}
    for name, path in files:
        whole = realpath(path)
        if whole in first:
            before, same = first[whole]
            as_two = "twice" if name is None else f"as {shown(before)} and as {shown(name)}"
            link = "" if same == path else f", first as {same}"
            raise DataError(f"{path}: is given {as_two}{link}; give the file of each assessor once")
        first[whole] = name, path


def joined_columns(
    files: NamedFiles, read: Callable[[Source], tuple[Columns, Locate | None]]
) -> tuple[Columns, Locate]:
    """The rows of all files, with a column of subjects, and where each row is.

    Parameters
    ----------
    files : list of (name or None, path)
    read : callable
        Gives the checked columns of a file. Subjects that it names itself stay, unless a name is
        given for the only one.

    Raises
    ------
    DataError
        A subject is in two files, a file with a name has several subjects, files have different
        columns, or they name nobody (counts, probabilities).
    """
    parts: list[Columns] = []
    places: list[Locate] = []
    of: dict[str, Path] = {}
    for name, path in files:
        source = Source.of(path)
        columns, locate = read(source)
        places.append(locate or source.locate)
        parts.append(_with_subjects(columns, name, source, of))
        if parts[-1].keys() != parts[0].keys():
            differing = sorted(parts[-1].keys() ^ parts[0].keys())
            raise DataError(
                f"{path}: either this file or {files[0][1]} has a column {shown(differing[0])}, "
                "not both; files of assessors have the same columns"
            )
    together: Columns = {}
    for column, first in parts[0].items():
        join: Any = np.concatenate if isinstance(first, np.ndarray) else pa.concat_arrays
        together[column] = join([part[column] for part in parts])
    ends = list(accumulate(len(part["subject"]) for part in parts))

    def place(row: int) -> str:
        part = bisect_right(ends, row)
        return places[part](row - (ends[part - 1] if part else 0))

    names = [locate.names if isinstance(locate, Origin) else {} for locate in places]
    alike = all(one == names[0] for one in names)
    return together, Origin(place, names[0] if alike else {})


def _with_subjects(
    columns: Columns, name: str | None, source: Source, of: dict[str, Path]
) -> Columns:
    """Columns with one of subjects; `of` has the file of each that is known, and gets theirs."""
    nameless = next((n for n in ("count", "probability") if n in columns), None)
    if nameless is not None:
        raise DataError(
            f"{source.path}: a column {nameless!r} is of votes that name nobody, and so not of one "
            "assessor; give this file alone"
        )
    own = columns["subject"].unique().to_pylist() if "subject" in columns else []
    if name is not None and len(own) > 1:
        raise DataError(
            f"{source.path}: names {counted(len(own), 'subject')} ({first_few(own, show=shown)}), "
            f"and is given as {shown(name)}; give it without a name"
        )
    subjects = own if own and name is None else [name or source.stem]
    for subject in subjects:
        if subject in of:
            raise DataError(
                f"{source.path}: the subject {shown(subject)} is in {of[subject]}, too; each has "
                "one file, and files of one name are told apart by {name: path, ...}"
            )
        of[subject] = source.path
    if own and name is None:
        return columns
    n_rows = len(columns["item"])
    return columns | {"subject": take(string_array(subjects), np.zeros(n_rows, np.int64))}
