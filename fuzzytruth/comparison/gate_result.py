"""`Gate`: the result of `gate`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth.comparison.inference import POWER
from fuzzytruth.comparison.verdicts import named_p, number, p_text, two_digits
from fuzzytruth.core.validation import option_flag
from fuzzytruth.errors import counted, first_few, printable
from fuzzytruth.show.answer import Column, Printed, Result, Sentences, Table
from fuzzytruth.stats.axes import Over, in_words
from fuzzytruth.stats.observations import Kind

# The result of a gate in words.


_POWER = f"{100 * POWER:.0f} % power"


def lines(gate: GateConditions, tests: Sequence[GateTest]) -> list[str]:
    """See `Gate.lines`."""
    out = []
    deciding = [test for test in tests if test.decides]
    several = len(deciding) > 1
    if several:
        out.append(_verdict_on_all(gate, deciding))
    for test in deciding:
        text = _verdict(gate, test)
        out.append(f"  {text}" if several else text)
        out += [
            ("    " if several else "  ") + _beside(gate, other)
            for other in tests
            if other.measure == test.measure and not other.decides
        ]
    return [printable(line) for line in out]


def answer(gate: GateConditions, tests: Sequence[GateTest]) -> Printed:
    """The verdict, then a table of the tests if there are several."""
    verdict = lines(gate, tests)[0]
    if len(tests) == 1:
        return Printed.of(verdict)
    columns = [
        Column.label("measure", [test.measure for test in tests]),
        Column.label("over", [_units(gate, test) for test in tests]),
        Column.label("gate", [_passed(test) for test in tests]),
        Column("difference", tuple(_difference(test) for test in tests)),
        Column(f"{_percent(gate)} bound", tuple(_bound(gate, test) for test in tests)),
        Column("p", tuple("–" if math.isnan(test.p) else p_text(test.p) for test in tests)),
    ]
    if not gate.better:
        margins = tuple(f"{test.margin:g}" for test in tests)
        columns.insert(3, Column("margin", margins, "extra"))
    notes = ["Differences are new minus old; bounds are one-sided, on the side of worse."]
    if not all(test.higher_is_better for test in tests):
        lower = [test.measure for test in tests if test.decides and not test.higher_is_better]
        notes.append(f"Lower is better: {', '.join(lower)}.")
    if any(not test.decides for test in tests):
        random = next(test for test in tests if test.decides).over
        notes.append(f"The tests over {in_words(random)} decide.")
    return Printed.of(verdict, Table(tuple(columns)), Sentences.of(*notes))


def _verdict_on_all(gate: GateConditions, deciding: Sequence[GateTest]) -> str:
    """Over all measures."""
    failed = [test.measure for test in deciding if not test.passed]
    if not failed:
        claim = "better than" if gate.better else "not worse by the margin than"
        measures = ", ".join(test.measure for test in deciding)
        return f"passed: {gate.new} is {claim} {gate.old} on all of {measures}"
    worse = [test.measure for test in deciding if test.outcome == "worse"]
    unclear = [name for name in failed if name not in worse]
    by = "" if gate.better else " by the margin"
    claim = "is not shown to be better than" if gate.better else "may be worse by the margin than"
    parts = [
        f"{words} {gate.old} on {len(names)} of {len(deciding)} measures ({first_few(names)})"
        for words, names in ((f"is worse{by} than", worse), (claim, unclear))
        if names
    ]
    return f"not passed: {gate.new} {' and '.join(parts)}"


def _verdict(gate: GateConditions, test: GateTest) -> str:
    """The verdict on one measure, and its numbers."""
    if test.outcome == "identical":
        claim = (
            f"{gate.new} and {gate.old} have the same {test.measure} on all {_units(gate, test)}"
        )
    else:
        claim = f"{_claim(gate, test)} on {test.measure} over {_units(gate, test)}"
    return f"{_passed(test)}: {claim} ({'; '.join([_numbers(gate, test), *_more(gate, test)])})"


def _claim(gate: GateConditions, test: GateTest) -> str:
    """What is shown, or not."""
    by = "" if gate.better else f" by {test.margin:g} or more"
    if test.outcome == "worse":
        return f"{gate.new} is worse than {gate.old}{by}"
    if gate.better:
        if test.passed:
            return f"{gate.new} is better than {gate.old}"
        return f"{gate.new} is not shown to be better than {gate.old}"
    if test.passed:
        return f"{gate.new} is not worse than {gate.old}{by}"
    return f"{gate.new} may be worse than {gate.old}{by}"


def _units(gate: GateConditions, test: GateTest) -> str:
    """What the test is over, with numbers."""
    queries = counted(test.n_queries, "query")
    if gate.groups == "clusters":
        queries += f" in {counted(test.n_units, 'cluster')}"
    elif gate.groups == "strata":
        queries += " in strata"
    words = {
        "query": queries,
        "subject": counted(test.n_subjects, "subject"),
        "world": "resampled subjects",
    }
    return " and ".join(words[axis] for axis in test.over)


def _passed(test: GateTest) -> str:
    """The verdict in a word."""
    return "passed" if test.passed else "not passed"


def _percent(gate: GateConditions) -> str:
    """The level."""
    return f"{100 * gate.level:g} %"


def _numbers(gate: GateConditions, test: GateTest) -> str:
    """Difference, bound and p."""
    parts = [f"difference {_difference(test)}"]
    if test.outcome not in ("identical", "unknown"):
        side = "lower" if test.higher_is_better else "upper"
        parts.append(f"{_percent(gate)} {side} bound {_bound(gate, test)}")
        parts.append(named_p("p", test.p))
    return ", ".join(parts)


def _difference(test: GateTest) -> str:
    """The difference with its sign."""
    return _plus(test.difference, abs(test.difference - test.bound))


def _bound(gate: GateConditions, test: GateTest) -> str:
    """The bound, with enough digits to see on which side of the margin it lies."""
    limit = 0.0 if gate.better else test.margin * (-1 if test.higher_is_better else 1)
    side = np.sign(test.bound - limit)
    text = _plus(test.bound, abs(test.difference - test.bound))
    for digits in range(3, 16):
        if np.sign(float(text) - limit) == side:
            break
        text = f"{test.bound:+.{digits}g}"
    return text


def _plus(value: float, half: float) -> str:
    """A number with its sign, as `number` rounds it."""
    text = number(value, half)
    return f"+{text}" if value > 0 else text


def _more(gate: GateConditions, test: GateTest) -> list[str]:
    """What a reader needs besides: the direction, and what these data could have shown."""
    out = [] if test.higher_is_better else ["lower is better"]
    if test.outcome == "unknown":
        out.append(_why_unknown(gate, test))
    elif test.outcome == "not shown" and test.std_error == 0:
        few = ", on too few to tell" if math.isinf(test.bound) else ""
        out.append(f"the same difference everywhere{few}")
    elif test.outcome == "not shown" and math.isfinite(test.detectable):
        out.append(_power(gate, test))
    return out


def _power(gate: GateConditions, test: GateTest) -> str:
    """What the data could have shown."""
    if gate.better:
        return f"a gain of {two_digits(test.detectable)} would have been found with {_POWER}"
    if test.detectable > test.margin:
        needed = two_digits(test.detectable)
        return f"too few data: equal systems need a margin of {needed} for {_POWER}"
    return f"equal systems would have passed with {_POWER} or more"


def _why_unknown(gate: GateConditions, test: GateTest) -> str:
    """Why a test has no spread."""
    if "query" in test.over and test.n_units < 2:
        one = "cluster" if gate.groups == "clusters" else "query"
        return f"a single {one} decides nothing"
    if "subject" in test.over and test.n_subjects < 2:
        return "a single subject decides nothing"
    return "how much it varies is unknown"


def _beside(gate: GateConditions, test: GateTest) -> str:
    """A test that does not decide."""
    return (
        f"over {_units(gate, test)} alone, not deciding: {_passed(test)} ({_numbers(gate, test)})"
    )


# What a gate asks, and the test of one measure.


Outcome = Literal["shown", "identical", "not shown", "worse", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GateTest:
    """The test of one measure.

    Parameters
    ----------
    measure : str
    over : tuple of str
        What is random.
    decides : bool
        Whether the verdict rests on this test; one over queries alone may be shown beside it.
    passed : bool
    outcome : {"shown", "identical", "not shown", "worse", "unknown"}
        "identical": the same values everywhere, which passes unless the new system has to be
        better. "worse": the opposite is shown, at the same level. "unknown": a single query, or
        units that nothing connects, have no spread to test with.
    margin : float
        NaN where the new system has to be better.
    difference, std_error : float
        New minus old, in units of the measure.
    bound : float
        One-sided confidence bound of the difference, on the side of worse: the lower one if higher
        is better, else the upper one. Infinite where nothing is known.
    p : float
        Of the null hypothesis that the new system is worse by the margin or more, or is not better;
        NaN where identical systems pass untested.
    detectable : float
        The margin at which equal systems pass with a power of 80 %, or the true difference that is
        found with it; NaN without a spread.
    n_queries, n_subjects : int
        With values of both systems; no subjects where worlds are resampled.
    n_units : int
        Queries, or clusters of them.
    higher_is_better : bool
    """

    measure: str
    over: Over
    decides: bool
    passed: bool
    outcome: Outcome
    margin: float
    difference: float
    std_error: float
    bound: float
    p: float
    detectable: float
    n_queries: int
    n_subjects: int
    n_units: int
    higher_is_better: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GateConditions:
    """What a gate asks.

    Parameters
    ----------
    new, old : str
    better : bool
        Whether the new system has to be better, and not only not worse by the margin.
    level : float
        Of the confidence bounds.
    groups : {"clusters", "strata"} or None
        Of the queries.
    """

    new: str
    old: str
    better: bool
    level: float
    groups: Kind | None = None


#: columns of the narrow table
_COLUMNS = ("measure", "over", "decides", "passed", "difference", "bound", "p")


@dataclass(frozen=True, slots=True, repr=False)
class Gate(Result):
    """Whether a new system is not worse than an old one by a margin, or is better.

    Parameters
    ----------
    conditions : GateConditions
    tests : tuple of GateTest
        By measure; the one that decides comes last.

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> scores = ft.Scores.from_frame(pd.DataFrame({
    ...     "system": ["new"] * 4 + ["old"] * 4, "query": [1, 2, 3, 4] * 2,
    ...     "value": [0.5, 0.7, 0.9, 0.7, 0.5, 0.8, 0.8, 0.6]}))
    >>> print(ft.gate(scores, "new", "old", margin=0.2))
    passed: new is not worse than old by 0.2 or more on value over 4 queries
    (difference +0.02, 95 % lower bound -0.09, p = 0.0091)
    """

    conditions: GateConditions
    tests: tuple[GateTest, ...]

    @property
    def passed(self) -> bool:
        """Whether every measure passed the test that decides."""
        return all(test.passed for test in self.deciding)

    @property
    def deciding(self) -> tuple[GateTest, ...]:
        """The tests that the verdict rests on, one for each measure."""
        return tuple(test for test in self.tests if test.decides)

    def __repr__(self) -> str:
        measures = ", ".join(test.measure for test in self.deciding)
        verdict = "passed" if self.passed else "not passed"
        old, new = self.conditions.old, self.conditions.new
        return printable(f"Gate({new} against {old} on {measures}: {verdict})")

    def _answer(self) -> Printed:
        return answer(self.conditions, self.tests)

    def lines(self) -> list[str]:
        """The verdict in one line, then one for each measure if there are several.

        A test over queries alone, which does not decide, has an indented line of its own.
        """
        return lines(self.conditions, self.tests)

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row for each test.

        Columns: measure, over (as a text), decides, passed, difference, bound, p. With
        ``full=True`` all fields of `GateTest`.
        """
        table = pd.DataFrame([asdict(test) | {"over": ",".join(test.over)} for test in self.tests])
        return table if option_flag("full", full) else table[list(_COLUMNS)]

    def to_dict(self) -> dict[str, Any]:
        """Verdict and tests as JSON has them; numbers that are not finite are None.

        Keys: passed, verdict (the first of `lines`), claim ("non-inferior" or "better"), new, old,
        level, groups, and tests, each with the fields of `GateTest`.
        """
        conditions = self.conditions
        return {
            "passed": self.passed,
            "verdict": self.lines()[0],
            "claim": "better" if conditions.better else "non-inferior",
            "new": conditions.new,
            "old": conditions.old,
            "level": conditions.level,
            "groups": conditions.groups,
            "tests": [
                {name: _finite(value) for name, value in asdict(test).items()}
                for test in self.tests
            ],
        }


def _finite(value: Any) -> Any:
    """A value as JSON has it: None instead of NaN and infinity, a list instead of a tuple."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return list(value) if isinstance(value, tuple) else value
