"""The subcommands of `fuzzytruth`, and how their errors are reported."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated

import typer

import fuzzytruth
from fuzzytruth.cli import (
    agreement,
    analyse,
    annotate_next,
    compare,
    convert,
    demo,
    displacement,
    evaluate,
    gate,
    image_text,
    judges,
    measures,
    membership,
    plan,
    report,
)
from fuzzytruth.cli.messages import error_line, one_line_warnings
from fuzzytruth.cli.output import prepare_streams, print_line
from fuzzytruth.cli.usage import UsageError, usage_text
from fuzzytruth.errors import FuzzytruthError, MeasureError, OptionError, shown

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
app.command("image-text", epilog=image_text.EXAMPLE)(image_text.image_text)
app.command(epilog=compare.EXAMPLE)(compare.compare)
app.command(epilog=gate.EXAMPLE)(gate.gate)
app.command(epilog=agreement.EXAMPLE)(agreement.agreement)
app.command(epilog=analyse.EXAMPLE)(analyse.analyse)
app.command(epilog=report.EXAMPLE)(report.report)
app.command(epilog=judges.EXAMPLE)(judges.judges)
app.command("annotate-next", epilog=annotate_next.EXAMPLE)(annotate_next.annotate_next)
app.command(epilog=plan.EXAMPLE)(plan.plan)
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


def run(arguments: Sequence[str] | None) -> int:
    """Run a subcommand, and report its error if it has one: the exit status."""
    prepare_streams()
    try:
        with one_line_warnings():
            words = list(sys.argv[1:] if arguments is None else arguments)
            status = app(args=words, prog_name="fuzzytruth", standalone_mode=False, obj=words)
            sys.stdout.flush()
        return status or 0
    except UsageError as error:
        return _report(usage_text(error), 2)
    except (OptionError, MeasureError) as error:
        return _report(error_line(error), 2)
    except UnicodeEncodeError as error:
        return _report(f"error: the name {shown(error.object)} is not valid UTF-8; change it", 1)
    except OverflowError as error:
        return _report(f"error: a number is too large ({error})", 2)
    except MemoryError as error:
        return _report(f"error: not enough memory ({str(error) or 'of the system'})", 1)
    except BrokenPipeError:
        return 1
    except (FuzzytruthError, OSError) as error:
        return _report(error_line(error), 1)


def _report(text: str, status: int) -> int:
    """Print an error, if standard error takes it."""
    with suppress(OSError):
        print_line(text, sys.stderr)
    return status
