"""Part (b): the numbers on synthetic votes, by drawn worlds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from paper_repro import examples, experiment, systems


def worlds(n: int) -> tuple[np.ndarray, np.ndarray]:
    """P@5 of A and of B for fig1 in drawn worlds, one at a time from the votes: (2, n)."""
    votes, _ = experiment.synthetic_votes()
    frame = votes.to_frame()
    given = {item: rows["category"].tolist() for item, rows in frame.groupby("item", sort=False)}
    tax, rng = votes.taxonomy, np.random.default_rng(1)
    below = {node: {node, *tax.descendants(node)} for node in tax}
    runs = experiment.two_systems().to_frame()
    runs = runs[(runs["query"] == experiment.QUERY) & (runs["item"] != experiment.QUERY)]
    top = {
        system: rows.sort_values("score", ascending=False)["item"].head(5).tolist()
        for system, rows in runs.groupby("system")
    }
    out = np.empty((2, n))
    for world in range(n):
        picks = zip(given, rng.integers(5, size=20), strict=True)
        drawn = {item: given[item][pick] for item, pick in picks}
        relevant = below[drawn[experiment.QUERY]]
        for s, system in enumerate("AB"):
            out[s, world] = np.mean([drawn[item] in relevant for item in top[system]])
    return out[0], out[1]


def test_synthetic_votes_stand_around_figure_1() -> None:
    votes, inside = experiment.synthetic_votes()
    frame = votes.to_frame()
    assert (len(frame), frame["item"].nunique(), frame["subject"].nunique()) == (100, 20, 5)
    assert frame[frame["item"] == "fig1"]["category"].tolist() == examples.FIGURE_1_VOTES
    others = frame[frame["item"] != "fig1"]
    assert others["item"].str.startswith("synth").all()
    inner = others["category"].isin(["people", "scenery"]).mean()
    assert abs(inner - 0.4) < 3 * np.sqrt(0.24 / 95)
    assert experiment.parents_named() == inner
    assert inside.sum(axis=1) == pytest.approx(np.ones(20))
    assert "SYNTHETIC" in Path(experiment.__file__).read_text(encoding="utf-8")


def test_precision_and_its_difference_by_drawn_worlds() -> None:
    n, value = 4000, np.arange(-5, 6) / 5
    a, b = worlds(n)
    result, scores = experiment.distributions_by_rank(), systems.both_scores()
    laws = [
        (a, result.precision("A", "fig1", 5)),
        (b, result.precision("B", "fig1", 5)),
        (a - b, scores.difference("A", "B", "P@5", query="fig1")),
    ]
    for drawn, law in laws:
        share = (np.abs(drawn[:, None] - value) < 1e-9).mean(axis=0)
        p = law.pmf(value)
        assert p.sum() == pytest.approx(1)
        assert (np.abs(share - p) <= 4 * np.sqrt(p * (1 - p) / n) + 1e-12).all()


def test_mixture_is_that_of_its_parts() -> None:
    rows = experiment.given_categories().rows
    assert [row[0] for row in rows[:3]] == ["given people", "given crowd", "given city"]
    assert [row[1] for row in rows[:3]] == ["0.4", "0.2", "0.4"]
    mixed, by_hand = rows[3], rows[4]
    assert (mixed[2], mixed[4]) == (by_hand[2], by_hand[4])


def test_a_band_for_each_category() -> None:
    """And one over all, which says nothing."""
    assert experiment.cloud_ends() == (0, 1)
    left, right = experiment.drawn_clouds().figure.axes
    for ax, system in ((left, "A"), (right, "B")):
        cloud = experiment.distributions_by_rank().cloud(system, "fig1")
        assert len(ax.collections) == 1 + 3
        *given, mean = (line for line in ax.lines if len(line.get_ydata()))
        assert mean.get_ydata().tolist() == cloud.mean_curve()["precision"].tolist()
        frame = cloud.by_category()
        drawn = {line.get_label(): line for line in given}
        assert len(drawn) == 3
        for category, rows in frame.groupby("category"):
            (line,) = (drawn[label] for label in drawn if f"given {category} " in label)
            assert line.get_ydata().tolist() == rows["precision"].tolist()
    words = [text.get_text() for text in left.figure.legends[0].get_texts()]
    assert {"mean given city (0.4)", "central 95 % of precision at a rank"} < set(words)


def test_pictures_show_the_distributions() -> None:
    law = experiment.distributions_by_rank().precision("A", "fig1", 5)
    left, _ = experiment.drawn_distributions().figure.axes
    assert left.lines[0].get_ydata().tolist() == [0, *law.cdf(law.values), 1]
    (ax,) = experiment.drawn_masses().figure.axes
    assert [bar.get_height() for bar in ax.patches[:6]] == law.pmf(np.arange(6) / 5).tolist()


def test_claims_of_the_experiment_are_of_its_numbers() -> None:
    rows = {row.claim: row for row in experiment.experiment_claims()}
    assert all(row.agrees for row in rows.values())
    frame = experiment.distributions_by_rank().to_frame()
    first, last = (frame[frame["rank"] == rank]["precision"].to_numpy() for rank in (1, 19))
    usual = rows["returning more elements usually decreases precision"]
    assert f"{(last < first).sum()} of {len(first)}" in usual.ours
