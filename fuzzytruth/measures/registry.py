"""Registry of measures: names and spellings, and how classes and functions are registered."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import keyword
import pkgutil
import re
import sys
import threading
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast, dataclass_transform

from fuzzytruth.errors import MeasureError
from fuzzytruth.measures.measure import Measure

if TYPE_CHECKING:
    from fuzzytruth._typing import Array
    from fuzzytruth.truth.batch import Batch

# Where the library's measures are defined; a module is imported when one of its is asked for.
# Names and other spellings are read from the heads of the classes: a measure is named there alone.


_HERE = Path(__file__).parent
_HEAD = re.compile(r"^@define\((.*?)^class (\w+)", re.DOTALL | re.MULTILINE)
_HEADS = [
    (f"{__package__}.{path.stem}", head[1], head[2])
    for path in sorted(_HERE.glob("*.py"))
    for head in _HEAD.finditer(path.read_text(encoding="utf-8"))
]
#: module of each measure of the library, by name
MODULE_OF = {name: module for module, _, name in _HEADS}


def define_measure(spelling: str) -> None:
    """Import the measures with this word, in lower case, in their heads."""
    if not MODULE_OF:  # installed without sources
        define_all()
    for module, aliases, name in _HEADS:
        if spelling in re.findall(r"\w+", f"{aliases} {name}".lower()):
            importlib.import_module(module)


def define_all() -> None:
    """Import all measures."""
    modules = (f"{__package__}.{each.name}" for each in pkgutil.iter_modules([str(_HERE)]))
    for module in dict.fromkeys(MODULE_OF.values()) or modules:
        importlib.import_module(module)


MeasureClass = TypeVar("MeasureClass", bound=type[Measure])
#: parameters from the suffix of a spelling (`0.20` in `Rprec_mult_0.20`)
Suffix = Callable[[str], Mapping[str, Any]]


@dataclasses.dataclass(frozen=True, slots=True)
class Spelling:
    """Measure and parameters that a spelling stands for.

    Parameters
    ----------
    name : str
        The measure's name.
    parameters : mapping
        Parameters that the spelling implies.
    suffix : callable, optional
        Turns the suffix of the spelling into parameters; by default the suffix is the cut-off.
    """

    name: str
    parameters: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    suffix: Suffix | None = None


_LOCK = threading.Lock()
_CLASSES: dict[str, type[Measure]] = {}
#: by spelling, in the form of `_key`
_SPELLINGS: dict[str, Spelling] = {}
#: names that a user registered, and may register again
_REGISTERED: set[str] = set()


def _key(spelling: str) -> str:
    """Canonical form of a spelling: no case, _ for -, without torchmetrics' "Retrieval"."""
    key = spelling.strip().lower().replace("-", "_")
    return key.removeprefix("retrieval").removeprefix("_") or key


@dataclass_transform(frozen_default=True, kw_only_default=True)
def define(
    *aliases: str, suffixed: Mapping[str, Suffix] | None = None, **implied: Mapping[str, Any]
) -> Callable[[MeasureClass], MeasureClass]:
    """Class decorator of the library's measures: frozen dataclass, registered with its spellings.

    A measure is named like its class, and means what the first line of the docstring says, behind a
    colon if there is one. Its kernel takes any layout, and stops at a cut-off, unless its class
    says otherwise.

    Parameters
    ----------
    *aliases
        Other spellings of the name, in any case.
    suffixed : mapping, optional
        Spellings with a function that turns their suffix into parameters.
    **implied
        Spellings with the parameters that they imply: ``ndcg_burges={"dcg": "burges"}``.
    """

    def decorate(cls: MeasureClass) -> MeasureClass:
        own = {name for base in cls.__mro__[: cls.__mro__.index(Measure)] for name in vars(base)}
        cls.name, cls.meaning = cls.__name__, _meaning(cls.__doc__ or "")
        if cls.cutoff_use == "required":
            cls.example = cls.example or f"{cls.name}@10"
        cls.any_layout = cls.any_layout or "any_layout" not in own
        cls.stops_at_cutoff = cls.stops_at_cutoff or "stops_at_cutoff" not in own
        made = dataclasses.dataclass(frozen=True, repr=False, kw_only=True)(cls)
        spellings = {alias: Spelling(cls.name) for alias in aliases}
        spellings |= {k: Spelling(cls.name, v) for k, v in implied.items()}
        spellings |= {k: Spelling(cls.name, {}, read) for k, read in (suffixed or {}).items()}
        _add(made, spellings)
        return cast(MeasureClass, made)

    return decorate


