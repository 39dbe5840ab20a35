"""docs/evidence/validity.md, written from the results: a first screen, then tables by design."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from validity import (
    sections_agreement,
    sections_collections,
    sections_communities,
    sections_components,
    sections_crossed,
    sections_directions,
    sections_families,
    sections_few_subjects,
    sections_gates,
    sections_influence,
    sections_judges,
    sections_near_copies,
    sections_pairs,
    sections_people,
    sections_planning,
    sections_powered,
    sections_runs,
    sections_single,
    sections_structure,
)
from validity.crossed import COMPLETE, MISSING
from validity.tables import Book, Judged, Row, mean_and_worst, sizes, table

_HEAD = """\
# Validity: do intervals and tests hold what they promise?

{screen}
{summary}
The last columns: the mean over all designs of that kind and size below, and the worst of them in
parentheses; *a peer's default* is what other tools do unasked, in the same data sets.

## How to read the tables

Every number is a rate over simulated data sets with its Monte Carlo standard error (MCSE) in
parentheses, in units of the last digits: .051 (7) is .051 with MCSE .007. A cell has {sizes}
data sets, half as many for peers' methods. `make validity` makes this page; finished parts are kept
in benchmarks/validity/results.jsonl, so that it can be interrupted. It would stop at a comparison
whose interval and adjusted p disagree; there was none.

Targets are ± 2 MCSE for each cell; a cell that misses its target is bold. **{missed} of {all} cells
with a target miss it**{chance}.{which}
"""
_SCREEN = """\
What may I trust, and from how many queries and annotators on?

- **Many systems:** from 25 queries on, all statements of a comparison at once, of however many
  systems: any of them is wrong in about 5 of 100 studies, with real scores as with simulated ones.
  With 10 queries little is found; beware of very skewed scores. Near copies of a system are
  judged by how much the other systems differ; copies that differ much on one in ten of the queries
  on which they differ at all are misjudged in up to 37 of 100.
- **Other annotators:** from 25 queries and 3 annotators on, what is said over queries **and**
  subjects (`over=("query", "subject")`). It is wrong in up to 7 of 100 studies where annotators,
  few of them, differ much more about one system than about the others. What is said over queries
  alone holds for these annotators only, and is wrong about others in most studies where annotators
  differ much.
- **Systems with several runs** (trainings, seeds, samplings): from three runs of each system on,
  better five, what is said over queries **and** runs. It is wrong in about 6 of 100 studies at
  most. What is said over queries alone holds for these runs only: two equal systems differ in up to
  77 of 100 studies.
- **Equivalence:** wrongly claimed in about 5 of 100 studies at most if differences are about
  normal; if they are very skewed (lognormal, the true one just at the margin), in 20 of 100 with 10
  queries, 16 with 25, 13 with 50 and 11 with 100, of most of which a warning says so. "Not shown"
  is no equivalence: see the interval and the minimum detectable difference.
- **A gate that is asked again:** with `attempts=` or `looks=` it is passed wrongly in 6 of 100
  series at most, without in 12 to 92; a system that was tuned on the gate's queries may pass
  whatever the level.
- **Related queries** (captions of one image, variants of a topic): from 10 clusters on, with
  `clusters=`; without it, an interval of 95 % is right in about 70.
- **Scores that are 0 or 1** (P@1, success): Wilson's interval for one system; t is too short where
  successes or failures are few. Systems that are alike in all of ten queries may differ all
  the same: their interval is that of a typical pair.
- **Agreement of annotators:** intervals over items from 50 items on; over other annotators from 5
  on if they are about equally good (with 3 they are too wide). Where one in five answers at random,
  those of 95 % from 10 annotators are right in .89, from 20 in .94.
- **Whose truth prefers which system** (`Comparison.directions`): "at least 10 people's truths
  prefer A, and 10 B" is wrong in 5 of 100 studies at most, and so is that there are both; also with
  half of the judgments missing.
- **Structure of disagreement** (`structure`): claims that it matters who gave which vote are wrong
  in 5 of 100 panels at most, whatever votes are missing, as long as missing does not depend on the
  person and the person's own vote. Communities, severity, expertise and near copies are each found
  by a statistic of their own.
- **The panel's answers** (`reliability`): where people err independently, their probabilities are
  right on average, and "the votes contradict independent errors" is said wrongly in about 5 of 100
  panels. Where people share errors, items are hard, or votes are missing by answer, the
  probabilities are too high by about .1. From five votes an item on, hard items and near-copies
  are mostly noticed; votes missing by answer are not: known answers tell.
