"""The document as a notebook with outputs."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from paper_repro.document import Cell, is_picture, png

NAME = "benchmarking_without_ground_truth.ipynb"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def notebook(cells: list[Cell]) -> dict[str, Any]:
    """Cells with what Jupyter shows of their values, as the notebook format 4.5 has it."""
    out, count = [], 0
    for number, cell in enumerate(cells):
        entry: dict[str, Any] = {"cell_type": "code" if cell.is_code else "markdown"}
        entry |= {"id": f"cell-{number:02}", "metadata": {}, "source": _lines(cell.text)}
        if cell.is_code:
            count += 1
            entry |= {"execution_count": count, "outputs": _outputs(cell.value, count)}
        out.append(entry)
    return {"cells": out, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}


def write_notebook(cells: list[Cell], path: Path) -> None:
    """Write the notebook as JSON."""
    text = json.dumps(notebook(cells), indent=1, ensure_ascii=False, sort_keys=True)
    path.write_text(text + "\n", encoding="utf-8")


def _outputs(value: Any, count: int) -> list[dict[str, Any]]:
    """The value of a cell in the forms that Jupyter stores."""
    if value is None:
        return []
    data: dict[str, Any] = {"text/plain": _lines(repr(value))}
    if is_picture(value):
        data["image/png"] = base64.b64encode(png(value, 100)).decode()
    elif hasattr(value, "_repr_html_"):
        data["text/html"] = _lines(value._repr_html_())
    elif hasattr(value, "_repr_markdown_"):
        data["text/markdown"] = _lines(value._repr_markdown_())
    result = {"output_type": "execute_result", "execution_count": count}
    return [{**result, "data": data, "metadata": {}}]


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)
