"""HTML of printed results, read back."""

from __future__ import annotations

from html.parser import HTMLParser


class Reader(HTMLParser):
    """Texts by the tag that they are in, and the tags that were opened and not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[tuple[str, str]] = []

    @classmethod
    def of(cls, html: str) -> Reader:
        """Read a text."""
        reader = cls()
        reader.feed(html)
        reader.close()
        return reader

    def handle_starttag(self, tag: str, attrs: object) -> None:
        """Open a tag."""
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the last tag."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Text within a tag."""
        if data.strip():
            self.texts.append((self.open[-1], data.strip()))
