"""Where the variance components of a plan come from: a pilot, or assumptions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.annotators.planning.measure_components import runs_of
from fuzzytruth.annotators.planning.variance_components import (
    VarianceComponents,
    variance_components,
)
from fuzzytruth.core.crossed import QUERY, SUBJECT, SYSTEM
from fuzzytruth.core.validation import MOST, option_number, whole_number
from fuzzytruth.errors import DataError, OptionError, nearest, require, shown, shown_all
from fuzzytruth.evaluation.scores.score_arrays import check_over, check_scores
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.stats.settings import Axis, Over

#: of the components' distribution; a prefix of their lattice fills space as evenly
_POINTS = 4096
FAMILIES = ("all pairs", "baseline", "one")
_LARGEST = 1e100  # whose square is finite

#: components that say how systems differ, and what each is divided by the number of
_OF_SYSTEMS = {
    "system:query": {"query"},
    "system:subject": {"subject"},
    "system:query:subject": {"query", "subject"},
    "replicate": {"replicate"},
    "replicate:query": {"query", "replicate"},
    "replicate:subject": {"subject", "replicate"},
    "residual": {"query", "subject", "replicate"},
}
#: those that all systems have in common
_OF_ALL = {
    "query": {"query"},
    "subject": {"subject"},
    "query:subject": {"query", "subject"},
    "subject(query)": {"query", "subject"},
}
KNOWN = ("system", *_OF_ALL, *_OF_SYSTEMS)
_REPLICATES = ("replicate", "replicate:query", "replicate:subject")
#: parts of a variance: over queries, subjects, pairs of both, neither
PARTS: tuple[set[str], ...] = ({"query"}, {"subject"}, {"query", "subject"}, set())


@dataclass(frozen=True, slots=True, eq=False)
class Components:
    """Variance components, and the pilot that they are of.

    Parameters
    ----------
    names : tuple of str
    value : (components,) float
        From 0.
    draws : (points, components) float or None
        Of their distribution given the pilot; None where they were assumed.
    has_subjects : bool
        Whether a query has a value for each of several subjects.
    nested : bool
        Whether each query has subjects of its own.
    measure : str or None
    n_systems : int or None
        None where it is not known.
    n_subjects : int
        0 where there are none.
    sizes : str
        Numbers of systems, queries and subjects; "" where components were assumed.
    n_runs : int
        Of a typical system.
    """

    names: tuple[str, ...]
    value: Floats
    draws: Floats | None
    has_subjects: bool
    nested: bool = False
    measure: str | None = None
    n_systems: int | None = None
    n_subjects: int = 0
    sizes: str = ""
    n_runs: int = 1

    @classmethod
    def assumed(cls, given: Any, *, subjects: bool) -> Components:
        """Components as a user assumes them; `subjects`: whether the plan has any.

        Raises
        ------
        OptionError
            They are no mapping of known components to variances.
        """
        if not isinstance(given, Mapping) or not given:
            raise OptionError(
                f"components={shown(given)}: must be {{component: variance}}, such as "
                "{'system:query': 0.02, 'residual': 0.05}"
            )
        for name in given:
            if name not in KNOWN:
                near = nearest(str(name), KNOWN)
                raise OptionError(
                    f"components: {shown(name)} is no component{near}; they are {shown_all(KNOWN)}"
                )
        value = [option_number(f"components[{name!r}]", one) for name, one in given.items()]
        for name, one in zip(given, value, strict=True):
            if one < 0:
                raise OptionError(f"components={{{name!r}: {one:g}}}: a variance must be 0 or more")
        named = any("subject" in name for name in given)
        nested = "subject(query)" in given
        if nested and any(name in given for name in ("subject", "system:subject", "query:subject")):
            raise OptionError(
                "components: 'subject(query)' is of subjects within queries, and the others of "
                "subjects who judged all queries; give one or the other"
            )
        return cls(tuple(given), np.array(value), None, named or subjects, nested)

    @property
    def axes(self) -> Over:
        """What is random by default."""
        subject: Over = ("subject",) if self.has_subjects else ()
        return ("query", *subject, *(("replicate",) if self.has_replicates else ()))

    @property
    def has_replicates(self) -> bool:
        """Whether replicates of a system are told apart."""
        return any(name in _REPLICATES for name in self.names)

    def shares(self, replicates: int, *, of_all: bool) -> Floats:
        """What each component is multiplied by in each part of a variance: (parts, components).

        `of_all`: of a system's mean, not of its difference from another one's.
        """
        known = _OF_SYSTEMS | (_OF_ALL if of_all else {})
        out = np.zeros((len(PARTS), len(self.names)))
        for j, name in enumerate(self.names):
            by = known.get(name)
            if by is None:
                continue
            by = by if self.has_subjects else by - {"subject"}
            divided = "replicate" in by and (name != "residual" or self.has_replicates)
            out[PARTS.index(by - {"replicate"}), j] = 1 / replicates if divided else 1.0
        return out

    def of_runs(self, replicates: int) -> Floats:
        """What the components of runs have in each part of the variance of a mean: (parts,)."""
        divided = np.array([name in _REPLICATES[1:] or name == "residual" for name in self.names])
        value = np.where(divided & self.has_replicates, self.value, 0.0)
        return np.asarray(self.shares(replicates, of_all=False) @ value)

    def system(self) -> Floats:
        """Which component is that of the systems: (components,)."""
        return np.array([float(name == "system") for name in self.names])

    def limit(self, shares: Floats, side: int, level: float) -> float:
        """End of the central interval of a sum of components: the upper (1) or lower one (-1)."""
        if self.draws is None:
            return float(shares @ self.value)
        return float(np.quantile(self.draws @ shares, (1 + side * level) / 2))


def pilot_of(
    pilot: Scores | None,
    components: Any,
    measure: str | None,
    systems: Iterable[str] | None,
    replicate_of: Mapping[str, str] | None,
    over: Over | None,
    *,
    subjects: bool,
    of_all: bool,
) -> Components:
    """Components of a pilot, or those given.

    `subjects`: whether numbers of subjects are given; `of_all`: whether a plan for the mean of a
    single system will do.
    """
    if (pilot is None) == (components is None):
        raise OptionError(
            "plan: give the scores of a pilot, or variances, components={'residual': 0.05}"
            + (", and not both" if components is not None else "")
        )
    if pilot is not None:
        return _of_scores(pilot, measure, systems, replicate_of, over, of_all=of_all)
    for name, value in (("systems", systems), ("replicate_of", replicate_of)):
        if value is not None:
            raise OptionError(f"{name}: is of a pilot, and these are components")
    if isinstance(components, VarianceComponents):
        found = _of_components(components, measure, of_all=of_all)
    else:
        require("measure", measure, measure is None, "is of a pilot, and these are components")
        named = "subject" in over if over is not None else False
        found = Components.assumed(components, subjects=subjects or named)
    if over is not None and "subject" in over and not found.has_subjects:
        raise OptionError("over='subject': these components are of scores without subjects")
    return found


def _of_scores(
    scores: Scores,
    measure: str | None,
    systems: Iterable[str] | None,
    replicate_of: Mapping[str, str] | None,
    over: Over | None,
    *,
    of_all: bool,
) -> Components:
    """Components of a pilot's scores."""
    check_scores(scores)
    if over is not None:
        check_over([axis for axis in over if axis != "replicate"], scores)
    if measure is None and len(scores.measures) > 1:
        raise OptionError(
            f"measure=: the pilot has {len(scores.measures)}; name one of "
            f"{shown_all(scores.measures)}"
        )
    if systems is not None:
        scores = scores.select(systems=systems)
    if len(scores.queries) < 2:
        raise DataError(
            "plan: the pilot has a single query, so that nothing says how queries differ; plan "
            "from several, or from components="
        )
    name = scores.measures[0 if measure is None else scores.measure_place(str(measure))]
    found = variance_components(scores, measures=name, replicate_of=replicate_of)
    out = _of_components(found, name, of_all=of_all)
    if out.has_subjects:  # of a crowd, those who judged the same query
        out = replace(out, n_subjects=round(float(scores.cells.sizes.mean())))
    _, of_system = runs_of(scores, replicate_of)
    return replace(out, n_runs=int(np.median(np.bincount(of_system))))


