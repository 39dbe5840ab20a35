"""Part (d), continued: the paper's scheme (4), with intervals over queries and subjects."""

from __future__ import annotations

import warnings
from functools import cache

import numpy as np
import pandas as pd

import fuzzytruth as ft
from paper_repro.experiment import IMAGES, SEED, synthetic_votes, two_systems
from paper_repro.pictures import BLUE, GREEN, ORANGE, Picture, pyplot
from paper_repro.tables import EXAMPLE, IDENTITY, Claim, Table

# %% [markdown]
# ### Scheme (4) at the size of an experiment
#
# "The aggregation of the results across the different subjects only takes place after they have
# been converted to a numeric value." The paper stops there, with one number for each query and
# subject. To say that one system is better than another takes an interval for the mean difference,
# and two samples stand behind it: the queries and the subjects. **Synthetic again**: each of the
# five subjects of part (b) answers each of the {{len(IMAGES)}} queries with the {{LENGTH}} images
# that seem most like it, by a similarity of the contents that gives each category a weight of
# the subject's own, and noise, and gives them relevances from 1 down to
# {{f"{RELEVANCES[-1]:g}"}}. A and B are the systems of part (b), cut at rank {{LENGTH}}. Less
# displacement is better.

# %%
LENGTH = 6
RELEVANCES = np.linspace(1, 0.5, LENGTH)
MEASURES = (f"WD(unseen=optimist)@{LENGTH}", f"WD(unseen=worst,N={len(IMAGES) - 1})@{LENGTH}")
OVERS = (("query",), ("subject",), ("query", "subject"))


@cache
def own_lists() -> ft.Judgments:
    """The list of each subject for each query, with relevances and positions."""
    votes, inside = synthetic_votes()
    rng = np.random.default_rng(SEED + 2)
    rows = []
    for subject in votes.subject_names or ():
        taste = inside * rng.lognormal(0, 0.7, inside.shape[1])
        seems = taste @ taste.T + rng.normal(0, 0.2, (len(IMAGES), len(IMAGES)))
        np.fill_diagonal(seems, -np.inf)
        for query, first in zip(IMAGES, np.argsort(-seems, axis=1)[:, :LENGTH], strict=True):
            rows += [
                (query, subject, IMAGES[item], grade, place)
                for place, (item, grade) in enumerate(zip(first, RELEVANCES, strict=True), start=1)
            ]
    columns = ["query", "subject", "item", "grade", "position"]
    return ft.Judgments.from_frame(pd.DataFrame(rows, columns=columns))


