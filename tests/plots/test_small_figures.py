"""Every figure on axes of a paper's column, 3.3 × 2.6 inches, in letters of 7 points."""

from itertools import combinations, pairwise, product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.drawn import legend_of, title_of, y_names

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.plots import drawing
from fuzzytruth.plots.frames import PlotData

RNG = np.random.default_rng(5)
TITLE = (
    "AP: differences of 8 systems over queries (30 queries and 2 subjects)\n"
    "Bars: simultaneous 95 % intervals, moderated bootstrap max-t over 28 comparisons on each "
    "measure (9,999 resamples)\n"
    "Bars join systems without a significant difference; two that no bar joins differ significantly"
)
SYSTEMS = [f"waterloo.{letter}-rank-normal" for letter in "ABCDEFGH"]
PAIRS = pd.DataFrame([*combinations(SYSTEMS, 2)], columns=["system_a", "system_b"])
MIDDLE = RNG.normal(0.1, 0.05, len(PAIRS))
PAIRS = PAIRS.assign(measure="AP", difference=MIDDLE, lower=MIDDLE - 0.1, upper=MIDDLE + 0.1)
PAIRS["significant"] = (
    PAIRS["system_b"].map(SYSTEMS.index) > PAIRS["system_a"].map(SYSTEMS.index) + 3
)
BY_SUBJECT = pd.concat([PAIRS.assign(subject=subject) for subject in ("abstract", "content")])
MEANS = pd.DataFrame({"measure": "AP", "system": SYSTEMS, "mean": np.linspace(0.4, 0.1, 8)})
MEANS = MEANS.assign(lower=MEANS["mean"] - 0.1, upper=MEANS["mean"] + 0.1, tier=[1, 1] + [2] * 6)
EDGES = pd.DataFrame(
    [("all", f"area {a}") for a in range(5)]
    + [(f"area {a}", f"kind {a}.{k} of thing") for a in range(5) for k in range(5)],
    columns=["parent", "child"],
)
VALUES = {name: round(float(RNG.random()), 2) for name in ["all", *EDGES["child"]]}
DESIGNS = pd.DataFrame(product([10, 20, 50, 100, 200], [2, 3, 5, 10, 20]))
DESIGNS = DESIGNS.set_axis(["queries", "subjects"], axis=1)
DESIGNS["value"] = 1 / np.sqrt(DESIGNS["queries"] * DESIGNS["subjects"])
DESIGNS = DESIGNS.assign(lower=0.8 * DESIGNS["value"], upper=1.2 * DESIGNS["value"])
CURVES = pd.DataFrame({"recall": [0.2, 0.5, 0.8], "precision": [0.8, 0.6, 0.4]})
CURVES = CURVES.assign(precision_lower=0.2, precision_upper=0.9, share=0.2)
CURVES = pd.concat([CURVES.assign(category=name) for name in ["", "dog", "bear", "bird", "cat"]])
CLOUD = pd.DataFrame({"recall": [0.1, 0.5], "precision": [0.3, 0.6], "probability": [0.4, 0.6]})
COMPONENTS = ["system", "query", "subject", "system:query", "system:subject", "residual"]
SHARES = pd.DataFrame(
    product(COMPONENTS, ["a single score", "the error of a difference of two systems' means"]),
    columns=["component", "of"],
).assign(share=0.2, lower=0.05, upper=0.6)
RANKS = pd.DataFrame(product(SYSTEMS, range(1, 9)), columns=["system", "rank"])
ROWS = pd.DataFrame({"query": [f"query {j}" for j in range(20)], "difference": MIDDLE[:20]})
STRONG = ROWS.assign(strong=0.5, mean=0.4, lower=0.1, upper=0.7, measure="P@5")
LINES = pd.DataFrame(product(SYSTEMS, range(1, 6)), columns=["system", "rank"])
READERS = pd.DataFrame(
    [(f"reader {j}", s, 0.1 * j, 0.1 * j + 0.3) for j in range(8) for s in ("x", "y")],
    columns=["subject", "system", "optimist", "pessimist"],
)
BINS = pd.DataFrame({"predicted": np.linspace(0.2, 1, 9), "n_votes": 859})
ATOMS = pd.DataFrame({"value": [0, 0.5, 1], "probability": [0.25, 0.5, 0.25]})
#: figure -> data and options
DRAWN: dict[str, tuple[Any, dict[str, Any]]] = {
    "agreement_matrix": (
        PAIRS.set_axis(["subject_a", "subject_b", *PAIRS.columns[2:]], axis=1).assign(value=0.6),
        {"coefficient": "Cohen's kappa"},
    ),
    "by_rank": (LINES.assign(level=0.9, mean=0.5, lower=0.2, upper=0.8), {}),
    "curves": (LINES.assign(value=0.5), {}),
    "displaced_items": (
        ft.displacement(
            [*"abcdefghijklmnopqr"], np.linspace(1, 0.1, 18), [*"ihgfedcba"]
        ).to_frame(),
        {},
    ),
    "displacement": (READERS.assign(quality=0.5), {}),
    "distribution": (dict.fromkeys(SYSTEMS[:3], ATOMS), {"interval": 0.95}),
    "forest": (PAIRS, {"subjects": BY_SUBJECT}),
    "means": (MEANS, {}),
    "pairwise_matrix": (PAIRS, {}),
    "planning": (DESIGNS, {"target": 0.1, "best": (100, 2)}),
    "precision_recall": (CLOUD, {"curves": CURVES}),
    "rank_probabilities": (RANKS.assign(measure="AP", share=0.125), {}),
    "reliability_curve": (BINS.assign(observed=0.5, lower=0.4, upper=0.6), {}),
    "strong_truth": (STRONG, {}),
    "subject_strip": (BY_SUBJECT, {}),
    "tiers": (MEANS, {"pairs": PAIRS}),
    "tree": (EDGES, {"values": VALUES}),
    "tree_bars": (EDGES, {"values": VALUES}),
    "two_schemes": (READERS.assign(value=READERS["optimist"]), {}),
    "variance_components": (SHARES, {}),
    "waterfall": (ROWS, {}),
}
#: cells share the width with names of rows and a colour bar, 0.42 of it for names of any length
LEAST_WIDTH = dict.fromkeys(("agreement_matrix", "pairwise_matrix", "rank_probabilities"), 0.38)
COLUMN: dict[str, Any] = {"figsize": (3.3, 2.6)}
SMALL = {"font.size": 7, "xtick.labelsize": 7, "ytick.labelsize": 7}


