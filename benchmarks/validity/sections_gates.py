"""Gates that are asked again, and margins under skew: tables of the study."""

from __future__ import annotations

from validity.real_matrices import NAMES
from validity.tables import Book, Row, Target, table

_SKEW = """\
## Margins under skew

Differences by query, their true mean being just at the margin (six standard errors), so that every
claim is false; equivalence is then claimed by the same test. *Losses*: the long tail is of losses.
Tests warn of a claim where 10 or more differences have a skewness above .15 √n towards losses
(equivalence: towards the nearer margin). *Skewed*: sets of which they would warn. *No warning*:
false claims without it, of all data sets. Target: .065 of these. It fails, and no rule on the
sample could help, for few differences of which most are 0: losses that no query shows are not seen.
"""
_ATTEMPTS = """\
## A gate that is asked again

### Several candidates on the same queries

All lose just the margin, on 50 queries with normal differences; the share of sets in which any of
them passes. *Alike*: with a correlation of .5, or .9. *Tuned*: each is a change of the best one so
far on the queries of the gate, which no level makes up for. Target: .05, but for these.
"""
_LOOKS = """\
### Looks while queries arrive

One system that loses just the margin, tested after each tenth or fiftieth of the planned queries;
power where a single t test on all of them has about .80; and the share of the planned queries at
which one then stops. Target of `looks`: .065, as of the t that it rests on.
"""
_REAL = """\
The same for queries drawn from those of TREC collections, of random pairs of systems, with ten
looks.
"""
_EACH, _AT_LOOKS, _ONE = "each look at .05", "looks", "one look, t"
_FEW = "too few queries show losses"
_T = "Student's t of these differences errs as much"


def sections(book: Book) -> list[str]:
    """Text and tables."""
    out = []
    if book.of("margins under skew"):
        out += [_SKEW, _skew(book)]
    if book.of("attempts"):
        out += [_ATTEMPTS, _attempts(book)]
    if book.of("looks"):
        out += [_LOOKS, _looks(book)]
    if book.of("looks, real"):
        out += [_REAL, _real(book)]
    return out


def _skew(book: Book) -> str:
    lines = []
    for row in book.of("margins under skew"):
        s = row["settings"]
        target = Target(high=0.065, reason=_FEW if "RR" in s["effects"] else "")
        claims = [
            book.show(row, "claim: non-inferiority"),
            book.show(row, "claim: no warning", target),
            book.show(row, "skewed"),
        ]
        lines.append([s["effects"], str(s["n"]), *claims])
    return table(["differences", "queries", "non-inferiority", "no warning", "skewed"], lines)


def _attempts(book: Book) -> str:
    lines = []
    for row in book.of("attempts"):
        s = row["settings"]
        target = None if s["candidates"] == "tuned" else Target(high=0.05)
        line = [book.show(row, f"claim: {name}", target) for name in ("attempts", "attempt")]
        each = book.show(row, "claim: each at .05")
        lines.append([str(s["attempts"]), s["candidates"], each, *line])
    heads = ["attempts", "candidates", "each at .05", "`attempts=`", "`attempt=`"]
    return table(heads, lines)


def _errors(book: Book, row: Row) -> list[str]:
    target = Target(high=0.065, reason=_T)
    return [
        book.show(row, f"claim: {_EACH}"),
        book.show(row, f"claim: {_AT_LOOKS}", target),
        book.show(row, f"claim: {_ONE}"),
    ]


def _looks(book: Book) -> str:
    lines = []
    for row in book.of("looks"):
        s = row["settings"]
        power = [book.show(row, f"power: {name}") for name in (_AT_LOOKS, _ONE)]
        stop = book.show(row, "power: share of queries")
        head = [s["differences"], str(s["planned"]), str(s["looks"]), f"{s['margin']:g}"]
        lines.append([*head, *_errors(book, row), *power, stop])
    heads = ["differences", "queries", "looks", "margin", "each at .05", "`looks=`", "one look"]
    return table([*heads, "power", "power of one look", "queries used"], lines)


def _real(book: Book) -> str:
    lines = []
    for row in book.of("looks, real"):
        s = row["settings"]
        head = [NAMES[s["collection"]], s["measure"], str(s["planned"])]
        lines.append([*head, *_errors(book, row)])
    heads = ["collection", "measure", "queries", "each at .05", "`looks=`", "one look"]
    return table(heads, lines)
