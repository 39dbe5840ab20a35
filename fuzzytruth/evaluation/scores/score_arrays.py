"""The numbers of scores, what their axes are, and where they come from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import MISSING, asdict, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Self, get_args

import numpy as np

from fuzzytruth import errors
from fuzzytruth._typing import Array, Floats
from fuzzytruth.core.atoms import NEAR
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.validation import place_of
from fuzzytruth.core.versions import own_version
from fuzzytruth.data.judgments import Design
from fuzzytruth.data.parted import PartedRuns
from fuzzytruth.data.ranking import RankedLists
from fuzzytruth.errors import MeasureError, counted, first_few, printable, require, shown
from fuzzytruth.evaluation.worlds.uncertainty import Uncertainty
from fuzzytruth.show.answer import Parts, Result, Sentences

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores.replicates import Replicates
    from fuzzytruth.stats.settings import Over

#: name of an attribute -> value of each query, None where it has none
Attributes = Mapping[str, tuple[str | None, ...]]
#: what can be random
AXES = "'query', 'subject', 'world' or 'replicate'"
#: attribute of image–text scores; the queries of an image vary together
IMAGE = "image"
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
    groups : str or None
        Checksum of the groups of community worlds.
    seed : tuple of int or None
        Where the draws started: equal seeds give the same worlds.
    structure : str or None
        Whether it matters who gave which vote, where that was asked for.
    truth : str or None
        Checksum of the truth, whatever the order of its rows; None for a truth that has none.
    runs : tuple of (system, checksum)
        Whatever the order of the rows. Systems that are missing here come from scores without
        provenance (`Scores.from_frame`), which `concat` joined; so do measures.
    measures : tuple of str
    queries_share_items : bool or None
        Whether one vote served several queries, as by example; not so of judgments and of votes by
        item. None: unknown.

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
    groups: str | None = None
    seed: tuple[int, ...] | None = None
    structure: str | None = None
    truth: str | None = None
    runs: tuple[tuple[str, str], ...] = ()
    measures: tuple[str, ...] = ()
    queries_share_items: bool | None = None

    def __repr__(self) -> str:
        systems, measures = counted(len(self.runs), "run"), counted(len(self.measures), "measure")
        return printable(
            f"Provenance(fuzzytruth {self.version}, truth {self.truth or 'unknown'}, {systems}, "
            f"{measures}, worlds={self.worlds!r})"
        )

    def _title(self) -> str:
        return f"fuzzytruth {self.version}"

    def _parts(self) -> Parts:
        yield Sentences.of(
            f"truth: {self.truth or 'unknown'}",
            f"runs: {first_few(f'{system} {checksum}' for system, checksum in self.runs)}",
            f"measures: {first_few(self.measures, _FEW)}",
            f"options: {', '.join(f'{k}={value}' for k, value in self.options().items())}",
            "" if self.seed is None else f"seed: {' '.join(map(str, self.seed))}",
        )
        if max(len(self.runs), len(self.measures)) > _FEW:
            yield "All runs and measures: .runs, .measures, .to_dict()"

    def options(self) -> dict[str, Any]:
        """The options that had an effect."""
        names = ("worlds", "ties", "undefined", "unjudged", "missing", "rel", "n_worlds", "groups")
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
        for entry in fields(cls):
            if entry.name in given:
                values[entry.name] = tuples_of(given[entry.name])
                if not _is_valid(entry.name, values[entry.name]):
                    raise errors.DataError(
                        f"the {entry.name} of the provenance is {shown(given[entry.name])}"
                    )
            elif entry.default is MISSING:
                raise errors.DataError(f"the {entry.name} of the provenance is missing")
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


def tuples_of(value: Any) -> Any:
    """A value of JSON with tuples in place of lists."""
    return tuple(map(tuples_of, value)) if isinstance(value, list) else value


def _is_valid(name: str, value: Any) -> bool:
    """Whether an entry has the type of its field."""
    if name == "runs":
        return isinstance(value, tuple) and all(_are(str, run) and len(run) == 2 for run in value)
    if name == "measures":
        return _are(str, value)
    if name == "seed":
        return value is None or _are(int, value)
    if name == "queries_share_items":
        return value is None or type(value) is bool
    if name in ("n_worlds", "n_missing"):
        return value is None or type(value) is int
    needed = name in ("version", "worlds", "ties", "undefined", "unjudged")
    return isinstance(value, str) or (value is None and not needed)


def _are(kind: type, values: Any) -> bool:
    return isinstance(values, tuple) and all(type(value) is kind for value in values)


#: numbers of each system, measure and cell: column of tables → field of scores
NUMBERS = {"value": "values", "lower": "lower", "upper": "upper"}
#: those of their uncertainty, by which name both have them
WORLD_NUMBERS = ("std", "exact", "mc_error")


def check_scores(scores: object) -> None:
    """Raise `OptionError` unless these are scores."""
    if not isinstance(scores, ScoreArrays):
        raise errors.OptionError(
            "scores: give Scores, as evaluate, Scores.load and Scores.from_frame make them, not "
            f"{shown(scores)}"
        )


def check_several(scores: ScoreArrays, what: str) -> None:
    """Raise `DataError` for a single system; `what` begins the message."""
    if len(scores.systems) < 2:
        raise errors.DataError(
            f"{what}: the scores have a single system, {shown(scores.systems[0])}; give those of "
            "two or more"
        )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ScoreArrays:
    """What modules that compute with scores are given; see `Scores` for the parameters."""

    systems: tuple[str, ...]
    queries: tuple[str, ...]
    measures: tuple[str, ...]
    values: Floats  # (systems, measures, cells)
    cells: Cells
    subjects: tuple[str, ...] | None = None
    design: Design = "crossed"
    higher_is_better: tuple[bool, ...] = ()
    lower: Floats | None = None  # (systems, measures, cells)
    upper: Floats | None = None
    uncertainty: Uncertainty | None = None
    provenance: Provenance | None = None
    query_attributes: Attributes = field(default_factory=dict)
    ranges: tuple[tuple[float, float], ...] = ()
    replicates: Replicates | None = None

    def __post_init__(self) -> None:
        # The last bit of a sum depends on how the numbers lie in memory.
        for name in NUMBERS.values():
            numbers = getattr(self, name)
            if numbers is not None:
                object.__setattr__(self, name, np.ascontiguousarray(numbers))

    def __repr__(self) -> str:
        sizes = [counted(len(names), axis) for axis, names in self._labels.items()]
        if self.uncertainty is not None:
            sizes.append(f"{self.uncertainty.n_worlds:,} {self.uncertainty.worlds} worlds")
        return f"{type(self).__name__}({', '.join(sizes)})"

    @property
    def _numbers(self) -> dict[str, Array]:
        """All numbers that there are by column, (systems, measures, cells) each; `value` first."""
        found = {name: getattr(self, field) for name, field in NUMBERS.items()}
        if self.uncertainty is not None:
            found |= {name: getattr(self.uncertainty, name) for name in WORLD_NUMBERS}
        return {name: values for name, values in found.items() if values is not None}

    @property
    def _runs(self) -> tuple[str, ...]:
        """Names of the runs that values come from."""
        return self.systems if self.replicates is None else self.replicates.runs.systems

    @property
    def _spread(self) -> Uncertainty | None:
        """How values vary over worlds, or those of runs that they are means of."""
        return self.uncertainty if self.replicates is None else self.replicates.runs.uncertainty

    @property
    def _labels(self) -> dict[str, tuple[str, ...]]:
        """Names along the axes that there are, in the order of columns of tables."""
        found = {"system": self.systems, "query": self.queries, "measure": self.measures}
        return found if self.subjects is None else {**found, "subject": self.subjects}

    def measure_place(self, measure: str) -> int:
        """Place of a measure, in any spelling.

        Raises
        ------
        OptionError
            There is no such measure.
        """
        return place_of(self.measures, self.measure_name(measure), "measure")

    def measure_name(self, measure: Any) -> Any:
        """The name of a measure as these scores spell it; as given if it is unknown."""
        from fuzzytruth.measures import Measure, parse_measure

        if isinstance(measure, (str, Measure)) and measure not in self.measures:
            with suppress(MeasureError):  # a name that the library does not know may be a typo
                return str(parse_measure(measure))
        return measure

    def _range_of(self, measure: int) -> tuple[float, float]:
        """The least and the largest mean that a measure, by its place, can have.

        Infinite where that is not known: of values that were not computed here.
        """
        if self.ranges:
            return self.ranges[measure]
        name, made = self.measures[measure], self.provenance
        if made and name in made.measures and {one for one, _ in made.runs} >= set(self._runs):
            return known_range(name, self.values[:, measure])
        return -np.inf, np.inf

    def _width_of(self, measure: int) -> float:
        """The largest difference of means of a measure, by its place; infinite if not known."""
        least, most = self._range_of(measure)
        return most - least

    @property
    def _why_not_crossed(self) -> str | None:
        """Why these worlds cannot be random together with the queries; None: they can."""
        spread = self.uncertainty
        if spread is not None and spread.worlds != "population":
            return (
                f"over=('query', 'world'): {spread.worlds} worlds say how uncertain one realised "
                "score is, and are no sample of people; evaluate with worlds='population', or with "
                "worlds='subject' for over=('query', 'subject'); over='query' is for queries alone"
            )
        if spread is not None and not spread.has_within and self.design == "crossed":
            return (
                "over=('query', 'world'): how single queries vary over worlds is not known, as "
                "these scores were saved before it was; evaluate again"
            )
        return None

    @property
    def _over_people(self) -> Over | None:
        """Queries with those who judged, where these are a sample, too; None where they are not.

        Several subjects that are crossed with the queries, or resampled ones.
        """
        if self.subjects is not None:
            several = len(self.subjects) > 1 and not self._are_nested
            return ("query", "subject") if several else None
        spread = self.uncertainty
        return ("query", "world") if spread is not None and spread.worlds == "population" else None

    @property
    def _are_nested(self) -> bool:
        """Whether subjects are nested in queries, by name or as each judged a single one."""
        looks_nested = self.subjects is not None and self.cells.look_nested
        return self.design == "nested" or looks_nested

    @property
    def _queries_share_items(self) -> bool | None:
        """Whether one vote served several queries; None: unknown."""
        return None if self.provenance is None else self.provenance.queries_share_items

    @property
    def _n_people(self) -> int:
        """Subjects with a value; one name in two queries is two people if they are nested."""
        if self.subjects is None:
            return 0
        if not self._are_nested:
            return len(self.subjects)
        return int((~np.isnan(self.values)).any(axis=(0, 1)).sum())

    @property
    def _n_resampled(self) -> int:
        """Of how many subjects population worlds are resamples; 0: of others, or it varies."""
        spread = self.uncertainty
        if spread is None or spread.worlds != "population" or self.design == "nested":
            return 0
        factor = spread.inflation
        return round(factor / (factor - 1)) if 1 < factor < np.inf else 0


def check_over(over: Iterable[str] | str | None, scores: ScoreArrays) -> Over:
    """The axes named, in one order; by default queries, and runs where systems have several.

    Raises
    ------
    OptionError
        No axis, an unknown one, one that the scores lack (it names what gives it), runs with
        something else than queries, or queries and subjects,
        subjects that are called crossed and judged one query each, worlds after a selection of
        queries whose means in each world are not known, or queries with worlds that are no sample
        of people.
    """
    from fuzzytruth.stats.settings import Axis

    check_scores(scores)
    if over is None:
        return ("query",) if scores.replicates is None else ("query", "replicate")
    known = get_args(Axis)
    require("over", over, isinstance(over, Iterable), f"must be {AXES}")
    named = (over,) if isinstance(over, str) else tuple(over)
    for axis in named:
        if not isinstance(axis, str) or axis not in known:
            raise errors.OptionError(f"over={shown(axis)}: must be {AXES}, or several of them")
    if not named:
        raise errors.OptionError(f"over=(): name what is random: {AXES}, or several")
    if "replicate" in named:
        _check_runs({*named}, scores)
    if "subject" in named and scores.subjects is None:
        resampled = scores.uncertainty is not None and scores.uncertainty.worlds == "population"
        raise errors.OptionError(
            "over='subject': these scores have no subjects; evaluate with worlds='subject', which "
            "keeps each subject's truth apart"
            + ("; these have resampled subjects: over='world'" if resampled else "")
        )
    if "subject" in named and scores.design == "crossed" and scores.cells.look_nested:
        raise errors.OptionError(
            "over='subject': every subject judged a single query, so that nothing tells subjects "
            "from queries; if a name is another person in another query, say design='nested'"
        )
    if "world" in named and (scores.uncertainty is None or scores.subjects is not None):
        has = " (they have subjects: over='subject')" if scores.subjects is not None else ""
        has = has if scores.replicates is None else " (means over runs have none)"
        raise errors.OptionError(
            f"over='world': these scores have no worlds{has}; evaluate with "
            "worlds='independent', which draws each item's truth from its votes, or "
            "worlds='population', which resamples the subjects"
        )
    if "world" in named and scores.uncertainty is not None:
        scores.uncertainty.check_means()
        refused = scores._why_not_crossed if "query" in named else None
        if refused is not None:
            raise errors.OptionError(refused)
    return tuple(axis for axis in known if axis in named)


def _check_runs(named: set[str], scores: ScoreArrays) -> None:
    """Raise `OptionError` unless runs can be random with the other axes."""
    if scores.replicates is None:
        raise errors.OptionError(
            "over='replicate': these scores name no runs of systems; name the column of runs, "
            "replicates='seed', or give the system of each with_replicates({'ance.1': 'ance', ...})"
        )
    if "world" in named or named == {"subject", "replicate"}:
        raise errors.OptionError(
            "over: runs are random alone, with queries, or with queries and subjects: "
            "('query', 'replicate'), ('query', 'subject', 'replicate')"
        )


def known_range(name: str, values: Floats) -> tuple[float, float]:
    """Smallest and largest value that a measure can have.

    Infinite where that is not known, or where these values (NaN: none) are on another scale.
    """
    from fuzzytruth.measures import parse_measure

    with suppress(MeasureError):
        least, most = parse_measure(name).range
        if not ((values < least - NEAR) | (values > most + NEAR)).any():
            return least, most
    return -np.inf, np.inf
