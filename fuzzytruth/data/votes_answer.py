"""What is printed of votes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.label_sets import LabelSets
from fuzzytruth.core.segments import ragged
from fuzzytruth.data.taxonomy.taxonomy import Taxonomy
from fuzzytruth.errors import first_few
from fuzzytruth.io.answer import Column, Sentences, Table
from fuzzytruth.io.answer_rows import FIRST_ROWS, first_rows_table, short_id

if TYPE_CHECKING:
    import pandas as pd

MOST_CATEGORIES = 8
_MOST_NAMES = 8


class Cast(Protocol):
    """`Votes`, as far as they are printed."""

    @property
    def taxonomy(self) -> Taxonomy:
        """The categories."""
        ...

    @property
    def subject_names(self) -> tuple[str, ...] | None:
        """Names of the subjects."""
        ...

    @property
    def label_set(self) -> Ints:
        """Of each ballot."""
        ...

    @property
    def weight(self) -> Floats:
        """Of each ballot."""
        ...

    @property
    def sets(self) -> LabelSets:
        """Distinct sets of categories."""
        ...

    def rows(self, ballots: slice) -> pd.DataFrame:
        """A row a vote of some ballots."""
        ...


def votes_parts(votes: Cast) -> list[Sentences | Table]:
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


def _categories(votes: Cast) -> Table:
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
