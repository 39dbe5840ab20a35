"""Part (b): the numbers on synthetic votes, by drawn worlds."""

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
    n, value = 2000, np.arange(-5, 6) / 5
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


def test_claims_of_the_experiment_are_of_its_numbers() -> None:
    rows = {row.claim: row for row in experiment.experiment_claims()}
    assert all(row.agrees for row in rows.values())
    frame = experiment.distributions_by_rank().to_frame()
    first, last = (frame[frame["rank"] == rank]["precision"].to_numpy() for rank in (1, 19))
    usual = rows["returning more elements usually decreases precision"]
    assert f"{(last < first).sum()} of {len(first)}" in usual.ours
