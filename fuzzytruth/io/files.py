"""Files: found, read whole or in blocks of lines, their formats; each failure is a `DataError`."""

from __future__ import annotations

import gzip
import io
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from errno import ENAMETOOLONG
from glob import has_magic
from os import PathLike, lstat
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, cast

from fuzzytruth._lazy import pa
from fuzzytruth.errors import DataError, FuzzytruthError, counted, plural, require, shown, shown_all

if TYPE_CHECKING:
    from fuzzytruth.io.columns import Locate

Tabular = Literal["csv", "tsv", "json", "jsonl", "parquet"]
Format = Literal["trec", Tabular]

_BY_SUFFIX: dict[str, Tabular] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}
#: formats of taxonomies: besides tables of edges, classification files and indented text
TaxonomyFormat = Literal["cla", "indented", Tabular]

_TAXONOMY_SUFFIXES: dict[str, TaxonomyFormat] = {".cla": "cla", ".txt": "indented"}


def taxonomy_format_of(path: Path) -> TaxonomyFormat:
    """The format of a taxonomy by the ending of the name, `.gz` aside.

    Raises
    ------
    DataError
        The ending belongs to no such format.
    """
    suffix = _last_suffix(path)
    known: dict[str, TaxonomyFormat] = {**_BY_SUFFIX, **_TAXONOMY_SUFFIXES}
    if suffix.lower() not in known:
        raise _no_format(path, suffix, "of taxonomies", known)
    return known[suffix.lower()]


def _no_format(path: Path, suffix: str, what: str, known: Iterable[str]) -> DataError:
    """The error of an ending that belongs to none of the known formats."""
    return DataError(
        f"{path}: the ending {shown(suffix)} names no format {what}; name the file "
        f"{', '.join(known)}"
    )


#: endings of formats that are not supported, so that such files are not taken for TREC files
_COMPRESSED = frozenset({".bz2", ".xz", ".zip", ".zst", ".7z", ".tar", ".tgz", ".lz4"})
_UNSUPPORTED = frozenset(
    {".xlsx", ".xls", ".ods", ".pickle", ".pkl", ".feather", ".arrow", ".h5", ".hdf5", ".npy"}
    | {".npz", ".xml", ".yaml", ".yml", ".toml", ".html", ".avro", ".orc", ".db", ".sqlite"}
)


_SHEETS = frozenset({".xlsx", ".xls", ".ods"})


def format_of(path: Path) -> Format:
    """The format by the ending of the name, `.gz` aside; any unknown ending means TREC.

    Raises
    ------
    DataError
        The ending belongs to a format that is not supported.
    """
    suffix = _last_suffix(path).lower()
    if suffix in _COMPRESSED:
        raise DataError(f"{path}: only .gz compression is supported, not {suffix}")
    if suffix in _UNSUPPORTED:
        sheet = " (save the sheet as CSV)" if suffix in _SHEETS else ""
        raise DataError(
            f"{path}: the ending {shown(suffix)} names no format that is supported{sheet}; name "
            f"the file {', '.join(_BY_SUFFIX)}, or anything else for TREC"
        )
    return _BY_SUFFIX.get(suffix, "trec")


#: endings of TREC files that are written; files of any ending are read
_TREC_SUFFIXES = (".txt", ".run", ".qrels", ".qrel", ".trec", ".res")


def format_to_write(path: Path, *, trec: bool = True) -> Format:
    """The format to write by the ending of the name, `.gz` aside; none means TREC.

    Raises
    ------
    DataError
        The ending belongs to no format, or to TREC where that is not `trec`.
    """
    kind, suffix = format_of(path), _last_suffix(path)
    if kind == "trec" and not (trec and suffix.lower() in ("", *_TREC_SUFFIXES)):
        known = [*_BY_SUFFIX, *(f"{s} (TREC)" for s in _TREC_SUFFIXES if trec)]
        raise _no_format(path, suffix, "to write", known)
    return kind


def stem_of(path: Path) -> str:
    """The name without its ending and `.gz`.

    Examples
    --------
    >>> [stem_of(Path(name)) for name in ("a/bm25.run", "bm25.txt.gz", "bm25-b0.75")]
    ['bm25', 'bm25', 'bm25-b0.75']
    """
    return _without_gz(path).removesuffix(_last_suffix(path))


