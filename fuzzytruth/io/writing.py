"""Writing files. A file appears under its name only when it is complete."""

from __future__ import annotations

import csv
import errno
import gzip
import io
import json
import os
import platform
import re
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Literal, cast

from fuzzytruth._lazy import pd
from fuzzytruth.errors import DataError
from fuzzytruth.io.files import as_path, format_to_write

# Temporary files and folders, removed whatever stops the process, but for a kill.
#
# What a process left that was killed, or ended by SIGTERM, is removed later by another of this
# host.

_EXISTING: set[Path] = set()
_SPACE_OF_IDS = Path("/proc/self/ns/pid")  # containers of one host may number their processes alike


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder that is removed at the end with all that it holds."""
    import tempfile

    prefix = own_prefix(Path(tempfile.gettempdir()), "fuzzytruth-")
    with removed(Path(tempfile.mkdtemp(prefix=prefix))) as folder:
        yield folder


def own_prefix(folder: Path, start: str) -> str:
    """How temporary names of this process start in a folder, where those of ended ones are removed.

    These are names with the same start and host, and the id of a process that no longer runs.
    """
    host = f"{start}{_host()}."
    left = re.compile(rf"{re.escape(host)}(\d+)\.\w+", re.ASCII)
    with suppress(OSError):  # one may write to a folder that one may not list
        for path in folder.glob(f"{host}*"):
            match = left.fullmatch(path.name)
            if match is not None and _has_ended(int(match[1])):
                with suppress(OSError):
                    _remove(path)
    return f"{host}{os.getpid()}."


def _host() -> str:
    """The host, or the container, as part of a name."""
    try:
        space = str(_SPACE_OF_IDS.readlink())
    except OSError:
        space = ""
    return re.sub(r"[^\w-]+", "-", f"{platform.node()}-{space}", flags=re.ASCII).strip("-")


def _has_ended(process: int) -> bool:
    """Whether no process has this id; False if that cannot be told."""
    if os.name != "posix":  # there, `os.kill` would end it
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        pass
    return False


@contextmanager
def removed(path: Path) -> Iterator[Path]:
    """Remove a file or folder at the end, if it is still there."""
    _EXISTING.add(path)
    try:
        yield path
    finally:
        _remove(path)
        _EXISTING.discard(path)


def remove_all() -> None:
    """Remove all that exist, for a process that ends at once."""
    for path in _EXISTING.copy():
        _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


_TO_ADD = os.W_OK | os.X_OK  # a file to a folder


def write_whole(path: Path, fill: Callable[[BinaryIO], Any]) -> None:
    """Write a file through a temporary one beside it, which is renamed when complete.

    Links are followed, and an existing file keeps its permissions. A pipe or a device is written
    to directly.

    Parameters
    ----------
    path : Path
    fill : callable
        Writes the contents to the open file it is given.

    Raises
    ------
    DataError
        The path is a directory, or it cannot be written to.
    """
    path = as_path("path", path)
    with _errors_of(path):
        if path.exists() and not path.is_file():
            with path.open("wb") as raw:
                _fill(path, raw, fill)
        else:
            _replace(_resolved(path), fill)


def check_target(path: Path) -> None:
    """Check that a file can be written later, before anything is computed.

    Parameters
    ----------
    path : Path

    Raises
    ------
    DataError
        The path is a directory, its folder does not exist, or nothing may be written there.
    """
    with _errors_of(path):
        target = _resolved(as_path("path", path))
        if not target.parent.is_dir():
            raise DataError(
                f"{path}: cannot be written (there is no folder {target.parent.name}); make the "
                "folder first, or name another"
            )
        in_place = target.exists() and not target.is_file()
        allowed = os.access(target, os.W_OK) if in_place else os.access(target.parent, _TO_ADD)
    if not allowed:
        raise DataError(f"{path}: cannot be written (no permission); name another folder")


@contextmanager
def _errors_of(path: Path) -> Iterator[None]:
    """Refuse the path of a directory, and turn errors of writing to it into a `DataError`."""
    try:
        if path.is_dir():
            raise DataError(f"{path}: is a directory; give the name of a file")
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise DataError(f"{path}: cannot be written ({error.strerror or error})") from None


def _resolved(path: Path) -> Path:
    """The file that links lead to."""
    with suppress(RuntimeError):  # links in a circle, before Python 3.13
        target = path.resolve()
        if not target.is_symlink():  # as a circle is from then on
            return target
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


def _replace(path: Path, fill: Callable[[BinaryIO], Any]) -> None:
    """Write beside the file, then rename; nothing is left of a failure."""
    import tempfile

    prefix = own_prefix(path.parent, ".fuzzytruth.")
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=prefix)
    with removed(Path(name)) as beside:
        with os.fdopen(handle, "wb") as raw:
            os.fchmod(raw.fileno(), _permissions(path))
            _fill(path, raw, fill)
        beside.replace(path)


def _permissions(path: Path) -> int:
    """The permissions of the file that is replaced, or the default ones."""
    if path.exists():
        return stat.S_IMODE(path.stat().st_mode)
    mask = os.umask(0)  # setting the mask is the only way to read it
    os.umask(mask)
    return 0o666 & ~mask


def _fill(path: Path, raw: BinaryIO, fill: Callable[[BinaryIO], Any]) -> None:
    """Fill an open file, compressed if its name ends in `.gz`."""
    if path.suffix == ".gz":
        with gzip.GzipFile(fileobj=raw, mode="wb", filename="", mtime=0) as compressed:
            fill(cast(BinaryIO, compressed))
    else:
        fill(raw)


def write_judgments(frame: pd.DataFrame, path: Path) -> None:
    """Write judgments in the format given by the ending of the name; see `format_to_write`.

    Parameters
    ----------
    frame : DataFrame
        Columns query, item, grade and, optionally, intent, subject, repeat, count, probability and
        position.
    path : Path

    Raises
    ------
    DataError
        The ending names no format; or it is TREC, and there are intents, positions, counts, repeats
        or probabilities, or an id holds white space.
    """
    if format_to_write(path) != "trec":
        write_frame(frame, path)
        return
    for column in ("intent", "position", "count", "repeat"):
        if column in frame:
            raise DataError(
                f"{path}: a TREC file has no place for {column}s; write .csv, .json or .parquet"
            )
    if "probability" in frame:
        raise DataError(
            f"{path}: a TREC file has no place for probabilities; write .csv, .json or "
            ".parquet, or aggregate('mean') first, to the expected grades"
        )
    frame = frame.assign(subject=frame.get("subject", "0"))
    _write_trec(frame[["query", "subject", "item", "grade"]], path)


def write_runs(frame: pd.DataFrame, path: Path) -> None:
    """Write runs in the format given by the ending of the name; see `format_to_write`.

    Parameters
    ----------
    frame : DataFrame
        Columns system, query, item, rank and score.
    path : Path

    Raises
    ------
    DataError
        The ending names no format; or it is TREC, and there are several systems, or an id holds
        white space.
    """
    if format_to_write(path) != "trec":
        write_frame(frame, path)
        return
    n_systems = frame["system"].nunique()
    if n_systems > 1:
        raise DataError(f"{path}: a TREC run file holds one system, not {n_systems}")
    frame = frame.assign(Q0="Q0")
    _write_trec(frame[["query", "Q0", "item", "rank", "score", "system"]], path)


def write_frame(frame: pd.DataFrame, path: Path) -> None:
    """Write a DataFrame as CSV, TSV, JSON, JSON lines or Parquet, by the ending of the name.

    Raises
    ------
    DataError
        The ending names none of these.
    """
    kind = format_to_write(path, trec=False)
    if kind == "parquet":
        write_whole(path, lambda f: frame.to_parquet(f, index=False))
    elif kind in ("json", "jsonl"):
        write_whole(path, lambda f: _fill_json(f, frame, lines=kind == "jsonl"))
    else:
        write_whole(path, lambda f: _fill_csv(f, frame, "\t" if kind == "tsv" else ","))


def csv_text(frame: pd.DataFrame) -> str:
    """A DataFrame as CSV without its index."""
    buffer = io.StringIO()
    _fill_csv(buffer, frame, ",")
    return buffer.getvalue()


def _fill_csv(file: Any, frame: pd.DataFrame, sep: str) -> None:
    quoting: Literal[0, 2] = (
        csv.QUOTE_NONNUMERIC if _has_carriage_returns(frame) else csv.QUOTE_MINIMAL
    )
    frame.to_csv(file, index=False, sep=sep, quoting=quoting)


def _has_carriage_returns(frame: pd.DataFrame) -> bool:
    """Whether some text has a carriage return, which `to_csv` leaves without quotes."""
    texts = [frame[c] for c in frame.columns if frame[c].dtype.kind not in "bif"]
    return any(text.str.contains("\r", regex=False, na=False).any() for text in texts)


def _fill_json(file: BinaryIO, frame: pd.DataFrame, *, lines: bool) -> None:
    """Write records with all digits of each number, which pandas rounds to 15."""
    records = frame.to_dict(orient="records")
    if lines:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")
    else:
        file.write(json.dumps(records, ensure_ascii=False).encode())


def _write_trec(frame: pd.DataFrame, path: Path) -> None:
    """Write a TREC file, whose columns are separated by white space; no id may hold any."""
    for column in frame.columns:
        if frame[column].dtype.kind in "if":
            continue
        spaced = frame[column].astype(str).str.contains(r"[ \t\n\r\v\f]")
        if spaced.any():
            value = frame.loc[spaced, column].iloc[0]
            raise DataError(
                f"{path}: {column} {value!r} has white space in it, which a TREC file cannot "
                "hold; write CSV, JSON or Parquet"
            )
    if "grade" in frame and ((frame["grade"] % 1 == 0) & (frame["grade"].abs() < 2**53)).all():
        frame = frame.astype({"grade": "int64"})
    write_whole(path, lambda file: _fill_trec(file, frame))


def _fill_trec(file: BinaryIO, frame: pd.DataFrame) -> None:
    """Write lines whose ids are as they are: quotes mean nothing to readers of TREC files."""
    ids = [frame[column] for column in frame if frame[column].dtype.kind not in "if"]
    if not any(column.astype(str).str.contains('"', regex=False).any() for column in ids):
        frame.to_csv(file, sep=" ", header=False, index=False)
        return
    for row in zip(*(frame[column].tolist() for column in frame), strict=True):
        file.write(f"{' '.join(map(str, row))}\n".encode())
