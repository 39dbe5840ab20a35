"""The result itself: tables, against enumeration and other verbs of the library, and text."""

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.drawn import labels_of, title_of

import fuzzytruth as ft
from fuzzytruth import plots

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.errors.UndefinedMeasureWarning")


def top(runs: ft.Runs, system: str, query: str, k: int = 3) -> list[str]:
    frame = runs.to_frame()
    rows = frame[(frame["system"] == system) & (frame["query"] == query)]
    return rows.sort_values("score", ascending=False)["item"].head(k).tolist()


def below(tree: ft.Taxonomy, category: str) -> set[str]:
    return {category, *tree.descendants(category)}


def given_votes(votes: ft.Assignments) -> dict[str, list[str]]:
    frame = votes.to_frame()
    return {item: rows["category"].tolist() for item, rows in frame.groupby("item", sort=False)}


def test_strong_values_are_those_of_the_majority(found, votes, runs) -> None:
    winner = {}
    for item, named in given_votes(votes).items():
        counts = Counter(named)
        most = max(counts.values())
        winner[item] = min((c for c in counts if counts[c] == most), key=votes.taxonomy.nodes.index)
    frame = found.distributions()
    for row in frame[frame["category"] == ""].itertuples():
        inside = below(votes.taxonomy, winner[row.query])
        relevant = {item for item in winner if winner[item] in inside} - {row.query}
        hits = len(relevant & set(top(runs, row.system, row.query)))
        if row.measure == "P@3":
            assert row.strong == pytest.approx(hits / 3)
        else:
            assert row.strong == pytest.approx(hits / len(relevant) if relevant else 0)
    strong = frame[frame["category"] == ""].groupby(["system", "measure"], sort=False)["strong"]
    assert strong.mean().tolist() == pytest.approx(found.to_frame()["one_truth"].tolist())


def test_distributions_by_every_outcome(found, votes, runs) -> None:
    """Of precision: every label of the three items, given each category of the query."""
    named, tree = given_votes(votes), votes.taxonomy
    for query in ("i0", "i1"):
        first = top(runs, "x", query)
        mixed: Counter[float] = Counter()
        frame = found.distributions(query).query("system == 'x' and measure == 'P@3'")
        for category, n in Counter(named[query]).items():
            inside, law = below(tree, category), Counter()
            for labels in itertools.product(*(named[item] for item in first)):
                law[sum(label in inside for label in labels) / 3] += 1 / 4**3
            row = frame[frame["category"] == category].iloc[0]
            assert row["share"] == n / 4
            assert row["mean"] == pytest.approx(sum(x * p for x, p in law.items()))
            assert row["p_strong"] == pytest.approx(law[row["strong"]])
            for value, chance in law.items():
                mixed[value] += chance * n / 4
        row = frame[frame["category"] == ""].iloc[0]
        mean = sum(x * p for x, p in mixed.items())
        std = np.sqrt(sum((x - mean) ** 2 * p for x, p in mixed.items()))
        assert (row["mean"], row["std"]) == pytest.approx((mean, std))
        assert row["p_strong"] == pytest.approx(mixed[row["strong"]])
        below_it = sum(p for x, p in mixed.items() if x < row["strong"] - 1e-9)
        assert row["p_below"] == pytest.approx(below_it)


def test_pairs_are_joint(found) -> None:
    frame = found.pairs()
    means = found.scores.mean()
    np.testing.assert_allclose(frame["difference"], means.loc["x"] - means.loc["y"], atol=1e-12)
    np.testing.assert_allclose(frame[["better", "equal", "worse"]].sum(axis=1), 1)
    law = found.scores.difference("x", "y", "P@3")
    assert frame["better"][0] == float(law.sf(0))
    assert not frame["exact"].any()
    p = frame["better"][0]
    assert frame["mc_error"][0] >= np.sqrt(p * (1 - p) / 2000) - 1e-15
    one = found.pairs("i0")
    assert one["exact"].tolist() == [True, False]
    assert one["mc_error"][0] == 0


