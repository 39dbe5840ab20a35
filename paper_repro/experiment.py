"""Part (b): the paper's experiment on synthetic votes."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import fuzzytruth as ft
from fuzzytruth.errors import UndefinedMeasureWarning
from paper_repro.examples import FIGURE_1_VOTES, TREE
from paper_repro.tables import Claim, Table

# %% [markdown]
# ## (b) The paper's experiment, on SYNTHETIC votes
#
# "I used a set of 20 images and asked 5 people to classify them." The paper prints the votes for
# the image of Figure 1 only, and no retrieval results. **Everything below except the five votes
# on `fig1` is therefore synthetic**: 19 more images, in each of which two things can be seen (a
# vote names one of them, or in two cases of five, as in Figure 1, its parent), and two systems
# that rank by a noisy similarity of the contents. The seed is fixed. The numbers illustrate the
# method and say nothing about any real system.

# %%
SEED = 2004
QUERY = "fig1"
IMAGES = [QUERY, *(f"synth{n:02}" for n in range(2, 21))]
LEAVES = [leaf for node in ("people", "scenery") for leaf in TREE[node]]
BLUE, ORANGE = "#0072B2", "#D55E00"  # Okabe & Ito's, for colour-blind readers, too


# %% show: votes_table()
def contents(rng: np.random.Generator) -> np.ndarray:
    """Share of each leaf in each image: (20 images, 5 leaves), rows sum to 1."""
    first = rng.permutation(np.arange(19) % len(LEAVES))
    second = (first + rng.integers(1, len(LEAVES), 19)) % len(LEAVES)
    share = rng.beta(2, 4, 19)
    out = np.zeros((20, len(LEAVES)))
    out[0, [LEAVES.index("crowd"), LEAVES.index("city")]] = 0.6, 0.4  # Figure 1
    out[np.arange(1, 20), first] = 1 - share
    out[np.arange(1, 20), second] = share
    return out


def synthetic_votes() -> tuple[ft.Assignments, np.ndarray]:
    """The votes of five subjects on 20 images, and the contents of the images."""
    rng = np.random.default_rng(SEED)
    inside = contents(rng)
    drawn = rng.random((19, 5, 1)) > np.cumsum(inside[1:], axis=1)[:, None, :-1]
    leaf = drawn.sum(axis=2)  # (images, subjects)
    parent = np.array(["people"] * 3 + ["scenery"] * 2)
    named = np.where(rng.random((19, 5)) < 0.4, parent[leaf], np.array(LEAVES)[leaf])
    frame = pd.DataFrame(
        {
            "subject": np.tile([f"subject {n}" for n in range(1, 6)], 20),
            "item": np.repeat(IMAGES, 5),
            "category": [*FIGURE_1_VOTES, *named.ravel()],
        }
    )
    return ft.Assignments.from_frame(frame, taxonomy=ft.Taxonomy.from_children(TREE)), inside


def votes_table() -> Table:
    """Votes and probabilities of the first images."""
    votes, _ = synthetic_votes()
    m = votes.membership()
    rows = []
    for item in IMAGES[:6]:
        direct = ", ".join(f"{name} {share:g}" for name, share in m.direct(item).items())
        rows.append((item, direct, *(m.probability(item, node) for node in TREE["all"] + LEAVES)))
    sizes = m.sizes()
    rows.append(("…", "", *("" for _ in TREE["all"] + LEAVES)))
    rows.append(("size (9), of all 20", "", *(sizes[node] for node in TREE["all"] + LEAVES)))
    return Table.of(("image", "direct shares", *TREE["all"], *LEAVES), rows)


# %% [markdown]
# Every image is a query for which the other 19 are ranked. System A's similarities have less
# noise than B's. In each world every image, the query included, has the category of one of its
# five votes; images in the subtree of the query's category are relevant.


# %% show: given_categories()
def two_systems() -> ft.Runs:
    """Rankings of A and B, for every image."""
    _, inside = synthetic_votes()
    rng = np.random.default_rng(SEED + 1)
    branch = np.stack((inside[:, :3].sum(axis=1), inside[:, 3:].sum(axis=1)), axis=1)
    similarity = inside @ inside.T + 0.5 * branch @ branch.T
    return ft.Runs.from_dict(
        {
            name: {
                query: dict(zip(IMAGES, row, strict=True))
                for query, row in zip(IMAGES, noisy.tolist(), strict=True)
            }
            for name, noisy in (
                ("A", similarity + rng.normal(0, 0.15, similarity.shape)),
                ("B", similarity + rng.normal(0, 0.45, similarity.shape)),
            )
        }
    )


def distributions_by_rank(**options: Any) -> ft.RankDistributions:
    """Distributions of precision and recall of both systems at every rank."""
    votes, _ = synthetic_votes()
    return ft.by_rank(votes.by_example(**options), two_systems(), depth=19)


def given_categories() -> Table:
    """(10) to (14): P@5 and R@5 of A for `fig1`, given each category, and mixed."""
    direct = synthetic_votes()[0].membership().direct(QUERY)
    rows = []
    for category, share in direct.items():
        ranks = distributions_by_rank(category=category)
        p, r = ranks.precision("A", QUERY, 5), ranks.recall("A", QUERY, 5)
        rows.append((f"given {category}", share, p.mean(), p.std(), r.mean(), r.std()))
    ranks = distributions_by_rank()
    p, r = ranks.precision("A", QUERY, 5), ranks.recall("A", QUERY, 5)
    rows.append(("mixed, (13) and (14)", 1.0, p.mean(), p.std(), r.mean(), r.std()))
    mixed = tuple(sum(row[1] * row[column] for row in rows[:-1]) for column in (2, 4))
    rows.append(("Σ direct share · mean, by hand", "", mixed[0], "", mixed[1], ""))
    return Table.of(
        ("query's category", "direct share", "E P@5", "std", "E R@5", "std"),
        rows,
    )


# %% [markdown]
# The exact distributions of precision and recall at rank 5:


# %% show: drawn_distributions()
def drawn_distributions() -> Figure:
    """P@5 and R@5 of both systems for `fig1`."""
    import matplotlib.pyplot as plt

    ranks = distributions_by_rank()
    figure, axes = plt.subplots(1, 2, figsize=(9.5, 3.6), layout="constrained")
    pairs = (("P@5", ranks.precision), ("R@5", ranks.recall))
    for ax, (name, law) in zip(axes, pairs, strict=True):
        for system, colour, style in (("A", BLUE, "-"), ("B", ORANGE, "--")):
            d = law(system, QUERY, 5)
            x = np.concatenate(([-0.02], d.values, [1.02]))
            below = np.concatenate(([0.0], d.cdf(d.values), [1.0]))
            label = f"{system}, mean {d.mean():.3f}"
            ax.step(x, below, where="post", color=colour, ls=style, lw=1.8, label=label)
        ax.set(xlabel=f"{name} for the query {QUERY}", xlim=(-0.02, 1.02), ylim=(0, 1.02))
        ax.set_ylabel("cumulative probability")
        ax.legend(loc="upper left", frameon=False, title="system")
        ax.spines[["top", "right"]].set_visible(False)
    figure.suptitle("Synthetic votes: cumulative distributions at rank 5")
    plt.close(figure)
    return figure


# %% show: drawn_masses()
def drawn_masses() -> Figure:
    """P@5 as in (11): a mass on each k/5."""
    import matplotlib.pyplot as plt

    ranks = distributions_by_rank()
    figure, ax = plt.subplots(figsize=(6, 3.4), layout="constrained")
    value = np.arange(6) / 5
    for system, colour, hatch, shift in (("A", BLUE, "", -0.03), ("B", ORANGE, "//", 0.03)):
        mass = ranks.precision(system, QUERY, 5).pmf(value)
        ax.bar(
            value + shift, mass, 0.055, color=colour, hatch=hatch, edgecolor="white", label=system
        )
    ax.set(xlabel=f"P@5 for the query {QUERY}", ylabel="probability", xticks=value)
    ax.set_ylim(0, 1.25 * ax.dataLim.y1)
    ax.legend(frameon=False, title="system", loc="upper right", ncols=2)
    ax.spines[["top", "right"]].set_visible(False)
    ax.set_title("Synthetic votes: precision at rank 5")
    plt.close(figure)
    return figure


# %% [markdown]
# The precision–recall curve becomes a cloud: at each rank the joint distribution of (recall,
# precision).


# %% show: drawn_clouds()
def drawn_clouds() -> Figure:
    """The clouds of both systems."""
    import matplotlib.pyplot as plt

    ranks = distributions_by_rank()
    figure, axes = plt.subplots(1, 2, figsize=(10, 4.8), sharey=True, layout="constrained")
    for ax, system in zip(axes, ("A", "B"), strict=True):
        ranks.cloud(system, QUERY).plot(ax)
        ax.set_title(f"system {system}, query {QUERY} (synthetic votes)")
        ax.get_legend().remove()
    axes[1].set_ylabel("")
    figure.legend(
        *axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False
    )
    plt.close(figure)
    return figure


# %% [markdown]
# ### The two systems compared
#
# "The comparison of different system can be done with the standard statistical methods used to
# compare distributions." P(A > B) needs the joint distribution: both systems retrieve many of the
# same images, whose truth is the same for both. If the two distributions are taken as
# independent, the result is another (last column). The Wasserstein distance and dominance depend
# on the two distributions only. In about 4 % of worlds no image is of the query's category, and
# recall and average precision count 0.


# %% show: comparison()
def scored(measures: list[str], worlds: str) -> ft.Scores:
    """Scores of both systems, over 4,000 worlds where worlds are drawn."""
    votes, _ = synthetic_votes()
    with warnings.catch_warnings():  # of the worlds without relevant images, see the text
        warnings.simplefilter("ignore", UndefinedMeasureWarning)
        return ft.evaluate(
            votes.by_example(), two_systems(), measures, worlds=worlds, n_worlds=4_000, rng=SEED
        )


def both_scores() -> ft.Scores:
    """P@5, R@5 and AP in independent worlds."""
    return scored(["P@5", "R@5", "AP"], "independent")


def dominance(a: ft.Distribution, b: ft.Distribution) -> str:
    """Which of the two dominates stochastically, and of which order."""
    for order, name in ((1, "first"), (2, "second")):
        for system, one, other in (("A", a, b), ("B", b, a)):
            if one.dominates(other, order=order):
                return f"{system}, {name} order"
    return "neither"


def comparison() -> Table:
    """The two systems on the query `fig1`."""
    scores = both_scores()
    rows = []
    for measure in scores.measures:
        a, b = (scores.distribution(system, QUERY, measure) for system in "AB")
        gap = scores.difference("A", "B", measure, query=QUERY)
        rows.append(
            (
                measure,
                f"{a.mean():.4f}",
                f"{b.mean():.4f}",
                f"{gap.sf(0):.4f}",
                f"{gap.pmf(0):.4f}",
                f"{gap.cdf(0) - gap.pmf(0):.4f}",
                "exact" if gap.exact else f"{gap.n_samples:,} worlds",
                f"{a.wasserstein(b):.4f}",
                dominance(a, b),
                f"{a.prob_greater(b, independent=True):.4f}",
            )
        )
    return Table.of(
        (
            f"measure, {QUERY}",
            "mean of A",
            "mean of B",
            "P(A > B)",
            "P(A = B)",
            "P(A < B)",
            "joint",
            "Wasserstein",
            "dominates",
            "P(A > B) if independent",
        ),
        rows,
    )


# %% show: drawn_differences()
def drawn_differences() -> Figure:
    """Differences of P@5, joint and as if independent; and of the mean AP of 20 queries."""
    import matplotlib.pyplot as plt

    scores = both_scores()
    joint = scores.difference("A", "B", "P@5", query=QUERY)
    a, b = (scores.distribution(system, QUERY, "P@5") for system in "AB")
    apart = a.difference(b, independent=True)
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
    value = np.arange(-5, 6) / 5
    for d, colour, hatch, shift, name in (
        (joint, BLUE, "", -0.035, "joint: the same truth for both"),
        (apart, ORANGE, "//", 0.035, "as if independent"),
    ):
        left.bar(
            value + shift,
            d.pmf(value),
            0.065,
            color=colour,
            hatch=hatch,
            edgecolor="white",
            label=name,
        )
    left.set(
        xlabel=f"P@5 of A minus P@5 of B, query {QUERY}", ylabel="probability", xticks=value[1::2]
    )
    left.set_ylim(0, 1.3 * max(joint.probabilities.max(), apart.probabilities.max()))
    left.legend(frameon=False, loc="upper left", fontsize="small")
    mean = scores.difference("A", "B", "AP")
    right.hist(mean.values, bins=50, weights=mean.probabilities, color=BLUE)
    right.axvline(0, color="black", lw=1)
    low, high = mean.interval(0.95)
    for end in (low, high):
        right.axvline(end, color=ORANGE, ls="--", lw=1.4)
    right.set_xlabel(
        "MAP of A minus MAP of B, 20 queries\n(dashed: central 95 % of the worlds drawn)"
    )
    right.set_ylabel("share of worlds")
    for ax in (left, right):
        ax.spines[["top", "right"]].set_visible(False)
    figure.suptitle("Synthetic votes: differences between the two systems")
    plt.close(figure)
    return figure


# %% [markdown]
# Means over all 20 queries, under three kinds of worlds: independent items (section 4 of the
# paper), single subjects (in the spirit of section 5), and resampled subjects, which tell how far
# the mean is from that of infinitely many such subjects. The means are exact; the rest is
# computed from the worlds drawn (all worlds for single subjects). The standard deviation is over
# worlds, not over queries; for five resampled subjects it is too small by a factor of about
# √(5/4), so that the last column is descriptive and no p-value.


# %% show: kinds_of_worlds()
def kinds_of_worlds() -> Table:
    """MAP of both systems and their difference."""
    rows = []
    for worlds in ("independent", "subject", "population"):
        scores = scored(["AP"], worlds)
        mean = scores.mean()["AP"]
        gap = scores.difference("A", "B", "AP")
        rows.append(
            (
                worlds,
                f"{mean['A']:.4f}",
                f"{mean['B']:.4f}",
                f"{gap.mean():.4f}",
                f"{gap.std():.4f}",
                f"{gap.sf(0):.4f}",
            )
        )
    return Table.of(
        (
            "worlds",
            "MAP of A",
            "MAP of B",
            "difference",
            "std over worlds",
            "share with A > B",
        ),
        rows,
    )


# %%
def experiment_claims() -> list[Claim]:
    """What section 4 says about precision and recall when the truth is uncertain."""
    ranks = distributions_by_rank()
    p = ranks.precision("A", QUERY, 5)
    direct = synthetic_votes()[0].membership().direct(QUERY)
    parts = [distributions_by_rank(category=c).precision("A", QUERY, 5) for c in direct]
    mixed = ft.Distribution.mixture(parts, list(direct.values()))
    value = np.arange(6) / 5
    gap = float(np.abs(mixed.pmf(value) - p.pmf(value)).max())
    total = float(p.probabilities.sum())
    recall = [ranks.recall("A", QUERY, k).mean() for k in range(1, 20)]
    rising = bool((np.diff(recall) >= -1e-12).all())
    source = "Santini, section 4, on synthetic votes"
    return [
        Claim(
            "(13) is a distribution", source, "sums to 1", f"{total:.12g}", abs(total - 1) < 1e-12
        ),
        Claim(
            "(13) with direct shares is the law of total probability",
            source,
            "in words",
            "equal within 1e-12" if gap < 1e-12 else f"{gap:.3g} apart",
            gap < 1e-12,
        ),
        Claim(
            "returning more elements increases recall",
            "Santini, section 3, on synthetic votes",
            "in words",
            f"expected R@1..19 from {recall[0]:.3f} to {recall[-1]:.3f}",
            rising,
        ),
    ]
