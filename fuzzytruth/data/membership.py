"""Membership: the probability that an item belongs to a category, estimated from votes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core import shares
from fuzzytruth.core.clusters import subject_resamples
from fuzzytruth.core.label_sets import LabelSets
from fuzzytruth.core.randomness import entropy_of
from fuzzytruth.core.segments import ragged
from fuzzytruth.core.validation import (
    between_zero_and_one,
    number,
    numbers,
    option_flag,
    probability,
    whole_number,
)
from fuzzytruth.data.by_example import (
    ByExample,
    ByItem,
    ItemRelevance,
    Relevance,
    make_by_example,
    make_by_item,
)
from fuzzytruth.data.category_table import CategoryTable
from fuzzytruth.data.membership_agreement import (
    VoteAgreement,
    ancestor_matrix,
    entries_at,
    vote_shares,
)
from fuzzytruth.data.votes import Votes
from fuzzytruth.errors import DataError, LostVotesWarning, OptionError, counted, shown, warn
from fuzzytruth.show.answer import Column, Printed, Result, Sentences, Table
from fuzzytruth.show.answer_rows import short_id

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from fuzzytruth.data.taxonomy.taxonomy import Taxonomy
    from fuzzytruth.plots.frames import PlotData


_NUMBERS = 1 << 22  # numbers in memory at a time


def bootstrap_errors(
    votes: Votes, cells: Any, *, n_resamples: int, level: float, rng: Any
) -> tuple[Floats, Floats, Floats]:
    """Standard errors and intervals of membership probabilities; see `Membership.resampled`.

    Parameters
    ----------
    votes : Votes
    cells : sparse array in COO format, (items, categories)
        The probabilities.

    Returns
    -------
    std, lower, upper : (cells,) float
        In the order of the stored cells; NaN where fewer than two subjects voted (or were asked).
    """
    whole_number("n_resamples", n_resamples, 2)
    confidence = between_zero_and_one("level", level)
    n_subjects = len(votes.named("resampled"))
    if n_subjects < 2:
        raise DataError("resampling subjects needs at least two of them; there is one")
    seed = np.random.SeedSequence(entropy_of(rng))
    weight, draws, _ = subject_resamples(n_subjects, n_resamples, seed)
    yes, mass = _weights_by_subject(votes, cells)
    subjects = np.diff(mass.indptr)  # (cells,): how many voted, or were asked
    std = _standard_deviations(cells.data, (yes, mass), weight, draws)
    std *= np.sqrt(subjects / np.maximum(subjects - 1, 1))
    std[subjects < 2] = np.nan
    return std, *_interval(cells.data, std, subjects, confidence)


def _interval(p: Floats, std: Floats, subjects: Ints, level: float) -> tuple[Floats, Floats]:
    """Clopper and Pearson's interval for the number of independent subjects with this error."""
    from scipy.stats import beta

    n = subjects.astype(np.float64)
    np.divide(p * (1 - p), std**2, out=n, where=(std > 0) & (p < 1))
    n = np.minimum(n, subjects)
    hits, tail = p * n, (1 - level) / 2
    lower = np.where(hits > 0, beta.ppf(tail, np.maximum(hits, 1e-12), n - hits + 1), 0.0)
    rest = np.maximum(n - hits, 1e-12)
    upper = np.where(n - hits > 1e-9, beta.ppf(1 - tail, hits + 1, rest), 1.0)
    unknown = subjects < 2
    return np.where(unknown, np.nan, lower), np.where(unknown, np.nan, upper)


