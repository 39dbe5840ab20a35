"""Part (f): the paper's whole analysis of one's own votes, in one call."""

from __future__ import annotations

import warnings
from functools import cache

import fuzzytruth as ft
from fuzzytruth.errors import UndefinedMeasureWarning
from paper_repro.experiment import SEED, K, synthetic_votes, two_systems
from paper_repro.scheme4 import MEASURES, own_lists
from paper_repro.tables import IDENTITY, Claim, Text

# %% [markdown]
# ## (f) The same of your own votes
#
# `ft.santini_report(votes, taxonomy, runs)` does parts (b) and (d) for a table with the columns
# subject, item and category, a tree, and rankings; `lists=` adds the subjects' own ranked lists.
# What it prints of the synthetic votes:


# %% show: printed_report()
@cache
def report_with_lists() -> ft.SantiniReport:
    """The report of the synthetic votes, with the subjects' lists."""
    votes, _ = synthetic_votes()
    frame = votes.to_frame()[["subject", "item", "category"]]
    with warnings.catch_warnings():  # of worlds and subjects without relevant images
        warnings.simplefilter("ignore", UndefinedMeasureWarning)
        return ft.santini_report(
            frame,
            votes.taxonomy,
            two_systems(),
            k=K,
            lists=own_lists(),
            list_measures=MEASURES[0],
            rng=SEED,
        )


def printed_report() -> Text:
    """`print(report)`, 80 columns wide."""
    return Text(report_with_lists()._answer().text(80))


# %% [markdown]
# All of it is there as tables (`to_frame`, `categories`, `items`, `distributions`, `pairs`,
# `individuals`), as distributions (`distribution`), as comparisons (`comparison`,
# `displaced_comparison`) and as a picture (`plot`).


# %%
def report_claims() -> list[Claim]:
    """The report has the numbers of the parts above."""
    votes, _ = synthetic_votes()
    scores = ft.evaluate(votes.by_example(), two_systems(), f"P@{K}", n_worlds=2, rng=0)
    frame = report_with_lists().to_frame().set_index(["system", "measure"])
    gap = max(
        abs(float(frame.loc[(s, f"P@{K}"), "mean"]) - float(scores.mean().loc[s, f"P@{K}"]))
        for s in "AB"
    )
    return [
        Claim(
            "the report's expected means are those of `evaluate`, whatever the worlds drawn",
            "on synthetic votes",
            IDENTITY,
            "0 apart",
            f"{gap:.3g} apart",
            gap < 1e-12,
        )
    ]
