"""Membership: how probably an item belongs to a category, by the votes of those who judged it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core import shares
from fuzzytruth.core.label_sets import LabelSets
from fuzzytruth.core.validation import number, probabilities
from fuzzytruth.errors import DataError, OptionError, shown

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.data.assignments import Assignments
    from fuzzytruth.data.taxonomy.taxonomy import Taxonomy


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Membership:
    """p(category | item): the share of an item's votes that lie in the category's subtree.

    A vote for a category is one for all above it; a subject who gave an item several categories
    counts once for each. With an `asked` table a category's denominator is the subjects who were
    asked about it or one below it, so that the root need not have 1, nor a parent more than its
    child.

    Parameters
    ----------
    votes : Assignments
        What it was made of.
    share : sparse array, (items, categories)
        p, where above 0.
    mass : sparse array, (items, categories), or None
        Weight of the votes that count for p, with an `asked` table. None: all votes of the item.
    slots : Slots
        Distinct label sets of each item.
    direct_share : (items, slots) float
        Share of each of them in the item's votes.

    References
    ----------
    Santini, "Benchmarking without ground truth", section 4, eqs. (6) to (9).
    """

    votes: Assignments
    share: Any
    mass: Any
    slots: shares.Slots
    direct_share: Floats

    def __repr__(self) -> str:
        n_items, n_categories = self.share.shape
        return f"Membership({n_items:,} items × {n_categories:,} categories)"

    @property
    def taxonomy(self) -> Taxonomy:
        """The categories."""
        return self.votes.taxonomy

    @property
    def items(self) -> tuple[str, ...]:
        """Ids of the items, in order."""
        return tuple(self.votes.items.to_pylist())

    def probability(self, item: str, category: str) -> float:
        """p(category | item), in [0, 1]: the share of votes for the category or one below it.

        Raises
        ------
        DataError
            Nobody voted on the item, or there is no such category, or, with an `asked` table,
            nobody was asked.
        """
        row, column = self._row(item), self.taxonomy.code(category)
        if self.mass is not None and not self.mass[row, column]:
            raise DataError(
                f"nobody was asked whether item {shown(item)} belongs to {shown(category)}"
            )
        return float(self.share[row, column])

    def of_items(self, category: str) -> Floats:
        """Probability of one category for each item: (items,) float, NaN where nobody was asked."""
        column = self.taxonomy.code(category)
        out: Floats = self.share[:, [column]].toarray()[:, 0]
        if self.mass is not None:
            out[self.mass[:, [column]].toarray()[:, 0] == 0] = np.nan
        return out

    def of_item(self, item: str) -> dict[str, float]:
        """All probabilities of one item, {category: p}; NaN where nobody was asked."""
        row = self._row(item)
        p = self.share[[row]].toarray()[0]
        if self.mass is not None:
            p[self.mass[[row]].toarray()[0] == 0] = np.nan
        return dict(zip(self.taxonomy.nodes, p.tolist(), strict=True))

    def size(self, category: str) -> float:
        """Expected number of items in the category, eq. (9); those nobody was asked of have 0."""
        return float(self.share[:, [self.taxonomy.code(category)]].sum())

    def sizes(self) -> pd.Series[float]:
        """Expected number of items in each category."""
        import pandas as pd

        total = np.asarray(self.share.sum(axis=0)).ravel()
        return pd.Series(total, index=pd.Index(self.taxonomy.nodes, name="category"), name="size")

    def direct(self, item: str) -> dict[Any, float]:
        """Shares of the categories that were named, {category: share}, summing to 1.

        A tuple of categories stands for subjects who gave all of them.

        Raises
        ------
        DataError
            There is an `asked` table: votes about different categories are no shares of one whole.
        """
        self._needs_whole("direct shares")
        row, names = self._row(item), self.votes.set_names()
        option = self.slots.option[row]
        there = np.flatnonzero(option >= 0)
        return {names[option[k]]: float(self.direct_share[row, k]) for k in there}

    def entropy(self) -> pd.Series[float]:
        """Entropy in bits of each item's direct shares: 0 where all agree."""
        self._needs_whole("entropy")
        return self._series(shares.entropy(self.direct_share), "entropy")

    def agreement(self) -> pd.Series[float]:
        """For each item the share of pairs of subjects who gave it the same: NaN for one vote.

        Weights do not count. Averaged over items this is the observed agreement of Fleiss (1971).
        """
        self._needs_whole("agreement")
        count = np.bincount(self.slots.of_ballot, minlength=self.slots.option.size)
        votes = count.reshape(self.slots.option.shape).astype(np.float64)
        return self._series(shares.pair_agreement(votes), "agreement")

    def to_frame(self, *, tidy: bool = False) -> pd.DataFrame:
        """All probabilities as a table, items × categories.

        Parameters
        ----------
        tidy : bool
            One row a number instead, item, category, probability, only where p is above 0 (and,
            with an `asked` table, where somebody was asked). Needed for large taxonomies.
        """
        import pandas as pd

        if tidy:
            cells = (self.share if self.mass is None else self.mass).tocoo()
            return pd.DataFrame(
                {
                    "item": np.array(self.items, dtype=object)[cells.row],
                    "category": np.array(self.taxonomy.nodes, dtype=object)[cells.col],
                    "probability": cells_of(self.share, cells.row, cells.col),
                }
            )
        table = self.share.toarray()
        if self.mass is not None:
            table[self.mass.toarray() == 0] = np.nan
        return pd.DataFrame(
            table,
            index=pd.Index(self.items, name="item"),
            columns=pd.Index(self.taxonomy.nodes, name="category"),
        )

    def violations(self) -> tuple[int, int]:
        """How often an item is less probably in a category than in one below it, and of how many.

        Only an `asked` table allows that. Pairs of an item and an edge of the taxonomy count if
        somebody was asked about the lower category.
        """
        lower = (self.share if self.mass is None else self.mass).tocoo()
        pair, link = self.taxonomy.up.gather(lower.col.astype(np.int64))
        row, child, parent = lower.row[pair], lower.col[pair], self.taxonomy.up.targets[link]
        gap = cells_of(self.share, row, child) - cells_of(self.share, row, parent)
        return int((gap > 1e-12).sum()), len(row)

    def posterior(
        self, *, prior: float | tuple[float, float] = 1.0, level: float = 0.95
    ) -> pd.DataFrame:
        """What few votes leave open: the posterior of each p, given a prior.

        Parameters
        ----------
        prior : float or (float, float)
            A number is the weight, in votes, of a Dirichlet prior spread evenly over all
            categories that a vote could name: p of a category is then Beta with the parts of its
            subtree and of the rest, and the root stays at 1. A pair (a, b) is a Beta prior for
            each category by itself: (1, 1) uniform, (.5, .5) Jeffreys.
        level : float
            Of the central interval.

        Returns
        -------
        DataFrame
            item, category, probability, mean, lower, upper: one row where p is above 0. Weights
            count as votes; subjects as independent draws.
        """
        from scipy.stats import beta

        above, below = self._prior(prior)
        cells = self.share.tocoo()
        mass = self._masses(cells)
        yes = cells.data * mass
        a, b = above[cells.col] + yes, below[cells.col] + mass - yes
        tail = (1 - float(probabilities("level", level))) / 2
        out = self.to_frame(tidy=True) if self.mass is None else self.tidy(cells)
        sure = b <= 0
        b = np.where(sure, 1.0, b)
        out["mean"] = np.where(sure, 1.0, a / (a + b))
        out["lower"] = np.where(sure, 1.0, beta.ppf(tail, a, b))
        out["upper"] = np.where(sure, 1.0, beta.ppf(1 - tail, a, b))
        return out

    def _prior(self, prior: float | tuple[float, float]) -> tuple[Floats, Floats]:
        """Prior votes for and against each category."""
        n = len(self.taxonomy)
        if isinstance(prior, tuple):
            a, b = (number("prior", part) for part in prior)
            if a <= 0 or b <= 0:
                raise OptionError(f"prior={prior!r}: both numbers must be above 0")
            return np.full(n, a), np.full(n, b)
        weight = number("prior", prior)
        if weight <= 0:
            raise OptionError(f"prior={prior!r}: must be above 0")
        self._needs_whole("a Dirichlet prior", "; give a Beta prior (a, b)")
        above = weight * np.diff(self.taxonomy.descendant_offsets) / n
        return above, weight - above

    def _masses(self, cells: Any) -> Floats:
        if self.mass is not None:
            return cells_of(self.mass, cells.row, cells.col)
        votes = self.votes
        total = np.bincount(votes.item, weights=votes.weight, minlength=len(votes.items))
        out: Floats = total[cells.row]
        return out

    def tidy(self, cells: Any) -> pd.DataFrame:
        """A row for each of some cells (COO) of `share`."""
        import pandas as pd

        return pd.DataFrame(
            {
                "item": np.array(self.items, dtype=object)[cells.row],
                "category": np.array(self.taxonomy.nodes, dtype=object)[cells.col],
                "probability": cells.data,
            }
        )

    def resampled(
        self, *, n_resamples: int = 1000, level: float = 0.95, rng: Any = None
    ) -> pd.DataFrame:
        """How far p is from that of infinitely many subjects: bootstrap over the subjects.

        Subjects are drawn with replacement, each with all of his or her votes; all ways are gone
        through if they are few. With n subjects behind a probability, deviations are multiplied by
        √(n / (n - 1)). The interval is Clopper and Pearson's for as many independent subjects as
        have this spread, p (1 - p) / SE², n at most (Korn & Graubard): where all agree, it is that
        of n votes out of n.

        Parameters
        ----------
        n_resamples : int
            At most.
        level : float
        rng : int, SeedSequence, Generator or None

        Returns
        -------
        DataFrame
            item, category, probability, std_error, lower, upper: one row where p is above 0. NaN
            where a single subject voted (or was asked).

        Raises
        ------
        DataError
            There is only one subject.

        Warns
        -----
        LostVotesWarning
            In some resamples no vote is left on an item, which then keeps its probability.

        References
        ----------
        Korn, E. L. & Graubard, B. I. (1998), Confidence intervals for proportions with small
        expected number of positive counts estimated from survey data, Survey Methodology 24.
        """
        from fuzzytruth.data.resampled_membership import resample

        return resample(self, n_resamples=n_resamples, level=level, rng=rng)

    def _row(self, item: str) -> int:
        row = self.votes.items.index(str(item)).as_py()
        if row < 0:
            raise DataError(f"nobody voted on item {shown(item)}")
        return int(row)

    def _series(self, values: Floats, name: str) -> pd.Series[float]:
        import pandas as pd

        return pd.Series(values, index=pd.Index(self.items, name="item"), name=name)

    def _needs_whole(self, what: str, instead: str = "") -> None:
        if self.mass is not None:
            raise DataError(
                f"subjects were asked about some categories only, so that there are no {what}: "
                f"votes about different categories are not shares of one whole{instead}"
            )


