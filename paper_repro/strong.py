"""Part (b), continued: the strong ground truth that the paper argues against."""

from __future__ import annotations

import itertools
import warnings
from functools import cache

import pandas as pd

import fuzzytruth as ft
from fuzzytruth.errors import UndefinedMeasureWarning
from paper_repro.experiment import IMAGES, QUERY, SEED, K, synthetic_votes, two_systems
from paper_repro.pictures import Picture, pyplot
from paper_repro.tables import EXAMPLE, IDENTITY, Claim, Table

# %% [markdown]
# ### What one truth would print, and what it hides
#
# The paper argues against "an a priori categorization, valid absolutely", which it calls a *strong
# ground truth*. A benchmark that has one takes the category of most votes for each image, and
# prints one number. For the query `fig1` that is hard to do: {{" and ".join(winners(QUERY))}} have
# as many votes. Which of them is taken decides what the system is worth, and what other images
# with equal votes are taken for matters, too. No number that is printed has a probability above
# {{f"{most_probable():.2f}"}}:

# %%
TIED_CATEGORIES_BY_HAND = ("people", "city")  # Figure 1: two votes each


@cache
def own_report() -> ft.SantiniReport:
    """Everything about the synthetic votes."""
    votes, _ = synthetic_votes()
    with warnings.catch_warnings():  # of worlds and subjects without relevant images
        warnings.simplefilter("ignore", UndefinedMeasureWarning)
        return ft.santini_report(votes, None, two_systems(), k=K, rng=SEED)


@cache
def winners(item: str) -> tuple[str, ...]:
    """The categories with most votes on an image."""
    votes, _ = synthetic_votes()
    shares = votes.membership().direct(item)
    most = max(shares.values())
    return tuple(name for name in votes.taxonomy.nodes if shares.get(name, 0) > most - 1e-12)


@cache
def every_strong_truth() -> ft.Scores:
    """Scores under each truth that takes a category with most votes for every image."""
    choices = list(itertools.product(*(winners(item) for item in IMAGES)))
    rows = [
        (f"truth {n:03}", item, category)
        for n, choice in enumerate(choices)
        for item, category in zip(IMAGES, choice, strict=True)
    ]
    frame = pd.DataFrame(rows, columns=["subject", "item", "category"])
    taxonomy = synthetic_votes()[0].taxonomy
    truths = ft.Assignments.from_frame(frame, taxonomy=taxonomy)
    with warnings.catch_warnings():  # of truths without relevant images
        warnings.simplefilter("ignore", UndefinedMeasureWarning)
        return ft.evaluate(
            truths.by_example(), two_systems(), [f"P@{K}", f"R@{K}"], worlds="subject"
        )


def strong_values(system: str, measure: str, category: str) -> list[float]:
    """Values for `fig1` under the strong truths in which it has a category, each once."""
    scores = every_strong_truth()
    names = scores.subjects or ()
    chosen = [names[n] for n, choice in enumerate(strong_choices()) if choice == category]
    part = scores.select(systems=system, measures=measure, queries=QUERY, subjects=chosen)
    return sorted(set(part.values.ravel().round(12).tolist()))


def strong_choices() -> list[str]:
    """The category of `fig1` in each strong truth."""
    place = IMAGES.index(QUERY)
    return [choice[place] for choice in itertools.product(*(winners(item) for item in IMAGES))]


def most_probable() -> float:
    """Largest probability of a value that a strong truth prints for `fig1`."""
    chances = []
    for system, measure in itertools.product("AB", (f"P@{K}", f"R@{K}")):
        law = own_report().distribution(system, QUERY, measure)
        for category in winners(QUERY):
            chances += [float(law.pmf(v)) for v in strong_values(system, measure, category)]
    return max(chances)


# %% show: two_strong_truths()
def two_strong_truths() -> Table:
    """What a benchmark prints for `fig1` under each winner, and the distribution beside it."""
    rows = []
    for system, measure in itertools.product("AB", (f"P@{K}", f"R@{K}")):
        law = own_report().distribution(system, QUERY, measure)
        low, high = law.interval(0.95)
        spread = (f"{law.mean():.3f}", f"{law.std():.3f}", f"{low:.3g} to {high:.3g}")
        for category in winners(QUERY):
            values = strong_values(system, measure, category)
            printed = ", ".join(f"{value:.3g}" for value in values)
            chances = ", ".join(f"{float(law.pmf(value)):.3f}" for value in values)
            rows.append((system, measure, category, printed, *spread, chances))
    return Table.of(
        (
            "system",
            "measure",
            f"category taken for {QUERY}",
            "the benchmark prints",
            "mean",
            "std",
            "95 % of worlds",
            "probability of the printed value",
        ),
        rows,
    )


# %% [markdown]
# Of the {{len(IMAGES)}} images, {{own_report().strong.n_tied}} have several categories with most
# votes, so that there are {{len(strong_choices())}} strong truths; below is the one that takes the
# first category of the tree, and the range of all. It knows neither the spread of a query's value
# over worlds (*std of a query*, its mean over queries) nor that of the mean over queries (*std of
# the mean*, from {{f"{own_report().scores.provenance.n_worlds:,}"}} worlds drawn; means and the
# other columns are exact). Nor is it in the middle: {{printed_above()}} of the 4 printed means
# lie above the expected ones. The last column is the probability that a query's value is the
# printed one, averaged over queries.


