"""Large libraries, imported when they are first used: `from fuzzytruth._lazy import pa, pd`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = ["members", "pa", "pc", "pd", "pq", "sparse", "special", "stats"]

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq
    from scipy import sparse, special, stats
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
    pq, sparse = _OnUse("pyarrow.parquet"), _OnUse("scipy.sparse")
    special, stats = _OnUse("scipy.special"), _OnUse("scipy.stats")


def members(package: str, names: Mapping[str, str]) -> tuple[Any, list[str], Any]:
    """`__getattr__`, `__all__` and `__dir__` of a package that imports its names on first use.

    `names` are those of each module, with blanks between them.
    """
    homes = {name: module for module, of_module in names.items() for name in of_module.split()}

    def found(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    public = sorted(homes)
    return found, public, public.copy
