"""Readers' choices on a page: tables, drawings and matrices have the numbers of `compare`."""

import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.watched import Watched

import fuzzytruth as ft
from fuzzytruth.comparison.verdicts import p_text

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.errors.FuzzytruthWarning")
K, SUBJECTS, N = 24, ("ann", "bob", "cyd"), 199
GROUPS = {"ann": "experts", "bob": "crowd", "cyd": "experts"}
BAD = "</script><b>ü"


def made() -> ft.Scores:
    """Systems that differ, people who disagree, and a measure by which lower is better."""
    rng = np.random.default_rng(5)
    shape = (K, 2, len(SUBJECTS), 20)
    level = np.linspace(0, 1, K)[:, None, None, None] + rng.normal(0, 0.3, (K, 1, 3, 1))
    values = level + rng.normal(0, 0.4, (1, 1, 1, 20)) + rng.normal(0, 0.3, shape)
    values[:, 1] = 30 - 10 * values[:, 1]
    system, measure, subject, query = (axis.ravel() for axis in np.indices(shape))
    names = np.array([f"sys{j}" for j in range(K - 1)] + [BAD], dtype=object)
    frame = pd.DataFrame(
        {
            "system": names[system],
            "measure": np.array(["AP", "cost"])[measure],
            "subject": np.array(SUBJECTS)[subject],
            "query": query,
            "value": values.ravel(),
        }
    )
    lost = (frame["system"] == "sys3") & (frame["query"] == 4)
    return ft.Scores.from_frame(frame[~lost], higher_is_better={"cost": False})


@pytest.fixture(scope="module")
def scores() -> ft.Scores:
    return made()


def compared(scores: ft.Scores, *baseline: str) -> ft.Comparison:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ft.errors.FuzzytruthWarning)
        return ft.compare(scores, *baseline, n_resamples=N)


@pytest.fixture(scope="module")
def page_file(scores: ft.Scores, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("explored")
    return compared(scores).report(folder / "page.html", groups=GROUPS)


@pytest.fixture
def tab(context: Any, page_file: Path) -> Iterator[Any]:
    with Watched.opened(context, page_file) as watched:
        watched.tab.set_viewport_size({"width": 1200, "height": 900})
        yield watched.tab


def choose(tab: Any, label: str, name: str) -> None:
    tab.get_by_label(label).select_option(label=name)


def table(tab: Any) -> pd.DataFrame:
    """Cells of the rows that are shown, by system."""
    rows = tab.locator(".forest tr[data-system]").evaluate_all(
        "all => all.map((row) => [...row.cells].map((cell) => cell.textContent.trim()))"
    )
    names = ["system", "drawn", "mean", "difference", "interval", "p", "tier", "ranks"]
    return pd.DataFrame(rows, columns=names[: len(rows[0])]).set_index("system")


def expected(result: ft.Comparison, measure: str, base: str, digits: int) -> pd.DataFrame:
    """The same cells, of a comparison."""
    rows = result.rows_of(measure)
    out: dict[str, list[str]] = {}
    means = result.means[measure]
    sets = result.tiers().query("measure == @measure").set_index("system")
    for sign, mine, other in ((1, "system_a", "system_b"), (-1, "system_b", "system_a")):
        for row in rows[rows[other] == base].to_dict("records"):
            lower, upper = sorted((sign * row["lower"], sign * row["upper"]))
            star = "*" if row["significant"] else ""
            out[row[mine]] = [
                f"{sign * row['difference']:+.{digits}f}{star}",
                f"[{lower:+.{digits}f}, {upper:+.{digits}f}]",
                p_text(row["p_adjusted"]),
            ]
    out[base] = ["baseline", "", ""]
    for name, cells in out.items():
        low, high = sets.loc[name, ["rank_lower", "rank_upper"]]
        ranks = str(low) if low == high else f"{low} to {high}"
        cells[:0] = [f"{means[name]:.{digits}f}"]
        cells += [str(sets.loc[name, "tier"]), ranks]
    columns = ["mean", "difference", "interval", "p", "tier", "ranks"]
    frame = pd.DataFrame.from_dict(out, orient="index", columns=columns).rename_axis("system")
    return frame.loc[list(sets.index)].replace(r"[+-](0\.0*)(\*?)$", r"+\1\2", regex=True)


def check(tab: Any, result: ft.Comparison, measure: str, base: str, digits: int) -> None:
    """All rows, in order; then the drawing, which is a map of the same numbers."""
    shown = table(tab)
    wanted = expected(result, measure, base, digits)
    pd.testing.assert_frame_equal(shown[list(wanted)], wanted)
    drawn = tab.locator(".forest tr[data-system]:not(.base) .drawn svg").evaluate_all(
        """all => all.map((svg) => [".dot", ".bar", ".bar", ".zero"].map((one, j) => parseFloat(
          svg.querySelector(one).getAttribute(["cx", "x1", "x2", "x1"][j]))))"""
    )
    numbers = [
        [float(x) for x in re.findall(r"[-+]\d+\.\d+", f"{row.difference} {row.interval}")] + [0.0]
        for row in wanted[wanted["difference"] != "baseline"].itertuples()
    ]
    x, y = np.array(numbers).ravel(), np.array(drawn).ravel()
    slope, start = np.polyfit(x, y, 1)
    assert np.abs(slope * x + start - y).max() < 1e-6
    assert (slope > 0, y.min() > 0, y.max() < 100) == (True, True, True)


WHOSE = {
    "all 3 subjects": SUBJECTS,
    "experts: 2 subjects": ("ann", "cyd"),
    "crowd: 1 subject": ("bob",),
    "bob alone": ("bob",),
    "cyd alone": ("cyd",),
}


@pytest.mark.parametrize("whose", WHOSE)
def test_each_choice_shows_what_compare_gives(tab: Any, scores: ft.Scores, whose: str) -> None:
    tab.get_by_role("button", name="more systems").click()
    choose(tab, "Whose judgments", whose)
    of = scores if len(WHOSE[whose]) == 3 else scores.select(subjects=list(WHOSE[whose]))
    for measure, digits in (("AP", 3), ("cost", 2)):
        choose(tab, "Measure", measure)
        result = compared(of.select(measures=measure))
        best = result.tiers()["system"].iloc[0]
        for choice, base in (("the best system", best), ("sys11", "sys11"), (BAD, BAD)):
            choose(tab, "Baseline", choice)
            check(tab, result, measure, base, digits)
            caption = tab.locator(".forest caption").text_content().strip()
            assert caption.startswith(result.conditions.named(measure))
            assert caption.endswith(f": systems, and their differences from {base}")
        choose(tab, "Baseline", "the best system")
