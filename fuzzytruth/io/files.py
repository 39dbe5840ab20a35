"""Reading files, gzipped or not, whole or in blocks of lines; each failure is a `DataError`."""

from __future__ import annotations

import difflib
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from fuzzytruth.errors import DataError, shown_all
from fuzzytruth.io.origin import Locate
from fuzzytruth.io.paths import as_path

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
