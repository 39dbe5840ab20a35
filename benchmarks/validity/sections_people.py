"""The panel's answers, and who gives them: tables of the study."""

from __future__ import annotations

from validity.people import INDEPENDENT, TRUE
from validity.tables import Book, Row, Target, table

_ANSWERS = """\
## The panel's answers

Votes of some people on 200 items. *Coin*: accuracies have mean .75 and standard deviation .1; *ds*:
so they have, and each person has a table of errors; *spam*: 30 % of the people guess; *rare*: 1 %
of the items have the last answer; *missing*: of items with the first answer half of the votes;
*hard*: items differ in difficulty (Rasch, standard deviation 1.5); *copies*: 30 % of the people say
what one of them says, 95 times of 100; *communities*: 40 % of the people see 30 % of the items
otherwise. *Gap*: the mean probability of the most probable answers minus the share of them that are
right, of `reliability` unasked (*chosen*), Dawid and Skene's model with a prior of four votes and
by maximum likelihood, and the majority. *Common*: of hard items, the same gap of the chosen model
if the answer that most people give, asking without end, counts as right: on some items most people
are wrong. Gaps have no target: votes cannot tell them (see the guide).
"""
_CHECKED = """\
### Are errors independent?

How often "the votes contradict independent errors" is said (39 simulations, p of .05 or less),
whichever model was chosen, and after clusters of copies were counted once, if they were; of *all
votes*, if each vote counts. With three votes an item nothing is said. Targets: .07 or less where
people err independently (coin, ds); .8 or more of hard items and copies (all votes) of at most 20
people with five votes an item.
"""
_COPIES = """\
### Near-copies

How often clusters are found, and counted once unasked; the effective number of people; the gap if
clusters count once; and the change of the share right, against each vote counting. Targets: with
copies a gap of .03 or less; where people are independent a change of -.005 or better.
"""
_PEOPLE = """\
### Accuracies and severities

Coverage of 95 % intervals of accuracies, of each person over all items that there could be, and
their mean width; where the model does not hold they have no target. Severities: of four grades by
the rating-scale model (severities with standard deviation .7, items 1.5), and the correlation with
the true ones. Targets: .93 or more.
"""
_FEW = "clusters are found only where two people have enough items in common"
_GIVEN = "intervals take the model as given, not as chosen, and few people err much together"
_MODELS = ("chosen", "dawid-skene", "likelihood", "majority")


def sections(book: Book) -> list[str]:
    """Text and tables."""
    out = []
    if rows := book.of("people"):
        out += [_ANSWERS, _answers(book, rows), _CHECKED, _checked(book, rows)]
        out += [_COPIES, _copies(book, rows), _PEOPLE, _accuracies(book, rows)]
    if scales := book.of("severities"):
        names = ("cover: severity", "width: severity", "correlation")
        lines = []
        for row in scales:
            size = [str(row["settings"][name]) for name in ("n_people", "n_votes")]
            values = zip(names, (Target(0.93), None, None), strict=True)
            lines.append([*size, *(book.show(row, name, target) for name, target in values)])
        out.append(table(["people", "votes", "coverage", "width", "correlation"], lines))
    return out


_DESIGN = ["crowd", "people", "votes", "answers"]


def _design(row: Row) -> list[str]:
    s = row["settings"]
    return [s["crowd"], *(str(s[name]) for name in ("n_people", "n_votes", "n_answers"))]


def _answers(book: Book, rows: list[Row]) -> str:
    names = [f"{model}: {what}" for what in ("gap", "right") for model in _MODELS]
    names.insert(1, "common: gap")
    lines = [[*_design(row), *(book.show(row, name) for name in names)] for row in rows]
    heads = [": ".join(name.split(": ")[::-1]) for name in names]
    return table([*_DESIGN, *heads], lines)


def _checked(book: Book, rows: list[Row]) -> str:
    lines = []
    for row in rows:
        crowd, few = row["settings"]["crowd"], row["settings"]["n_people"] <= 20
        level = Target(high=0.07) if crowd in TRUE else None
        power = Target(0.8, reason=_FEW) if crowd in ("hard", "copies") and few else level
        values = [
            book.show(row, "contradicted", power if crowd == "hard" else level),
            book.show(row, "contradicted: all votes", power if crowd == "copies" else None),
        ]
        if any(values):
            lines.append([*_design(row), *values])
    return table([*_DESIGN, "contradicted", "all votes"], lines)


def _copies(book: Book, rows: list[Row]) -> str:
    names = ("copies: found", "copies: once", "copies: effective", "copies: gap", "copies: change")
    lines = []
    for row in rows:
        crowd = row["settings"]["crowd"]
        gap = Target(-1.0, 0.03, _FEW) if crowd == "copies" else None
        change = Target(-0.005) if crowd in INDEPENDENT else None
        values = zip(names, (None, None, None, gap, change), strict=True)
        lines.append([*_design(row), *(book.show(row, name, target) for name, target in values)])
    return table([*_DESIGN, "found", "once", "effective", "gap if once", "change of right"], lines)


def _accuracies(book: Book, rows: list[Row]) -> str:
    lines = []
    for row in rows:
        target = Target(0.93, reason=_GIVEN) if row["settings"]["crowd"] in TRUE else None
        values = [book.show(row, "cover: accuracy", target), book.show(row, "width: accuracy")]
        lines.append([*_design(row), *values])
    return table([*_DESIGN, "coverage", "width"], lines)
