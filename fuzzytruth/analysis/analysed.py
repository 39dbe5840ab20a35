"""Parts of an analysis: what modules that show it are given."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats
from fuzzytruth.analysis.sources import Sources
from fuzzytruth.comparison.by_subject import SubjectComparisons
from fuzzytruth.comparison.rank_stability import RankStability
from fuzzytruth.comparison.result import Comparison
from fuzzytruth.core.lazy import Lazy
from fuzzytruth.errors import counted, first_few, printable
from fuzzytruth.evaluation.scores.axes import looks_nested, people
from fuzzytruth.evaluation.scores.score_rows import ScoreRows
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.measures import parse_measure
from fuzzytruth.show.answer import Printed, Result, Sentences

# Check of the data behind scores: sizes, gaps, unjudged items, systems and subjects alike.


_TRUTHS = {
    "crisp": "one ground truth",
    "subject": "each subject's ground truth in turn",
    "independent": "each item's ground truth drawn from its votes",
    "population": "ground truth of resampled subjects",
}
_FEW_JUDGED = 0.8  # share below which unjudged items are pointed out
_MOST_SUBJECTS = 60  # whose pairs are looked at


@dataclass(frozen=True, slots=True)
class DataCheck(Result):
    """What is known of the data behind scores.

    Parameters
    ----------
    facts : tuple of (str, str)
        Names and values, such as ("queries", "30").
    notes : tuple of str
        What may mislead, in sentences: warnings of the evaluation, values that are missing, systems
        or subjects alike, unjudged items.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> runs = {"x": {"q": ["a"]}, "y": {"q": ["a"]}}
    >>> print(ft.analyse({"q": {"a": 1}}, runs, ["AP"]).data)
    Data: 2 systems, 1 query, one ground truth
    <BLANKLINE>
    x and y score the same for every query: are they the same run?
    """

    facts: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]

    def _answer(self) -> Printed:
        return Printed.of(self.title, Sentences(self.notes))

    @property
    def title(self) -> str:
        """All facts in a line."""
        return "Data: " + ", ".join(value for _, value in self.facts)

    def to_frame(self) -> pd.DataFrame:
        """One row a fact or a note: kind ("fact" or "note"), name, text."""
        rows = [("fact", name, value) for name, value in self.facts]
        rows += [("note", "", note) for note in self.notes]
        return pd.DataFrame(rows, columns=["kind", "name", "text"])


def check_data(scores: Scores, warnings: Iterable[str] = ()) -> DataCheck:
    """The check of scores; `warnings` are those of their evaluation."""
    facts = [
        ("systems", counted(len(scores.systems), "system")),
        ("queries", counted(len(scores.queries), "query")),
    ]
    if scores.subjects is not None:
        design = "" if scores.design == "crossed" else " nested in queries"
        if scores.design == "crossed" and looks_nested(scores):
            design = " of one query each"
        facts.append(("subjects", counted(people(scores), "subject") + design))
    made = scores.provenance
    if made is not None:
        facts.append(("truth", _TRUTHS[made.worlds]))
    notes = [
        *warnings,
        *_missing_values(scores),
        *_alike(scores.systems, scores.values, "score the same for every query", "run"),
        *_subjects_alike(scores),
        *_unjudged(scores),
    ]
    return DataCheck(tuple(facts), tuple(printable(note) for note in notes))


def _missing_values(scores: Scores) -> list[str]:
    """Values that systems lack, and queries that subjects did not judge."""
    out = []
    compared = [m for m, name in enumerate(scores.measures) if not is_judged(name)]
    values = scores.values[:, compared]
    missing = int(np.isnan(values).sum())
    if missing:
        out.append(
            f"{missing:,} of {values.size:,} values are missing: systems are compared on "
            "what both have"
        )
    if scores.subjects is not None and scores.design == "crossed":
        cells, full = len(scores.cells), len(scores.queries) * len(scores.subjects)
        if cells < full:
            out.append(
                f"{full - cells:,} of {full:,} subject–query pairs have no judgments: not "
                "everybody judged every query"
            )
    return out


def _alike(
    names: tuple[str, ...], values: Floats, what: str, noun: str, limit: int = 200
) -> list[str]:
    """Names whose values, along the first axis, are the same."""
    if len(names) > limit:
        return []
    same = [
        f"{names[a]} and {names[b]}"
        for a, b in combinations(range(len(names)), 2)
        if np.array_equal(values[a], values[b], equal_nan=True)
    ]
    if not same:
        return []
    which = "are they the same" if len(same) == 1 else "are some the same"
    return [f"{first_few(same, 3, unit='pair')} {what}: {which} {noun}?"]


def _subjects_alike(scores: Scores) -> list[str]:
    """Subjects of the same queries by whose judgments each system scores the same on all."""
    if (
        scores.subjects is None
        or scores.design != "crossed"
        or not 1 < len(scores.subjects) <= _MOST_SUBJECTS
    ):
        return []
    dense = scores.cells.dense(scores.values)  # (systems, measures, queries, subjects)
    by_subject = np.moveaxis(dense, -1, 0).reshape(len(scores.subjects), -1)
    return _alike(scores.subjects, by_subject, "give every system the same scores", "person")


def _unjudged(scores: Scores) -> list[str]:
    """Systems of whose first items many are not judged."""
    out = []
    for m, name in enumerate(scores.measures):
        if not is_judged(name):
            continue
        shares = np.nanmean(scores.cells.mean_by_query(scores.values[:, m]), axis=-1)
        low, high = float(np.nanmin(shares)), float(np.nanmax(shares))
        if low < _FEW_JUDGED:
            least = scores.systems[int(np.nanargmin(shares))]
            cutoff = parse_measure(name).cutoff
            share, most = f"{100 * low:.0f} %", f"{100 * high:.0f} %"
            if share != most:
                share += f" ({least}) to {most}"
            held = f"of the first {cutoff} items, {share} are judged; the others count"
            if "norm=cutoff" in name:
                held = (
                    f"of the first {cutoff} ranks, {share} hold judged items; unjudged ones count"
                )
            out.append(
                f"{held} as not relevant (unjudged='bounds' of evaluate shows how much they matter)"
            )
    return out


def is_judged(measure: str) -> bool:
    """Whether a measure is the share of judged items."""
    return measure.startswith("Judged") and "@" in measure


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Analysed:
    """See `Analysis` for the parameters."""

    data: DataCheck
    scores: Scores
    rows: ScoreRows
    comparison: Comparison | None
    both: Comparison | None
    by_subject: SubjectComparisons | None
    stability: RankStability | None
    level: float
    lazy_sources: Lazy[Sources | None]

    @property
    def sources(self) -> Sources | None:
        """Agreement of subjects and ties of runs, computed when asked for; None of scores."""
        return self.lazy_sources.value
