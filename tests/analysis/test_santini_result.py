"""The result itself: tables, against enumeration and other verbs of the library, and text."""

import itertools
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from support.drawn import labels_of

import fuzzytruth as ft
from fuzzytruth.analysis.santini_result import strong_truth
from fuzzytruth.show.number_text import interval_text


def top(runs: ft.Runs, system: str, query: str, k: int = 3) -> list[str]:
    frame = runs.to_frame()
    rows = frame[(frame["system"] == system) & (frame["query"] == query)]
    return rows.sort_values("score", ascending=False)["item"].head(k).tolist()


def below(tree: ft.Taxonomy, category: str) -> set[str]:
    return {category, *tree.descendants(category)}


def given_votes(votes: ft.Assignments) -> dict[str, list[str]]:
    frame = votes.to_frame()
    return {item: rows["category"].tolist() for item, rows in frame.groupby("item", sort=False)}


def test_strong_values_are_those_of_the_majority(report, votes, runs) -> None:
    winner = {}
    for item, named in given_votes(votes).items():
        counts = Counter(named)
        most = max(counts.values())
        winner[item] = min((c for c in counts if counts[c] == most), key=votes.taxonomy.nodes.index)
    frame = report.distributions()
    for row in frame[frame["category"] == ""].itertuples():
        inside = below(votes.taxonomy, winner[row.query])
        relevant = {item for item in winner if winner[item] in inside} - {row.query}
        hits = len(relevant & set(top(runs, row.system, row.query)))
        if row.measure == "P@3":
            assert row.strong == pytest.approx(hits / 3)
        else:
            assert row.strong == pytest.approx(hits / len(relevant) if relevant else 0)
    strong = frame[frame["category"] == ""].groupby(["system", "measure"], sort=False)["strong"]
    assert strong.mean().tolist() == pytest.approx(report.to_frame()["strong"].tolist())


def test_distributions_by_every_outcome(report, votes, runs) -> None:
    """Of precision: every label of the three items, given each category of the query."""
    named, tree = given_votes(votes), votes.taxonomy
    for query in ("i0", "i1"):
        first = top(runs, "x", query)
        mixed: Counter[float] = Counter()
        frame = report.distributions(query).query("system == 'x' and measure == 'P@3'")
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


def test_pairs_are_joint(report) -> None:
    frame = report.pairs()
    means = report.scores.mean()
    np.testing.assert_allclose(frame["difference"], means.loc["x"] - means.loc["y"], atol=1e-12)
    np.testing.assert_allclose(frame[["better", "equal", "worse"]].sum(axis=1), 1)
    law = report.scores.difference("x", "y", "P@3")
    assert frame["better"][0] == float(law.sf(0))
    assert not frame["exact"].any()
    p = frame["better"][0]
    assert frame["mc_error"][0] >= np.sqrt(p * (1 - p) / 2000) - 1e-15
    one = report.pairs("i0")
    assert one["exact"].tolist() == [True, False]
    assert one["mc_error"][0] == 0


def test_the_picture_shows_one_system_by_one_measure(report) -> None:
    ax = report.plot(system="y", measure="R")
    frame = report.distributions().query("system == 'y' and measure == 'R@3' and category == ''")
    mean, strong = ax.lines
    assert mean.get_xdata().tolist() == frame["mean"].tolist()
    assert strong.get_xdata().tolist() == frame["strong"].tolist()
    assert ax.get_title(loc="left") == "R@3 of y, 8 queries, over independent worlds"
    assert ax.get_xlabel() == "R@3"
    assert labels_of(ax) == frame["query"].tolist()
    own = report.plot(queries=["i2"])
    assert report.plot(own, queries=["i2"]) is own
    for wrong in ({"system": "z"}, {"measure": "AP"}):
        with pytest.raises(ft.OptionError, match=r"system 'z'|measure='AP'"):
            report.plot(**wrong)


def test_distributions_are_those_by_rank(report, votes, runs) -> None:
    ranks = ft.by_rank(votes.by_example(), runs, depth=3)
    for name, measure in (("precision", "P"), ("recall", "R@3")):
        expected = getattr(ranks, name)("x", "i0", 3)
        assert report.distribution("x", "i0", measure).to_frame().equals(expected.to_frame())
    category = ranks.categories("x", "i0")[0]
    given = report.distribution("x", "i0", category=category)
    assert given.mean() == ranks.precision("x", "i0", 3, category=category).mean()
    for measure in ("AP", "P@4"):
        with pytest.raises(ft.OptionError, match=f"measure='{measure}': must be 'P' or 'R'"):
            report.distribution("x", "i0", measure)


