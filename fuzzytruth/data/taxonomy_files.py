"""Reading and writing taxonomies: one verb each, whatever the format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from fuzzytruth.data.taxonomy.building import Edges
from fuzzytruth.data.taxonomy.taxonomy import Taxonomy
from fuzzytruth.data.taxonomy.text import indented
from fuzzytruth.data.writing import write_frame, write_whole
from fuzzytruth.errors import DataError
from fuzzytruth.io.cla import read_cla_edges
from fuzzytruth.io.columns import Wanted
from fuzzytruth.io.files import Source
from fuzzytruth.io.formats import taxonomy_format_of
from fuzzytruth.io.indented import read_indented
from fuzzytruth.io.tables import read_table
from fuzzytruth.io.taxonomy_json import read_taxonomy_json

_EDGES = Wanted(("parent", "child"), (), "child")


def read_taxonomy(path: str | Path, *, root: str | None = None) -> Taxonomy:
    r"""Read a taxonomy from a file; the ending of its name tells the format.

    Parameters
    ----------
    path : path
        `.csv`, `.tsv`, `.jsonl` or `.parquet` with one row an edge, in columns parent and child
        (an empty parent marks a root); `.json` (``{parent: [child, ...]}``, nested objects,
        ``{child: parent}``, records, or pairs); `.txt` (one name a line, indented with tabs or
        spaces); `.cla` (Princeton Shape Benchmark); `.gz` of each.
    root : str, optional
        Name of a category to put above all that have no parent, if these are several. A `.cla`
        file, whose classes need not have one, gets 'all' by default.

    Raises
    ------
    TaxonomyError
        What is in the file is no rooted acyclic graph; see `Taxonomy.from_children`.
    DataError
        The file cannot be read; the message names file, line and value.

    Examples
    --------
    >>> path = getfixture("tmp_path") / "tree.txt"
    >>> _ = path.write_text("all\n  people\n    crowd\n  scenery\n")
    >>> read_taxonomy(path)
    Taxonomy(4 categories, tree of depth 2, root 'all')
    """
    source = Source.of(path)
    kind = taxonomy_format_of(source.path)
    if kind == "cla":
        return read_cla(path, root=root or "all").taxonomy
    if kind == "indented":
        return Taxonomy.from_given(read_indented(source), root)
    if kind == "json":
        return Taxonomy.from_given(read_taxonomy_json(source), root)
    table, locate = read_table(source, _EDGES)
    edges = Edges(table["parent"], table["child"], locate, str(source.path))
    return Taxonomy.from_given(edges, root)


class Classified(NamedTuple):
    """A taxonomy, and what is in it."""

    #: the categories
    taxonomy: Taxonomy
    #: item -> its category
    category_of: dict[str, str]


def read_cla(path: str | Path, *, root: str = "all") -> Classified:
    r"""Read a classification of the Princeton Shape Benchmark, with the class of each model.

    Parameters
    ----------
    path : path
        A `.cla` file, version 1.
    root : str
        Name of the category above all classes without parent, if these are several. The
        benchmark's own miscellaneous class is called -1, and is read as any other.

    Returns
    -------
    (taxonomy, category_of)
        Of a named tuple; `category_of` has the name of the class of each model.

    Raises
    ------
    DataError
        The file is no such file, or its counts are wrong; the message names file and line.
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


def write_taxonomy(tax: Taxonomy, path: Path) -> None:
    """Write in the format that the path's ending names; see `Taxonomy.write`."""
    kind = taxonomy_format_of(path)
    if kind == "cla":
        raise DataError(
            f"{path}: a .cla file also lists the models of each class, which a taxonomy does not "
            "know; write CSV, JSON or text"
        )
    if kind == "indented":
        text = indented(tax)
    elif kind == "json":
        text = json.dumps(tax.to_children(), ensure_ascii=False, indent=1) + "\n"
    else:
        write_frame(tax.to_frame().fillna(""), path)  # a lone root has no parent
        return
    write_whole(path, lambda file: file.write(text.encode()))
