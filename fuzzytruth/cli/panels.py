"""Options in the groups of the help of a command, for commands that write them out."""

from __future__ import annotations

from typing import Any

import typer

from fuzzytruth.cli.derive import CATEGORIES, COMPUTATION, INPUT, MATRICES, METHOD, OUTPUT, SCORING

__all__ = [
    "CATEGORIES",
    "COMPUTATION",
    "INPUT",
    "MATRICES",
    "METHOD",
    "OUTPUT",
    "SCORING",
    "option",
    "setting",
]


def setting(panel: str, text: str, *flags: str, **settings: Any) -> Any:
    """An option in a group of the help, with its line of help and its default.

    Files are not looked at beforehand: the reader reports in one line what is wrong.
    """
    return typer.Option(*flags, help=text, rich_help_panel=panel, readable=False, **settings)


def option(panel: str, text: str, *flags: str, **settings: Any) -> Any:
    """The same without a default beside it."""
    return setting(panel, text, *flags, show_default=False, **settings)
