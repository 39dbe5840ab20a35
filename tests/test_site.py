"""What makes the documentation site: links between files become links between pages, and so on."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parent.parent / "docs"


@pytest.fixture(scope="module")
def links() -> dict[str, Any]:
    pytest.importorskip("sphinx")
    return runpy.run_path(str(DOCS / "extensions" / "repository_links.py"))


@pytest.mark.parametrize(
    ("path", "anchor", "page"),
    [
        ("docs/guide/worlds.md", "", "guide/worlds"),
        ("docs/reference/index.rst", "", "reference/index"),
        ("docs/gallery/forest.py", "", "figures/forest"),
        ("notebooks/01_first_look.ipynb", "", "notebooks/01_first_look"),
        ("README.md", "", "index"),
        ("README.md", "conventions", "guide/conventions"),
        ("README.md", "install", "index"),
        ("benchmarks/README.md", "", "evidence/speed"),
        ("paper_repro/report.md", "", "evidence/papers"),
        ("benchmarks/rows.py", "", None),
    ],
)
def test_files_have_the_page_that_shows_them(links, path: str, anchor: str, page: str) -> None:
    assert links["page_of"](path, anchor) == page


@pytest.mark.parametrize(
    ("page", "path"),
    [
        ("guide/worlds", "docs/guide/worlds.md"),
        ("evidence/speed", "benchmarks/README.md"),
        ("notebooks/01_first_look", "notebooks/01_first_look.ipynb"),
        ("notebooks/index", "notebooks/README.md"),
    ],
)
def test_links_of_a_page_are_relative_to_its_file(links, page: str, path: str) -> None:
    assert links["file_of"](page) == path


def test_included_files_and_the_pages_that_include_them_exist(links) -> None:
    for page, path in links["INCLUDED"].items():
        if (DOCS.parent / path).exists():
            text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
            assert path in text


def test_an_index_has_the_pages_that_it_links_and_then_the_others() -> None:
    pytest.importorskip("sphinx")
    with_pages = runpy.run_path(str(DOCS / "extensions" / "section_pages.py"))["with_pages"]
    text = "# Section\n\n[z](z.md), [b](b.md#part), [elsewhere](../a.md), [gone](gone.md)"
    added = with_pages(text, {"a", "b", "c", "z"}).removeprefix(text)
    assert added.split() == ["```{toctree}", ":hidden:", "z", "b", "a", "c", "```"]


def test_what_a_page_loads_from_elsewhere_and_what_is_missing_is_found(tmp_path: Path) -> None:
    problems = runpy.run_path(str(DOCS / "check_site.py"))["problems"]
    (tmp_path / "there.png").write_bytes(b"")
    page = tmp_path / "index.html"
    page.write_text(
        '<img src="there.png?v=1"><img src="data:image/png;base64,AA"><a href="#top">top</a>'
        '<a href="https://example.org/">elsewhere</a>'
    )
    assert problems(tmp_path) == []
    page.write_text(
        '<script src="https://example.org/a.js"></script><link href="//example.org/b.css">'
        '<img src="gone.png"><a href="gone.html#part">gone</a>'
    )
    assert problems(tmp_path) == [
        "index.html: loads https://example.org/a.js",
        "index.html: loads //example.org/b.css",
        "index.html: no file gone.png",
        "index.html: no file gone.html#part",
    ]


def test_links_by_the_name_of_a_file_are_told_from_others(links) -> None:
    nodes = pytest.importorskip("docutils.nodes")
    for text, is_file in (("worlds.md", True), ("docs/guide/data.md", True), ("gallery", False)):
        assert links["_names_file"](nodes.reference("", text)) is is_file


def test_every_figure_has_its_place_in_the_gallery() -> None:
    order = runpy.run_path(str(DOCS / "extensions" / "gallery_order.py"))
    scripts = [path.name for path in (DOCS / "gallery").glob("*.py")]
    assert sorted(order["ORDER"]) == sorted(name.removesuffix(".py") for name in scripts)
    key = order["ByQuestion"]("gallery")
    assert sorted([*scripts, "a_new_one.py"], key=key)[-1] == "a_new_one.py"


def test_a_result_has_a_link_to_what_returns_it() -> None:
    pytest.importorskip("sphinx")
    made = runpy.run_path(str(DOCS / "extensions" / "docstrings.py"))
    assert made["makers"]()["Plan"] == ("plan",)
    assert made["makers"]()["QueryDifferences"] == ("Scores.query_differences",)
    lines = ["Several things."]
    made["_name_makers"](None, "class", "fuzzytruth.Plan", None, None, lines)
    assert lines[1:] == ["", "Returned by: :py:obj:`plan <fuzzytruth.plan>`.", ""]
    made["_name_makers"](None, "function", "fuzzytruth.Plan", None, None, lines)
    assert len(lines) == 4
