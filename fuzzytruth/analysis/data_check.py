"""What may mislead in the data behind an analysis, and what only that data tells."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeVar

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats
from fuzzytruth.annotators.coefficients.agreement import Agreement, agreement
from fuzzytruth.annotators.coefficients.agreement_metrics import metric_of
from fuzzytruth.annotators.coefficients.pairwise_agreement import (
    PairwiseAgreement,
    pairwise_agreement,
)
from fuzzytruth.annotators.ratings import ratings_of
from fuzzytruth.data.ranking import Ranking
from fuzzytruth.data.runs import Runs
from fuzzytruth.errors import FuzzytruthError, FuzzytruthWarning, counted, first_few, printable
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.measures import parse_measure
from fuzzytruth.show.answer import Parts, Result, Sentences

# Check of the data behind scores: sizes, gaps, unjudged items, systems and subjects alike.


_TRUTHS = {
    "crisp": "one ground truth",
    "subject": "each subject's ground truth in turn",
    "independent": "each item's ground truth drawn from its votes",
    "community": "each item's ground truth drawn from the votes of a group of subjects",
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

    def _title(self) -> str:
        return self.title

    def _parts(self) -> Parts:
        yield Sentences(self.notes)

    @property
    def title(self) -> str:
        """All facts in a line."""
        return "Data: " + ", ".join(value for _, value in self.facts)

    def to_frame(self) -> pd.DataFrame:
        """One row a fact or a note: kind ("fact" or "note"), name, text."""
        rows = [("fact", name, value) for name, value in self.facts]
        rows += [("note", "", note) for note in self.notes]
        return pd.DataFrame(rows, columns=["kind", "name", "text"])


def check_data(scores: Scores, noted: Iterable[str] = ()) -> DataCheck:
    """The check of scores; `noted` are warnings of their evaluation."""
    facts = [
        ("systems", counted(len(scores.systems), "system")),
        ("queries", counted(len(scores.queries), "query")),
    ]
    if scores.subjects is not None:
        design = "" if scores.design == "crossed" else " nested in queries"
        if scores.design == "crossed" and scores.cells.look_nested:
            design = " of one query each"
        facts.append(("subjects", counted(scores._n_people, "subject") + design))
    made = scores.provenance
    if made is not None:
        facts.append(("truth", _TRUTHS[made.worlds]))
    notes = [
        *noted,
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


# What only the data behind scores tell: agreement of the subjects, and ties of the runs.


T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Sources:
    """What the data behind scores tell.

    Parameters
    ----------
    agreement : Agreement or None
        Of all subjects, ordinal where they gave more than two grades; None where a single one
        judged, or nobody knows who.
    pairs : PairwiseAgreement or None
        Of each two named subjects, with ordinal weights where they gave more than two grades.
    notes : tuple of str
        Warnings about agreement, and why it is unknown.
    tied : tuple of (system, share)
        Share of retrieved items that have the score of another one in their list.
    """

    agreement: Agreement | None
    pairs: PairwiseAgreement | None
    notes: tuple[str, ...]
    tied: tuple[tuple[str, float], ...]


def check_sources(truth: Any, runs: Runs) -> Sources:
    """Agreement in a truth, as far as it has one, and ties in runs."""
    tied = tuple((system, _tied(ranking)) for system, ranking in runs.items())
    if len(getattr(truth, "subjects", None) or ()) < 2:
        return Sources(None, None, (), tied)
    votes = getattr(truth, "votes", truth)
    notes: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", FuzzytruthWarning)
        rated = or_why(lambda: ratings_of(votes), notes.append)
        of_all = of_pairs = None
        if rated is not None:
            metric = metric_of(rated)
            of_all = or_why(lambda: agreement(rated, metric=metric), notes.append)
            of_pairs = or_why(lambda: pairwise_agreement(rated, metric=metric), notes.append)
    notes += [str(one.message) for one in caught]
    return Sources(of_all, of_pairs, tuple(dict.fromkeys(notes)), tied)


#: what is left out, by names of sections of a page, and why
Reason = tuple[tuple[str, ...], str]


def left_out(reasons: Iterable[Reason], section: str | None = None) -> tuple[str, ...]:
    """What is left out of a section of a page, or of all, in sentences."""
    return tuple(
        f"Left out: {why.rstrip('.')}."
        for sections, why in reasons
        if section is None or section in sections
    )


def or_why(compute: Callable[[], T], note: Callable[[str], object]) -> T | None:
    """The result; or None, of which is noted why."""
    try:
        return compute()
    except FuzzytruthError as error:
        note(str(error))
        return None


def _tied(ranking: Ranking) -> float:
    """Share of rows with the score, as a 32-bit number, of another row of the same query."""
    if not len(ranking):
        return 0.0
    with np.errstate(over="ignore", under="ignore"):  # as in trec_eval
        score = ranking.score.astype(np.float32)
    order = np.lexsort((score, ranking.query))
    query, score = ranking.query[order], score[order]
    same = (query[1:] == query[:-1]) & (score[1:] == score[:-1])
    tied = np.append(same, False) | np.insert(same, 0, False)
    return float(tied.mean())
