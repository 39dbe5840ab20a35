"""Votes revealed in the order of `annotate_next`, against other orders, on real votes.

PYTHONPATH=. python benchmarks/annotate_next.py [--repeats 60] [--measure P@10 --measure AP]
    [--judged 1] [--prior 1] [--order "the list" --order "at random"]

The pairs of the sample llmjudge_dl23 have votes by 20 judges. Two systems rank by the mean grade of
some of the other judges. Of the votes, two for each pair (or for a random part of the pairs, as by
--judged) are shown at first, at random; batches of further ones follow, each on the pairs that come
first in an order that is made anew. The error is that of the estimated difference of the systems
against the one under all votes. Prints a Markdown table: root mean square error, and in brackets
the mean error and the mean standard error.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

import fuzzytruth as ft
from fuzzytruth._typing import Bools, Floats, Ints

SYSTEMS = {
    "a": ("Olz-gpt4o", "willia-umbrela1", "h2oloo-fewself"),
    "b": ("TREMA-CoT", "TREMA-nuggets", "TREMA-questions"),
}
#: judges that are of no system, without near duplicates
VOTERS = (
    *("human", "NISTRetrieval-instruct0", "NISTRetrieval-reason0", "Olz-exp", "Olz-halfbin"),
    *("Olz-multiprompt", "RMITIR-GPT4o", "RMITIR-llama38b", "RMITIR-llama70B", "TREMA-4prompts"),
    *("TREMA-all", "TREMA-direct", "TREMA-other", "TREMA-rubric0", "TREMA-sumdecompose"),
    *("h2oloo-zeroshot1", "h2oloo-zeroshot2", "prophet-setting1", "prophet-setting2"),
    "willia-umbrela2",
)
REL = 2.0
FIRST = 2  # votes that are shown of each pair at first


@dataclass(frozen=True, slots=True, eq=False)
class Setup:
    """Votes of all judges, and the systems.

    Parameters
    ----------
    pairs : DataFrame
        Columns query, item.
    relevant : (pairs, voters) bool
    runs : Runs
    measure : str
    judged : float
        Part of the pairs that has votes at first.
    prior : float or None
        How many votes base rates count as.
    """

    pairs: pd.DataFrame
    relevant: Bools
    runs: ft.Runs
    measure: str
    judged: float = 1.0
    prior: float | None = None

    def votes(self, shown: Bools) -> ft.Judgments:
        """The votes that are shown: (pairs, voters) bool."""
        pair, voter = np.nonzero(shown)
        query, item = (self.pairs[name].to_numpy()[pair] for name in ("query", "item"))
        subject = np.array(VOTERS, dtype=object)[voter]
        grade = self.relevant[pair, voter].astype(float)
        return ft.Judgments.from_columns(query, item, grade, subject=subject)

    def target(self) -> float:
        """The difference under all votes."""
        share = self.relevant.mean(axis=1)
        truth = ft.Judgments.from_probabilities(self.pairs["query"], self.pairs["item"], share)
        mean = ft.evaluate(truth, self.runs, self.measure).mean()
        return float(mean.loc["a", self.measure] - mean.loc["b", self.measure])

    def ordered(self, shown: Bools, rng: int) -> ft.results.AnnotationOrder:
        """What the votes shown say."""
        votes = self.votes(shown)
        return ft.annotate_next(
            votes, self.runs, self.measure, prior=self.prior, rng=rng, n_worlds=500
        )


def setup(measure: str, n_queries: int | None = None) -> Setup:
    """The sample, or its first queries."""
    table = (
        ft.datasets.load_llmjudge_dl23()
        .to_frame()
        .pivot(index=["query", "item"], columns="subject", values="grade")
    )
    if n_queries is not None:
        table = table.loc[table.index.get_level_values("query").unique()[:n_queries]]
    pairs = table.index.to_frame(index=False)
    runs = pd.concat(
        pairs.assign(system=name, score=table[list(judges)].mean(axis=1).to_numpy())
        for name, judges in SYSTEMS.items()
    )
    relevant = table[list(VOTERS)].to_numpy() >= REL
    return Setup(pairs, relevant, ft.Runs.from_frame(runs), measure)


#: from what the votes shown say, the votes of each pair and random numbers to what comes first
Order = Callable[[ft.results.AnnotationOrder, Setup, Floats, np.random.Generator], Ints]


def by_list(order: ft.results.AnnotationOrder, data: Setup, share: Floats, rng: object) -> Ints:
    """Pairs in the order of the list."""
    keys = pd.MultiIndex.from_frame(data.pairs)
    return keys.get_indexer(pd.MultiIndex.from_frame(order.to_frame()[["query", "item"]]))


def at_random(order: object, data: Setup, share: Floats, rng: np.random.Generator) -> Ints:
    """Pairs in any order."""
    return rng.permutation(len(data.pairs))


def most_disputed(order: object, data: Setup, share: Floats, rng: np.random.Generator) -> Ints:
    """Pairs whose votes are most evenly divided; equal ones at random."""
    return np.lexsort((rng.random(len(share)), np.abs(share - 0.5)))


def favouring_disputed(
    order: ft.results.AnnotationOrder, data: Setup, share: Floats, rng: object
) -> Ints:
    """Pairs in the order of the list, if that went by how their own votes are divided, too."""
    rows = order.to_frame()
    place = by_list(order, data, share, rng)
    mean = (share[place] * rows["n_votes"] + 1) / (rows["n_votes"] + 2)
    return place[np.argsort(-rows["narrowing"] * mean * (1 - mean), kind="stable")]


ORDERS: dict[str, Order] = {
    "the list": by_list,
    "at random": at_random,
    "the list, disputed ones first": favouring_disputed,
    "most disputed first": most_disputed,
}


def curve(data: Setup, order: Order, *, batch: int, steps: int, seed: int) -> Floats:
    """Estimate and standard error at first and after each batch: (steps + 1, 2)."""
    rng = np.random.default_rng(seed)
    n_pairs, n_voters = data.relevant.shape
    queue = np.argsort(rng.random((n_pairs, n_voters)), axis=1)  # who votes on a pair, in turn
    number = np.full(n_pairs, FIRST)
    if data.judged < 1:
        number[rng.random(n_pairs) >= data.judged] = 0
    out = np.empty((steps + 1, 2))
    for step in range(steps + 1):
        shown = np.zeros((n_pairs, n_voters), dtype=bool)
        np.put_along_axis(shown, queue, np.arange(n_voters) < number[:, None], axis=1)
        found = data.ordered(shown, seed)
        out[step] = found.difference, found.std_error
        share = (data.relevant & shown).sum(axis=1) / np.maximum(number, 1)
        first = order(found, data, share, rng)
        first = first[number[first] < n_voters][:batch]
        number[first] += 1
    return out


def table(data: Setup, names: list[str], *, batch: int, steps: int, repeats: int) -> pd.DataFrame:
    """Errors and mean standard error, by order and number of further votes."""
    target = data.target()
    rows = []
    for name in names:
        runs = [curve(data, ORDERS[name], batch=batch, steps=steps, seed=s) for s in range(repeats)]
        found = np.stack(runs)  # (repeats, steps + 1, 2)
        error = found[..., 0] - target
        size, bias = np.sqrt((error**2).mean(axis=0)), error.mean(axis=0)
        for step in range(steps + 1):
            rows.append((name, batch * step, size[step], bias[step], found[:, step, 1].mean()))
    columns = ["order", "further votes", "RMSE", "bias", "std_error"]
    return pd.DataFrame(rows, columns=columns).assign(target=target)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=60)
    parser.add_argument("--measure", action="append")
    parser.add_argument("--order", action="append", choices=ORDERS)
    parser.add_argument("--judged", type=float, default=1.0)
    parser.add_argument("--prior", type=float)
    parser.add_argument("--batch", type=int, default=500)
    parser.add_argument("--steps", type=int, default=4)
    given = parser.parse_args()
    for measure in given.measure or ("P@10", "AP"):
        data = replace(setup(measure), judged=given.judged, prior=given.prior)
        names = given.order or [*ORDERS]
        found = table(data, names, batch=given.batch, steps=given.steps, repeats=given.repeats)
        print(f"{measure}, {given.repeats} repeats; under all votes {found['target'][0]:.4f}\n")
        print("| further votes | " + " | ".join(names) + " |\n|---" + "|---" * len(names) + "|")
        for number, rows in found.groupby("further votes"):
            cells = zip(rows["RMSE"], rows["bias"], rows["std_error"], strict=True)
            shown = " | ".join(f"{error:.4f} ({b:+.4f}; {se:.4f})" for error, b, se in cells)
            print(f"| {number:,} | {shown} |")
        print()


if __name__ == "__main__":
    main()
