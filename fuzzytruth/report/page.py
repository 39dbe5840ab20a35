"""A report as one HTML page."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import replace
from importlib.resources import files

from fuzzytruth.errors import printable
from fuzzytruth.report.parts import Page


def page_html(page: Page) -> str:
    """HTML of a page, with its style and script; all texts but those of figures are escaped.

    Control characters in them are shown as codes. The same page gives the same text. A content
    security policy keeps whatever is in it from reaching the network and from running scripts.

    Examples
    --------
    >>> from fuzzytruth.report import Page, Section, Text, page_html
    >>> section = Section.of("verdicts", "Verdicts", Text.of("<b> & c do not differ."))
    >>> html = page_html(Page("Two systems", "", (section,), "fuzzytruth"))
    >>> "<p>&lt;b&gt; &amp; c do not differ.</p>" in html, "http://" in html
    (True, False)
    """
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    script = _file("page.js")
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda shown: shown if isinstance(shown, Markup) else _visible(str(shown)),
    )
    environment.filters["kind"] = lambda part: type(part).__name__
    shown = replace(page, sections=tuple(one for one in page.sections if one.parts))
    return environment.from_string(_file("page.html")).render(
        page=shown, style=_file("page.css"), script=script, script_hash=_hash(script)
    )


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
