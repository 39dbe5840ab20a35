"""Tables for LaTeX, set by booktabs."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Bools
from fuzzytruth.core.validation import option_flag, option_text, optional_text, whole_number
from fuzzytruth.errors import printable
from fuzzytruth.show.answer import Table

_ESCAPED = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",
    "`": r"\char96{}",
    **{character: "\\" + character for character in "&%$#_{}"},
}
#: pairs that LaTeX would set as one character, such as -- as a dash
_LIGATURE = re.compile(r"([-,'])(?=\1)")
_MATH = {"-": "$-$", "inf": r"$\infty$", "-inf": r"$-\infty$", "–": "--"}
_SIGNS = re.compile("-?inf|[-–]")


@dataclass(frozen=True, slots=True)
class Raw:
    """LaTeX code, written as it is: a cell of a frame, or a caption."""

    code: str


def escape(text: str) -> str:
    r"""Text as LaTeX prints it, control characters as in errors.

    Letters beyond Latin need XeLaTeX or LuaLaTeX, and a font that has them.

    Examples
    --------
    >>> print(escape("run_1 & 50%"))
    run\_1 \& 50\%
    """
    escaped = "".join(_ESCAPED.get(character, character) for character in printable(text))
    return _LIGATURE.sub(r"\1{}", escaped)


def latex_table(
    frame: pd.DataFrame,
    *,
    caption: str | Raw,
    label: str | None = None,
    align: str | None = None,
    bold: Bools | None = None,
) -> str:
    r"""A table float with caption, without the index; it needs ``\usepackage{booktabs}``.

    Columns, caption and cells of text are escaped.

    Parameters
    ----------
    frame : DataFrame
        Floats are rounded to four digits; `Raw` cells are written as they are.
    caption : str or Raw
    label : str, optional
        What ``\ref`` names.
    align : str, optional
        One letter a column; by default "r" for numbers and "l" for text.
    bold : (rows, columns) bool, optional
        Cells in bold.

    Returns
    -------
    str
        Ends with a newline.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"": ["run_1"], "AP": [0.25], "note": [Raw("$^{ab}$")]})
    >>> print(latex_table(frame, caption="Means", label="tab:means"), end="")
    \begin{table}[t]
    \centering
    \caption{Means}
    \label{tab:means}
    \begin{tabular}{lrl}
    \toprule
     & AP & note \\
    \midrule
    run\_1 & 0.2500 & $^{ab}$ \\
    \bottomrule
    \end{tabular}
    \end{table}
    """
    style = _texts(frame, bold).style.format(str).format_index(_label, axis=1).hide(axis="index")
    numeric = map(pd.api.types.is_numeric_dtype, frame.dtypes)
    return style.to_latex(
        hrules=True,
        caption=caption.code if isinstance(caption, Raw) else escape(caption),
        label=label,
        position="t",
        position_float="centering",
        column_format=align or "".join("r" if is_number else "l" for is_number in numeric),
        environment="table",
    )


def _texts(frame: pd.DataFrame, bold: Bools | None) -> pd.DataFrame:
    """The frame with all cells as LaTeX code."""
    cells = np.empty(frame.shape, dtype=object)  # (rows, columns)
    for column in range(frame.shape[1]):
        cells[:, column] = list(map(_cell, frame.iloc[:, column]))
    cells[frame.isna().to_numpy()] = "--"
    if bold is not None:
        for row, column in np.argwhere(bold).tolist():
            cells[row, column] = rf"\textbf{{{cells[row, column]}}}"
    return pd.DataFrame(cells, columns=list(frame.columns))


def _cell(cell: object) -> str:
    if isinstance(cell, Raw):
        return cell.code
    return f"{cell:.4f}" if isinstance(cell, (float, np.floating)) else _label(cell)


def _label(label: object) -> str:
    r"""Escaped text that is no option of the ``\\`` or ``\midrule`` before it."""
    text = escape(str(label)).lstrip(" ")
    return f"{{{text[0]}}}{text[1:]}" if text.startswith(("[", "*")) else text


def _signs(number: str) -> Raw:
    r"""LaTeX of a number and its interval.

    Examples
    --------
    >>> _signs("0.25 [-0.50, inf]").code, _signs("–").code
    ('0.25 [$-$0.50, $\\infty$]', '--')
    """
    return Raw(_SIGNS.sub(lambda found: _MATH[found[0]], number))


def of_table(
    shown: Table, *, caption: str, label: str, code: Callable[[str], Raw] = _signs, align: str = "r"
) -> str:
    """A printed table without its title as a table float.

    `code` is LaTeX of a number, by default with its signs as mathematics, and `align` the letter of
    its column.
    """
    kinds = [column.kind == "label" for column in shown.columns]
    columns = [
        column.cells if is_label else list(map(code, column.cells))
        for column, is_label in zip(shown.columns, kinds, strict=True)
    ]
    headings = [column.heading for column in shown.columns]
    return latex_table(
        pd.DataFrame(list(zip(*columns, strict=True)), columns=headings),
        caption=caption,
        label=label,
        align="".join("l" if is_label else align for is_label in kinds),
        bold=shown.marks,
    )


# Options of tables for papers, whatever they show.


_MOST_DIGITS = 100


def check_paper_options(*, digits: int, caption: str | None, bold: bool, label: str = "") -> None:
    r"""Raise an `OptionError` that names the first option of another type.

    Parameters
    ----------
    digits : int
        Decimals.
    caption : str, optional
    bold : bool
    label : str
        What ``\ref`` names.
    """
    whole_number("digits", digits, 0, _MOST_DIGITS)
    optional_text("caption", caption)
    option_text("label", label)
    option_flag("bold", bold)
