"""Tables of a `SantiniReport`."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.validation import between_zero_and_one, place_of, places_of
from fuzzytruth.data.distribution.distribution import Distribution
from fuzzytruth.evaluation.scores import Scores
from fuzzytruth.stats.axes import in_words

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.analysis.santini_parts import SantiniParts


#: columns that `SantiniReport.to_frame` has by default
SHORT = ("system", "measure", "strong", "mean", "std", "people", "lower", "upper")


def of_systems(report: SantiniParts) -> pd.DataFrame:
    """See `SantiniReport.to_frame`."""
    import pandas as pd

    scores, people = report.scores, report.people
    strong, expected, spread = _by_query(report)
    rows = []
    ends = _intervals(report)
    for s, system in enumerate(scores.systems):
        for m, measure in enumerate(scores.measures):
            mean = scores.mean_distribution(system, measure)
            rows.append(
                {
                    "system": system,
                    "measure": measure,
                    "strong": strong[s, m].mean(),
                    "mean": expected[s, m].mean(),
                    "std": mean.std(),
                    "people": np.nan if people is None else people.mean().loc[system, measure],
                    "lower": ends[s, m, 0],
                    "upper": ends[s, m, 1],
                    "exact": _is_exact(scores, s, m),
                    "query_gap": np.abs(strong[s, m] - expected[s, m]).mean(),
                    "query_std": spread[s, m].mean(),
                    "over": in_words(report.over),
                    "n_queries": len(scores.queries),
                    "n_subjects": 0 if people is None else len(people.subjects or ()),
                }
            )
    return pd.DataFrame(rows)


def of_categories(report: SantiniParts) -> pd.DataFrame:
    """See `SantiniReport.categories`."""
    import pandas as pd

    tree, m = report.votes.taxonomy, report.membership
    strong = report.strong.votes.membership().sizes()
    return pd.DataFrame(
        {
            "category": list(tree.nodes),
            "level": tree.level,
            "size": m.sizes().to_numpy(),
            "strong_size": strong.to_numpy().round().astype(np.int64),
            "agreement": m.category_agreement().to_numpy(),
        }
    )


def of_items(report: SantiniParts) -> pd.DataFrame:
    """See `SantiniReport.items`."""
    m = report.membership
    frame = m.entropy().to_frame().join(m.agreement()).reset_index()
    frame = frame.merge(report.strong.items, on="item", how="left", sort=False)
    order = np.lexsort((frame["share"], -frame["entropy"].round(12)))
    return frame.iloc[order].reset_index(drop=True)


def of_distributions(
    report: SantiniParts,
    queries: Iterable[str] | str | None,
    level: float | None,
    systems: tuple[str, ...] | None = None,
) -> pd.DataFrame:
    """See `SantiniReport.distributions`."""
    import pandas as pd

    scores = report.scores
    level = report.level if level is None else between_zero_and_one("level", level)
    strong = report.strong_scores
    rows = []
    for q in places_of(scores.queries, queries, "query"):
        query = scores.queries[q]
        for system in scores.systems if systems is None else systems:
            s = scores.systems.index(system)
            components = report.ranks.components(system, query)
            names = report.ranks.categories(system, query)
            shares = dict(zip(names, (weight for weight, _, _ in components), strict=True))
            for m, measure in enumerate(scores.measures):
                printed = float(strong.values[s, m, q])
                for category, share in ({"": 1.0} | shares).items():
                    law = report.distribution(system, query, measure, category=category or None)
                    key = (system, measure, query, category, share, printed)
                    rows.append((*key, *_statistics(law, printed, level)))
    columns = ["system", "measure", "query", "category", "share", "strong", "mean", "std"]
    return pd.DataFrame(rows, columns=[*columns, "lower", "upper", "p_strong", "p_below"])


def _statistics(law: Distribution, printed: float, level: float) -> tuple[float, ...]:
    """Mean, deviation and interval, and the probabilities of a value and of smaller ones."""
    at = float(law.pmf(printed))
    below = max(0.0, float(law.cdf(printed)) - at)
    return (law.mean(), law.std(), *law.interval(level), at, below)


def of_pairs(report: SantiniParts, query: str | None) -> pd.DataFrame:
    """See `SantiniReport.pairs`."""
    import pandas as pd

    scores = report.scores
    place = None if query is None else place_of(scores.queries, str(query), "query")
    strong, expected, _ = _by_query(report)
    if place is None:
        strong, expected = strong.mean(axis=-1), expected.mean(axis=-1)
    else:
        strong, expected = strong[..., place], expected[..., place]
    rows = []
    for m, measure in enumerate(scores.measures):
        for a, b in combinations(range(len(scores.systems)), 2):
            names = scores.systems[a], scores.systems[b]
            law = scores.difference(*names, measure, query=query)
            equal, better = float(law.pmf(0.0)), float(law.sf(0.0))
            shares = np.array([better, equal, max(0.0, 1 - better - equal)])
            n = law.n_samples if law.n_samples and not law.exact else np.inf
            rows.append(
                (
                    measure,
                    *names,
                    strong[a, m] - strong[b, m],
                    expected[a, m] - expected[b, m],
                    law.std(),
                    *shares,
                    law.exact,
                    float(np.sqrt(shares * (1 - shares) / n).max()),
                )
            )
    columns = ["measure", "system_a", "system_b", "strong", "difference", "std"]
    return pd.DataFrame(rows, columns=[*columns, "better", "equal", "worse", "exact", "mc_error"])


def of_individuals(report: SantiniParts) -> pd.DataFrame:
    """See `SantiniReport.individuals`."""
    import pandas as pd

    parts = []
    for scores in (report.people, report.displaced):
        if scores is not None:
            means = scores.mean(by="subject").reset_index()
            table = means.melt(["system", "subject"], var_name="measure", value_name="value")
            parts.append(table.dropna(subset="value"))
    columns = ["system", "subject", "measure", "value"]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def _by_query(report: SantiniParts) -> tuple[Floats, Floats, Floats]:
    """Value under the strong truth, expected value and deviation: (systems, measures, queries)."""
    scores, strong = report.scores, report.strong_scores
    fixed = strong.cells.mean_by_query(strong.values)
    expected = scores.cells.mean_by_query(scores.values)
    spread = np.zeros_like(expected)
    if scores.uncertainty is not None and scores.uncertainty.std is not None:
        spread = scores.cells.mean_by_query(scores.uncertainty.std)
    return fixed, expected, spread


def _is_exact(scores: Scores, system: int, measure: int) -> bool:
    return scores.uncertainty is None or bool(scores.uncertainty.exact[system, measure].all())


def _intervals(report: SantiniParts) -> Floats:
    """Ends of the intervals of means: (systems, measures, 2); NaN where nothing is random."""
    scores = report.scores if report.people is None else report.people
    shape = (len(scores.systems), len(scores.measures), 2)
    if not report.over:
        return np.full(shape, np.nan)
    table = scores.summary(over=report.over, level=report.level)
    ends: Floats = table[["lower", "upper"]].to_numpy().reshape(shape)
    return ends
