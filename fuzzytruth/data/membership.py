"""How much the subjects of votes agree: the part of `Membership` that says it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes, Floats
from fuzzytruth.core import shares
from fuzzytruth.core.validation import option_flag
from fuzzytruth.data import vote_shares
from fuzzytruth.data.by_example import TruthsOfVotes
from fuzzytruth.data.category_table import votes_of_numbers
from fuzzytruth.data.taxonomy import Taxonomy
from fuzzytruth.data.votes import Votes
from fuzzytruth.errors import DataError, counted, shown
from fuzzytruth.io.ids import take
from fuzzytruth.plots.frames import PlotData, headed
from fuzzytruth.show.answer import Column, Parts, Result, Sentences, Table
from fuzzytruth.show.answer_rows import short_id

_MOST_ITEMS = _MOST_CATEGORIES = 8  # that are printed
_OF_AN_ITEM = 3  # categories that are printed


def of_which(votes: Votes, row: int) -> str:
    """What p of one item, by its row, is made of: "shares of 10 votes"."""
    of_item = votes.item == row
    if votes.subjects is not None:
        return f"shares of {counted(int(of_item.sum()), 'vote')}"
    if not votes.are_counts:
        return "probabilities as given"
    n = float(votes.weight[of_item].sum())
    return f"shares of {n:,.10g} {'vote' if n == 1 else 'votes'}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Membership(Result, TruthsOfVotes):
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

    votes: Votes
    share: Any
    mass: Any
    slots: shares.Slots
    direct_share: Floats

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
        ids, where, column = (items, categories), "matrix", "probability"
        return make_membership(
            votes_of_numbers(Votes, matrix, ids, taxonomy, columns, where=where, column=column)
        )

    def __repr__(self) -> str:
        n_items, n_categories = self.share.shape
        return f"Membership({counted(n_items, 'item')} × {counted(n_categories, 'category')})"

    def _title(self) -> str:
        votes, whose = self.votes, "probabilities as given"
        if votes.subjects is not None:
            whose = f"{counted(len(votes), 'vote')} by {counted(len(votes.subjects), 'subject')}"
        elif votes.are_counts:
            whose = counted(len(votes), "vote")
        return (
            f"p(category | item) of {counted(len(self.items), 'item')} and "
            f"{self.taxonomy.size_text}: {whose}"
        )

    def _parts(self) -> Parts:
        """The most disputed items, and the sizes of categories."""
        yield self._disputed_items()
        yield self._largest_categories()
        yield Sentences.of(
            "p: the share of the item's votes for the category or one below it. Expected items: "
            "the sum of p over the items. The root is left out.",
            "More: .to_frame(tidy=True), .to_text(item), .sizes(), .entropy(), .agreement()",
        )

    def _disputed_items(self) -> Table:
        """The items of the largest entropy, or the first, with their most probable categories."""
        n, columns = len(self.votes.items), []
        which = np.arange(min(n, _MOST_ITEMS))
        title = f"The first {len(which)} of {counted(n, 'item')}"
        if self.mass is None:
            entropy = shares.entropy(self.direct_share)
            which = np.argsort(-entropy, kind="stable")[:_MOST_ITEMS]
            title = f"The {len(which)} most disputed of {counted(n, 'item')}"
            columns = [Column("entropy (bits)", tuple(f"{value:.2f}" for value in entropy[which]))]
        items = take(self.votes.items, which).to_pylist()
        best = map(self._best_categories, which.tolist())
        labels = (
            Column.label("item", map(short_id, items)),
            Column.label("p of its categories", best),
        )
        return Table((*labels, *columns), title)

    def _best_categories(self, row: int) -> str:
        """The most probable categories of an item, but for the root."""
        start, stop = self.share.indptr[row : row + 2]
        code, p = self.share.indices[start:stop], self.share.data[start:stop]
        order = np.lexsort((code, -p))
        order = order[code[order] != 0]
        nodes = self.taxonomy.nodes
        named = [f"{short_id(nodes[code[j]])} {p[j]:.2f}" for j in order[:_OF_AN_ITEM]]
        if len(order) > _OF_AN_ITEM:
            named.append(f"{len(order) - _OF_AN_ITEM:,} more")
        return ", ".join(named) or "none"

    def _largest_categories(self) -> Table | None:
        """The largest categories by the expected number of items."""
        size = np.asarray(self.share.sum(axis=0)).ravel()
        n = len(size) - 1
        if not n:
            return None
        order = np.argsort(-size[1:], kind="stable")[:_MOST_CATEGORIES] + 1
        columns = (
            Column.label("category", (short_id(self.taxonomy.nodes[c]) for c in order)),
            Column("expected items", tuple(f"{size[c]:,.1f}" for c in order)),
        )
        most = f"The {_MOST_CATEGORIES} largest of {n:,} categories"
        return Table(columns, most if n > _MOST_CATEGORIES else "")

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
        return self._series(vote_shares.vote_agreement(self.votes, self.slots), "agreement")

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
        self._needs_whole("agreement")
        index = pd.Index(self.taxonomy.nodes, name="category")
        return pd.Series(vote_shares.category_agreement(self.votes), index=index, name="agreement")

    def _series(self, values: Floats, name: str) -> pd.Series[float]:
        return pd.Series(values, index=pd.Index(self.items, name="item"), name=name)

    def _needs_whole(self, what: str, instead: str = "") -> None:
        """Raise if votes on an item are answers to different questions."""
        if self.mass is not None:
            raise DataError(
                f"subjects were asked about some categories only, so that there are no {what}: "
                f"votes about different categories are not shares of one whole{instead}"
            )

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
        if option_flag("tidy", tidy):
            cells = (self.share if self.mass is None else self.mass).tocoo()
            cells.data = vote_shares.entries_at(self.share, cells.row, cells.col)
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
        gap = vote_shares.entries_at(self.share, row, child) - vote_shares.entries_at(
            self.share, row, parent
        )
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
        above, below = vote_shares.prior_votes(self.taxonomy, prior)
        cells = self.share.tocoo()
        mass = self._masses(cells)
        yes = cells.data * mass
        out = self._tidy(cells)
        out["mean"], out["lower"], out["upper"] = vote_shares.credible_intervals(
            above[cells.col] + yes, below[cells.col] + mass - yes, level
        )
        return out

    def _masses(self, cells: Any) -> Floats:
        """The denominator of p in some cells: (cells,)."""
        if self.mass is not None:
            return vote_shares.entries_at(self.mass, cells.row, cells.col)
        votes = self.votes
        total = np.bincount(votes.item, weights=votes.weight, minlength=len(votes.items))
        of_cells: Floats = total[cells.row]
        return of_cells

    def _tidy(self, cells: Any) -> pd.DataFrame:
        """One row for each of some probabilities (COO)."""
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
        frame["std_error"], frame["lower"], frame["upper"] = vote_shares.bootstrap_errors(
            self.votes, cells, n_resamples=n_resamples, level=level, rng=rng
        )
        return frame

    def to_text(self, item: str, *, full: bool = False, number: str = ".3g") -> str:
        """One item's probabilities as a text tree, of the categories that have some.

        Parameters
        ----------
        item : str
        full : bool
            Whether to show all categories, those of probability 0, too; those that nobody was asked
            about without a number.
        number : str
            Format of the probabilities, as in ``format(p, number)``.

        Raises
        ------
        DataError
            Nobody voted on the item.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> tax = ft.Taxonomy.from_nested({"all": {"animal": ["cat", "dog"], "car": {}}})
        >>> votes = ft.Assignments.from_columns(
        ...     list("stu"), ["i"] * 3, ["cat", "cat", "animal"], taxonomy=tax)
        >>> print(votes.membership().to_text("i"))
        all          1
        └── animal   1
            └── cat  0.667
        """
        p = self.of_item(item)
        known = {name: value for name, value in p.items() if value == value}
        if option_flag("full", full):
            return self.taxonomy.to_text(known, number=number)
        # A category has the votes of those below it, so that these have none if it has none.
        above = [name for name in known if known[name] > 0 or name == self.taxonomy.root]
        tree = self.taxonomy.prune(set(p).difference(above))
        return tree.to_text({name: known[name] for name in above}, number=number)

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
        >>> import fuzzytruth as ft
        >>> votes = ft.Assignments.from_columns(list("stu"), ["i"] * 3, ["cat", "cat", "dog"])
        >>> ax = votes.membership().plot("i")
        >>> ax.get_title(loc="left"), sorted(text.get_text() for text in ax.texts)[:2]
        ('p(category | item i), shares of 3 votes', ['0.33', '0.67'])
        """
        values = {name: p for name, p in self.of_item(item).items() if p == p}
        options["title"] = headed(self._plot_title(item), options.get("title", True))
        return self.taxonomy.plot(values, ax, kind=kind, **options)

    def _plot_title(self, item: str) -> str:
        return f"p(category | item {item}), {of_which(self.votes, self._row(item))}"

    _figures: ClassVar[tuple[str, ...]] = ("tree", "tree_bars")

    def _plot_data(self, figure: str, item: str) -> PlotData:
        """Edges, and one item's probabilities, of `plots.tree` and `plots.tree_bars`."""
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
    share, mass = vote_shares.shares_of_votes(votes)
    slots = shares.make_slots(votes.item, votes.label_set, len(votes.items))
    return Membership(votes, share, mass, slots, shares.slot_shares(slots, votes.weight))