def _standard_deviations(
    p: Floats, tables: tuple[Any, Any], weight: Floats, draws: Floats
) -> Floats:
    """Standard deviation of each p over resamples, of which each has a weight: (cells,)."""
    yes, mass = tables
    std, lost = np.empty(len(p)), 0
    step = max(1, _NUMBERS // len(draws))
    for start in range(0, len(std), step):
        part = slice(start, start + step)
        top, bottom = yes[part] @ draws.T, mass[part] @ draws.T  # (cells, resamples)
        share = np.repeat(p[part, None], len(draws), axis=1)  # p itself where no vote is left
        np.divide(top, bottom, out=share, where=bottom > 0)
        lost += int((bottom <= 0).sum())
        share -= p[part, None]  # exactly 0 where all agree
        mean = share @ weight
        std[part] = np.sqrt((share - mean[:, None]) ** 2 @ weight)
    if lost:
        warn(
            f"no vote left in a resample for {lost:,} of "
            f"{counted(len(p) * len(draws), 'probability')}, as few "
            "subjects judged "
            "the item; these are left unchanged there, so that errors are too small",
            LostVotesWarning,
        )
    return std


def _weights_by_subject(votes: Votes, cells: Any) -> tuple[Any, Any]:
    """Each subject's part of the numerator and the denominator of p: both (cells, subjects)."""
    from scipy.sparse import csr_array

    n_labels = len(votes.taxonomy)
    key = cells.row.astype(np.int64) * n_labels + cells.col
    order = np.argsort(key)
    shape = (len(key), len(votes.named("resampled")))
    ancestors = ancestor_matrix(votes.taxonomy)

    def table(item: Ints, subject: Ints, sets: LabelSets, label_set: Ints) -> Any:
        reached = (sets.members(n_labels) @ ancestors).tocsr()
        ballot, member = ragged(reached.indptr, label_set)
        ballot_key = item[ballot] * n_labels + reached.indices[member]
        place = np.searchsorted(key, ballot_key, sorter=order)
        cell = order[np.minimum(place, len(key) - 1)]
        is_cell = key[cell] == ballot_key
        coordinates = (cell[is_cell], subject[ballot[is_cell]])
        return csr_array((votes.weight[ballot[is_cell]], coordinates), shape=shape)

    yes = table(votes.item, votes.subject, votes.sets, votes.label_set)
    asked = votes.asked
    if asked is not None:
        return yes, table(asked.item, asked.subject, asked.sets, asked.label_set)
    of_item = csr_array(
        (votes.weight, (votes.item, votes.subject)), shape=(len(votes.items), shape[1])
    )
    return yes, of_item[cells.row]


# What is printed of memberships of items in categories.


MOST_ITEMS = 8
MOST_CATEGORIES = 8
_OF_AN_ITEM = 3  # categories


def membership_answer(votes: Votes, share: Any, entropy: Floats | None) -> Printed:
    """What `print` shows: the most disputed items, and the sizes of categories.

    Parameters
    ----------
    votes : Votes
    share : sparse array, (items, categories)
    entropy : (items,) float or None
        Of the votes on each item; None where these are not shares of one whole.
    """
    n_items, n_categories = share.shape
    return Printed.of(
        f"p(category | item) of {counted(n_items, 'item')} and "
        f"{counted(n_categories, 'category')}: {_whose(votes)}",
        _items(votes, share, entropy),
        _sizes(votes, share),
        Sentences.of(
            "p: the share of the item's votes for the category or one below it. Expected items: "
            "the sum of p over the items. The root is left out.",
            "More: .to_frame(tidy=True), .of_item(item), .sizes(), .entropy(), .agreement()",
        ),
    )


def _whose(votes: Votes) -> str:
    """What p is made of."""
    if votes.subjects is not None:
        return f"{counted(len(votes), 'vote')} by {counted(len(votes.subjects), 'subject')}"
    return counted(len(votes), "vote") if votes.are_counts else "probabilities as given"


def of_which(votes: Votes, row: int) -> str:
    """What p of one item, by its row, is made of: "shares of 10 votes"."""
    of_item = votes.item == row
    if votes.subjects is not None:
        return f"shares of {counted(int(of_item.sum()), 'vote')}"
    if not votes.are_counts:
        return "probabilities as given"
    n = float(votes.weight[of_item].sum())
    return f"shares of {n:,.10g} {'vote' if n == 1 else 'votes'}"


def _items(votes: Votes, share: Any, entropy: Floats | None) -> Table:
    """The items of the largest entropy, or the first, with their most probable categories."""
    n = share.shape[0]
    which = np.arange(min(n, MOST_ITEMS))
    title = f"The first {len(which)} of {counted(n, 'item')}"
    columns = []
    if entropy is not None:
        which = np.argsort(-entropy, kind="stable")[:MOST_ITEMS]
        title = f"The {len(which)} most disputed of {counted(n, 'item')}"
        columns = [Column("entropy (bits)", tuple(f"{value:.2f}" for value in entropy[which]))]
    rows = which.tolist()
    return Table(
        (
            Column.label("item", (short_id(votes.items[row].as_py()) for row in rows)),
            Column.label("p of its categories", (_categories(votes, share, row) for row in rows)),
            *columns,
        ),
        title,
    )


def _categories(votes: Votes, share: Any, row: int) -> str:
    """The most probable categories of an item, but for the root."""
    start, stop = share.indptr[row : row + 2]
    code, p = share.indices[start:stop], share.data[start:stop]
    order = np.lexsort((code, -p))
    order = order[code[order] != 0]
    nodes = votes.taxonomy.nodes
    named = [f"{short_id(nodes[code[j]])} {p[j]:.2f}" for j in order[:_OF_AN_ITEM]]
    if len(order) > _OF_AN_ITEM:
        named.append(f"{len(order) - _OF_AN_ITEM:,} more")
    return ", ".join(named) or "none"


def _sizes(votes: Votes, share: Any) -> Table | None:
    """The largest categories by the expected number of items."""
    size = np.asarray(share.sum(axis=0)).ravel()
    order = np.argsort(-size[1:], kind="stable")[:MOST_CATEGORIES] + 1
    n = len(size) - 1
    if not n:
        return None
    title = f"The {MOST_CATEGORIES} largest of {n:,} categories" if n > MOST_CATEGORIES else ""
    return Table(
        (
            Column.label("category", (short_id(votes.taxonomy.nodes[c]) for c in order)),
            Column("expected items", tuple(f"{size[c]:,.1f}" for c in order)),
        ),
        title,
    )


# Posterior of membership probabilities, given a prior and votes.


_MOST = 1e12  # prior votes


def prior_votes(taxonomy: Taxonomy, prior: float | tuple[float, float]) -> tuple[Floats, Floats]:
    """Prior votes for and against each category; see `Membership.posterior`."""
    n = len(taxonomy)
    if (numbers("prior", prior) > _MOST).any():
        raise OptionError(f"prior={prior!r}: must be {_MOST:g} or less")
    if isinstance(prior, tuple):
        a, b = (number("prior", part) for part in prior)
        if a <= 0 or b <= 0:
            raise OptionError(f"prior={prior!r}: both numbers must be above 0")
        return np.full(n, a), np.full(n, b)
    weight = number("prior", prior)
    if weight <= 0:
        raise OptionError(f"prior={prior!r}: must be above 0")
    above = weight * np.diff(taxonomy.descendant_offsets) / n
    return above, weight - above


def credible_intervals(a: Floats, b: Floats, level: float) -> tuple[Floats, Floats, Floats]:
    """Mean and central interval of Beta(a, b); 1 where b is 0."""
    from scipy.stats import beta

    tail = (1 - probability("level", level)) / 2
    certain = b <= 0
    b = np.where(certain, 1.0, b)
    mean = np.where(certain, 1.0, a / (a + b))
    lower = np.where(certain, 1.0, beta.ppf(tail, a, b))
    upper = np.where(certain, 1.0, beta.ppf(1 - tail, a, b))
    return mean, lower, upper


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Membership(Result, VoteAgreement):
    """p(category | item): the share of the item's votes that lie in the category's subtree.

    A vote for a category is also one for each category above it; a subject who gave an item several
    categories counts once for each. With an `asked` table, the denominator of a category is the
    subjects who were asked about it or one below it, so that the root may have less than 1, and a
    parent less than its child.

    Parameters
    ----------
    votes : Assignments or Votes
        The votes it was estimated from, or probabilities in their place.
    share : sparse array, (items, categories)
        p, stored where above 0.
    mass : sparse array, (items, categories), or None
        The denominator of p, with an `asked` table. None: the weight of all votes of the item.
    slots : Slots
        The distinct label sets of each item.
    direct_share : (items, slots) float
        The share of each of them in the item's votes.

    References
    ----------
    Santini, "Benchmarking without ground truth", section 4, eqs. (6) to (9).
    """

    @classmethod
    def from_probabilities(
        cls,
        matrix: Any,
        *,
        items: Iterable[Any] | None = None,
        categories: Iterable[Any] | None = None,
        taxonomy: Taxonomy | None = None,
        columns: Mapping[str, Any] | None = None,
    ) -> Membership:
        """Take soft labels, the probabilities of categories of each item, for shares of votes.

        Parameters
        ----------
        matrix : array, table or path
            Items × categories, each row adding up to 1; tables and files as in
            `Assignments.from_counts`, with a column probability.
        items, categories : ids, optional
            Of the rows and columns; by default labels, else numbers from 0. They order labels.
        taxonomy, columns
            As in `Assignments.from_counts`.

        Raises
        ------
        DataError
            A probability is negative, those of an item do not add up to 1 within 1e-6, an id occurs
            twice, or a category is not in the taxonomy.
        OptionError
            `columns` has a name that is not read here.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> soft = ft.Membership.from_probabilities([[.7, .3], [0, 1]], categories=["cat", "dog"])
        >>> ft.evaluate(soft.by_example(["0"]), {"A": {"0": {"1": 1.0}}}, "P@1").values.item()
        0.3
        """
        table = CategoryTable.of(
            matrix,
            items=items,
            categories=categories,
            taxonomy=taxonomy,
            where="matrix",
            column="probability",
            columns=columns,
        )
        return make_membership(table.distributions().votes(Votes, are_counts=False))

    def by_example(
        self,
        queries: Iterable[Any] | None = None,
        *,
        collection: Iterable[Any] | None = None,
        category: Any = None,
        relevance: Relevance = "subtree",
        digits: int | None = None,
        keep_query: bool = False,
    ) -> ByExample:
        """The truth of query by example; see `Assignments.by_example`."""
        return make_by_example(
            self.votes,
            queries=queries,
            collection=collection,
            category=category,
            relevance=relevance,
            digits=digits,
            keep_query=keep_query,
        )

    def by_item(self, *, relevance: ItemRelevance = "exact", digits: int | None = None) -> ByItem:
        """The truth of classifiers, whose queries are items; see `Assignments.by_item`."""
        return make_by_item(self.votes, relevance=relevance, digits=digits)

    def __repr__(self) -> str:
        n_items, n_categories = self.share.shape
        return f"Membership({counted(n_items, 'item')} × {counted(n_categories, 'category')})"

    def _answer(self) -> Printed:
        entropy = None if self.mass is not None else shares.entropy(self.direct_share)
        return membership_answer(self.votes, self.share, entropy)

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
        """P of one category for each item: (items,) float; NaN where nobody was asked."""
        column = self.taxonomy.code(category)
        return self._table(slice(None), slice(column, column + 1))[:, 0]

    def of_item(self, item: str) -> dict[str, float]:
        """P of each category for one item, {category: p}; NaN where nobody was asked."""
        row = self._row(item)
        p = self._table(slice(row, row + 1), slice(None))[0]
        return dict(zip(self.taxonomy.nodes, p.tolist(), strict=True))

    def size(self, category: str) -> float:
        """Expected number of items in the category, eq. (9), of those somebody was asked about."""
        return float(self.share[:, [self.taxonomy.code(category)]].sum())

    def sizes(self) -> pd.Series[float]:
        """Expected number of items in each category."""
        import pandas as pd

        total = np.asarray(self.share.sum(axis=0)).ravel()
        return pd.Series(total, index=pd.Index(self.taxonomy.nodes, name="category"), name="size")

    def direct(self, item: str) -> dict[Any, float]:
        """Shares of the categories named in the item's votes, {category: share}, summing to 1.

        A tuple of categories stands for subjects who gave all of them.

        Raises
        ------
        DataError
            There is an `asked` table: votes on different questions are not shares of one whole.
        """
        self._needs_whole("direct shares")
        row, names = self._row(item), self.votes.set_names()
        option = self.slots.option[row]
        slots = np.flatnonzero(option >= 0)
        return {names[option[k]]: float(self.direct_share[row, k]) for k in slots}

    def to_frame(self, *, tidy: bool = False) -> pd.DataFrame:
        """All probabilities as a table, items × categories.

        Parameters
        ----------
        tidy : bool
            One row a number: item, category, probability. Only where p is above 0, or, with an
            `asked` table, where somebody was asked. Preferable for large taxonomies.
        """
        import pandas as pd

        if option_flag("tidy", tidy):
            cells = (self.share if self.mass is None else self.mass).tocoo()
            cells.data = entries_at(self.share, cells.row, cells.col)
            return self._tidy(cells)
        return pd.DataFrame(
            self._table(slice(None), slice(None)),
            index=pd.Index(self.items, name="item"),
            columns=pd.Index(self.taxonomy.nodes, name="category"),
        )

    def violations(self) -> tuple[int, int]:
        """How often p of a category is less than p of one directly below it, and of how many pairs.

        Pairs of an item and an edge of the taxonomy count if somebody was asked about the lower
        category. Without an `asked` table there are no violations.
        """
        lower = (self.share if self.mass is None else self.mass).tocoo()
        pair, link = self.taxonomy.up.gather(lower.col.astype(np.int64))
        row, child, parent = lower.row[pair], lower.col[pair], self.taxonomy.up.targets[link]
        gap = entries_at(self.share, row, child) - entries_at(self.share, row, parent)
        return int((gap > 1e-12).sum()), len(row)

    def posterior(
        self, *, prior: float | tuple[float, float] = 1.0, level: float = 0.95
    ) -> pd.DataFrame:
        """The posterior of each p, given a prior: the uncertainty from few votes.

        Parameters
        ----------
        prior : float or (float, float)
            A number is the weight, in votes, of a Dirichlet prior spread evenly over all
            categories: p of a category is then Beta with the parts of its subtree and of the rest,
            and p of the root is 1. A pair (a, b) is a Beta prior for each category separately:
            (1, 1) is uniform, (.5, .5) Jeffreys'.
        level : float
            Level of the central credible interval.

        Returns
        -------
        DataFrame
            item, category, probability, mean, lower, upper; one row where p is above 0. Weights
            count as numbers of votes, and subjects as independent. Probabilities count as one vote
            for each item.
        """
        if not isinstance(prior, tuple):
            self._needs_whole("a Dirichlet prior", "; give a Beta prior (a, b)")
        above, below = prior_votes(self.taxonomy, prior)
        cells = self.share.tocoo()
        mass = self._masses(cells)
        yes = cells.data * mass
        out = self._tidy(cells)
        out["mean"], out["lower"], out["upper"] = credible_intervals(
            above[cells.col] + yes, below[cells.col] + mass - yes, level
        )
        return out

    def _masses(self, cells: Any) -> Floats:
        """The denominator of p in some cells: (cells,)."""
        if self.mass is not None:
            return entries_at(self.mass, cells.row, cells.col)
        votes = self.votes
        total = np.bincount(votes.item, weights=votes.weight, minlength=len(votes.items))
        of_cells: Floats = total[cells.row]
        return of_cells

    def _tidy(self, cells: Any) -> pd.DataFrame:
        """One row for each of some probabilities (COO)."""
        import pandas as pd

        return pd.DataFrame(
            {
                "item": np.array(self.items, dtype=object)[cells.row],
                "category": np.array(self.taxonomy.nodes, dtype=object)[cells.col],
                "probability": cells.data,
            }
        )

    def resampled(
        self, *, n_resamples: int = 1000, level: float = 0.95, rng: Any = 0
    ) -> pd.DataFrame:
        """Standard error and interval of each p as an estimate for all subjects, by bootstrap.

        Subjects are drawn with replacement, each with all of their votes; resamples are enumerated
        when few. For a probability from n subjects, deviations are multiplied by √(n / (n - 1)).
        The interval is Clopper and Pearson's for the number of independent subjects that gives this
        standard error, p (1 - p) / SE², at most n (Korn & Graubard 1998); where all agree, it is
        that of n votes out of n.

        Parameters
        ----------
        n_resamples : int
            The most resamples to take.
        level : float
            Confidence level of the interval.
        rng : int, SeedSequence, Generator or None

        Returns
        -------
        DataFrame
            item, category, probability, std_error, lower, upper; one row where p is above 0. NaN
            where a single subject voted (or was asked).

        Raises
        ------
        DataError
            There is only one subject, or nobody is named.

        Warns
        -----
        LostVotesWarning
            In some resamples no vote on an item is left; it keeps its probability there.

        References
        ----------
        Korn, E. L. & Graubard, B. I. (1998), Confidence intervals for proportions with small
        expected number of positive counts estimated from survey data, Survey Methodology 24.
        """
        cells = self.share.tocoo()
        frame = self._tidy(cells)
        frame["std_error"], frame["lower"], frame["upper"] = bootstrap_errors(
            self.votes, cells, n_resamples=n_resamples, level=level, rng=rng
        )
        return frame

    def plot(
        self,
        item: str,
        ax: Axes | None = None,
        *,
        kind: Literal["tree", "bars"] | None = None,
        **options: Any,
    ) -> Axes:
        """Draw the taxonomy with the probabilities of one item.

        Parameters
        ----------
        item : str
        ax : matplotlib Axes, optional
            Axes to draw on; a new figure by default.
        kind : {"tree", "bars"}, optional
            As in `Taxonomy.plot`: by default bars if there are more than 40 categories.
        **options
            Of `plots.tree` or `plots.tree_bars`, such as `labels` and `minimum`.

        Returns
        -------
        matplotlib Axes
            Categories that nobody was asked about have no value.

        Raises
        ------
        DataError
            Nobody voted on the item.

        Examples
        --------
        >>> import matplotlib; matplotlib.use("Agg")
        >>> import fuzzytruth as ft
        >>> votes = ft.Assignments.from_columns(list("stu"), ["i"] * 3, ["cat", "cat", "dog"])
        >>> ax = votes.membership().plot("i")
        >>> ax.get_title(loc="left"), sorted(text.get_text() for text in ax.texts)[:2]
        ('p(category | item i), shares of 3 votes', ['0.33', '0.67'])
        """
        values = {name: p for name, p in self.of_item(item).items() if p == p}
        options = {"title": self._plot_title(item), **options}
        return self.taxonomy.plot(values, ax, kind=kind, **options)

    def _plot_title(self, item: str) -> str:
        return f"p(category | item {item}), {of_which(self.votes, self._row(item))}"

    _figures: ClassVar[tuple[str, ...]] = ("tree", "tree_bars")

    def _plot_data(self, figure: str, item: str) -> PlotData:
        """Edges, and one item's probabilities, of `plots.tree` and `plots.tree_bars`."""
        import pandas as pd

        from fuzzytruth.plots.frames import PlotData

        p = self.of_item(item)
        beside = pd.DataFrame({"category": list(p), "value": list(p.values())})
        return PlotData(self.taxonomy.to_frame(), self._plot_title(item), beside)

    def _row(self, item: str) -> int:
        row = self.votes.items.index(str(item)).as_py()
        if row < 0:
            raise DataError(f"nobody voted on item {shown(item)}")
        return int(row)

    def _table(self, rows: slice, columns: slice) -> Floats:
        """Probabilities of some items and categories; NaN where nobody was asked."""
        out: Floats = self.share[rows, columns].toarray()
        if self.mass is not None:
            out[self.mass[rows, columns].toarray() == 0] = np.nan
        return out


def make_membership(votes: Votes) -> Membership:
    """Share of each item's votes for each category and those below it."""
    share, mass = vote_shares(votes)
    slots = shares.make_slots(votes.item, votes.label_set, len(votes.items))
    return Membership(votes, share, mass, slots, shares.slot_shares(slots, votes.weight))
