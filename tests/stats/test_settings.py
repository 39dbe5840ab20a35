"""Blocks of resamples."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.stats.settings import Purpose, Resampling


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_blocks_come_in_order_with_seeds_of_their_own(n_jobs: int) -> None:
    def task(seed: np.random.SeedSequence, size: int) -> tuple[tuple[int, ...], int]:
        return seed.spawn_key, size

    result = Resampling(2_500, n_jobs=n_jobs).run(Purpose.SUBJECTS, task)
    assert result == [((2, 0), 1024), ((2, 1), 1024), ((2, 2), 452)]


def test_blocks_are_shared_by_threads() -> None:
    def thread(seed: np.random.SeedSequence, size: int) -> int:
        return threading.get_ident()

    alone, shared = (Resampling(2_500, n_jobs=n).run(Purpose.SUBJECTS, thread) for n in (1, 2))
    assert {*alone} == {threading.get_ident()}
    assert threading.get_ident() not in shared


def test_each_purpose_has_random_numbers_of_its_own() -> None:
    def task(seed: np.random.SeedSequence, size: int) -> int:
        return int(seed.generate_state(1)[0])

    first = [Resampling(1).run(one, task)[0] for one in Purpose.__members__.values()]
    assert len(set(first)) == len(first) == 4


def test_the_seed_is_the_entropy() -> None:
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
def test_wrong_settings(options, words: str) -> None:
    with pytest.raises(ft.OptionError, match=words):
        Resampling(**options)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_progress_is_the_finished_fraction_of_a_run(n_jobs: int) -> None:
    done: list[float] = []
    plain = Resampling(3000, rng=np.random.default_rng(1), n_jobs=n_jobs)
    using = plain.reporting(done.append)
    assert using == plain
    assert using.entropy == plain.entropy
    drawn = using.run(Purpose.SIGNS, lambda seed, size: (seed.generate_state(1)[0], size))
    assert done == pytest.approx([1 / 3, 2 / 3, 1])
    assert drawn == plain.run(Purpose.SIGNS, lambda seed, size: (seed.generate_state(1)[0], size))
    assert len(done) == 3
