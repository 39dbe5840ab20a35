"""Monte Carlo errors where few worlds have a value, under undefined="exclude"."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


def votes(rows: list[tuple[str, str, int, int]]) -> ft.Judgments:
    frame = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    return ft.Judgments.from_frame(frame.astype({"subject": str}))


def rare(query: str, n_subjects: int) -> list[tuple[str, str, int, int]]:
    """Two items of which a single subject each says that they are relevant."""
    rows = [(query, "a", s, 2 * (s == 0)) for s in range(n_subjects)]
    return rows + [(query, "b", s, 1 * (s == 1)) for s in range(n_subjects)]


RUNS = {"s": {q: {"a": 3.0, "c": 2.0, "b": 1.0} for q in ("q", "q1", "q2")}}


def test_one_world_with_a_value_leaves_the_error_unknown() -> None:
    truth, runs = votes(rare("q", 1000)), {"s": {"q": RUNS["s"]["q"]}}
    for seed in (3, 5, 7, 10):
        scores = ft.evaluate(
            truth, runs, "nDCG@3", undefined="exclude", n_worlds="auto", mc_error=0.03, rng=seed
        )
        assert scores.uncertainty.n_worlds > 1024
        assert 0 < scores.uncertainty.mc_error.item() <= 0.03


def test_rare_queries_weigh_as_much_as_others() -> None:
    rows = rare("q", 200)
    for query in ("q1", "q2"):
        rows += [(query, "a", s, 2) for s in range(200)]
        rows += [(query, "b", s, 1 + s % 2) for s in range(200)]
    truth, means, numbers = votes(rows), [], []
    for seed in range(30):
        scores = ft.evaluate(
            truth, RUNS, "nDCG@3", undefined="exclude", n_worlds="auto", mc_error=0.005, rng=seed
        )
        means.append(scores.mean().to_numpy().item())
        numbers.append(scores.uncertainty.n_worlds)
    assert np.std(means, ddof=1) < 0.0075  # .02 after 1,024 worlds
    assert min(numbers) > 4096


def test_resamples_without_a_value_do_not_lower_the_error() -> None:
    truth, runs = votes(rare("q", 14)), {"s": {"q": RUNS["s"]["q"]}}
    how = {"worlds": "population", "undefined": "exclude", "n_worlds": 60, "rng": 0}
    spread = ft.evaluate(truth, runs, "R@1", keep_worlds=True, **how).uncertainty
    values = spread.kept[:, 0, 0, 0]
    values = values[~np.isnan(values)]
    assert 2 < len(values) < 60
    error = np.std(values, ddof=1) / np.sqrt(len(values))
    assert spread.mc_error.item() == pytest.approx(error, rel=1e-12)


def test_errors_of_enumerated_resamples_are_their_deviation() -> None:
    rows = [
        ("q", item, s, grade * (s == 0)) for item, grade in (("a", 2), ("b", 1)) for s in range(3)
    ]
    truth, runs = votes(rows), {"s": {"q": RUNS["s"]["q"]}}  # .3 of the resamples have no value
    means, errors = [], []
    for seed in range(200):
        scores = ft.evaluate(
            truth, runs, "nDCG@3", worlds="population", undefined="exclude", n_worlds=2000, rng=seed
        )
        means.append(scores.values.item())
        errors.append(scores.uncertainty.mc_error.item())
    assert np.std(means, ddof=1) == pytest.approx(np.mean(errors), rel=0.15)


def test_resamples_with_one_inner_world_leave_a_deviation() -> None:
    truth, runs = votes(rare("q", 14)), {"s": {"q": RUNS["s"]["q"]}}
    how = {"worlds": "population", "undefined": "exclude", "keep_worlds": True}
    for seed in range(3):
        spread = ft.evaluate(truth, runs, "nDCG@3", n_worlds=400, rng=seed, **how).uncertainty
        assert spread.std.item() == pytest.approx(0.198, rel=0.2)  # enumerated: .19787
        values = spread.kept[:, 0, 0, 0]
        assert np.isnan(values).mean() < 0.3
        assert np.nanstd(values) == pytest.approx(spread.std.item() / np.sqrt(14 / 13), rel=1e-9)


def test_worlds_that_agree_are_not_enough_to_know_the_mean() -> None:
    """Two items relevant to one of 2,000 people each: 1,024 worlds often have none."""
    rows = [("q", "a", f"s{s}", 2 * (s == 0)) for s in range(2000)]
    rows += [("q", "b", f"s{s}", int(s == 1)) for s in range(2000)]
    frame = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    runs = {"x": {"q": {"a": 2.0, "b": 1.0}}}
    options = {"worlds": "independent", "n_worlds": "auto"}
    for seed in range(4):
        scores = ft.evaluate(frame, runs, "nDCG@2", mc_error=5e-4, rng=seed, **options)
        assert scores.uncertainty.n_worlds > 1024
        assert abs(scores.values.item() - (1 + 0.6309) / 2000) < 4 * 5e-4
        given = ft.evaluate(
            frame, runs, "nDCG@2", mc_error=0.05, undefined="exclude", rng=seed, **options
        )
        assert abs(given.values.item() - (1 + 0.6309) / 2) < 4 * 0.05
