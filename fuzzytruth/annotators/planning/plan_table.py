"""The rows of a plan: one for each number of subjects and replicates."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING, Any

from fuzzytruth.annotators.planning.plan_result import predicted
from fuzzytruth.annotators.planning.plan_search import (
    COSTLY,
    FLOOR,
    MET,
    Planned,
    least_queries,
    least_subjects,
    most_queries,
)
from fuzzytruth.annotators.planning.planned_designs import Costs, Design, Estimator, Targets

if TYPE_CHECKING:
    import pandas as pd

#: multiples of the least subjects that can be enough, where the default ones are not
_MORE_SUBJECTS = (1, 1.2, 1.5, 2, 3)


def with_enough(
    estimator: Estimator, targets: Targets, starts: Sequence[Design]
) -> Sequence[Design]:
    """Numbers of subjects by default, and where all are too few some that are enough."""
    most = max(one.subjects for one in starts)
    if not (targets.any and estimator.components.has_subjects):
        return starts
    out = list(starts)
    for replicates in sorted({one.replicates for one in starts}):
        least = least_subjects(estimator, targets, replicates)
        if least is not None and least > most:
            more = {ceil(least * factor) for factor in _MORE_SUBJECTS}
            out += [Design(1, n, replicates) for n in sorted(more)]
    return out


def plan_table(
    estimator: Estimator,
    targets: Targets,
    costs: Costs,
    budget: float | None,
    starts: Sequence[Design],
    queries: Sequence[int],
    level: float,
) -> pd.DataFrame:
    """A row for each number of subjects and replicates."""
    import pandas as pd

    nested = estimator.components.nested
    rows = []
    for start in starts:
        if targets.any or budget is None:
            row = least_queries(estimator, targets, start, queries, level)
        else:
            row = most_queries(costs, budget, start, queries, nested=nested)
        rows.append(_row(estimator, targets, costs, budget, row))
    table = pd.DataFrame(rows)
    for name in ("queries", "lower", "upper"):
        table[name] = table[name].astype("Int64")
    if (table["judgments"].dropna() % 1 == 0).all():
        table["judgments"] = table["judgments"].astype("Int64")
    by = ["cost", "half_width"] if targets.any else ["half_width", "cost"]
    within = table[table["queries"].notna() & (table["status"] != COSTLY)]
    first = within.sort_values(by, kind="stable").index[:1]
    return table.assign(best=table.index.isin(first))


def _row(
    estimator: Estimator, targets: Targets, costs: Costs, budget: float | None, row: Planned
) -> dict[str, Any]:
    """Numbers of one row; missing where no number of queries is enough."""
    unknown = dict.fromkeys(
        ("half_width", "std_error", "power", "coefficient", "judgments", "cost"), float("nan")
    )
    found = row.design
    numbers = unknown if found is None else predicted(estimator, costs, found, targets.difference)
    status = row.status
    if status == MET and budget is not None and numbers["cost"] > budget:
        status = COSTLY
    start = Design(1, row.subjects, row.replicates)
    return {
        "subjects": row.subjects,
        "replicates": row.replicates,
        "queries": None if found is None else found.queries,
        "lower": None if row.least is None else row.least.queries,
        "upper": None if row.most is None else row.most.queries,
        "judgments": numbers["judgments"],
        "cost": numbers["cost"],
        **{n: numbers[n] for n in ("half_width", "power", "coefficient", "std_error")},
        "floor": estimator.limit(start).half_width,
        "status": status,
    }


def few_subjects(
    estimator: Estimator, targets: Targets, table: pd.DataFrame
) -> dict[int, int | None]:
    """The least subjects with which some number of queries is enough, where some are too few."""
    short = table.loc[table["status"] == FLOOR, "replicates"].unique().tolist()
    return {int(r): least_subjects(estimator, targets, int(r)) for r in short}
