"""Options of tables for papers: --digits, --caption, --label, --bold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fuzzytruth.cli import panels
from fuzzytruth.cli.panels import option, setting
from fuzzytruth.errors import OptionError

Digits = Annotated[
    int | None,
    option(panels.OUTPUT, "Decimals, in LaTeX and Markdown.", min=0, max=17, metavar="N"),
]
Caption = Annotated[
    str | None,
    option(
        panels.OUTPUT,
        "Caption, in LaTeX and Markdown.  [default: what the numbers and intervals are]",
        metavar="TEXT",
    ),
]
Label = Annotated[str | None, option(panels.OUTPUT, r"What \ref names, in LaTeX.", metavar="NAME")]
Bold = Annotated[
    bool,
    setting(panels.OUTPUT, "The best system in bold, in LaTeX and Markdown.", "--bold/--no-bold"),
]


@dataclass(frozen=True, slots=True)
class PaperStyle:
    """How a table for a paper is written.

    Parameters
    ----------
    digits : int or None
        Decimals; None: those of the table on the screen.
    caption, label : str or None
    bold : bool
    """

    digits: int | None = None
    caption: str | None = None
    label: str | None = None
    bold: bool = True

    def check(self, output_format: str) -> PaperStyle:
        """The same, if what was given goes with the format.

        Raises
        ------
        OptionError
            It does not.
        """
        given = {
            "--digits": self.digits is not None,
            "--caption": self.caption is not None,
            "--no-bold": not self.bold,
        }
        for flag, is_given in given.items():
            if is_given:
                for_papers(flag, output_format)
        if self.label is not None and output_format != "latex":
            raise OptionError("--label: is for --format latex")
        return self


def for_papers(flag: str, output_format: str) -> None:
    """Refuse an option that only tables for papers take.

    Raises
    ------
    OptionError
        The format is none of papers.
    """
    if output_format not in ("latex", "markdown"):
        raise OptionError(f"{flag}: is for --format latex and markdown")
