"""The list of measures by name, and how a class or function gets into it."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

from fuzzytruth.errors import MeasureError
from fuzzytruth.measures.measure import Measure

if TYPE_CHECKING:
    from fuzzytruth.batch import Array, Batch

MeasureClass = TypeVar("MeasureClass", bound=type[Measure])

_CLASSES: dict[str, type[Measure]] = {}
#: spelling (lower case) -> name and the parameters that the spelling implies
_ALIASES: dict[str, tuple[str, dict[str, Any]]] = {}


@dataclass_transform(frozen_default=True, kw_only_default=False)
def define(*aliases: str, **implied: Mapping[str, Any]) -> Callable[[MeasureClass], MeasureClass]:
    """Make a class a measure: a frozen dataclass, known by its name and its aliases.

    Parameters
    ----------
    *aliases
        Other spellings of the name, in any case.
    **implied
        Spellings that stand for the measure with some parameters: ``set_F={"cutoff": None}``.
    """

    def decorate(cls: MeasureClass) -> MeasureClass:
        made = dataclasses.dataclass(frozen=True, repr=False)(cls)
        _add(made, {alias: {} for alias in aliases} | {k: dict(v) for k, v in implied.items()})
        return made  # type: ignore[return-value]

    return decorate


def _add(cls: type[Measure], spellings: Mapping[str, dict[str, Any]]) -> None:
    for spelling in (cls.name, *spellings):
        taken = _ALIASES.get(spelling.lower())
        if taken is not None and taken[0] != cls.name:
            raise MeasureError(f"measure name {spelling!r} is taken by {taken[0]}")
    _CLASSES[cls.name] = cls
    _ALIASES[cls.name.lower()] = (cls.name, {})
    for spelling, parameters in spellings.items():
        _ALIASES[spelling.lower()] = (cls.name, parameters)


def lookup(spelling: str) -> tuple[type[Measure], dict[str, Any]] | None:
    """The class that a spelling names, and the parameters it implies."""
    found = _ALIASES.get(spelling.lower())
    return None if found is None else (_CLASSES[found[0]], dict(found[1]))


def names() -> tuple[str, ...]:
    """Names of all measures."""
    return tuple(_CLASSES)


def spellings() -> tuple[str, ...]:
    """Everything that `lookup` knows, lower case."""
    return tuple(_ALIASES)


def register(
    kernel: Callable[..., Any],
    *,
    name: str | None = None,
    higher_is_better: bool = True,
    needs_relevant: bool = False,
    aliases: tuple[str, ...] = (),
) -> type[Measure]:
    """Make a function a measure, so that `evaluate` takes its name.

    Parameters
    ----------
    kernel : callable
        ``kernel(batch, *, k=None, **parameters)`` returns one number for each world and query,
        shape (worlds, queries). Its keyword-only arguments are the measure's parameters, with
        their defaults; `k`, if it is one of them, receives the cut-off.
    name : str, optional
        The measure's name; by default the function's.
    higher_is_better : bool
    needs_relevant : bool
        Whether the value is undefined for a query without relevant items.
    aliases : tuple of str
        Other spellings.

    Returns
    -------
    type
        The measure's class; use as a decorator or call it in one line.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> _ = ft.register(lambda batch, *, k=10: batch.per_query(batch.inside(k)), name="Seen")
    >>> ft.parse_measure("seen@5")
    Seen@5
    """
    label = name or kernel.__name__
    keyword = [
        p
        for p in inspect.signature(kernel).parameters.values()
        if p.kind is inspect.Parameter.KEYWORD_ONLY
    ]
    for p in keyword:
        if p.default is inspect.Parameter.empty:
            raise MeasureError(f"measure {label}: parameter {p.name!r} needs a default")
    parameters = [p for p in keyword if p.name != "k"]
    takes_k = len(parameters) < len(keyword)

    def score(self: Measure, batch: Batch) -> Array:
        given = {p.name: getattr(self, p.name) for p in parameters}
        if takes_k and self.cutoff is not None:
            given["k"] = self.k
        return kernel(batch, **given)  # type: ignore[no-any-return]

    cls = dataclasses.make_dataclass(
        label,
        [(p.name, type(p.default), dataclasses.field(default=p.default)) for p in parameters],
        bases=(Measure,),
        namespace={
            "name": label,
            "meaning": inspect.getdoc(kernel) or "",
            "higher_is_better": higher_is_better,
            "needs_relevant": needs_relevant,
            "range": (float("-inf"), float("inf")),
            "cutoff_use": "optional" if takes_k else "none",
            "score": score,
        },
        frozen=True,
        repr=False,
    )
    _CLASSES.pop(label, None)  # a notebook cell that is run again replaces its measure
    _add(cls, {alias: {} for alias in aliases})
    return cls
