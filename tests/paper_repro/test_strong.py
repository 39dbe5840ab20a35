"""What one truth prints, by counting; and what it hides."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from support.printed import column

from paper_repro import experiment, strong


def top() -> dict[tuple[str, str], list[str]]:
    """The first five answers of each system to each query."""
    frame = experiment.two_systems().to_frame().sort_values("score", ascending=False)
    groups = frame.groupby(["system", "query"])["item"]
    return {key: items.head(experiment.K).tolist() for key, items in groups}


def crisp(truth: dict[str, str], system: str, query: str) -> tuple[float, float]:
    """Precision and recall under one truth, by counting."""
    tree = experiment.synthetic_votes()[0].taxonomy
    inside = {truth[query], *tree.descendants(truth[query])}
    relevant = {item for item in truth if truth[item] in inside} - {query}
    hits = len(relevant & set(top()[system, query]))
    return hits / experiment.K, hits / len(relevant) if relevant else 0.0


def test_every_strong_truth_by_counting() -> None:
    scores = strong.every_strong_truth()
    choices = list(itertools.product(*(strong.winners(item) for item in experiment.IMAGES)))
    assert len(choices) == len(scores.subjects) == 2**7
    table = scores.cells.dense(scores.values)  # (systems, measures, queries, subjects)
    for n in (0, 37, 127):
        truth = dict(zip(experiment.IMAGES, choices[n], strict=True))
        for s, system in enumerate("AB"):
            for q in (0, 5, 19):
                expected = crisp(truth, system, scores.queries[q])
                assert table[s, :, q, n].tolist() == pytest.approx(expected)


def test_the_printed_truth_is_one_of_them() -> None:
    votes, _ = experiment.synthetic_votes()
    truth = votes.plurality()
    for item in experiment.IMAGES:
        assert truth[item] == strong.winners(item)[0]
    frame = strong.own_report().to_frame()
    for row in frame.itertuples():
        values = [
            crisp(truth, row.system, q)["PR".index(row.measure[0])] for q in experiment.IMAGES
        ]
        assert row.strong == pytest.approx(np.mean(values))
    table = strong.strong_and_expected()
    for row in table.rows:
        low, high = map(float, row[3].split(" to "))
        assert low <= float(row[2]) <= high
        assert float(row[8]) < 0.5  # the printed value is not even likely


def test_figure_1_under_its_two_winners() -> None:
    assert strong.winners("fig1") == ("people", "city")
    table = strong.two_strong_truths()
    assert column(table, "category taken for fig1") == ["people", "city"] * 4
    for row in table.rows:
        law = strong.own_report().distribution(row[0], "fig1", row[1])
        for value, chance in zip(row[3].split(", "), row[7].split(", "), strict=True):
            atoms = law.to_frame()
            near = (atoms["value"] - float(value)).abs() < 5e-4 * 1.1
            assert float(chance) == pytest.approx(atoms["probability"][near].sum(), abs=6e-4)
    largest = max(float(x) for row in table.rows for x in row[7].split(", "))
    assert strong.most_probable() == pytest.approx(largest, abs=6e-4)


def test_orders_of_the_systems() -> None:
    truth = experiment.synthetic_votes()[0].plurality()
    gaps = [
        crisp(truth, "A", query)[0] - crisp(truth, "B", query)[0] for query in experiment.IMAGES
    ]
    signs = np.sign(np.round(gaps, 12))
    expected = tuple(int((signs == s).sum()) for s in (1, 0, -1))
    assert strong.order_of("strong") == expected
    assert sum(expected) == 20
    assert 0.3 < strong.order_of_same() < 0.9
    frame = strong.pairs_by_query()
    np.testing.assert_allclose(frame[["better", "equal", "worse"]].sum(axis=1), 1)
    assert frame["exact"].all()


def test_the_picture_shows_each_printed_value() -> None:
    left, right = strong.drawn_strong().figure.axes
    frame = strong.own_report().distributions().query("category == '' and measure == 'P@5'")
    for ax, system in ((left, "A"), (right, "B")):
        values = frame[frame["system"] == system]["strong"].tolist()
        assert ax.lines[1].get_xdata().tolist() == values
    outside = ((frame["strong"] < frame["lower"]) | (frame["strong"] > frame["upper"])).sum()
    assert strong.outside_intervals() == outside
