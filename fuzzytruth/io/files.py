"""Reading files, gzipped or not, whole or in blocks of lines; each failure is a `DataError`."""

from __future__ import annotations

import difflib
import gzip
import io
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from errno import ENAMETOOLONG
from glob import has_magic
from os import PathLike, fsencode, lstat
from pathlib import Path
from typing import Any, BinaryIO, cast

from fuzzytruth.errors import DataError, FuzzytruthError, counted, plural, require, shown_all
from fuzzytruth.io.origin import Locate


def as_path(name: str, given: Any) -> Path:
    """A path that may name a file.

    Raises
    ------
    OptionError
        It is not a path, is empty, too long, holds what no name of a file can, or is "-", which
        stands for standard input or output elsewhere.
    """
    require(name, given, isinstance(given, (str, PathLike)), "must be the path of a file")
    text = str(given)
    require(name, text, text != "", "must be the path of a file, and not empty")
    require(name, text, text != "-", "names no file here; write /dev/stdin or /dev/stdout")
    require(name, text, _can_be_a_name(text), "holds characters that no name of a file can have")
    require(name, text, not _is_too_long(text), "is longer than the name of a file can be")
    return Path(given)


def matching_files(paths: str | Path | Iterable[str | Path]) -> list[Path]:
    """The files that paths and patterns stand for, the matches of a pattern sorted.

    Raises
    ------
    DataError
        No file matches a pattern, or there is a directory.
    OptionError
        Something is no path.
    """
    files: list[Path] = []
    given: Any = paths
    if isinstance(paths, str) or not isinstance(paths, Iterable):
        given = [paths]
    for each in given:
        path = as_path("path", each)
        if path.is_dir():
            raise DataError(f"{path}: is a directory; give a file, or a pattern such as {path}/*")
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


def _can_be_a_name(text: str) -> bool:
    """Whether the system can be asked for a file of this name."""
    try:
        return b"\0" not in fsencode(text)
    except UnicodeEncodeError:
        return False


def _is_too_long(text: str) -> bool:
    """Whether the system refuses to look for a file of this name."""
    try:
        lstat(text)
    except OSError as error:
        return error.errno == ENAMETOOLONG
    return False


# What is left out of a file, in words.


def counted_reasons(left_out: Mapping[str, int]) -> list[str]:
    """Each reason, a noun in the singular and what follows it, with how often it occurs.

    Examples
    --------
    >>> counted_reasons({"draft": 1, "region of a task": 2, "golden task": 0})
    ['1 draft', '2 regions of a task']
    """
    return [counted(n, reason, _plural(reason)) for reason, n in left_out.items() if n > 0]


def _plural(reason: str) -> str:
    """The reason with its noun in the plural."""
    noun, *rest = re.split(r"(?= without | of )", reason, maxsplit=1)
    return f"{plural(noun)}{''.join(rest)}"


# Errors about nested records whose parts have other types than their format says.


@contextmanager
def refuse_malformed(where: str, what: str) -> Iterator[None]:
    """Turn what Python raises about a missing key or a wrong type into a `DataError`.

    Examples
    --------
    >>> with refuse_malformed("a.json, record 2", "record of Argilla"):
    ...     {"responses": None}["responses"]["q"]
    Traceback (most recent call last):
    ...
    fuzzytruth.errors.DataError: a.json, record 2: malformed record of Argilla...
    """
    try:
        yield
    except FuzzytruthError:
        raise
    except (TypeError, LookupError, AttributeError, ValueError, OverflowError) as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise DataError(
            f"{where}: malformed {what} ({reason}); give the file as it was written"
        ) from None


_BOM = b"\xef\xbb\xbf"
_BLOCK_BYTES = 4 << 20  # small enough to stay in cache while it is parsed


