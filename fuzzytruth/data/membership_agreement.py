"""How much the subjects of votes agree: the part of `Membership` that says it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core import shares
from fuzzytruth.core.label_sets import LabelSets
from fuzzytruth.core.segments import run_lengths
from fuzzytruth.core.shares import Slots, pair_agreement, slot_totals
from fuzzytruth.data.repeats import agreement_of_repeats
from fuzzytruth.data.votes import Votes
from fuzzytruth.errors import DataError
from fuzzytruth.io.columns import take

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.data.taxonomy.taxonomy import Taxonomy
    from fuzzytruth.data.votes import Votes


def ancestor_matrix(taxonomy: Taxonomy) -> Any:
    """Each category's ancestors and itself, as a sparse array of ones: (categories, categories)."""
    from scipy.sparse import csr_array

    ones = np.ones(len(taxonomy.ancestor_of))
    n = len(taxonomy)
    return csr_array((ones, taxonomy.ancestor_of, taxonomy.ancestor_offsets), shape=(n, n))


def csr_of_ones(row: Ints, n_rows: int) -> Any:
    """A sparse array that adds up entries by their row: (rows, entries)."""
    from scipy.sparse import csr_array

    return csr_array((np.ones(len(row)), (row, np.arange(len(row)))), shape=(n_rows, len(row)))


def subtree_weights(
    item: Ints, label_set: Ints, weight: Floats, sets: LabelSets, ancestors: Any, n_items: int
) -> Any:
    """Weight of each item's ballots with a label in each subtree: (items, categories), sparse."""
    from scipy.sparse import csr_array

    reached = sets.members(ancestors.shape[0]) @ ancestors  # (sets, categories)
    reached.data[:] = 1.0  # a ballot counts once, however many of its labels lie in the subtree
    of_sets = csr_array((weight, (item, label_set)), shape=(n_items, len(sets)))
    weights = (of_sets @ reached).tocsr()
    weights.sort_indices()
    return weights


def vote_shares(votes: Votes) -> tuple[Any, Any]:
    """Share of each item's votes in each subtree, and its denominator: (items, categories), sparse.

    The denominator is the weight of those asked; None: of all votes of the item.
    """
    ancestors, n_items = ancestor_matrix(votes.taxonomy), len(votes.items)
    share = subtree_weights(
        votes.item, votes.label_set, votes.weight, votes.sets, ancestors, n_items
    )
    if votes.asked is None:
        total = np.bincount(votes.item, weights=votes.weight, minlength=n_items)
        share.data /= np.repeat(total, np.diff(share.indptr))
        return share, None
    asked = votes.asked
    # Asked ballots are those of the votes, in the same order, and have their weights.
    mass = subtree_weights(
        asked.item, asked.label_set, votes.weight, asked.sets, ancestors, n_items
    )
    return divide_entries(share, mass), mass


def entries_at(table: Any, row: Ints, column: Ints) -> Floats:
    """The entries of a sparse array at some cells: (cells,)."""
    if not len(row):
        return np.empty(0)
    return np.asarray(table.tocsr()[row, column], dtype=np.float64).ravel()


def divide_entries(numerator: Any, denominator: Any) -> Any:
    """Divide sparse arrays entry by entry; the denominator is above 0 where the numerator is."""
    inverse = denominator.copy()
    inverse.data = 1.0 / inverse.data
    quotient = (numerator * inverse).tocsr()  # entry by entry
    quotient.sort_indices()
    return quotient


# How often subjects agree on an item, with each other or with themselves.


