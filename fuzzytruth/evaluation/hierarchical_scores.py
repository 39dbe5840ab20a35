"""Hierarchical precision and recall of categories in a taxonomy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.segments import offsets_of, ragged
from fuzzytruth.data.assignments import Assignments
from fuzzytruth.data.membership import Membership
from fuzzytruth.data.subtree_weights import ancestor_matrix
from fuzzytruth.data.votes import Votes
from fuzzytruth.errors import DataError, choice
from fuzzytruth.evaluation.class_scores import Answers, membership_of

if TYPE_CHECKING:
    import pandas as pd

Average = Literal["micro", "macro"]


def hierarchical_scores(
    truth: Assignments | Membership,
    answers: Any,
    *,
    average: Average = "micro",
    columns: Mapping[str, Any] | None = None,
    drop: Any = (),
) -> pd.DataFrame:
    """Expected hierarchical precision, recall and F1 of the categories that systems assign.

    An answer and a vote each stand for their categories and all ancestors except the root; common
    categories count. The expectation is over worlds in which each item draws one of its votes.

    Parameters
    ----------
    truth : Assignments or Membership
        Without an `asked` table.
    answers : table
        Of any library, as `Judgments.from_frame` takes them.
        Columns item, category and, optionally, system.
    average : {"micro", "macro"}
        "micro": ratio of sums over all items (recall divides the expected overlap by the expected
        number of categories); "macro": mean over items of the expected ratio, which is an
        expectation in the strict sense.
    columns : mapping, optional
        Your names of the columns of answers, {name: your column}.
    drop : category or sequence of categories
        Categories of answers that are none, such as "unsure"; their rows are left out.

    Returns
    -------
    DataFrame
        One row for each system: system, items (number of answered items), precision, recall and
        f1 (harmonic mean of the two), each in [0, 1]. The ratio of an answer or vote of only the
        root is 0.

    Raises
    ------
    DataError
        The votes have an `asked` table, a category is not in the taxonomy, an answer is given
        twice, or no answered item has votes.
    OptionError
        `columns` has a name that is not read here.

    Warns
    -----
    LeftOutWarning
        Rows of the answers were dropped, with their number.
    UnjudgedItemWarning
        Answered items have no votes and are left out.

    References
    ----------
    Kiritchenko, S., Matwin, S. & Famili, F. (2005), Functional annotation of genes using
    hierarchical text categorization.

    Examples
    --------
    >>> import fuzzytruth as ft, pandas as pd
    >>> tax = ft.Taxonomy.from_children({"all": ["pet"], "pet": ["cat", "dog"]})
    >>> votes = ft.Assignments.from_frame(pd.DataFrame({
    ...     "subject": ["s", "t"], "item": ["a", "a"], "category": ["cat", "dog"]}), taxonomy=tax)
    >>> answers = pd.DataFrame({"item": ["a"], "category": ["cat"]})
    >>> ft.hierarchical_scores(votes, answers).round(3).values.tolist()
    [['system', 1, 0.75, 0.75, 0.75]]
    """
    import pandas as pd

    choice("average", average, get_args(Average))
    membership = membership_of(truth, "truth")
    votes = membership.votes
    if votes.asked is not None:
        raise DataError(
            "hierarchical_scores: subjects were asked about some categories only, so their votes "
            "are not shares of one whole"
        )
    given = Answers.of(answers, membership, columns, drop)
    rows = []
    overlap = _Overlap.of(votes, given)
    for s, system in enumerate(given.systems):
        precision, recall = overlap.of_system(s, average)
        total = precision + recall
        f1 = 2 * precision * recall / total if total > 0 else 0.0
        n = int((overlap.system == s).sum())
        rows.append((system, n, precision, recall, f1))
    return pd.DataFrame(rows, columns=["system", "items", "precision", "recall", "f1"])


@dataclass(frozen=True, slots=True, eq=False)
class _Overlap:
    """Expected overlaps and sizes for each answered pair of a system and an item.

    Parameters
    ----------
    system : (pairs,) int
    shared : (pairs,) float
        Expected number of categories that the answer and the vote have in common.
    answered : (pairs,) float
        Number of categories that the answer stands for.
    voted : (pairs,) float
        Expected number of categories that the vote stands for.
    recalled : (pairs,) float
        Expected share of the vote's categories that the answer has in common.
    """

    system: Ints
    shared: Floats
    answered: Floats
    voted: Floats
    recalled: Floats

    @classmethod
    def of(cls, truth: Votes, rows: Answers) -> _Overlap:
        from scipy.sparse import csr_array

        n_items, n = len(truth.items), len(truth.taxonomy)
        up = ancestor_matrix(truth.taxonomy)
        up = up[:, np.arange(1, n)]  # without the root, which comes first
        pairs, which = np.unique(rows.system * n_items + rows.item, return_inverse=True)
        cast = csr_array(
            (np.ones(len(which)), (which.reshape(-1), np.arange(len(which)))),
            shape=(len(pairs), len(which)),
        )
        stands = (cast @ up[rows.label]).tocsr()
        stands.data[:] = 1.0
        votes = (truth.sets.members(n) @ up).tocsr()
        votes.data[:] = 1.0
        system, item = np.divmod(pairs, n_items)
        pair, ballot = ragged(offsets_of(np.bincount(truth.item, minlength=n_items)), item)
        weight = truth.weight[ballot]
        total = np.bincount(pair, weights=weight)
        weight = weight / total[pair]
        given = truth.label_set[ballot]
        common = np.asarray(stands[pair].multiply(votes[given]).sum(axis=1)).ravel()
        of_vote = np.diff(votes.indptr)[given].astype(np.float64)
        ratio = divide(common, of_vote)
        shared, voted, recalled = (
            np.bincount(pair, weights=weight * x).astype(np.float64)
            for x in (common, of_vote, ratio)
        )
        answered = np.diff(stands.indptr).astype(np.float64)
        return cls(system, shared, answered, voted, recalled)

    def of_system(self, system: int, average: Average) -> tuple[float, float]:
        """Precision and recall."""
        mine = self.system == system
        shared, answered = self.shared[mine], self.answered[mine]
        if average == "micro":
            voted = self.voted[mine].sum()
            precision = shared.sum() / answered.sum() if answered.sum() else 0.0
            return float(precision), float(shared.sum() / voted) if voted else 0.0
        return float(divide(shared, answered).mean()), float(self.recalled[mine].mean())