def _of_components(found: VarianceComponents, measure: str | None, *, of_all: bool) -> Components:
    """Components of one measure as estimated."""
    one = found.of_measure(measure)
    if "system" not in one.names and not of_all:
        raise DataError(
            "plan: these components are of a single system, so that nothing says how differences "
            "vary; use of='mean', or plan from two or more systems"
        )
    people = any("subject" in name for name in one.names)
    return Components(
        one.names,
        one.variance.clip(min=0.0),
        one.draws[:_POINTS],
        people,
        "subject(query)" in one.names,
        one.measure,
        one.table.size(SYSTEM),
        one.table.size(SUBJECT) if people else 0,
        one.table.sizes(SYSTEM, QUERY, SUBJECT),
    )


# Checks of what is asked for.


def sizes(name: str, given: Any) -> Sequence[int]:
    """Ascending whole numbers from 1, without repeats.

    Raises
    ------
    OptionError
        They are no numbers, or there is none.
    """
    if isinstance(given, range) and given.step > 0 and len(given) and given.start >= 1:
        return given
    whole = isinstance(given, (int, np.integer)) and not isinstance(given, bool)
    if not whole and (isinstance(given, (str, bytes)) or not isinstance(given, Iterable)):
        raise OptionError(
            f"{name}={shown(given)}: must be a whole number, or several, such as range(10, 201)"
        )
    listed = [given] if whole else list(given)
    require(name, given, bool(listed), "name at least one number")
    return sorted({whole_number(name, one, 1, MOST) for one in listed})


