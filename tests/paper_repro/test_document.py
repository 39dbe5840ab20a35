"""The stored report, pictures and notebook of paper_repro are those of its code."""

from __future__ import annotations

import ast
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("matplotlib").use("Agg")

from matplotlib.figure import Figure

from paper_repro.document import FOLDER, PARTS, Cell, cells, cells_of
from paper_repro.notebook import NAME
from paper_repro.report import picture_name, report_text

AGAIN = "run `make paper`"


@pytest.fixture(scope="module")
def document() -> list[Cell]:
    return cells()


@pytest.fixture(scope="module")
def stored() -> list[dict[str, Any]]:
    return json.loads((FOLDER / NAME).read_text(encoding="utf-8"))["cells"]


def test_cells_are_cut_at_their_marks() -> None:
    source = (
        '"""Doc."""\nfrom __future__ import annotations\nimport os\n'
        "from paper_repro.tables import Table\n\n"
        "# %% [markdown]\n# # Title\n#\n# Text.\n\n\n# %% show: f(1)\ndef f(x):\n    return x\n"
    )
    found = [(c.text, c.is_code, c.source) for c in cells_of("claims", source)]
    code = "def f(x):\n    return x"
    assert found == [
        ("# Title\n\nText.", False, "# Title\n\nText."),
        ("import os", True, "import os"),
        (code, True, f"{code}\n\n\nf(1)"),
    ]


def test_parts_share_one_namespace() -> None:
    """In the notebook all cells run in one, where a name must not stand for two things."""
    names: Counter[str] = Counter()
    for part in PARTS:
        for node in ast.parse((FOLDER / f"{part}.py").read_text(encoding="utf-8")).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                names[node.name] += 1
            elif isinstance(node, ast.Assign):
                names.update(n.id for n in ast.walk(node.targets[0]) if isinstance(n, ast.Name))
    assert [name for name, n in names.items() if n > 1] == []


def test_parts_only_use_earlier_ones() -> None:
    for place, part in enumerate(PARTS):
        for node in ast.walk(ast.parse((FOLDER / f"{part}.py").read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("paper_repro."):
                assert node.module.removeprefix("paper_repro.") in PARTS[:place]
                assert all(alias.asname is None for alias in node.names)


def test_report_is_in_step() -> None:
    text = (FOLDER / "report.md").read_text(encoding="utf-8")
    assert text == report_text(), AGAIN
    for title in "abcde":
        assert f"\n## ({title}) " in text
    assert text.rstrip().splitlines()[-1].startswith("| 73 | 56 | 17 |")


def test_pictures_are_there(document: list[Cell]) -> None:
    drawn = {picture_name(c) for c in document if c.call and isinstance(c.value(), Figure)}
    there = {path.name for path in (FOLDER / "figures").iterdir()}
    assert drawn == there, AGAIN
    assert len(drawn) >= 6
    for name in there:
        head = (FOLDER / "figures" / name).read_bytes()[:24]
        width, height = (int.from_bytes(head[a : a + 4], "big") for a in (16, 20))
        assert head.startswith(b"\x89PNG")
        assert min(width, height) >= 350


def test_notebook_is_in_step(document: list[Cell], stored: list[dict[str, Any]]) -> None:
    assert [c.source for c in document] == ["".join(c["source"]) for c in stored], AGAIN
    kinds = ["code" if c.is_code else "markdown" for c in document]
    assert kinds == [c["cell_type"] for c in stored]


def test_notebook_was_run_and_gave_what_the_code_gives(
    document: list[Cell], stored: list[dict[str, Any]]
) -> None:
    counts = [c["execution_count"] for c in stored if c["cell_type"] == "code"]
    assert counts == list(range(1, len(counts) + 1))
    for cell, there in zip(document, stored, strict=True):
        outputs = there.get("outputs", [])
        if not cell.call:
            assert outputs == []
            continue
        (output,) = outputs
        value = cell.value()
        if isinstance(value, Figure):
            assert len(output["data"]["image/png"]) > 5000
        else:
            assert "".join(output["data"]["text/markdown"]) == value._repr_markdown_(), AGAIN


def test_nothing_in_it_depends_on_the_machine(stored: list[dict[str, Any]]) -> None:
    assert all(c["metadata"] == {} for c in stored)
    text = json.dumps([c.get("outputs") for c in stored if "image/png" not in json.dumps(c)])
    assert str(Path.home()) not in text
    assert "/tmp" not in text