def test_the_picture_of_one_truth_shows_one_system_by_one_measure(found) -> None:
    ax = plots.strong_truth(found, system="y", measure="R")
    frame = found.distributions().query("system == 'y' and measure == 'R@3' and category == ''")
    mean, strong = ax.lines
    assert mean.get_xdata().tolist() == frame["mean"].tolist()
    assert strong.get_xdata().tolist() == frame["strong"].tolist()
    assert title_of(ax) == "R@3 of y, 8 queries, over worlds"
    assert ax.get_xlabel() == "R@3"
    assert labels_of(ax) == frame["query"].tolist()
    own = plots.strong_truth(found, queries=["i2"])
    assert plots.strong_truth(found, own, queries=["i2"]) is own
    for wrong in ({"system": "z"}, {"measure": "AP"}):
        with pytest.raises(ft.errors.OptionError, match=r"system 'z'|measure='AP'"):
            plots.strong_truth(found, **wrong)


def marks(ax: Any) -> set[tuple[float, float]]:
    """Places of all marks, rounded."""
    return {
        (round(float(x), 9), round(float(y), 9)) for line in ax.lines for x, y in line.get_xydata()
    }


@pytest.mark.parametrize("query", [None, "i2"])
def test_the_picture_of_the_two_schemes(found, votes, query: str | None) -> None:
    """A mark for each system and person, and for the means of both schemes."""
    ax = found.plot(query=query, measure="R")
    scores = found.people if query is None else found.people.select(queries=[query])
    own = scores.mean(by="subject")["R@3"]
    names = list(found.people.subjects)
    if query is not None:
        said = votes.to_frame().query("item == @query").set_index("subject")["category"]
        names = [f"{who}: {said[who]}" for who in names]
        law = found.scores.distribution
        means = {s: law(s, query, "R@3").mean() for s in "xy"}
    else:
        means = {s: found.scores.mean_distribution(s, "R@3").mean() for s in "xy"}
    assert labels_of(ax) == ["averaged first", *names, "averaged last"]
    drawn = marks(ax)
    for j, who in enumerate(found.people.subjects):
        assert {(round(own[s, who], 9), 4.0 - j) for s in "xy"} <= drawn
    assert {(round(own[s].mean(), 9), 0.0) for s in "xy"} <= drawn
    assert {round(value, 9) for value in means.values()} <= {x for x, y in drawn if y > 4.5}
    assert title_of(ax) == f"R@3, {'mean over 8 queries' if query is None else 'query i2'}"
    assert ax.get_xlabel() == ("mean R@3" if query is None else "R@3")
    for wrong in ({"query": "z"}, {"measure": "AP"}):
        with pytest.raises(ft.errors.OptionError, match=r"query 'z'|measure='AP'"):
            found.plot(**wrong)


def test_distributions_are_those_by_rank(found, votes, runs) -> None:
    ranks = ft.by_rank(votes.by_example(), runs, depth=3)
    for name, measure in (("precision", "P"), ("recall", "R@3")):
        expected = getattr(ranks, name)("x", "i0", 3)
        assert found.distribution("x", "i0", measure).to_frame().equals(expected.to_frame())
    category = ranks.categories("x", "i0")[0]
    given = found.distribution("x", "i0", category=category)
    assert given.mean() == ranks.precision("x", "i0", 3, category=category).mean()
    for measure in ("AP", "P@4"):
        with pytest.raises(ft.errors.OptionError, match=f"measure='{measure}': must be 'P' or 'R'"):
            found.distribution("x", "i0", measure)


