"""The command line: `fuzzytruth VERB`, where the verbs are the library's.

Exit status: 0; 1 if the data or a name in them are wrong (one line on stderr says what);
2 if the command itself is (an unknown option, a missing argument).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

import fuzzytruth
from fuzzytruth.cli.comparisons import EXAMPLE as COMPARE_EXAMPLE
from fuzzytruth.cli.comparisons import compare
from fuzzytruth.cli.conversion import EXAMPLE as CONVERT_EXAMPLE
from fuzzytruth.cli.conversion import convert
from fuzzytruth.cli.demonstration import EXAMPLE as DEMO_EXAMPLE
from fuzzytruth.cli.demonstration import demo
from fuzzytruth.cli.list_comparison import EXAMPLE as DISPLACEMENT_EXAMPLE
from fuzzytruth.cli.list_comparison import displacement
from fuzzytruth.cli.membership_table import EXAMPLE as MEMBERSHIP_EXAMPLE
from fuzzytruth.cli.membership_table import membership
from fuzzytruth.cli.messages import error_line, one_line_warnings
from fuzzytruth.cli.scoring import EXAMPLE as EVALUATE_EXAMPLE
from fuzzytruth.cli.scoring import evaluate
from fuzzytruth.cli.vocabulary import EXAMPLE as MEASURES_EXAMPLE
from fuzzytruth.cli.vocabulary import measures
from fuzzytruth.errors import FuzzytruthError

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command(epilog=EVALUATE_EXAMPLE)(evaluate)
app.command(epilog=MEMBERSHIP_EXAMPLE)(membership)
app.command(epilog=DISPLACEMENT_EXAMPLE)(displacement)
app.command(epilog=COMPARE_EXAMPLE)(compare)
app.command(epilog=CONVERT_EXAMPLE)(convert)
app.command(epilog=MEASURES_EXAMPLE)(measures)
app.command(epilog=DEMO_EXAMPLE)(demo)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"fuzzytruth {fuzzytruth.__version__}")
        raise typer.Exit


@app.callback(epilog="\b\nExample:\n  fuzzytruth evaluate qrels.txt a.run b.run -m AP -m nDCG@10")
def top(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and stop."
        ),
    ] = False,
) -> None:
    """Evaluate ranking systems when the people who gave the ground truth disagree."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit.

    Parameters
    ----------
    arguments : sequence of str, optional
        What stands after the command's name; by default what the shell gave.
    """
    try:
        with one_line_warnings():
            app(args=arguments, prog_name="fuzzytruth")
    except (FuzzytruthError, OSError) as error:
        print(error_line(error), file=sys.stderr)
        sys.exit(1)
