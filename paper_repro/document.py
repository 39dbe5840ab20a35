"""The document: cells of prose and code, and what the code shows.

Its sources are `story.py` and `appendix.py`, Python in which `# %%` begins a cell:

- ``# %% [markdown]``: prose, in comments. ``{{expression}}`` or ``{{expression:format}}`` in it is
  computed when all code has run.
- ``# %%`` with an optional name: code, all of it in one namespace. The value of its last expression
  is shown; a picture is stored under the name.
"""

from __future__ import annotations

import ast
import os
import re
import textwrap
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pandas as pd

from paper_repro.tables import Table

FOLDER = Path(__file__).parent
DPI = 150


@dataclass(frozen=True)
class Cell:
    """Prose or code, and what it shows.

    Parameters
    ----------
    text : str
        Markdown, or Python.
    is_code : bool
    name : str
        Of its picture.
    value : object
        Value of the last expression of code; None shows nothing.
    """

    text: str
    is_code: bool = False
    name: str = ""
    value: Any = None


def read(part: str) -> list[Cell]:
    """The cells of a source, not run."""
    source = (FOLDER / f"{part}.py").read_text(encoding="utf-8")
    return list(_cells(source))


def _cells(source: str) -> Iterator[Cell]:
    for chunk in re.split(r"^(?=# %%)", source, flags=re.MULTILINE)[1:]:
        mark, _, body = chunk.partition("\n")
        name = mark.removeprefix("# %%").strip()
        if name == "[markdown]":
            yield Cell("\n".join(re.sub(r"^# ?", "", line) for line in body.strip().splitlines()))
        else:
            yield Cell(body.strip(), is_code=True, name=name)


def run(cells: list[Cell]) -> list[Cell]:
    """The cells with the values of code, then with computed prose; a warning is an error."""
    plt, names = _pyplot(), {"__name__": "__main__"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        values = [_value(cell, names) if cell.is_code else None for cell in cells]
    out = [
        replace(cell, value=value) if cell.is_code else Cell(_computed(cell.text, names))
        for cell, value in zip(cells, values, strict=True)
    ]
    plt.close("all")
    return out


def _pyplot() -> Any:
    """Matplotlib's pyplot, which draws into memory.

    Matplotlib cannot even be imported where MPLBACKEND names a backend that it does not know.
    """
    os.environ["MPLBACKEND"] = "agg"
    import matplotlib.pyplot as plt

    plt.switch_backend("agg")
    return plt


def _value(cell: Cell, names: dict[str, Any]) -> Any:
    """Run code; the value of its last line, where that is an expression."""
    tree = ast.parse(cell.text)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, cell.name or "cell", "exec"), names)
    if last is None:
        return None
    value = eval(compile(ast.Expression(last.value), cell.name or "cell", "eval"), names)
    return value.figure if hasattr(value, "get_figure") else value  # of axes


def _computed(text: str, names: dict[str, Any]) -> str:
    """Prose with each {{expression}} replaced by its value, paragraphs filled again."""

    def filled(paragraph: str) -> str:
        if "{{" not in paragraph:
            return paragraph
        values = _EXPRESSION.sub(lambda found: _text(found[1], names), paragraph)
        if re.search(r"^(?:[-#|]|\d+\. )", values, re.MULTILINE):  # a list, a heading, a table
            return values
        return textwrap.fill(
            " ".join(values.split()), 99, break_on_hyphens=False, break_long_words=False
        )

    return "\n\n".join(filled(paragraph) for paragraph in text.split("\n\n"))


def _text(expression: str, names: dict[str, Any]) -> str:
    """An expression as in an f-string: with a format after a colon, if any."""
    one_line = " ".join(expression.split())
    return str(eval(f'f"""{{{one_line}}}"""', names))


_EXPRESSION = re.compile(r"\{\{(.+?)\}\}", re.DOTALL)


# What a value looks like: in Markdown, and as PNG.


def is_picture(value: Any) -> bool:
    """Whether a value is a figure of Matplotlib."""
    return hasattr(value, "savefig")


def png(figure: Any, dpi: int = DPI) -> bytes:
    """A figure as PNG, the same bytes each time."""
    out = BytesIO()
    options: Any = {"dpi": dpi, "bbox_inches": "tight", "metadata": {"Software": None}}
    figure.savefig(out, format="png", **options)
    return out.getvalue()


def markdown(value: Any) -> str:
    """A frame as a table, a `Table` as it says, and anything else as it prints."""
    if isinstance(value, pd.DataFrame):
        return markdown_table(value)
    if hasattr(value, "_repr_markdown_"):
        return str(value._repr_markdown_())
    return f"```text\n{value}\n```"


def markdown_table(frame: pd.DataFrame) -> str:
    """A frame as Markdown; its index is shown if it has a name."""
    shown = frame.reset_index() if any(name is not None for name in frame.index.names) else frame
    columns = [_texts(shown[name]) for name in shown]
    return Table.of([str(name) for name in shown], zip(*columns, strict=True))._repr_markdown_()


def _texts(column: pd.Series[Any]) -> list[str]:
    """Numbers of a column with as many digits each; what is missing is empty."""
    if not pd.api.types.is_float_dtype(column):
        return ["" if value is None or value != value else str(value) for value in column]
    digits = max((len(f"{x:.6g}".partition(".")[2]) for x in column.dropna()), default=0)
    return ["" if x != x else f"{x + 0.0:.{digits}f}" for x in column]
