"""`gate`: whether a new system may replace an old one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats
from fuzzytruth.comparison import gate_checks
from fuzzytruth.comparison.compare import measure_places
from fuzzytruth.comparison.inference import POWER
from fuzzytruth.comparison.margin_tests import OrientedDifference, oriented_difference, unit_of
from fuzzytruth.comparison.repeated import Repeats
from fuzzytruth.comparison.verdicts import named_p, number, p_text, two_digits
from fuzzytruth.core.arithmetic import without_rounding
from fuzzytruth.core.validation import option_flag
from fuzzytruth.errors import DegenerateWarning, OptionError, counted, first_few, printable, warn
from fuzzytruth.evaluation.scores.score_arrays import check_over
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.evaluation.scores.summary import Grouping
from fuzzytruth.show.answer import Column, Parts, Result, Sentences, Table
from fuzzytruth.stats.multiplicity import check_level, not_inferior, significant
from fuzzytruth.stats.observations import Kind
from fuzzytruth.stats.settings import Over, in_words, listed

_POWER = f"{100 * POWER:.0f} % power"
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

    @property
    def verdict(self) -> str:
        """In a word."""
        return "passed" if self.passed else "not passed"

    def signed(self, value: float) -> str:
        """A difference with its sign, rounded as the interval tells."""
        text = number(value, abs(self.difference - self.bound))
        return f"+{text}" if value > 0 else text


@dataclass(frozen=True, slots=True, kw_only=True)
class GateConditions:
    """What a gate asks.

    Parameters
    ----------
    new : str
    old : str or float
        A system, or a published mean.
    better : bool
        Whether the new system has to be better, and not only not worse by the margin.
    level : float
        Over all attempts or looks.
    groups : {"clusters", "strata"} or None
        Of the queries.
    repeats : Repeats
        Attempts or looks.
    runs : str
        Runs of the systems, in words.
    """

    new: str
    old: str | float
    better: bool
    level: float
    groups: Kind | None = None
    repeats: Repeats = field(default_factory=Repeats)
    runs: str = ""

    @property
    def level_used(self) -> float:
        """Of the confidence bounds."""
        return self.repeats.level(self.level)

    @property
    def level_text(self) -> str:
        """The same in per cent."""
        return self.repeats.level_text(self.level)

    @property
    def against(self) -> str:
        """The old system as texts name it."""
        return self.old if isinstance(self.old, str) else f"{self.old:g}"

    @property
    def unit(self) -> str:
        """What the tests count."""
        return "clusters" if self.groups == "clusters" else "queries"


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

    @property
    def verdict(self) -> str:
        """In a word: passed, not passed, or not passed yet, where looks remain.

        A system that is shown to be worse is not passed, whatever remains.
        """
        if self.passed:
            return "passed"
        worse = any(test.outcome == "worse" for test in self.deciding)
        remain = self.conditions.repeats.next_look is not None
        return "not passed yet" if remain and not worse else "not passed"

    def __repr__(self) -> str:
        measures = ", ".join(test.measure for test in self.deciding)
        old, new = self.conditions.against, self.conditions.new
        return printable(f"Gate({new} against {old} on {measures}: {self.verdict})")

    def _title(self) -> str:
        return self.lines()[0]

    def _parts(self) -> Parts:
        """A table of the tests if there are several."""
        tests = self.tests
        if len(tests) == 1:
            return
        columns = [
            Column.label("measure", [test.measure for test in tests]),
            Column.label("over", [self._units(test) for test in tests]),
            Column.label("gate", [test.verdict for test in tests]),
            Column("difference", tuple(test.signed(test.difference) for test in tests)),
            Column(
                f"{self.conditions.level_text} bound", tuple(self._bound(test) for test in tests)
            ),
            Column("p", tuple(p_text(test.p) for test in tests)),
        ]
        if not self.conditions.better:
            margins = tuple(f"{test.margin:g}" for test in tests)
            columns.insert(3, Column("margin", margins, "extra"))
        yield Table(tuple(columns))
        lower = [test.measure for test in self.deciding if not test.higher_is_better]
        several = not all(test.decides for test in tests)
        yield Sentences.of(
            "Differences are new minus old; bounds are one-sided, on the side of worse.",
            f"Lower is better: {', '.join(lower)}." if lower else "",
            f"The tests over {in_words(self.deciding[0].over)} decide." if several else "",
        )

    def lines(self) -> list[str]:
        """The verdict in one line, then one for each measure if there are several.

        A test over queries alone, which does not decide, has an indented line of its own.
        """
        out, several = [], len(self.deciding) > 1
        asked = self.conditions
        head = asked.repeats.said(self.verdict, asked.level, asked.unit)
        if several:
            out.append(f"{head}: {self._claim_on_all()}")
        for test in self.deciding:
            text = self._claim(test)
            out.append(f"  {test.verdict}: {text}" if several else f"{head}: {text}")
            out += [
                f"{'    ' if several else '  '}over {self._units(other)} alone, not deciding: "
                f"{other.verdict} ({self._numbers(other)})"
                for other in self.tests
                if other.measure == test.measure and not other.decides
            ]
        return [printable(line) for line in out]

    def _claim_on_all(self) -> str:
        """What is shown over all measures."""
        gate, deciding, old = self.conditions, self.deciding, self.conditions.against
        by = "" if gate.better else " by the margin"
        failed = [test.measure for test in deciding if not test.passed]
        if not failed:
            claim = "better than" if gate.better else "not worse by the margin than"
            measures = ", ".join(test.measure for test in deciding)
            return f"{gate.new} is {claim} {old} on all of {measures}"
        worse = [test.measure for test in deciding if test.outcome == "worse"]
        unclear = [name for name in failed if name not in worse]
        claim = (
            "is not shown to be better than" if gate.better else "may be worse by the margin than"
        )
        parts = [
            f"{words} {old} on {len(names)} of {len(deciding)} measures ({first_few(names)})"
            for words, names in ((f"is worse{by} than", worse), (claim, unclear))
            if names
        ]
        return f"{gate.new} {' and '.join(parts)}"

    def _claim(self, test: GateTest) -> str:
        """What is shown on one measure, and its numbers."""
        gate, units, old = self.conditions, self._units(test), self.conditions.against
        by = "" if gate.better else f" by {test.margin:g} or more"
        claim = f"may be worse than {old}{by}"
        if test.outcome == "worse":
            claim = f"is worse than {old}{by}"
        elif test.passed:
            claim = f"is {'better' if gate.better else 'not worse'} than {old}{by}"
        elif gate.better:
            claim = f"is not shown to be better than {old}"
        where = f"{gate.new} {claim} on {test.measure} over {units}"
        if test.outcome == "identical":
            where = f"{gate.new} and {old} have the same {test.measure} on all {units}"
        return f"{where} ({'; '.join([self._numbers(test), *self._more_of(test)])})"

    def _units(self, test: GateTest) -> str:
        """What a test is over, with numbers."""
        queries = counted(test.n_queries, "query")
        if self.conditions.groups == "clusters":
            queries += f" in {counted(test.n_units, 'cluster')}"
        elif self.conditions.groups == "strata":
            queries += " in strata"
        words = {
            "query": queries,
            "subject": counted(test.n_subjects, "subject"),
            "world": "resampled subjects",
            "replicate": self.conditions.runs,
        }
        return listed([words[axis] for axis in test.over])

    def _numbers(self, test: GateTest) -> str:
        """Difference, bound and p."""
        parts = [f"difference {test.signed(test.difference)}"]
        if test.outcome not in ("identical", "unknown"):
            side = "lower" if test.higher_is_better else "upper"
            parts.append(f"{self.conditions.level_text} {side} bound {self._bound(test)}")
            parts.append(named_p("p", test.p))
        return ", ".join(parts)

    def _bound(self, test: GateTest) -> str:
        """The bound, with enough digits to see on which side of the margin it lies."""
        limit = self._limit(test)
        side, text = np.sign(test.bound - limit), test.signed(test.bound)
        for digits in range(3, 16):
            if np.sign(float(text) - limit) == side:
                break
            text = f"{test.bound:+.{digits}g}"
        return text

    def _limit(self, test: GateTest) -> float:
        """What the bound has to keep."""
        if self.conditions.better:
            return 0.0
        return -test.margin if test.higher_is_better else test.margin

    def _more_of(self, test: GateTest) -> list[str]:
        """What a reader needs besides: the direction, and what these data could have shown."""
        out = [] if test.higher_is_better else ["lower is better"]
        if not isinstance(self.conditions.old, str):
            out.append(f"the error of {self.conditions.against} itself is left out")
        if self.verdict.endswith("yet") and test.outcome == "not shown":
            side = "above" if test.higher_is_better else "below"
            out.append(f"a bound {side} {self._limit(test):g} is enough")
        elif test.outcome == "unknown":
            one = "cluster" if self.conditions.groups == "clusters" else "query"
            alone = "query" in test.over and test.n_units < 2
            if not alone and "subject" in test.over and test.n_subjects < 2:
                alone, one = True, "subject"
            why = f"a single {one} decides nothing" if alone else "how much it varies is unknown"
            out.append(why)
        elif test.outcome == "not shown" and test.std_error == 0:
            few = ", on too few to tell" if math.isinf(test.bound) else ""
            out.append(f"the same difference everywhere{few}")
        elif test.outcome == "not shown" and math.isfinite(test.detectable):
            size = two_digits(test.detectable)
            if self.conditions.better:
                out.append(f"a gain of {size} would have been found with {_POWER}")
            elif test.detectable > test.margin:
                out.append(f"too few data: equal systems need a margin of {size} for {_POWER}")
            else:
                out.append(f"equal systems would have passed with {_POWER} or more")
        return out

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
        level, groups, attempts, attempt, looks, level_used, next_look (None unless not passed yet),
        and tests, each with the fields of `GateTest`.
        """
        conditions, asked = self.conditions, self.conditions.repeats
        return {
            "passed": self.passed,
            "verdict": self.lines()[0],
            "claim": "better" if conditions.better else "non-inferior",
            "new": conditions.new,
            "old": conditions.old,
            "level": conditions.level,
            "groups": conditions.groups,
            "attempts": asked.attempts,
            "attempt": asked.attempt,
            "looks": list(asked.looks) or None,
            "level_used": conditions.level_used,
            "next_look": asked.next_look if self.verdict.endswith("yet") else None,
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


def gate(
    scores: Scores,
    new: str,
    old: str | float,
    measures: Iterable[str] | str | None = None,
    *,
    margin: float | Mapping[str, float] | None = None,
    better: bool = False,
    over: Iterable[str] | str | None = None,
    level: float = 0.95,
    clusters: Grouping = None,
    strata: Grouping = None,
    attempts: int | None = None,
    attempt: int | None = None,
    looks: Sequence[int] | None = None,
) -> Gate:
    """Decide whether a new system is not worse than an old one by a margin, or is better.

    Each measure is tested once: `non_inferiority` of `new` with this margin or, with ``better``,
    the one-sided test of `compare`. All have to pass. This is an intersection-union test: a false
    pass has at most the probability 1 - `level`, whatever the number of measures, and no correction
    is needed.

    Where several subjects judged, the test over queries and subjects decides, or that over queries
    and resampled subjects of population worlds; the test over queries alone is shown beside it. One
    subject, or subjects of whom each judged one query, come with their queries, and the test over
    queries decides. Where systems have several runs, these are random, too.

    A gate that is asked again passes too easily. Of several candidates on the same queries, say how
    many there will be (`attempts`) or which one this is (`attempt`); of queries that arrive in
    random order, at which numbers of them one looks (`looks`). The probability of any false pass is
    then 1 - `level` at most, unless candidates are tuned to the numbers that the gate prints.

    Parameters
    ----------
    scores : Scores
    new : str
        Name of a system.
    old : str or float
        Name of a system; or a published mean by the only measure, whose own error is left out.
    measures : str or sequence of str, optional
        In any spelling; all by default.
    margin : float or mapping of measure to float
        The loss that is too much, above 0, in units of the measure; choose it before looking at the
        data. One for all, or one for each measure. Left out with ``better``.
    better : bool
        Whether `new` has to be better, and not only not worse by the margin.
    over : {"query", "subject", "world", "replicate"} or several, optional
        What is random, the only test made; see `Scores.summary`.
    level : float
        Of the one-sided confidence bound, above ½. A test passes with a p of 1 - `level` or less.
    clusters, strata
        Of queries; see `compare`. Strata need ``over="query"`` where several subjects judged.
    attempts : int, optional
        Number of candidates that will be tried on these queries. Each is tested at the level
        1 - (1 - `level`) / `attempts`.
    attempt : int, optional
        Which candidate on these queries this is, if their number is not planned. The k-th is tested
        at the level 1 - (1 - `level`) / (k (k + 1)).
    looks : list of int, optional
        Numbers of queries (or clusters) at which one looked or will look, the last being the plan.
        The error is spent over them as by O'Brien and Fleming. They need ``over="query"`` where
        several subjects judged.

    Returns
    -------
    Gate
        Without a spread to test with: systems with the same values everywhere pass with a
        difference of 0, taken as known as in `compare`, but are not ``better``; a single query (or
        cluster), and units that nothing connects, never pass.

    Raises
    ------
    OptionError
        A name or option is unknown; there is no margin, or one as large as the mean of `old`, so
        that a system that finds nothing would pass; the scores are expected values over independent
        worlds, which are no sample of people, and `over` is left out; or no look is planned at this
        number of queries.
    DataError
        `new` lacks a value that `old` has, or they have none in common.

    Warns
    -----
    MissingCellWarning
        `old` lacks values that `new` has, and these are left out.
    DegenerateWarning
        The systems have the same values everywhere.
    LevelWarning
        The gate is passed on few queries with a long tail of losses, where it is passed too often;
        see `non_inferiority`. Or there are more than 20 attempts.

    References
    ----------
    Wellek 2010, Testing Statistical Hypotheses of Equivalence and Noninferiority; Berger 1982
    (intersection-union tests), Technometrics 24; Lan & DeMets 1983 (looks), Biometrika 70.

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> scores = ft.Scores.from_frame(pd.DataFrame({
    ...     "system": ["new"] * 4 + ["old"] * 4, "query": [1, 2, 3, 4] * 2,
    ...     "value": [0.5, 0.7, 0.9, 0.7, 0.5, 0.8, 0.8, 0.6]}))
    >>> result = ft.gate(scores, "new", "old", margin=0.2)
    >>> result.passed
    True
    >>> ft.gate(scores, "new", "old", better=True).passed
    False
    """
    places = measure_places(scores, measures)
    old = gate_checks.checked_old(scores, new, old, places)
    margins = gate_checks.margins_of(scores, places, margin, better=better)
    gate_checks.refuse_wide_margins(scores, places, margins, old)
    level, repeats = check_level(level), Repeats.of(attempts, attempt, looks)
    axes = _axes(scores, over)
    repeats.refuse_subjects(axes[-1])
    gate_checks.refuse_missing(scores, places, new, old)
    kind: Kind | None = (
        "clusters" if clusters is not None else "strata" if strata is not None else None
    )
    systems, mean = ((new, old), 0.0) if isinstance(old, str) else ((new,), old)
    known = scores.replicates
    asked: Any = {"level": level, "groups": kind, "repeats": repeats}
    asked["runs"] = "" if known is None else known.words_of(systems)
    conditions = GateConditions(new=new, old=old, better=better, **asked)
    tests = []
    for place, margin_of in zip(places, margins, strict=True):
        for random in axes:
            warned = place != places[0] or (random != axes[0] and "replicate" not in random)
            options: Any = {"quiet": warned, "mean": mean}
            oriented = oriented_difference(
                scores, place, systems, random, clusters, strata, **options
            )
            at = conditions.repeats.at(int(oriented.fitted.n_units[0]), conditions.unit)
            conditions = replace(conditions, repeats=at)
            named = {"measure": scores.measures[place], "decides": random == axes[-1]}
            test = _tested(oriented, random, margin_of, conditions, **named)
            if test.decides and test.outcome == "shown" and oriented.skew.harms():
                oriented.skew.warn(f"gate, {test.measure}", unit_of(random, clusters))
            tests.append(test)
    result = Gate(conditions, tuple(tests))
    same = [test.measure for test in result.deciding if test.outcome == "identical"]
    if same:
        warn(
            f"{new} and {old} have the same values of {first_few(same)} everywhere: "
            "nothing was tested; are they the same run?",
            DegenerateWarning,
        )
    return result


def _axes(scores: Scores, over: Iterable[str] | str | None) -> list[Over]:
    """What is random in each test; the last one decides.

    Raises
    ------
    OptionError
        Nothing is named, and the scores are expected values over independent worlds.
    """
    if over is not None:
        return [check_over(over, scores)]
    of_queries = check_over("query", scores)
    with_people, spread = scores._over_people, scores._spread
    if with_people is None and scores.subjects is None and spread is not None:
        several = scores.replicates is not None
        no = "are left out of means over runs" if several else "are no sample of people"
        others = "" if several else ", or with worlds='population', which resamples the subjects"
        raise OptionError(
            f"over: {spread.worlds} worlds {no}, and a gate takes the people who judged for a "
            "sample; evaluate with worlds='subject', which keeps each subject's truth apart"
            f"{others}; over='query' tests over queries alone"
        )
    if scores.replicates is not None:
        with_people = (*(with_people or of_queries), "replicate")
    return [of_queries, *([] if with_people is None else [check_over(with_people, scores)])]


def _tested(
    oriented: OrientedDifference,
    over: Over,
    margin: float,
    conditions: GateConditions,
    **named: Any,
) -> GateTest:
    """The test of a measure; `named` are its name and whether it decides."""
    fitted, sign, level = oriented.fitted, oriented.sign, conditions.level_used
    # at a look, systems that were the same so far may differ on the queries to come
    same_passes = not conditions.better and conditions.repeats.next_look is None
    if conditions.better:
        lower, p = fitted.interval(level, "greater")[0], fitted.p_value("greater")
    else:
        against = not_inferior(fitted, margin, level)
        lower, p = against.lower, against.p
    outcome = _outcome(oriented, over, margin, p, level)
    detectable = fitted.law.detectable(fitted.value - lower, POWER)
    bound, p_value = float(lower[0]), float(p[0])
    if outcome == "unknown":
        bound, p_value = -np.inf, 1.0
    elif outcome == "identical":
        bound, p_value = 0.0, (1.0 if conditions.better else np.nan)
    return GateTest(
        over=over,
        passed=outcome == "shown" or (outcome == "identical" and same_passes),
        outcome=outcome,
        margin=np.nan if conditions.better else margin,
        difference=sign * float(fitted.value[0]) + 0.0,  # not -0.0
        std_error=float(fitted.std_error[0]),
        bound=sign * bound + 0.0,
        p=p_value,
        detectable=float(detectable[0]),
        n_queries=int(fitted.n_queries[0]),
        n_subjects=int(fitted.n_subjects[0]),
        n_units=int(fitted.n_units[0]),
        higher_is_better=sign > 0,
        **named,
    )


def _outcome(
    oriented: OrientedDifference, over: Over, margin: float, p: Floats, level: float
) -> Outcome:
    """What a test says; anything but a known spread, and a p small enough, passes nothing."""
    fitted = oriented.fitted
    error, value = float(fitted.std_error[0]), float(fitted.value[0])
    alone = ("query" in over and fitted.n_units[0] < 2) or (
        "subject" in over and fitted.n_subjects[0] == 1
    )
    if np.isnan(error) or alone:
        return "unknown"
    if error == value == 0 and oriented.identical:
        return "identical"
    if significant(p, level)[0]:
        return "shown"
    beyond = without_rounding(margin + fitted.value, margin)[0] < 0
    return "worse" if beyond and significant(1 - p, level)[0] else "not shown"
