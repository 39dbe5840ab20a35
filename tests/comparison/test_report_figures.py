"""Figures of a report: their numbers are those of the results."""

from __future__ import annotations

import re

import numpy as np
import pytest
from support.scores_for_tests import dense, scores_of

import fuzzytruth as ft
from fuzzytruth.comparison import report_figures as figures
from fuzzytruth.comparison.by_subject import each_subject
from fuzzytruth.report import Figure

RNG = np.random.default_rng(8)
VALUES = RNG.normal(0.5, 0.1, (4, 3, 9)) + np.array([0, 0.1, 0.2, 0.3])[:, None, None]


@pytest.fixture(scope="module")
def result() -> ft.Comparison:
    return ft.compare(scores_of(VALUES), n_resamples=199)


def letters(figure: Figure) -> list[str]:
    """Texts of a figure in the order in which they are drawn."""
    return re.findall(r"<text[^>]*>([^<]*)</text>", figure.svg)


def description(figure: Figure) -> str:
    (found,) = re.findall(r"<desc[^>]*>(.*?)</desc>", figure.svg, re.DOTALL)
    return found


def test_forest(result: ft.Comparison) -> None:
    figure = figures.difference_figure(result, 0, "T")
    rows = result.to_frame(full=True).sort_values("difference", ascending=False)
    pairs = [f"{row.system_a} − {row.system_b}" for row in rows.itertuples()]
    assert [text for text in letters(figure) if "sys" in text] == pairs
    found = int(rows["significant"].sum())
    assert found > 0
    assert f"{found} of 6 differences stand out as significant" in description(figure)
    largest = rows.loc[rows["difference"].abs().idxmax()]
    words = f"{largest.system_a} minus {largest.system_b}, {largest.difference:+.3f}."
    assert words in description(figure)
    title = figure.title.replace("\u00a0", " ")
    assert title.startswith("m: differences of 4 systems over queries (9 queries and")
    assert figure.table == "T"


def test_matrix_of_many_pairs() -> None:
    result = ft.compare(scores_of(RNG.normal(0.5, 0.1, (10, 9))), n_resamples=199)
    figure = figures.difference_figure(result, 0, "T")
    shown = [text for text in letters(figure) if re.fullmatch(r"[+−]?\.\d+\*?", text)]
    rows = result.to_frame(full=True)
    assert len(shown) == 90
    wanted = np.concatenate([rows["difference"], -rows["difference"]])
    numbers = np.sort([float(text.rstrip("*").replace("−", "-")) for text in shown])
    assert numbers == pytest.approx(np.sort(wanted), abs=5.1e-3)
    assert sum(text.endswith("*") for text in shown) == 2 * rows["significant"].sum()
    assert f"{rows['significant'].sum()} of 45 differences are marked" in description(figure)


def test_tiers(result: ft.Comparison) -> None:
    figure = figures.tier_figure(result, 0)
    tiers = result.tiers()
    assert [text for text in letters(figure) if "sys" in text] == tiers["system"].tolist()
    best = ", ".join(tiers.loc[tiers["tier"] == 1, "system"])
    assert description(figure).endswith(f"In tier 1: {best}.")


def test_ranks() -> None:
    stability = ft.rank_stability(scores_of(VALUES), n_resamples=199)
    figure = figures.rank_figure(stability, "m", 0, "T")
    shares = stability.shares.query("share >= 0.005")
    texts = letters(figure)
    shown = [int(text) for text in texts if text.isdigit()]
    for share in shares["share"]:
        assert round(100 * share) in shown
    first = stability.systems.set_index("system")["share_first"]
    assert description(figure).endswith(f"Most often first: {first.idxmax()}, {first.max():.0%}.")


def test_subjects(result: ft.Comparison) -> None:
    each = each_subject(result)
    assert each is not None
    figure = figures.subjects_figure(each, 0, "T")
    assert figure is not None
    counts = each.to_frame(full=True).groupby("subject", sort=False)["significant"].sum()
    named = ", ".join(f"{subject} {count}" for subject, count in counts.items())
    assert description(figure).endswith(f"Significant differences by subject: {named}.")
    assert {*counts.index} <= {*letters(figure)}


def test_no_subjects_alone_without_crossed_subjects() -> None:
    assert each_subject(ft.compare(scores_of(VALUES[:, 0]), n_resamples=99)) is None


def test_the_best_two_query_by_query() -> None:
    scores = scores_of(VALUES)
    figure = figures.best_two_figure(scores, 0, "T")
    assert figure is not None
    means = dense(scores)[:, 0].mean(axis=1)  # (systems, queries)
    first, second = np.argsort(-means.mean(axis=1))[:2]
    difference = means[first] - means[second]
    order = [scores.queries[j] for j in np.argsort(-difference)]
    assert [text for text in letters(figure) if text in scores.queries] == order
    assert f"better on {(difference > 0).sum()}, worse on {(difference < 0).sum()} of 9" in (
        description(figure)
    )


def test_no_figure_of_a_single_system_or_query() -> None:
    assert figures.best_two_figure(scores_of(VALUES[:1]), 0, "T") is None
    assert figures.best_two_figure(scores_of(VALUES[:, :, :1]), 0, "T") is None


def test_large_figures_are_fewer() -> None:
    measures = [f"m{j}" for j in range(9)]
    assert list(figures.drawn(measures, ["a"] * 30)) == [0, 1, 2, 3]
    assert list(figures.drawn(measures, ["a"] * 31)) == [0, 1]
    assert figures.left_out(measures, ["a"]).startswith("No figures of 5 more measures")
    assert figures.left_out(measures[:4], ["a"]) == ""
