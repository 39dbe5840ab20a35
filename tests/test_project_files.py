"""CITATION.cff, CONTRIBUTING.md and SECURITY.md say what is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

HOME = Path(__file__).parent.parent


def test_citation() -> None:
    cited = yaml.safe_load((HOME / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= cited.keys()
    assert cited["type"] == "software"
    assert cited["authors"] == [{"name": "The fuzzytruth developers"}]
    changes = (HOME / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## \[(\d[\w.]*)\]", changes, re.MULTILINE)
    assert newest is not None
    assert str(cited["version"]) == newest[1]
    assert f"version = {{{newest[1]}}}" in (HOME / "docs" / "citing.md").read_text(encoding="utf-8")
    path = HOME / "packaging" / "recipe" / "recipe.yaml"
    recipe = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert recipe["context"]["version"] == newest[1]
    (paper,) = cited["references"]
    assert {"type", "title", "authors"} <= paper.keys()
    assert paper["title"] == "Benchmarking without ground truth"
    assert paper["authors"][0]["family-names"] == "Santini"


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "SECURITY.md"])
def test_links_lead_somewhere(page: str) -> None:
    text = (HOME / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (HOME / target).exists(), target


def test_targets_of_make_exist() -> None:
    made = (HOME / "Makefile").read_text(encoding="utf-8")
    text = (HOME / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"(?:`|^)make ([\w-]+)", text, re.MULTILINE))
    assert {"demo", "test", "lint", "types", "layers"} <= named
    for target in named:
        assert re.search(rf"^{target}:", made, re.MULTILINE), target


def test_files_that_contributing_names_exist() -> None:
    text = (HOME / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for path in re.findall(r"`((?:fuzzytruth|tests)/[\w/.]+)`", text):
        assert (HOME / path).exists() or "/x/" in path, path
