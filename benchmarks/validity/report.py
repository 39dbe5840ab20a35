"""docs/validity.md, written from the results."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from validity.rates import rate

Row = dict[str, Any]
#: whether a rate is within its target, given its Monte Carlo standard error
Holds = Callable[[float, float], bool]

_HEAD = """\
# Validity: do intervals and tests hold what they promise?

Every number is a rate over simulated data sets with its Monte Carlo standard error (MCSE) in
parentheses, in units of the last digits: .0512 (22) is .0512 with MCSE .0022. `make validity` makes
this page; finished cells are kept in benchmarks/validity/results.jsonl, so that it can be
interrupted.
{sizes}

Targets are ± 2 MCSE for each cell. **{missed} of {all} cells with a target miss it.**{which}
"""
_TWO = """\
## Two systems

Scores of AP, P@10 and nDCG@10 as Urbano, Lima & Hanjalic (2019) simulate them: margins fitted to
real per-query scores (Beta, Beta-binomial, truncated kernel; 8 systems on 30 reviews of CLEF
eHealth TAR 2017, all ordered pairs whose τ is at most .9), joined by a Gaussian copula with the
pair's τ.

### Type I error

The second system keeps the shape of its margin but has the mean of the first. Level .05. Target: t
and sign flips within .045 to .055 from 25 queries on. Wilcoxon's test, the sign test and the
bootstrap shift test other nulls (see [comparing.md](comparing.md)) and have no target. Wilcoxon's
test here is a variant for many data sets at once (Pratt's zeros, normal approximation); the
library's leaves zeros out and is exact where it can be.
"""
_COVER = """\
### Coverage of 95 % intervals of the difference

Pairs as fitted, whose means differ. Target of the default (t): .935 to .965 from 25 queries on,
.925 or more at 10.
"""
_POWER = "### Power\n\nShare of the same data sets in which the difference is significant.\n"
_ODD = """\
### Without a target

Coverage of t for the mean of a single (skewed) system, and errors and coverage for two systems with
the same margin and a correlation of .995.
"""
_MANY = """\
## Eight systems, all pairs

Shift 0: all are equal (complete null). Shift 1 or 5: seven are equal, and one is better by 1 or 5
standard deviations of the errors (partial null). Errors are normal, Student's t with 5 df,
exponential (skewness 2) or lognormal (skewness 6.2), with equal standard deviations or ones from .5
to 2.

Family-wise error: share of data sets in which any pair of equal systems differs significantly,
level .05. Target of the default (max-T by centred sign flips): .055 from 25 queries on for
symmetric errors; .08 from 50 on for skewed, unequal ones. (At first the only skewed errors were
lognormal, which miss it; exponential ones, less skewed, were added afterwards. Both are shown.)

Power: share of the other seven pairs that differ significantly; its MCSE counts the pairs of a data
set as one, and so is an upper bound. Target from 25 queries on: within .03 of permuted labels
(randomised Tukey), ± 2 MCSE of the difference, where those hold their size (error up to .055 in the
same design with shift 0 and in this one). The column "sets" is the number of data sets in which
labels were permuted.

Permuted labels test the complete null. One distant system widens the permuted ranges, so that equal
systems differ significantly even less often than .05. (Studentised maxima under permuted labels err
the other way: .22 at 10 queries with one system 20 deviations away.)
"""
_CROSSED = """\
## Queries and subjects both random

y = α_query + β_subject + ε, normal; the mean is 0. Coverage of 95 % intervals: over both (the
default, variance components with Satterthwaite's df), over queries only, over subjects only; with
30 % of cells missing at random also the pigeonhole bootstrap × √(S / (S - 1)) with t. Target from
25 queries and 5 subjects on: .935 or more, and .975 or less where both variances are .2 of ε's or
more; with missing cells .93 or more. Missing cells with two subjects are left out: most queries
would have only one.

Intervals over queries only are not wrong: they answer another question, with the subjects fixed.
As intervals for what other subjects would say they fail wherever subjects differ, by as much as the
table shows: that is the reason for this library.
"""


def write_report(rows: list[Row], path: Path) -> None:
    """Write the page."""
    verdicts: list[tuple[str, bool]] = []
    parts = [*_two_systems(rows, verdicts), *_many_systems(rows, verdicts)]
    parts += _crossed(rows, verdicts)
    missed = [name for name, holds in verdicts if not holds]
    which = "".join(f"\n- {name}" for name in missed)
    sizes = {(row["settings"]["sets"], row["settings"]["resamples"]) for row in rows}
    said = "; ".join(f"{s:,} data sets a cell, {r:,} resamples in each" for s, r in sorted(sizes))
    head = _HEAD.format(
        sizes=f"Size: {said}; fewer where data sets are resampled one at a time (permuted labels: "
        "200 to 1,000, the pigeonhole: 2,000).",
        missed=len(missed),
        all=len(verdicts),
        which=f" They are:\n{which}" if missed else "",
    )
    path.write_text("\n".join([head, *parts]), encoding="utf-8")


def shown(p: float, error: float) -> str:
    """As .0512 (22)."""
    return f"{p:.4f}".removeprefix("0") + f" ({round(error * 1e4)})"


def _table(heads: list[str], lines: Iterable[list[str]]) -> str:
    rows = [heads, ["---"] * len(heads), *lines]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows) + "\n"


def _within(low: float, high: float) -> Holds:
    return lambda p, error: low - 2 * error <= p <= high + 2 * error


def _cells(
    row: Row, names: list[str], targets: dict[str, Holds], verdicts: list[tuple[str, bool]]
) -> list[str]:
    """Rates of a row; one that misses its target is set bold."""
    out = []
    for name in names:
        if name not in row["counts"]:
            out.append("")
            continue
        p, error = _rate_of(row, name)
        text = shown(p, error)
        if name in targets:
            holds = targets[name](p, error)
            given = ", ".join(f"{k} {v}" for k, v in row["settings"].items() if k not in _SIZES)
            verdicts.append((f"{row['kind']}: {name} is {text} ({given})", holds))
            text = text if holds else f"**{text}**"
        out.append(text)
    return out


_SIZES = ("sets", "resamples")


def _of(rows: list[Row], kind: str, **wanted: Any) -> list[Row]:
    return [
        row
        for row in rows
        if row["kind"] == kind and all(row["settings"][k] == v for k, v in wanted.items())
    ]


def _two_systems(rows: list[Row], verdicts: list[tuple[str, bool]]) -> list[str]:
    tests = ["t", "sign flips", "bootstrap shift", "Wilcoxon", "sign"]
    ways = ["t", "percentile", "basic", "bca", "studentized"]

    def table(truth: str, prefix: str, columns: list[str], target: Any) -> str:
        lines = []
        for row in _of(rows, "two systems", truth=truth):
            n = row["settings"]["n"]
            names = [f"{prefix}: {column}" for column in columns]
            head = [row["settings"]["measure"], str(n)]
            lines.append(head + _cells(row, names, target(n), verdicts))
        return _table(["measure", "queries", *columns], lines)

    def size(n: int) -> dict[str, Holds]:
        holds = _within(0.045, 0.055)
        return {"reject: t": holds, "reject: sign flips": holds} if n >= 25 else {}

    def coverage(n: int) -> dict[str, Holds]:
        return {"cover: t": _within(0.935, 0.965) if n >= 25 else _within(0.925, 1.0)}

    def none(_: int) -> dict[str, Holds]:
        return {}

    return [
        _TWO,
        table("null", "reject", tests, size),
        _COVER,
        table("fitted", "cover", ways, coverage),
        _POWER,
        table("fitted", "reject", tests, none),
        _ODD,
        table("fitted", "cover", ["t, one system"], none),
        table("near", "reject", tests, none),
        table("near", "cover", ways, none),
    ]


def _many_systems(rows: list[Row], verdicts: list[tuple[str, bool]]) -> list[str]:
    lines = []
    names = ["error: max-T", "error: permuted labels", "power: max-T", "power: permuted labels"]
    for row in _of(rows, "many systems"):
        s = row["settings"]
        targets: dict[str, Holds] = {}
        if s["errors"] in ("normal", "t5") and s["n"] >= 25:
            targets[names[0]] = _within(0.0, 0.055)
        if s["errors"] in ("exponential", "lognormal") and s["unequal"] and s["n"] >= 50:
            targets[names[0]] = _within(0.0, 0.08)
        if names[3] in row["counts"] and s["n"] >= 25 and _hold_their_size(rows, row):
            power, error = _rate_of(row, names[3])
            targets[names[2]] = _no_less(power - 0.03, error)
        head = [s["errors"], ".5 to 2" if s["unequal"] else "equal", str(s["n"]), f"{s['shift']:g}"]
        sets = f"{row['counts'][names[1]][1]:,}"
        lines.append([*head, *_cells(row, names, targets, verdicts), sets])
    heads = ["errors", "deviations", "queries", "shift", "error: max-T", "error: labels"]
    return [_MANY, _table([*heads, "power: max-T", "power: labels", "sets"], lines)]


def _no_less(least: float, its_error: float) -> Holds:
    return lambda p, error: p >= least - 2 * float((error**2 + its_error**2) ** 0.5)


def _hold_their_size(rows: list[Row], row: Row) -> bool:
    """Whether permuted labels err no more than they say, in this design and with all alike."""
    s = row["settings"]
    same = {k: s[k] for k in ("errors", "n", "unequal")}
    designs = [*_of(rows, "many systems", **same, shift=0.0), row]
    rates = [_rate_of(design, "error: permuted labels") for design in designs]
    return all(p <= 0.055 + 2 * error for p, error in rates)


def _rate_of(row: Row, name: str) -> tuple[float, float]:
    """Rate and MCSE; the seven pairs of a data set, which are not independent, count as one."""
    hits, n = row["counts"][name]
    p, error = rate((hits, n))
    return p, error * (7**0.5 if name.startswith("power") else 1.0)


def _crossed(rows: list[Row], verdicts: list[tuple[str, bool]]) -> list[str]:
    out = [_CROSSED]
    for missing, title in ((0.0, "### Complete tables\n"), (0.3, "### 30 % of cells missing\n")):
        ways = ["both", "queries only", "subjects only"] + (["pigeonhole"] if missing else [])
        lines = []
        for row in _of(rows, "crossed", missing=missing):
            s = row["settings"]
            q, subject, rest = s["variances"]
            targets: dict[str, Holds] = {}
            if s["n_queries"] >= 25 and s["n_subjects"] >= 5:
                top = 0.975 if min(q, subject) >= 0.2 * rest and not missing else 1.0
                targets["cover: both"] = _within(0.93 if missing else 0.935, top)
            head = [f"{q:g}, {subject:g}, {rest:g}", str(s["n_queries"]), str(s["n_subjects"])]
            names = [f"cover: {way}" for way in ways]
            lines.append(head + _cells(row, names, targets, verdicts))
        out += [title, _table(["variances", "queries", "subjects", *ways], lines)]
    return out
