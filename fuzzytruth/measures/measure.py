"""What a measure is: a small frozen value with a name, parameters, a cut-off and a kernel."""

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
    from fuzzytruth.truth.item_probabilities import ItemProbabilities
    from fuzzytruth.truth.subject_lists import AlignedLists
    from fuzzytruth.truth.unjudged import UnjudgedItems


class MeasureType(ABCMeta):
    """Lets a measure's class stand for its default value: ``P @ 10`` is ``P() @ 10``."""

    def __matmul__(cls, cutoff: float) -> Any:
        return cls() @ cutoff


@dataclasses.dataclass(frozen=True)
class Measure(metaclass=MeasureType):
    """A measure with its parameters.

    Subclasses are frozen dataclasses; their fields are the parameters. `cutoff` is set by ``@``:
    ``nDCG(dcg="jarvelin") @ 10``. Two measures with equal parameters are equal and hash alike;
    printing one and parsing the text gives it back.
    """

    _: dataclasses.KW_ONLY
    cutoff: float | None = None

    name: ClassVar[str]
    #: one line: what the number means
    meaning: ClassVar[str] = ""
    reference: ClassVar[str] = ""
    higher_is_better: ClassVar[bool] = True
    #: a complete spelling, where the bare name is not one
    example: ClassVar[str] = ""
    #: smallest and largest value
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    #: whether ``@k`` is needed ("required"), may be given ("optional"), or has no meaning ("none")
    cutoff_use: ClassVar[str] = "optional"
    #: undefined for a query without relevant items
    needs_relevant: ClassVar[bool] = False
    #: what the kernel gives there, by convention
    empty: ClassVar[float] = 0.0
    #: whether the kernel knows what ties="expected" means for it
    expects_ties: ClassVar[bool] = False
    #: compares a system's list with each subject's whole list, by `compare_lists`, not `score`
    compares_lists: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for f in dataclasses.fields(self):
            object.__setattr__(self, f.name, as_value(getattr(self, f.name)))
            if f.name == "rel" and f.default is not None:
                self.require_number("rel")
                self.require(self.threshold is None or self.threshold >= 0, "rel must be 0 or more")
        if self.cutoff is None:
            if self.cutoff_use == "required":
                raise MeasureError(f"{self.name}: needs a cut-off, such as {self.example}")
            return
        if self.cutoff_use == "none":
            raise MeasureError(f"{self}: {self.name} takes no cut-off")
        if isinstance(self.cutoff, bool) or not isinstance(self.cutoff, (int, float)):
            raise MeasureError(f"{self.name}: cut-off {self.cutoff!r} is not a number")
        self._check_cutoff(self.cutoff)

    def _check_cutoff(self, cutoff: float) -> None:
        if not isinstance(cutoff, int) or cutoff < 1:
            raise MeasureError(f"{self}: a cut-off is a whole number from 1")

    def require(self, holds: bool, rule: str) -> None:
        """Raise `MeasureError`, naming the measure and the `rule`, unless it holds."""
        if not holds:
            raise MeasureError(f"{self}: {rule}")

    def require_choice(self, parameter: str, allowed: tuple[str, ...]) -> None:
        """Require that `parameter` is one of the `allowed` words."""
        words = ", ".join(allowed)
        self.require(getattr(self, parameter) in allowed, f"{parameter} must be one of {words}")

    def require_number(
        self, parameter: str, *, above: float = -math.inf, below: float = math.inf
    ) -> None:
        """Require that `parameter` is a finite number between two bounds, both excluded."""
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
            f"{f.name}={print_value(getattr(self, f.name))}"
            for f in dataclasses.fields(self)
            if f.name != "cutoff" and getattr(self, f.name) != f.default
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
    def threshold(self) -> float | None:
        """Grade from which an item is relevant to this measure; None where grades count."""
        rel = getattr(self, "rel", None)
        return None if rel is None else float(rel)

    @abstractmethod
    def score(self, batch: Batch) -> Array:
        """The measure's value for each world and query: (worlds, queries) float."""

    def compare_lists(self, lists: AlignedLists) -> Array:
        """The value for each subject's list: (lists,) float; where a list is empty, any number.

        For measures that set `compares_lists`; they have no use for a batch.
        """
        raise MeasureError(f"{self}: does not compare lists")

    def expectation(self, probabilities: ItemProbabilities) -> Array | None:
        """Exact expected value for each query, (..., queries); None where no way is known.

        NaN for a query whose value is not known.
        """
        return None

    def variance(self, probabilities: ItemProbabilities) -> Array | None:
        """Exact variance for each query, (..., queries); None or NaN where no way is known."""
        return None

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array] | None:
        """Lowest and highest value if unjudged items may be relevant: (subjects, queries) both.

        None where no rule is known.
        """
        return None

    def hit_weights(self, probabilities: ItemProbabilities) -> tuple[float, Array] | None:
        """A threshold, and what each hit adds if its grade reaches it: (hits,).

        None where the value is not such a sum.
        """
        return None

    def exact_distribution(self, probabilities: ItemProbabilities) -> tuple[Array, Array] | None:
        """Values and their probabilities for probabilities of one query; None if no way is known.

        Values need not be sorted or distinct.
        """
        return None


_MOST_EXACT = 1e15  # beyond, whole floats are printed with an exponent


def as_value(value: Any) -> Any:
    """A parameter in the one form in which it is kept: equal values print alike.

    Whole numbers become int and others float, whatever their type (2.0 and np.int64(2) are 2); a
    text becomes what the grammar reads it as.
    """
    if isinstance(value, str):
        return read_value(value)
    if isinstance(value, bool) or not isinstance(value, Real):
        return value
    number = float(value)
    return int(number) if number.is_integer() and abs(number) < _MOST_EXACT else number


def read_value(text: str) -> Any:
    """A parameter from its text: None, True, False, a number, or else a word."""
    text = text.strip().strip("'\"").strip()
    words = {"None": None, "True": True, "False": False}
    if text in words:
        return words[text]
    try:
        return as_value(float(text))
    except ValueError:
        return text


def print_value(value: object) -> str:
    """A parameter as text from which `read_value` gives it back."""
    return repr(value) if isinstance(value, float) else str(value)
