"""pandas and PyArrow, imported when they are first used: `from fuzzytruth._lazy import pa, pd`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = ["pa", "pc", "pd"]

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    import pyarrow.compute as pc
else:

    class _OnUse:
        """A module that is imported when one of its attributes is asked for."""

        def __init__(self, name: str) -> None:
            self._name = name

        def __getattr__(self, attribute: str) -> Any:
            found = getattr(import_module(self._name), attribute)
            if not attribute.startswith("__"):
                setattr(self, attribute, found)  # the next time this method is not called
            return found

        def __reduce__(self) -> tuple[Any, ...]:
            return _OnUse, (self._name,)

    pa, pc, pd = _OnUse("pyarrow"), _OnUse("pyarrow.compute"), _OnUse("pandas")
