"""Tasks by threads of this process and by a cluster."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from typing import Any

import pytest

import fuzzytruth as ft
from fuzzytruth.core.workers import Workers
from fuzzytruth.errors import MissingPackageError

pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module", params=["threads", "cluster"])
def workers(request: pytest.FixtureRequest) -> Iterator[Workers]:
    if request.param == "threads":
        yield Workers()
        return
    with distributed.Client(processes=False, n_workers=2, dashboard_address=":0") as client:
        yield Workers(client)


def test_tasks_are_done_in_order(workers: Workers) -> None:
    held = workers.held([workers.task(pow, number, 2) for number in range(5)])
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


def test_without_dask_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    before = builtins.__import__

    def without(name: str, *given: Any, **named: Any) -> Any:
        if name.startswith("dask"):
            raise ImportError(name)
        return before(name, *given, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingPackageError, match=r'pip install "fuzzytruth\[dask\]"'):
        Workers().task(len, [])
