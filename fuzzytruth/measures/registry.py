"""The list of measures by name, and how a class or function gets into it."""

from __future__ import annotations

import dataclasses
import inspect
import keyword
import sys
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast, dataclass_transform

from fuzzytruth.errors import MeasureError
from fuzzytruth.measures.measure import Measure

if TYPE_CHECKING:
    from fuzzytruth._typing import Array
    from fuzzytruth.truth.batch import Batch

MeasureClass = TypeVar("MeasureClass", bound=type[Measure])
#: reads what follows a spelling (`0.20` in `Rprec_mult_0.20`) as parameters
Suffix = Callable[[str], Mapping[str, Any]]


@dataclasses.dataclass(frozen=True, slots=True)
class Spelling:
    """What a spelling stands for.

    Parameters
    ----------
    name : str
        The measure's name.
    parameters : mapping
        Parameters that the spelling implies.
    suffix : callable, optional
        Reads what follows the spelling; by default that is the cut-off.
    """

    name: str
    parameters: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    suffix: Suffix | None = None


_LOCK = threading.Lock()
_CLASSES: dict[str, type[Measure]] = {}
#: spelling, in the form of `_key` -> what it stands for
_SPELLINGS: dict[str, Spelling] = {}
#: names that a user registered, and may register again
_REGISTERED: set[str] = set()


def _key(spelling: str) -> str:
    """Spellings that differ in case, in - for _, or in torchmetrics' "Retrieval" are one."""
    key = spelling.strip().lower().replace("-", "_")
    return key.removeprefix("retrieval").removeprefix("_") or key


@dataclass_transform(frozen_default=True, kw_only_default=True)
def define(
    *aliases: str, suffixed: Mapping[str, Suffix] | None = None, **implied: Mapping[str, Any]
) -> Callable[[MeasureClass], MeasureClass]:
    """Make a class a measure: a frozen dataclass, known by its name and its aliases.

    Parameters
    ----------
    *aliases
        Other spellings of the name, in any case.
    suffixed : mapping, optional
        Spellings with a function that turns what follows them into parameters.
    **implied
        Spellings with the parameters that they imply: ``ndcg_burges={"dcg": "burges"}``.
    """

    def decorate(cls: MeasureClass) -> MeasureClass:
        made = dataclasses.dataclass(frozen=True, repr=False, kw_only=True)(cls)
        spellings = {alias: Spelling(cls.name) for alias in aliases}
        spellings |= {k: Spelling(cls.name, v) for k, v in implied.items()}
        spellings |= {k: Spelling(cls.name, {}, read) for k, read in (suffixed or {}).items()}
        _add(made, spellings)
        return cast(MeasureClass, made)

    return decorate


def _add(cls: type[Measure], spellings: Mapping[str, Spelling], *, anew: bool = False) -> None:
    """Enter a class and its spellings; `anew` in the place of one of the same name.

    Tables are replaced, not changed, and only when all is well: whoever looks something up in the
    meantime sees the old ones or the new ones.
    """
    global _CLASSES, _SPELLINGS
    keyed = {_key(cls.name): Spelling(cls.name)} | {_key(k): v for k, v in spellings.items()}
    with _LOCK:
        others = {k: v for k, v in _SPELLINGS.items() if not (anew and v.name == cls.name)}
        for key in keyed:
            taken = others.get(key)
            if taken is not None and taken.name != cls.name:
                raise MeasureError(f"measure name {key!r} is taken by {taken.name}")
        _CLASSES = _CLASSES | {cls.name: cls}
        _SPELLINGS = others | keyed


def lookup(spelling: str) -> tuple[type[Measure], Spelling] | None:
    """The class that a spelling names, and what else the spelling says."""
    found = _SPELLINGS.get(_key(spelling))
    return None if found is None else (_CLASSES[found.name], found)


def names() -> tuple[str, ...]:
    """Names of all measures."""
    return tuple(_CLASSES)


def with_bounds() -> tuple[str, ...]:
    """Names of the measures that know the lowest and highest value with unjudged items."""
    return tuple(name for name, cls in _CLASSES.items() if cls.bounds is not Measure.bounds)


def spellings_of(name: str) -> tuple[str, ...]:
    """Other spellings of a measure, lower case; what follows some of them is a parameter."""
    found = (key for key, spelling in _SPELLINGS.items() if spelling.name == name)
    return tuple(key for key in found if key != _key(name))


def spellings() -> tuple[str, ...]:
    """Everything that `lookup` knows, lower case."""
    return tuple(_SPELLINGS)