def positive(name: str, given: Any) -> float:
    """A number above 0 whose square is finite."""
    value = option_number(name, given)
    if value <= 0:
        raise OptionError(f"{name}={value:g}: must be above 0")
    if value > _LARGEST:
        raise OptionError(f"{name}={value:g}: must be {_LARGEST:g} or less")
    return value


def price(name: str, given: Any) -> float:
    """A number of 0 or more; 0 for None."""
    value = option_number(name, 0.0 if given is None else given)
    if value < 0:
        raise OptionError(f"{name}={value:g}: must be 0 or more")
    return value


def comparisons(family: Any, systems: int | None, *, of_all: bool) -> int:
    """How many intervals hold together.

    Raises
    ------
    OptionError
        The family is unknown, or of systems whose number is not.
    """
    if family is None:
        family = "one" if of_all or systems is None else "all pairs"
    if isinstance(family, (int, np.integer)) and not isinstance(family, bool):
        return whole_number("family", family, 1, MOST)
    if not isinstance(family, str) or family not in FAMILIES:
        raise OptionError(
            f"family={shown(family)}: must be 'all pairs', 'baseline', 'one', or a number of "
            "comparisons"
        )
    if family == "one":
        return 1
    require("family", family, not of_all, "is of differences, and of='mean' has none")
    if systems is None:
        raise OptionError(f"family={family!r}: give n_systems=, how many there will be")
    return max(systems - 1 if family == "baseline" else systems * (systems - 1) // 2, 1)


def axes_of(over: Any) -> Over:
    """Queries, subjects or both; or queries, perhaps with subjects, and replicates.

    Raises
    ------
    OptionError
        Something else.
    """
    named = [over] if isinstance(over, str) else list(over) if isinstance(over, Iterable) else []
    if not named or any(axis not in ("query", "subject", "replicate") for axis in named):
        given = named[0] if len(named) == 1 else over
        raise OptionError(f"over={shown(given)}: must be 'query', 'subject', or both")
    rule = "runs are random with queries, or with queries and subjects"
    require("over", over, "replicate" not in named or "query" in named, rule)
    return tuple(axis for axis in get_args(Axis) if axis in named)


def numbers_of_subjects(given: Any, components: Components, over: Over) -> Sequence[int]:
    """Numbers of subjects to consider, by default up to 10 and those of the pilot."""
    if not components.has_subjects:
        wanted = (1,) if given is None else tuple(sizes("subjects", given))
        if wanted != (1,):
            raise OptionError(
                f"plan: {shown(list(wanted)[:3])} subjects are asked for, and the pilot has not "
                "several, so that nothing says how they differ; plan from components="
            )
        return wanted
    if given is not None:
        return sizes("subjects", given)
    panel = components.n_subjects
    first = 2 if "subject" in over and not components.nested else 1
    return sorted({*range(first, 11), *((panel,) if panel >= first else ())})
