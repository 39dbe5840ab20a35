"""Hierarchical precision and recall: how much of the way to the right category was right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from fuzzytruth.core.segments import offsets_of, ragged
from fuzzytruth.data.assignments import Assignments
from fuzzytruth.data.subtree_weights import ancestor_matrix
from fuzzytruth.errors import DataError, choice
from fuzzytruth.evaluation.class_scores import Answers

if TYPE_CHECKING:
    import pandas as pd

Average = Literal["micro", "macro"]


def hierarchical_scores(
    truth: Assignments, answers: Any, *, average: Average = "micro"
) -> pd.DataFrame:
    """Expected hierarchical precision, recall and F1 of the categories a system gives to items.

    An answer and a vote each stand for their categories and all above, the root left out; what they
    share counts. In expectation over worlds in which each item draws one of its votes.

    Parameters
    ----------
    truth : Assignments
        Without an `asked` table.
    answers : DataFrame
        Columns item, category and, optionally, system.
    average : {"micro", "macro"}
        Sums over all items before dividing (recall then divides the expected overlap by the
        expected number of categories), or the mean over items of each one's expected share, which
        is an expectation in the strict sense.

    Returns
    -------
    DataFrame
        system, items, precision, recall, f1 (harmonic mean of the two), each in [0, 1]. An answer
        or vote of only the root has nothing to share: its share is 0.

    Raises
    ------
    DataError
        The votes have an `asked` table.

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
    if truth.asked is not None:
        raise DataError(
            "hierarchical_scores: subjects were asked about some categories only, so that their "
            "votes are no shares of one whole"
        )
    rows = Answers.of(answers, truth.membership())
    rows_out = []
    overlap = _Overlap.of(truth, rows)
    for s, system in enumerate(rows.systems):
        precision, recall = overlap.of_system(s, average)
        total = precision + recall
        f1 = 2 * precision * recall / total if total > 0 else 0.0
        n = int((overlap.system == s).sum())
        rows_out.append((system, n, precision, recall, f1))
    return pd.DataFrame(rows_out, columns=["system", "items", "precision", "recall", "f1"])


@dataclass(frozen=True, slots=True, eq=False)
class _Overlap:
    """For each answered (system, item): expected overlaps and sizes."""

    system: Any
    shared: Any  # expected number of categories shared
    answered: Any  # categories the answer stands for
    voted: Any  # expected number that the vote stands for
    recalled: Any  # expected share of the vote's categories that are shared

    @classmethod
    def of(cls, truth: Assignments, rows: Answers) -> _Overlap:
        from scipy.sparse import csr_array

        n_items, n = len(truth.items), len(truth.taxonomy)
        up = ancestor_matrix(truth.taxonomy)
        up = up[:, np.arange(1, n)]  # the root, which comes first, says nothing
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
        share = np.zeros(len(common))
        np.divide(common, of_vote, out=share, where=of_vote > 0)
        sums = [np.bincount(pair, weights=weight * x) for x in (common, of_vote, share)]
        answered = np.diff(stands.indptr).astype(np.float64)
        return cls(system, sums[0], answered, sums[1], sums[2])

    def of_system(self, system: int, average: Average) -> tuple[float, float]:
        """Precision and recall."""
        mine = self.system == system
        shared, answered = self.shared[mine], self.answered[mine]
        if average == "micro":
            voted = self.voted[mine].sum()
            precision = shared.sum() / answered.sum() if answered.sum() else 0.0
            return float(precision), float(shared.sum() / voted) if voted else 0.0
        share = np.zeros(len(shared))
        np.divide(shared, answered, out=share, where=answered > 0)
        return float(share.mean()), float(self.recalled[mine].mean())
