"""Bradley–Terry strengths of items, or of systems, from pairwise preferences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from fuzzytruth import errors, plots
from fuzzytruth._lazy import pd, special
from fuzzytruth._typing import Axes, Bools, Floats, Ints
from fuzzytruth.core.arithmetic import ROUNDING, offsets_of, ragged, segment_of
from fuzzytruth.core.student import quantile
from fuzzytruth.core.validation import between_zero_and_one, option_flag, option_number
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.preferences import Preferences, Ties
from fuzzytruth.errors import choice, counted, first_few, is_among, nearest, require, shown, warn
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.plots.frames import PlotData, Title
from fuzzytruth.show.answer import Parts, Result, Sentences, printed_table
from fuzzytruth.show.answer_rows import short_id
from fuzzytruth.show.number_text import interval_text, level_text, number_text, numbers_format
from fuzzytruth.stats import bradley_terry as model

MOST_ROWS = 16
_MORE = "More: .to_frame(full=True), .differences(), .probability(a, b)"
Scale = Literal["probability", "strength", "rank"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BradleyTerry(Result):
    """Result of `bradley_terry`; the items of a query lie end to end.

    Parameters
    ----------
    queries : tuple of str or None
        None: one model of all comparisons.
    items : tuple of str, (items,)
        The items of each query.
    offsets : (queries + 1,) int
        The items of query j are ``offsets[j]:offsets[j + 1]``.
    strength : (items,) float
        Log-strengths, which add up to 0 in each query.
    covariance : (cells,) float
        Covariance matrices of the queries end to end, each row by row.
    df : (queries,) float
        Degrees of freedom of the intervals; infinite for normal ones.
    comparisons, wins : (items,) float
        Number of comparisons of the item, and of those it won, ties being half.
    level : float
        Confidence level.
    order : OrderEffect or None
        Of being shown first; None: there is no order, or it was left out. See `order_effect`.

    Examples
    --------
    >>> import fuzzytruth as ft, pandas as pd
    >>> votes = pd.DataFrame({
    ...     "query": "q", "item_a": ["x", "x", "y"], "item_b": ["y", "y", "z"],
    ...     "preferred": ["a", "b", "tie"]})
    >>> fit = ft.bradley_terry(votes, prior=1, order_effect=False)
    >>> fit
    BradleyTerry(3 items, 1 query)
    >>> fit.to_judgments().to_frame()["grade"].round(3).tolist()
    [0.5, 0.5, 0.5]
    """

    queries: tuple[str, ...] | None
    items: tuple[str, ...]
    offsets: Ints
    strength: Floats
    covariance: Floats
    df: Floats
    comparisons: Floats
    wins: Floats
    level: float
    order: model.OrderEffect | None = None

    def __repr__(self) -> str:
        parts = [counted(len(set(self.items)), "item")]
        if self.queries is not None:
            parts.append(counted(len(self.queries), "query"))
        return f"BradleyTerry({', '.join(parts)})"

    def _title(self) -> str:
        size = repr(self).partition("(")[2].rstrip(")")
        comparisons = counted(int(self.comparisons.sum() / 2), "comparison")
        return f"Bradley-Terry strengths: {size}, {comparisons}"

    def _parts(self) -> Parts:
        """The items of the first queries, the strongest first."""
        frame = self.to_frame()
        rows, n = frame.head(MOST_ROWS), len(frame)
        style = f"+{numbers_format(rows[['strength', 'lower', 'upper']].to_numpy().ravel(), 3)}"
        level, several = level_text(self.level), self.queries is not None
        of = "items and queries" if several else "items"
        table = printed_table(
            rows,
            {
                "query": ("query", short_id, "label") if several else None,
                "item": ("item", short_id, "label"),
                "strength": ("strength", style),
                ("lower", "upper"): (f"{level} interval", style),
                "comparisons": ("comparisons", "{:g}".format, "extra"),
                "wins": ("wins", "{:g}".format, "extra"),
            },
            title=f"The first {MOST_ROWS} of {n:,} {of}" if n > MOST_ROWS else "",
        )
        law = "normal" if np.isinf(self.df).all() else "Student's t, subjects being clusters,"
        zero = "the average item of its query" if several else "the average item"
        legend = (
            f"Strength: log-odds of being preferred to {zero}, which has 0. Brackets: {law} "
            f"{level} intervals of the strength, over comparisons, not adjusted for the number of "
            "items."
        )
        return [table, Sentences.of(legend, self._order(), _MORE)]

    def _order(self) -> str:
        """How much being shown first matters."""
        order = self.order_effect
        if order is None:
            return ""
        ends = interval_text(
            float(special.expit(order["lower"])), float(special.expit(order["upper"])), 3
        )
        matters = order["lower"] > 0 or order["upper"] < 0  # not where the ends are unknown
        found = "the order matters" if matters else "no effect of the order is shown"
        return (
            "Of two equal items, the one shown first is preferred with probability "
            f"{number_text(order['probability'], 3)} {ends} ({level_text(self.level)}): {found}. "
            "Strengths allow for it; without that, one would be up to "
            f"{number_text(order['largest_move'], 2)} larger or smaller."
        )

    @property
    def order_effect(self) -> dict[str, float] | None:
        """By how much being shown first, on the left, raises an item's log-odds.

        None: not estimated. Keys: value, std_error, lower, upper (confidence interval),
        probability, that the first of two equal items is preferred, and largest_move, by how much
        a strength differs from its estimate without an order effect, at most.
        """
        if self.order is None:
            return None
        value, error, df = self.order.value, float(np.sqrt(self.order.variance)), self.order.df
        half = float(quantile(self.level, np.array([df]))[0]) * error
        return {
            "value": value,
            "std_error": error,
            "lower": value - half,
            "upper": value + half,
            "probability": float(special.expit(value)),
            "largest_move": self.order.largest_move,
        }

    @property
    def std_error(self) -> Floats:
        """Standard error of each strength: (items,)."""
        first, second, cell = self._pairs()
        return np.asarray(np.sqrt(np.maximum(self.covariance[cell[first == second]], 0.0)))

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row an item of a query, the strongest first.

        Columns: query (if there are any), item, strength, lower, upper (confidence interval of the
        strength, of which 0 is the average item of the query), comparisons, wins; with
        ``full=True`` also std_error, after the strength.
        """
        query = segment_of(self.offsets)
        columns = self._query_column(query) | {"item": list(self.items)}
        columns |= self._estimates("strength", self.strength, self.std_error, query)
        columns |= {"comparisons": self.comparisons, "wins": self.wins}
        if not option_flag("full", full):
            del columns["std_error"]
        order = np.lexsort((-self.strength, query))
        return pd.DataFrame(columns).iloc[order].reset_index(drop=True)

    def plot(
        self, ax: Axes | None = None, *, query: str | None = None, title: Title = True
    ) -> Axes:
        """Draw the strength of each item of a query with its interval, the strongest on top.

        Parameters
        ----------
        ax, title
            As in `plots.means`.
        query : str, optional
            Which one, where there are several.

        Raises
        ------
        OptionError
            There is no such query, or none is named of several.

        Examples
        --------
        >>> import fuzzytruth as ft, pandas as pd
        >>> votes = pd.DataFrame({"winner": ["x", "y"], "loser": ["y", "x"]})
        >>> ft.bradley_terry(votes).plot().get_xlabel()
        'log-strength (0: the average item)'
        """
        return plots.means(self, ax, query=query, title=title)

    _figures: ClassVar[tuple[str, ...]] = ("means",)

    def _plot_data(self, figure: str, measure: Any = None, query: str | None = None) -> PlotData:
        """Frame of `plots.means`."""
        self._rows(query)
        table = self.to_frame()
        of = ""
        if self.queries is not None:
            query = self.queries[0] if query is None else query
            table = table[table["query"] == query]
            of = f" of query {query}"
        return PlotData(
            table.rename(columns={"item": "system", "strength": "mean"}).assign(measure="strength"),
            f"Bradley–Terry strengths of {counted(len(table), 'item')}{of} from "
            f"{counted(int(table['comparisons'].sum()) // 2, 'comparison')}\n"
            f"Bars: {level_text(self.level)} intervals, not simultaneous",
            labels={"axis": "log-strength (0: the average item)"},
        )

    def differences(self) -> pd.DataFrame:
        """One row for every two items of a query: the difference of their strengths.

        Columns: query (if there are any), item_a, item_b, difference (of the strengths, a - b),
        std_error, lower, upper (confidence interval, not adjusted for the number of pairs), and
        probability, that a is preferred to b.
        """
        first, second, cell = self._pairs()
        query = segment_of(self.offsets)
        variance = self.std_error**2
        above = first < second
        first, second, cell = first[above], second[above], cell[above]
        spread = variance[first] + variance[second] - 2 * self.covariance[cell]
        difference = self.strength[first] - self.strength[second]
        std_error = np.sqrt(np.maximum(spread, 0.0))
        names = np.array(self.items, dtype=object)
        columns = self._query_column(query[first])
        columns |= {"item_a": names[first], "item_b": names[second]}
        columns |= self._estimates("difference", difference, std_error, query[first])
        return pd.DataFrame(columns | {"probability": special.expit(difference)})

    def probability(self, a: str, b: str, query: str | None = None) -> float:
        """Probability that item `a` is preferred to item `b`, both of the same query.

        Raises
        ------
        OptionError
            There is no such item or query, or a query must be named.
        """
        rows = self._rows(query)
        names = self.items[rows]
        of = "" if self.queries is None else " of this query"
        for name, item in (("a", a), ("b", b)):
            known = is_among(item, names)
            require(name, item, known, f"is not among the items{of}{nearest(str(item), names)}")
        strength = self.strength[rows]
        return float(special.expit(strength[names.index(a)] - strength[names.index(b)]))

    def to_judgments(self, *, scale: Scale = "probability") -> Judgments:
        """The strengths as grades of the items of each query, larger being better.

        Parameters
        ----------
        scale : {"probability", "strength", "rank"}
            "probability", in (0, 1): that the item is preferred to one of strength 0, the average
            of the query. Gains for nDCG. "strength": the log-strength itself, which is negative
            for half of the items, and then not relevant. "rank": number of items of the query that
            are weaker, 0 for the last; equal items count half.

        Raises
        ------
        OptionError
            There are no queries, or no such scale.
        """
        return Judgments.from_columns(
            self._query_of_items("to_judgments"),
            self.items,
            self._on_scale(scale),
            where="Bradley-Terry strengths",
        )

    def to_scores(self, *, scale: Scale = "strength") -> Scores:
        """The strengths as scores, where the items are systems.

        Systems that were not compared for a query have no value there. The strengths of a query are
        relative to the systems compared for it, so that means over queries are fair only if these
        are the same systems; standard errors are not kept.

        Parameters
        ----------
        scale : {"strength", "probability", "rank"}
            See `to_judgments`; it is also the name of the measure.

        Raises
        ------
        OptionError
            There are no queries, or no such scale.
        """
        columns = {
            "system": list(self.items),
            "query": self._query_of_items("to_scores"),
            "value": self._on_scale(scale),
        }
        return Scores.from_frame(pd.DataFrame(columns), measure=scale, higher_is_better=True)

    def _on_scale(self, scale: Scale) -> Floats:
        choice("scale", scale, get_args(Scale))
        if scale == "strength":
            return self.strength.copy()
        if scale == "probability":
            return np.asarray(special.expit(self.strength))
        first, second, _ = self._pairs()
        gap = self.strength[first] - self.strength[second]
        tied: Bools = np.abs(gap) <= ROUNDING * max(1.0, float(np.abs(self.strength).max()))
        weaker = np.where(tied, 0.5, gap > 0) - 0.5 * (first == second)
        return np.bincount(first, weaker, minlength=len(self.items)).astype(np.float64)

    def _pairs(self) -> tuple[Ints, Ints, Ints]:
        """All pairs of items of one query: the items, and the cell of the covariance."""
        size = np.diff(self.offsets)
        query, cell = ragged(offsets_of(size**2), np.arange(len(size)))
        place = cell - offsets_of(size**2)[query]
        start = self.offsets[query]
        return start + place // size[query], start + place % size[query], cell

    def _estimates(
        self, name: str, value: Floats, std_error: Floats, query: Ints
    ) -> dict[str, Floats]:
        """Values with their Wald intervals; infinite where the standard error is unknown."""
        half = quantile(self.level, self.df)[query] * std_error
        half = np.where(np.isnan(std_error), np.inf, half)
        return {name: value, "std_error": std_error, "lower": value - half, "upper": value + half}

    def _query_column(self, query: Ints) -> dict[str, Any]:
        return {} if self.queries is None else {"query": [self.queries[j] for j in query.tolist()]}

    def _rows(self, query: str | None) -> slice:
        """The items of a query."""
        if self.queries is None:
            require("query", query, query is None, "there are no queries; leave it out")
            return slice(None)
        if query is None:
            require("query", query, len(self.queries) == 1, "name a query")
            return slice(None)
        known = is_among(query, self.queries)
        require("query", query, known, f"there is no such query{nearest(str(query), self.queries)}")
        place = self.queries.index(query)
        return slice(int(self.offsets[place]), int(self.offsets[place + 1]))

    def _query_of_items(self, method: str) -> list[str]:
        if self.queries is None:
            raise errors.OptionError(
                f"{method}: the preferences have no column of queries; give them one, such as "
                "frame.assign(query='all')"
            )
        return [self.queries[j] for j in segment_of(self.offsets).tolist()]


