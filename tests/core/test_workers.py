"""Tasks by threads of this process and by a cluster."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from typing import Any

import pytest

import fuzzytruth as ft
from fuzzytruth.core.workers import Workers
from fuzzytruth.errors import MissingPackageError

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module", params=["threads", "cluster"])
def workers(request: pytest.FixtureRequest) -> Iterator[Workers]:
    if request.param == "threads":
        yield Workers()
        return
    with distributed.Client(processes=False, n_workers=2, dashboard_address=":0") as client:
        yield Workers(client)


def test_tasks_are_done_in_order(workers: Workers) -> None:
    held = workers.held([workers.task(pow, number, 2) for number in range(5)], "numbers")
    more = [workers.task(sum, [one, workers.given(1)]) for one in held]
    assert workers.results(more, "squares") == [1, 2, 5, 10, 17]


def test_errors_of_this_package_stay_and_others_are_one_line(workers: Workers) -> None:
    def fail(error: Exception) -> None:
        raise error

    with pytest.raises(ft.OptionError, match=r"^mine$"):
        workers.results([workers.task(fail, ft.OptionError("mine"))], "runs")
    with pytest.raises(ft.DataError) as caught:
        workers.results([workers.task(fail, ValueError("two\nlines"))], "runs")
    assert str(caught.value) == (
        "runs: one of its partitions cannot be read or worked on (ValueError: two lines)"
    )


def test_errors_of_what_is_held_name_the_task() -> None:
    workers = Workers()
    tasks = [workers.task(divmod, 1, number) for number in (1, 0)]
    message = r"^part 1: it cannot be read or worked on \(ZeroDivisionError"
    for work in (workers.held, workers.results):
        threads = dask.config.set(scheduler="threads")  # whatever client there is
        with threads, pytest.raises(ft.DataError, match=message):
            work(tasks, "parts", lambda number: f"part {number}")


def test_graphs_are_made_for_these_workers() -> None:
    given = {"processes": False, "n_workers": 1, "dashboard_address": ":0"}
    with (
        distributed.Client(**given) as default,
        distributed.Client(**given, set_as_default=False) as other,
    ):
        assert distributed.Client.current() is default
        with Workers(other).chosen():
            assert distributed.Client.current() is other
        with Workers().chosen():
            assert distributed.Client.current() is default


def test_without_dask_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    before = builtins.__import__

    def without(name: str, *given: Any, **named: Any) -> Any:
        if name.startswith("dask"):
            raise ImportError(name)
        return before(name, *given, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingPackageError, match=r'pip install "fuzzytruth\[dask\]"'):
        Workers().task(len, [])
