"""The parts as one document: `# %%` divides each module into cells of prose and code.

- ``# %% [markdown]`` starts prose, in comments. ``{{expression}}`` in it is computed in the module.
- ``# %% show: call()`` shows the value of the call, and ``# %% picture: call()`` a `Picture`, with
  its caption below.
- Other code, and the definitions in any cell, stay in the module, where the notebook calls them.
"""

from __future__ import annotations

import re
import textwrap
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
    "graph",
    "experiment",
    "strong",
    "systems",
    "misprints",
    "worked_lists",
    "scheme4",
    "contests",
    "own_votes",
    "claims",
)
INTRODUCTION = """\
# "Benchmarking without ground truth" and its neighbours, worked through

Simone Santini's paper asks how to evaluate retrieval when the people who should know the truth
disagree. A benchmark that fixes one truth prints one number for each system, and hides how much
that number owes to the choice of truth. The paper proposes to keep the disagreement: results
become distributions over what people said, or are computed for each person and combined last. What
one truth hides is shown in part (b).

Its two proposals, precision and recall as distributions and the comparison with
individual people's lists, are computed on the paper's own example and, where it prints no data, on
synthetic data labelled as such. Its misprints, and those of three contest pages, are shown in
numbers. `make paper` regenerates this document; numbers in the prose are computed, too, except for
what is worked out by hand.

- (a) Figure 1: one image, five people, a tree; and a graph that is no tree
- (b) the paper's experiment, on synthetic votes; what one truth hides; two systems compared
- (c) misprints
- (d) individual comparison, worked by hand, and intervals over queries and subjects
- (e) SHREC 2006 and NIST, digit by digit
- (f) the same analysis of your own votes
- all claims: claim, source, whose, printed, ours, agrees"""


@dataclass(frozen=True)
class Cell:
    """Prose, or a call whose value is shown.

    Parameters
    ----------
    text : str
        Markdown; of a call, Python as the notebook has it.
    part : str
        Its module.
    call : str
        An expression in this module; empty for prose.
    """

    text: str
    part: str = ""
    call: str = ""

    def value(self) -> Any:
        """Value of the call."""
        return value_of(self.part, self.call)


@cache
def value_of(part: str, expression: str) -> Any:
    """Value of an expression in a module, computed once."""
    return eval(expression, dict(vars(import_module(f"paper_repro.{part}"))))


def cells() -> list[Cell]:
    """The document, in order."""
    out = [Cell(INTRODUCTION)]
    for part in PARTS:
        out += cells_of(part, (FOLDER / f"{part}.py").read_text(encoding="utf-8"))
    return out


def cells_of(part: str, source: str) -> Iterator[Cell]:
    """The cells of one module."""
    for chunk in re.split(r"^(?=# %%)", source, flags=re.MULTILINE)[1:]:
        marker, _, body = chunk.partition("\n")
        kind, _, call = marker.removeprefix("# %%").strip().partition(":")
        call = call.strip()
        if kind == "[markdown]":
            prose = [line for line in body.splitlines() if line.startswith("#")]
            text = "\n".join(re.sub(r"^# ?", "", line) for line in prose)
            yield Cell(computed(part, text), part)
        elif kind in ("show", "picture"):
            yield Cell(f"{part}.{call}", part, call)
            if kind == "picture":
                yield Cell(f"*{value_of(part, call).caption}*", part)


def computed(part: str, text: str) -> str:
    """Prose with each {{expression}} replaced by its value, in lines of about the same length."""

    def filled(paragraph: str) -> str:
        if "{{" not in paragraph:
            return paragraph
        values = _COMPUTED.sub(lambda found: str(value_of(part, found[1])), paragraph)
        return values if re.search(r"^[-#]", values, re.MULTILINE) else fill(values, 99)

    return "\n\n".join(filled(paragraph) for paragraph in text.split("\n\n"))


def fill(text: str, width: int) -> str:
    """A paragraph in lines of at most this width."""
    return textwrap.fill(
        " ".join(text.split()), width, break_on_hyphens=False, break_long_words=False
    )


_COMPUTED = re.compile(r"\{\{(.+?)\}\}", re.DOTALL)
