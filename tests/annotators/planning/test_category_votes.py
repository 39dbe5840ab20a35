"""Votes on categories to come, against all labellings, and against hypothetical votes."""

import itertools
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.small_collections import TREE

import fuzzytruth as ft
from fuzzytruth.errors import DegenerateWarning

TAX = ft.Taxonomy.from_children(TREE)
PRIOR = {"crowd": 0.5, "city": 1.0, "people": 0.7, "sea": 0.4}
#: votes on each item
VOTES = {
    "a": ["crowd", "people"],
    "b": ["city", "crowd", "crowd"],
    "c": ["people"],
    "d": ["sea", "city", "sea", "sea"],
}
LISTS = {
    "x": {"a": ["b", "c", "d"], "b": ["a", "d"], "d": ["c", "b", "a"]},
    "y": {"a": ["d", "b", "c"], "b": ["d", "c", "a"], "d": ["a", "c"]},
}
WITH_THEMSELVES = {
    system: {query: [query, *items] for query, items in lists.items()}
    for system, lists in LISTS.items()
}
LABELS = pd.DataFrame(
    [(s, i, c) for s, named in (("x", ["crowd", "city", "people", "sea"]),
                                ("y", ["city", "crowd", "people", "city"]))
     for i, c in zip(VOTES, named, strict=True)],
    columns=["system", "item", "category"],
)  # fmt: skip
OPTIONS = ["people", "crowd", "city", "sea"]


def votes_of(votes: dict[str, list[str]]) -> ft.Assignments:
    rows = [(f"s{n}", item, name) for item, names in votes.items() for n, name in enumerate(names)]
    return ft.Assignments.from_columns(*zip(*rows, strict=True), taxonomy=TAX)


class Enumerated:
    """The exact posterior of a difference: Dirichlet shares of each item, and all labellings."""

    def __init__(self, truth_of: Any, runs: Any, measure: str, **options: Any) -> None:
        self.alpha = np.array(
            [[PRIOR[c] + names.count(c) for c in OPTIONS] for names in VOTES.values()]
        )
        self.worlds = np.array([*itertools.product(range(len(OPTIONS)), repeat=len(VOTES))])
        subject = np.repeat([f"w{j:03}" for j in range(len(self.worlds))], len(VOTES))
        item = np.tile([*VOTES], len(self.worlds))
        category = np.array(OPTIONS)[self.worlds.ravel()]
        every = ft.Assignments.from_columns(subject, item, category, taxonomy=TAX)
        scores = ft.evaluate(truth_of(every), runs, measure, worlds="subject", **options)
        each = scores.values.reshape(2, -1, len(self.worlds)).mean(axis=1)
        self.value = each[0] - each[1]

    def moments(self, alpha: Any) -> tuple[float, float]:
        total, item = alpha.sum(axis=1), np.arange(len(alpha))
        single = (alpha / total[:, None])[item, self.worlds]  # (worlds, items)
        same = self.worlds[:, None] == self.worlds[None]
        both = single[:, None] * (alpha[item, self.worlds][None] + same) / (total + 1)
        mean = single.prod(axis=1) @ self.value
        return float(mean), float(self.value @ both.prod(axis=2) @ self.value - mean**2)

    def disagreement(self) -> float:
        """Standard deviation over labellings, each item drawing a vote to come."""
        single = (self.alpha / self.alpha.sum(axis=1)[:, None])[np.arange(len(VOTES)), self.worlds]
        chance = single.prod(axis=1)
        return float(np.sqrt(chance @ self.value**2 - (chance @ self.value) ** 2))

    def narrowed(self, item: int, k: int = 1) -> float:
        """Expected decrease of the variance by hypothetical votes, drawn from the posterior."""
        after = 0.0
        for drawn in itertools.product(range(len(OPTIONS)), repeat=k):
            alpha, chance = self.alpha.copy(), 1.0
            for option in drawn:
                chance *= alpha[item, option] / alpha[item].sum()
                alpha[item, option] += 1
            after += chance * self.moments(alpha)[1]
        return self.moments(self.alpha)[1] - after


