"""The page of a report, read back: sentences of its sections, and tables by their captions."""

from __future__ import annotations

import re
from collections import defaultdict
from html.parser import HTMLParser
from pathlib import Path

_SKIPPED = ("style", "script", "svg")
_READ = ("li", "p", "caption", "th", "td")


class PageReader(HTMLParser):
    """What a page says.

    Attributes
    ----------
    lines : dict of section to list of (tag, text)
        Entries of lists and paragraphs; lines that belong to an entry are entries of their own.
    tables : dict of caption to list of rows
        The headings are the first row.
    """

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[str, list[tuple[str, str]]] = defaultdict(list)
        self.tables: dict[str, list[list[str]]] = {}
        self._section = self._caption = ""
        self._skipped = 0
        self._texts: list[tuple[str, str]] = []  # tags that are read and open, with their texts

    @classmethod
    def of(cls, path: Path) -> PageReader:
        """Read a file."""
        reader = cls()
        reader.feed(path.read_text("utf-8"))
        reader.close()
        return reader

    def entries(self, section: str, tag: str = "li") -> list[str]:
        """Sentences of a section in tags of a kind."""
        return [text for found, text in self.lines[section] if found == tag]

    def columns(self, caption: str) -> dict[str, list[str]]:
        """Cells of a table by the headings of its columns."""
        heading, *rows = self.tables[caption]
        return {name: [row[j] for row in rows] for j, name in enumerate(heading)}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open a tag."""
        given = dict(attrs)
        self._skipped += tag in _SKIPPED
        if tag == "section":
            self._section = str(given["id"])
        elif tag == "tr":
            self.tables[self._caption].append([])
        elif tag in _READ:
            self._texts.append((tag, ""))
        elif tag == "span" and given.get("class") == "sub":
            self._keep(*self._texts.pop())
            self._texts.append(("li", ""))

    def handle_endtag(self, tag: str) -> None:
        """Close a tag."""
        self._skipped -= tag in _SKIPPED
        if tag in _READ:
            self._keep(*self._texts.pop())

    def handle_data(self, data: str) -> None:
        """Text, of whatever tag that is read is open."""
        if self._texts and not self._skipped:
            tag, text = self._texts.pop()
            self._texts.append((tag, text + data))

    def _keep(self, tag: str, text: str) -> None:
        text = re.sub(r"\s+", " ", text).strip()
        if tag == "caption":
            self._caption = text
            assert text not in self.tables, f"two tables {text!r}"
            self.tables[text] = []
        elif tag in ("th", "td"):
            self.tables[self._caption][-1].append(text)
        else:
            self.lines[self._section].append((tag, text))
