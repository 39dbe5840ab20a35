"""Reading and writing the edges of taxonomies in files of any format."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fuzzytruth.errors import DataError, OptionError
from fuzzytruth.io.cla import read_cla_edges
from fuzzytruth.io.edge_forms import edge_request
from fuzzytruth.io.edges import Edges
from fuzzytruth.io.files import Source
from fuzzytruth.io.formats import taxonomy_format_of
from fuzzytruth.io.indented import read_indented
from fuzzytruth.io.tables import read_table
from fuzzytruth.io.taxonomy_json import read_taxonomy_json
from fuzzytruth.io.writing import write_frame, write_whole

if TYPE_CHECKING:
    import pandas as pd


def read_edges(source: Source, columns: Mapping[str, Any] | None = None) -> Edges:
    """Read the edges of a taxonomy from a file in any format of taxonomies.

    Raises
    ------
    DataError
        The ending of the name belongs to no such format, or the file breaks a rule of its format.
    """
    kind, request = taxonomy_format_of(source.path), edge_request(columns)
    if kind in ("cla", "indented", "json") and columns is not None:
        raise OptionError(f"columns=: {source.path} has no named columns; leave it out")
    match kind:
        case "cla":
            edges, _ = read_cla_edges(source)
            return edges
        case "indented":
            return read_indented(source)
        case "json":
            return read_taxonomy_json(source)
    table, origin = read_table(source, request)
    return Edges(table["parent"], table["child"], origin, str(source.path))


def write_taxonomy(
    path: Path,
    *,
    frame: Callable[[], pd.DataFrame],
    children: Callable[[], dict[str, Any]],
    text: Callable[[], str],
) -> None:
    """Write a taxonomy in the format given by the ending of the name.

    Parameters
    ----------
    path : Path
    frame : callable
        Gives the edges: columns parent and child.
    children : callable
        Gives ``{parent: [child, ...]}``.
    text : callable
        Gives the tree as indented text.

    Raises
    ------
    DataError
        The ending belongs to no format of taxonomies, or to classification files.
    """
    kind = taxonomy_format_of(path)
    if kind == "cla":
        raise DataError(
            f"{path}: a .cla file also lists the models of each class, which a taxonomy does not "
            "know; write CSV, JSON or text"
        )
    if kind in ("indented", "json"):
        content = (
            text()
            if kind == "indented"
            else json.dumps(children(), ensure_ascii=False, indent=1) + "\n"
        )
        write_whole(path, lambda file: file.write(content.encode()))
    else:
        write_frame(frame().fillna(""), path)  # the parent of a single root is missing
