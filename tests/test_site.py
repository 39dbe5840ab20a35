"""What makes the documentation site: links between files become links between pages, and so on."""

import runpy
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parent.parent / "docs"


def extension(name: str) -> dict[str, Any]:
    pytest.importorskip("sphinx")
    return runpy.run_path(str(DOCS / "extensions" / f"{name}.py"))


def test_files_have_the_page_that_shows_them_and_pages_their_file() -> None:
    links = extension("repository_links")
    pages = {
        ("docs/guide/worlds.md", ""): "guide/worlds",
        ("docs/reference/index.rst", ""): "reference/index",
        ("docs/gallery/forest.py", ""): "figures/forest",
        ("notebooks/01_first_look.ipynb", ""): "notebooks/01_first_look",
        ("README.md", ""): "index",
        ("README.md", "conventions"): "guide/measures",
        ("README.md", "install"): "index",
        ("benchmarks/README.md", ""): "evidence/speed",
        ("paper_repro/report.md", ""): "evidence/papers",
        ("benchmarks/rows.py", ""): None,
        ("benchmarks/validity", ""): "evidence/tables/index",
        ("benchmarks/validity/sections_runs.py", ""): "evidence/tables/runs",
    }
    assert {given: links["page_of"](*given) for given in pages} == pages
    files = {
        "guide/worlds": "docs/guide/worlds.md",
        "evidence/speed": "benchmarks/README.md",
        "notebooks/01_first_look": "notebooks/01_first_look.ipynb",
        "notebooks/index": "notebooks/README.md",
    }
    assert {page: links["file_of"](page) for page in files} == files
    for page, path in links["INCLUDED"].items():
        if (DOCS.parent / path).exists():
            assert path in (DOCS / f"{page}.md").read_text(encoding="utf-8")
    reference = pytest.importorskip("docutils.nodes").reference
    names = ("worlds.md", "docs/guide/data.md", "gallery")
    assert [links["_names_file"](reference("", name)) for name in names] == [True, True, False]


def test_an_index_has_the_pages_that_it_links_and_then_the_others() -> None:
    text = "# Section\n\n[z](z.md), [b](b.md#part), [elsewhere](../a.md), [gone](gone.md)"
    added = extension("section_pages")["with_pages"](text, {"a", "b", "c", "z"}).removeprefix(text)
    assert added.split() == ["```{toctree}", ":hidden:", "z", "b", "a", "c", "```"]


def test_a_section_has_the_pages_of_its_folder_and_the_index_of_each_folder_in_it() -> None:
    found = ["a/index", "a/x", "a/b/index", "a/b/y", "c/z", "w"]
    assert extension("section_pages")["pages_of"]("a", found) == {"x", "b/index"}


def test_what_a_page_loads_from_elsewhere_and_what_is_missing_is_found(tmp_path: Path) -> None:
    problems = runpy.run_path(str(DOCS / "check_site.py"))["problems"]
    (tmp_path / "there.png").write_bytes(b"")
    page = tmp_path / "index.html"
    page.write_text(
        '<img src="there.png?v=1"><img src="data:image/png;base64,AA"><a href="#top">top</a>'
        '<a href="https://example.org/">elsewhere</a>'
        '<link rel="canonical" href="https://example.org/index.html">'
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


def test_every_figure_has_its_place_in_the_gallery() -> None:
    order = runpy.run_path(str(DOCS / "extensions" / "gallery_order.py"))
    scripts = [path.name for path in (DOCS / "gallery").glob("*.py")]
    assert sorted(order["ORDER"]) == sorted(name.removesuffix(".py") for name in scripts)
    key = order["ByQuestion"]("gallery")
    assert sorted([*scripts, "a_new_one.py"], key=key)[-1] == "a_new_one.py"


def test_a_result_has_a_link_to_what_returns_it() -> None:
    made = extension("docstrings")
    assert made["makers"]()["Plan"] == ("plan",)
    assert made["makers"]()["QueryDifferences"] == ("Scores.query_differences",)
    lines = ["Several things."]
    made["_name_makers"](None, "class", "fuzzytruth.results.Plan", None, None, lines)
    assert lines[1:] == ["", "Returned by: :py:obj:`plan <fuzzytruth.plan>`.", ""]
    made["_name_makers"](None, "function", "fuzzytruth.results.Plan", None, None, lines)
    assert len(lines) == 4
