"""Trees as indented text: one name a line; its parent is the last line that is indented less."""

from __future__ import annotations

from fuzzytruth.errors import TaxonomyError, shown
from fuzzytruth.io.delimited import decode, split_lines
from fuzzytruth.io.edges import Edges
from fuzzytruth.io.files import Source

_BLANKS = " \t"  # of which indentation is made


def read_indented(source: Source) -> Edges:
    """Read a tree indented with tabs, or with spaces of any width, but not both.

    Raises
    ------
    TaxonomyError
        Lines are indented with both, or a line does not line up with any of its possible siblings.
    DataError
        The file cannot be read, or is not UTF-8.
    """
    parents: list[str | None] = []
    names: list[str] = []
    lines: list[int] = []
    branch: list[tuple[int, str]] = []  # indentation and name of the last line and its ancestors
    blank = ""  # the character of the first indentation
    for line, text in enumerate(split_lines(decode(source.path, source.text())), start=1):
        if not text.strip(_BLANKS + "\v\f"):
            continue
        name = text.strip(_BLANKS)
        where = f"{source.path}, line {line}"
        indent = text[: len(text) - len(text.lstrip())]
        blank = blank or indent[:1]
        _check_blanks(indent, blank, f"{where}: {shown(name)}")
        sibling_indent = branch[-1][0] if branch else len(indent)
        while branch and branch[-1][0] >= len(indent):
            sibling_indent, _ = branch.pop()
        if len(indent) < sibling_indent:
            raise TaxonomyError(
                f"{where}: {shown(name)} is indented by {len(indent)}, like no line above it that "
                "it could stand beside; line it up with its siblings"
            )
        parents.append(branch[-1][1] if branch else None)
        names.append(name)
        lines.append(line)
        branch.append((len(indent), name))
    return Edges(parents, names, lambda row: f"{source.path}, line {lines[row]}", str(source.path))


def _check_blanks(indent: str, blank: str, where: str) -> None:
    """Raise if an indentation is not made of the same character as those above it."""
    foreign = set(indent) - set(_BLANKS)
    if foreign:
        raise TaxonomyError(
            f"{where} is indented with {shown(min(foreign))}; use spaces, or tabs, throughout"
        )
    others = set(indent) - {blank}
    if others:
        names = {" ": "spaces", "\t": "tabs"}
        this, above = (names[c] for c in (min(others), blank))
        raise TaxonomyError(
            f"{where} is indented with {this}, but the lines above with {above}; use one of them"
        )
