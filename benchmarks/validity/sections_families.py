"""Families of systems over queries: tables of the study."""

from __future__ import annotations

from validity.families import PEERS
from validity.proportions import FAMILIES
from validity.rates import rate
from validity.real_matrices import COLLECTIONS, KEPT_ASIDE, NAMES
from validity.synthetic import DEVIATIONS, ERRORS
from validity.tables import Book, Row, Target, table

_FAMILY = 0.055
_METHODS = ("default", "Bonferroni t", *PEERS)
_MISSES = [f"miss: {name}" for name in _METHODS]
_POWERS = [f"power: {name}" for name in _METHODS]
_BEHIND = [
    "power: default - Bonferroni t",
    "power, least variance: default",
    "power, least variance: Bonferroni t",
    "power, least variance: default - Bonferroni t",
]
_BEHIND_HEADS = ["default - Bonferroni", "quiet: default", "quiet: Bonferroni", "quiet: difference"]

_REAL = """\
## Real systems

Score matrices of TREC-5 and TREC-6 ad hoc and of Web 2010 and 2011 (Urbano, Lima & Hanjalic 2019),
without the worst quarter of systems and without exact copies. In each data set 3, 8 or 20 systems
are drawn at random and n queries with replacement; the collection's own means are the truth. TREC-6
and Web 2011 are *kept aside*: what was decided about this study (which copies to leave out, what to
count) was decided on the other two.

### Misses

Share of data sets in which any of the simultaneous 95 % intervals of all pairs misses the true
difference. Target of the default: .055 or less. Near copies, which differ on few of the queries
drawn, are among the pairs: the default judges them by how much the other pairs vary. The last
column: the share of data sets in which all rank sets hold the true ranks (target .945 or more).
"""
_REAL_POWER = """\
### Power

Share of pairs that truly differ and are found, in the right direction. *Quiet*: the quarter of a
family's pairs whose differences have the least variance in the collection. Target from 25 queries
on, where Bonferroni t itself misses in .055 or less: at most .03 below Bonferroni t.
"""
_ONE_SIDED = """\
### One baseline, one-sided

Seven systems against one, `alternative="greater"`: lower ends above the true difference. No target.
"""
_SYNTHETIC = """\
## Simulated families

Eight systems, all pairs; errors are normal, Student's t with 5 df, exponential (skewness 2) or
lognormal (skewness 6.2). Deviations: equal, unequal (.5 to 2), one system with 100 times the
variance, or three ablations of one system (deviations .01, so that they hardly differ) beside five
others. *Shifted*: the first system is better, by five standard errors of its difference from one of
its kind. Targets as above, from 25 queries on.
"""
_SYNTHETIC_POWER = """\
### Power, first system better

The design is where power is steepest, so that what a method loses shows most.
"""
_MISSING = """\
### 30 % of the queries of each system missing

Equal systems; target as above.
"""
_LABELS = """\
### Permuted labels

`null="complete"` (randomised Tukey) tests that all systems are exchangeable. It holds its level
where they are; with unequal deviations equal systems differ too often. No target.
"""
_MANY_TO_ONE = """\
### One baseline, one-sided

Seven systems against an equal one, `alternative="greater"`. No target.
"""
_BINARY = """\
## Families of scores that are 0 or 1

Eight systems with true shares of successes, correlated .6 before they are cut. The target is that
of other scores. Systems that are alike in all queries of a sample have the
interval [0, 0], which misses if they differ in truth: few queries say little of such pairs, and no
claim is made about them. The misses by other intervals are in a column of their own.
"""


def sections(book: Book) -> list[str]:
    """Text and tables."""
    return [*_real(book), *_synthetic(book), *_binary(book)]


