"""Work on pieces of data where these are: by the workers of a Dask cluster, or by local threads."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from fuzzytruth.errors import DataError, FuzzytruthError, MissingPackageError


@dataclass(frozen=True, slots=True, eq=False)
class Workers:
    """Those who work on tasks, which are Dask's delayed values.

    Parameters
    ----------
    client : dask.distributed.Client, optional
        By default Dask's own choice: the current client, or else threads of this process.
    """

    client: Any = None

    def task(self, function: Callable[..., Any], *given: Any) -> Any:
        """A function of tasks (and lists of tasks) that has not been called yet."""
        return dask().delayed(function, pure=False)(*given)

    def given(self, value: Any) -> Any:
        """A value as a task, which is sent to the workers as it is."""
        name = f"{type(value).__name__.lower()}-{uuid4()}"  # nothing is hashed
        return dask().delayed(value, name=name, traverse=False)

    @contextmanager
    def chosen(self) -> Iterator[None]:
        """While graphs are made for these workers: Dask looks at its current client."""
        with nullcontext() if self.client is None else self.client.as_current():
            yield

    def held(
        self, tasks: Sequence[Any], what: str, name: Callable[[int], str] | None = None
    ) -> tuple[Any, ...]:
        """The same tasks, begun now; their results stay with the workers.

        Parameters and errors are those of `results`; with a client, errors come later.
        """
        with self._errors(tasks, what, name), warnings.catch_warnings():
            # Judgments are sent with the tasks, by intent.
            warnings.filterwarnings("ignore", "Sending large graph", UserWarning)
            if self.client is not None:
                return tuple(self.client.persist(list(tasks)))
            return tuple(dask().persist(*tasks))

    def results(
        self, tasks: Sequence[Any], what: str, name: Callable[[int], str] | None = None
    ) -> list[Any]:
        """The results of tasks, brought here in order.

        Parameters
        ----------
        tasks : sequence
        what : str
            What they are about, for messages.
        name : callable, optional
            From the number of a task to what it alone is about.

        Raises
        ------
        DataError
            A task failed. Errors of this package stay as they are.
        """
        with self._errors(tasks, what, name):
            if self.client is None:
                return list(dask().compute(*tasks))
            return list(self.client.gather(self.client.compute(list(tasks))))

    @contextmanager
    def _errors(
        self, tasks: Sequence[Any], what: str, name: Callable[[int], str] | None
    ) -> Iterator[None]:
        """Whatever a reader, a worker or the network raises, as a `DataError`."""
        try:
            yield
        except FuzzytruthError:
            raise
        except Exception as error:
            where, part = what, "one of its partitions"
            if name is not None and not _is_of_cluster(error):
                failed = self._first_failure(tasks)
                if failed is not None:
                    where, part = name(failed), "it"
            raise DataError(f"{where}: {_cause(error, part)}") from error

    def _first_failure(self, tasks: Sequence[Any]) -> int | None:
        """The number of the first task that fails by itself; they are done once more."""
        for number, task in enumerate(tasks):
            try:
                task.compute() if self.client is None else self.client.compute(task).result()
            except Exception:  # as in `_errors`
                return number
        return None


def _is_of_cluster(error: Exception) -> bool:
    """Whether the cluster failed: trying again would not tell more, or end workers once more."""
    return type(error).__name__ in ("ClosedClientError", "KilledWorker")


def _cause(error: Exception, part: str) -> str:
    """Why a task failed, in one line."""
    text = " ".join(str(error).split())
    if type(error).__name__ == "ClosedClientError":
        return "the client of the cluster is closed; make a new one, and evaluate again"
    if type(error).__name__ == "KilledWorker":
        return (
            "workers died again and again while they worked on one of its partitions; give them "
            f"more memory, or make partitions smaller ({text})"
        )
    return f"{part} cannot be read or worked on ({type(error).__name__}: {text})"


def dask() -> Any:
    """The package, where it is installed."""
    try:
        import dask.dataframe
    except ImportError:
        raise MissingPackageError('dask is not installed; pip install "fuzzytruth[dask]"') from None
    return dask