@pytest.mark.parametrize("width", [80, 60])
def test_every_printed_number_is_whole(found, width: int) -> None:
    text = found._answer().text(width)
    assert max(map(len, text.splitlines())) <= width
    flat, html = " ".join(text.split()), found._repr_html_()
    frame = found.to_frame(full=True).query("measure == 'P@3'")
    for row in frame.itertuples():
        assert f"[{row.world_low:.3f}, {row.world_high:.3f}]" in flat
        assert f"[{row.world_low:.3f}, {row.world_high:.3f}]" in html
        for value in (row.one_truth, row.memberships, row.people, row.lowest, row.highest):
            assert f"{value:.3f}" in flat
    own = found.people.mean(by="subject")["P@3"].unstack("system")
    for who, x, y in own.reset_index()[["subject", "x", "y"]].itertuples(index=False):
        assert f"{who} {x:.3f} {y:.3f} {x - y:+.3f}" in flat
    for line in found.comparison._verdict_lines(4).lines:
        assert line in flat
    assert "Brackets: the middle 95 % of worlds, not of other queries." in flat


def test_many_systems_are_cut_short() -> None:
    """Seven systems with long names, and eight people."""
    rng = np.random.default_rng(0)
    items = [f"image_{j:03}.jpeg" for j in range(30)]
    seen = [["single portrait", "crowd"], ["city", "single portrait"]]
    rows = [(f"p{s}", i, rng.choice(seen[j % 2])) for j, i in enumerate(items) for s in range(8)]
    votes = pd.DataFrame(rows, columns=["subject", "item", "category"])
    runs = {
        f"a_rather_long_system_name_{k}": {
            query: {i: (j + q) % 2 * 0.2 * k + rng.normal() for j, i in enumerate(items)}
            for q, query in enumerate(items[:5])
        }
        for k in range(7)
    }
    large = ft.santini(votes, runs, k=5, n_worlds=50, n_resamples=99, n_permutations=9)
    table = large.people.mean(by="subject")["P@5"].unstack("system")
    for width in (80, 60):
        text = large._answer().text(width)
        assert max(map(len, text.splitlines())) <= width
        assert len(text.splitlines()) < 110
        assert "P@5: 0 of 21 differences significant over" in text  # no sentence for each
        for system in table:
            assert f"{table[system].min():.3f}, {table[system].max():.3f}" in text
    first, second = large.best_two()
    assert [first, second] == table.mean().sort_values(ascending=False).index[:2].tolist()


def test_the_columns_of_the_means(found) -> None:
    """Memberships and people: as `evaluate` has them; intervals over worlds and of people."""
    short, full = found.to_frame(), found.to_frame(full=True)
    assert [*full][: len([*short]) - 1] == [*short][:-1]
    pd.testing.assert_frame_equal(full[[*short]], short)
    keys = list(zip(full["system"], full["measure"], strict=True))
    own = found.people.mean(by="subject")
    for row, (system, measure) in zip(full.itertuples(), keys, strict=True):
        law = found.scores.mean_distribution(system, measure)
        assert (row.world_low, row.world_high) == law.interval(0.95)
        assert row.memberships == pytest.approx(found.scores.mean().loc[system, measure])
        values = own.loc[system, measure]
        assert (row.lowest, row.highest) == (values.min(), values.max())
        assert row.people == pytest.approx(values.mean())
    ends = found.people.summary(over=("query", "subject"))[["lower", "upper"]]
    np.testing.assert_allclose(full[["lower", "upper"]], ends)
    assert set(full["over"]) == {"queries and subjects"}


