"""The document as Markdown with pictures, without its code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from paper_repro.document import Cell, cells

NOTE = "<!-- Made by `make paper`; change the modules of paper_repro instead. -->"


def picture_name(cell: Cell) -> str:
    """The file of a cell's picture: drawn_clouds() is in clouds.png."""
    name = cell.call.partition("(")[0]
    return name.removeprefix("drawn_").removesuffix("_drawn") + ".png"


def write_report(folder: Path) -> None:
    """Write report.md and figures/ into a folder."""
    (folder / "figures").mkdir(exist_ok=True)
    (folder / "report.md").write_text(report_text(folder), encoding="utf-8")


def report_text(folder: Path | None = None) -> str:
    """The report; pictures are written if there is a folder for them."""
    blocks = [NOTE]
    for cell in cells():
        if not cell.is_code:
            blocks.append(cell.text)
        elif cell.call:
            blocks.append(block_of(cell, cell.value(), folder))
    return "\n\n".join(blocks) + "\n"


def block_of(cell: Cell, value: Any, folder: Path | None) -> str:
    """A table, or a link to a picture."""
    if not isinstance(value, Figure):
        text: str = value._repr_markdown_()
        return text
    path = Path("figures") / picture_name(cell)
    if folder is not None:
        value.savefig(folder / path, dpi=150, bbox_inches="tight", metadata={"Software": None})
    return f"![{picture_name(cell).removesuffix('.png')}]({path.as_posix()})"
