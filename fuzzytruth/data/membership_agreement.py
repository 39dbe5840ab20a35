"""How much the subjects of votes agree: the part of `Membership` that says it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fuzzytruth._typing import Floats
from fuzzytruth.core import shares
from fuzzytruth.data.agreement import category_agreement, vote_agreement
from fuzzytruth.data.votes import Votes
from fuzzytruth.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.data.taxonomy.taxonomy import Taxonomy


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
