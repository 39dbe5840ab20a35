"""Agreement between subjects: tables of the study."""

from __future__ import annotations

from validity.agreement import ALPHAS, LOW_ALPHAS, SUBJECTS
from validity.tables import Book, Row, Target, table

_HEAD = """\
## Agreement between subjects

Krippendorff's alpha. Nominal votes are for one of four categories, which a subject knows with a
probability of its own, or guesses; ordinal ones are four grades, which some subjects give more
strictly than others. Coverage of 95 % intervals: *items*, of alpha of these subjects on all items,
target .93 to .97; *subjects*, of all subjects on these items; *both*, of all subjects on all items,
targets .93 or more. *Items only*: the interval over items, taken for all subjects: it fails. S:
subjects; with 3 the interval over both is wide.
"""
_GUESSERS = """\
### Nominal votes, one subject in five guesses

The others know equally much. No target for subjects: an interval says little of guessers in panels
that have few or none, and 5 subjects have none in a third of the data sets.
"""


def sections(book: Book) -> list[str]:
    """Text and tables."""
    out = []
    for kind in ("agreement", "ordinal agreement"):
        for missing in (0.0, 0.3):
            if rows := book.of(kind, missing=missing):
                metric = rows[0]["settings"]["metric"]
                work = "30 % of the votes missing" if missing else "all vote on all items"
                out += [f"### {metric.capitalize()} votes, {work}\n", _coverage(book, rows)]
    if rows := book.of("agreement, guessers"):
        out += [_GUESSERS, _guessers(book, rows)]
    return [_HEAD, *out] if out else []


def _coverage(book: Book, rows: list[Row]) -> str:
    """Items and subjects by what is random and the true alpha."""
    targets = {
        "items": Target(0.93, 0.97),
        "subjects": Target(0.93),
        "both": Target(0.93),
        "items only": None,
    }
    lines: dict[tuple[int, int], list[str]] = {}
    for row in rows:
        s = row["settings"]
        line = lines.setdefault((s["items"], s["subjects"]), [""] * len(ALPHAS) * len(targets))
        for place, (name, target) in enumerate(targets.items()):
            at = place * len(ALPHAS) + ALPHAS.index(s["alpha"])
            line[at] = book.show(row, f"cover: {name}", target)
    heads = [f"{name}, {alpha:g}".replace("0.", ".") for name in targets for alpha in ALPHAS]
    ordered = sorted(lines, key=lambda key: (key[0], SUBJECTS.index(key[1])))
    return table(["items", "S", *heads], ([str(n), str(k), *lines[n, k]] for n, k in ordered))


def _guessers(book: Book, rows: list[Row]) -> str:
    """Items and subjects by what is random and the true alpha."""
    targets = {"items": Target(0.93, 0.97), "subjects": None, "both": None, "items only": None}
    lines: dict[tuple[int, int], list[str]] = {}
    for name, target in targets.items():
        for row in rows:
            s = row["settings"]
            line = lines.setdefault((s["items"], s["subjects"]), [])
            line.append(book.show(row, f"cover: {name}", target))
    heads = [f"{name}, {alpha:g}".replace("0.", ".") for name in targets for alpha in LOW_ALPHAS]
    return table(
        ["items", "S", *heads], ([str(n), str(k), *line] for (n, k), line in lines.items())
    )
