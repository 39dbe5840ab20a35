"""More judged items than one block of queries holds."""

import numpy as np
import pytest
from support.scores_for_tests import dense

import fuzzytruth as ft
from fuzzytruth.truth import align
from fuzzytruth.truth.vote_weights import as_given

N_QUERIES, N_ITEMS = 12, 1000  # 12,000 items: three blocks of about 4,096


@pytest.fixture(scope="module")
def many():
    """The same items with the same chances for each query, and two systems."""
    queries = [f"q{q}" for q in range(N_QUERIES) for _ in range(N_ITEMS)]
    items = [f"d{d}" for d in range(N_ITEMS)] * N_QUERIES
    truth = ft.Judgments.from_probabilities(queries, items, np.full(len(items), 0.3))
    lists = {f"q{q}": {f"d{d}": -float(d) for d in range(20)} for q in range(N_QUERIES)}
    return truth, ft.Runs.from_dict({"x": lists, "y": lists})


@pytest.mark.usefixtures("own_measures")
def test_progress_comes_as_blocks_are_done(many):
    truth, runs = many
    log = []

    def logged(batch):
        log.append("scored")
        return batch.hits(3, 1)

    ft.measures.register(logged, name="Logged")
    ft.evaluate(truth, runs, ["Logged"], n_worlds=10, rng=0, progress=log.append)
    # Aligning is a fifth of the way, exact values of three blocks a fifth of the rest.
    exact = [0.2, 0.2 + 0.16 / 3, 0.2 + 0.32 / 3, 0.36]
    drawn = [0.36 + 0.64 / 3, 0.36 + 1.28 / 3, 1.0]
    assert [entry for entry in log if entry != "scored"] == pytest.approx(exact + drawn)
    # Two systems in each of the three blocks of drawn worlds.
    assert [j for j, entry in enumerate(log) if entry != "scored"] == [0, 1, 2, 3, 6, 9, 12]
    seen = []
    ft.evaluate(truth, runs, ["P@1"], n_worlds=10, rng=0, n_jobs=2, progress=seen.append)
    assert seen == pytest.approx([*exact, 1.0])


def test_a_block_counts_its_queries_and_pairs(many):
    block = align(*many, ties="trec").outcomes(slice(3, 5), as_given()).block
    assert (block.n_queries, block.n_pairs) == (2, 2 * N_ITEMS)
    assert block.lost_votes(as_given()) == 0


def test_blocks_draw_worlds_of_their_own(many):
    """Equal queries would have equal worlds if two blocks shared a seed, or queries a draw."""
    truth, runs = many
    scores = ft.evaluate(truth, runs, ["ERR"], n_worlds=200, rng=0, keep_worlds=True)
    kept = scores.uncertainty.kept[:, 0, 0]  # (worlds, queries)
    together = np.corrcoef(kept.T) - np.eye(N_QUERIES)
    assert np.abs(together).max() < 0.35  # five standard errors of a correlation of 0
    whole = np.array([scores.distribution("x", q, "ERR").mean() for q in scores.queries])
    np.testing.assert_allclose(whole, dense(scores)[0, 0, 0], rtol=1e-12)
    mean = scores.mean_distribution("x", "ERR")
    assert mean.std() == pytest.approx(kept.std(axis=0).mean() / np.sqrt(N_QUERIES), rel=0.25)
