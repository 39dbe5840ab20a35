"""The command `fuzzytruth`: its subcommands, and its errors and exit status.

Exit status: 0; 1 if the data or a name in them are wrong (one line on stderr says what); 2 if the
command itself is wrong (an unknown option, a missing argument); 130 if it was interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

import fuzzytruth
from fuzzytruth.cli import compare, convert, demo, displacement, evaluate, measures, membership
from fuzzytruth.cli.messages import error_line, one_line_warnings
from fuzzytruth.errors import FuzzytruthError

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command(epilog=evaluate.EXAMPLE)(evaluate.evaluate)
app.command(epilog=membership.EXAMPLE)(membership.membership)
app.command(epilog=displacement.EXAMPLE)(displacement.displacement)
app.command(epilog=compare.EXAMPLE)(compare.compare)
app.command(epilog=convert.EXAMPLE)(convert.convert)
app.command(epilog=measures.EXAMPLE)(measures.measures)
app.command(epilog=demo.EXAMPLE)(demo.demo)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"fuzzytruth {fuzzytruth.__version__}")
        raise typer.Exit


@app.callback(epilog="\b\nExample:\n  fuzzytruth evaluate qrels.txt a.run b.run -m AP -m nDCG@10")
def top(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Evaluate ranking systems when the people who gave the ground truth disagree."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit.

    Parameters
    ----------
    arguments : sequence of str, optional
        Arguments after the command's name; by default those of the shell.
    """
    try:
        with one_line_warnings():
            app(args=arguments, prog_name="fuzzytruth")
    except (FuzzytruthError, OSError) as error:
        print(error_line(error), file=sys.stderr)
        sys.exit(1)