@cache
def list_scores() -> ft.Scores:
    """Displacement of both systems, which show as many images, from each list."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return ft.evaluate(own_lists(), two_systems(), MEASURES, worlds="subject")


# %% show: displacement_by_subject()
def displacement_by_subject() -> Table:
    """Mean displacement over queries, from the lists of each subject."""
    each, mean = list_scores().mean(by="subject"), list_scores().mean()
    rows = []
    for subject in list_scores().subjects or ():
        rows.append((subject, *(each.loc[(s, subject), m] for m in MEASURES for s in "AB")))
    rows.append(("mean", *(mean.loc[s, m] for m in MEASURES for s in "AB")))
    return Table.of(
        ("lists of", *(f"`{m}` of {s}" for m in MEASURES for s in "AB")),
        ((name, *(f"{value:.3f}" for value in values)) for name, *values in rows),
    )


# %% [markdown]
# The same mean difference with three intervals, which answer three questions. *Over queries*:
# would it hold for other queries, judged by these five people? *Over subjects*: for other people,
# on these queries? *Over queries and subjects*: for other people and other queries? Only the last
# one is about the systems as such. (Over queries or subjects alone: Student's t of the means; over
# both: the crossed model, with a generalised pivotal interval.) The crossed standard error adds the
# components of variance of queries, subjects and their interaction; where the subjects' component
# is estimated to be 0, as for {{no_component_of_subjects()}} of the {{len(MEASURES)}} measures, it
# equals the one over queries. The interval is wider even so, for that 0 is an estimate.


# %% show: crossed_intervals()
@cache
def differences() -> pd.DataFrame:
    """A minus B over queries, over subjects and over both: a row for each, and each measure."""
    frames = []
    for over in OVERS:
        frame = ft.compare(list_scores(), over=over, rng=SEED).to_frame(full=True)
        frames.append(frame.assign(over=" and ".join(WORDS[axis] for axis in over)))
    return pd.concat(frames, ignore_index=True)


def no_component_of_subjects() -> int:
    """For how many measures both standard errors are equal, over queries and over both."""
    table = differences().pivot(index="measure", columns="over", values="std_error")
    return int(np.isclose(table["queries"], table["queries and subjects"], rtol=1e-12).sum())


WORDS = {"query": "queries", "subject": "subjects"}


def crossed_intervals() -> Table:
    """Difference, 95 % interval and p, by what is random."""
    frame = differences().sort_values("measure", kind="stable")
    return Table.of(
        ("measure", "over", "A - B", "standard error", "95 % interval", "p"),
        (
            (
                f"`{row.measure}`",
                row.over,
                f"{row.difference:.3f}",
                f"{row.std_error:.3f}",
                f"{row.lower:.3f} to {row.upper:.3f}",
                f"{row.p:.2g}",
            )
            for row in frame.itertuples()
        ),
    )


# %% picture: drawn_intervals()
def drawn_intervals() -> Picture:
    """Differences by subject, and the three intervals."""
    plt = pyplot()
    frame = differences()
    frame = frame[frame["measure"] == MEASURES[0]]
    each = list_scores().mean(by="subject")[MEASURES[0]]
    gaps = each.loc["A"] - each.loc["B"]
    figure, ax = plt.subplots(figsize=(8, 3), layout="constrained")
    colours = (BLUE, ORANGE, GREEN)
    for height, (row, colour) in enumerate(zip(frame.itertuples(), colours, strict=True)):
        ax.plot([row.lower, row.upper], [-height] * 2, color=colour, lw=3, solid_capstyle="butt")
        ax.plot(row.difference, -height, "o", color=colour)
    ax.plot(gaps, [-3] * len(gaps), "|", color="0.3", ms=14, mew=2)
    ax.axvline(0, color="black", lw=1)
    ax.set_yticks([0, -1, -2, -3], [*(f"over {over}" for over in frame["over"]), "each subject"])
    ax.set(xlabel=f"displacement of A minus displacement of B\n({MEASURES[0]})", ylim=(-3.6, 0.6))
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(axis="y", length=0)
    return Picture(
        figure,
        "Mean difference of the two systems in weighted displacement from the subjects' own lists "
        "(dots) with 95 % intervals (lines), by what is taken as a random sample; below, the mean "
        "difference of each subject (strokes). Left of 0, A is nearer to the lists.",
    )


# %%
def scheme4_claims() -> list[Claim]:
    """The crossed standard error, by the formula of variance components."""
    scores = list_scores()
    table = scores.cells.dense(scores.values)[:, 0]  # (systems, queries, subjects)
    gap = table[0] - table[1]
    n_queries, n_subjects = gap.shape
    by_query, by_subject = gap.mean(axis=1), gap.mean(axis=0)
    rest = gap - by_query[:, None] - by_subject[None, :] + gap.mean()
    msq = n_subjects * by_query.var(ddof=1)
    mss = n_queries * by_subject.var(ddof=1)
    mse = (rest**2).sum() / ((n_queries - 1) * (n_subjects - 1))
    variance = (max(msq, mse) + max(mss, mse) - mse) / gap.size
    frame = differences()
    frame = frame[frame["measure"] == MEASURES[0]].set_index("over")
    ours = float(frame.loc["queries and subjects", "std_error"])
    by_hand = float(np.sqrt(variance))
    widths = {over: float(row.upper - row.lower) for over, row in frame.iterrows()}
    widest = max(widths, key=lambda over: widths[str(over)])
    return [
        Claim(
            "standard error over queries and subjects",
            "two-way random effects, on synthetic lists",
            EXAMPLE,
            f"from mean squares {by_hand:.6g}",
            f"{ours:.6g}",
            abs(ours - by_hand) < 1e-12,
        ),
        Claim(
            "each subject's number first, then their mean",
            "Santini, scheme (4), on synthetic lists",
            IDENTITY,
            f"{float(gap.mean()):.6g}",
            f"{float(frame['difference'].iloc[0]):.6g}",
            abs(float(gap.mean()) - float(frame["difference"].iloc[0])) < 1e-12,
        ),
        Claim(
            "the interval over queries and subjects is the widest",
            "on synthetic lists",
            EXAMPLE,
            "queries and subjects",
            str(widest),
            widest == "queries and subjects",
        ),
    ]
