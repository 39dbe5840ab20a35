"""Votes for categories revealed in the order of `annotate_next`, against other orders.

PYTHONPATH=. python benchmarks/annotate_next_categories.py [--repeats 60] [--images silhouette]
    [--truth item] [--further 40] [--systems swag_vit_h14_in1k,swag_regnety_128gf_in1k]

Of the votes of ten people (seven in "sketch") on 160 images or more, two on each image are shown at
first, at random. One more follows on each of some images. The error is that of the estimated
difference of two networks against the one under all votes: by P@1 of their answers, or by P@10 of
lists of images by the similarity of their answers. Prints a Markdown table: root mean square error,
mean error, and the mean standard error.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import pandas as pd

import fuzzytruth as ft

FIRST = 2  # votes that are shown of each image at first


class Setup:
    """Votes of all people, two systems, and their difference under some of the votes."""

    def __init__(self, images: str, truth: str, systems: list[str]) -> None:
        data = ft.datasets.load_model_vs_human(images)
        self.tree, self.kind = data.votes.taxonomy, truth
        self.votes = data.votes.to_frame().drop(columns="weight")
        answers = data.answers[data.answers["system"].isin(systems)]
        by_item = truth == "item"
        lists = answers if by_item else ft.Runs.by_similarity(answers, self.tree)
        self.options: dict[str, Any] = {} if by_item else {"ties": "expected"}
        self.runs, self.measure = ft.as_runs(lists), "P@1" if by_item else "P@10"
        self.runs = ft.Runs({name: self.runs[name] for name in systems})

    def truth(self, votes: pd.DataFrame) -> Any:
        given = ft.Assignments.from_frame(votes, taxonomy=self.tree)
        return given.by_item() if self.kind == "item" else given.by_example()

    def difference(self, votes: pd.DataFrame) -> float:
        scores = ft.evaluate(self.truth(votes), self.runs, self.measure, rng=0, **self.options)
        first, second = scores.mean().loc[list(self.runs.systems), self.measure]
        return float(first - second)


def one_repeat(setup: Setup, seed: int, further: int) -> dict[str, tuple[float, float]]:
    """Differences, and standard errors where they are known, by what is shown."""
    rng = np.random.default_rng(seed)
    mixed = setup.votes.iloc[rng.permutation(len(setup.votes))]
    nth = mixed.groupby("item").cumcount()
    shown, third = mixed[nth < FIRST], mixed[nth == FIRST].set_index("item")
    order = ft.annotate_next(setup.truth(shown), setup.runs, setup.measure, **setup.options)
    disputed = shown.groupby("item")["category"].nunique().sort_values(ascending=False)
    orders = {
        "the list": order.items["item"],
        "at random": rng.permutation(third.index),
        "disputed first": disputed.index,
    }
    found = {"none": (setup.difference(shown), order.std_error)}
    for name, items in orders.items():
        some = [item for item in items if item in third.index][:further]
        votes = pd.concat([shown, third.loc[some].reset_index()])
        found[name] = setup.difference(votes), float("nan")
    every = pd.concat([shown, third.reset_index()])
    return found | {f"on all {len(third):,}": (setup.difference(every), float("nan"))}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeats", type=int, default=60)
    parser.add_argument("--images", default="silhouette")
    parser.add_argument("--truth", choices=["item", "example"], default="item")
    parser.add_argument("--further", type=int, default=40)
    parser.add_argument("--systems", default="swag_vit_h14_in1k,swag_regnety_128gf_in1k")
    given = parser.parse_args()
    setup = Setup(given.images, given.truth, given.systems.split(","))
    full = setup.difference(setup.votes)
    drawn = [one_repeat(setup, seed, given.further) for seed in range(given.repeats)]
    print(f"{given.images}, {setup.measure}, difference under all votes {full:.4f}\n")
    print("| one more vote | RMSE | bias | standard error |\n|---|---|---|---|")
    for name in drawn[0]:
        value, error = np.array([each[name] for each in drawn]).T
        root = np.sqrt(np.mean((value - full) ** 2))
        told = "" if np.isnan(error[0]) else f"{np.sqrt(np.mean(error**2)):.4f}"
        print(f"| {name} | {root:.4f} | {np.mean(value - full):+.4f} | {told} |")


if __name__ == "__main__":
    main()
