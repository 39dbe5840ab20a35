"""Repeated judgments, and the plain votes that they amount to."""

import itertools
import math

import numpy as np
import pandas as pd

from support.every_world import enumerated, moments, small


def repeated(seed: int, *, top: int = 1) -> tuple[pd.DataFrame, dict]:
    """Votes of three subjects who judged each item one to three times, and two systems."""
    votes, runs = small(seed, top=top)
    rng = np.random.default_rng(seed)
    number = rng.integers(1, 4, len(votes))
    more = votes.loc[votes.index.repeat(number)].reset_index(drop=True)
    more["repeat"] = np.concatenate([np.arange(n) for n in number])
    more["grade"] = rng.integers(0, top + 1, len(more))
    return more, runs


def as_votes(frame: pd.DataFrame, weight: dict[str, int] | None = None) -> pd.DataFrame:
    """Each subject's repeats as often as makes its votes weigh the same on every item."""
    number = frame.groupby(["query", "item", "subject"])["grade"].transform("size")
    copies = math.lcm(*number.tolist()) // number
    if weight is not None:
        copies = copies * frame["subject"].map(weight)
    return frame.loc[frame.index.repeat(copies)]


def expected(votes: pd.DataFrame, runs: dict, measures: list[str], **options) -> dict:
    """Mean and deviation over all worlds: {query: two of (systems, measures)}."""
    found = enumerated(votes, runs, measures, **options)
    return {query: moments(*found[query]) for query in found}


def resamples(frame: pd.DataFrame) -> list[pd.DataFrame]:
    """The votes of every way to draw as many subjects as there are, with replacement."""
    names = sorted(frame["subject"].unique())
    drawn = itertools.product(names, repeat=len(names))
    return [as_votes(frame, {s: chosen.count(s) for s in names}) for chosen in drawn]
