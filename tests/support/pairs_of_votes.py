"""Agreement by loops over all pairs of votes, and votes to try it on."""

from collections.abc import Callable
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np

import fuzzytruth as ft
from fuzzytruth.core.votes.unit_votes import Removed, UnitVotes

NONE = np.nan
#: Krippendorff 2011, "Computing Krippendorff's alpha-reliability", example C: 4 observers, 12 units
TWELVE = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NONE, NONE, NONE],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NONE, 3],
        [NONE, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NONE],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NONE],
    ]
)
Distance = Callable[[Any, Any], float]


def judgments(table: np.ndarray) -> ft.Judgments:
    """Votes (subjects, items), NaN where missing; three items a query."""
    s, u = np.nonzero(~np.isnan(table))
    return ft.Judgments.from_columns(
        [f"q{j // 3}" for j in u],
        [f"i{j}" for j in u],
        table[s, u],
        subject=[f"s{j}" for j in s],
    )


def unit_votes(table: np.ndarray, n_values: int) -> UnitVotes:
    """The same, of values 0, 1, ..., as sparse arrays."""
    u, s = np.nonzero(~np.isnan(table.T))
    value = table[s, u].astype(np.int64)
    return UnitVotes.of(u, s, value, np.ones(len(u)), table.shape[1], n_values)


def random_table(seed: int, subjects: int = 5, items: int = 20, missing: float = 0.3) -> Any:
    """Grades 0 to 3 of subjects who differ in how strict they are."""
    rng = np.random.default_rng(seed)
    latent = rng.normal(size=items) + 0.7 * rng.normal(size=(subjects, 1))
    table = np.clip(np.round(1.5 + latent + 0.6 * rng.normal(size=(subjects, items))), 0, 3)
    table[rng.random(table.shape) < missing] = NONE
    return table


def units_of(table: np.ndarray) -> list[list[Any]]:
    """The votes on each unit."""
    return [[v for v in column.tolist() if v == v] for column in table.T]


def alpha_of(units: list[list[Any]], distance: Distance) -> float:
    """Krippendorff's alpha from all ordered pairs of votes."""
    used = [unit for unit in units if len(unit) >= 2]
    everyone = [vote for unit in used for vote in unit]
    n = len(everyone)
    observed = sum(
        sum(distance(a, b) for a, b in permutations(unit, 2)) / (len(unit) - 1) for unit in used
    )
    expected = sum(distance(a, b) for a, b in permutations(everyone, 2)) / (n - 1)
    return 1 - observed / expected if expected else float("nan")


def ordinal_alpha(table: np.ndarray) -> float:
    """With squared sums of the numbers of votes between two grades, as Krippendorff writes them."""
    units = units_of(table)
    votes = [vote for unit in units if len(unit) >= 2 for vote in unit]

    @cache
    def distance(a: float, b: float) -> float:
        low, high = min(a, b), max(a, b)
        between = sum(low <= vote <= high for vote in votes)
        return (between - (votes.count(low) + votes.count(high)) / 2) ** 2

    return alpha_of(units, distance)


def removals(votes: UnitVotes) -> dict[str, Removed]:
    """Groups of votes to leave out, by kind."""
    units, cells = np.arange(len(votes.n)), np.arange(len(votes.unit))
    who = votes.subject
    return {
        "units": Removed(units, len(units), units, None),
        "pairs of units": Removed(units // 2, len(units) // 2, units, None),
        "subjects": Removed(who, int(who.max()) + 1, votes.unit, cells),
        "votes": Removed(cells, len(cells), votes.unit, cells),
    }


def cut(table: np.ndarray, kind: str, group: int) -> np.ndarray:
    """The table without one of these groups."""
    out = table.copy()
    if kind == "units":
        out[:, group] = NONE
    elif kind == "pairs of units":
        out[:, 2 * group : 2 * group + 2] = NONE
    elif kind == "subjects":
        out[group] = NONE
    else:
        u, s = np.nonzero(~np.isnan(table.T))
        out[s[group], u[group]] = NONE
    return out


def repeated(drop: int | None = None) -> UnitVotes:
    """Three subjects on six units, the first of whom judged each twice; one of them left out."""
    rng = np.random.default_rng(5)
    rows = [
        (u, s, int(rng.integers(0, 4)), 0.5 if s == 0 else 1.0)
        for u in range(6)
        for s in (0, 0, 1, 2)
    ]
    unit, subject, value, weight = map(
        np.array, zip(*[r for r in rows if r[1] != drop], strict=True)
    )
    return UnitVotes.of(unit, subject, value, weight, 6, 4)
