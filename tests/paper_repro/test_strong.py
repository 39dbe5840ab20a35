"""What one truth prints, by counting; and what it hides."""

import itertools

import numpy as np
import pytest

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