def _last_suffix(path: Path) -> str:
    """The ending of the name, `.gz` aside, as it is written; digits are none."""
    suffix = Path(_without_gz(path)).suffix
    return "" if suffix[1:].isdigit() else suffix


def _without_gz(path: Path) -> str:
    return path.stem if path.suffix.lower() == ".gz" else path.name


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
    try:
        lstat(text)  # which asks the system
    except ValueError:  # a zero byte, or no character
        require(name, text, False, "holds characters that no name of a file can have")
    except OSError as error:
        too_long = error.errno == ENAMETOOLONG
        require(name, text, not too_long, "is longer than the name of a file can be")
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
    for each in [paths] if isinstance(paths, str) or not isinstance(paths, Iterable) else paths:
        path = as_path("path", each)
        if path.is_dir():
            raise DataError(f"{path}: is a directory; give a file, or a pattern such as {path}/*")
        if path.exists() or not has_magic(str(path)):
            files.append(path)
            continue
        root = path.anchor
        pattern = str(path).removeprefix(root)
        hidden = path.name.startswith(".")  # are matched as a shell does
        found = Path(root or ".").glob(pattern)
        matches = sorted(m for m in found if not m.is_dir() and m.name.startswith(".") == hidden)
        if not matches:
            raise DataError(f"{path}: no file matches this pattern")
        files += matches
    return files


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
    def format(self) -> Format:
        """The format by the ending of the name; see `format_of`."""
        return format_of(self.path)

    @property
    def stem(self) -> str:
        """The name without its ending and `.gz`; see `stem_of`."""
        return stem_of(self.path)

    @property
    def ending(self) -> str:
        """The ending of the name in lower case, `.gz` aside."""
        return _last_suffix(self.path).lower()

    @property
    def size(self) -> int | None:
        """Number of bytes of text, where it is known without reading."""
        packed = self.path.suffix.lower() == ".gz"
        if packed or self.contents is not None or not self.path.is_file():
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
    import difflib

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


def parse_with_arrow(
    text: Any, types: Mapping[str, Any], read: Mapping[str, Any], parse: Mapping[str, Any]
) -> Any:
    """Some columns of delimited text as a table of Arrow; None if a row is not of this form.

    Parameters
    ----------
    text : bytes or buffer
    types : mapping
        Arrow's type of each column that is wanted.
    read, parse : mapping
        Arrow's options of reading and of parsing.
    """
    from pyarrow import csv

    if bytes(text[:3]) == _BOM:  # Arrow would skip it
        return None
    try:
        return csv.read_csv(
            pa.BufferReader(text),
            read_options=csv.ReadOptions(**read),
            parse_options=csv.ParseOptions(**parse),
            convert_options=csv.ConvertOptions(
                column_types=dict(types),
                include_columns=list(types),
                null_values=[],
                strings_can_be_null=False,
            ),
        )
    except pa.ArrowInvalid:
        return None


class _RepeatedKeyError(Exception):
    """An object has a key twice."""


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _RepeatedKeyError(next(key for key in keys if keys.count(key) > 1))
    return unique


_DECODER = json.JSONDecoder(object_pairs_hook=_unique_keys)  # making one takes as long as a line


def parse_json(text: bytes, where: str, *, is_line: bool = False) -> Any:
    """The value of a JSON text; a `DataError` if it is none, or an object has a key twice.

    Errors count the lines of the text unless it `is_line`.
    """
    if text.lstrip().startswith(_BOM):
        raise DataError(f"{where}: a byte-order mark (U+FEFF) is before the text; remove it")

    try:
        return _DECODER.decode(text.decode())
    except _RepeatedKeyError as error:
        key = shown(error.args[0])
        raise DataError(f"{where}: key {key} occurs twice in one object") from None
    except json.JSONDecodeError as error:
        place = "" if is_line else f"line {error.lineno}, "
        raise DataError(
            f"{where}, {place}character {error.colno}: is not JSON ({error.msg})"
        ) from None
    except UnicodeDecodeError as error:
        place = "" if is_line else f", line {len(text[: error.start + 1].splitlines())}"
        raise DataError(
            f"{where}{place}: byte 0x{text[error.start]:02x} is not UTF-8; convert the file to "
            "UTF-8"
        ) from None
    except (ValueError, RecursionError) as error:  # endless digits, endless brackets
        raise DataError(f"{where}: is not JSON ({error})") from None
