"""Reading votes for categories from files of any format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fuzzytruth.data.assignments import ASKED, Assignments, vote_request
from fuzzytruth.data.taxonomy_files import read_taxonomy
from fuzzytruth.io.files import Source
from fuzzytruth.io.table_blocks import read_table, table_source

if TYPE_CHECKING:
    from fuzzytruth.data.taxonomy.taxonomy import Taxonomy


def read_assignments(
    path: str | Path,
    *,
    taxonomy: Taxonomy | str | Path | None = None,
    asked: str | Path | None = None,
    columns: Mapping[str, Any] | None = None,
    drop: Any = (),
    subjects: Iterable[Any] | str = (),
) -> Assignments:
    r"""Read the categories that subjects gave to items; see `Assignments.from_frame`.

    Parameters
    ----------
    path : path
        `.csv`, `.tsv`, `.json` (a list of records), `.jsonl` or `.parquet`; `.gz` of each. Columns
        subject (or count), item, category and, optionally, weight and repeat have any of their
        usual names.
    taxonomy : Taxonomy or path, optional
        The categories; a path is read by `read_taxonomy`. By default, the labels that occur, in no
        order.
    asked : path, optional
        Columns subject, item, category: the categories that each subject was asked about.
    columns, drop, subjects
        Your names of columns, answers that are none, and columns that hold the categories of one
        subject each; see `Assignments.from_frame`.

    Raises
    ------
    DataError
        A file cannot be read, has no named columns, or breaks a rule; the message names the file,
        the line, the column and the value.
    OptionError
        `columns` has a name that is not read here.

    Warns
    -----
    LeftOutWarning
        Rows were dropped, or cells are empty, with their number.
    UnusedColumnWarning
        A column is not used that seems to say yes or no, or counts beside names of subjects.

    Examples
    --------
    >>> folder = getfixture("tmp_path")
    >>> _ = (folder / "tree.txt").write_text("all\n  people\n  scenery\n")
    >>> _ = (folder / "votes.csv").write_text("annotator,image,label\nann,1,people\nbob,1,all\n")
    >>> read_assignments(folder / "votes.csv", taxonomy=folder / "tree.txt")
    Assignments(2 votes, 1 item, 2 subjects, 3 categories)
    """
    categories = read_taxonomy(taxonomy) if isinstance(taxonomy, (str, Path)) else taxonomy
    votes = read_table(_source(path), vote_request(columns, drop, subjects))
    questions = None if asked is None else read_table(_source(asked), ASKED)
    return Assignments.from_tables(votes, questions, taxonomy=categories, where=str(path))


def _source(path: str | Path) -> Source:
    """A file with named columns."""
    return table_source(path, "votes", ASKED.required)
