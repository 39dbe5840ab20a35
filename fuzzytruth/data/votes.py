"""Votes: which categories each subject gave to each item, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.label_sets import LabelSets
from fuzzytruth.core.segments import ragged
from fuzzytruth.errors import OptionError, counted, first_few
from fuzzytruth.io.arrow import take

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from fuzzytruth.data.taxonomy.taxonomy import Taxonomy


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


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Votes:
    """The arrays of `Assignments`: one ballot for each (subject, item)."""

    taxonomy: Taxonomy
    items: pa.LargeStringArray
    subjects: pa.LargeStringArray
    item: Ints
    subject: Ints
    label_set: Ints
    weight: Floats
    sets: LabelSets
    asked: Asked | None = None

    def __len__(self) -> int:
        return len(self.item)

    def __repr__(self) -> str:
        asked = ", only some asked" if self.asked is not None else ""
        sizes = {
            "vote": len(self),
            "item": len(self.items),
            "subject": len(self.subjects),
            "category": len(self.taxonomy),
        }
        listed = ", ".join(counted(n, one) for one, n in sizes.items())
        return f"{type(self).__name__}({listed}{asked})"

    def categorisation(self, subject: str) -> dict[str, Any]:
        """The crisp truth of one subject: {item: category}, or a tuple of several categories.

        Raises
        ------
        OptionError
            There is no such subject.
        """
        names = self.subjects.to_pylist()
        if subject not in names:
            known = first_few(names, 10)
            raise OptionError(f"subject {subject!r} is not among the subjects: {known}")
        rows = np.flatnonzero(self.subject == names.index(subject))
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
        """One row a vote: subject, item, category, weight."""
        import pandas as pd

        ballot, member = ragged(self.sets.offsets, self.label_set)
        label = self.sets.label[member]
        return pd.DataFrame(
            {
                "subject": take(self.subjects, self.subject[ballot]).to_pylist(),
                "item": take(self.items, self.item[ballot]).to_pylist(),
                "category": np.array(self.taxonomy.nodes, dtype=object)[label],
                "weight": self.weight[ballot],
            }
        )
