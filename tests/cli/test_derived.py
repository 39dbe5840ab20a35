"""Options that commands share."""

import inspect
from typing import Any

import pytest
import typer

from fuzzytruth.cli.compared_scores import names_of_judged
from fuzzytruth.cli.derive import Option
from fuzzytruth.cli.derived import COMPARED, Source, with_options
from fuzzytruth.cli.evaluate import compare, evaluate
from fuzzytruth.cli.gate import gate


def shared(*, number: int = 3, more: int = 0) -> None:
    """Options.

    Parameters
    ----------
    number : int
        How many.
    more : int
        And more.
    """


def test_options_of_a_function_are_those_of_a_command() -> None:
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


def test_commands_that_compare_have_the_options_of_evaluate_with_the_same_defaults() -> None:
    of_gate, of_compare, of_evaluate = (
        inspect.signature(each).parameters for each in (gate, compare, evaluate)
    )
    others = {"context", "measure", "seed", "n_jobs", "columns", "drop", "output_format", "output"}
    others |= {"over", "digits", "caption", "label", "bold", "figure", "help_all"}
    common = of_compare.keys() & of_evaluate.keys()
    others |= {"communities"}  # of worlds, or to be compared
    others |= {"replicates", "deterministic"}  # of scores, too
    assert common - others == names_of_judged() - {"unjudged", "structure"}
    assert common - others < {option.name for source in COMPARED for _, option in source.options()}
    own = {"measure", "level", "over", "worlds", "output", "context", "inputs"}
    both = (of_gate.keys() & of_compare.keys()) - own
    assert len(both) == 39
    assert all(of_gate[name].default == of_compare[name].default for name in both)
    rest = {"baseline", "alternative", "correction", "null", "across_measures", "rope"}
    rest |= {"n_resamples", "output_format", "table", "digits", "caption", "label", "bold"}
    rest |= {"figure", "figure_kind", "communities", "replicate_variance"}
    assert of_compare.keys() - of_gate.keys() == rest


@pytest.mark.parametrize("command", ["evaluate", "compare", "analyse", "report", "gate"])
def test_worlds_are_described_that_can_be_chosen(printed, command: str) -> None:
    text = " ".join(printed(f"{command} --help").split("--order-by")[0].split())
    choices, described = text.split("--worlds ")[-1].split(" What is taken as the truth: ")
    assert choices.count("|") == described.count(";")