@pytest.mark.parametrize("width", [80, 60])
def test_every_printed_number_is_whole(report, width: int) -> None:
    text = report._answer().text(width)
    assert max(map(len, text.splitlines())) <= width
    flat, html = " ".join(text.split()), report._repr_html_()
    for row in report.to_frame().itertuples():
        assert f"{row.strong:.3f}" in flat
        assert f"{row.mean:.3f}" in flat
        assert f"[{row.lower:.3f}, {row.upper:.3f}]" in flat
        assert f"[{row.lower:.3f}, {row.upper:.3f}]" in html
    for pair in report.pairs().itertuples():
        assert f"{pair.better:.3f}" in flat
    below = report.categories().query("level > 0").sort_values("size", ascending=False)
    table = flat.partition("Largest categories below the root")[2]
    places = [table.index(f" {name} ") for name in below["category"][:3]]
    assert places == sorted(places)
    for row in report.comparison.to_frame().itertuples():
        assert interval_text(row.lower, row.upper, signed=True) in flat
    assert "Interval: of people, 95 %, over queries and subjects." in flat
    assert "over 8 queries and 4 subjects, by the people's own categories." in flat
    assert "Brackets: 95 % intervals" in flat


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
    large = ft.santini_report(votes, None, runs, k=5, n_worlds=50, n_resamples=99)
    table = large.people.mean(by="subject")["P@5"].unstack("system")
    best = table.eq(table.max(axis=1), axis=0).sum()
    for width in (80, 60):
        text = large._answer().text(width)
        assert max(map(len, text.splitlines())) <= width
        assert len(text.splitlines()) < 190
        assert "(4 of 42)" in " ".join(text.split())  # pairs
        for system, n in best.items():
            assert f"{table[system].min():.3f}" in text
            assert f"{table[system].max():.3f}" in text
            assert f"{n} of 8" in text


def test_opposite_groups_are_named() -> None:
    """Each system serves one half of the people, by precision and by recall."""
    items = [f"i{j:02}" for j in range(12)]
    kinds = {"x": [j // 6 for j in range(12)], "y": [j % 2 for j in range(12)]}
    rows = [
        (f"s{s}", item, f"c{kinds['x' if s < 5 else 'y'][j]}")
        for s in range(10)
        for j, item in enumerate(items)
    ]
    votes = pd.DataFrame(rows, columns=["subject", "item", "category"])
    runs = {
        name: {
            query: sorted(
                (item for item in items if item != query),
                key=lambda item: (kind[items.index(item)] != kind[q], item),
            )
            for q, query in enumerate(items)
        }
        for name, kind in kinds.items()
    }
    report = ft.santini_report(votes, None, runs, k=5, n_worlds=200, n_resamples=99)
    text = " ".join(str(report).split())
    assert "no difference between x and y is shown on" not in text
    assert text.count("the people's truths part. Significant for 10 of 10 alone") == 2
    assert text.count("in both directions (x: 5, y: 5; p") == 2


def test_the_majority_category_is_one_crisp_truth() -> None:
    tree = ft.Taxonomy.from_children({"all": ["pet", "cow"], "pet": ["dog", "cat"]})
    categories = ["cat", "dog", "dog", "cat", "cow", "cow", "pet", "cow"]
    votes = ft.Assignments.from_columns(
        list("stuv") * 2, ["i"] * 4 + ["j"] * 4, categories, taxonomy=tree
    )
    strong = strong_truth(votes)
    assert strong.items.values.tolist() == [["i", "dog", 0.5, 2], ["j", "cow", 0.75, 1]]
    assert strong.n_tied == 1
    assert strong.votes.categorisation("strong truth") == dict(votes.plurality())
    assert votes.plurality() == {"i": "dog", "j": "cow"}
    assert strong.votes.taxonomy is tree
    asked = pd.DataFrame({"subject": "s", "item": ["i", "j"], "category": "dog"})
    partly = ft.Assignments.from_frame(asked.iloc[:1], taxonomy=tree, asked=asked)
    with pytest.warns(ft.errors.UnjudgedItemWarning, match="left out: 1 item to which nobody gave"):
        assert strong_truth(partly).items["item"].tolist() == ["i"]
