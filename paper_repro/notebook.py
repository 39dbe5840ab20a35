"""The document as an executed notebook. Needs nbformat, nbclient and ipykernel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from paper_repro.document import PARTS, Cell, cells

NAME = "benchmarking_without_ground_truth.ipynb"

#: the first cell: it finds the modules from the repository or from this folder
SETUP = f"""\
import sys
from pathlib import Path

here = Path.cwd()
home = next(folder for folder in (here, *here.parents) if (folder / "paper_repro").is_dir())
sys.path.insert(0, str(home))

from paper_repro import {", ".join(PARTS)}"""


def notebook_cells() -> list[Cell]:
    """The document, with the first cell after its introduction."""
    introduction, *others = cells()
    return [introduction, Cell(SETUP, call="setup"), *others]


def write_notebook(path: Path) -> None:
    """Run all cells in a fresh kernel, and write them with their outputs."""
    import nbformat
    from nbclient import NotebookClient

    book = nbformat.v4.new_notebook()
    for number, cell in enumerate(notebook_cells()):
        make = nbformat.v4.new_code_cell if cell.call else nbformat.v4.new_markdown_cell
        book.cells.append(make(cell.text, id=f"cell-{number:02}"))
    # Independent of time and machine: no timestamps, no local kernel.
    NotebookClient(book, timeout=300, kernel_name="python3", record_timing=False).execute()
    book.metadata = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        }
    )
    for cell in book.cells:
        cell.metadata.clear()
        _check(cell)
    nbformat.validate(book)
    nbformat.write(book, path)


def _check(cell: Any) -> None:
    """Refuse warnings and printed text."""
    for output in cell.get("outputs", ()):
        if output["output_type"] in ("stream", "error"):
            raise RuntimeError(f"cell {cell['id']} printed: {output}")
