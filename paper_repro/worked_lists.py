"""Part (d): weighted displacement of small lists, by hand."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pandas as pd

import fuzzytruth as ft
from paper_repro.examples import N_IMAGES, RELEVANCE, SUBJECT, SYSTEM, displaced
from paper_repro.pictures import BLUE, ORANGE, Picture, pyplot
from paper_repro.tables import EXAMPLE, IDENTITY, PRINTS, Claim, Table, cell

# %% [markdown]
# ## (d) Individual comparison, worked by hand
#
# Santini, section 5. A subject α lists a, b, c, d with relevances 1, .8, .5, .2. The system µ
# lists c, a, x, y, out of a collection of N = 10. Both list **A** = {a, c}; only the subject
# lists **B** = {b, d}; only the system lists **C** = {x, y}, which has relevance 0 by definition
# and does not count.
#
# w_A = 1·|1 - 2| + .5·|3 - 1| = 2. The contribution of B depends on the ranks of b and d among
# the items that the system did not show, that is, on the hypothesis:
#
# - *optimist*, (22): they come next, b at 5 and d at 6: .8·|2 - 5| + .2·|4 - 6| = 2.8
# - *incremental*: the system is asked for more, and answers d, b: d at 5, b at 6. Then all items
#   are in A, B is empty, and (21) alone gives 2 + .8·4 + .2·1 = 5.4
# - *pessimist-tail*, the paper's words: b at 9, d at 10: .8·7 + .2·6 = 6.8
# - *worst*, the largest possible: b at 10, d at 9: .8·8 + .2·5 = 7.4
# - *pessimist*, (23): 10 for each: .8·10 + .2·10 = 10, which no ranking can reach

# %%
BY_HAND = {  # w_A, w_B
    "optimist": (2.0, 2.8),
    "incremental": (5.4, 0.0),
    "pessimist-tail": (2.0, 6.8),
    "worst": (2.0, 7.4),
    "pessimist": (2.0, 10.0),
}
SANTINI_5 = "Santini, section 5"


# %% show: hypotheses()
def hypotheses() -> Table:
    """W under each hypothesis, by hand and computed."""
    rows = []
    for unseen, by_hand in BY_HAND.items():
        result = displaced(unseen)
        same = np.allclose([result.w_A, result.w_B], by_hand, rtol=0, atol=1e-12)
        rows.append((unseen, *by_hand, result.w_A, result.w_B, result.w, same))
    return Table.of(("hypothesis", "w_A by hand", "w_B by hand", "w_A", "w_B", "w", "agrees"), rows)


# %% [markdown]
# *Optimist* and *worst* are bounds of what the system could answer if asked for more; *pessimist*
# need not lie between them.

# %% picture: drawn_lists()
COLOURS = {"A": BLUE, "B": ORANGE, "C": "0.55"}


def drawn_lists() -> Picture:
    """Ranks of the items in the two lists, under four hypotheses."""
    plt = pyplot()
    shown = ["optimist", "incremental", "pessimist-tail", "worst"]
    figure, axes = plt.subplots(1, 4, figsize=(11, 4.6), sharey=True, layout="constrained")
    for ax, unseen in zip(axes, shown, strict=True):
        draw_lists(ax, unseen)
    axes[0].set_ylabel("position")
    axes[0].set_ylim(N_IMAGES + 0.6, 0.3)
    axes[0].set_yticks(range(1, N_IMAGES + 1))
    handles = [
        plt.Line2D([], [], color=COLOURS["A"], marker="o", label="A: listed by both"),
        plt.Line2D([], [], color=COLOURS["B"], marker="s", ls="--", label="B: only by the subject"),
        plt.Line2D([], [], color=COLOURS["C"], marker="x", ls="", label="C: only by the system"),
        plt.Rectangle((0, 0), 1, 1, color="0.92", label="shown by the system"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=4, frameon=False)
    return Picture(
        figure,
        "The subject's list (left in each panel, with relevances) and the system's (right), under "
        "four hypotheses on what the system would answer beyond the four items it shows (grey). "
        "Lines lead from an item's place in one list to its place in the other, thicker for more "
        "relevant ones; w is the sum of relevance times difference of places.",
    )


def draw_lists(ax: Any, unseen: str) -> None:
    """One panel: the subject's list on the left, the system's on the right."""
    result = displaced(unseen)
    ax.axhspan(0.5, len(SYSTEM) + 0.5, xmin=0.55, color="0.92", zorder=0)
    for place, (item, weight, rank) in enumerate(
        zip(result.items, result.relevances, result.ranks.tolist(), strict=True), start=1
    ):
        part = "A" if item in SYSTEM else "B"
        style = {"A": "o-", "B": "s--"}[part]
        ax.plot([0, 1], [place, rank], style, color=COLOURS[part], lw=0.8 + 2.2 * weight, ms=6)
        ax.annotate(f"{item}  {weight:g}", (-0.08, place), ha="right", va="center")
        ax.annotate(item, (1.08, rank), va="center")
    for rank, item in enumerate(SYSTEM, start=1):
        if item not in SUBJECT:
            ax.plot(1, rank, "x", color=COLOURS["C"])
            ax.annotate(item, (1.08, rank), va="center", color=COLOURS["C"])
    ax.set(xlim=(-0.5, 1.3), xticks=(0, 1), title=f"{unseen}\nw = {result.w:.3g}")
    ax.set_xticklabels(["subject", "system"])
    ax.spines[["top", "right", "bottom"]].set_visible(False)
    ax.tick_params(axis="x", length=0)


# %% [markdown]
# ### From w to a quality: g
#
# The paper's two families, g(x) = 1/(1 + x)^p and g(x) = exp(-λx), by hand from the w above.


# %% show: qualities()
def qualities() -> Table:
    """Each hypothesis under each g."""
    functions = {
        "rational, p = 1": (lambda w: 1 / (1 + w), {"g": "rational", "power": 1}),
        "rational, p = 2": (lambda w: 1 / (1 + w) ** 2, {"g": "rational", "power": 2}),
        "exp, λ = 0.1": (lambda w: math.exp(-0.1 * w), {"g": "exp", "rate": 0.1}),
        "exp, λ = 0.01": (lambda w: math.exp(-0.01 * w), {"g": "exp", "rate": 0.01}),
    }
    rows = []
    for unseen, by_hand in BY_HAND.items():
        w = sum(by_hand)
        pairs = [(g(w), displaced(unseen, **options).value) for g, options in functions.values()]
        same = all(abs(hand - ours) < 1e-12 for hand, ours in pairs)
        rows.append((unseen, w, *(ours for _, ours in pairs), same))
    return Table.of(("hypothesis", "w", *functions, "as by hand"), rows)


# %% [markdown]
# ### Normalised, ties, lists of different lengths
#
# w / w_max, where w_max is the largest w of all 10·9·8·7 answers of four images under the same
# hypothesis. By hand: for *pessimist*, none of the subject's items is listed, and w_max = 10·(1 +
# .8 + .5 + .2) = 25. For *optimist*, none is listed, and a, b, c, d are at 5 to 8, each displaced
# by 4: 4·2.5 = 10. For *worst* (any position in the collection), a at 10, b at 9, c at 8, d at 7:
# 9 + .8·7 + .5·5 + .2·3 = 17.7, and the same for *incremental*. For *pessimist-tail*, with none
# listed, they are at 7 to 10, each displaced by 6, which gives 15; but an answer that begins with
# d (.2·3) moves a, b, c to 8, 9, 10: .6 + 7·2.3 = 16.7.


# %% show: normalised()
W_MAX_BY_HAND = {
    "optimist": 10.0,
    "incremental": 17.7,
    "pessimist-tail": 16.7,
    "worst": 17.7,
    "pessimist": 25.0,
}


def normalised() -> Table:
    """w, w_max and their ratio."""
    rows = []
    for unseen, most in W_MAX_BY_HAND.items():
        result = displaced(unseen, normalised=True)
        same = abs(result.w_max - most) < 1e-12 and abs(result.value - result.w / most) < 1e-12
        rows.append((unseen, result.w, most, result.w_max, result.value, same))
    return Table.of(("hypothesis", "w", "w_max by hand", "w_max", "w / w_max", "agrees"), rows)


# %% [markdown]
# Ties: a subject who gives b and c the same relevance does not order them. If they are tied after
# a, a system that answers a, c, b has displacement 0 (*interval*), while the paper's formula uses
# the order in which they are written (*position*). The two lists may have different lengths: m'
# is the system's.


# %% show: ties_and_lengths()
def ties_and_lengths() -> Table:
    """Cases of two to four items, by hand."""
    cases = [
        ("a, c, b; b and c tied, interval", "abc", [1, 0.5, 0.5], "acb", "interval", "0", 0.0),
        ("the same, position", "abc", [1, 0.5, 0.5], "acb", "position", ".5·1 + .5·1", 1.0),
        ("b only; a, c next", "abc", [1, 0.8, 0.3], "b", "position", ".8·1 + 1·1 + .3·0", 1.8),
        ("x, y, z, a", "ab", [1, 0.5], "xyza", "position", "1·3 + .5·3", 4.5),
        ("nothing", "ab", [1, 0.5], "", "position", "1·0 + .5·0", 0.0),
    ]
    rows = []
    for name, subject, weights, system, ties, sum_, by_hand in cases:
        result = ft.displacement(list(subject), weights, list(system), ties=ties)
        rows.append((name, sum_, by_hand, result.w, abs(result.w - by_hand) < 1e-12))
    return Table.of(("the system answers", "w by hand, optimist", "", "w", "agrees"), rows)


# %% [markdown]
# ### Scheme (4): one number for each subject, then together
#
# Three subjects, two systems: each w is computed against one subject's own list, and then
# averaged.


# %% show: three_subjects()
def three_subjects() -> Table:
    """W of two systems against each of three subjects."""
    lists = {
        "ann": zip(SUBJECT, RELEVANCE, strict=True),
        "bob": [("c", 1.0), ("a", 0.9)],
        "eve": [("x", 0.7), ("b", 0.7)],
    }
    rows = [("q", who, item, weight) for who, given in lists.items() for item, weight in given]
    truth = ft.Judgments.from_frame(
        pd.DataFrame(rows, columns=["query", "subject", "item", "grade"])
    )
    runs = {
        "µ": {"q": {item: -j for j, item in enumerate(SYSTEM)}},
        "ν": {"q": {item: -j for j, item in enumerate(["a", "b", "c", "x"])}},
    }
    measures = [
        "WD(unseen=optimist)",
        "WD(unseen=worst,N=10)",
        "WDQ(unseen=optimist,g=exp,rate=0.1)",
    ]
    scores = ft.evaluate(truth, runs, measures, worlds="subject")
    each, mean = scores.mean(by="subject"), scores.mean()
    table = [(system, who, *each.loc[(system, who)]) for system, who in each.index]
    table += [(system, "mean", *mean.loc[system]) for system in mean.index]
    return Table.of(("system", "subject", *(f"`{m}`" for m in measures)), table)


# %% [markdown]
# ### The paper's remark on the pessimist
#
# For N ≫ m, w ≈ N Σ s over B, and w_A/w_B is of the order of m/N. With m = 20 relevances from 1
# down to .5 and every other image missing:


# %% show: pessimist_remark()
def remark(size: int) -> tuple[float, float]:
    """W / (N Σ_B s), and (w_A / w_B) / (m / N), for lists of m = 20 in a collection of N."""
    items, weights = [f"i{j:02}" for j in range(20)], np.linspace(1, 0.5, 20)
    answer = [item if j % 2 else f"other {j}" for j, item in enumerate(reversed(items))]
    result = ft.displacement(items, weights, answer, unseen="pessimist", N=size, ties="position")
    missing = [j for j, item in enumerate(items) if item in result.B]
    return result.w / (size * weights[missing].sum()), result.w_A / result.w_B / (20 / size)


def pessimist_remark() -> Table:
    """The approximation as N grows."""
    sizes = (100, 1_000, 10_000, 100_000)
    rows = [(f"{size:,}", *remark(size)) for size in sizes]
    return Table.of(("N", "w / (N Σ_B s)", "(w_A/w_B) / (m/N)"), rows)


# %%
def displacement_claims() -> list[Claim]:
    """The paper's statements, and the numbers by hand."""
    rows = []
    for unseen, by_hand in BY_HAND.items():
        result, hand = displaced(unseen), sum(by_hand)
        same = abs(result.w - hand) < 1e-12
        source = {"optimist": "(22)", "pessimist": "(23)"}.get(unseen, "in words")
        if unseen == "worst":
            source = "not in the paper; the bound by hand"
        rows.append(
            Claim(
                f"w of the example, {unseen}",
                f"{SANTINI_5}, {source}",
                EXAMPLE,
                f"by hand {cell(hand)}",
                cell(result.w),
                same,
            )
        )
    w = {unseen: displaced(unseen).w for unseen in BY_HAND}
    ordered = w["optimist"] <= w["incremental"] <= w["worst"] <= w["pessimist"]
    shown = " ≤ ".join(cell(w[u]) for u in ("optimist", "incremental", "worst", "pessimist"))
    rows.append(
        Claim("the optimist is as good as it can be", SANTINI_5, PRINTS, "in words", shown, ordered)
    )
    ratio, order = remark(100_000)
    rows += [
        Claim(
            "w ≈ N Σ_B s for N ≫ m",
            SANTINI_5,
            PRINTS,
            "≈ 1",
            cell(ratio),
            bool(abs(ratio - 1) < 1e-3),
        ),
        Claim(
            "w_A/w_B is of the order of m/N",
            SANTINI_5,
            PRINTS,
            "order 1",
            cell(order),
            0.1 < order < 10,
        ),
        Claim(
            "g(x) = 1/(1 + x)^p and exp(-λx) are 1 at 0 and decrease",
            f"{SANTINI_5}, (18)",
            IDENTITY,
            "in words",
            "1 at w = 0, smaller at every larger w",
            decreasing(),
        ),
    ]
    return rows


def decreasing() -> bool:
    """Whether a larger displacement has a lower quality, in the example."""
    functions = {"rational": {"power": 2}, "exp": {"rate": 0.1}}
    for g, options in functions.items():
        same = ft.displacement(["a"], [1], ["a"], g=g, **options).value
        values = [displaced(unseen, g=g, **options).value for unseen in BY_HAND]
        if same != 1 or not all(a > b for a, b in itertools.pairwise(values)):
            return False
    return True
