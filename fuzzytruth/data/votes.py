"""Votes: which categories each subject gave to each item, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.label_sets import LabelSets
from fuzzytruth.core.segments import ragged
from fuzzytruth.data.taxonomy.taxonomy import Taxonomy
from fuzzytruth.errors import DataError, OptionError, counted, first_few, is_among, shown
from fuzzytruth.io.arrow import take
from fuzzytruth.show.answer import Column, Printed, Result, Sentences, Table
from fuzzytruth.show.answer_rows import FIRST_ROWS, first_rows_table, short_id

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


# What is printed of votes.


MOST_CATEGORIES = 8
_MOST_NAMES = 8


def votes_parts(votes: Votes) -> list[Sentences | Table]:
    """Who voted, what for, and the first votes."""
    names = votes.subject_names
    who = "" if names is None else f"Subjects: {first_few(map(short_id, names), _MOST_NAMES)}"
    frame = votes.rows(slice(0, FIRST_ROWS))
    if "weight" in frame and (frame["weight"] == 1).all():
        del frame["weight"]
    n_rows = int(np.diff(votes.sets.offsets)[votes.label_set].sum())
    first: dict[str, Any] = {str(name): frame[name].iloc[:FIRST_ROWS] for name in frame}
    return [
        Sentences.of(who),
        _categories(votes),
        first_rows_table(first, n_rows, rest=".to_frame()"),
        Sentences.of("More: .membership(), .taxonomy, .by_example(), .by_item()"),
    ]


def _categories(votes: Votes) -> Table:
    """The categories that were named most often."""
    ballot, member = ragged(votes.sets.offsets, votes.label_set)
    label, n = votes.sets.label[member], len(votes.taxonomy)
    weight = np.bincount(label, weights=votes.weight[ballot], minlength=n)
    named = int((weight > 0).sum())
    order = np.argsort(-weight, kind="stable")[: min(named, MOST_CATEGORIES)]
    of = f"the first {MOST_CATEGORIES} of the " if named > MOST_CATEGORIES else ""
    nodes, total = votes.taxonomy.nodes, float(weight.sum())
    return Table(
        (
            Column.label("category", (short_id(nodes[c]) for c in order)),
            Column("votes", tuple(f"{weight[c]:,.6g}" for c in order)),
            Column("share", tuple(f"{weight[c] / total:.3f}" for c in order)),
        ),
        f"Votes by category, {of}{named:,} that were voted for",
    )


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """The categories that each subject was asked about.

    Parameters
    ----------
    item, subject, label_set : (ballots,) int
        As in `Votes`; the label sets are those that were shown.
    sets : LabelSets
    """

    item: Ints
    subject: Ints
    label_set: Ints
    sets: LabelSets


@dataclass(frozen=True, slots=True, eq=False)
class Repeats:
    """Which of a subject's repeated judgments of an item each ballot is.

    Parameters
    ----------
    ids : Arrow array of strings
        The ids of the repetitions, in order of first appearance.
    code : (ballots,) int
        Index into `ids`.
    weight : (ballots,) float
        Weight of the subject for the item, which the ballots of the two share equally.
    """

    ids: pa.LargeStringArray
    code: Ints
    weight: Floats


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Votes(Result):
    """The arrays of `Assignments`: one ballot for each (subject, item), or for each repetition.

    Without subjects, one ballot for each item and category with votes; its weight is the number of
    votes (`are_counts`), or else a probability.
    """

    taxonomy: Taxonomy
    items: pa.LargeStringArray
    subjects: pa.LargeStringArray | None
    item: Ints
    subject: Ints
    label_set: Ints
    weight: Floats
    sets: LabelSets
    asked: Asked | None = None
    repeats: Repeats | None = None
    are_counts: bool = False

    def __len__(self) -> int:
        return int(self.weight.sum()) if self.are_counts else len(self.item)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.sizes})"

    @property
    def sizes(self) -> str:
        """Numbers of votes, items, subjects and categories, in words."""
        sizes = {
            "probability" if self.subjects is None and not self.are_counts else "vote": len(self),
            "item": len(self.items),
        }
        if self.subjects is not None:
            sizes["subject"] = len(self.subjects)
        sizes["category"] = len(self.taxonomy)
        listed = [counted(n, one) for one, n in sizes.items()]
        notes = {
            "no names": self.subjects is None,
            "only some asked": self.asked is not None,
            "with repeats": self.repeats is not None,
        }
        return ", ".join(listed + [note for note, holds in notes.items() if holds])

    def _answer(self) -> Printed:
        return Printed.of(f"{type(self).__name__}: {self.sizes}", *votes_parts(self))

    @property
    def subject_names(self) -> tuple[str, ...] | None:
        """Names of the subjects, in order of first appearance; None where nobody is named."""
        return None if self.subjects is None else tuple(self.subjects.to_pylist())

    def named(self, what: str) -> pa.LargeStringArray:
        """The subjects.

        Raises
        ------
        DataError
            Nobody is named; `what` needs it and begins the message.
        """
        if self.subjects is None:
            given = "counts of votes" if self.are_counts else "probabilities"
            raise DataError(
                f"{what}: these are {given} without names; give votes with a column that names "
                "who voted"
            )
        return self.subjects

    def categorisation(self, subject: str) -> dict[str, Any]:
        """The crisp truth of one subject: {item: category}, or a tuple of several categories.

        Raises
        ------
        OptionError
            There is no such subject.
        DataError
            Nobody is named, or the subject judged an item repeatedly.
        """
        names = self.named("categorisation").to_pylist()
        if not is_among(subject, names):
            known = first_few(names, 10)
            raise OptionError(f"subject {shown(subject)} is not among the subjects: {known}")
        rows = np.flatnonzero(self.subject == names.index(subject))
        again = np.flatnonzero(np.diff(self.item[rows]) == 0)
        if len(again):
            item = self.items[int(self.item[rows[again[0]]])].as_py()
            raise DataError(
                f"categorisation: subject {subject!r} judged item {shown(item)} repeatedly, so "
                "that there is no single category; take the votes of one repetition"
            )
        items = take(self.items, self.item[rows]).to_pylist()
        categories = self.set_names()
        return {i: categories[s] for i, s in zip(items, self.label_set[rows].tolist(), strict=True)}

    def set_names(self) -> list[Any]:
        """The category of each label set, or a tuple of categories unless it has exactly one."""
        nodes, sets = self.taxonomy.nodes, self.sets
        bounds = zip(sets.offsets[:-1].tolist(), sets.offsets[1:].tolist(), strict=True)
        members = [tuple(nodes[c] for c in sets.label[a:b].tolist()) for a, b in bounds]
        return [m[0] if len(m) == 1 else m for m in members]

    def to_frame(self) -> pd.DataFrame:
        """One row a vote: subject, item, category, weight and, if there are any, repeat.

        Without names: item, category, and count or probability.
        """
        return self.rows(slice(None))

    def rows(self, ballots: slice) -> pd.DataFrame:
        """The rows of `to_frame` of some ballots."""
        import pandas as pd

        ballot, member = ragged(self.sets.offsets, self.label_set[ballots])
        ballot = np.arange(len(self.item))[ballots][ballot]
        columns: dict[str, Any] = {
            "item": take(self.items, self.item[ballot]).to_pylist(),
            "category": np.array(self.taxonomy.nodes, dtype=object)[self.sets.label[member]],
        }
        if self.subjects is None:
            weight = self.weight[ballot].astype(np.int64 if self.are_counts else np.float64)
            return pd.DataFrame(columns | {"count" if self.are_counts else "probability": weight})
        names = take(self.subjects, self.subject[ballot]).to_pylist()
        repeats = self.repeats
        if repeats is None:
            return pd.DataFrame({"subject": names, **columns, "weight": self.weight[ballot]})
        columns |= {
            "weight": repeats.weight[ballot],
            "repeat": take(repeats.ids, repeats.code[ballot]).to_pylist(),
        }
        return pd.DataFrame({"subject": names, **columns})
