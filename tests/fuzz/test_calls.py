"""A share of all calls with a hostile argument, and checks of the checker."""

import os
from collections.abc import Iterator
from zlib import crc32

import pytest
from matplotlib import pyplot

import fuzzytruth as ft
from fuzz.calls import HOSTILE, Call, arguments_of, functions, in_folder, main, outcome, sample
from fuzz.valid_arguments import REFUSED

SHARE = 0.02
PARTS = 12  # that run side by side
SLOW = {
    "Analysis.report",
    "Comparison.report",
    "Plan.curve",
    "Santini.report",
}  # left to `make fuzz`


@pytest.fixture(autouse=True)
def folder() -> Iterator[None]:
    with in_folder():
        yield


def part_of(label: str) -> int:
    return crc32(label.encode()) % PARTS


@pytest.mark.parametrize("part", range(PARTS))
def test_no_raw_errors(part: int) -> None:
    """Another seed: FUZZ_SEED=7 pytest tests/fuzz."""
    chosen = sample(SHARE, int(os.environ.get("FUZZ_SEED", "0")))
    mine = [call for call in chosen if part_of(call.label) == part and call.name not in SLOW]
    assert len(mine) > 20
    assert {call.label: problem for call in mine if (problem := outcome(call))} == {}


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.FuzzytruthWarning")
@pytest.mark.parametrize("part", range(PARTS))
def test_valid_arguments_are_valid(part: int) -> None:
    """So that a call fails for its hostile argument alone."""
    refused = set()
    for name, function in functions():
        if name in SLOW or part_of(name) != part:
            continue
        try:
            function(**arguments_of(name, function))
        except ft.FuzzytruthError:
            refused.add(name)
        finally:
            pyplot.close("all")
    assert refused == {name for name in REFUSED if part_of(name) == part}


@pytest.mark.parametrize(
    ("error", "found"),
    [
        (KeyError("x"), "KeyError"),
        (ft.errors.OptionError("a\nb"), ""),  # printed as one line
        (RuntimeWarning("w"), "RuntimeWarning"),
        (None, ""),
    ],
)
def test_what_is_raw(error: Exception | None, found: str) -> None:
    def function(**_: object) -> None:
        if error is not None:
            raise error

    call = Call("f", function, {}, "x", next(iter(HOSTILE)))
    assert outcome(call).startswith(found)
    assert bool(outcome(call)) == bool(found)


def test_the_command_prints_what_is_raw(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--only", "Distribution.poisson_binomial", "--share", "1"]) == 0
    assert capsys.readouterr().out == f"{len(HOSTILE)} calls, 0 raw, in 0 functions\n"
