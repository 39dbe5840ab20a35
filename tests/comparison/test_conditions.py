"""What a comparison estimates, tests and assumes, in words; worlds that are too few."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.compared import CASES, compared
from support.conditions import CONDITIONS
from support.texts import is_stored

import fuzzytruth as ft
from fuzzytruth.comparison.conditions import ends_within
from fuzzytruth.comparison.exhibits import caption_of, methods, references

CLUSTERS: Any = {"groups": "clusters", "n_groups": 1}


@pytest.mark.parametrize("name", CASES)
def test_stored_words(name: str) -> None:
    result = compared(name)
    of, measure = result.conditions, result.conditions.measures[0]
    both = compared("over both").conditions
    parts = {
        "assumptions": of.assumptions,
        "methods": "\n".join(filter(None, methods(of))),
        "works": "\n".join(sorted(references(of))),
        "meaning": "\n".join(of.meaning(both if name == "crossed" else None)),
        "means": caption_of(of, "means", result.table, bold=True),
        "differences": caption_of(of, "differences", result.table, bold=False),
        "heading": of.heading(measure, result.rows_of(measure)),
        "labels": "\n".join(of.labels.values()),
    }
    text = "\n\n".join(f"{name}:\n{part}" for name, part in parts.items())
    assert is_stored(f"conditions, {name}", text)
    if of.of_worlds:
        assert "significant" not in text.replace("significant difference", "")


def test_units_intervals_and_ends() -> None:
    assert replace(CONDITIONS, n_queries=1, subjects=("a",)).units() == "1 query and 1 subject"
    assert replace(CONDITIONS, **CLUSTERS).units() == "1,200 queries in 1 cluster"
    rows = pd.DataFrame({"difference": [0.1, 0.2, np.nan], "n_queries": [3, 5, 0]})
    assert (
        replace(CONDITIONS, n_resampled=4).units(rows) == "3 to 5 queries and 4 resampled subjects"
    )
    assert (CONDITIONS.intervals, CONDITIONS.p_name) == ("95 % intervals", "adjusted p")
    plain = replace(CONDITIONS, correction="none", level=0.9)
    assert (plain.intervals, plain.p_name) == ("unadjusted 90 % intervals", "p")
    assert ends_within(-1.2, 0.3, 1.0) == (-1.0, 0.3)
    assert ends_within(-np.inf, 1.7, 1.0) == (-np.inf, 1.0)
    sure = ("max-t", "sign-flips", "holm", "bonferroni")
    assert all(replace(CONDITIONS, correction=name).has_rank_sets for name in sure)
    assert not replace(CONDITIONS, correction="fdr_bh").has_rank_sets
    assert not replace(CONDITIONS, alternative="less").has_rank_sets


# Worlds, which are no sample, and may be too few.

SYSTEMS = {
    f"s{j}": {q: [f"d{d}" for d in np.random.default_rng(j).permutation(6)] for q in ("q", "r")}
    for j in range(4)
}


def scores_over(n_worlds: int) -> ft.Scores:
    axes = {"query": ["q", "r"], "item": [f"d{d}" for d in range(6)], "subject": [*"abc"]}
    votes = pd.MultiIndex.from_product(axes.values(), names=axes).to_frame(index=False)
    votes["grade"] = np.random.default_rng(0).integers(0, 2, len(votes))
    options: Any = {"worlds": "independent", "n_worlds": n_worlds, "rng": 0}
    return ft.evaluate(votes, SYSTEMS, ["P@2", "P@3"], **options)


@pytest.mark.parametrize(
    ("alternative", "across", "correction"),
    [("two-sided", False, None), ("greater", True, None), ("less", False, "none")],
)
@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.DegenerateWarning")
def test_one_world_fewer_is_too_few(alternative: Any, across: bool, correction: str | None) -> None:
    def compared(n_worlds: int) -> ft.results.Comparison:
        options: Any = {"alternative": alternative, "correction": correction}
        return ft.compare(scores_over(n_worlds), over="world", across_measures=across, **options)

    given = compared(10)
    needed = given.conditions.worlds_needed(given.table)
    if correction is None:  # Bonferroni: alpha of each of 6, or 12, tests on 1 or 2 sides
        assert needed == (12 if across else 6) * (40 if alternative == "two-sided" else 20) - 1
    few, enough = compared(needed - 1), compared(needed)
    end = "upper" if alternative == "less" else "lower"
    assert np.isinf(few.table[end]).all()
    assert np.isfinite(enough.table[end]).all()
    assert f"n_worlds={needed:,} or more" in few.conditions.too_few_worlds(few.table)
    assert enough.conditions.too_few_worlds(enough.table) == ""