CASES: dict[str, tuple[str, dict[str, Any], Any, str]] = {
    "precision": ("by_example", {}, LISTS, "P@2"),
    "a query may answer itself": ("by_example", {"keep_query": True}, WITH_THEMSELVES, "P@2"),
    "a collection": ("by_example", {"collection": ["b", "c", "d"]}, LISTS, "P@2"),
    "graded": ("by_example", {"relevance": "path", "digits": 2}, LISTS, "DCG@2"),
    "given": ("by_example", {"category": {"a": "people", "b": "city", "d": "all"}}, LISTS, "P@3"),
    "labels": ("by_item", {}, LABELS, "P@1"),
    "labels above": ("by_item", {"relevance": "subtree"}, LABELS, "AP"),
}
SAMPLED: dict[str, tuple[str, dict[str, Any], Any, str]] = {
    "AP": ("by_example", {}, LISTS, "AP"),
    "AP with the query": ("by_example", {"keep_query": True}, WITH_THEMSELVES, "AP"),
    "recall of a collection": ("by_example", {"collection": ["b", "c", "d"]}, LISTS, "R@2"),
    "given": ("by_example", {"category": "people"}, LISTS, "AP"),
    "graded": ("by_example", {"relevance": "path", "digits": 2}, LISTS, "nDCG@2"),
}


def studied(case: tuple[str, dict[str, Any], Any, str], **options: Any) -> tuple[Enumerated, Any]:
    kind, given, runs, measure = case

    def truth_of(votes: ft.Assignments) -> Any:
        return getattr(votes, kind)(**given)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exact = Enumerated(truth_of, runs, measure)
        order = ft.annotate_next(truth_of(votes_of(VOTES)), runs, measure, prior=PRIOR, **options)
    return exact, order


@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_exact_against_hypothetical_votes(case: Any, k: int) -> None:
    exact, order = studied(case, k=k)
    mean, variance = exact.moments(exact.alpha)
    assert order.difference == pytest.approx(mean)
    assert order.std_error**2 <= variance * (1 + 1e-9)
    assert order.std_error**2 * (1 + order.interactions) >= variance * (1 - 1e-9)
    assert order.disagreement == pytest.approx(exact.disagreement(), rel=0.1)
    rows = order.items.set_index("item")
    assert (rows["mc_error"] == 0).all()
    for j, item in enumerate(VOTES):
        narrowed = rows.loc[item, "narrowing"] * order.std_error**2
        assert narrowed == pytest.approx(exact.narrowed(j, k), abs=1e-12)


@pytest.mark.parametrize("case", SAMPLED.values(), ids=SAMPLED)
def test_sampled_against_hypothetical_votes(case: Any) -> None:
    exact, order = studied(case, n_worlds=4000)
    mean, variance = exact.moments(exact.alpha)
    assert order.difference == pytest.approx(mean, abs=0.01)
    assert order.std_error**2 < variance * 1.03
    assert order.std_error**2 * (1 + order.interactions) > variance * 0.97
    rows = order.items.set_index("item")
    for j, item in enumerate(VOTES):
        of_share = rows.loc[item, "narrowing"] / rows.loc[item, "share"]
        error = 4 * rows.loc[item, "mc_error"] * of_share + 0.004
        narrowed = exact.narrowed(j) / order.std_error**2
        assert rows.loc[item, "narrowing"] == pytest.approx(narrowed, abs=error)


def test_a_hypothetical_vote_asked_for_in_earnest() -> None:
    """The difference after each vote that may come varies by the variance that goes."""
    votes = votes_of(VOTES)
    order = ft.annotate_next(votes.by_example(), LISTS, "P@2", prior=PRIOR)
    for item in ("a", "c"):
        mass = np.array([PRIOR[c] + VOTES[item].count(c) for c in OPTIONS])
        after = [
            ft.annotate_next(
                votes_of(VOTES | {item: [*VOTES[item], c]}).by_example(), LISTS, "P@2", prior=PRIOR
            ).difference
            for c in OPTIONS
        ]
        assert mass @ after / mass.sum() == pytest.approx(order.difference)
        gone = mass @ (np.array(after) - order.difference) ** 2 / mass.sum()
        narrowing = order.items.set_index("item").loc[item, "narrowing"]
        assert gone == pytest.approx(narrowing * order.std_error**2)


def crowd(n_items: int, n_votes: int, seed: int, share: float = 0.7) -> ft.Assignments:
    """Votes for one of three categories of an item, or others."""
    rng = np.random.default_rng(seed)
    true = np.arange(n_items) % 3
    said = np.where(
        rng.random((n_votes, n_items)) < share, true, rng.integers(0, 3, (n_votes, n_items))
    )
    subject, item = (axis.ravel() for axis in np.indices(said.shape))
    names = np.array(["crowd", "city", "sea"])[said.ravel()]
    return ft.Assignments.from_columns(subject, item, names, taxonomy=TAX)


