"""Votes as they come in: rows of subject, item and category, checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.label_sets import Gathered
from fuzzytruth.errors import DataError, shown
from fuzzytruth.io.columns import Locate, check_ids, check_numbers, first_repeat, rows_of

if TYPE_CHECKING:
    import pyarrow as pa

    from fuzzytruth.data.taxonomy.taxonomy import Taxonomy


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Checked columns of votes, or of questions."""

    subject: pa.LargeStringArray
    item: pa.LargeStringArray
    category: pa.LargeStringArray
    locate: Locate

    @classmethod
    def of(cls, columns: dict[str, Any], where: str, locate: Locate | None) -> Rows:
        """Check columns, of equal length and not empty."""
        locate = rows_of(where) if locate is None else locate
        names = ("subject", "item", "category")
        subject, item, category = (check_ids(columns[name], name, locate) for name in names)
        lengths = {len(subject), len(item), len(category)}
        if len(lengths) > 1:
            raise DataError(f"{where}: columns differ in length: {sorted(lengths)}")
        if lengths == {0}:
            raise DataError(f"{where}: there are no votes in it")
        return cls(subject, item, category, locate)

    def labels(self, taxonomy: Taxonomy) -> Ints:
        """The code of each row's category."""
        return taxonomy.codes(self.category, where=self.locate, column="category")

    def check_repeats(self) -> None:
        """Raise if a row occurs twice."""
        repeat = first_repeat([self.item, self.subject, self.category])
        if repeat is not None:
            first, second = repeat
            raise DataError(
                f"{self.locate(second)}: subject {shown(self.subject[second].as_py())} "
                f"gives item {shown(self.item[second].as_py())} the category "
                f"{shown(self.category[second].as_py())} twice (first: {self.locate(first)}); "
                "remove one"
            )


def weights_of(given: Any, n_rows: int, rows: Rows) -> Floats:
    """The weight of each row, 1 by default."""
    if given is None:
        return np.ones(n_rows)
    weight = check_numbers(given, "weight", rows.locate)
    if len(weight) != n_rows:
        raise DataError(f"{rows.locate(0)}: {len(weight):,} weights for {n_rows:,} votes")
    bad = np.flatnonzero(weight <= 0)
    if len(bad):
        raise DataError(
            f"{rows.locate(int(bad[0]))}, column 'weight': value {weight[bad[0]]:g} must be above "
            "0; leave out the votes that do not count"
        )
    return weight


def check_one_weight(
    found: Gathered,
    item: NDArray[np.integer],
    subject: NDArray[np.integer],
    weight: Floats,
    items: pa.LargeStringArray,
    subjects: pa.LargeStringArray,
) -> None:
    """All categories that one subject gave to one item make one ballot, of one weight."""
    if (weight == weight[0]).all():
        return
    n_subjects = len(subjects)
    key = found.item * n_subjects + found.subject
    ballot = np.searchsorted(key, item.astype(np.int64) * n_subjects + subject)
    differs = np.flatnonzero(weight != weight[found.first_row][ballot])
    if len(differs):
        row = int(differs[0])
        raise DataError(
            f"votes: subject {shown(subjects[int(subject[row])].as_py())} gives item "
            f"{shown(items[int(item[row])].as_py())} several categories with different weights "
            f"({weight[found.first_row[ballot[row]]]:g} and {weight[row]:g}); they are one ballot "
            "and need one weight"
        )
