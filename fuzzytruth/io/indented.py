"""Indented text: one name a line, each below the last line that is indented less."""

from __future__ import annotations

from fuzzytruth.data.taxonomy.building import Edges
from fuzzytruth.errors import TaxonomyError, shown
from fuzzytruth.io.delimited import decode
from fuzzytruth.io.files import Source


def read_indented(source: Source) -> Edges:
    """Read a tree whose indentation is tabs, or spaces of any width, but not both.

    Raises
    ------
    TaxonomyError
        Lines are indented with both, or one does not line up with any that it could belong to.
    DataError
        The file cannot be read, or is not UTF-8.
    """
    parents: list[str | None] = []
    names: list[str] = []
    lines: list[int] = []
    above: list[tuple[int, str]] = []  # indentation and name: the last line and all it lies below
    kind = ""  # of the characters that indent
    for line, text in enumerate(decode(source.path, source.text()).splitlines(), start=1):
        name = text.strip()
        if not name:
            continue
        where = f"{source.path}, line {line}"
        indent = text[: len(text) - len(text.lstrip())]
        kind = kind or indent[:1]
        _check_kind(indent, kind, where)
        deepest = above[-1][0] if above else len(indent)
        while above and above[-1][0] >= len(indent):
            column, _ = above.pop()
            deepest = column
        if len(indent) < deepest:
            raise TaxonomyError(
                f"{where}: {shown(name)} is indented by {len(indent)}, like no line above it that "
                "it could stand beside; line it up with its siblings"
            )
        parents.append(above[-1][1] if above else None)
        names.append(name)
        lines.append(line)
        above.append((len(indent), name))
    return Edges(parents, names, lambda row: f"{source.path}, line {lines[row]}", str(source.path))


def _check_kind(indent: str, kind: str, where: str) -> None:
    odd = set(indent) - {kind}
    if odd:
        names = {" ": "spaces", "\t": "tabs"}
        found, used = (names.get(c, shown(c)) for c in (min(odd), kind))
        raise TaxonomyError(
            f"{where}: indented with {found}, but the lines above with {used}; use one of them"
        )
