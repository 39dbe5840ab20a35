"""Heat maps: agreement of pairs, differences of systems, and ranks."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.drawn import (
    cells_of,
    fits_a_page,
    labels_of,
    legend_of,
    marks_of,
    title_of,
    x_names,
    y_names,
)
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.errors import OptionError
from fuzzytruth.plots import scheme
from fuzzytruth.plots.matrix_plots import by_agreement, heat, heat_size


def test_cells_have_their_values_and_nan_none(plt: Any) -> None:
    _, ax = plt.subplots()
    table = pd.DataFrame({"a": [0.0, 0.5], "b": [np.nan, 1.0]}, index=["x", "y"])
    texts = np.array([["p", "q"], ["r", "s"]])
    heat(ax, table, cmap="Blues", limits=(0.0, 1.0), label="share", texts=texts)
    assert cells_of(ax).mask.tolist() == [[False, True], [False, False]]
    assert cells_of(ax).filled(9).tolist() == [[0.0, 9.0], [0.5, 1.0]]
    assert labels_of(ax) == ["x", "y"]
    assert x_names(ax) == ["a", "b"]
    inks = [(text.get_text(), text.get_color()) for text in ax.texts]
    assert inks == [("p", "black"), ("r", "black"), ("s", "white")]
    assert (heat_size(10, 1.0), heat_size(500, 1.0)) == (pytest.approx(5.2), 9.0)


# Agreement of pairs.


def symmetric(n: int, pairs: dict[tuple[int, int], float], other: float = 0.0) -> np.ndarray:
    out = np.full((n, n), other)
    for (a, b), value in pairs.items():
        out[a, b] = out[b, a] = value
    np.fill_diagonal(out, 1)
    return out


def neighbours(order: np.ndarray) -> list[set[int]]:
    return [{*pair} for pair in zip(order.tolist(), order[1:].tolist(), strict=False)]


def test_who_agrees_stands_together() -> None:
    order = by_agreement(symmetric(4, {(0, 2): 0.9, (1, 3): 0.8}))
    assert sorted(order) == [0, 1, 2, 3]
    assert {0, 2} in neighbours(order)
    assert {1, 3} in neighbours(order)
    agreement = symmetric(4, {(0, 1): 0.9, (2, 3): 0.8, (1, 2): 0.1})
    assert {0, 3} not in neighbours(by_agreement(agreement))
    clusters = [np.array([0, 3])]  # stay together whatever their agreement
    assert {0, 3} in neighbours(by_agreement(agreement, clusters))
    known = symmetric(4, {(0, 3): 0.9, (1, 2): 0.3, (0, 1): 0.2, (2, 3): 0.2}, 0.2)
    unknown = known.copy()  # counts as the mean
    unknown[0, 2] = unknown[2, 0] = np.nan
    known[0, 2] = known[2, 0] = np.nanmean(unknown[~np.eye(4, dtype=bool)])
    assert by_agreement(unknown).tolist() == by_agreement(known).tolist()
    assert sorted(by_agreement(np.full((3, 3), np.nan))) == [0, 1, 2]
    for n in (0, 1, 2):
        assert by_agreement(np.eye(n)).tolist() == list(range(n))


def votes(copies: int = 0) -> ft.Judgments:
    rng = np.random.default_rng(4)
    grades = {name: rng.integers(0, 2, 400) for name in "abcde"}
    grades |= {f"a{k}": grades["a"] for k in range(copies)}
    frame = pd.DataFrame({"item": [f"i{j}" for j in range(400)], "query": "q"} | grades)
    return ft.Judgments.from_frame(frame, subjects=[*grades])


def frames(ax: Any) -> list[tuple[float, float, float]]:
    """Corner and size of the outlines, which lie on wider ones in white."""
    outlines = [p for p in ax.patches if p.get_hatch() is None and p.get_edgecolor()[0] == 0]
    return [(p.get_x(), p.get_y(), p.get_width()) for p in outlines]


def test_cells_are_the_coefficients_of_rows_and_columns(plt: Any) -> None:
    found = ft.pairwise_agreement(votes(), over="item")
    ax = found.plot()
    order = labels_of(ax)
    expected = found.matrix().loc[order, order].to_numpy(copy=True)
    np.fill_diagonal(expected, np.nan)
    np.testing.assert_array_equal(np.ma.filled(cells_of(ax), np.nan), expected)
    written = [(t.get_position(), t.get_text()) for t in ax.texts]
    assert len(written) == 20
    for (x, y), text in written:
        assert text == f"{expected[int(y), int(x)]:.2f}".replace("-", "−")
    assert frames(ax) == []
    assert title_of(ax).endswith("No near-duplicates at a threshold of 0.95")
    with pytest.raises(OptionError, match="threshold"):
        found.plot(threshold=2)


def test_near_duplicates_are_neighbours_framed_and_lettered(plt: Any) -> None:
    ax = ft.pairwise_agreement(votes(copies=2), over="item").plot(threshold=0.9)
    order = labels_of(ax)
    start = min(order.index(name) for name in ("a", "a0", "a1"))
    assert {*order[start : start + 3]} == {"a", "a0", "a1"}
    assert frames(ax) == [(start, start, 3)]
    letters = [t.get_position() for t in ax.texts if t.get_text() == "A"]
    assert letters == [(start + k + 0.5, start + k + 0.5) for k in range(3)]
    assert "3 near-duplicates in 1 cluster at a threshold of 0.9" in title_of(ax)
    assert ax.get_legend() is not None


def test_pairs_without_a_value_are_hatched_and_counted(plt: Any) -> None:
    frame = pd.DataFrame(
        {"subject_a": [*"aab"], "subject_b": [*"bcd"], "value": [0.5, np.nan, 0.1]}
    )
    _, given = plt.subplots()
    ax = plots.agreement_matrix(frame, given, title="t", coefficient="alpha")
    assert ax is given
    order = labels_of(ax)
    assert cells_of(ax)[order.index("b"), order.index("a")] == 0.5
    hatched = {(p.get_y(), p.get_x()) for p in ax.patches if p.get_hatch()}
    missing = [("a", "c"), ("a", "d"), ("b", "c"), ("c", "d")]
    both = [pair for x, y in missing for pair in ((x, y), (y, x))]
    assert hatched == {(order.index(x), order.index(y)) for x, y in both}
    assert title_of(ax) == "t Hatched: 4 pairs without a value"
    assert ax.collections[0].colorbar.ax.get_ylabel() == "alpha (0: chance)"


def test_colours_diverge_around_chance_where_it_is_known(plt: Any) -> None:
    """On both axes are the subjects; what is well below chance is marked where numbers are not."""
    frame = pd.DataFrame({"subject_a": [*"aab"], "subject_b": [*"bcc"], "value": [0.5, -0.4, 0.1]})
    ax = plots.agreement_matrix(frame)
    assert x_names(ax) == y_names(ax)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("subject", "subject")
    mesh = ax.collections[0]
    assert (mesh.norm.vmin, mesh.norm.vmax, mesh.cmap.name) == (-1, 1, scheme.DIVERGING)
    assert mesh.colorbar.ax.get_ylim() == (-0.4, 1)
    assert min(mesh.to_rgba(np.array([0.0]))[0, :3]) > 0.95
    ax = plots.agreement_matrix(frame.assign(value=[0.5, 0.9, 0.6]), chance=0.5)
    assert (ax.collections[0].norm.vmin, ax.collections[0].norm.vmax) == (0, 1)
    ax = plots.agreement_matrix(frame.assign(value=[0.5, 0.9, 0.6]), chance=None)
    assert ax.collections[0].cmap.name == scheme.SEQUENTIAL
    assert ax.collections[0].colorbar.ax.get_ylabel() == "agreement"
    for coefficient, cmap in (("percent", scheme.SEQUENTIAL), ("kappa", scheme.DIVERGING)):
        found = ft.pairwise_agreement(votes(), over="item", coefficient=coefficient)
        for given in (found, found.to_frame()):
            assert plots.agreement_matrix(given).collections[0].cmap.name == cmap
    many = pd.DataFrame({"subject_a": "x", "subject_b": [f"s{j}" for j in range(40)]})
    ax = plots.agreement_matrix(many.assign(value=[-0.2, -0.1] + [0.3] * 38))
    order = y_names(ax)
    x, s0 = order.index("x") + 0.5, order.index("s0") + 0.5
    assert marks_of(ax) == sorted([(x, s0), (s0, x)])
    assert "dash: below" in ax.collections[0].colorbar.ax.get_ylabel().replace("\n", " ")


# Differences of systems.

FRAME = pd.DataFrame(
    {
        "measure": "AP",
        "system_a": ["a", "a", "b"],
        "system_b": ["b", "c", "c"],
        "difference": [0.125, np.nan, 0.25],
        "significant": [False, False, True],
    }
)


def all_pairs(n: int, divisor: float, least: int) -> pd.DataFrame:
    """Differences of all pairs of systems, significant from a distance on."""
    names = np.array([f"a system with number {j:02}" for j in range(n)])
    a, b = np.triu_indices(n, 1)
    columns = {"system_a": names[a], "system_b": names[b], "difference": (b - a) / divisor}
    return pd.DataFrame(columns | {"measure": "m", "significant": b - a > least})


def test_rows_minus_columns(plt: Any) -> None:
    ax = plots.pairwise_matrix(FRAME)
    assert y_names(ax) == ["a", "b", "c"] == x_names(ax)
    cells = cells_of(ax).filled(9).tolist()
    assert cells == [[9, 0.125, 9], [-0.125, 9, 0.25], [9, -0.25, 9]]
    texts = {t.get_position(): (t.get_text(), t.get_fontweight()) for t in ax.texts}
    assert texts == {
        (1.5, 0.5): ("+.12", "normal"),
        (0.5, 1.5): ("−.12", "normal"),
        (2.5, 1.5): ("+.25*", "bold"),
        (1.5, 2.5): ("−.25*", "bold"),
    }
    norm = ax.collections[0].norm
    assert (norm.vmin, norm.vmax) == (-0.25, 0.25)
    assert ax.collections[0].colorbar.ax.get_ylabel() == "AP: row − column"


def test_order_is_by_mean_difference_or_as_given(plt: Any) -> None:
    frame = FRAME.assign(difference=[-0.1, -0.3, -0.2])
    assert y_names(plots.pairwise_matrix(frame)) == ["c", "b", "a"]
    ax = plots.pairwise_matrix(frame, order=["b", "other", "a", "c"])
    assert y_names(ax) == ["b", "a", "c"]
    assert cells_of(ax)[0, 1] == pytest.approx(0.1)
    for order, message in ((["a", "b"], r"order=\['a', 'b'\]: lacks 'c'"), (3, "order=3: must be")):
        with pytest.raises(OptionError, match=message):
            plots.pairwise_matrix(frame, order=order)


def test_a_comparison_hands_down_its_differences(plt: Any) -> None:
    base = np.array([0.2, 0.9, 0.0, 0.4])
    values = base[:, None] + np.random.default_rng(2).normal(0, 0.3, (4, 12))
    result = ft.compare(scores_of(values), n_resamples=199)
    ax = result.plot(kind="matrix")
    order = result.means["m"].sort_values(ascending=False).index.tolist()
    assert y_names(ax) == order
    cells, expected = cells_of(ax), set()
    for row in result.table.itertuples():
        a, b = order.index(row.system_a), order.index(row.system_b)
        assert cells[a, b] == row.difference == -cells[b, a]
        if row.significant:
            expected |= {(a + 0.5, b + 0.5), (b + 0.5, a + 0.5)}
    starred = {text.get_position() for text in ax.texts if text.get_text().endswith("*")}
    assert starred == expected
    assert expected
    assert "differences of 4 systems over queries (12 queries)" in title_of(ax)
    lower = ft.compare(scores_of(values[:3], higher_is_better=(False,)), n_resamples=99)
    assert y_names(lower.plot(kind="matrix")) == ["sys2", "sys0", "sys1"]
    scores = scores_of(np.random.default_rng(0).random((5, 8)))
    ax = ft.compare(scores, ["sys1", "sys3"], n_resamples=99).plot(kind="matrix")
    assert {*x_names(ax)} == {"sys1", "sys3"}  # baselines are columns
    assert {*y_names(ax)} == {"sys0", "sys2", "sys4"}
    assert not np.ma.is_masked(cells_of(ax))


def test_small_cells_have_triangles_and_63_systems_fit_a_page(plt: Any) -> None:
    _, ax = plt.subplots(figsize=(3.4, 3.4), layout="constrained")
    plots.pairwise_matrix(all_pairs(12, 10, 5), ax)
    assert not ax.texts
    up, down = ax.collections[1:]
    found = {(j + 0.5, i + 0.5) for i in range(12) for j in range(i + 6, 12)}
    assert {tuple(place) for place in up.get_offsets().tolist()} == found
    assert {tuple(place) for place in down.get_offsets().tolist()} == {(y, x) for x, y in found}
    label = ax.get_xlabel().replace("\n", " ")
    assert label == "column ▲ row significantly above column, ▼ below"
    assert ax.get_ylabel() == "row"
    ax = plots.pairwise_matrix(all_pairs(63, 63, 30))
    assert fits_a_page(ax, 63)
    assert min(label.get_fontsize() for label in ax.get_yticklabels()) >= 6


# Ranks.

SHARES = pd.DataFrame(
    {
        "measure": "AP",
        "system": list("aaabbbccc"),
        "rank": [1, 2, 3] * 3,
        "share": [0.0, 0.25, 0.75, 0.9, 0.1, 0.0, 0.1, 0.65, 0.25],
    }
)


def boxes_of(ax: Any) -> list[tuple[float, float, float]]:
    """First rank, last rank and row of each outline."""
    return [(b.get_x() + 1, b.get_x() + b.get_width(), b.get_y() - 0.04) for b in ax.patches]


def test_shares_by_mean_rank_and_outlined_sets(plt: Any) -> None:
    ax = plots.rank_probabilities(SHARES)
    assert y_names(ax) == ["b", "c", "a"]
    assert x_names(ax) == ["1", "2", "3"]
    cells = [[0.9, 0.1, 0.0], [0.1, 0.65, 0.25], [0.0, 0.25, 0.75]]
    assert cells_of(ax).tolist() == cells
    texts = {text.get_position(): text.get_text() for text in ax.texts}
    shown = {(x + 0.5, y + 0.5): s for y, row in enumerate(cells) for x, s in enumerate(row) if s}
    assert texts == {place: f"{100 * share:.0f}" for place, share in shown.items()}
    assert not ax.patches
    assert ax.get_xlabel() == "rank by AP; shares in %"
    sets = pd.DataFrame(
        {"system": list("cab"), "rank": [1, 2, 3], "rank_lower": [1, 2, np.nan], "rank_upper": 3}
    )
    ax = plots.rank_probabilities(SHARES, systems=sets)
    assert y_names(ax) == ["c", "a", "b"]
    assert boxes_of(ax) == [(1, 3, 0), (2, 3, 1)]
    assert legend_of(ax) == ["confidence set of the rank"]
    assert ax.collections[0].norm.vmax == 0.9  # colours up to the largest share
