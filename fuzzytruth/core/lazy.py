"""Values that are computed when first asked for."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import RLock
from typing import Any, Generic, TypeVar

T = TypeVar("T")
U = TypeVar("U")


class Lazy(Generic[T]):
    """A value that is computed when first asked for, and then kept.

    Parameters
    ----------
    compute : callable
        Without arguments; called once at most, also where several threads ask.
    """

    __slots__ = ("_compute", "_lock", "_value")

    def __init__(self, compute: Callable[[], T]) -> None:
        self._compute: Callable[[], T] | None = compute
        self._lock = RLock()
        self._value: T

    @classmethod
    def of(cls, value: T) -> Lazy[T]:
        """A value that is known."""
        out = cls(lambda: value)
        _ = out.value
        return out

    @property
    def known(self) -> bool:
        """Whether it has been computed."""
        return self._compute is None

    @property
    def value(self) -> T:
        """The value."""
        if not self.known:
            with self._lock:
                if self._compute is not None:
                    self._value = self._compute()
                    self._compute = None
        return self._value

    def map(self, function: Callable[[T], U]) -> Lazy[U]:
        """A function of the value: at once if this is known, and else when asked for."""
        return Lazy.of(function(self.value)) if self.known else Lazy(lambda: function(self.value))

    def __reduce__(self) -> tuple[Any, tuple[T]]:
        """Pickled with its value."""
        return Lazy.of, (self.value,)


class Memo:
    """Results by name, each computed when first asked for."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[Hashable, Any] = {}

    def once(self, name: Hashable, compute: Callable[[], T]) -> T:
        """The result of this name, computed now if it is new."""
        if name not in self._known:
            self._known[name] = compute()
        out: T = self._known[name]
        return out
