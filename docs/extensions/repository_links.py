"""Links between files of the repository become links between pages of the site.

Pages are written for the repository, where ``../../benchmarks/README.md`` is a file that one may
open. Files that the site shows elsewhere are linked there, by the title of the page if the text of
the link is the name of the file; others are offered for download.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

#: page of the site -> file of the repository that it includes
INCLUDED = {
    "development/changelog": "CHANGELOG.md",
    "development/contributing": "CONTRIBUTING.md",
    "evidence/speed": "benchmarks/README.md",
    "evidence/papers": "paper_repro/report.md",
    "notebooks/index": "notebooks/README.md",
}
#: file or folder of the repository -> page of the site that is about the same
PAGES = {path: page for page, path in INCLUDED.items()} | {
    "README.md": "index",
    "README.md#conventions": "guide/measures",
    "benchmarks": "evidence/speed",
    "benchmarks/validity": "evidence/tables/index",
    "docs": "index",
    "docs/gallery": "figures/index",
    "notebooks": "notebooks/index",
    "paper_repro": "evidence/papers",
    "paper_repro/README.md": "evidence/papers",
}
#: what writes the tables of validity, a file for each page
TABLES = "benchmarks/validity/sections_"

_FILE = re.compile(r"[\w./-]+\.md")  # as text of a link
_HEADING = re.compile(r"^# (.+)$", re.MULTILINE)


def setup(app: Sphinx) -> dict[str, Any]:
    """Rewrite links while pages are read."""
    app.add_transform(RepositoryLinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def file_of(page: str) -> str:
    """File of the repository that a page was written in, to which its links are relative."""
    folder, name = posixpath.split(page)
    if folder == "notebooks" and name != "index":
        return f"notebooks/{name}.ipynb"
    return INCLUDED.get(page, f"docs/{page}.md")


def page_of(path: str, anchor: str = "") -> str | None:
    """Page of the site that shows a file of the repository, or this section of it."""
    stem, ending = posixpath.splitext(path)
    if ending == ".ipynb" and stem.startswith("notebooks/"):
        return stem
    if ending == ".py" and stem.startswith("docs/gallery/"):
        return stem.replace("docs/gallery/", "figures/")
    if ending == ".py" and stem.startswith(TABLES):
        return stem.replace(TABLES, "evidence/tables/")
    if ending in (".md", ".rst") and stem.startswith("docs/"):
        return stem.removeprefix("docs/")
    return PAGES.get(f"{path}#{anchor}", PAGES.get(path))


class RepositoryLinks(SphinxTransform):
    """Points links at the pages that show the files they name."""

    default_priority = 5  # before files for download are collected

    def apply(self, **_: Any) -> None:
        """Rewrite the links of one page."""
        here = posixpath.dirname(file_of(self.env.docname))
        for node in list(self.document.findall(_is_link)):
            target, _, anchor = str(node["reftarget"]).partition("#")
            anchor = anchor or node.get("reftargetid") or ""
            if (
                node.get("refdomain") == "doc"
            ):  # a file that exists, without its ending
                path = posixpath.relpath(target, self.env.srcdir.parent)
                path = path if posixpath.isabs(target) else f"docs/{target}"
                path += ".md"
            else:
                path = posixpath.normpath(posixpath.join(here, target))
            page = page_of(path, anchor)
            if page not in self.env.found_docs:
                continue
            link = addnodes.pending_xref(
                "",
                *(
                    self._named(node, page)
                    if _names_file(node)
                    else node.children
                ),
                refdomain="doc",
                reftarget=page,
                refdoc=self.env.docname,
                reftype="myst",
                refexplicit=node.get("refexplicit", True),
                reftargetid=anchor or None,
            )
            node.replace_self(link)

    def _named(self, link: nodes.Element, page: str) -> list[nodes.Node]:
        """Content of a link by the name of a file: the title of its page, up to a colon."""
        path = Path(self.env.doc2path(page))
        found = (
            _HEADING.search(path.read_text("utf-8"))
            if path.suffix == ".md"
            else None
        )
        if found is None:  # such as a page that includes another file
            return list(link.children)
        title = found[1].partition(":")[0].replace("`", "")
        return [nodes.inline("", title, classes=["doc"])]


def _names_file(link: nodes.Element) -> bool:
    return _FILE.fullmatch(link.astext()) is not None


def _is_link(node: nodes.Node) -> bool:
    kinds = (addnodes.pending_xref, addnodes.download_reference)
    return isinstance(node, kinds) and node.get("reftype") == "myst"
