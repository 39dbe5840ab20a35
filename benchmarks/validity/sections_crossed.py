"""Queries and subjects, clusters and margins: tables of the study."""

from __future__ import annotations

from validity.clusters_and_subjects import METHODS
from validity.crossed import COMPLETE, MISSING, ONE_JUDGE, QUERIES, SUBJECTS, UNEQUAL
from validity.rates import Counts
from validity.tables import Book, Row, Target, table

_FAMILY = 0.055

_CROSSED = """\
## Queries and subjects both random

y = α_query + β_subject + ε, with the variances given in this order; the mean is 0. Coverage of one
95 % interval over queries and subjects, the default being the generalised pivotal one. Target for
normal effects from 25 queries and 3 subjects on: .935 or more, and .98 or less where both variances
are .2 or more beside 1 of ε, in complete tables and with 30 % of the cells missing. S: subjects.
"""
_PEERS = """\
### What else there is, 5 subjects

*Queries only* is Student's t over queries, *percentile bootstrap* resamples queries (a peer's
default): both take these subjects for all that there are, and fail wherever subjects differ.
*Satterthwaite* has the same variance as the default and one t. *Pigeonhole* resamples both, in a
tenth of the data sets.
"""
_CROSSED_FAMILIES = """\
## Families over queries and subjects

Eight equal systems, all 28 pairs by Bonferroni: share of data sets in which any pair differs
significantly. Target of the default: .055 or less. *Unpaired Tukey*: of the systems' means by
query, a peer's default.
"""
_CLUSTERS = """\
## Clusters of queries

Queries of a cluster (captions of one image, variants of a topic) have half of their variance in
common; sizes are five each, or from 1 to 9. Coverage of one interval, target .93 or more for normal
effects; and misses of all pairs of eight equal systems, target .06 or less for them.
"""
_CLUSTERS_AND_SUBJECTS = """\
## Clusters of queries, and subjects

Subjects judged queries of all clusters, and both are random: share of data sets in which the 95 %
interval misses. Standard deviations: of clusters and of queries in them .7 each, of the rest 1, of
subjects and of subjects in clusters as given. *Clusters ignored*: over queries and subjects;
*subjects ignored*: over clusters. Target for normal effects: .06 or less from 10 clusters on.
"""
_MARGINS = """\
## Equivalence and non-inferiority

The true difference is just at the margin, so that every claim is false. The margin is 2 or 6
standard errors (with 2 there is hardly any power). Target: .05 or less for normal effects; over
queries and subjects from 25 and 3 on.
"""
_WORLDS = """\
## Queries and population worlds

Coverage of 95 % intervals for AP over queries and resampled subjects. *Panel*: of the mean score
that so many subjects give, which is what is estimated; target .935 or more from 25 queries on.
*Membership*: of what infinitely many subjects would give, from which AP of few subjects is biased.
"""


def sections(book: Book) -> list[str]:
    """Text and tables."""
    out = [_CROSSED]
    for effects, work in (
        ("normal", COMPLETE),
        ("normal", MISSING),
        ("normal", ONE_JUDGE),
        ("normal", UNEQUAL),
        ("exponential", COMPLETE),
        ("exponential", MISSING),
    ):
        if rows := book.of("crossed", effects=effects, work=work):
            target = effects == "normal" and work in (COMPLETE, MISSING)
            said = "" if target else ", no target"
            out += [f"### {effects.capitalize()} effects, {work}{said}\n", _coverage(book, rows)]
    out += [_PEERS, _others(book), _CROSSED_FAMILIES, _families(book)]
    out += [_CLUSTERS, _clusters(book)]
    if book.of("clusters and subjects"):
        out += [_CLUSTERS_AND_SUBJECTS, _clusters_and_subjects(book)]
    out += [_MARGINS, _margins(book)]
    if book.of("query worlds"):
        out += [_WORLDS, _worlds(book)]
    return out


def _variances(row: Row) -> str:
    return ", ".join(f"{v:g}" for v in row["settings"]["variances"])


def crossed_target(row: Row) -> Target | None:
    """Of one interval over queries and subjects."""
    s = row["settings"]
    if s["effects"] != "normal" or s["work"] not in (COMPLETE, MISSING):
        return None
    if s["n_queries"] < 25 or s["n_subjects"] < 3:
        return None
    q, subject, rest = s["variances"]
    return Target(0.935, 0.98 if min(q, subject) >= 0.2 and rest == 1 else 1.0)


