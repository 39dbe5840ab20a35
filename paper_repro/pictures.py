"""The pictures of the document, drawn from results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

import fuzzytruth as ft

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BLUE, ORANGE, GREEN = "#0072B2", "#D55E00", "#009E73"  # Okabe & Ito's, for colour-blind readers
SYSTEMS = {"A": (BLUE, "-", "o"), "B": (ORANGE, "--", "s")}
SAID = {"people": BLUE, "crowd": GREEN, "city": ORANGE}
RANKS = (1, 5, 10, 19)


def result(panels: Mapping[str, pd.DataFrame]) -> Figure:
    """For each system: what one truth says, what memberships say, and what each person gets."""
    figure = Figure(figsize=(10, 3.9), layout="constrained")
    axes = figure.subplots(1, 2)
    for ax, (title, frame) in zip(axes, panels.items(), strict=True):
        for place, (system, row) in enumerate(frame.iterrows()):
            _three_rows(ax, -4 * place, row)
            ax.text(
                0,
                -4 * place + 0.75,
                f" {system}",
                transform=ax.get_yaxis_transform(),
                weight="bold",
            )
        places = [-4 * p - line for p in range(len(frame)) for line in range(3)]
        ax.set_yticks(places, ["one truth", "memberships", "each person"] * len(frame))
        ax.set(xlabel="mean P@5", ylim=(places[-1] - 0.7, 1.5))
        ax.set_title(title, fontsize=10, loc="left")
        ax.spines[["top", "right", "left"]].set_visible(False)
        ax.tick_params(axis="y", length=0)
    return figure


def _three_rows(ax: Axes, top: float, row: pd.Series[Any]) -> None:
    ax.plot(row["one truth"], top, "X", color=ORANGE, ms=8)
    ax.plot([row["2.5 %"], row["97.5 %"]], [top - 1] * 2, color=BLUE, lw=7, alpha=0.35)
    ax.plot(row["memberships"], top - 1, "o", color=BLUE, ms=7)
    ax.plot(row["each"], np.full(len(row["each"]), top - 2.0), "|", color="0.25", ms=13, mew=1.5)
    ax.plot(row["people's mean"], top - 2, "o", color="white", mec="0.25", mew=1.5, ms=7)


def masses(ranks: ft.results.RankDistributions, shares: Mapping[str, float], query: str) -> Figure:
    """P@5 of both systems, (11) to (13): what each category of the query contributes."""
    figure = Figure(figsize=(9, 3.3), layout="constrained")
    axes = figure.subplots(1, 2, sharey=True)
    value = np.arange(6) / 5
    for ax, system in zip(axes, SYSTEMS, strict=True):
        below = np.zeros(6)
        for category, share in shares.items():
            mass = share * ranks.precision(system, query, 5, category=category).pmf(value)
            name = f"if it shows {category} ({share:g})"
            ax.bar(value, mass, 0.13, below, color=SAID[category], label=name, edgecolor="white")
            below += mass
        mean = ranks.precision(system, query, 5).mean()
        ax.axvline(mean, color="black", lw=1, ls=":", label="mean")
        ax.set(xlabel=f"P@5 of system {system}", xticks=value)
        ax.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylabel("probability")
    _legend_below(figure, axes[0], 4)
    return figure


def clouds(ranks: ft.results.RankDistributions, shares: Mapping[str, float], query: str) -> Figure:
    """Precision against recall given each category: mean curve and band of both systems."""
    figure = Figure(figsize=(10.5, 3.7), layout="constrained")
    axes = figure.subplots(1, 3, sharey=True)
    for system, (colour, style, marker) in SYSTEMS.items():
        curves = ranks.cloud(system, query).by_category().groupby("category")
        for ax, category in zip(axes, shares, strict=True):
            part = curves.get_group(category)
            x, band = part["recall"], (part["precision_lower"], part["precision_upper"])
            ax.fill_between(x, *band, color=colour, alpha=0.15, lw=0, label=f"{system}, 95 %")
            marked = part["rank"].isin(RANKS)
            ax.plot(x, part["precision"], style, color=colour, lw=1.8, label=f"{system}, mean")
            ax.plot(x[marked], part["precision"][marked], marker, color=colour, ms=5)
    for ax, (category, share) in zip(axes, shares.items(), strict=True):
        ax.set_title(f"if it shows {category} ({share:g})", fontsize=10)
        ax.set(xlabel="recall", xlim=(-0.02, 1.02), ylim=(-0.02, 1.04))
        ax.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylabel("precision")
    _legend_below(figure, axes[0], 4)
    return figure


def strong(laws: Mapping[str, ft.Distribution], one: pd.Series[float]) -> Figure:
    """P@5 for each query: the one number of a strong truth on the distribution over worlds."""
    figure = Figure(figsize=(8, 3.6), layout="constrained")
    ax = figure.subplots()
    place = np.arange(len(laws))
    low, high = np.transpose([law.interval(0.95) for law in laws.values()])
    ax.vlines(place, low, high, color=BLUE, lw=7, alpha=0.35, label="central 95 % over worlds")
    ax.plot(place, [law.mean() for law in laws.values()], "o", color=BLUE, label="mean over worlds")
    ax.plot(place, one[list(laws)], "X", color=ORANGE, label="one truth")
    ax.set_xticks(place, laws, rotation=60, ha="right", rotation_mode="anchor")
    ax.set(ylabel="P@5 of system A")
    ax.spines[["top", "right"]].set_visible(False)
    _legend_below(figure, ax, 3)
    return figure


def lists(
    results: Mapping[str, ft.results.Displacement], subject: Sequence[str], system: Sequence[str]
) -> Figure:
    """Ranks of the items in the two lists, under several hypotheses."""
    figure = Figure(figsize=(11, 4.4), layout="constrained")
    axes = figure.subplots(1, len(results), sharey=True)
    for ax, (unseen, one) in zip(axes, results.items(), strict=True):
        _two_lists(ax, one, subject, system)
        ax.set_title(f"{unseen}\nw = {one.w:.3g}", fontsize=11)
    axes[0].set(ylabel="position", ylim=(10.6, 0.3), yticks=range(1, 11))
    handles = [
        Line2D([], [], color=BLUE, marker="o", label="A: listed by both"),
        Line2D([], [], color=ORANGE, marker="s", ls="--", label="B: only by the subject"),
        Line2D([], [], color="0.55", marker="x", ls="", label="C: only by the system"),
        Rectangle((0, 0), 1, 1, color="0.92", label="shown by the system"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=4, frameon=False)
    return figure


def _two_lists(
    ax: Axes, one: ft.results.Displacement, subject: Sequence[str], system: Sequence[str]
) -> None:
    ax.axhspan(0.5, len(system) + 0.5, xmin=0.55, color="0.92", zorder=0)
    for place, (item, weight, rank) in enumerate(
        zip(one.items, one.relevances, one.ranks.tolist(), strict=True), start=1
    ):
        style, colour = ("o-", BLUE) if item in system else ("s--", ORANGE)
        ax.plot([0, 1], [place, rank], style, color=colour, lw=0.8 + 2.2 * weight, ms=6)
        ax.annotate(f"{item}  {weight:g}", (-0.08, place), ha="right", va="center")
        ax.annotate(item, (1.08, rank), va="center")
    for rank, item in enumerate(system, start=1):
        if item not in subject:
            ax.plot(1, rank, "x", color="0.55")
            ax.annotate(item, (1.08, rank), va="center", color="0.55")
    ax.set(xlim=(-0.5, 1.3), xticks=(0, 1))
    ax.set_xticklabels(["subject", "system"])
    ax.spines[["top", "right", "bottom"]].set_visible(False)
    ax.tick_params(axis="x", length=0)


def intervals(frame: pd.DataFrame, each: pd.Series[float]) -> Figure:
    """A difference by subject, and its intervals by what is taken as a random sample."""
    figure = Figure(figsize=(8, 2.6), layout="constrained")
    ax = figure.subplots()
    colours = (BLUE, ORANGE, GREEN)
    for height, (row, colour) in enumerate(zip(frame.itertuples(), colours, strict=True)):
        ax.plot([row.lower, row.upper], [-height] * 2, color=colour, lw=3, solid_capstyle="butt")
        ax.plot(row.difference, -height, "o", color=colour)
    ax.plot(each, [-3] * len(each), "|", color="0.3", ms=14, mew=2)
    ax.axvline(0, color="black", lw=1)
    ax.set_yticks([0, -1, -2, -3], [*(f"over {over}" for over in frame.index), "each subject"])
    ax.set(xlabel="displacement of A minus displacement of B", ylim=(-3.6, 0.6))
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(axis="y", length=0)
    return figure


def graph(membership: ft.Membership, item: str, double: Mapping[str, float]) -> Figure:
    """A taxonomy that is no tree, with the sums of (8) where they differ from the shares."""
    shares = membership.of_item(item)
    names = {
        node: f"{node} (not {double[node]:g})" if abs(double[node] - share) > 1e-12 else node
        for node, share in shares.items()
    }
    return membership.taxonomy.plot(shares, labels=names, cmap="Blues", title="").figure


def _legend_below(figure: Figure, ax: Axes, columns: int) -> None:
    handles = ax.get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=columns, frameon=False)
