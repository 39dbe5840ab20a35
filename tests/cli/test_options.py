"""Arguments and options."""

from __future__ import annotations

import inspect
from typing import Annotated

import typer

from fuzzytruth.cli.options import taking


def test_files_that_cannot_be_read_are_the_readers_business() -> None:
    from typing import get_args

    from fuzzytruth.cli import options

    assert get_args(options.JudgmentsFile)[1].readable is False


def test_groups_of_queries_are_files_or_columns() -> None:
    from typing import get_args

    from fuzzytruth.cli import options

    for annotated in (options.Clusters, options.Strata):
        option = get_args(annotated)[1]
        assert option.metavar == "FILE|COLUMN"
        assert "a column of the table of scores" in option.help


def shared(number: Annotated[int, typer.Option("-n")] = 3, more: int = 0) -> None:
    """Options."""


def test_options_that_commands_share() -> None:
    @taking(shared, without=["more"])
    def two(context: typer.Context, name: str) -> str:
        """Another command."""
        return f"{name} {context.params['number']}"

    parameters = inspect.signature(two).parameters
    assert list(parameters) == ["context", "name", "number"]
    assert parameters["number"].default == 3
    three = taking(shared)(lambda context: context)
    assert list(inspect.signature(three).parameters) == ["context", "number", "more"]
    assert (two.__name__, two.__doc__) == ("two", "Another command.")
    app = typer.Typer()
    app.command()(two)
    assert app(["x", "-n", "5"], standalone_mode=False) == "x 5"
    assert app(["x"], standalone_mode=False) == "x 3"
