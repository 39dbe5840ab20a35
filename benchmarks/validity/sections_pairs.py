"""Pairs of subjects: tables of the study."""

from __future__ import annotations

from validity.pairs_of_subjects import KAPPAS, PANELS, UNITS
from validity.rates import rate
from validity.tables import Book, Row, Target, table

_KAPPA = """\
## Agreement of two subjects

Coverage of 95 % intervals for Cohen's kappa, beside that of symmetric ones. Target of the default:
.93 or more from 200 items on for even shares and four grades, and over 25 queries. With a rare
grade (one in ten) there are too few of it to tell, and no target. A data set in which a subject
gave a single grade has no interval and is left out.
"""
_PANELS = """\
## Effective number of subjects

Panels whose number of independent subjects is known: the mean estimate, how often the 95 % interval
holds the number within half a per cent (of few copies it may be narrower than a bias of one per
cent), and the share of subjects that are called near-duplicates. Target from 200 items on: within
5 % of the number; no near-duplicates among independent subjects, and nine of ten copies. 50 items
are too few to be sure of a copy.
"""


def sections(book: Book) -> list[str]:
    """Text and tables."""
    out: list[str] = []
    if rows := book.of("kappa"):
        out += [_KAPPA, _kappas(book, rows)]
    if rows := book.of("panels"):
        out += [_PANELS, _panels(book, rows)]
    return out


def kappa_target(row: Row) -> Target | None:
    """Of one interval."""
    s = row["settings"]
    if s["over"] == "items" and (s["shares"] == "one in ten" or s["units"] < 200):
        return None
    return Target(0.93)


def _kappas(book: Book, rows: list[Row]) -> str:
    lines: dict[tuple[str, str, int], list[str]] = {}
    for row in rows:
        s = row["settings"]
        line = lines.setdefault((s["over"], s["shares"], s["units"]), [""] * 2 * len(KAPPAS))
        at = 2 * KAPPAS.index(s["kappa"])
        line[at] = book.show(row, "cover: default", kappa_target(row))
        line[at + 1] = book.show(row, "cover: symmetric")
    heads = ["over", "shares", "items"]
    for kappa in KAPPAS:
        heads += [f"kappa {kappa:g}", "symmetric"]
    return table(heads, ([o, s, str(n), *line] for (o, s, n), line in lines.items()))


def _panels(book: Book, rows: list[Row]) -> str:
    lines = []
    for row in rows:
        s = row["settings"]
        worth, enough = PANELS[s["panel"]], s["units"] >= UNITS[1]
        mean, error = rate(row["counts"]["n"])
        near = Target(0.95 * worth, 1.05 * worth) if worth is not None and enough else None
        book.show(row, "n", near)
        copies = "copies" in s["panel"]
        wanted = None
        if worth is not None and enough:
            wanted = Target(0.9) if copies else Target(high=0.005)
        lines.append(
            [
                s["panel"],
                str(s["units"]),
                "" if worth is None else f"{worth:g}",
                f"{mean:.2f} ({round(error * 1e2)})",
                book.show(row, "cover"),
                book.show(row, "duplicates", wanted),
            ]
        )
    return table(["panel", "items", "is worth", "estimate", "coverage", "near-duplicates"], lines)
