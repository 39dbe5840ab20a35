"""Groups of options in the help of a command, and how that help is laid out.

A group is an option's `rich_help_panel`, though the help is plain text: it looks the same on a
terminal, in a pipe, and where Rich is not installed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import typer
from typer.core import TyperCommand

METHOD = "Method"
TARGETS = "Targets"
PRICES = "Prices"
SCORING = "Scoring"
OUTPUT = "Output"
INPUT = "Input"
CATEGORIES = "Input: votes for categories"
MATRICES = "Input: matrices"
COMPUTATION = "Computation"
_HELP = "Help"
#: in the order of the help
PANELS = (
    METHOD,
    TARGETS,
    PRICES,
    SCORING,
    OUTPUT,
    INPUT,
    CATEGORIES,
    MATRICES,
    COMPUTATION,
    _HELP,
)


class CommandWithPanels(TyperCommand):
    """A command whose help shows its options in groups."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The words after the command's name: OPTIONS, and arguments as typed."""
        return ["[OPTIONS]", *(_usage(each) for each in _of_kind(self.params, "argument"))]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments, then the options of each group."""
        parameters = self.get_params(ctx)
        rows = [(_as_typed(each), _help(each, ctx)) for each in _of_kind(parameters, "argument")]
        if rows:
            with formatter.section("Arguments"):
                formatter.write_dl(rows)
        options = list(_of_kind(parameters, "option"))
        for panel in PANELS:
            rows = [_option_row(each, ctx) for each in options if panel_of(each) == panel]
            if rows:
                with formatter.section(panel):
                    formatter.write_dl(rows)


def panel_of(option: Any) -> str:
    """The group of an option; that of --help, which has none, is of its own."""
    return option.rich_help_panel or _HELP


def _of_kind(parameters: Iterable[Any], kind: str) -> Iterator[Any]:
    return (each for each in parameters if each.param_type_name == kind and not each.hidden)


def _as_typed(argument: Any) -> str:
    """An argument's name, with dots if there may be several."""
    name = str(argument.display_name_raw)
    return name if argument.nargs == 1 or name.endswith("...") else f"{name}..."


def _usage(argument: Any) -> str:
    name = _as_typed(argument)
    return name if argument.required else f"[{name}]"


def _help(parameter: Any, ctx: Any) -> str:
    return str(parameter.get_help_record(ctx)[1])


def _option_row(option: Any, ctx: Any) -> tuple[str, str]:
    """Names and values of an option, and its help; choices without angle brackets."""
    names, text = option.get_help_record(ctx)
    return names.replace("<", "").replace(">", ""), text


def setting(panel: str, text: str, *flags: str, **settings: Any) -> Any:
    """An option in a group of the help, with its line of help and its default.

    Files are not looked at beforehand: the reader reports in one line what is wrong.
    """
    return typer.Option(*flags, help=text, rich_help_panel=panel, readable=False, **settings)


def option(panel: str, text: str, *flags: str, **settings: Any) -> Any:
    """The same without a default beside it."""
    return setting(panel, text, *flags, show_default=False, **settings)
