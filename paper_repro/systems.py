"""Part (b), continued: the two systems compared."""

from __future__ import annotations

import warnings
from functools import cache

import numpy as np

import fuzzytruth as ft
from fuzzytruth.errors import UndefinedMeasureWarning
from fuzzytruth.truth import align
from fuzzytruth.truth.vote_weights import as_given
from paper_repro.experiment import IMAGES, QUERY, SEED, synthetic_votes, two_systems
from paper_repro.pictures import BLUE, ORANGE, Picture, pyplot
from paper_repro.tables import EXAMPLE, Claim, Table

# %% [markdown]
# ### The two systems compared
#
# "[The] comparison of different system can be done with the standard statistical methods used to
# compare distributions." P(A > B) needs the joint distribution: both systems retrieve many of the
# same images, whose truth is the same for both. If the two distributions are taken as
# independent, the result is another (last column). The Wasserstein distance and dominance depend
# on the two distributions only. In {{f"{chance_of_none():.1%}"}} of worlds no other image is in the
# subtree of the query's category, and recall and average precision count 0.
#
# Means are exact. Probabilities are exact where the column *joint* says so, and else shares of
# {{f"{N_WORLDS:,}"}} worlds, with a Monte Carlo standard error of at most
# {{f"{largest_mc_error():.3f}"}}; so are the Wasserstein distance, dominance and the last column
# where *each* does not say exact.

# %%
N_WORLDS = 4_000


def chance_of_none() -> float:
    """Probability that no image but the query is relevant to it."""
    votes, _ = synthetic_votes()
    aligned = align(votes.by_example([QUERY]), two_systems(), ties="trec")
    (block,) = aligned.blocks("independent")
    return float(aligned.outcomes(block, as_given()).chance_of_none(None)[0, 0])


# %% show: comparison()
@cache
def scored(measures: tuple[str, ...], worlds: str) -> ft.Scores:
    """Scores of both systems, over N_WORLDS worlds where worlds are drawn."""
    votes, _ = synthetic_votes()
    with warnings.catch_warnings():  # of the worlds without relevant images, see the text
        warnings.simplefilter("ignore", UndefinedMeasureWarning)
        return ft.evaluate(
            votes.by_example(), two_systems(), measures, worlds=worlds, n_worlds=N_WORLDS, rng=SEED
        )


def both_scores() -> ft.Scores:
    """P@5, R@5 and AP in independent worlds."""
    return scored(("P@5", "R@5", "AP"), "independent")


def exact_mean(scores: ft.Scores, system: str, measure: str, query: str) -> float:
    """The expected value on one query, which must be exact."""
    frame = scores.to_frame()
    keys = {"system": system, "measure": measure, "query": query}
    (row,) = frame[(frame[list(keys)] == list(keys.values())).all(axis=1)].itertuples()
    if not row.exact:
        raise ValueError(f"the mean of {measure} is simulated")
    return float(row.value)


def dominance(a: ft.Distribution, b: ft.Distribution) -> str:
    """Which of the two dominates stochastically, and of which order."""
    for order, name in ((1, "first"), (2, "second")):
        for system, one, other in (("A", a, b), ("B", b, a)):
            if one.dominates(other, order=order):
                return f"{system}, {name} order"
    return "neither"


def how_known(*laws: ft.Distribution) -> str:
    """Whether distributions are exact or of worlds drawn."""
    return "exact" if all(law.exact for law in laws) else f"{N_WORLDS:,} worlds"


def comparison() -> Table:
    """The two systems on the query `fig1`."""
    scores = both_scores()
    rows = []
    for measure in scores.measures:
        a, b = (scores.distribution(system, QUERY, measure) for system in "AB")
        means = [exact_mean(scores, system, measure, QUERY) for system in "AB"]
        gap = scores.difference("A", "B", measure, query=QUERY)
        rows.append(
            (
                measure,
                *(f"{mean:.4f}" for mean in means),
                f"{means[0] - means[1]:.4f}",
                f"{gap.sf(0):.4f}",
                f"{gap.pmf(0):.4f}",
                f"{gap.cdf(0) - gap.pmf(0):.4f}",
                how_known(gap),
                how_known(a, b),
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
            "A - B",
            "P(A > B)",
            "P(A = B)",
            "P(A < B)",
            "joint",
            "each",
            "Wasserstein",
            "dominates",
            "P(A > B) if independent",
        ),
        rows,
    )