# Whether finite Bradley–Terry strengths exist, and otherwise why not.


def check_finite(preferences: Preferences, wins: Any) -> None:
    """Raise unless finite strengths exist in every query.

    Parameters
    ----------
    preferences : Preferences
    wins : sparse array, (items, items)
        Wins of the row's item over the column's.

    Raises
    ------
    DataError
        Some items of a query won, or lost, every comparison with its other items, or were never
        compared with them (Ford 1957).
    """
    strong, weak = model.components(wins)
    offsets = preferences.offsets
    starts, ends = offsets[:-1], offsets[1:]
    spread = np.maximum.reduceat(strong, starts) != np.minimum.reduceat(strong, starts)
    if not spread.any():
        return
    worst = int(np.argmax(spread))
    rows = slice(int(starts[worst]), int(ends[worst]))
    names = np.array(preferences.items[rows], dtype=object)
    place, of, leave = preferences.where, "", ""
    if preferences.queries is not None:
        place = f"{preferences.where}, query {shown(preferences.queries[worst])}"
        of = f" (in {int(spread.sum()):,} of {counted(len(spread), 'query')})"
        leave = (
            f", or leave out the column {shown(preferences.query_column)} for one model of all "
            "comparisons"
        )
    raise errors.DataError(
        f"{place}: {_obstacle(wins, rows, names, strong, weak)}, so that there are no "
        f"finite strengths{of}; give prior=1, which adds half a win and half a loss between every "
        f"two items of a query{leave}"
    )