def make_membership(votes: Assignments) -> Membership:
    """Count the votes of each item for each category and those below it."""
    up = upwards(votes.taxonomy)
    yes = _counted(votes.item, votes.label_set, votes.weight, votes.sets, up, len(votes.items))
    mass = None
    if votes.asked is None:
        total = np.bincount(votes.item, weights=votes.weight, minlength=len(votes.items))
        yes.data /= np.repeat(total, np.diff(yes.indptr))
    else:
        asked = votes.asked
        mass = _counted(
            asked.item, asked.label_set, _weights_of(votes), asked.sets, up, len(votes.items)
        )
        yes = _divided(yes, mass)
    slots = shares.make_slots(votes.item, votes.label_set, len(votes.items))
    return Membership(votes, yes, mass, slots, shares.slot_shares(slots, votes.weight))


def upwards(taxonomy: Taxonomy) -> Any:
    """Each category's ancestors and itself, as a sparse matrix of ones."""
    from scipy.sparse import csr_array

    ones = np.ones(len(taxonomy.ancestor_of))
    n = len(taxonomy)
    return csr_array((ones, taxonomy.ancestor_of, taxonomy.ancestor_offsets), shape=(n, n))


def _counted(
    item: Ints, label_set: Ints, weight: Floats, sets: LabelSets, up: Any, n_items: int
) -> Any:
    """Weight of the ballots of each item with a label in each subtree: (items, categories)."""
    from scipy.sparse import csr_array

    reached = sets.members(up.shape[0]) @ up  # (sets, categories)
    reached.data[:] = 1.0  # a ballot counts once, by however many labels
    cast = csr_array((weight, (item, label_set)), shape=(n_items, len(sets)))
    out = (cast @ reached).tocsr()
    out.sort_indices()
    return out


def _weights_of(votes: Assignments) -> Floats:
    """The weights of the asked ballots, which are those of the votes, in the same order."""
    assert votes.asked is not None
    assert len(votes.asked.item) == len(votes.item)
    return votes.weight


def cells_of(table: Any, row: Ints, column: Ints) -> Floats:
    """The numbers at some places of a sparse array."""
    if not len(row):
        return np.empty(0)
    return np.asarray(table.tocsr()[row, column], dtype=np.float64).ravel()


def _divided(yes: Any, mass: Any) -> Any:
    """Divide yes by mass; wherever somebody voted yes, somebody was asked."""
    inverse = mass.copy()
    inverse.data = 1.0 / inverse.data
    out = (yes * inverse).tocsr()  # element by element
    out.sort_indices()
    return out
