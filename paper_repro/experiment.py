"""Part (b): the paper's experiment on synthetic votes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import fuzzytruth as ft
from paper_repro.examples import FIGURE_1_VOTES, TREE
from paper_repro.pictures import BLUE, ORANGE, Picture, pyplot
from paper_repro.tables import IDENTITY, PRINTS, Claim, Table

# %% [markdown]
# ## (b) The paper's experiment, on SYNTHETIC votes
#
# "I used a set of 20 images and asked 5 people to classify them." The paper prints the votes for
# the image of Figure 1 only, and no retrieval results. **Everything below except the five votes
# on `fig1` is therefore synthetic**: {{len(IMAGES) - 1}} more images, in each of which two things
# can be seen (a vote names one of them or, with probability .4, as two of the five do in Figure 1,
# its parent: {{f"{parents_named():.0%}"}} of the synthetic votes did), and two systems that rank by
# a noisy similarity of the contents. The seed is fixed. The numbers illustrate the method and say
# nothing about any real system.

# %%
SEED = 2004
QUERY = "fig1"
IMAGES = [QUERY, *(f"synth{n:02}" for n in range(2, 21))]
LEAVES = [leaf for node in ("people", "scenery") for leaf in TREE[node]]
K = 5  # rank at which precision and recall are shown


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


def parents_named() -> float:
    """Share of the synthetic votes that are for people or scenery as such."""
    frame = synthetic_votes()[0].to_frame()
    return float(frame[frame["item"] != QUERY]["category"].isin(TREE["all"]).mean())


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
# five votes; the other images in the subtree of the query's category are relevant.
#
# Given the query's category, precision and recall have exact distributions (10 to 12). Mixed by
# the direct shares of the query's votes (13, 14), they are what the system is worth for a query
# of which nobody knows for sure what it shows:


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
                query: {
                    item: score for item, score in zip(IMAGES, row, strict=True) if item != query
                }
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
        p, r = ranks.precision("A", QUERY, K), ranks.recall("A", QUERY, K)
        rows.append((f"given {category}", share, p.mean(), p.std(), r.mean(), r.std()))
    ranks = distributions_by_rank()
    p, r = ranks.precision("A", QUERY, K), ranks.recall("A", QUERY, K)
    rows.append(("mixed, (13) and (14)", 1.0, p.mean(), p.std(), r.mean(), r.std()))
    mixed = tuple(sum(row[1] * row[column] for row in rows[:-1]) for column in (2, 4))
    rows.append(("Σ direct share · mean, by hand", "", mixed[0], "", mixed[1], ""))
    return Table.of(
        ("query's category", "direct share", "mean of P@5", "std", "mean of R@5", "std"),
        rows,
    )


# %% [markdown]
# The exact distributions of precision and recall at rank 5:


# %% picture: drawn_distributions()
def drawn_distributions() -> Picture:
    """P@5 and R@5 of both systems for `fig1`."""
    plt = pyplot()
    ranks = distributions_by_rank()
    figure, axes = plt.subplots(1, 2, figsize=(9.5, 3.6), layout="constrained")
    pairs = (("P@5", ranks.precision), ("R@5", ranks.recall))
    for ax, (name, law) in zip(axes, pairs, strict=True):
        for system, colour, style in (("A", BLUE, "-"), ("B", ORANGE, "--")):
            d = law(system, QUERY, K)
            x = np.concatenate(([-0.02], d.values, [1.02]))
            below = np.concatenate(([0.0], d.cdf(d.values), [1.0]))
            label = f"{system}, mean {d.mean():.3f}, std {d.std():.3f}"
            ax.step(x, below, where="post", color=colour, ls=style, lw=1.8, label=label)
        ax.set(xlabel=f"{name} for the query {QUERY}", xlim=(-0.02, 1.02), ylim=(0, 1.02))
        ax.set_ylabel("cumulative probability")
        ax.legend(loc="lower right", frameon=False, title="system")
        ax.spines[["top", "right"]].set_visible(False)
    figure.suptitle("Synthetic votes: cumulative distributions at rank 5")
    return Picture(
        figure,
        "Precision (left) and recall (right) among the first five answers to the query `fig1`, as "
        "distributions over what the query and the other images may show. The height of a curve "
        "at x is the probability of a value of x or less, so that a curve further below is better. "
        "A benchmark with one truth prints one number where each of these curves is.",
    )


# %% picture: drawn_masses()
def drawn_masses() -> Picture:
    """P@5 as in (11): a mass on each k/5."""
    plt = pyplot()
    ranks = distributions_by_rank()
    figure, ax = plt.subplots(figsize=(6, 3.4), layout="constrained")
    value = np.arange(6) / 5
    for system, colour, hatch, shift in (("A", BLUE, "", -0.03), ("B", ORANGE, "//", 0.03)):
        mass = ranks.precision(system, QUERY, K).pmf(value)
        ax.bar(
            value + shift, mass, 0.055, color=colour, hatch=hatch, edgecolor="white", label=system
        )
    ax.set(xlabel=f"P@5 for the query {QUERY}", ylabel="probability", xticks=value)
    ax.set_ylim(0, 1.25 * ax.dataLim.y1)
    ax.legend(frameon=False, title="system", loc="upper right", ncols=2)
    ax.spines[["top", "right"]].set_visible(False)
    ax.set_title("Synthetic votes: precision at rank 5")
    return Picture(
        figure,
        "The same precision as probabilities of 0, 1, … 5 relevant images among the first five. "
        "The two humps are the query's categories: people, of whom the first answers have many, "
        "and city, of which they have next to none.",
    )


# %% [markdown]
# The precision–recall curve becomes a cloud: at each rank the joint distribution of (recall,
# precision). One band over all categories that the query may have would hold nearly every
# precision (at rank {{K}} of A, {{"{:g} to {:g}".format(*cloud_ends())}} with 95 %), so there is
# one band for each category.


# %% picture: drawn_clouds()
def cloud_ends() -> tuple[float, float]:
    """The 95 % band of precision at rank K over all categories, of system A."""
    row = distributions_by_rank().cloud("A", QUERY).bands().iloc[K - 1]
    return float(row["precision_lower"]), float(row["precision_upper"])


def drawn_clouds() -> Picture:
    """The clouds of both systems."""
    plt = pyplot()
    ranks = distributions_by_rank()
    figure, axes = plt.subplots(1, 2, figsize=(10.5, 5), sharey=True, layout="constrained")
    for ax, system in zip(axes, ("A", "B"), strict=True):
        ranks.cloud(system, QUERY).plot(ax)
        ax.set_title(f"system {system}, query {QUERY} (synthetic votes)")
        ax.get_legend().remove()
    axes[1].set_ylabel("")
    figure.legend(
        *axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False
    )
    return Picture(
        figure,
        "Precision against recall at ranks 1 to 19, for the query `fig1`. Dots: points that are "
        "possible, larger and darker where more probable. Black: the mean curve over all "
        "categories that the query may have. Colours: given one of them (its probability in "
        "brackets), the mean curve and the band that holds 95 % of the precision at each rank.",
    )


# %%
def experiment_claims() -> list[Claim]:
    """What section 4 says about precision and recall when the truth is uncertain."""
    ranks = distributions_by_rank()
    p = ranks.precision("A", QUERY, K)
    direct = synthetic_votes()[0].membership().direct(QUERY)
    parts = [distributions_by_rank(category=c).precision("A", QUERY, K) for c in direct]
    mixed = ft.Distribution.mixture(parts, list(direct.values()))
    value = np.arange(6) / 5
    gap = float(np.abs(mixed.pmf(value) - p.pmf(value)).max())
    total = float(p.probabilities.sum())
    recall = [ranks.recall("A", QUERY, k).mean() for k in range(1, 20)]
    rising = bool((np.diff(recall) >= -1e-12).all())
    precision = ranks.to_frame().pivot_table("precision", ["system", "query"], "rank")
    fewer, lists = int((precision[19] < precision[1]).sum()), len(precision)
    source = "Santini, section 4, on synthetic votes"
    return [
        Claim(
            "(13) is a distribution",
            source,
            IDENTITY,
            "sums to 1",
            f"{total:.12g}",
            abs(total - 1) < 1e-12,
        ),
        Claim(
            "(13) with direct shares is the law of total probability",
            source,
            IDENTITY,
            "in words",
            "equal within 1e-12" if gap < 1e-12 else f"{gap:.3g} apart",
            gap < 1e-12,
        ),
        Claim(
            "returning more elements increases recall",
            "Santini, section 3, on synthetic votes",
            IDENTITY,
            "in words",
            f"expected R@1..19 from {recall[0]:.3f} to {recall[-1]:.3f}",
            rising,
        ),
        Claim(
            "returning more elements usually decreases precision",
            "Santini, section 3, on synthetic votes",
            PRINTS,
            "in words",
            f"expected P@19 < P@1 for {fewer} of {lists} lists",
            fewer > lists / 2,
        ),
    ]
