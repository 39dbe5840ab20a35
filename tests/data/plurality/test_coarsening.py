"""Coarser votes keep the memberships of what is kept, in trees and acyclic graphs."""

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.small_collections import random_graph, random_votes

import fuzzytruth as ft

PETS = ft.Taxonomy.from_nested(
    {"all": {"animal": ["dog", "bird", "cat"], "vehicle": ["car", "boat"]}}
)
SAID = [("s", "i", "dog"), ("t", "i", "animal"), ("u", "i", "car"), ("s", "j", "all")]
VOTES = ft.Assignments.from_columns(*zip(*SAID, strict=True), taxonomy=PETS)


def drawn(seed: int) -> tuple[ft.Assignments, np.random.Generator]:
    rng = np.random.default_rng(seed)
    tax = random_graph(rng, tree=seed % 3 == 0)
    rows = random_votes(rng, tax)
    kind = seed % 4
    if kind == 1:
        rows["repeat"] = rng.integers(0, 2, len(rows)).astype(str)
        rows["weight"] = 1.0
    if kind == 2:
        counts = rows.groupby(["item", "category"]).size().rename("count").reset_index()
        return ft.Assignments.from_frame(counts, taxonomy=tax), rng
    if kind == 3:
        every = (
            rows[["subject", "item"]]
            .drop_duplicates()
            .merge(pd.Series(tax.nodes, name="category"), how="cross")
        )
        some = every.sample(frac=0.6, random_state=seed)
        asked = pd.concat([some, rows[["subject", "item", "category"]]]).drop_duplicates()
        return ft.Assignments.from_frame(rows, taxonomy=tax, asked=asked), rng
    return ft.Assignments.from_frame(rows, taxonomy=tax), rng


def labels_of(votes: ft.Assignments, ballot: int) -> set[str]:
    name = votes.set_names()[votes.label_set[ballot]]
    return {name} if isinstance(name, str) else set(name)


def tables(votes: ft.Assignments, names: Any) -> np.ndarray:
    return votes.membership().to_frame()[list(names)].to_numpy()


@pytest.mark.parametrize("seed", range(80))
def test_memberships_of_what_is_kept_stay(seed: int) -> None:
    votes, rng = drawn(seed)
    tax = votes.taxonomy
    depth = int(rng.integers(0, tax.level[-1] + 1))
    some = rng.choice(tax.nodes, int(rng.integers(0, len(tax) + 1)), replace=False)
    for less in (votes.coarsened(depth=depth), votes.coarsened(keep=some)):
        kept = less.taxonomy.nodes
        np.testing.assert_allclose(tables(less, kept), tables(votes, kept))
        for members in np.split(less.sets.label, less.sets.offsets[1:-1]):
            names = {kept[c] for c in members}
            assert not any(names & set(less.taxonomy.descendants(name)) for name in names)
    assert votes.coarsened(depth=depth).taxonomy == tax.prune(max_depth=depth)
    assert set(less.taxonomy.nodes) == {tax.root, *some}
    assert (less.items, less.subjects) == (votes.items, votes.subjects)
    if votes.asked is not None:
        return
    if votes.subjects is not None:  # where each vote goes, by hand
        for j in range(len(votes.item)):
            above = {a for c in labels_of(votes, j) for a in tax.ancestors(c, True)} & set(kept)
            lowest = {a for a in above if not above & set(tax.descendants(a))}
            assert labels_of(less, j) == lowest
    if less.taxonomy.is_tree or votes.subjects is not None:
        again = ft.Assignments.from_frame(less.to_frame(), taxonomy=less.taxonomy)
        np.testing.assert_allclose(tables(again, kept), tables(less, kept))


def in_order(rng: np.random.Generator, tax: ft.Taxonomy, coarse: ft.Taxonomy) -> dict[str, str]:
    """A mapping to coarse categories that keeps the order; some have none."""
    leads = {tax.root: coarse.root}
    for name in tax.nodes[1:]:
        above = {leads[a] for a in tax.ancestors(name) if a in leads}
        fits = [b for b in coarse.nodes if above <= {*coarse.ancestors(b, include_self=True)}]
        if fits and rng.random() < 0.8:
            leads[name] = str(rng.choice(fits))
    return leads


