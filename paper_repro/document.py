"""The parts as one document: `# %%` divides each module into cells of prose and code.

`# %% [markdown]` starts prose, in comments; any other cell is code. `# %% show: call()` is code
followed, in the document, by the value of the call. Imports from other parts are left out, since
all cells run in one namespace.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
PARTS = (
    "tables",
    "examples",
    "figure1",
    "experiment",
    "misprints",
    "worked_lists",
    "contests",
    "claims",
)
INTRODUCTION = """\
# "Benchmarking without ground truth" and its neighbours, worked through

Simone Santini's paper asks how to evaluate retrieval when the people who should know the truth
disagree. Its two proposals, precision and recall as distributions and the comparison with
individual people's lists, are computed on the paper's own example and, where it prints no data, on
synthetic data labelled as such. Its misprints, and those of two contest pages, are shown in
numbers. `make paper` regenerates this document.

- (a) Figure 1: one image, five people, a tree
- (b) the paper's experiment, on synthetic votes
- (c) misprints
- (d) individual comparison, worked by hand
- (e) SHREC 2006 and NIST, digit by digit
- all claims: claim, source, printed, ours, agrees"""


@dataclass(frozen=True)
class Cell:
    """Prose, or code and the call whose value is shown after it.

    Parameters
    ----------
    text : str
        Markdown, or Python.
    is_code : bool
    part : str
        Its module.
    call : str
        An expression, or empty.
    """

    text: str
    is_code: bool
    part: str = ""
    call: str = ""

    @property
    def source(self) -> str:
        """Source of the notebook cell."""
        return "\n\n\n".join(filter(None, (self.text, self.call))) if self.is_code else self.text

    def value(self) -> Any:
        """Value of the call."""
        return value_of(self.part, self.call)


@cache
def value_of(part: str, call: str) -> Any:
    """Value of a call in a module, computed once."""
    return eval(call, dict(vars(import_module(f"paper_repro.{part}"))))


def cells() -> list[Cell]:
    """The document, in order."""
    out = [Cell(INTRODUCTION, is_code=False)]
    for part in PARTS:
        source = (FOLDER / f"{part}.py").read_text(encoding="utf-8")
        out += cells_of(part, source)
    return out


def cells_of(part: str, source: str) -> Iterator[Cell]:
    """The cells of one module; its imports follow the first cell."""
    head, *marked = re.split(r"^(?=# %%)", source, flags=re.MULTILINE)
    imports = Cell(imports_of(head, first=part == PARTS[0]), is_code=True, part=part)
    for number, chunk in enumerate(marked):
        marker, _, body = chunk.partition("\n")
        body = body.strip("\n")
        if marker == "# %% [markdown]":
            yield Cell(re.sub(r"^# ?", "", body, flags=re.MULTILINE), is_code=False, part=part)
        else:
            call = marker.removeprefix("# %%").strip().removeprefix("show:").strip()
            yield Cell(body, is_code=True, part=part, call=call)
        if number == 0 and imports.text:
            yield imports


def imports_of(head: str, *, first: bool) -> str:
    """Imports from outside this document; `__future__` is imported once, by the first module."""
    inside = ("paper_repro.",) if first else ("paper_repro.", "__future__")
    kept = [
        ast.get_source_segment(head, node) or ""
        for node in ast.parse(head).body
        if isinstance(node, (ast.Import, ast.ImportFrom))
        and not getattr(node, "module", "").startswith(inside)
    ]
    return "\n".join(kept)
