"""Every public function and method, each argument in turn replaced by hostile values.

Run in the folder `tests`::

    python -m fuzz.calls                 # all calls
    python -m fuzz.calls --share 0.1 --seed 3 --only Judgments
"""

import argparse
import contextlib
import datetime
import inspect
import io
import os
import random
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib import pyplot
from support.public import PUBLIC
from support.results import MAKE

import fuzzytruth as ft
from fuzz.valid_arguments import NO_CALLS, quick, valid_arguments, write_files
from fuzz.verdict import HangError, time_limit

SECONDS = 20.0
HOSTILE: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "True": lambda: True,
    "0": lambda: 0,
    "-1": lambda: -1,
    "3": lambda: 3,
    "2.5": lambda: 2.5,
    "1e308": lambda: 1e308,
    "NaN": lambda: float("nan"),
    "inf": lambda: float("inf"),
    "10**400": lambda: 10**400,
    "2j": lambda: 2j,
    "''": lambda: "",
    "'x'": lambda: "x",
    "'no such'": lambda: "no such \x1b[31m\n",
    "bytes": lambda: b"x",
    "[]": list,
    "[1]": lambda: [1],
    "[None]": lambda: [None],
    "['x']": lambda: ["x"],
    "[[]]": lambda: [[]],
    "{}": dict,
    "{'x': 1}": lambda: {"x": 1},
    "{'x': None}": lambda: {"x": None},
    "set": lambda: {1},
    "object": object,
    "array of none": lambda: np.array([]),
    "array of NaN": lambda: np.array([np.nan]),
    "matrix": lambda: np.ones((1, 1)),
    "empty frame": pd.DataFrame,
    "NA": lambda: pd.NA,
    "date": lambda: datetime.date(2020, 1, 1),
    "class": lambda: int,
}


@dataclass(frozen=True, slots=True)
class Call:
    """A public callable, its valid arguments, and the one that is replaced."""

    name: str
    function: Callable[..., Any]
    valid: dict[str, Any]
    argument: str
    hostile: str

    @property
    def label(self) -> str:
        """The call in words."""
        return f"{self.name}({self.argument}={self.hostile})"


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Public functions, and methods and constructors of public classes."""
    for name, value in PUBLIC.items():
        if name in NO_CALLS:
            continue
        if inspect.isfunction(value):
            yield name, value
        elif name in MAKE:
            one = MAKE[name]()
            for method in sorted(dir(type(one))):
                found = inspect.getattr_static(type(one), method)
                if method.startswith("_") or isinstance(found, property):
                    continue
                bound = getattr(one, method)
                if f"{name}.{method}" not in NO_CALLS and inspect.ismethod(bound):
                    yield f"{name}.{method}", bound


def arguments_of(name: str, function: Callable[..., Any]) -> dict[str, Any]:
    """Valid arguments: those that it needs, and few resamples and worlds."""
    of_all = _parameters(function)
    few = {each: quick(name, each) for each in ("n_resamples", "n_worlds") if each in of_all}
    given = valid_arguments().get(name)
    if given is None:
        given = {n: quick(name, n) for n, p in of_all.items() if p.default is p.empty}
    return few | given


def _parameters(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    return {
        name: parameter
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)
    }


def calls() -> Iterator[Call]:
    """All calls with one hostile argument."""
    for name, function in functions():
        valid = arguments_of(name, function)
        for argument in _parameters(function):
            for hostile in HOSTILE:
                if argument == "n_jobs" and hostile in ("3", "-1"):
                    continue  # starts processes
                yield Call(name, function, valid, argument, hostile)


def outcome(call: Call) -> str:
    """What is wrong; empty after a result or an error of the library of one line."""
    arguments = {**call.valid, call.argument: HOSTILE[call.hostile]()}
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ft.FuzzytruthWarning)
        warnings.simplefilter("ignore", ResourceWarning)
        try:
            with time_limit(SECONDS):
                call.function(**arguments)
        except ft.FuzzytruthError as error:
            text = str(error)
            return "" if len(text.splitlines()) == 1 else f"a message of several lines: {text!r}"
        except HangError:
            return f"still running after {SECONDS:g} s"
        except Exception as error:
            return f"{type(error).__name__}: {error}".split("\n")[0][:200]
        finally:
            pyplot.close("all")
    return ""


def sample(share: float, seed: int, only: str = "") -> list[Call]:
    """A seeded share of all calls."""
    rng = random.Random(seed)
    return [call for call in calls() if only in call.name and rng.random() < share]


def main(arguments: list[str] | None = None) -> int:
    """Make the calls, and print what is raw."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.calls")
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="part of a name")
    given = parser.parse_args(arguments)
    chosen = sample(given.share, given.seed, given.only)
    found: Counter[str] = Counter()
    with in_folder():
        for call in chosen:
            problem = outcome(call)
            if problem:
                found[call.name] += 1
                print(f"{call.label}: {problem}", flush=True)
    print(f"{len(chosen):,} calls, {found.total():,} raw, in {len(found)} functions")
    return int(bool(found))


@contextlib.contextmanager
def in_folder() -> Iterator[None]:
    """Work in a folder of small valid files, without windows."""
    mpl.use("Agg")
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder))
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


if __name__ == "__main__":
    sys.exit(main())