def _real(book: Book) -> list[str]:
    misses, powers, one_sided = [], [], []
    for collection, measure in COLLECTIONS:
        for row in book.of("real matrices", collection=collection, measure=measure):
            s = row["settings"]
            name = NAMES[collection] + (" (kept aside)" if collection in KEPT_ASIDE else "")
            head = [name, measure, str(s["systems"]), str(s["n"])]
            targets = [Target(high=_FAMILY), *[None] * (len(_MISSES) - 1)]
            line = [book.show(row, *each) for each in zip(_MISSES, targets, strict=True)]
            misses.append([*head, *line, book.show(row, "rank sets: default", Target(0.945))])
            powers.append([*head, *_power(book, row)])
        for row in book.of("real, one-sided", collection=collection, measure=measure):
            s = row["settings"]
            one_sided.append(
                [NAMES[collection], measure, str(s["n"]), *[book.show(row, x) for x in _MISSES[:2]]]
            )
    heads = ["collection", "measure", "systems", "queries"]
    return [
        _REAL,
        table([*heads, *_METHODS, "rank sets"], misses),
        _REAL_POWER,
        table([*heads, *_METHODS, *_BEHIND_HEADS], powers),
        _ONE_SIDED,
        table(["collection", "measure", "queries", *_METHODS[:2]], one_sided),
    ]


def _power(book: Book, row: Row) -> list[str]:
    """Power of each method, and what the default has less than Bonferroni t."""
    target = None
    if row["settings"]["n"] >= 25 and rate(row["counts"]["miss: Bonferroni t"])[0] <= _FAMILY:
        target = Target(low=-0.03, reason=_why_weak(row))
    out = [book.show(row, name) for name in _POWERS]
    for name in _BEHIND:
        out.append(book.show(row, name, target if "default - " in name else None))
    return out


def _why_weak(row: Row) -> str:
    s = row["settings"]
    if s.get("errors") in ("exponential", "lognormal"):
        return "heavy tails: resampled maxima of skewed scores are large"
    if s.get("deviations") == "unequal":
        return "moderation draws the small variances of quiet pairs to the middle of all"
    return ""


_SKEWED = (
    "lognormal errors, of skewness 6.2, with unequal deviations: Bonferroni t misses there more"
)


def _synthetic(book: Book) -> list[str]:
    misses, powers = [], []
    for errors in ERRORS:
        for deviations in DEVIATIONS:
            for row in book.of("synthetic", errors=errors, deviations=deviations):
                s = row["settings"]
                head = [errors, deviations, str(s["n"])]
                reason = _SKEWED if errors == "lognormal" else ""
                target = Target(high=_FAMILY, reason=reason) if s["n"] >= 25 else None
                line = [book.show(row, _MISSES[0], target)]
                line += [book.show(row, name) for name in _MISSES[1:]]
                misses.append([*head, s["truth"], *line])
                if s["truth"] == "shifted":
                    powers.append([*head, *_power(book, row)])
    heads = ["errors", "deviations", "queries"]
    return [
        _SYNTHETIC,
        table([*heads, "truth", *_METHODS], misses),
        _SYNTHETIC_POWER,
        table([*heads, *_METHODS, *_BEHIND_HEADS], powers),
        _MISSING,
        _small(book, "missing", heads, _METHODS[:2], least=25),
        _MANY_TO_ONE,
        _small(book, "one-sided", ["errors", "queries"], _METHODS[:2]),
        _LABELS,
        _small(book, "labels", [*heads, "truth"], ("permuted labels",)),
    ]


def _small(
    book: Book, kind: str, heads: list[str], methods: tuple[str, ...], least: int | None = None
) -> str:
    """A table of misses, whose first columns are the settings."""
    lines = []
    for row in book.of(kind):
        target = Target(high=_FAMILY) if least and row["settings"]["n"] >= least else None
        targets = [target, None][: len(methods)]
        line = [
            book.show(row, f"miss: {name}", each)
            for name, each in zip(methods, targets, strict=True)
        ]
        lines.append([*(str(value) for value in row["settings"].values()), *line])
    return table([*heads, *methods], lines)


def _binary(book: Book) -> list[str]:
    lines = []
    names = [_MISSES[0], "miss, points aside: default", _MISSES[1], *_POWERS[:2]]
    for shares in FAMILIES:
        for row in book.of("binary families", shares=shares):
            n = row["settings"]["n"]
            target = Target(high=_FAMILY) if n >= 25 else None
            judged = [target, target, None, None, None]
            line = [book.show(row, *each) for each in zip(names, judged, strict=True)]
            lines.append([shares, str(n), *line])
    return [_BINARY, table(["true shares", "queries", *names], lines)]
