"""Part (b): the numbers on synthetic votes, by drawn worlds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("matplotlib").use("Agg")

from paper_repro import examples, experiment


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
    assert inside.sum(axis=1) == pytest.approx(np.ones(20))
    assert "SYNTHETIC" in Path(experiment.__file__).read_text(encoding="utf-8")


def test_precision_and_its_difference_by_drawn_worlds() -> None:
    n, value = 4000, np.arange(-5, 6) / 5
    a, b = worlds(n)
    result, scores = experiment.distributions_by_rank(), experiment.both_scores()
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


def test_comparison_of_the_systems() -> None:
    table = experiment.comparison()
    first = dict(zip(table.columns, table.rows[0], strict=True))
    assert first["measure, fig1"] == "P@5"
    assert first["joint"] == "exact"
    chances = [float(first[name]) for name in ("P(A > B)", "P(A = B)", "P(A < B)")]
    assert sum(chances) == pytest.approx(1, abs=2e-4)
    assert float(first["P(A > B) if independent"]) > 2 * chances[0]
    assert [row[0] for row in experiment.kinds_of_worlds().rows] == [
        *("independent", "subject", "population")
    ]


def test_mixture_is_that_of_its_parts() -> None:
    rows = experiment.given_categories().rows
    assert [row[0] for row in rows[:3]] == ["given people", "given crowd", "given city"]
    assert [row[1] for row in rows[:3]] == ["0.4", "0.2", "0.4"]
    mixed, by_hand = rows[3], rows[4]
    assert (mixed[2], mixed[4]) == (by_hand[2], by_hand[4])
