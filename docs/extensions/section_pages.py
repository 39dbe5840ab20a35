"""The pages of a section are those of its folder: `index.md` need not list them for Sphinx.

Of a folder in it, the index is such a page. Their order in the navigation is that of the links on
the index page; pages it does not link follow by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from sphinx.application import Sphinx

_LINK = re.compile(r"\]\(([\w.-]+)\.(?:md|rst|ipynb)(?:#[^)]*)?\)")


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the pages of its folder to each index page without a table of contents."""
    app.connect("source-read", _add_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def with_pages(text: str, pages: set[str]) -> str:
    """The text of an index page with a hidden table of contents of `pages`."""
    linked = [
        name for name in dict.fromkeys(_LINK.findall(text)) if name in pages
    ]
    listed = "\n".join([*linked, *sorted(pages.difference(linked))])
    return f"{text}\n\n```{{toctree}}\n:hidden:\n\n{listed}\n```\n"


def _add_pages(app: Sphinx, name: str, source: list[str]) -> None:
    folder, _, last = name.rpartition("/")
    if not folder or last != "index" or app.env.doc2path(name).suffix != ".md":
        return
    if "{toctree}" in source[0]:
        return
    source[0] = with_pages(source[0], pages_of(folder, app.env.found_docs))


def pages_of(folder: str, found: Iterable[str]) -> set[str]:
    """Pages in a folder, but its index, and the indices of folders in it."""
    beside = {
        page.removeprefix(f"{folder}/")
        for page in found
        if page.startswith(f"{folder}/")
    }
    return {p for p in beside if "/" not in p.removesuffix("/index")} - {
        "index"
    }