def vote_agreement(votes: Votes, slots: Slots) -> Floats:
    """Share of the pairs of an item's voters who agree; see `Membership.agreement`: (items,)."""
    _check_voters(votes)
    if votes.subjects is None:
        return pair_agreement(slot_totals(slots, votes.weight))
    part = 1.0 / run_lengths(_cells_of(votes))  # of the subject's vote on the item
    key, which = np.unique(
        slots.of_ballot * len(votes.subjects) + votes.subject, return_inverse=True
    )
    given = np.bincount(which.reshape(-1), weights=part).astype(np.float64)
    given_to = Slots(slots.option, key // len(votes.subjects))
    return pair_agreement(slot_totals(given_to, given), slot_totals(given_to, given**2))


def category_agreement(votes: Votes) -> Floats:
    """Specific agreement of each category; see `Membership.category_agreement`: (categories,)."""
    _check_voters(votes)
    ancestors, n_items = ancestor_matrix(votes.taxonomy), len(votes.items)
    if votes.subjects is None:  # each person gave one category
        given = subtree_weights(
            votes.item, votes.label_set, votes.weight, votes.sets, ancestors, n_items
        )
        voters, squares = np.bincount(votes.item, weights=votes.weight, minlength=n_items), given
    else:
        cells, cell = np.unique(_cells_of(votes), return_inverse=True)
        item = cells // len(votes.subjects)
        part = 1.0 / run_lengths(_cells_of(votes))
        of_cells = subtree_weights(
            cell.reshape(-1), votes.label_set, part, votes.sets, ancestors, len(cells)
        )
        add = csr_of_ones(item, n_items)
        given, squares = add @ of_cells, add @ of_cells.power(2)
        voters = np.bincount(item, minlength=n_items)
    same = np.asarray((given.power(2) - squares).sum(axis=0)).ravel()
    pairs: Floats = given.T @ (voters - 1.0)
    out = np.full(len(votes.taxonomy), np.nan)
    np.divide(same, pairs, out=out, where=pairs > 0)
    return out


def _cells_of(votes: Votes) -> Ints:
    """A number for each pair of an item and a subject, ascending: (ballots,)."""
    assert votes.subjects is not None
    return votes.item * len(votes.subjects) + votes.subject


def _check_voters(votes: Votes) -> None:
    """Raise unless votes are those of people."""
    if votes.subjects is None and not votes.are_counts:
        raise DataError(
            "agreement: probabilities do not say how many people voted; give numbers of votes "
            "(Assignments.from_counts)"
        )


def self_agreement(votes: Votes) -> pd.DataFrame:
    """Share of agreeing pairs of repetitions by subject; see `Assignments.self_agreement`."""
    subjects = votes.named("self_agreement")
    if votes.repeats is None:
        raise DataError(
            "self_agreement: no subject judged an item repeatedly; name the repetitions in a "
            "column 'repeat'"
        )
    return agreement_of_repeats(
        take(subjects, votes.subject),
        [take(votes.items, votes.item)],
        votes.label_set.astype(np.float64),
    )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class VoteAgreement:
    """Agreement on items and on categories; the fields are those of `Membership`."""

    votes: Votes
    share: Any
    mass: Any
    slots: shares.Slots
    direct_share: Floats

    @property
    def taxonomy(self) -> Taxonomy:
        """The categories."""
        return self.votes.taxonomy

    @property
    def items(self) -> tuple[str, ...]:
        """Ids of the items, in order of first appearance."""
        return tuple(self.votes.items.to_pylist())

    def entropy(self) -> pd.Series[float]:
        """Entropy, in bits, of each item's direct shares; 0 where all subjects agree."""
        self._needs_whole("entropy")
        return self._series(shares.entropy(self.direct_share), "entropy")

    def agreement(self) -> pd.Series[float]:
        """Share of the pairs of an item's subjects who agree; NaN where there is only one subject.

        Weights do not count. Averaged over items this is the observed agreement of Fleiss (1971).
        Of repeated judgments, each subject's counts by its share among that subject's.

        Raises
        ------
        DataError
            These are probabilities, or there is an `asked` table.
        """
        self._needs_whole("agreement")
        return self._series(vote_agreement(self.votes, self.slots), "agreement")

    def category_agreement(self) -> pd.Series[float]:
        """Specific agreement of each category: how often others follow a vote for it.

        Of the pairs of one subject who places an item in the category (or below it) and another
        who voted on the item, the share in which the other places it there, too. The root's is 1.
        Weights do not count; of repeated judgments, each subject's counts by its share.

        Returns
        -------
        Series
            By category, in [0, 1]; NaN where nobody gave the category to an item with two voters.

        Raises
        ------
        DataError
            These are probabilities, or there is an `asked` table.

        References
        ----------
        Fleiss 1981, Statistical Methods for Rates and Proportions, section 13.1 (for two raters:
        Dice 1945).

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> votes = ft.Assignments.from_columns(
        ...     list("stu") * 2, ["a"] * 3 + ["b"] * 3, ["cat", "cat", "dog", "dog", "dog", "dog"])
        >>> votes.membership().category_agreement()[["cat", "dog"]].round(3).to_dict()
        {'cat': 0.5, 'dog': 0.75}
        """
        import pandas as pd

        self._needs_whole("agreement")
        index = pd.Index(self.taxonomy.nodes, name="category")
        return pd.Series(category_agreement(self.votes), index=index, name="agreement")

    def _series(self, values: Floats, name: str) -> pd.Series[float]:
        import pandas as pd

        return pd.Series(values, index=pd.Index(self.items, name="item"), name=name)

    def _needs_whole(self, what: str, instead: str = "") -> None:
        """Raise if votes on an item are answers to different questions."""
        if self.mass is not None:
            raise DataError(
                f"subjects were asked about some categories only, so that there are no {what}: "
                f"votes about different categories are not shares of one whole{instead}"
            )
