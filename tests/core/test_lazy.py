"""Values that are computed when first asked for."""

import pickle
import time
from concurrent.futures import ThreadPoolExecutor

from fuzzytruth.core.lazy import Lazy


def test_computed_once_and_when_asked_for() -> None:
    calls = []

    def compute() -> int:
        calls.append(1)
        return 7

    value = Lazy(compute)
    doubled = value.map(lambda v: 2 * v)
    assert (value.known, doubled.known, calls) == (False, False, [])
    assert (doubled.value, doubled.value, value.value) == (14, 14, 7)
    assert (value.known, calls) == (True, [1])


def test_known_and_pickled_values() -> None:
    value = Lazy.of(None)
    assert (value.known, value.value, value.map(str).known) == (True, None, True)
    copy = pickle.loads(pickle.dumps(Lazy(lambda: [1, 2])))
    assert (copy.known, copy.value) == (True, [1, 2])


def test_computed_once_where_several_threads_ask() -> None:
    calls = []

    def compute() -> int:
        calls.append(1)
        time.sleep(0.02)
        return len(calls)

    value = Lazy(compute)
    with ThreadPoolExecutor(4) as pool:
        values = list(pool.map(lambda _: value.value, range(4)))
    assert (values, calls) == ([1] * 4, [1])
