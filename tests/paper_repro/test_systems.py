"""Two systems compared: exact means, and the rest by worlds drawn one at a time."""

import numpy as np
import pytest

from paper_repro import experiment, systems


def average_precision(relevant: set[str], answers: list[str]) -> float:
    hits, total = 0, 0.0
    for rank, item in enumerate(answers, start=1):
        if item in relevant:
            hits += 1
            total += hits / rank
    return total / len(relevant) if relevant else 0.0


@pytest.fixture(scope="module")
def drawn() -> dict[str, np.ndarray]:
    """AP and R@5 of A and B for fig1: (worlds, systems)."""
    votes, _ = experiment.synthetic_votes()
    frame = votes.to_frame()
    given = {item: rows["category"].tolist() for item, rows in frame.groupby("item", sort=False)}
    tree, rng = votes.taxonomy, np.random.default_rng(3)
    below = {node: {node, *tree.descendants(node)} for node in tree}
    runs = experiment.two_systems().to_frame().query("query == 'fig1'")
    answers = {
        system: rows.sort_values("score", ascending=False)["item"].tolist()
        for system, rows in runs.groupby("system")
    }
    ap, recall = [], []
    for picks in rng.integers(5, size=(3000, 20)):
        world = {item: given[item][pick] for item, pick in zip(given, picks, strict=True)}
        inside = below[world["fig1"]]
        relevant = {item for item in world if world[item] in inside} - {"fig1"}
        ap.append([average_precision(relevant, answers[s]) for s in "AB"])
        n = max(len(relevant), 1)
        recall.append([len(relevant & set(answers[s][:5])) / n for s in "AB"])
    return {"AP": np.array(ap), "R@5": np.array(recall)}


def test_means_are_exact_and_near_the_drawn_ones(drawn) -> None:
    scores = systems.both_scores()
    for measure in ("AP", "R@5"):
        for s, system in enumerate("AB"):
            values = drawn[measure][:, s]
            exact = systems.exact_mean(scores, system, measure, "fig1")
            error = values.std() / np.sqrt(len(values))
            assert abs(values.mean() - exact) < 4 * error
    table = systems.comparison()
    for row in table.rows:
        exact = [systems.exact_mean(scores, s, row[0], "fig1") for s in "AB"]
        assert [float(x) for x in row[1:4]] == pytest.approx(
            [*exact, exact[0] - exact[1]], abs=5.1e-5
        )


def test_shares_of_worlds_are_near_the_drawn_ones(drawn) -> None:
    rows = {row[0]: row for row in systems.comparison().rows}
    for measure in ("AP", "R@5"):
        gap = np.round(drawn[measure][:, 0] - drawn[measure][:, 1], 12)
        shares = [(gap > 0).mean(), (gap == 0).mean(), (gap < 0).mean()]
        printed = [float(x) for x in rows[measure][4:7]]
        assert sum(printed) == pytest.approx(1, abs=2e-4)
        error = np.sqrt(0.25 / 4000 + 0.25 / len(gap))
        assert np.abs(np.subtract(shares, printed)).max() < 4 * error
    assert rows["P@5"][7] == "exact"
    assert float(rows["P@5"][11]) > 2 * float(rows["P@5"][4])  # as if independent


def test_simulated_means_are_refused() -> None:
    scores = systems.scored(("AP(norm=retrieved)",), "independent")
    assert not scores.to_frame()["exact"].all()
    with pytest.raises(ValueError, match="is simulated"):
        systems.exact_mean(scores, "A", scores.measures[0], "fig1")