def draw(figure: str, ax: Any, title: bool) -> Any:
    """The figure, with a title of three sentences if its data can have one."""
    data, options = DRAWN[figure]
    titled = isinstance(data, pd.DataFrame) and figure != "displacement"
    return getattr(plots, figure)(
        PlotData(data, TITLE) if titled else data, ax, title=title, **options
    )


@pytest.mark.parametrize(("layout", "title"), [("constrained", False), (None, True)])
@pytest.mark.parametrize("figure", plots.__all__)
def test_column(plt: Any, figure: str, layout: Any, title: bool) -> None:
    with plt.rc_context(SMALL):
        own, given = plt.subplots(**COLUMN, layout=layout)
        ax = draw(figure, given, title)
        own.canvas.draw()
    box, whole = ax.get_window_extent(), own.bbox
    assert box.height >= 0.4 * whole.height
    assert box.width >= LEAST_WIDTH.get(figure, 0.4) * whole.width
    drawn = ax.get_tightbbox()  # with all its texts, its legend and colour bar
    assert min(drawn.x0, drawn.y0) >= -1
    assert drawn.x1 <= whole.x1 + 1
    assert drawn.y1 <= whole.y1 + 1
    for axis, side in ((ax.xaxis, "x"), (ax.yaxis, "y")):
        boxes = [t.get_window_extent() for t in axis.get_ticklabels() if t.get_text()]
        ends = sorted((getattr(b, f"{side}0"), getattr(b, f"{side}1")) for b in boxes)
        assert all(one[1] - two[0] <= 0.2 * (one[1] - one[0]) for one, two in pairwise(ends))
        assert "…" not in axis.label.get_text()
    assert "…" not in title_of(ax)
    if title and figure not in ("displacement", "distribution", "tree"):
        assert title_of(ax).startswith(TITLE.split("\n", 1)[0])
    assert len(legend_of(ax)) == len(ax.get_legend().legend_handles if ax.get_legend() else ())


def test_rows_that_are_not_legible_are_not_drawn_and_counted(plt: Any) -> None:
    with plt.rc_context(SMALL):
        for title in (True, False):
            ax = draw("forest", plt.subplots(**COLUMN)[1], title)
            said = title_of(ax) if title else ax.get_xlabel().replace("\n", " ")
            n = len(y_names(ax))
            assert 10 <= n < len(PAIRS)
            assert said.endswith(f"Drawn: the {n} largest of 28 differences")
            ax = draw("subject_strip", plt.subplots(**COLUMN)[1], title)
            said = title_of(ax) if title else ax.get_xlabel().replace("\n", " ")
            assert f"{len(y_names(ax)) // 3} of 28 pairs" in said
        ax = draw("tree_bars", plt.subplots(**COLUMN)[1], True)
        assert len(y_names(ax)) + 16 == 31
        assert "16 categories for lack of room" in ax.get_xlabel().replace("\n", " ")
        ax = draw("strong_truth", plt.subplots(**COLUMN)[1], False)
    assert y_names(ax)[:3] == ["query 0", "", "query 2"]
    assert len(y_names(plots.forest(PAIRS))) == 28  # a new figure has room


def test_letters_are_as_small_as_asked_for_and_legible(plt: Any) -> None:
    with plt.rc_context(SMALL):
        ax = draw("means", plt.subplots(**COLUMN)[1], False)
        assert {t.get_fontsize() for t in ax.get_yticklabels()} == {7}
        assert ax.xaxis.label.get_fontsize() == 7
        ax = draw("tree", plt.subplots(**COLUMN)[1], False)
        assert min(t.get_fontsize() for t in ax.texts) > 3.5  # 25 leaves
    ax = plots.means(MEANS)
    assert ax.xaxis.label.get_fontsize() == 9


def test_layouts_of_a_user_are_left_alone(plt: Any) -> None:
    own, ax = plt.subplots(**COLUMN)
    draw("pairwise_matrix", ax, True)
    with pytest.warns(UserWarning, match="changed to tight"):
        own.tight_layout()  # in which a colour bar has a place, too
    own, both = plt.subplots(1, 2)
    draw("means", both[0], True)
    assert own.get_layout_engine() is None
    assert (
        drawing.axes_or_new(plt.figure().add_axes((0, 0, 1, 1))).figure.get_layout_engine() is None
    )
