"""File formats, recognised by the ending of the name."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from fuzzytruth.errors import DataError, shown

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
        raise DataError(
            f"{path}: the ending {shown(suffix)} names no format of taxonomies; name the file "
            f"{', '.join(known)}"
        )
    return known[suffix.lower()]


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
        raise DataError(
            f"{path}: the ending {shown(suffix)} names no format to write; name the file "
            f"{', '.join(known)}"
        )
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
