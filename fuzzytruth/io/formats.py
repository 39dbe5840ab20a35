"""Which format a file is in, by its name."""

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


#: how a taxonomy can be written besides as a table of edges
TaxonomyFormat = Literal["cla", "indented", Tabular]

_TAXONOMIES: dict[str, TaxonomyFormat] = {".cla": "cla", ".txt": "indented"}


def taxonomy_format_of(path: Path) -> TaxonomyFormat:
    """Format of a taxonomy by the ending of the name (`.gz` aside).

    Raises
    ------
    DataError
        The ending is none of those.
    """
    name = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    known: dict[str, TaxonomyFormat] = {**_BY_SUFFIX, **_TAXONOMIES}
    if name.suffix.lower() not in known:
        raise DataError(
            f"{path}: the ending {shown(name.suffix)} names no format of taxonomies; name the file "
            f"{', '.join(known)}"
        )
    return known[name.suffix.lower()]


#: endings of what is neither read nor written, and no TREC file either
_PACKED = frozenset({".bz2", ".xz", ".zip", ".zst", ".7z", ".tar", ".tgz", ".lz4"})
_FOREIGN = frozenset(
    {".xlsx", ".xls", ".ods", ".pickle", ".pkl", ".feather", ".arrow", ".h5", ".hdf5", ".npy"}
    | {".npz", ".xml", ".yaml", ".yml", ".toml", ".html", ".avro", ".orc", ".db", ".sqlite"}
)


def format_of(path: Path) -> Format:
    """Format by the ending of the name (`.gz` aside); any other ending is a TREC file.

    Raises
    ------
    DataError
        The ending is that of another format.
    """
    suffixes = [s.lower() for s in path.suffixes]
    if suffixes and suffixes[-1] == ".gz":
        suffixes.pop()
    last = suffixes[-1] if suffixes else ""
    if last in _PACKED:
        raise DataError(f"{path}: files are packed as .gz here, and not as {last}")
    if last in _FOREIGN:
        raise DataError(
            f"{path}: the ending {shown(last)} names no format that is read or written here; name "
            f"the file {', '.join(_BY_SUFFIX)}, or anything else for TREC"
        )
    return _BY_SUFFIX.get(last, "trec")
