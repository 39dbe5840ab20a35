"""Bradley–Terry strengths of items, or of systems, from pairwise preferences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np

from fuzzytruth._typing import Ints
from fuzzytruth.core.validation import between_zero_and_one, option_flag, option_number
from fuzzytruth.data.preferences import Preferences, Ties
from fuzzytruth.errors import (
    DataError,
    DegenerateWarning,
    OptionError,
    choice,
    counted,
    first_few,
    require,
    shown,
    warn,
)
from fuzzytruth.evaluation.bradley_terry_result import BradleyTerry
from fuzzytruth.stats.bradley_terry import (
    Comparisons,
    Strengths,
    cluster_robust,
    components,
    fit_strengths,
)

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
    strong, weak = components(wins)
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
    raise DataError(
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
    comparisons = Comparisons(
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


def _fitted(data: Preferences, comparisons: Comparisons, prior: float) -> Strengths:
    """The strengths; without an order effect that has no estimate."""
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            fit = fit_strengths(comparisons, prior=prior)
    except np.linalg.LinAlgError as error:
        if not comparisons.ordered:
            raise DataError(
                f"{data.where}: the strengths cannot be computed ({error}); are there extremely "
                "large or small counts, weights or prior?"
            ) from error
        warn(
            f"{data.where}: the order in which two items were shown is left out, as the effect of "
            f"being first is unknown ({error}); if it matters, strengths are partly its effect "
            "(order_effect=False says that it does not)",
            DegenerateWarning,
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
            DegenerateWarning,
        )


def _robust_by_subject(fit: Strengths, data: Preferences, comparisons: Comparisons) -> Strengths:
    if data.subject is None:
        raise OptionError("covariance='subject': the preferences have no column of subjects")
    fit, agree = cluster_robust(fit, comparisons, data.subject)
    alone = fit.df < 1
    for which, problem in (
        (alone, "by a single subject, so that standard errors by subject are unknown (NaN)"),
        (agree, "by subjects who all agree, so that standard errors by subject are 0"),
    ):
        if which.any():
            queries = counted(int(which.sum()), "query")
            of = "comparisons" if data.queries is None else f"comparisons of {queries}"
            warn(f"{of} {problem}", DegenerateWarning)
    return fit
