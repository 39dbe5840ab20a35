"""Quantiles of precision, recall or F at every rank: the part of `RankDistributions` drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

from fuzzytruth.core.validation import between_zero_and_one, places_of
from fuzzytruth.data.distribution.distribution import Distribution
from fuzzytruth.errors import OptionError, choice
from fuzzytruth.plots.frames import PlotData

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

FanMeasure = Literal["precision", "recall", "f"]

LEVELS = (0.5, 0.8, 0.95)


def check_levels(levels: Any) -> tuple[float, ...]:
    """Levels of nested intervals, ascending, each once."""
    several = isinstance(levels, Iterable) and not isinstance(levels, str)
    out = sorted({between_zero_and_one("levels", x) for x in (levels if several else [levels])})
    if not out:
        raise OptionError("levels: name at least one, such as 0.95")
    return tuple(out)


def fan_rows(
    at_rank: Callable[[int], Distribution], depth: int, levels: tuple[float, ...]
) -> pd.DataFrame:
    """One row for each rank and level; columns rank, mean, median, level, lower, upper."""
    import pandas as pd

    rows = []
    for rank in range(1, depth + 1):
        found = at_rank(rank)
        middle = (rank, found.mean(), found.median())
        rows += [(*middle, level, *found.interval(level)) for level in levels]
    return pd.DataFrame(rows, columns=["rank", "mean", "median", "level", "lower", "upper"])


class RankFans:
    """What is drawn of distributions at every rank, of a class with `precision`, `recall`, `f`."""

    systems: tuple[str, ...]
    queries: tuple[str, ...]
    depth: int

    def fan(
        self,
        measure: FanMeasure = "precision",
        *,
        system: Iterable[str] | str | None = None,
        query: str | None = None,
        category: str | None = None,
        levels: Iterable[float] | float = LEVELS,
    ) -> pd.DataFrame:
        """Mean, median and nested central intervals of a measure at every rank, of one query.

        Parameters
        ----------
        measure : {"precision", "recall", "f"}
        system : str or sequence of str, optional
            By default the first.
        query : str, optional
            By default the first.
        category : str, optional
            Given that the query has this category; by default over all it may have.
        levels : float or sequence of float
            Levels of the intervals.

        Returns
        -------
        DataFrame
            One row for each system, rank and level: system, query, rank, mean, median, level,
            lower, upper.

        Raises
        ------
        OptionError
            No such measure, system, query or category, or a level outside 0 to 1.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> truth = ft.Judgments.from_probabilities(["q"] * 3, list("abc"), [1.0, 0.5, 0.5])
        >>> ranks = ft.by_rank(truth, {"sys": {"q": {"a": 3, "b": 2}}}, depth=2)
        >>> ranks.fan(levels=0.9).drop(columns=["system", "query"]).values.tolist()
        [[1.0, 1.0, 1.0, 0.9, 1.0, 1.0], [2.0, 0.75, 0.5, 0.9, 0.5, 1.0]]
        """
        import pandas as pd

        choice("measure", measure, get_args(FanMeasure))
        checked = check_levels(levels)
        names = [self.systems[0]] if system is None else system
        places = places_of(self.systems, names, "system")
        asked = self.queries[0] if query is None else str(query)
        parts = []
        for name in [self.systems[place] for place in places]:
            at_rank = partial(getattr(self, measure), name, asked, category=category)
            part = fan_rows(at_rank, self.depth, checked)
            part.insert(0, "query", asked)
            part.insert(0, "system", name)
            parts.append(part)
        return pd.concat(parts, ignore_index=True)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        measure: FanMeasure = "precision",
        system: Iterable[str] | str | None = None,
        query: str | None = None,
        category: str | None = None,
        levels: Iterable[float] | float = LEVELS,
    ) -> Axes:
        """Draw a measure of one query against the cut-off, as a fan of intervals over worlds.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure.
        measure, system, query, category, levels
            As in `fan`. Several systems have a fan each.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        OptionError
            As `fan`.

        Examples
        --------
        >>> import matplotlib; matplotlib.use("Agg")
        >>> import fuzzytruth as ft
        >>> truth = ft.Judgments.from_probabilities(["q"] * 3, list("abc"), [1.0, 0.5, 0.5])
        >>> ft.by_rank(truth, {"sys": {"q": list("abc")}}, depth=3).plot().get_title(loc="left")
        'Precision at each rank, query q, over independent worlds'
        """
        from fuzzytruth.plots import by_rank

        given: dict[str, Any] = {"query": query, "category": category, "levels": levels}
        return by_rank(self, ax, measure=measure, system=system, **given)

    _figures: ClassVar[tuple[str, ...]] = ("by_rank",)

    def _plot_data(self, figure: str, measure: FanMeasure = "precision", **given: Any) -> PlotData:
        """Frame of `plots.by_rank`."""
        frame = self.fan(measure, **given)
        frame["measure"] = "F" if measure == "f" else measure
        name = frame["measure"].iloc[0].capitalize()
        category = given.get("category")
        has = "" if category is None else f" given {category}"
        query = frame["query"].iloc[0]
        return PlotData(frame, f"{name} at each rank, query {query}{has}, over independent worlds")
