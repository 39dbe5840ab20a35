from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from fuzzytruth.core.threads import in_order


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
