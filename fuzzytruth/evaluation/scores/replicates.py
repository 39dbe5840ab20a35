"""Runs that are replicates of systems: trainings, seeds, samplings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from fuzzytruth import errors
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.bootstrap_maxima import MIN_VARIANCES
from fuzzytruth.core.validation import several
from fuzzytruth.errors import OptionError, choice, counted, first_few, nearest, require, shown, warn
from fuzzytruth.show.number_text import between_text
from fuzzytruth.stats.observations import Pooling, RunValues

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores.scores import Scores


@dataclass(frozen=True, slots=True, eq=False)
class Replicates:
    """Scores of single runs, and which runs are replicates of one system.

    Parameters
    ----------
    runs : Scores
        Its systems are the runs.
    system_of : tuple of str
        Name of each run's system.
    deterministic : tuple of str
        Systems of which another run would give the same.
    variance : {"moderated", "separate", "pooled"}
        How the variance over a system's runs is estimated: each system's own, drawn towards that of
        the others by at most as much as its own runs weigh; its own alone; or one for all systems.
    """

    runs: Scores
    system_of: tuple[str, ...]
    deterministic: tuple[str, ...] = ()
    variance: Pooling = "moderated"

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems, in the order of their first runs."""
        return tuple(dict.fromkeys(self.system_of))

    @property
    def code(self) -> Ints:
        """Place of each run's system: (runs,)."""
        place = {name: j for j, name in enumerate(self.systems)}
        return np.array([place[name] for name in self.system_of])

    @property
    def sizes(self) -> dict[str, int]:
        """Number of runs of each system."""
        return {name: self.system_of.count(name) for name in self.systems}

    @property
    def _random(self) -> dict[str, int]:
        """Number of runs of each system that is not deterministic."""
        return {name: n for name, n in self.sizes.items() if name not in self.deterministic}

    @property
    def fewest(self) -> int:
        """The fewest runs of a system that is not deterministic."""
        return min(self._random.values(), default=1)

    @property
    def is_steadied(self) -> bool:
        """Whether systems of three runs are enough for their variances to steady each other."""
        return sum(n > 2 for n in self._random.values()) >= MIN_VARIANCES

    @property
    def fewest_of_several(self) -> int:
        """The fewest runs of a system that has several and is not deterministic."""
        return min((n for n in self._random.values() if n > 1), default=1)

    @property
    def single_words(self) -> str:
        """Which systems have one run, and what that means; "" if none has."""
        return _one_run(self.single) if self.single else ""

    @property
    def single(self) -> list[str]:
        """Systems with one run, of whose other runs nothing is known."""
        if self.variance == "pooled":
            return []
        return [name for name, n in self._random.items() if n == 1]

    @property
    def words(self) -> str:
        """How many there are, such as "3 runs of each system (bm25: deterministic)"."""
        return self.words_of(self.systems)

    def words_of(self, systems: tuple[str, ...]) -> str:
        """How many some systems have."""
        runs = [n for name, n in self._random.items() if name in systems]
        least, most = min(runs, default=1), max(runs, default=1)
        of = "each system" if least == most else "a system"
        of = of if len(systems) > 1 else systems[0]
        known = [name for name in self.deterministic if name in systems]
        fixed = f" ({first_few(known)}: deterministic)" if known else ""
        return f"{between_text(least, most, 'run')} of {of}{fixed}"

    def of_measure(self, measure: int, means: Floats, *, family: bool) -> RunValues:
        """Values by the measure at this place, where the means (systems, cells) have one.

        Variances are moderated in a `family` that is corrected for its size: a single interval of
        an unstable system beside stable ones would err three times as often as it says.
        """
        alone = self.variance == "moderated" and not family
        fixed = np.isin(self.systems, self.deterministic)
        values = np.where(np.isnan(means)[self.code], np.nan, self.runs.values[:, measure])
        return RunValues(values, self.code, fixed, "separate" if alone else self.variance)

    def select(self, runs: Iterable[str] | str) -> Scores:
        """Means over some runs, by their names: ance/1, or 1 for that run of all systems."""
        names = [str(name) for name in several(runs)]
        require("replicates", runs, bool(names), "name at least one")
        short = [
            run.removeprefix(f"{of}/")
            for run, of in zip(self.runs.systems, self.system_of, strict=True)
        ]
        for name in names:
            if name not in (*short, *self.runs.systems):
                near = nearest(name, (*self.runs.systems, *short))
                has = f"; they have {first_few(self.runs.systems)}"
                raise OptionError(f"replicates: {shown(name)} is no run of these scores{near}{has}")
        each = zip(self.runs.systems, short, strict=True)
        chosen = [run for run, own in each if run in names or own in names]
        return joined(self.runs.select(systems=chosen), self)

    def warn(self, measures: Iterable[int], systems: Iterable[str] | None = None) -> None:
        """Warn of (some) systems with one run, and of runs that are the same."""
        of = self.systems if systems is None else systems
        if single := [name for name in self.single if name in of]:
            warn(
                f"{_one_run(single)}; with_replicates(deterministic={single[0]!r}) "
                "says that it would give the same; with_replicates(variance='pooled') borrows the "
                "other systems' variance; over='query' is for these runs",
                errors.DegenerateWarning,
            )
        values, code = self.runs.values[:, list(measures)], self.code
        for place, (name, n) in enumerate(self.sizes.items()):
            each = values[code == place]
            if n < 2 or name not in of or name in self.deterministic or np.isnan(each).all():
                continue
            if np.array_equal(each, np.broadcast_to(each[:1], each.shape), True):
                warn(
                    f"the {n} runs of {name} have the same scores, and count as deterministic: is "
                    "it one file given several times?",
                    errors.DegenerateWarning,
                )


