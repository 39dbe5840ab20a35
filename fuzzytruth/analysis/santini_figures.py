"""What figures of `santini` draw."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fuzzytruth._lazy import pd
from fuzzytruth.core.validation import place_of, places_of
from fuzzytruth.data.assignments import Assignments
from fuzzytruth.errors import counted
from fuzzytruth.plots.frames import PlotData

if TYPE_CHECKING:
    from fuzzytruth.analysis.santini_result import Santini


def schemes(found: Santini, measure: str, query: str | None = None) -> PlotData:
    """Distributions over worlds, and values by each person's own truth."""
    scores, own = found.scores, pd.DataFrame(columns=["system", "subject", "value"])
    if query is not None:
        place_of(scores.queries, query, "query")
    laws = {
        system: scores.mean_distribution(system, measure)
        if query is None
        else scores.distribution(system, query, measure)
        for system in scores.systems
    }
    atoms = pd.concat([law.to_frame().assign(system=s) for s, law in laws.items()])
    if found.people is not None and query is None:
        own = found.people.mean(by="subject")[measure].rename("value").reset_index()
    elif found.people is not None:
        rows = found.people.to_frame().query("measure == @measure and query == @query")
        own = rows[["system", "subject", "value"]].assign(
            subject=rows["subject"].map(_named(found.votes, str(query)))
        )
    of = f"query {query}" if query else f"mean over {counted(len(scores.queries), 'query')}"
    labels = {"value": measure if query else f"mean {measure}"}
    return PlotData(own, f"{measure}, {of}", beside=atoms, labels=labels)


def _named(votes: Assignments, query: str) -> dict[str, str]:
    """Each subject with the category that it gave the query."""
    frame = votes.to_frame().query("item == @query")
    said = frame.groupby("subject", sort=False)["category"].agg(" + ".join)
    names = votes.subject_names or ()
    return {who: f"{who}: {said[who]}" if who in said else who for who in names}


def strong_truth(
    found: Santini,
    measure: str,
    system: str | None = None,
    queries: Iterable[str] | str | None = None,
) -> PlotData:
    """What one truth prints for each query beside its distribution."""
    name = found.scores.systems[0] if system is None else system
    s, m = place_of(found.scores.systems, name, "system"), found.scores.measures.index(measure)
    rows = []
    for q in places_of(found.scores.queries, queries, "query"):
        query = found.scores.queries[q]
        law = found.scores.distribution(name, query, measure)
        strong = float(found.strong_scores.values[s, m, q])
        rows.append((query, strong, law.mean(), *law.interval(found.level)))
    frame = pd.DataFrame(rows, columns=["query", "strong", "mean", "lower", "upper"])
    n = counted(len(frame), "query")
    return PlotData(frame.assign(measure=measure), f"{measure} of {name}, {n}, over worlds")
