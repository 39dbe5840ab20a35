"""What a figure of the distributions of scores shows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fuzzytruth.core.validation import place_of, places_of
from fuzzytruth.errors import OptionError, counted
from fuzzytruth.evaluation.score_arrays import ScoreArrays
from fuzzytruth.evaluation.score_distributions import of_difference, of_mean, of_query

if TYPE_CHECKING:
    import pandas as pd


def distributions_of(
    scores: ScoreArrays,
    measure: str | None,
    query: str | None,
    systems: Iterable[str] | str | None,
    against: str | None,
) -> tuple[pd.DataFrame, str]:
    """One distribution a system, or of its difference from another, and what the values are."""
    import pandas as pd

    m = 0 if measure is None else scores.measure_place(measure)
    q = None if query is None else place_of(scores.queries, str(query), "query")
    other = None if against is None else place_of(scores.systems, against, "system")
    parts = []
    for s in places_of(scores.systems, systems, "system"):
        if s == other and systems is None:
            continue
        if other is not None:
            found = of_difference(scores, (s, m, q), (other, m, q))
        else:
            found = of_mean(scores, (s, m, None)) if q is None else of_query(scores, (s, m, q))
        parts.append(found.to_frame().assign(system=scores.systems[s]))
    if not parts:
        raise OptionError(f"against={against!r}: there is no other system to compare with it")
    name = scores.measures[m]
    of = f"{name} of query {query}"
    if q is None:
        of = f"mean {name} of {counted(len(scores.queries), 'query')}"
    drawn = dict.fromkeys(part["system"].iloc[0] for part in parts)
    if len(drawn) == 1:
        of = f"{of}, {next(iter(drawn))}"
    gap = (
        "" if other is None else f"{' minus' if len(drawn) == 1 else ', difference from'} {against}"
    )
    spread = scores.uncertainty
    worlds = "" if spread is None else f"\nover {spread.worlds} worlds"
    return pd.concat(parts, ignore_index=True), f"{of}{gap}{worlds}"