def _meaning(docstring: str) -> str:
    """First line of a docstring without its heading; a small letter begins it, or an acronym."""
    line = docstring.partition("\n")[0].rstrip(".")
    text = line.partition(": ")[2] or line
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def _add(cls: type[Measure], spellings: Mapping[str, Spelling], *, replace: bool = False) -> None:
    """Add a class and its spellings; `replace` one of the same name.

    Tables are replaced as a whole and after all checks, so that concurrent lookups see a
    consistent state.
    """
    global _CLASSES, _SPELLINGS
    keyed = {_key(cls.name): Spelling(cls.name)} | {_key(k): v for k, v in spellings.items()}
    with _LOCK:
        others = {k: v for k, v in _SPELLINGS.items() if not (replace and v.name == cls.name)}
        for key in keyed:
            taken = others.get(key)
            if taken is not None and taken.name != cls.name:
                raise MeasureError(f"measure name {key!r} is taken by {taken.name}")
        _CLASSES = _CLASSES | {cls.name: cls}
        _SPELLINGS = others | keyed


def lookup(spelling: str) -> tuple[type[Measure], Spelling] | None:
    """Class and `Spelling` of a name or alias; None if it is unknown."""
    key = _key(spelling)
    if key not in _SPELLINGS:
        define_measure(key)
    known = _SPELLINGS.get(key)
    return None if known is None else (_CLASSES[known.name], known)


def names() -> tuple[str, ...]:
    """Names of all measures.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> "nDCG" in ft.measures.names()
    True
    """
    return tuple(_all_classes())


def without_bounds() -> tuple[str, ...]:
    """Names of the measures that have no bounds for unjudged items."""
    return tuple(name for name, cls in _all_classes().items() if cls.bounds is Measure.bounds)


def spellings_of(name: str) -> tuple[str, ...]:
    """Other spellings of a measure, lower case; some take a parameter as suffix."""
    lookup(name)
    keys = (key for key, spelling in _SPELLINGS.items() if spelling.name == name)
    return tuple(key for key in keys if key != _key(name))


def spellings() -> tuple[str, ...]:
    """All spellings that `lookup` knows, lower case."""
    define_all()
    return tuple(_SPELLINGS)


def _all_classes() -> dict[str, type[Measure]]:
    """All measures by name: the library's, then those that were registered."""
    define_all()
    return {name: _CLASSES[name] for name in MODULE_OF} | _CLASSES


