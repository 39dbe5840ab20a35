"""The stored notebook is that of the code, with calls of the package in every step."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from support.printed import OUT_OF_DATE

from paper_repro.document import FOLDER, Cell, is_picture, read
from paper_repro.notebook import NAME, notebook


@pytest.fixture(scope="module")
def stored() -> dict[str, Any]:
    return json.loads((FOLDER / NAME).read_text(encoding="utf-8"))


def test_notebook_is_in_step(story: list[Cell], stored: dict[str, Any]) -> None:
    sources = read("story")
    for source, ran, cell in zip(sources, story, stored["cells"], strict=True):
        text = "".join(cell["source"])
        assert cell["cell_type"] == ("code" if source.is_code else "markdown")
        if source.is_code:
            assert text == source.text, OUT_OF_DATE
            assert bool(cell["outputs"]) == (ran.value is not None)
            kinds = {kind for output in cell["outputs"] for kind in output["data"]}
            assert ("image/png" in kinds) == is_picture(ran.value)
        else:
            words, present = (re.sub(r"[\d.\s]+", " ", x) for x in (ran.text, text))
            assert words == present, OUT_OF_DATE


def test_cells_show_what_jupyter_would_show(story: list[Cell]) -> None:
    book = notebook(story)
    code = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    kinds = [set(output["data"]) for cell in code for output in cell["outputs"]]
    assert {"text/plain", "image/png"} in kinds
    assert {"text/plain", "text/html"} in kinds
    nbformat = pytest.importorskip("nbformat")
    nbformat.validate(nbformat.from_dict(book))


def test_every_step_calls_the_package() -> None:
    """Each section, and each code cell that is no picture."""
    cells, section, calls = read("story"), "", {}
    for cell in cells[2:]:
        if not cell.is_code:
            section = (re.findall(r"^## (.+)$", cell.text, re.MULTILINE) or [section])[-1]
        elif not cell.name or "ft." in cell.text:
            calls.setdefault(section, set()).update(re.findall(r"\bft\.[\w.]+\(", cell.text))
    assert len(calls) == 6
    assert all(calls.values()), calls
    named = set().union(*calls.values())
    assert {"ft.by_rank(", "ft.evaluate(", "ft.compare(", "ft.displacement("} <= named


def test_nothing_in_it_depends_on_the_machine(stored: dict[str, Any]) -> None:
    assert all(cell["metadata"] == {} for cell in stored["cells"])
    text = json.dumps([c.get("outputs") for c in stored["cells"] if "image/png" not in str(c)])
    assert str(Path.home()) not in text
    assert "/tmp" not in text
    assert "0x" not in text
