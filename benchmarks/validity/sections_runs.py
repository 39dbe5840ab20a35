"""Systems with several runs: tables of the study."""

from __future__ import annotations

from collections.abc import Iterable

from validity.rates import rate
from validity.tables import Book, Row, Target, shown, table

_TWO = """\
## Systems with several runs

A run's score on a query is .7 query × system + run + .3 run × query, so that without runs two
systems' difference has the standard deviation 1; a system of a single run is deterministic. *miss*:
share of data sets of equal systems with a significant difference; *power*: of one that is better by
3.5 known standard errors; *width*: half-widths over those of an interval with a known variance.
*Separate*: a system's own runs tell how much it varies, the default of two systems; *pooled*:
`replicate_variance="pooled"`, which has a target where systems do vary alike; *queries only*:
`over="query"`, right about these runs, as a statement on other runs. Target: .05.
{summary}

### Two systems
"""
_FAMILIES = """\
### Families

All pairs by Bonferroni, 50 queries; runs are given to systems in turn, the unstable system is the
first. *Moderated* is the default of three systems or more with three runs or more; *power*: of up
to three pairs of a system that is better by four known standard errors of two systems that are not
unstable.
{summary}
"""
_SUBJECTS = """\
### Queries, subjects and runs

Two equal systems, with .5 query × subject × system and .3 run × query × subject besides; deviations
of subjects, runs, and runs × subjects. *Runs ignored*: `over=("query", "subject")`; *subjects
ignored*: `over=("query", "replicate")`.
{summary}
"""
_KINDS = ("runs of two systems", "runs in families", "runs and subjects")


def sections(book: Book) -> list[str]:
    """Text and tables."""
    two, families, subjects = (book.of(kind) for kind in _KINDS)
    if not two:
        return []
    out = [_TWO.format(summary=_summary(two, "separate")), _two(book, two)]
    if families:
        text = _summary(families, "separate") + "\n" + _summary(families, "moderated")
        out += [_FAMILIES.format(summary=text), _families(book, families)]
    if subjects:
        text = _summary(subjects, "separate")
        out += [_SUBJECTS.format(summary=text), _subjects(book, subjects)]
    return out


def _summary(rows: Iterable[Row], method: str) -> str:
    """In how many cells a method errs more than it may."""
    rates = [rate(row["counts"][f"miss: {method}"]) for row in rows]
    above = sum(not Target(high=0.05).holds(*each) for each in rates)
    most = shown(*max(rates))
    return (
        f"{method.capitalize()}: {above} of {len(rates)} cells are above .05 + 2 MCSE; the largest "
        f"is {most}."
    )


def _two(book: Book, rows: list[Row]) -> str:
    lines = []
    for row in rows:
        s = row["settings"]
        alike = s["deviations"][0] == s["deviations"][1]
        sizes = [_listed(s["runs"]), str(s["queries"]), _listed(s["deviations"]), s["effects"]]
        misses = [
            book.show(row, "miss: separate", Target(high=0.05)),
            book.show(row, "miss: pooled", Target(high=0.05) if alike else None),
            book.show(row, "miss: queries only"),
        ]
        others = [
            book.show(row, f"{what}: {method}")
            for what in ("power", "width")
            for method in ("separate", "pooled")
        ]
        lines.append([*sizes, *misses, *others])
    methods = ["separate", "pooled"]
    heads = ["runs", "queries", "deviations of runs", "effects"]
    of_methods = [f"{what}, {name}" for what in ("power", "width") for name in methods]
    misses = [f"miss, {name}" for name in (*methods, "queries only")]
    return table([*heads, *misses, *of_methods], lines)


def _families(book: Book, rows: list[Row]) -> str:
    methods = ("separate", "moderated", "pooled", "queries only")
    lines = []
    for row in rows:
        s = row["settings"]
        target = Target(high=0.05)
        targets = [target, target, None, None]
        if s["deviations"] in (".3", "0", "1"):
            targets[2] = Target(high=0.05)
        misses = [
            book.show(row, f"miss: {name}", each)
            for name, each in zip(methods, targets, strict=True)
        ]
        powers = [book.show(row, f"power: {name}") for name in methods[:3]]
        lines.append([str(s["systems"]), _listed(s["runs"]), s["deviations"], *misses, *powers])
    heads = ["systems", "runs", "deviations of runs", *[f"miss, {name}" for name in methods]]
    return table([*heads, *[f"power, {name}" for name in methods[:3]]], lines)


def _subjects(book: Book, rows: list[Row]) -> str:
    methods = ("separate", "pooled", "runs ignored", "subjects ignored")
    lines = []
    for row in rows:
        s = row["settings"]
        sizes = [str(s[name]) for name in ("runs", "queries", "subjects")]
        misses = [
            book.show(row, f"miss: {name}", each)
            for name, each in zip(methods, [*[Target(high=0.05)] * 2, None, None], strict=True)
        ]
        lines.append([*sizes, _listed(s["deviations"]), *misses])
    heads = ["runs", "queries", "subjects", "deviations"]
    return table([*heads, *[f"miss, {name}" for name in methods]], lines)


def _listed(values: Iterable[float]) -> str:
    return ", ".join(f"{value:g}".replace("0.", ".") for value in values)
