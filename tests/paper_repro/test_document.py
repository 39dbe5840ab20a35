"""The parts as cells of one document."""

from __future__ import annotations

import ast
from collections import Counter

import pytest

pytest.importorskip("matplotlib").use("Agg")

from paper_repro.document import FOLDER, PARTS, cells_of


def test_cells_are_cut_at_their_marks() -> None:
    source = (
        '"""Doc."""\nfrom __future__ import annotations\nimport os\n'
        "from paper_repro.tables import Table\n\n"
        "# %% [markdown]\n# # Title\n#\n# Text.\n\n\n# %% show: f(1)\ndef f(x):\n    return x\n"
    )
    result = [(c.text, c.is_code, c.source) for c in cells_of("claims", source)]
    code = "def f(x):\n    return x"
    assert result == [
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
