"""Make three_estimands.png, the figure of docs/explanation/disagreement.md.

Run it as ``python docs/explanation/pictures/three_estimands.py``.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import fuzzytruth as ft
import matplotlib as mpl
import pandas as pd
from fuzzytruth.plots.scheme import COLOURS, REFERENCE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PANEL = [
    "human",
    "NISTRetrieval-instruct0",
    "Olz-gpt4o",
    "RMITIR-llama70B",
    "TREMA-4prompts",
]
PANEL += ["willia-umbrela1"]
NAMES = {
    "h2oloo-zeroshot1": "A",
    "h2oloo-fewself": "B",
    "RMITIR-llama38b": "C",
    "prophet-setting1": "D",
    "TREMA-rubric0": "E",
}
PAIRS = [("B", "E"), ("A", "D"), ("A", "C")]


def scores_by_panel() -> ft.Scores:
    """Scores of the five systems by each subject of the panel."""
    votes = ft.datasets.load_llmjudge_dl23()
    runs = ft.Runs.from_judgments(votes.select(subjects=[*NAMES])).rename(
        NAMES
    )
    scores = ft.evaluate(
        votes.select(subjects=PANEL), runs, "nDCG@10", worlds="subject"
    )
    return scores.select(systems=sorted(scores.systems))


def differences(
    scores: ft.Scores,
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Differences over queries, over queries and subjects, and by each subject alone."""
    by_queries = ft.compare(scores)
    both = ft.compare(scores, over=("query", "subject"))
    return (
        by_queries.to_frame(),
        both.to_frame(),
        by_queries.by_subject().to_frame(),
    )


def of_pair(frame: pd.DataFrame, pair: tuple[str, str]) -> pd.DataFrame:
    """The rows of a pair of systems."""
    return frame[
        (frame["system_a"] == pair[0]) & (frame["system_b"] == pair[1])
    ]


def interval(
    ax: Axes, y: float, row: pd.Series, colour: str, marker: str, line: str
) -> None:
    """An interval, whose mark is filled if the difference is significant."""
    ax.plot(
        [row["lower"], row["upper"]],
        [y, y],
        color=colour,
        linestyle=line,
        linewidth=1.8,
    )
    face = colour if row["p_adjusted"] <= 0.05 else "white"
    ax.plot(
        row["difference"],
        y,
        marker,
        color=colour,
        markerfacecolor=face,
        markersize=7,
    )


def draw(ax: Axes) -> None:
    """Three pairs of systems, three ways of comparing each."""
    scores = scores_by_panel()
    by_queries, both, alone = differences(scores)
    ticks: dict[float, str] = {}
    for n, pair in enumerate(PAIRS):
        top = -4.0 * n
        interval(
            ax, top, of_pair(by_queries, pair).iloc[0], COLOURS[0], "o", "-"
        )
        interval(
            ax, top - 1, of_pair(both, pair).iloc[0], COLOURS[1], "s", "--"
        )
        each = of_pair(alone, pair).sort_values("difference")
        for place, (_, row) in enumerate(each.iterrows()):
            face = "black" if row["p_adjusted"] <= 0.05 else "white"
            y = (
                top - 2 + (0.16 if place % 2 else -0.16)
            )  # equal values stay apart
            ax.plot(
                row["difference"],
                y,
                "D",
                color="black",
                markerfacecolor=face,
                markersize=5.5,
            )
        ax.text(
            0.01, top + 0.62, f"{pair[0]} minus {pair[1]}", fontweight="bold",
            transform=ax.get_yaxis_transform(), va="center",
        )  # fmt: skip
        ticks |= {top: "over queries", top - 1: "over queries\nand subjects"}
        ticks[top - 2] = "by each subject"
    ax.axvline(0, color=REFERENCE, linewidth=1, zorder=0)
    ax.set_yticks([*ticks], [*ticks.values()])
    ax.set_ylim(min(ticks) - 0.7, 1.1)
    n_subjects = len(scores.subjects or ())
    ax.set_title(
        f"nDCG@10: three of {len(by_queries)} differences of {len(scores.systems)} systems\n"
        f"{len(scores.queries)} queries, {n_subjects} subjects",
        loc="left", fontsize=10,
    )  # fmt: skip
    ax.set_xlabel(
        "difference in nDCG@10\n(lines: simultaneous 95 % intervals;\nfilled: significant)"
    )
    ax.spines[["top", "right"]].set_visible(False)


if __name__ == "__main__":
    mpl.use("Agg")
    import matplotlib.pyplot as plt

    warnings.simplefilter("ignore", ft.FuzzytruthWarning)
    figure, axes = plt.subplots(figsize=(4.6, 4.7), layout="constrained")
    draw(axes)
    figure.savefig(Path(__file__).with_suffix(".png"), dpi=140)