- **Few human judgments and many of a model:** from 10 human-judged queries on, unless scores are
  very skewed; they are hardly wider than people's alone where the model is useless.
- **Plans:** predicted half-widths are within 6 % of what then comes out, for scores that are about
  normal.
- **Not to be trusted:** intervals for other annotators when there are few of them and single ones
  stand out (exponential effects: right in .88 at worst, instead of .95).
"""


def write_report(rows: list[Row], path: Path) -> None:
    """Write the page."""
    book = Book(rows)
    parts = [
        *sections_families.sections(book),
        *sections_near_copies.sections(book),
        *sections_crossed.sections(book),
        *sections_few_subjects.sections(book),
        *sections_runs.sections(book),
        *sections_gates.sections(book),
        *sections_powered.sections(book),
        *sections_pairs.sections(book),
        *sections_components.sections(book),
        *sections_collections.sections(book),
        *sections_agreement.sections(book),
        *sections_planning.sections(book),
        *sections_single.sections(book),
        *sections_judges.sections(book),
        *sections_influence.sections(book),
        *sections_people.sections(book),
        *sections_directions.sections(book),
        *sections_structure.sections(book),
        *sections_communities.sections(book),
    ]
    number = sorted(set(sizes(rows)))
    missed = [one for one in book.judged if not one.holds]
    head = _HEAD.format(
        screen=_SCREEN,
        summary=_summary(book),
        sizes=f"{number[0]:,} to {number[-1]:,}" if number else "no",
        missed=len(missed),
        all=len(book.judged),
        chance="; by chance alone about one in 40 of those just at their target would"
        if missed
        else "",
        which=_listed(missed),
    )
    path.write_text("\n".join([head, *parts]), encoding="utf-8")


def _listed(missed: Iterable[Judged]) -> str:
    """The missed cells, by reason."""
    by_reason: dict[str, list[str]] = {}
    for one in missed:
        by_reason.setdefault(one.target.reason or "no reason known", []).append(one.what)
    out = []
    for reason, cells in by_reason.items():
        out.append(f"\n\n{reason[0].upper()}{reason[1:]}:\n")
        out += [f"\n- {cell}" for cell in cells]
    return "".join(out)


def _summary(book: Book) -> str:
    """Means and worst cells of each kind of claim."""
    normal = [
        row
        for row in _from_25(book.of("crossed", effects="normal"))
        if row["settings"]["n_subjects"] >= 3 and row["settings"]["work"] in (COMPLETE, MISSING)
    ]
    boot, tukey = "percentile bootstrap", "unpaired Tukey"
    queries, people = "25 queries", "25 queries, 3 annotators"
    right, wrong = "right in .95", "wrong in .05"

    def line(
        claim: str, least: str, promised: str, rows: list[Row], ours: str, theirs: str
    ) -> list[str]:
        lowest = promised != wrong
        shares = [mean_and_worst(rows, name, lowest=lowest) for name in (ours, theirs)]
        return [claim, least, promised, shares[0], f"{shares[1]}, {_peer(theirs)}"]

    two = _from_25(book.of("two systems", truth="fitted"))
    real, simulated = (_from_25(book.of(kind)) for kind in ("real matrices", "synthetic"))
    clusters = book.of("clusters", effects="normal")
    several = book.of("crossed families")
    lines = [
        line("two systems", queries, right, two, "cover: t", "cover: percentile"),
        line("real systems, any pair", queries, wrong, real, "miss: default", f"miss: {boot}"),
        line(
            "their differences that are found",
            queries,
            "many",
            real,
            "power: default",
            f"power: {tukey}",
        ),
        line("simulated systems", queries, wrong, simulated, "miss: default", f"miss: {boot}"),
        line(
            "one mean, other annotators", people, right, normal, "cover: default", f"cover: {boot}"
        ),
        line(
            "all pairs, other annotators", people, wrong, several, "miss: default", f"miss: {tukey}"
        ),
        line("related queries", "10 clusters", right, clusters, "cover: default", _IGNORED),
    ]
    return table(["claim", "from", "promised", "default", "a peer's default"], lines)


def _peer(name: str) -> str:
    """What a peer does."""
    method = name.split(": ")[1]
    return "percentile bootstrap" if method == "percentile" else method


_IGNORED = "cover: clusters ignored"


def _from_25(rows: list[Row]) -> list[Row]:
    """Cells of 25 queries or more."""
    return [r for r in rows if r["settings"].get("n", r["settings"].get("n_queries")) >= 25]