def register(
    kernel: Callable[..., Any] | type[Measure],
    *,
    name: str | None = None,
    higher_is_better: bool = True,
    needs_relevant: bool = False,
    expects_ties: bool = False,
    aliases: tuple[str, ...] = (),
) -> type[Measure]:
    """Make a function or a class a measure, so that `evaluate` takes its name.

    Parameters
    ----------
    kernel : callable or subclass of Measure
        ``kernel(batch, *, k=None, **parameters)`` returns one number for each world and query,
        shape (worlds, queries). Its keyword-only arguments are the measure's parameters, with
        their defaults; `k`, if it is one of them, receives the cut-off. A class says all this
        itself: its annotated fields are the parameters, and of the options below only `name` and
        `aliases` are used.
    name : str, optional
        The measure's name; by default the function's or the class's.
    higher_is_better : bool
    needs_relevant : bool
        Whether the value is undefined for a query without relevant items.
    expects_ties : bool
        Whether the kernel gives the expectation over orders of ties (``ties="expected"``).
    aliases : tuple of str
        Other spellings.

    Returns
    -------
    type
        The measure's class; use as a decorator or call it in one line.

    Raises
    ------
    MeasureError
        The name is that of a measure of the library, or a parameter has no default.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> _ = ft.register(lambda batch, *, k=10: batch.per_query(batch.inside(k)), name="Seen")
    >>> ft.parse_measure("seen@5")
    Seen@5
    """
    if not callable(kernel) or (isinstance(kernel, type) and not issubclass(kernel, Measure)):
        raise MeasureError(
            f"register: {kernel!r} is no measure; give a function of a batch or a subclass of "
            "Measure"
        )
    label = str(name or getattr(kernel, "name", None) or getattr(kernel, "__name__", ""))
    _check_label(label)
    cls: type[Measure]
    if isinstance(kernel, type):
        cls = dataclasses.dataclass(frozen=True, repr=False, kw_only=True)(kernel)
        cls.name = label
    else:
        cls = _class_of(
            kernel,
            {
                "name": label,
                "meaning": inspect.getdoc(kernel) or "",
                "higher_is_better": higher_is_better,
                "needs_relevant": needs_relevant,
                "expects_ties": expects_ties,
            },
        )
    # A notebook cell that is run again replaces its measure.
    _add(cls, {alias: Spelling(label) for alias in aliases}, anew=label in _REGISTERED)
    _REGISTERED.add(label)
    return cls


def _check_label(label: str) -> None:
    if not label or any(c.isspace() or c in "()@=,<>" for c in label):
        raise MeasureError(f"measure name {label!r}: give name= without spaces and ( ) @ = , < >")
    if label in _CLASSES and label not in _REGISTERED:
        raise MeasureError(f"measure name {label!r} is taken by the library; choose another")


def _class_of(kernel: Callable[..., Any], attributes: dict[str, Any]) -> type[Measure]:
    """The measure class whose `score` is `kernel`."""
    label = attributes["name"]
    arguments = [
        p
        for p in inspect.signature(kernel).parameters.values()
        if p.kind is inspect.Parameter.KEYWORD_ONLY
    ]
    parameters = [p for p in arguments if p.name != "k"]
    for p in parameters:
        if p.default is inspect.Parameter.empty:
            raise MeasureError(f"measure {label}: parameter {p.name!r} needs a default")
        if hasattr(Measure, p.name) or keyword.iskeyword(p.name):
            raise MeasureError(f"measure {label}: no parameter may be called {p.name!r}")
    takes_k = len(parameters) < len(arguments)

    def score(self: Measure, batch: Batch) -> Array:
        given = {p.name: getattr(self, p.name) for p in parameters}
        if takes_k and self.cutoff is not None:
            given["k"] = self.k
        return cast("Array", kernel(batch, **given))

    def reduce(self: Measure) -> tuple[Any, ...]:
        values = {f: getattr(self, f) for f in _fields(self)}
        home = sys.modules.get(kernel.__module__)
        if getattr(home, kernel.__qualname__, None) is type(self):  # a decorated function
            return _of_class, (type(self), values)
        # The class has no importable home: carry what it was made from.
        return _rebuild, (kernel, attributes, values)

    made = dataclasses.make_dataclass(
        label,
        [(p.name, type(p.default), dataclasses.field(default=p.default)) for p in parameters],
        bases=(Measure,),
        namespace={
            **attributes,
            "range": (float("-inf"), float("inf")),
            "cutoff_use": "optional" if takes_k else "none",
            "score": score,
            "__reduce__": reduce,
        },
        frozen=True,
        repr=False,
        kw_only=True,
    )
    # Where the function stands, and not this module.
    made.__module__ = getattr(kernel, "__module__", "__main__")
    made.__qualname__ = getattr(kernel, "__qualname__", label)
    return made


def _fields(measure: Measure) -> list[str]:
    return [f.name for f in dataclasses.fields(measure)]


def _of_class(cls: type[Measure], values: dict[str, Any]) -> Measure:
    return cls(**values)


def _rebuild(
    kernel: Callable[..., Any], attributes: dict[str, Any], values: dict[str, Any]
) -> Measure:
    """Unpickle a measure made of a function: by its name here, else from the function."""
    known = _CLASSES.get(attributes["name"])
    return (known or register(kernel, **{k: v for k, v in attributes.items() if k != "meaning"}))(
        **values
    )
