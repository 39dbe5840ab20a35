"""Arguments and options."""

from __future__ import annotations

from typing import Any

import pytest
import typer

from fuzzytruth.cli.commands import app
from fuzzytruth.cli.derive import Option
from fuzzytruth.cli.derived import Source, with_options


def options_of(command: str) -> dict[str, Any]:
    """Arguments and options by name."""
    group: Any = typer.main.get_command(app)
    return {each.name: each for each in group.commands[command].params}


def test_files_that_cannot_be_read_are_the_readers_business(run) -> None:
    status, _, err = run("evaluate", "none.txt", "a.run")
    assert (status, err.count("\n")) == (1, 1)
    assert err.startswith("error: none.txt")


@pytest.mark.parametrize("name", ["clusters", "strata"])
def test_groups_of_queries_are_files_or_columns(name: str) -> None:
    option = options_of("compare")[name]
    assert option.metavar == "FILE|COLUMN"
    assert "a column of the table of scores" in option.help


def shared(*, number: int = 3, more: int = 0) -> None:
    """Options.

    Parameters
    ----------
    number : int
        How many.
    more : int
        And more.
    """


def test_options_that_commands_share() -> None:
    @with_options(Source(shared, without="more"))
    def two(context: typer.Context, who: str) -> str:
        """Another command."""
        return f"{who} {context.params['number']}"

    three = with_options(Source(shared, number=Option(flags="-n")))(lambda context: context)
    assert (two.__name__, two.__doc__) == ("two", "Another command.")
    app = typer.Typer()
    app.command()(two)
    assert app(["x", "--number", "5"], standalone_mode=False) == "x 5"
    assert app(["x"], standalone_mode=False) == "x 3"
    other: Any = typer.Typer()
    other.command()(three)
    assert other(["-n", "4"], standalone_mode=False).params["number"] == 4