@dataclass(frozen=True, slots=True)
class Source:
    """A file whose bytes can be read more than once.

    Parameters
    ----------
    path : Path
    contents : bytes or None
        The bytes, where the path can be read only once (a pipe).
    """

    path: Path
    contents: bytes | None = None

    @classmethod
    def of(cls, path: str | Path | Source) -> Source:
        """A source at `path`, read at once if it is a pipe; a directory is a `DataError`."""
        if isinstance(path, Source):
            return path
        path = as_path("path", path)
        if path.is_dir():
            raise DataError(f"{path}: is a directory; give a file")
        if not is_pipe(path):
            return cls(path)
        with _errors_of(path):
            return cls(path, path.read_bytes())

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open for reading, decompressing `.gz`; whatever goes wrong becomes a `DataError`."""
        with _errors_of(self.path), self._open() as raw:
            if self.path.suffix.lower() == ".gz":
                yield cast(BinaryIO, gzip.GzipFile(fileobj=raw))
            else:
                yield raw

    def _open(self) -> BinaryIO:
        return self.path.open("rb") if self.contents is None else io.BytesIO(self.contents)

    @property
    def size(self) -> int | None:
        """Number of bytes of text, where it is known without reading."""
        if (
            self.contents is not None
            or self.path.suffix.lower() == ".gz"
            or not self.path.is_file()
        ):
            return None
        return self.path.stat().st_size

    def read(self) -> bytes:
        """All bytes; an empty file is a `DataError`."""
        with self.open() as file:
            data = file.read()
        if not data.strip():
            raise DataError(f"{self.path}: the file is empty")
        return data

    def text(self) -> bytes:
        """All bytes of a text file, without a byte-order mark."""
        data = self.read().removeprefix(_BOM)
        self._refuse_binary(data)
        return data

    def blocks(self) -> Iterator[bytes]:
        """The text in blocks of whole lines, of about 4 MB each."""
        with self.open() as file:
            partial_line: list[bytes | memoryview] = []
            first = True
            while piece := file.read(_BLOCK_BYTES):
                if first:
                    piece, first = piece.removeprefix(_BOM), False
                self._refuse_binary(piece)
                cut = piece.rfind(b"\n") + 1
                if cut:
                    yield b"".join([*partial_line, memoryview(piece)[:cut]])
                    partial_line = []
                partial_line.append(piece[cut:])
            if rest := b"".join(partial_line):
                yield rest

    def _refuse_binary(self, data: bytes) -> None:
        if b"\0" in data:
            raise DataError(
                f"{self.path}: is not a text file (it holds zero bytes); give UTF-8 text, and name "
                "compressed files .gz and Parquet files .parquet"
            )

    def locate(self, row: int, start: int = 0) -> str:
        """Name the line of row `row` (from 0) of a file without header, blank lines not counted.

        Rows are counted behind the first `start` bytes of text, which are whole lines.
        """
        line = 0
        for block in self.blocks():
            before, after = block[:start], block[start:]
            start -= len(before)
            line += len(before.splitlines())
            for text in after.splitlines():
                line += 1
                row -= bool(text.strip())
                if row < 0:
                    return f"{self.path}, line {line}"
        return f"{self.path}, after line {line}"

    def lines_within(self, size: int) -> int:
        """Number of lines in the first `size` bytes of text, which are whole lines."""
        n_lines = 0
        for block in self.blocks():
            n_lines += len(block[:size].splitlines())
            size -= len(block)
            if size <= 0:
                break
        return n_lines


def is_pipe(path: Path) -> bool:
    """Whether there is something at `path` whose bytes can be read only once."""
    return path.exists() and not (path.is_file() or path.is_dir())


def locate_by_number(path: Path, unit: str, n_before: int = 0) -> Locate:
    """Locate by the number of the row or record, for files whose rows are not lines."""
    return lambda row: f"{path}, {unit} {n_before + row + 1}"


@contextmanager
def _errors_of(path: Path) -> Iterator[None]:
    """Turn the errors of opening and reading `path` into a `DataError`."""
    try:
        yield
    except (gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"{path}: is not a valid gzip file ({error})") from None
    except EOFError:
        raise DataError(
            f"{path}: the compressed data end too early; the file is truncated"
        ) from None
    except FileNotFoundError:
        raise DataError(f"{path}: no such file{_nearest_file(path)}") from None
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror or error})") from None


def _nearest_file(path: Path) -> str:
    """The files of the same folder whose names are most like a missing one's, for a message.

    Endings do not count: they would make all files of a format seem alike.
    """
    by_stem: dict[str, list[str]] = {}
    try:
        for one in sorted(path.parent.iterdir()):
            if not one.is_dir():
                by_stem.setdefault(_stem(one), []).append(one.name)
    except OSError:
        return f"; there is no folder {path.parent}"
    near = difflib.get_close_matches(_stem(path), by_stem, n=1)
    return f" (nearest: {shown_all(by_stem[near[0]])})" if near else ""


def _stem(path: Path) -> str:
    """A file's name without endings and case."""
    return path.name.partition(".")[0].lower()
