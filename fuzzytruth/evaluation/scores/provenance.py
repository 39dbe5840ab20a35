"""Where scores come from: the data, the options and the version that made them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import MISSING, asdict, dataclass, fields, replace
from typing import Any, Self

from fuzzytruth.core.versions import own_version
from fuzzytruth.data.parted import PartedRuns
from fuzzytruth.data.ranking import RankedLists
from fuzzytruth.errors import DataError, counted, first_few, printable, shown
from fuzzytruth.show.answer import Printed, Result, Sentences

_FEW = 5  # runs and measures that are named


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Provenance(Result):
    """What scores were computed from, and how. Options that had no effect are None.

    Checksums are equal for equal data, wherever these were read from. They tell data apart that
    differ by accident, not by intent.

    Parameters
    ----------
    version : str
        Of fuzzytruth.
    worlds, ties, undefined, unjudged : str
        Options of `evaluate`.
    missing : str or None
        How missing judgments counted; None where there were none.
    n_missing : int or None
        How many there were; None also where that is not known.
    rel : str or None
        The thresholds that made grades 1 or 0 beforehand, if any.
    n_worlds : int or None
        Worlds drawn.
    seed : tuple of int or None
        Where the draws started: equal seeds give the same worlds.
    truth : str or None
        Checksum of the truth, whatever the order of its rows; None for a truth that has none.
    runs : tuple of (system, checksum)
        Whatever the order of the rows. Systems that are missing here come from scores without
        provenance (`Scores.from_frame`), which `concat` joined; so do measures.
    measures : tuple of str

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> scores = ft.evaluate({"q": {"a": 1}}, {"bm25": {"q": {"a": 1}}}, ["AP"])
    >>> print(scores.provenance)
    fuzzytruth ...
    <BLANKLINE>
    truth: ...
    runs: bm25 ...
    measures: AP
    options: worlds=crisp, ties=trec, undefined=zero, unjudged=nonrelevant
    """

    version: str
    worlds: str
    ties: str
    undefined: str
    unjudged: str
    missing: str | None = None
    n_missing: int | None = None
    rel: str | None = None
    n_worlds: int | None = None
    seed: tuple[int, ...] | None = None
    truth: str | None = None
    runs: tuple[tuple[str, str], ...] = ()
    measures: tuple[str, ...] = ()

    def __repr__(self) -> str:
        systems, measures = counted(len(self.runs), "run"), counted(len(self.measures), "measure")
        return printable(
            f"Provenance(fuzzytruth {self.version}, truth {self.truth or 'unknown'}, {systems}, "
            f"{measures}, worlds={self.worlds!r})"
        )

    def _answer(self) -> Printed:
        seed = "" if self.seed is None else f"seed: {' '.join(map(str, self.seed))}"
        return Printed.of(
            f"fuzzytruth {self.version}",
            Sentences.of(
                f"truth: {self.truth or 'unknown'}",
                f"runs: {first_few(f'{system} {checksum}' for system, checksum in self.runs)}",
                f"measures: {first_few(self.measures, _FEW)}",
                f"options: {', '.join(f'{k}={value}' for k, value in self.options().items())}",
                seed,
            ),
            Sentences.of("All runs and measures: .runs, .measures, .to_dict()")
            if max(len(self.runs), len(self.measures)) > _FEW
            else None,
        )

    def options(self) -> dict[str, Any]:
        """The options that had an effect."""
        names = ("worlds", "ties", "undefined", "unjudged", "missing", "rel", "n_worlds")
        values = {name: getattr(self, name) for name in names}
        return {name: value for name, value in values.items() if value is not None}

    def of(self, systems: Iterable[str], measures: Iterable[str]) -> Self | None:
        """That of the scores of some systems and measures; None if it is about none of them."""
        checksums = dict(self.runs)
        runs = tuple((system, checksums[system]) for system in systems if system in checksums)
        named = tuple(measure for measure in measures if measure in self.measures)
        return replace(self, runs=runs, measures=named) if runs and named else None

    def to_dict(self) -> dict[str, Any]:
        """All fields by name, for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, given: dict[str, Any]) -> Self:
        """From what `to_dict` gave, or JSON made of it; other entries are ignored.

        Raises
        ------
        DataError
            An entry is missing or of another type.
        """
        values = {}
        for field in fields(cls):
            if field.name in given:
                values[field.name] = _tuples(given[field.name])
                if not _is_valid(field.name, values[field.name]):
                    raise DataError(
                        f"the {field.name} of the provenance is {shown(given[field.name])}"
                    )
            elif field.default is MISSING:
                raise DataError(f"the {field.name} of the provenance is missing")
        return cls(**values)


def provenance_of(truth: Any, runs: RankedLists | PartedRuns, **options: Any) -> Provenance:
    """Provenance of scores of these data, evaluated with these options.

    A kind of truth has a checksum if it has an attribute `checksum`.
    """
    return Provenance(
        version=own_version(),
        truth=getattr(truth, "checksum", None),
        runs=tuple(runs.checksums.items()),
        **options,
    )


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _is_valid(name: str, value: Any) -> bool:
    """Whether an entry has the type of its field."""
    if name == "runs":
        return isinstance(value, tuple) and all(_are(str, run) and len(run) == 2 for run in value)
    if name == "measures":
        return _are(str, value)
    if name == "seed":
        return value is None or _are(int, value)
    if name in ("n_worlds", "n_missing"):
        return value is None or type(value) is int
    needed = name in ("version", "worlds", "ties", "undefined", "unjudged")
    return isinstance(value, str) or (value is None and not needed)


def _are(kind: type, values: Any) -> bool:
    return isinstance(values, tuple) and all(type(value) is kind for value in values)
