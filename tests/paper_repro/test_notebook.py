"""The stored notebook is that of the code."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.printed import OUT_OF_DATE

from paper_repro.document import FOLDER, Cell
from paper_repro.notebook import NAME, notebook_cells
from paper_repro.pictures import Picture


@pytest.fixture(scope="module")
def stored() -> list[dict[str, Any]]:
    return json.loads((FOLDER / NAME).read_text(encoding="utf-8"))["cells"]


def test_notebook_is_in_step(stored: list[dict[str, Any]]) -> None:
    cells = notebook_cells()
    assert [c.text for c in cells] == ["".join(c["source"]) for c in stored], OUT_OF_DATE
    kinds = ["code" if c.call else "markdown" for c in cells]
    assert kinds == [c["cell_type"] for c in stored]


def test_notebook_was_run_and_gave_what_the_code_gives(
    document: list[Cell], stored: list[dict[str, Any]]
) -> None:
    counts = [c["execution_count"] for c in stored if c["cell_type"] == "code"]
    assert counts == list(range(1, len(counts) + 1))
    assert stored[1]["outputs"] == []
    for cell, present in zip(document, [stored[0], *stored[2:]], strict=True):
        outputs = present.get("outputs", [])
        if not cell.call:
            assert outputs == []
            continue
        (output,) = outputs
        value = cell.value()
        if isinstance(value, Picture):
            assert len(output["data"]["image/png"]) > 5000
        else:
            assert "".join(output["data"]["text/markdown"]) == value._repr_markdown_(), OUT_OF_DATE


def test_nothing_in_it_depends_on_the_machine(stored: list[dict[str, Any]]) -> None:
    assert all(c["metadata"] == {} for c in stored)
    text = json.dumps([c.get("outputs") for c in stored if "image/png" not in json.dumps(c)])
    assert str(Path.home()) not in text
    assert "/tmp" not in text
