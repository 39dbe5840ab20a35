"""The subcommands of `fuzzytruth`, and how their errors are reported."""

from __future__ import annotations

import ast
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import fuzzytruth
from fuzzytruth.cli.derive import MODULES, AsTyped, Lazy, functions_of, place
from fuzzytruth.cli.messages import UsageError, error_line, no_memory, one_line_warnings, usage_text
from fuzzytruth.cli.output import prepare_streams, print_line
from fuzzytruth.cli.typed_words import COMMAND
from fuzzytruth.errors import FuzzytruthError, MeasureError, OptionError, shown


class Commands(AsTyped, TyperGroup):
    """The group of all commands."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands: Any = Lazy()

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write what each command does, without importing it."""
        rows = []
        for name in MODULES:
            module, function = place(name)
            said = ast.get_docstring(functions_of(module)[function]) or ""
            rows.append((name, said.partition("\n")[0]))
        with formatter.section("Commands"):
            formatter.write_dl(rows)


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"fuzzytruth {fuzzytruth.__version__}")
        raise typer.Exit


@dataclass(slots=True)
class Settings:
    """What is set for all commands.

    Parameters
    ----------
    words : tuple of str
        The arguments as typed.
    debug : bool
        Whether errors show where in the code they came from.
    """

    words: tuple[str, ...]
    debug: bool = False


@app.callback(epilog="\b\nExample:\n  fuzzytruth evaluate qrels.txt a.run b.run -m AP -m nDCG@10")
def top(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
    debug: Annotated[
        bool,
        typer.Option(
            "--debug", envvar="FUZZYTRUTH_DEBUG", help="Show where in the code an error came from."
        ),
    ] = False,
) -> None:
    """Evaluate ranking systems when the people who gave the ground truth disagree."""
    context.obj.debug = debug


def run(arguments: Sequence[str] | None) -> int:
    """Run a subcommand, and report its error if it has one: the exit status."""
    prepare_streams()
    words = list(sys.argv[1:] if arguments is None else arguments)
    settings = Settings(tuple(words))
    running = COMMAND.set(next((word for word in words if word in MODULES), ""))
    if os.environ.get("_FUZZYTRUTH_COMPLETE", "").startswith("complete_"):
        os.environ["COLUMNS"] = "1000"  # a second line of help would be offered as a name
    try:
        with one_line_warnings():
            status = app(args=words, prog_name="fuzzytruth", standalone_mode=False, obj=settings)
            sys.stdout.flush()
        return status or 0
    except BrokenPipeError:
        return 1
    except Exception as error:
        if settings.debug:
            _report(traceback.format_exc().rstrip("\n"), 1)
        return _report(*_text_and_status(error))
    finally:
        COMMAND.reset(running)


def _text_and_status(error: Exception) -> tuple[str, int]:
    """How an error is reported, and the exit status."""
    if isinstance(error, UsageError):
        return usage_text(error), 2
    if isinstance(error, (OptionError, MeasureError)):
        return error_line(error), 2
    if isinstance(error, UnicodeEncodeError):
        return f"error: the name {shown(error.object)} is not valid UTF-8; change it", 1
    if isinstance(error, OverflowError):
        return f"error: a number is too large ({error})", 2
    if (memory := no_memory(error)) is not None:
        return f"error: not enough memory ({memory})", 1
    if isinstance(error, (FuzzytruthError, OSError)):
        return error_line(error), 1
    return (
        f"error: unexpected {type(error).__name__}: {' '.join(str(error).split())}; this is a "
        "defect of fuzzytruth: please report it with the output of fuzzytruth --debug ...",
        1,
    )


def _report(text: str, status: int) -> int:
    """Print an error, if standard error takes it."""
    with suppress(OSError):
        print_line(text, sys.stderr)
    return status
