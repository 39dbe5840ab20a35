"""The table of an analysis: a row a system, as a frame, in LaTeX and in Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fuzzytruth._typing import Bools
from fuzzytruth.analysis.analysed import Analysed
from fuzzytruth.comparison.rank_sets import better_than, rank_range
from fuzzytruth.comparison.shared_means import on_shared_values
from fuzzytruth.comparison.tables import letters
from fuzzytruth.core.validation import option_flag
from fuzzytruth.evaluation.scores import Scores
from fuzzytruth.io.number_text import digits_for

if TYPE_CHECKING:
    import pandas as pd

MOST_LETTERS = 12  # systems; of more, those beaten are counted
_MORE = ["rank", "rank_lower", "rank_upper", "share_first", "lowest_subject", "highest_subject"]


def table_of(analysis: Analysed, *, full: bool) -> pd.DataFrame:
    """See `Analysis.to_frame`."""
    import pandas as pd

    scores, rows = on_shared_values(analysis.scores), analysis.rows
    unknown = np.full(rows.values.shape, np.nan)
    lower, upper = (unknown if ends is None else ends for ends in (rows.lower, rows.upper))
    lowest, highest = _by_subject(scores)
    n_queries = (~np.isnan(scores.cells.mean_by_query(scores.values))).sum(axis=-1)
    parts = []
    for m, measure in enumerate(scores.measures):
        columns: dict[str, Any] = {
            "measure": measure,
            "system": list(scores.systems),
            "mean": rows.values[:, m],
            "lower": lower[:, m],
            "upper": upper[:, m],
            "beats": [",".join(names) for names in _beaten(analysis, "comparison", measure)],
        }
        if analysis.both is not None:
            columns["beats_both"] = [
                ",".join(names) for names in _beaten(analysis, "both", measure)
            ]
        parts.append(
            pd.DataFrame(columns).assign(
                lowest_subject=lowest[:, m],
                highest_subject=highest[:, m],
                n_queries=n_queries[:, m],
            )
        )
    table = pd.concat(parts, ignore_index=True)
    ranks = ["rank", "rank_lower", "rank_upper", "share_first"]
    if analysis.stability is None:
        table[ranks] = np.nan
    else:
        of_systems = analysis.stability.systems[["measure", "system", *ranks]]
        table = table.merge(of_systems, on=["measure", "system"], how="left")
    first = [name for name in table.columns if name not in (*_MORE, "n_queries")]
    return table[[*first, *_MORE, "n_queries"]] if option_flag("full", full) else table[first]


def _beaten(
    analysis: Analysed, which: Literal["comparison", "both"], measure: str
) -> list[list[str]]:
    """For each system, the names of those that are significantly worse."""
    comparison, systems = getattr(analysis, which), analysis.scores.systems
    if comparison is None:
        return [[] for _ in systems]
    above = better_than(comparison.table, comparison.conditions, measure)
    return [[systems[j] for j in np.flatnonzero(row)] for row in above]


def _by_subject(scores: Scores) -> tuple[Any, Any]:
    """Lowest and highest mean by a single subject: (systems, measures); NaN without subjects."""
    shape = (len(scores.systems), len(scores.measures))
    if scores.subjects is None or scores.design == "nested":
        return np.full(shape, np.nan), np.full(shape, np.nan)
    means = scores.cells.mean_by_subject(scores.values)  # (systems, measures, subjects)
    known = ~np.isnan(means)
    low = np.where(known, means, np.inf).min(axis=-1)
    high = np.where(known, means, -np.inf).max(axis=-1)
    some = known.any(axis=-1)
    return np.where(some, low, np.nan), np.where(some, high, np.nan)


def columns_of(analysis: Analysed, measure: str, digits: int | None = None) -> dict[str, list[str]]:
    """The printed columns of one measure as text, in the order of the systems."""
    systems, rows = analysis.scores.systems, analysis.rows
    m = rows.measures.index(measure)
    places = digits_for(rows.values[:, m].tolist(), 3) if digits is None else digits
    out = {
        "": letters(len(systems)),
        "system": list(systems),
        "mean": rows.column(m, places),
    }
    if analysis.comparison is not None:
        out["beats"] = _marks(_beaten(analysis, "comparison", measure), systems)
    if analysis.both is not None:
        out["both"] = _marks(_beaten(analysis, "both", measure), systems)
    if analysis.stability is not None:
        table = analysis.stability.systems
        sets = table[table["measure"] == measure].set_index("system").loc[list(systems)]
        ends = zip(sets["rank_lower"], sets["rank_upper"], strict=True)
        out["ranks"] = [rank_range(*pair) for pair in ends]
    return out


def _marks(beaten: list[list[str]], systems: tuple[str, ...]) -> list[str]:
    """Letters of the systems beaten, or how many they are."""
    if len(systems) > MOST_LETTERS:
        return [str(len(names)) if names else "" for names in beaten]
    label = dict(zip(systems, letters(len(systems)), strict=True))
    return ["".join(label[name] for name in names) for names in beaten]


def best_of(analysis: Analysed, measure: str) -> Bools:
    """Which systems have the best mean: (systems,)."""
    return analysis.rows.best[:, analysis.rows.measures.index(measure)]
