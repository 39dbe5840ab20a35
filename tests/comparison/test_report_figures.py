"""Figures of a report: their numbers are those of the results."""

from __future__ import annotations

import re

import numpy as np
import pytest
from support.analysed import runs, truth
from support.scores_for_tests import dense, scores_of

import fuzzytruth as ft
from fuzzytruth.comparison import comparison_report as figures
from fuzzytruth.comparison.by_subject import each_subject
from fuzzytruth.comparison.comparison_report import comparison_page
from fuzzytruth.show.page import Figure

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
    rows = result.to_frame(full=True).sort_values("difference", key=abs, ascending=False)
    assert (rows["difference"] < 0).any()
    pairs = [
        " − ".join([row.system_a, row.system_b][:: 1 if row.difference > 0 else -1])
        for row in rows.itertuples()
    ]
    assert [text for text in letters(figure) if "sys" in text] == pairs
    found = int(rows["significant"].sum())
    assert found > 0
    told = f"Filled: {found} of 6 differences, with adjusted p at most 0.05."
    assert told in description(figure)
    largest = rows.loc[rows["difference"].abs().idxmax()]
    assert largest.difference < 0
    words = f"{largest.system_b} minus {largest.system_a}, {-largest.difference:+.3f}."
    assert description(figure).endswith(f"The largest: {words}")
    assert figure.title.startswith("m: differences of 4 systems over queries (9 queries and")
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
    told = f"Marked: {rows['significant'].sum()} of 45 differences, with adjusted p at most 0.05."
    assert told in description(figure)


@pytest.mark.parametrize(("n_systems", "baseline"), [(4, None), (4, "sys3"), (2, None)])
def test_the_largest_difference_is_named_as_it_is_drawn(
    n_systems: int, baseline: str | None
) -> None:
    result = ft.compare(scores_of(VALUES[:n_systems]), baseline, n_resamples=99)
    rows = result.to_frame()
    largest = rows.loc[rows["difference"].abs().idxmax()]
    assert largest.difference < 0
    figure = figures.difference_figure(result, 0, "T")
    a, b, value = re.search(r"largest: (\w+) minus (\w+), (\S+)\.$", description(figure)).groups()
    assert {a, b} == {largest.system_a, largest.system_b}
    assert abs(float(value)) == pytest.approx(-largest.difference, abs=5.1e-4)
    assert (float(value) > 0) == (a == largest.system_b)
    drawn = a if baseline else f"{a} − {b}"
    assert drawn in letters(figure)


def test_the_largest_one_sided_difference_keeps_its_order() -> None:
    result = ft.compare(scores_of(VALUES[:4]), alternative="less", n_resamples=99)
    rows = result.to_frame()
    largest = rows.loc[rows["difference"].abs().idxmax()]
    assert largest.difference < 0
    told = description(figures.difference_figure(result, 0, "T"))
    assert f"The largest: {largest.system_a} minus {largest.system_b}, −" in told.replace("-", "−")


def test_nothing_is_called_significant_over_worlds_alone() -> None:
    scores = ft.evaluate(truth(), runs(), "AP", worlds="independent", n_worlds=999, rng=0)
    result = ft.compare(scores, over="world")
    assert result.conditions.of_worlds
    page = comparison_page(result, None)
    drawn = [
        part for section in page.sections for part in section.parts if isinstance(part, Figure)
    ]
    assert drawn
    for figure in drawn:
        assert "significant" not in description(figure) + figure.title
        assert not any("significant" in text for text in letters(figure))


def test_figures_wider_than_a_phone_are_drawn_for_it_too(result: ft.Comparison) -> None:
    figure = figures.difference_figure(result, 0, "T")
    widths = [re.search(r"--width: (\d+)px", svg)[1] for svg in (figure.svg, figure.narrow)]
    assert [int(width) / 96 for width in widths] == pytest.approx([6.4, 3.4], abs=0.01)
    pairs = [text for text in letters(figure) if "sys" in text]
    narrow = Figure(figure.title, figure.narrow)
    assert [text for text in letters(narrow) if "sys" in text] == pairs
    assert description(narrow) == description(figure)
    ids = [{*re.findall(r'id="([^"]*)"', svg)} for svg in (figure.svg, figure.narrow)]
    assert not ids[0] & ids[1]


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