def _obstacle(wins: Any, rows: slice, names: Any, strong: Ints, weak: Ints) -> str:
    """Why the items `rows` of a query have no finite strengths."""
    part = weak[rows]
    apart = part != part[0]
    if apart.any():
        sides = (first_few(names[side], show=shown) for side in (~apart, apart))
        return "no comparisons connect {} with {}".format(*sides)
    won_over = wins[rows].tocoo()
    own = strong[rows]
    across = own[won_over.row] != strong[won_over.col]
    lost = np.isin(own, strong[won_over.col[across]])  # some comparison with another component
    won = np.isin(own, own[won_over.row[across]])
    outcomes = [("won", names[~lost]), ("lost", names[~won])]
    outcomes.sort(key=lambda outcome: len(outcome[1]))
    if sum(len(some) for _, some in outcomes) == len(names):  # each says what the other does
        del outcomes[1]
    return " and ".join(
        f"{first_few(some, show=shown)} {verb} every comparison with the other items"
        for verb, some in outcomes
    )


Covariance = Literal["independent", "subject"]

_ENOUGH = 4.0  # comparisons per strength, times the squared order effect; found by simulation


def bradley_terry(
    preferences: Any,
    *,
    ties: Ties = "half",
    prior: float = 0.0,
    order_effect: bool = True,
    covariance: Covariance = "independent",
    level: float = 0.95,
    columns: Mapping[str, Any] | None = None,
    drop: Any = (),
) -> BradleyTerry:
    """Estimate Bradley–Terry strengths from pairwise preferences, by maximum likelihood.

    Item i is preferred to item j with probability 1 / (1 + exp(θ_j - θ_i)). The log-strengths θ of
    the items of a query add up to 0. Where columns say which item was shown first (left, item_a,
    model_1, ...), its log-odds are larger by an order effect, the same in all queries. There
    is one model for each query if there is a column of queries, else one of all comparisons. Memory
    grows with the square of the number of items of a query.

    Parameters
    ----------
    preferences : table or path
        A table of any library, as `Judgments.from_frame` takes them, or a file `.csv`, `.tsv`,
        `.json` (a list of records), `.jsonl` or `.parquet`. One row a comparison. Either columns
        winner and loser; or columns left, right (`item_a`, `model_b`, `response_a`, ...) and
        preferred (`winner`, `vote`, ...), which holds the item itself, or "left", "a", the name of
        the column ("model_a") and so on, or "tie", "draw", "neutral", "tie (bothbad)". Optional
        columns: query, subject, and count or weight, the number of comparisons that the row stands
        for.
    ties : {"half", "drop"}
        A tie is half a win for both items; or ties are left out.
    prior : float
        Comparisons added between every two items of a query, half won by each. They draw the
        strengths towards 0, and make them finite if an item won or lost everything.
    order_effect : bool
        Whether the item on the left may be preferred more often, or less, because it was shown
        first: estimated from the comparisons given how often each item won, to the accuracy of a
        saddlepoint, and without the prior, so that many queries of few comparisons hardly bias
        it. False takes the order for irrelevant: if it is not, strengths are wrong where better
        items were shown on one side more often, and a little too small where sides were drawn at
        random. Columns winner and loser say no order.
    covariance : {"independent", "subject"}
        All comparisons are independent: the standard errors are those of a logit model, too wide if
        there are many ties. Or those of one subject vary together: the sandwich estimator clustered
        by subject, times G / (G - 1) for the G subjects of a query, and Student's t with G - 1
        degrees of freedom. Few subjects with very different numbers of comparisons make it too
        narrow.
    level : float
        Confidence level of the Wald intervals, which are not adjusted for the number of items.
    columns : mapping, optional
        Your names of columns, {name: your column}: ``{"left": "x"}``.
    drop : answer or sequence of answers
        Preferences that are none, such as "skipped", or None for missing ones; their rows are left
        out.

    Returns
    -------
    BradleyTerry

    Raises
    ------
    DataError
        A column is missing, an item is compared with itself, a preference names neither item, or
        strengths are not finite: some items of a query won, or lost, every comparison with its
        other items, or were never compared with them (Ford 1957).
    OptionError
        An option has a value that it does not take, `columns` has a name that is not read here, or
        there are no subjects.

    Warns
    -----
    LeftOutWarning
        Rows were dropped, with their number.
    UnusedColumnWarning
        There are no subjects, but a column seems to name who judged.
    DegenerateWarning
        With ``covariance="subject"``: a query has comparisons by a single subject, whose standard
        errors are NaN, or its subjects all agree, and standard errors are 0. Or the order effect is
        left out: it has no finite estimate, or cannot be distinguished from the strengths. Or
        several queries have few comparisons, from which it is estimated with bias.

    References
    ----------
    Bradley & Terry 1952, Rank analysis of incomplete block designs, Biometrika 39; Ford 1957,
    Solution of a ranking problem from binary comparisons, American Mathematical Monthly 64;
    Barndorff-Nielsen 1983, On a formula for the distribution of the maximum likelihood estimator,
    Biometrika 70; Cameron & Miller 2015, A practitioner's guide to cluster-robust inference,
    Journal of Human Resources 50.

    Examples
    --------
    >>> import fuzzytruth as ft, pandas as pd
    >>> votes = pd.DataFrame({"winner": ["a", "b"], "loser": ["b", "a"], "count": [30, 10]})
    >>> fit = ft.bradley_terry(votes)
    >>> fit.to_frame(full=True).round(3)
      item  strength  std_error  lower  upper  comparisons  wins
    0    a     0.549      0.183  0.191  0.907         40.0  30.0
    1    b    -0.549      0.183 -0.907 -0.191         40.0  10.0
    >>> round(fit.probability("a", "b"), 3)
    0.75
    """
    choice("ties", ties, get_args(Ties))
    choice("covariance", covariance, get_args(Covariance))
    level = between_zero_and_one("level", level)
    prior = option_number("prior", prior)
    require("prior", prior, prior >= 0, "must be 0 or more")
    data = Preferences.of(preferences, columns, ties, drop)
    ordered = option_flag("order_effect", order_effect) and data.ordered
    comparisons = model.Comparisons(
        data.first, data.second, data.share, data.weight, data.offsets, ordered
    )
    wins = comparisons.wins()
    if prior == 0:
        check_finite(data, wins)
    fit = _fitted(data, comparisons, prior)
    if covariance == "subject":
        fit = _robust_by_subject(fit, data, comparisons)
    won, lost = (np.asarray(wins.sum(axis=axis), dtype=np.float64) for axis in (1, 0))
    return BradleyTerry(
        data.queries,
        data.items,
        data.offsets,
        fit.value,
        fit.covariance,
        fit.df,
        won + lost,
        won,
        level,
        fit.order,
    )