def test_parting_by_every_person(found, votes, runs) -> None:
    """Differences of precision by each person's own categories, counted."""
    kinds = {
        who: dict(zip(rows["item"], rows["category"], strict=True))
        for who, rows in votes.to_frame().groupby("subject")
    }
    wanted = []
    for query in found.scores.queries:
        gaps = []
        for said in kinds.values():
            inside = below(votes.taxonomy, said[query])
            hits = [sum(said[i] in inside for i in top(runs, s, query)) for s in "xy"]
            gaps.append((hits[0] - hits[1]) / 3)
        if min(gaps) < 0 < max(gaps):
            n_a, n_b = sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps)
            wanted.append((query, min(gaps), max(gaps), n_a, n_b))
    wanted.sort(key=lambda row: (-round(min(row[2], -row[1]), 9), row[1] - row[2]))
    frame = found.parting("x", "y")
    assert [*frame] == ["query", "lowest", "highest", "n_a", "n_b"]
    got = [tuple(row) for row in frame.itertuples(index=False)]
    assert len(got) == len(wanted) > 0
    for row, expected in zip(got, wanted, strict=True):
        assert row[0] == expected[0]
        assert row[1:] == pytest.approx(expected[1:])
    n = sum(low < -0.2 and high > 0.2 for _, low, high, *_ in wanted)
    flat = " ".join(str(found).split())
    said = f"On {n} queries own truths prefer different systems, by more than 0.2 each way "
    query, _, _, n_x, n_y = wanted[0]
    assert (
        f"{said}(P@3): for example on {query}, x is better for {n_x} of the people, y for {n_y}."
        in flat
    )
    mirrored = found.parting("y", "x")
    assert mirrored[["n_b", "n_a"]].to_numpy().tolist() == frame[["n_a", "n_b"]].to_numpy().tolist()
    with pytest.raises(ft.errors.OptionError, match="system 'z'"):
        found.parting("x", "z")


def test_items_and_categories(found, votes) -> None:
    items, named = found.items(), given_votes(votes)
    for row in items.itertuples():
        counts = np.array(list(Counter(named[row.item]).values()))
        p = counts / 4
        assert row.entropy == pytest.approx(-(p * np.log2(p)).sum())
        assert row.agreement == pytest.approx((counts * (counts - 1)).sum() / 12)
        assert row.share == p.max()
        assert row.tied == (counts == counts.max()).sum()
    assert items["entropy"].round(9).is_monotonic_decreasing
    frame = found.categories().set_index("category")
    for category in votes.taxonomy.nodes:
        inside = below(votes.taxonomy, category)
        size = sum(vote in inside for said in named.values() for vote in said) / 4
        assert frame["size"][category] == pytest.approx(size)
        strong = sum(found.strong[item] in inside for item in named)
        assert frame["strong_size"][category] == strong


def test_a_cloud_of_tied_lists_has_one_random_order(votes, runs) -> None:
    items = [f"i{j}" for j in range(8)]
    tied = {"x": {q: {i: float(j < 4) for j, i in enumerate(items) if i != q} for q in items}}
    result = ft.santini(votes, tied, k=3, n_worlds=50, n_resamples=99, n_permutations=9)
    one, two = (result.cloud("x", "i0").to_frame() for _ in "ab")
    pd.testing.assert_frame_equal(one, two)
    by_id = ft.by_rank(votes.by_example(["i0"]), tied, depth=20, ties="order").cloud("x", "i0")
    alike = []
    for rank in range(1, 8):  # only where groups of ties end are all orders the same
        given = [
            frame[frame["rank"] == rank][["recall", "precision", "probability"]].to_numpy()
            for frame in (one, by_id.to_frame())
        ]
        alike.append(given[0].shape == given[1].shape and np.allclose(*given))
    assert alike[2]
    assert alike[6]
    assert not all(alike)
    untied = ft.santini(votes, runs, k=3, n_worlds=50, n_resamples=99, n_permutations=9)
    ranks = ft.by_rank(votes.by_example(["i0"]), runs, depth=5).cloud("x", "i0")
    pd.testing.assert_frame_equal(untied.cloud("x", "i0", depth=5).to_frame(), ranks.to_frame())
    for wrong in ({"system": "z"}, {"query": "z"}, {"depth": 0}):
        with pytest.raises(ft.errors.OptionError, match=r"'z'|depth=0"):
            untied.cloud(**{"system": "x", "query": "i0"} | wrong)
