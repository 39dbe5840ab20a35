"""Blocks of resamples, axes in words, and sides of a test."""

import threading
from typing import Any

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.stats.settings import (
    Purpose,
    Resampling,
    check_alternative,
    ends,
    in_words,
    towards,
)


def test_blocks_come_in_order_with_seeds_of_their_own_and_are_shared_by_threads() -> None:
    def task(seed: np.random.SeedSequence, size: int) -> tuple[Any, int, int]:
        return seed.spawn_key, size, threading.get_ident()

    alone, shared = (Resampling(2_500, n_jobs=n).run(Purpose.SUBJECTS, task) for n in (1, 2))
    for result in (alone, shared):
        blocks = [(key, size) for key, size, _ in result]
        assert blocks == [((2, 0), 1024), ((2, 1), 1024), ((2, 2), 452)]
    assert {thread for _, _, thread in alone} == {threading.get_ident()}
    assert threading.get_ident() not in {thread for _, _, thread in shared}


def test_each_purpose_and_each_seed_has_random_numbers_of_its_own() -> None:
    def task(seed: np.random.SeedSequence, size: int) -> int:
        return int(seed.generate_state(1)[0])

    first = [Resampling(1).run(one, task)[0] for one in Purpose.__members__.values()]
    assert len(set(first)) == len(first) == 4
    assert Resampling(9, rng=1) == Resampling(9, rng=np.random.SeedSequence(1))
    assert Resampling(9, rng=1) != Resampling(9, rng=2)
    assert Resampling(9, rng=None) != Resampling(9, rng=None)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_resamples": 0}, "n_resamples"),
        ({"memory": 0}, "memory"),
        ({"n_jobs": 0}, "must be 1 or more, or -1"),
        ({"rng": "x"}, "rng='x'"),
    ],
)
def test_wrong_settings(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ft.OptionError, match=words):
        Resampling(**options)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_progress_is_the_finished_fraction_of_a_run(n_jobs: int) -> None:
    def task(seed: np.random.SeedSequence, size: int) -> tuple[int, int]:
        return int(seed.generate_state(1)[0]), size

    done: list[float] = []
    plain = Resampling(3000, rng=np.random.default_rng(1), n_jobs=n_jobs)
    using = plain.reporting(done.append)
    assert (using, using.entropy) == (plain, plain.entropy)
    drawn = using.run(Purpose.SIGNS, task)
    assert done == pytest.approx([1 / 3, 2 / 3, 1])
    assert drawn == plain.run(Purpose.SIGNS, task)
    assert len(done) == 3


def test_axes_in_words() -> None:
    over: dict[Any, str] = {
        (): "",
        ("query",): "queries",
        ("query", "subject"): "queries and subjects",
        ("query", "world"): "queries and worlds",
    }
    assert {axes: in_words(axes) for axes in over} == over


INF = np.inf


@pytest.mark.parametrize(
    ("alternative", "distance", "lower", "upper"),
    [
        ("two-sided", [0.5, 0.25], [0.25, -0.5], [0.75, 0.0]),
        ("greater", [0.5, -0.25], [0.25, -0.5], [INF, INF]),
        ("less", [-0.5, 0.25], [-INF, -INF], [0.75, 0.0]),
    ],
)
def test_sides(alternative: Any, distance: Any, lower: Any, upper: Any) -> None:
    value = np.array([0.5, -0.25, np.nan])
    assert towards(alternative, value)[:2].tolist() == distance
    found = ends(check_alternative(alternative), value, np.full(3, 0.25))
    assert [end[:2].tolist() for end in found] == [lower, upper]
    assert np.isnan([end[2] for end in found]).all()
    with pytest.raises(ft.OptionError, match="alternative='better': must be one of 'two-sided'"):
        check_alternative("better")