def _fitted(data: Preferences, comparisons: model.Comparisons, prior: float) -> model.Strengths:
    """The strengths; without an order effect that has no estimate."""
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            fit = model.fit_strengths(comparisons, prior=prior)
    except np.linalg.LinAlgError as error:
        if not comparisons.ordered:
            raise errors.DataError(
                f"{data.where}: the strengths cannot be computed ({error}); are there extremely "
                "large or small counts, weights or prior?"
            ) from error
        warn(
            f"{data.where}: the order in which two items were shown is left out, as the effect of "
            f"being first is unknown ({error}); if it matters, strengths are partly its effect "
            "(order_effect=False says that it does not)",
            errors.DegenerateWarning,
        )
        return _fitted(data, replace(comparisons, ordered=False), prior)
    if fit.order is not None:
        _warn_few(data, fit.order.value)
    return fit


def _warn_few(data: Preferences, order: float) -> None:
    """Warn where an order effect that queries share is estimated from few comparisons in each."""
    queries = len(data.offsets) - 1
    n, strengths = float(data.weight.sum()), int(data.offsets[-1]) - queries
    enough = _ENOUGH * max(1.0, order**2) * strengths
    if queries > 1 and n < enough:
        warn(
            f"{data.where}: {n:g} comparisons are few for {strengths:,} strengths (rule of thumb: "
            f"{enough:,.0f}); the effect of being shown first is known with bias "
            "(order_effect=False leaves it out)",
            errors.DegenerateWarning,
        )


def _robust_by_subject(
    fit: model.Strengths, data: Preferences, comparisons: model.Comparisons
) -> model.Strengths:
    if data.subject is None:
        raise errors.OptionError("covariance='subject': the preferences have no column of subjects")
    fit, agree = model.cluster_robust(fit, comparisons, data.subject)
    alone = fit.df < 1
    for which, problem in (
        (alone, "by a single subject, so that standard errors by subject are unknown (NaN)"),
        (agree, "by subjects who all agree, so that standard errors by subject are 0"),
    ):
        if which.any():
            queries = counted(int(which.sum()), "query")
            of = "comparisons" if data.queries is None else f"comparisons of {queries}"
            warn(f"{of} {problem}", errors.DegenerateWarning)
    return fit
