"""`Measure`: a frozen value with a name, parameters, a cut-off and a kernel."""

from __future__ import annotations

import dataclasses
import math
from abc import ABCMeta, abstractmethod
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar, Self

from fuzzytruth.errors import MeasureError

if TYPE_CHECKING:
    from fuzzytruth._typing import Array
    from fuzzytruth.truth.batch import Batch
    from fuzzytruth.truth.inputs import AlignedLists, ItemProbabilities, UnjudgedItems


def real(default: float | None, **bounds: float) -> Any:
    """Parameter that is a finite number, strictly `above` and `below` bounds (None by default)."""
    return dataclasses.field(default=default, metadata={"number": bounds})


def one_of(default: str | None, *others: str | None) -> Any:
    """Parameter with one of some values, by default the first."""
    return dataclasses.field(default=default, metadata={"allowed": (default, *others)})


#: what does not hold for a subclass with another kernel, and with other moments
_OF_SCORE = (
    *("any_layout", "stops_at_cutoff"),
    *("moments", "exact_distribution", "hit_weights", "bounds"),
)
_OF_MOMENTS = ("linear", "defined_moments", "exact_for_ties")


class MeasureType(ABCMeta):
    """Metaclass of measures: a class stands for its default instance, ``P @ 10 == P() @ 10``."""

    def __matmul__(cls, cutoff: float) -> Any:
        return cls(cutoff=cutoff)


