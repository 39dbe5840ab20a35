from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator

import pytest

from fuzzytruth.core.workers import in_order


def test_results_are_in_the_order_of_the_tasks() -> None:
    def late(number: int) -> int:
        time.sleep(0.002 * (3 - number % 4))
        return -number

    assert [*in_order(late, range(30))] == [-number for number in range(30)]
    assert [*in_order(late, [])] == []


def test_few_tasks_are_taken_ahead() -> None:
    taken = []

    def tasks() -> Iterator[int]:
        for number in range(100):
            taken.append(number)
            yield number

    assert next(in_order(abs, tasks())) == 0
    assert len(taken) < 10


def test_an_error_comes_in_its_place() -> None:
    results = in_order(lambda number: 1 / number, [2, 4, 0, 5])
    assert [next(results), next(results)] == [0.5, 0.25]
    with pytest.raises(ZeroDivisionError):
        next(results)


def refuse(_: threading.Thread) -> None:
    raise RuntimeError("can't start new thread")


def test_one_worker_starts_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert [*in_order(abs, range(9), n_threads=1)] == [*range(9)]
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    assert [*in_order(abs, range(9))] == [*range(9)]


@pytest.mark.parametrize("n_started", [0, 1, 2])
def test_where_threads_cannot_start(monkeypatch: pytest.MonkeyPatch, n_started: int) -> None:
    start, left = threading.Thread.start, [None] * n_started

    def start_some(thread: threading.Thread) -> None:
        if not left:
            refuse(thread)
        left.pop()
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_some)

    def inverse(number: int) -> float:
        time.sleep(0.001)
        return 1 / number

    results = in_order(inverse, [*range(1, 30), 0], n_threads=4)
    assert [next(results) for _ in range(29)] == [1 / number for number in range(1, 30)]
    with pytest.raises(ZeroDivisionError):
        next(results)