@pytest.mark.parametrize("seed", range(60))
def test_memberships_by_a_mapping_and_the_first_pair_that_breaks_it(seed: int) -> None:
    votes, rng = drawn(4 * seed)
    tax, some = votes.taxonomy, random_graph(rng, tree=bool(seed % 2))
    names = {name: f"to {name}" for name in some.nodes}
    edges = [(names[a], names[b]) for a, b in some.to_edges()] or [(None, "to n0")]
    coarse = ft.Taxonomy.from_edges(edges)
    leads = in_order(rng, tax, coarse)
    table = votes.coarsened(leads, taxonomy=coarse).membership().to_frame()
    inside = {}
    for c in tax.nodes:
        named = [leads[a] for a in tax.ancestors(c, True) if a in leads]
        inside[c] = {b for name in named for b in coarse.ancestors(name, True)}
    p = dict.fromkeys(product(table.index, coarse.nodes), 0.0)
    for j, weight in enumerate(votes.weight / np.bincount(votes.item, votes.weight)[votes.item]):
        for b in {b for c in labels_of(votes, j) for b in inside[c]}:
            p[table.index[votes.item[j]], b] += weight
    for (item, b), share in p.items():
        assert table.loc[item, b] == pytest.approx(share)
    anyhow = {name: str(rng.choice(coarse.nodes)) for name in tax.nodes}
    pairs = [
        (c, a)
        for c in tax.nodes
        for a in tax.ancestors(c)
        if anyhow[a] not in coarse.ancestors(anyhow[c], include_self=True)
    ]
    if anyhow[tax.root] == coarse.root and pairs:
        c, a = pairs[0]
        with pytest.raises(ft.errors.TaxonomyError, match=f"^mapping: '{c}' is in '{a}', but '"):
            votes.coarsened(anyhow, taxonomy=coarse)


def test_votes_for_the_root_only_are_counted() -> None:
    assert repr(VOTES).endswith(
        "(4 votes, 2 items, 3 subjects, 5 categories below 3, 1 for the root only)"
    )
    assert repr(VOTES.coarsened(keep=["animal"])).endswith("1 category, 2 for the root only)")
    assert VOTES.coarsened(depth=0).membership().of_item("i") == {"all": 1.0}
    counts = pd.DataFrame({"item": "i", "category": ["dog", "car", "boat"], "count": [2, 3, 4]})
    people = ft.Assignments.from_frame(counts, taxonomy=PETS).coarsened(keep=["animal"])
    assert repr(people) == (
        "Assignments(9 votes, 1 item, 1 category, 7 for the root only, no names)"
    )
    assert people.to_frame()["count"].tolist() == [7, 2]
    dogs = ft.datasets.load_imagenet_dogs().votes  # that an item is a dog is an answer
    assert "root" not in repr(dogs.coarsened(depth=0))


def test_by_default_a_mapping_empties_what_it_leads_away_from() -> None:
    less = VOTES.coarsened({"dog": "animal", "bird": "animal"})
    assert less.taxonomy == PETS.prune(["dog", "bird"])
    assert less.categorisation("s") == {"i": "animal", "j": "all"}
    assert VOTES.coarsened({}).taxonomy == PETS
    toys = ft.Taxonomy.from_children({"toys": ["soft", "hard"]})
    soft = VOTES.coarsened({"animal": "soft", "vehicle": "hard"}, taxonomy=toys)
    assert soft.categorisation("s") == {"i": "soft", "j": "toys"}
    assert soft.categorisation("u") == {"i": "hard"}
    two = VOTES.coarsened(taxonomy=PETS.prune(["animal"], children="drop"))
    assert two.taxonomy.nodes == ("all", "vehicle", "car", "boat")


def test_a_vote_goes_to_a_set_in_a_graph_and_pruning_takes_votes_along() -> None:
    tax = ft.Taxonomy.from_parents({"wet": "all", "food": "all", "fish": ["wet", "food"]})
    votes = ft.Assignments.from_columns(["s", "t"], ["i"] * 2, ["fish", "wet"], taxonomy=tax)
    assert votes.coarsened(depth=1).categorisation("s") == {"i": ("wet", "food")}
    few = tax.prune(weights=votes.membership().sizes(), min_weight=0.6)
    assert votes.coarsened(keep=few).categorisation("s") == {"i": "wet"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "^coarsened: give one of depth=, keep= and a mapping"),
        ({"depth": 1, "keep": ["dog"]}, "^coarsened: give one of"),
        ({"depth": 1, "taxonomy": PETS}, "^coarsened: give one of"),
        ({"depth": -1}, "^depth=-1: must be 0 or more"),
        ({"keep": "dog"}, "^keep='dog': must be a column of names"),
        ({"keep": ["dgo"]}, "^keep, row 1, column 'category': value 'dgo' is not among .* 'dog'"),
        ({"mapping": {"dog": "pet"}}, "^mapping, row 1, column 'coarser category': value 'pet'"),
        ({"mapping": ["dog"]}, r"^mapping=\['dog'\]: must be a mapping"),
        ({"mapping": {"animal": "vehicle"}}, "^mapping: 'dog' is in 'animal', but 'dog', to wh"),
        ({"mapping": {"all": "dog"}, "taxonomy": PETS}, "^mapping: the root 'all' leads to 'dog'"),
    ],
)
def test_mistakes(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ft.FuzzytruthError, match=message):
        VOTES.coarsened(**options)