def largest_mc_error() -> float:
    """Largest Monte Carlo standard error of a share of worlds in the table."""
    scores = both_scores()
    gaps = [scores.difference("A", "B", m, query=QUERY) for m in scores.measures]
    shares = [float(p) for gap in gaps if not gap.exact for p in (gap.sf(0), gap.pmf(0))]
    return max(float(np.sqrt(p * (1 - p) / N_WORLDS)) for p in shares)


# %% picture: drawn_differences()
def drawn_differences() -> Picture:
    """Differences of P@5, joint and as if independent; and of the mean AP of 20 queries."""
    plt = pyplot()
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
        mass = d.pmf(value)
        style = {"color": colour, "hatch": hatch, "edgecolor": "white", "label": name}
        left.bar(value + shift, mass, 0.065, **style)
    left.set(
        xlabel=f"P@5 of A minus P@5 of B, query {QUERY}", ylabel="probability", xticks=value[1::2]
    )
    left.set_ylim(0, 1.3 * max(joint.probabilities.max(), apart.probabilities.max()))
    left.legend(frameon=False, loc="upper left", fontsize="small")
    mean = scores.difference("A", "B", "AP")
    right.hist(mean.values, bins=50, weights=mean.probabilities, color=BLUE)
    right.axvline(0, color="black", lw=1)
    for end in mean.interval(0.95):
        right.axvline(end, color=ORANGE, ls="--", lw=1.4)
    right.axvline(mean_difference("independent"), color="white", lw=1.4)
    right.set_xlabel(f"MAP of A minus MAP of B, {len(IMAGES)} queries")
    right.set_ylabel("share of worlds")
    for ax in (left, right):
        ax.spines[["top", "right"]].set_visible(False)
    figure.suptitle("Synthetic votes: differences between the two systems")
    return Picture(
        figure,
        "Left: the difference of precision among the first five answers to `fig1`. In the same "
        "world (blue) the two systems are mostly equal; taken as independent (orange, hatched) "
        "they would often differ by much. Right: the difference of mean average precision over "
        f"all {len(IMAGES)} queries in {N_WORLDS:,} worlds; the black line is at 0, the white one "
        "at the exact mean, and the dashed lines hold the central 95 % of the worlds.",
    )


# %% [markdown]
# Means over all {{len(IMAGES)}} queries, under three kinds of worlds: independent items (section 4
# of the paper), single subjects (in the spirit of section 5), and resampled subjects, which tell
# how far the mean is from that of infinitely many such subjects. Means and their difference are
# exact. The standard deviation is that of the difference over worlds, not over queries; for
# resamples of five subjects it is too small by a factor of about √(5/4), so that the last column
# is descriptive and no p-value.


# %% show: kinds_of_worlds()
def mean_difference(worlds: str) -> float:
    """Exact difference of the two systems' MAP."""
    mean = scored(("AP",), worlds).mean()["AP"]
    return float(mean["A"] - mean["B"])


def number_of_worlds(worlds: str) -> str:
    """How many worlds there are, and whether these are all."""
    scores = scored(("AP",), worlds)
    if worlds == "subject":
        return f"{len(scores.subjects or ())}, all"
    spread = scores.uncertainty
    assert spread is not None
    return f"{len(spread.weight):,}, {'drawn' if spread.drawn else 'all'}"


def kinds_of_worlds() -> Table:
    """MAP of both systems and their difference."""
    rows = []
    for worlds in ("independent", "subject", "population"):
        scores = scored(("AP",), worlds)
        frame = scores.to_frame()
        if not frame.get("exact", frame["value"].notna()).all():
            raise ValueError(f"means over {worlds} worlds are simulated")
        mean = scores.mean()["AP"]
        gap = scores.difference("A", "B", "AP")
        rows.append(
            (
                worlds,
                number_of_worlds(worlds),
                *(f"{mean[system]:.4f}" for system in "AB"),
                f"{mean_difference(worlds):.4f}",
                f"{gap.std():.4f}",
                f"{gap.sf(0):.4f}",
            )
        )
    return Table.of(
        (
            "kind",
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
def system_claims() -> list[Claim]:
    """Sampled and exact means agree."""
    scores = both_scores()
    worst = 0.0
    for system in "AB":
        for measure in scores.measures:
            drawn = scores.mean_distribution(system, measure)
            exact = float(scores.mean().loc[system, measure])
            worst = max(worst, abs(drawn.mean() - exact) / (drawn.std() / np.sqrt(N_WORLDS)))
    return [
        Claim(
            "sampled means over queries are within 4 standard errors of the exact ones",
            "on synthetic votes",
            EXAMPLE,
            "≤ 4",
            f"largest {worst:.3g}",
            bool(worst <= 4),
        )
    ]
