"""Reading votes for categories."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fuzzytruth.data.assignments import Assignments
from fuzzytruth.data.taxonomy_files import read_taxonomy
from fuzzytruth.errors import DataError
from fuzzytruth.io.columns import Columns, Locate, Wanted
from fuzzytruth.io.files import Source
from fuzzytruth.io.formats import format_of
from fuzzytruth.io.tables import read_table

if TYPE_CHECKING:
    from fuzzytruth.data.taxonomy.taxonomy import Taxonomy

_VOTES = Wanted(("subject", "item", "category"), ("weight",), "category")
_ASKED = Wanted(("subject", "item", "category"), (), "category")


def read_assignments(
    path: str | Path,
    *,
    taxonomy: Taxonomy | str | Path,
    asked: str | Path | None = None,
) -> Assignments:
    r"""Read which category each subject gave to each item; see `Assignments.from_frame`.

    Parameters
    ----------
    path : path
        `.csv`, `.tsv`, `.json` (a list of records), `.jsonl` or `.parquet`; `.gz` of each. Columns
        subject, item, category and, optionally, weight go by any of their usual names.
    taxonomy : Taxonomy or path
        The categories; a path is read by `read_taxonomy`.
    asked : path, optional
        Columns subject, item, category: who was asked about what.

    Raises
    ------
    DataError
        A file cannot be read, has no named columns, or breaks a rule; the message names the file,
        the line, the column and the value.

    Examples
    --------
    >>> folder = getfixture("tmp_path")
    >>> _ = (folder / "tree.txt").write_text("all\n  people\n  scenery\n")
    >>> _ = (folder / "votes.csv").write_text("annotator,image,label\nann,1,people\nbob,1,all\n")
    >>> read_assignments(folder / "votes.csv", taxonomy=folder / "tree.txt")
    Assignments(2 votes, 1 item, 2 subjects, 3 categories)
    """
    categories = read_taxonomy(taxonomy) if isinstance(taxonomy, (str, Path)) else taxonomy
    votes, locate = _read(path, _VOTES)
    questions, locate_asked = (None, None) if asked is None else _read(asked, _ASKED)
    return Assignments.from_columns(
        **votes,
        taxonomy=categories,
        asked=questions,
        where=str(path),
        locate=locate,
        locate_asked=locate_asked,
    )


def _read(path: str | Path, wanted: Wanted) -> tuple[Columns, Locate]:
    source = Source.of(path)
    if format_of(source.path) not in ("csv", "tsv", "json", "jsonl", "parquet"):
        raise DataError(
            f"{source.path}: votes need named columns (subject, item, category); give a file that "
            "ends in .csv, .tsv, .json, .jsonl or .parquet"
        )
    return read_table(source, wanted)