def _one_run(systems: list[str]) -> str:
    has = "has" if len(systems) == 1 else "have"
    return f"{first_few(systems)} {has} one run: nothing is known of what another would give"


@dataclass(frozen=True, slots=True)
class Declared:
    """Which runs are replicates of one system, as a table or saved scores have it."""

    system_of: tuple[str, ...]
    deterministic: tuple[str, ...] = ()
    variance: Pooling = "moderated"

    def of(self, runs: Scores) -> Scores:
        """Means over the runs of each system; warns of values that some of its runs lack."""
        known = Replicates(runs, self.system_of, self.deterministic, self.variance)
        _check_common(known)
        return joined(runs, known)


def declared(
    scores: Scores,
    replicate_of: Any = None,
    deterministic: Iterable[str] | str | None = None,
    variance: Pooling | None = None,
) -> Scores:
    """Scores with these replicates, or with other settings of those that they have.

    Raises
    ------
    OptionError
        As `systems_of_runs`; there are no replicates; or no such system or kind of variance.
    """
    if replicate_of is not None:
        both = "the scores name their runs already; leave it out"
        require("replicate_of", replicate_of, scores.replicates is None, both)
        system_of = tuple(systems_of_runs(replicate_of, scores.systems).values())
        scores = with_replicates(scores, system_of)
    known = scores.replicates
    for name, given in (("deterministic", deterministic), ("replicate_variance", variance)):
        rule = "is of systems with several runs; say which these are: replicate_of={run: system}"
        require(name, given, given is None or known is not None, rule)
    if known is None:
        return scores
    fixed = known.deterministic if deterministic is None else tuple(several(deterministic))
    for name in fixed:
        if name not in known.systems:
            near = nearest(str(name), known.systems)
            raise OptionError(f"deterministic: {shown(name)} is no system of these scores{near}")
    how: Pooling = known.variance if variance is None else variance
    choice("replicate_variance", how, get_args(Pooling))
    fixed = tuple(dict.fromkeys(fixed))
    return replace(scores, replicates=replace(known, deterministic=fixed, variance=how))


