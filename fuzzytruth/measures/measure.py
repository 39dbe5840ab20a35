"""What a measure is: a small frozen value with a name, parameters, a cut-off and a kernel."""

from __future__ import annotations

import dataclasses
from abc import ABCMeta, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Self

from fuzzytruth.errors import MeasureError

if TYPE_CHECKING:
    from fuzzytruth.batch import Array, Batch


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
    #: smallest and largest value
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    #: whether ``@k`` is needed ("required"), may be given ("optional"), or has no meaning ("none")
    cutoff_use: ClassVar[str] = "optional"
    #: undefined for a query without relevant items (0 by convention)
    needs_relevant: ClassVar[bool] = False
    #: whether the kernel knows what ties="expected" means for it
    expects_ties: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.cutoff is None:
            if self.cutoff_use == "required":
                raise MeasureError(f"{self.name}: needs a cut-off, such as {self.name}@10")
            return
        if self.cutoff_use == "none":
            raise MeasureError(f"{self}: {self.name} takes no cut-off")
        self._check_cutoff(self.cutoff)

    def _check_cutoff(self, cutoff: float) -> None:
        if cutoff < 1 or int(cutoff) != cutoff:
            raise MeasureError(f"{self.name}@{cutoff:g}: a cut-off is a whole number from 1")
        object.__setattr__(self, "cutoff", int(cutoff))

    def __matmul__(self, cutoff: float) -> Self:
        return dataclasses.replace(self, cutoff=cutoff)

    def __str__(self) -> str:
        given = ",".join(
            f"{f.name}={_print_value(getattr(self, f.name))}"
            for f in dataclasses.fields(self)
            if f.name != "cutoff" and getattr(self, f.name) != f.default
        )
        at = "" if self.cutoff is None else f"@{self.cutoff:g}"
        return f"{self.name}{f'({given})' if given else ''}{at}"

    def __repr__(self) -> str:
        return str(self)

    @property
    def k(self) -> int | None:
        """The cut-off as a whole number of ranks."""
        return None if self.cutoff is None else int(self.cutoff)

    @property
    def threshold(self) -> float | None:
        """Grade from which an item is relevant to this measure; None where grades count."""
        rel = getattr(self, "rel", None)
        return None if rel is None else float(rel)

    @abstractmethod
    def score(self, batch: Batch) -> Array:
        """The measure's value for each world and query: (worlds, queries) float."""


def _print_value(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