def register(
    kernel: Callable[..., Any] | type[Measure],
    *,
    name: str | None = None,
    higher_is_better: bool | None = None,
    needs_relevant: bool | None = None,
    expects_ties: bool | None = None,
    aliases: tuple[str, ...] = (),
) -> type[Measure]:
    """Register a function or a class as a measure, so that `evaluate` accepts its name.

    Parameters
    ----------
    kernel : callable or subclass of Measure
        ``kernel(batch, *, k=None, **parameters)`` returns one number for each world and query,
        shape (worlds, queries). Its keyword-only arguments are the measure's parameters, with
        their defaults; `k`, if it is one of them, receives the cut-off. A class is made a frozen
        dataclass: its annotated fields are the parameters, and its class attributes say what the
        three options `higher_is_better`, `needs_relevant` and `expects_ties` say of a function.
    name : str, optional
        The measure's name; by default the function's or the class's.
    higher_is_better : bool, optional
        By default True. This and the next two are for functions only.
    needs_relevant : bool, optional
        Whether the value is undefined for a query without relevant items; by default False.
    expects_ties : bool, optional
        Whether the kernel gives the expectation over orders of tied items (``ties="expected"``);
        by default False.
    aliases : tuple of str
        Other spellings.

    Returns
    -------
    type
        The measure's class, so that `register` may be used as a decorator.

    Raises
    ------
    MeasureError
        The name belongs to a measure of the library, a parameter has no default, `kernel` is
        neither a function nor a subclass of `Measure`, or a class comes with an option that
        belongs into its attributes.

    See Also
    --------
    fuzzytruth.measures.Measure : The methods that a class may define.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> _ = ft.measures.register(lambda batch, *, k=10: batch.hits(k, 1.0), name="FirstHits")
    >>> ft.measures.parse_measure("firsthits@5")
    FirstHits@5
    """
    if not callable(kernel) or (isinstance(kernel, type) and not issubclass(kernel, Measure)):
        raise MeasureError(
            f"register: {kernel!r} is not a measure; give a function of a batch or a subclass of "
            "Measure"
        )
    define_all()  # whose names and spellings are taken
    label = str(name or getattr(kernel, "name", None) or getattr(kernel, "__name__", ""))
    _check_label(label)
    cls: type[Measure]
    options = {
        "higher_is_better": higher_is_better,
        "needs_relevant": needs_relevant,
        "expects_ties": expects_ties,
    }
    given = {option: value for option, value in options.items() if value is not None}
    if isinstance(kernel, type):
        for option in given:
            raise MeasureError(
                f"register: {option}= is for functions; set it as a class attribute of {label}"
            )
        cls = dataclasses.dataclass(frozen=True, repr=False, kw_only=True)(kernel)
        cls.name = label
    else:
        meaning = inspect.getdoc(kernel) or ""
        cls = _class_of(kernel, {"name": label, "meaning": meaning, **given})
    # Running a notebook cell again replaces its measure.
    _add(cls, {alias: Spelling(label) for alias in aliases}, replace=label in _REGISTERED)
    _REGISTERED.add(label)
    return cls


def _check_label(label: str) -> None:
    if not label or any(c.isspace() or c in "()@=,<>" for c in label):
        raise MeasureError(f"measure name {label!r}: give name= without spaces and ( ) @ = , < >")
    if label in _CLASSES and label not in _REGISTERED:
        raise MeasureError(f"measure name {label!r} is taken by the library; choose another")


def _parameters_of(kernel: Callable[..., Any], label: str) -> tuple[list[inspect.Parameter], bool]:
    """Parameters of a kernel except `k`, and whether it takes `k`, the cut-off."""
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
    return parameters, len(parameters) < len(arguments)


def _class_of(kernel: Callable[..., Any], attributes: dict[str, Any]) -> type[Measure]:
    """The measure class whose `score` is `kernel`."""
    label = attributes["name"]
    parameters, takes_k = _parameters_of(kernel, label)

    def score(self: Measure, batch: Batch) -> Array:
        given = {p.name: getattr(self, p.name) for p in parameters}
        if takes_k and self.cutoff is not None:
            given["k"] = self.k
        return cast("Array", kernel(batch, **given))

    def reduce(self: Measure) -> tuple[Any, ...]:
        values = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        named = _by_name(kernel)
        if named is type(self):  # a decorated function
            return partial(type(self), **values), ()
        # The class cannot be imported: pickle the function instead.
        return _rebuild, (kernel if named is kernel else _with_code(kernel), attributes, values)

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
    # The function's module, not this one.
    made.__module__ = getattr(kernel, "__module__", "__main__")
    made.__qualname__ = getattr(kernel, "__qualname__", label)
    return made


def _by_name(kernel: Callable[..., Any]) -> Any:
    """What the name of a function stands for in its module; None if nothing."""
    module = sys.modules.get(getattr(kernel, "__module__", ""))
    return getattr(module, getattr(kernel, "__qualname__", ""), None)


def _with_code(kernel: Callable[..., Any]) -> Any:
    """A function without a name of its own, such as a lambda, pickled by its code."""
    from joblib import wrap_non_picklable_objects

    return wrap_non_picklable_objects(kernel, keep_wrapper=False)


def _rebuild(
    kernel: Callable[..., Any], attributes: dict[str, Any], values: dict[str, Any]
) -> Measure:
    """Unpickle a measure made from a function, which is registered if its name is unknown."""
    known = _CLASSES.get(attributes["name"])
    return (known or register(kernel, **{k: v for k, v in attributes.items() if k != "meaning"}))(
        **values
    )