def systems_of_runs(given: Any, runs: tuple[str, ...]) -> dict[str, str]:
    """The system of each run, runs that are not named being systems of their own.

    Raises
    ------
    OptionError
        `given` is no mapping, names a run that there is not or in two systems, or gives no system
        two runs.
    """
    rule = "must be {run: name of the system that it is a replicate of}"
    require("replicate_of", given, isinstance(given, Mapping), rule)
    out: dict[str, str] = {}
    for key, value in given.items():
        pairs = [(key, value)]
        if isinstance(value, (list, tuple, set)):  # {system: its runs}
            pairs = [(run, key) for run in value]
        for run, system in pairs:
            valid = isinstance(system, str) and bool(system)
            require(f"replicate_of[{shown(run)}]", system, valid, rule)
            if run not in runs:
                raise OptionError(
                    f"replicate_of: {shown(run)} is no system of these scores"
                    f"{nearest(str(run), runs)}"
                )
            if out.setdefault(run, system) != system:
                raise OptionError(
                    f"replicate_of: the run {shown(run)} is a replicate of two systems, "
                    f"{shown(out[run])} and {shown(system)}; keep one"
                )
    out = {run: out.get(run, run) for run in runs}
    if len({*out.values()}) == len(runs):
        raise OptionError(
            "replicate_of: no system has two replicates; give two the same name, or leave it out"
        )
    return out


def with_replicates(runs: Scores, system_of: tuple[str, ...]) -> Scores:
    """Means over the runs of each system; warns of what is left out.

    Raises
    ------
    DataError
        The runs of a system have no value in common.
    """
    known = Replicates(runs, system_of)
    _check_common(known)
    spread = runs.uncertainty
    if spread is not None and runs.subjects is None:
        warn(
            f"means over runs are of expected values; the {spread.worlds} worlds are left out: "
            "evaluate single runs for these, or with worlds='subject'",
            errors.LeftOutWarning,
        )
    return joined(runs, known)


def joined(runs: Scores, like: Replicates) -> Scores:
    """Scores of systems from those of (some of) their runs; plain ones if each has one run."""
    of = dict(zip(like.runs.systems, like.system_of, strict=True))
    system_of = tuple(of[run] for run in runs.systems)
    systems = tuple(dict.fromkeys(system_of))
    if len(systems) == len(system_of):
        made = runs.provenance
        if made is not None:
            made = replace(made, runs=tuple((of[run], checksum) for run, checksum in made.runs))
        return replace(runs, systems=systems, provenance=made)
    fixed = tuple(name for name in like.deterministic if name in systems)
    replicates = replace(like, runs=runs, system_of=system_of, deterministic=fixed)
    code = replicates.code

    def mean(values: Floats | None) -> Any:
        if values is None:
            return None
        return np.stack([values[code == place].mean(axis=0) for place in range(len(systems))])

    numbers: Any = {name: mean(getattr(runs, name)) for name in ("values", "lower", "upper")}
    return replace(runs, systems=systems, uncertainty=None, replicates=replicates, **numbers)


def _check_common(known: Replicates) -> None:
    """Warn of values that some runs of a system lack; raise if its runs have none in common."""
    n_lost, first = 0, ""
    for place, system in enumerate(known.systems):
        present = ~np.isnan(known.runs.values[known.code == place])  # (runs, measures, cells)
        common = present.all(axis=0)
        lost = present.any(axis=0) & ~common
        if lost.any() and not common.any():
            raise errors.DataError(
                f"replicates: the {len(present)} runs of {shown(system)} have no value of a query "
                "in common, so that they are no replicates; evaluate them on the same queries"
            )
        if lost.any() and not n_lost:
            run, *_, cell = np.argwhere(~present & lost)[0].tolist()
            name = np.array(known.runs.systems)[known.code == place][run]
            query = known.runs.queries[known.runs.cells.query[cell]]
            first = f" (the first: run {shown(str(name))}, query {shown(query)})"
        n_lost += int(lost.sum())
    if n_lost:
        warn(
            f"{counted(n_lost, 'value is', 'values are')} missing in some runs of a system"
            f"{first}, and left out of all of them",
            errors.MissingCellWarning,
        )
