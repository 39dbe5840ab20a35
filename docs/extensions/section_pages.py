"""The pages of a section are those of its folder: `index.md` need not list them for Sphinx.

Their order in the navigation is that of the links on the index page; pages it does not link follow
by name.
"""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

_LINK = re.compile(r"\]\(([\w.-]+)\.(?:md|rst|ipynb)(?:#[^)]*)?\)")


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the pages of its folder to each index page without a table of contents."""
    app.connect("source-read", _add_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def with_pages(text: str, pages: set[str]) -> str:
    """The text of an index page with a hidden table of contents of `pages`."""
    linked = [name for name in dict.fromkeys(_LINK.findall(text)) if name in pages]
    listed = "\n".join([*linked, *sorted(pages.difference(linked))])
    return f"{text}\n\n```{{toctree}}\n:hidden:\n\n{listed}\n```\n"


def _add_pages(app: Sphinx, name: str, source: list[str]) -> None:
    folder, _, last = name.rpartition("/")
    if not folder or last != "index" or app.env.doc2path(name).suffix != ".md":
        return
    if "{toctree}" in source[0]:
        return
    beside = {
        p.removeprefix(f"{folder}/") for p in app.env.found_docs if p.startswith(f"{folder}/")
    }
    source[0] = with_pages(source[0], {p for p in beside if "/" not in p} - {"index"})
