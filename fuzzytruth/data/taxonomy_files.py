"""Reading taxonomies from files of any format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fuzzytruth.data.assignments import ASKED, Assignments, vote_request
from fuzzytruth.data.by_example import ByExample
from fuzzytruth.data.taxonomy.taxonomy import Taxonomy
from fuzzytruth.io.files import Source, taxonomy_format_of
from fuzzytruth.io.table_files import read_table, table_source
from fuzzytruth.io.taxonomies import read_cla_edges, read_edges

if TYPE_CHECKING:
    from fuzzytruth.data.taxonomy.taxonomy import Taxonomy


def read_taxonomy(
    path: str | Path, *, root: str | None = None, columns: Mapping[str, Any] | None = None
) -> Taxonomy:
    r"""Read a taxonomy from a file; the ending of its name gives the format.

    Parameters
    ----------
    path : path
        `.csv`, `.tsv`, `.jsonl` or `.parquet` with one row an edge, in columns parent and child
        (an empty parent marks a root); `.json` (``{parent: [child, ...]}``, nested objects,
        ``{child: parent}``, records, or pairs); `.txt` (one name a line, indented with tabs or
        spaces); `.cla` (Princeton Shape Benchmark); `.gz` of each.
    root : str, optional
        Name of a category to add above all those without a parent, if there are several. For a
        `.cla` file, whose classes need no parent, the default is 'all'.
    columns : mapping, optional
        Your names of the columns of a table, {name: your column}: ``{"parent": "above"}``.

    Raises
    ------
    TaxonomyError
        The edges do not form a rooted acyclic graph; see `Taxonomy.from_children`.
    DataError
        The file cannot be read or breaks a rule of its format; the message names file, line and
        value.
    OptionError
        `columns` has a name that is not read here.

    Examples
    --------
    >>> path = getfixture("tmp_path") / "tree.txt"
    >>> _ = path.write_text("all\n  people\n    crowd\n  scenery\n")
    >>> read_taxonomy(path)
    Taxonomy(4 categories, tree of depth 2, root 'all')
    """
    source = Source.of(path)
    if taxonomy_format_of(source.path) == "cla":
        root = root or "all"
    return Taxonomy.from_given(read_edges(source, columns), root)


class Classified(NamedTuple):
    """A taxonomy, and the category of each item."""

    #: the categories
    taxonomy: Taxonomy
    #: item -> its category
    category_of: dict[str, str]

    def by_example(self) -> ByExample:
        """The truth of query by example: relevant are the other items of the query's category.

        Categories below the query's do not count, as in the benchmark. The items keep their order.
        ``scores.mean(groups=category_of)`` is then the mean over categories.

        Examples
        --------
        >>> tree = Taxonomy.from_children({"all": ["cat", "dog"]})
        >>> truth = Classified(tree, {"m1": "cat", "m2": "dog", "m3": "cat"}).by_example()
        >>> import fuzzytruth as ft
        >>> ft.evaluate(truth, {"x": {"m1": {"m2": 2, "m3": 1}}}, "RR").mean()
        measure   RR
        system
        x        0.5
        """
        classes = list(dict.fromkeys(self.category_of.values()))
        root = "all"
        while root in classes:
            root += "_"
        return Assignments.from_columns(
            ["classification"] * len(self.category_of),
            list(self.category_of),
            list(self.category_of.values()),
            taxonomy=Taxonomy.from_children({root: classes}),
            where="classification",
        ).by_example()


def read_cla(path: str | Path, *, root: str = "all") -> Classified:
    r"""Read a classification of the Princeton Shape Benchmark, with the class of each model.

    Parameters
    ----------
    path : path
        A `.cla` file, version 1.
    root : str
        Name of a category to add above all classes without a parent, if there are several. The
        benchmark's own miscellaneous class, called -1, is read like any other.

    Returns
    -------
    Classified
        A named tuple (taxonomy, category_of); `category_of` maps each model to its class.

    Raises
    ------
    DataError
        The file is not in this format, or its counts are wrong; the message names file and line.
    TaxonomyError
        A class is defined twice or before its parent, or a model is in two classes.

    References
    ----------
    Shilane, Min, Kazhdan and Funkhouser 2004.

    Examples
    --------
    >>> path = getfixture("tmp_path") / "test.cla"
    >>> _ = path.write_text("PSB 1\n2 3\n\nanimal 0 1\nm7\n\ndog animal 2\nm1\nm2\n")
    >>> tax, category_of = read_cla(path)
    >>> tax.root, category_of
    ('animal', {'m7': 'animal', 'm1': 'dog', 'm2': 'dog'})
    """
    edges, category_of = read_cla_edges(Source.of(path))
    return Classified(Taxonomy.from_given(edges, root), category_of)


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