def _coverage(book: Book, rows: list[Row]) -> str:
    """Coverage of the default: variances and queries by subjects."""
    lines: dict[tuple[str, int], list[str]] = {}
    for row in rows:
        s = row["settings"]
        line = lines.setdefault((_variances(row), s["n_queries"]), [""] * len(SUBJECTS))
        text = book.show(row, "cover: default", crossed_target(row))
        line[SUBJECTS.index(s["n_subjects"])] = text
    heads = ["variances", "queries", *(f"S = {n}" for n in SUBJECTS)]
    return table(heads, ([v, str(n), *line] for (v, n), line in lines.items()))


def _others(book: Book) -> str:
    methods = [
        "default",
        "Satterthwaite",
        "queries only",
        "percentile bootstrap",
        "subjects only",
        "pigeonhole",
    ]
    lines = []
    for row in book.of("crossed", n_subjects=5):
        s = row["settings"]
        if s["n_queries"] not in QUERIES[1:]:
            continue
        head = [s["effects"], s["work"], _variances(row), str(s["n_queries"])]
        lines.append([*head, *(book.show(row, f"cover: {m}") for m in methods)])
    return table(["effects", "work", "variances", "queries", *methods], lines)


def _families(book: Book) -> str:
    methods = ["default", "Satterthwaite", "queries only", "unpaired Tukey"]
    lines = []
    for row in book.of("crossed families"):
        s = row["settings"]
        line = [book.show(row, f"miss: {methods[0]}", Target(high=_FAMILY))]
        line += [book.show(row, f"miss: {m}") for m in methods[1:]]
        lines.append([s["work"], _variances(row), str(s["n_queries"]), str(s["n_subjects"]), *line])
    return table(["work", "variances", "queries", "subjects", *methods], lines)


def _clusters(book: Book) -> str:
    lines = []
    for one, many in zip(book.of("clusters"), book.of("cluster families"), strict=False):
        s = one["settings"]
        normal = s["effects"] == "normal"
        lines.append(
            [
                s["effects"],
                s["sizes"],
                str(s["clusters"]),
                book.show(one, "cover: default", Target(0.93) if normal else None),
                book.show(one, "cover: clusters ignored"),
                book.show(many, "miss: default", Target(high=0.06) if normal else None),
                book.show(many, "miss: clusters ignored, Bonferroni t"),
            ]
        )
    heads = ["effects", "sizes", "clusters", "coverage", "clusters ignored"]
    return table([*heads, "family misses", "clusters ignored, Bonferroni t"], lines)


def _clusters_and_subjects(book: Book) -> str:
    lines = []
    for row in book.of("clusters and subjects"):
        s = row["settings"]
        judged = s["effects"] == "normal" and s["clusters"] >= 10
        target = Target(high=0.06) if judged else None
        of_subjects, within = (f"{v:g}" for v in s["spreads"])
        head = [s["effects"], f"{100 * s['missing']:.0f} %", s["sizes"], str(s["clusters"])]
        line = [
            book.show(row, f"miss: {name}", target if name == "default" else None)
            for name in METHODS
        ]
        lines.append([*head, str(s["subjects"]), of_subjects, within, *line])
    heads = ["effects", "missing", "sizes", "clusters", "subjects", "of subjects", "in clusters"]
    return table([*heads, *METHODS], lines)


def _margins(book: Book) -> str:
    names = [
        "claim: equivalence, at +1 margin",
        "claim: equivalence, at -1 margin",
        "claim: non-inferiority",
    ]
    lines = []
    for row in book.of("margins"):
        s = row["settings"]
        target = None
        if s["effects"] == "normal" and (s["over"] != "both" or s["n_queries"] >= 25):
            target = Target(high=0.05)
        head = [s["effects"], s["over"], str(s["n_queries"]), str(s["n_subjects"])]
        line = [book.show(row, name, target) for name in names]
        lines.append([*head, f"{s['margin']:g}", *line])
    heads = ["effects", "random", "queries", "subjects", "margin"]
    return table([*heads, "at + margin", "at - margin", "non-inferiority"], lines)


def _worlds(book: Book) -> str:
    lines = []
    for row in book.of("query worlds"):
        s, counts = row["settings"], row["counts"]
        line = [book.show(row, name, _of_worlds(row, name)) for name in _world_names(counts)]
        effects = ", ".join(f"{v:g}" for v in s["effects"])
        lines.append([effects, str(s["n_queries"]), str(s["n_subjects"]), *line])
    names = _world_names(book.of("query worlds")[0]["counts"])
    heads = ["deviations", "queries", "subjects"]
    return table([*heads, *(name.removeprefix("cover: ") for name in names)], lines)


def _world_names(counts: Counts) -> list[str]:
    return [name for name in counts if name.startswith("cover: ")]


def _of_worlds(row: Row, name: str) -> Target | None:
    judged = "both" in name and "panel" in name and row["settings"]["n_queries"] >= 25
    return Target(0.935) if judged else None