def test_the_standard_error_is_that_of_new_votes() -> None:
    """By default: with three votes an item, over 120 crowds, against their own spread."""
    labels = pd.DataFrame(
        [(s, i, c) for s, step in (("x", 0), ("y", 1)) for i in range(30)
         for c in [["crowd", "city", "sea"][(i + step * (i % 2)) % 3]]],
        columns=["system", "item", "category"],
    )  # fmt: skip
    orders = [ft.annotate_next(crowd(30, 3, s).by_item(), labels, "P@1") for s in range(120)]
    spread = np.std([order.difference for order in orders])
    told = np.sqrt(np.mean([order.std_error**2 for order in orders]))
    assert told == pytest.approx(spread, rel=0.15)
    apart = orders[0].items.query("share > 0")["item"].astype(int)
    assert (apart % 2 == 1).all()  # where systems name different categories
    assert len(apart) == 15


def test_the_difference_is_that_of_evaluate_and_queries_share_items() -> None:
    votes = crowd(12, 4, 0)
    runs = {
        name: {str(q): [str(i) for i in np.random.default_rng(q + seed).permutation(12)]
               for q in range(12)}
        for name, seed in (("x", 0), ("y", 50))
    }  # fmt: skip
    for measure in ("P@3", "AP"):
        mean = ft.evaluate(votes.by_example(), runs, measure).mean()[measure]
        order = ft.annotate_next(votes.by_example(), runs, measure, n_worlds=200)
        assert order.difference == pytest.approx(mean["x"] - mean["y"])
        assert order.to_frame().columns.tolist() == [
            *("item", "n_votes", "category", "share", "narrowing", "cumulative")
        ]
        assert "The first" in str(order)
        assert "of 12 queries" in str(order)
    shuffled = votes.to_frame().sample(frac=1, random_state=1).drop(columns="weight")
    again = ft.Assignments.from_frame(shuffled, taxonomy=TAX)
    other = ft.annotate_next(again.by_example(), runs, "AP", n_worlds=200)
    pd.testing.assert_frame_equal(order.items, other.items, check_exact=False)


def test_counts_repeats_and_ties() -> None:
    votes = crowd(6, 3, 1)
    counts = votes.to_frame().groupby(["item", "category"]).size().rename("count").reset_index()
    people = ft.Assignments.from_frame(counts, taxonomy=TAX)
    runs = {
        "x": {str(q): dict.fromkeys(map(str, range(6)), 1.0) for q in range(6)},
        "y": {str(q): [str(i) for i in range(6)] for q in range(6)},
    }
    one, two = (
        ft.annotate_next(each.by_example(), runs, "P@2", ties="expected")
        for each in (votes, people)
    )
    pd.testing.assert_frame_equal(one.items, two.items, check_exact=False)
    again = votes.to_frame().drop(columns="weight").assign(repeat="1")
    again = pd.concat([again, again[again["item"] == "0"].assign(repeat="2")])
    repeated = ft.Assignments.from_frame(again, taxonomy=TAX)
    same = ft.annotate_next(repeated.by_example(), runs, "P@2", ties="expected")
    pd.testing.assert_frame_equal(one.items, same.items, check_exact=False)


def test_mistakes() -> None:
    votes = votes_of(VOTES)
    truth = votes.by_example()
    soft = ft.Membership.from_probabilities([[0.5, 0.5], [1, 0]], categories=["cat", "dog"])
    asked = ft.datasets.load_imagenet_dogs().votes
    for ask, message in (
        (lambda: ft.annotate_next(soft, LISTS, "AP"), "give Judgments, votes.by_example"),
        (lambda: ft.annotate_next(truth, LISTS, "AP", rel=1), "rel: is for grades"),
        (
            lambda: ft.annotate_next(truth, LISTS, "AP", prior={"crowd": 1, "city": 1}),
            "must have votes for each category; not people, sea",
        ),
        (lambda: ft.annotate_next(soft.by_item(), LABELS, "P@1"), "these are probabilities"),
        (
            lambda: ft.annotate_next(asked.by_example(category=asked.taxonomy.root), LISTS, "AP"),
            "these are answers about some categories only",
        ),
    ):
        with pytest.raises(ft.FuzzytruthError, match=message):
            ask()
    single = votes_of({item: names[:1] for item, names in VOTES.items()})
    with pytest.warns(DegenerateWarning, match="a prior that has votes for each category says"):
        ft.annotate_next(single.by_example(), LISTS, "P@2")