# %% show: strong_and_expected()
def printed_above() -> int:
    """How many of the printed means are above the expected ones."""
    frame = own_report().to_frame()
    return int((frame["strong"] > frame["mean"]).sum())


def strong_and_expected() -> Table:
    """Means over queries under one truth, and over all."""
    report = own_report()
    frame = report.to_frame(full=True)
    each = report.distributions()
    each = each[each["category"] == ""]
    hidden = each.groupby(["system", "measure"])["p_strong"].mean()
    truths = every_strong_truth().mean(by="subject")
    rows = []
    for row in frame.itertuples():
        among = truths.loc[row.system, row.measure]
        rows.append(
            (
                row.system,
                row.measure,
                f"{row.strong:.3f}",
                f"{among.min():.3f} to {among.max():.3f}",
                f"{row.mean:.3f}",
                f"{row.std:.3f}",
                f"{row.query_gap:.3f}",
                f"{row.query_std:.3f}",
                f"{hidden[row.system, row.measure]:.3f}",
            )
        )
    return Table.of(
        (
            "system",
            "measure",
            "the benchmark prints",
            f"under any of {len(strong_choices())}",
            "mean",
            "std of the mean",
            "printed and mean of a query differ by",
            "std of a query",
            "probability of the printed value",
        ),
        rows,
    )


# %% picture: drawn_strong()
def drawn_strong() -> Picture:
    """What the benchmark prints for each query, on the distributions."""
    plt = pyplot()
    figure, axes = plt.subplots(1, 2, figsize=(10, 5.6), sharey=True, layout="constrained")
    for ax, system in zip(axes, "AB", strict=True):
        own_report().plot(ax, system=system)
        ax.set(title=f"system {system} (synthetic votes)", xlabel=f"P@{K}", xlim=(-0.03, 1.03))
        ax.get_legend().remove()
        ax.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylabel("query")
    handles = axes[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=3, frameon=False)
    n = 2 * len(IMAGES)
    return Picture(
        figure,
        f"Precision among the first {K} answers to each query. Crosses: the one number that a "
        "benchmark with one truth prints. Dots and bars: mean and central 95 % of the distribution "
        "over the categories that the query and the images may have. "
        f"{n - outside_intervals()} of {n} crosses lie within their bars, which are long: the "
        "votes do not say more.",
    )


def outside_intervals() -> int:
    """How many printed values of P lie outside the central 95 % of their distribution."""
    frame = own_report().distributions()
    frame = frame[(frame["category"] == "") & (frame["measure"] == f"P@{K}")]
    return int(((frame["strong"] < frame["lower"]) | (frame["strong"] > frame["upper"])).sum())


# %% [markdown]
# The comparison of the systems has one outcome, too, where there are many. Under the strong
# truth A is the better one by P@{{K}} on {{order_of("strong")[0]}} queries, B on
# {{order_of("strong")[2]}}, and they are equal on {{order_of("strong")[1]}}. Over worlds that both
# systems share, the outcome that this truth shows for a query has a probability of
# {{f"{order_of_same():.2f}"}} on average.


# %%
@cache
def pairs_by_query() -> pd.DataFrame:
    """P@K of A and B on each query: difference under one truth, and joint probabilities."""
    frames = [own_report().pairs(query) for query in IMAGES]
    frame = pd.concat(frames, ignore_index=True)
    return frame[frame["measure"] == f"P@{K}"].reset_index(drop=True)


def order_of(column: str) -> tuple[int, int, int]:
    """Queries on which A is better, equal, worse."""
    gap = pairs_by_query()[column].round(12)
    return int((gap > 0).sum()), int((gap == 0).sum()), int((gap < 0).sum())


def order_of_same() -> float:
    """Probability of the outcome that the strong truth shows, mean over queries."""
    frame = pairs_by_query()
    gap = frame["strong"].round(12)
    same = frame["equal"].where(gap == 0, frame["better"].where(gap > 0, frame["worse"]))
    return float(same.mean())


def strong_claims() -> list[Claim]:
    """The tie of Figure 1, by hand; and that one truth is one atom."""
    report = own_report()
    ranks = ft.by_rank(report.strong.votes.by_example(), two_systems(), depth=K)
    atoms = {
        len(ranks.precision(system, query, K).values)
        for system, query in itertools.product("AB", IMAGES)
    }
    tied = winners(QUERY)
    return [
        Claim(
            "categories of Figure 1 with most votes",
            "Santini, section 4, the votes of Figure 1",
            EXAMPLE,
            f"by hand {' and '.join(TIED_CATEGORIES_BY_HAND)}",
            " and ".join(tied),
            tied == TIED_CATEGORIES_BY_HAND,
        ),
        Claim(
            "under a strong ground truth, precision is a number",
            "Santini, section 3, on synthetic votes",
            IDENTITY,
            "1 possible value",
            ", ".join(map(str, sorted(atoms))),
            atoms == {1},
        ),
    ]