@dataclasses.dataclass(frozen=True)
class Measure(metaclass=MeasureType):
    """Base class of all measures.

    Subclasses are frozen dataclasses whose fields are the parameters. Measures with equal
    parameters are equal and hash alike, and ``parse_measure(str(measure)) == measure``.

    A subclass must define `score`. It may define `moments`, `exact_distribution` and
    `hit_weights` for independent items, and `bounds` for unjudged ones; what it leaves out is
    simulated, or refused by `evaluate` with a clear error (bounds).

    Parameters
    ----------
    cutoff : int, optional
        Number of ranks that count; usually written with ``@``: ``nDCG(dcg="jarvelin") @ 10``.
    judged_only : bool
        Whether items without judgment are removed from a list before ranks are counted; judged in a
        world is what has a grade of 0 or more in it. The functions that score apply it, not
        `score`.

    Raises
    ------
    MeasureError
        A parameter or the cut-off has a value that the measure does not take.

    See Also
    --------
    fuzzytruth.measures.register : Make a class or a function known by its name.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> ft.measures.nDCG(dcg="jarvelin") @ 10
    nDCG(dcg=jarvelin)@10
    >>> ft.measures.P @ 5 == ft.measures.parse_measure("precision@5")
    True
    """

    _: dataclasses.KW_ONLY
    cutoff: float | None = None
    judged_only: bool = False

    name: ClassVar[str]
    #: meaning of the number, in one line
    meaning: ClassVar[str] = ""
    #: in LaTeX, of the default parameters; docs/extensions/notation.py explains the symbols
    formula: ClassVar[str] = ""
    reference: ClassVar[str] = ""
    higher_is_better: ClassVar[bool] = True
    #: a complete spelling, where the bare name lacks a required parameter
    example: ClassVar[str] = ""
    #: smallest and largest value
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    #: whether ``@k`` is "required", "optional", or not allowed ("none")
    cutoff_use: ClassVar[str] = "optional"
    #: whether the value is undefined for a query without relevant items (from `threshold` on)
    needs_relevant: ClassVar[bool] = False
    #: the kernel's value for such a query, by convention
    empty: ClassVar[float] = 0.0
    #: whether the kernel uses `Batch.intents`, which judgments without intents do not have
    needs_intents: ClassVar[bool] = False
    #: whether the kernel gives the expectation over orders of tied items (``ties="expected"``)
    expects_ties: ClassVar[bool] = False
    #: whether `moments`, `exact_distribution` and `hit_weights` are right for tied items, too
    exact_for_ties: ClassVar[bool] = False
    #: whether the expected value is linear in the grade probabilities of the items
    linear: ClassVar[bool] = False
    #: whether items below the cut-off, where there is one, play no part
    stops_at_cutoff: ClassVar[bool] = False
    #: whether the kernel uses methods of the batch only, so that any layout of the hits will do
    any_layout: ClassVar[bool] = False
    #: whether `judged_only` may be set
    takes_judged_only: ClassVar[bool] = True
    #: whether the measure compares whole lists, by `compare_lists` instead of `score`
    compares_lists: ClassVar[bool] = False

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        # What a base class says of its own kernel and moments does not hold for others.
        base: type[Measure] = next(c for c in cls.__mro__[1:] if issubclass(c, Measure))
        names: tuple[str, ...] = ()
        if cls.score is not base.score:  # its own, or that of a class beside the measure
            names = _OF_SCORE + _OF_MOMENTS
        elif cls.moments is not base.moments:
            names = _OF_MOMENTS
        for name in names:
            neutral = getattr(Measure, name)
            if getattr(cls, name) is getattr(base, name) is not neutral and name not in vars(cls):
                setattr(cls, name, neutral)

    def __post_init__(self) -> None:
        for f in dataclasses.fields(self):
            object.__setattr__(self, f.name, as_value(getattr(self, f.name)))
            if f.name == "rel" and f.default is not None:
                self.require_number("rel")
                self.require(self.threshold is None or self.threshold >= 0, "rel must be 0 or more")
        self.require(isinstance(self.judged_only, bool), "judged_only must be True or False")
        allowed = self.takes_judged_only or not self.judged_only
        self.require(allowed, f"judged_only is no parameter of {self.name}")
        self._check_cutoff_use()
        for f in dataclasses.fields(self):
            if "allowed" in f.metadata:
                self.require_choice(f.name, f.metadata["allowed"])
            elif "number" in f.metadata and (f.default, getattr(self, f.name)) != (None, None):
                self.require_number(f.name, **f.metadata["number"])

    def _check_cutoff_use(self) -> None:
        if self.cutoff is None:
            if self.cutoff_use == "required":
                raise MeasureError(f"{self.name}: needs a cut-off, such as {self.example}")
            return
        if self.cutoff_use == "none":
            raise MeasureError(f"{self}: {self.name} takes no cut-off")
        if isinstance(self.cutoff, bool) or not isinstance(self.cutoff, (int, float)):
            raise MeasureError(f"{self.name}: cut-off {self.cutoff!r} is not a number")
        self._check_cutoff(self.cutoff)

    @classmethod
    def parameters(cls) -> dict[str, Any]:
        """Names of the parameters without the cut-off, and their defaults."""
        given = {f.name: f.default for f in dataclasses.fields(cls)}
        shared = {"judged_only": False} if cls.takes_judged_only else {}
        return {k: v for k, v in given.items() if k not in ("cutoff", "judged_only")} | shared

    def _check_cutoff(self, cutoff: float) -> None:
        if not isinstance(cutoff, int) or cutoff < 1:
            raise MeasureError(f"{self}: a cut-off is a whole number from 1")

    def require(self, holds: bool, rule: str) -> None:
        """Raise `MeasureError` with the measure's name and the `rule` unless it holds."""
        if not holds:
            raise MeasureError(f"{self}: {rule}")

    def require_choice(self, parameter: str, allowed: tuple[str | None, ...]) -> None:
        """Require that `parameter` has one of the `allowed` values."""
        words = ", ".join(map(str, allowed))
        self.require(getattr(self, parameter) in allowed, f"{parameter} must be one of {words}")

    def require_number(
        self, parameter: str, *, above: float = -math.inf, below: float = math.inf
    ) -> None:
        """Require that `parameter` is a finite number strictly between two bounds."""
        value = getattr(self, parameter)
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        rule = f"{parameter} must be a finite number"
        rule += f" above {print_value(above)}" if above > -math.inf else ""
        rule += f" and below {print_value(below)}" if below < math.inf else ""
        self.require(number and math.isfinite(value) and above < value < below, rule)

    def __matmul__(self, cutoff: float) -> Self:
        return dataclasses.replace(self, cutoff=cutoff)

    def __str__(self) -> str:
        given = ",".join(
            f"{name}={print_value(value)}"
            for name, default in self.parameters().items()
            if (value := getattr(self, name)) != default
        )
        at = "" if self.cutoff is None else f"@{print_value(self.cutoff)}"
        return f"{self.name}{f'({given})' if given else ''}{at}"

    def __repr__(self) -> str:
        return str(self)

    @property
    def k(self) -> int | None:
        """The cut-off as a number of ranks."""
        return None if self.cutoff is None else int(self.cutoff)

    @property
    def depth(self) -> int | None:
        """The last rank that matters; None: all may."""
        return self.k if self.stops_at_cutoff and not self.judged_only else None

    @property
    def threshold(self) -> float | None:
        """Grade from which an item is relevant to this measure; None where grades count."""
        rel = getattr(self, "rel", None)
        return None if rel is None else float(rel)

    @abstractmethod
    def score(self, batch: Batch) -> Array:
        """Value for each world and query.

        Returns
        -------
        (worlds, queries) float
            Finite; `empty` for a query without relevant items, if `needs_relevant`.
        """

    def compare_lists(self, lists: AlignedLists) -> Array:
        """Value for each subject's list; only for measures that set `compares_lists`.

        Returns
        -------
        (lists,) float
            Any number where the subject's list is empty: the value is not used.
        """
        raise MeasureError(f"{self}: does not compare lists")

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array | None] | None:
        """Exact mean and variance for each query, items being independent.

        Returns
        -------
        mean : (..., queries) float
            NaN for a query whose mean is not known; leading axes are resamples.
        variance : (..., queries) float or None
            NaN where it is not known; None: for no query.

        None instead of the pair if neither is known: the values are then simulated.
        """
        return None

    def defined_moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array] | None:
        """`moments` given that some item is relevant, for measures that need relevant items.

        Returns
        -------
        mean, variance : (..., queries) float
            NaN where no item can be relevant.

        None instead of the pair: worked out from `moments`, which loses digits of the variance
        where relevant items are improbable.
        """
        return None

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array] | None:
        """Lowest and highest value that judging the unjudged items could give.

        Returns
        -------
        lower, upper : (1, cells) or (cells,) float
            One for each list; a cell is a query and a subject who judged it.

        None instead of the pair if no rule is known.
        """
        return None

    def hit_weights(self, probabilities: ItemProbabilities) -> tuple[float, Array] | None:
        """Weights of the hits, for measures that are weighted counts of relevant hits.

        Returns
        -------
        rel : float
            Grade from which a hit counts.
        weight : (hits,) float

        None instead of the pair for all other measures.
        """
        return None

    def exact_distribution(self, probabilities: ItemProbabilities) -> tuple[Array, Array] | None:
        """Exact distribution of one query's value, items being independent.

        Parameters
        ----------
        probabilities : ItemProbabilities
            Of a single query.

        Returns
        -------
        values, probabilities : (atoms,) float
            Values need not be sorted or distinct.

        None instead of the pair if the distribution is not known.
        """
        return None


_MOST_EXACT = 1e15  # larger whole floats are printed with an exponent


def as_value(value: Any) -> Any:
    """A parameter in canonical form, so that equal values print alike.

    Whole numbers become int and others float, whatever their type (2.0 and np.int64(2) become 2);
    text is read as `parse_measure` reads it.
    """
    if isinstance(value, str):
        return read_value(value)
    if isinstance(value, bool) or not isinstance(value, Real):
        return value
    number = float(value)
    return int(number) if number.is_integer() and abs(number) < _MOST_EXACT else number


def read_value(text: str) -> Any:
    """Parameter from text: None, True, False, a number, or else the text itself."""
    text = text.strip().strip("'\"").strip()
    words = {"None": None, "True": True, "False": False}
    if text in words:
        return words[text]
    try:
        return as_value(float(text))
    except ValueError:
        return text


def print_value(value: object) -> str:
    """Parameter as text; `read_value` is the inverse."""
    return repr(value) if isinstance(value, float) else str(value)
