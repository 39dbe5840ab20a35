"""What a report is made of."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any

from fuzzytruth.errors import printable
from fuzzytruth.show.answer import Column, Sentences, Table

#: rows and cells above which a table is folded until a reader opens it
FOLDED_FROM = 40
FOLDED_CELLS = 1000
#: columns above which it is too wide to be printed
WIDE_FROM = 12
_LONG = 20  # characters of a name that may take several lines
_LONG_HEADING = 14


@dataclass(frozen=True, slots=True)
class Code:
    """Text to copy, such as a command.

    Parameters
    ----------
    text : str
    label : str
        What it is, for those who do not see the page.
    """

    text: str
    label: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure.

    Parameters
    ----------
    title : str
        What it shows: the caption below it.
    svg : str
        Text of one `svg` element that names and describes itself; see `plots.svg`. It is inserted
        as it is.
    table : str
        Caption of the table with the same numbers; "" for none.
    narrow : str
        As `svg`, of the same drawn for narrow screens; "" where the one is for all.
    """

    title: str
    svg: str
    table: str = ""
    narrow: str = ""


@dataclass(frozen=True, slots=True)
class Explorer:
    """A table of systems with their differences drawn, which a script redraws as readers choose.

    Parameters
    ----------
    table : Table
        What is shown first, and without a script: names of systems, and their differences.
    places : tuple of tuples of str
        For each row, per cent of the width at which the difference, the ends of its interval and 0
        are drawn; () where there is none.
    bands : tuple of int
        Of rows, where bands begin.
    note, matrix : str
        What the table shows, and the matrix of all pairs; "" for none.
    data : dict
        What explorer.js reads: lists, texts, numbers, and arrays in base 64.
    colours : tuple of str
        Of better, worse and single subjects' differences.
    """

    table: Table
    places: tuple[tuple[str, ...], ...]
    bands: tuple[int, ...]
    note: str
    matrix: str
    data: dict[str, Any]
    colours: tuple[str, ...]

    @property
    def json(self) -> str:
        """Its data, such that they cannot end the element that holds them."""
        return json.dumps(self.data, ensure_ascii=False).replace("<", "\\u003c")


PagePart = Sentences | Code | Explorer | Figure | Table


@dataclass(frozen=True, slots=True)
class Section:
    """A section with a heading, which contents list.

    Parameters
    ----------
    name : str
        Its id in the page: letters and hyphens.
    heading : str
    parts : tuple of Sentences, Code, Explorer, Figure and Table
    """

    name: str
    heading: str
    parts: tuple[PagePart, ...]

    @classmethod
    def of(cls, name: str, heading: str, *parts: PagePart | None) -> Section:
        """A section of the parts that are not None and not empty."""
        kept = [part for part in parts if part is not None and _has_content(part)]
        return cls(name, heading, tuple(kept))


def _has_content(part: PagePart) -> bool:
    if isinstance(part, Sentences):
        return bool(part.lines)
    return not isinstance(part, Table) or part.n_rows > 0


@dataclass(frozen=True, slots=True)
class Page:
    """A report.

    Parameters
    ----------
    title : str
    summary : str
        A line below the title.
    sections : tuple of Section
        Those without parts are left out.
    footer : str
        What made it.
    """

    title: str
    summary: str
    sections: tuple[Section, ...]
    footer: str


# A report as one HTML page.


def page_html(page: Page) -> str:
    """HTML of a page, with its style and script; all texts but those of figures are escaped.

    Control characters in them are shown as codes. The same page gives the same text. A content
    security policy keeps whatever is in it from reaching the network and from running scripts.

    Examples
    --------
    >>> from fuzzytruth.show.answer import Sentences
    >>> from fuzzytruth.show.page import Page, Section, page_html
    >>> section = Section.of("verdicts", "Verdicts", Sentences.of("<b> & c do not differ."))
    >>> html = page_html(Page("Two systems", "", (section,), "fuzzytruth"))
    >>> "<p>&lt;b&gt; &amp; c do not differ.</p>" in html, "http://" in html
    (True, False)
    """
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    parts = (part for section in page.sections for part in section.parts)
    explored = any(isinstance(part, Explorer) for part in parts)
    script = (_file("explorer.js") if explored else "") + _file("page.js")
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda shown: shown if isinstance(shown, Markup) else _visible(str(shown)),
    )
    environment.filters |= {
        "kind": lambda part: type(part).__name__,
        "entries": _entries,
        "style": _style,
        "heading_style": _heading_style,
        "is_wide": lambda table: len(table.columns) > WIDE_FROM,
        "is_folded": _is_folded,
        "is_plain": lambda table: {one.kind == "label" for one in table.columns[1:]} == {False},
    }
    shown = replace(page, sections=tuple(one for one in page.sections if one.parts))
    return environment.from_string(_file("page.html")).render(
        page=shown, style=_file("page.css"), script=script, script_hash=_hash(script)
    )


def _entries(part: Sentences) -> list[tuple[str, ...]]:
    """Lines of a list, each with those that belong to it."""
    out: list[tuple[str, ...]] = []
    for line in part.lines:
        if line.startswith(" ") and out:
            out[-1] = (*out[-1], line.strip())
        else:
            out.append((line,))
    return out


def _style(column: Column) -> str:
    """Class of its cells: of numbers, of names that take several lines, or none."""
    if column.kind != "label":
        return "n"
    return "long" if max(map(len, column.cells), default=0) > _LONG else ""


def _heading_style(column: Column) -> str:
    """Class of its heading: that of its cells, and of a long one."""
    names = (_style(column), "broken" if len(column.heading) > _LONG_HEADING else "")
    return " ".join(filter(None, names))


def _is_folded(table: Table) -> bool:
    """Whether it is large, and shown when asked for."""
    cells = table.n_rows * len(table.columns)
    return table.n_rows > FOLDED_FROM or cells > FOLDED_CELLS


def _visible(text: str) -> str:
    """The text on its lines, which are those of a command, control characters as codes."""
    return "\n".join(map(printable, text.split("\n")))


def _file(name: str) -> str:
    """Text of a file that ships with the package."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(script: str) -> str:
    """By which the policy of the page knows its script."""
    digest = hashlib.sha256(script.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
