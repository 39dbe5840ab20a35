"""Votes of people and of model judges on the same units, in one coding."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth import errors
from fuzzytruth._lazy import pa
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.annotators.ratings import Ratings, binary_votes, ratings_of
from fuzzytruth.data.assignments import Assignments
from fuzzytruth.data.grading import codes_of, groups_of
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.reading import as_judgments
from fuzzytruth.data.runs import Runs
from fuzzytruth.errors import counted, first_few, shown, warn
from fuzzytruth.evaluation.grade_warnings import THRESHOLDS, report_scales
from fuzzytruth.io.tables import is_table

if TYPE_CHECKING:
    from fuzzytruth.data.taxonomy import Taxonomy

#: names of a person and a model that have none
PERSON, MODEL = "human", "model"


@dataclass(frozen=True, slots=True, eq=False)
class VoteRows:
    """One row a vote, sorted by unit, then by who gave it: (votes,) int each.

    Parameters
    ----------
    unit, who, value : (votes,) int
    """

    unit: Ints
    who: Ints
    value: Ints

    def select(self, kept: Any) -> VoteRows:
        """Some of the rows."""
        return VoteRows(self.unit[kept], self.who[kept], self.value[kept])

    def of(self, who: int) -> VoteRows:
        """The rows of one of them."""
        return self.select(self.who == who)


@dataclass(frozen=True, slots=True, eq=False)
class MatchedVotes:
    """Votes of people and of model judges on the units that both judged.

    Parameters
    ----------
    people, models : VoteRows
    subjects, judges : tuple of str
        Names of the people and of the models.
    n_units : int
    cluster : (units,) int or None
        The query of each unit; None where units have no queries.
    cluster_names : tuple of str
        Ids of the queries, or of the items where there are none.
    names : tuple of str
        Of the values.
    grades : (values,) float or None
        None where values are categories.
    taxonomy : Taxonomy or None
    """

    people: VoteRows
    models: VoteRows
    subjects: tuple[str, ...]
    judges: tuple[str, ...]
    n_units: int
    cluster: Ints | None
    cluster_names: tuple[str, ...]
    names: tuple[str, ...]
    grades: Floats | None
    taxonomy: Taxonomy | None

    @property
    def n_clusters(self) -> int:
        """Number of queries, or of units where they have none."""
        return self.n_units if self.cluster is None else int(self.cluster.max(initial=-1)) + 1

    @property
    def voters(self) -> Ints:
        """Number of people who judged each unit: (units,)."""
        return np.bincount(self.people.unit, minlength=self.n_units)

    def restrict(self, kept: Bools) -> MatchedVotes:
        """Only some of the units, numbered anew."""
        number = np.cumsum(kept) - 1

        def only(rows: VoteRows) -> VoteRows:
            some = rows.select(kept[rows.unit])
            return replace(some, unit=number[some.unit])

        chosen, cluster = np.flatnonzero(kept), None
        if self.cluster is not None:
            chosen, cluster = np.unique(self.cluster[kept]), codes_of(self.cluster[kept])
        return replace(
            self,
            people=only(self.people),
            models=only(self.models),
            n_units=int(kept.sum()),
            cluster=cluster,
            cluster_names=tuple(self.cluster_names[code] for code in chosen.tolist()),
        )


def binary_both(human: Any, model: Any, rel: Any) -> tuple[Any, Any]:
    """Votes of people and of models with grades 1 from `rel` on, else 0; as they are without it.

    Raises
    ------
    OptionError
        They are no grades, or a mapping by subject leaves out one of them, or names another.
    """
    if rel is None:
        return human, model
    both = with_name(human, PERSON, "human"), with_name(model, MODEL, "model")
    people, models = binary_votes(rel, *both)
    return people, models


def match_votes(human: Any, model: Any, what: str, *, distances: bool) -> MatchedVotes:
    """Votes of people and of models, on the units that both judged.

    Parameters
    ----------
    human, model : Judgments, Assignments, or what `as_judgments` takes
        Judgments without subjects are those of one person, "human", or one judge, "model".
    what : str
        Begins messages.
    distances : bool
        Whether it matters how far apart two grades are.

    Raises
    ------
    DataError
        Nobody is named, one is about grades and the other about categories, somebody judged a unit
        repeatedly, a person and a model have one name, or they share no unit.

    Warns
    -----
    LeftOutWarning
        People judged units that no model judged.
    ScaleWarning
        Grades of some keep to a shorter scale than those of the others.
    """
    people = ratings_of(with_name(human, PERSON, "human"))
    models = ratings_of(with_name(model, MODEL, "model"))
    subjects, judges = people.named(f"{what}, human"), models.named(f"{what}, model")
    for rows, name in ((people, "human"), (models, "model")):
        _check(rows, f"{what}, {name}")
    _check_together(people, models, what)
    unit, other, shared = _shared_units(people, models, what)
    values, (value, other_value), grades = _shared_values(people, models)
    lost = int((~shared).sum())
    if lost:
        warn(
            f"{what}: {counted(lost, 'item is', 'items are')} left out, which people judged and no "
            "model did",
            errors.LeftOutWarning,
        )
    given = VoteRows(other, models.subject, other_value).select(other >= 0)
    matched = MatchedVotes(
        VoteRows(unit, people.subject, value),
        given.select(np.lexsort((given.who, given.unit))),
        subjects,
        judges,
        people.n_units,
        people.cluster,
        _cluster_names(people),
        values,
        grades,
        people.taxonomy,
    )
    matched = matched.restrict(shared) if lost else matched
    _report_scales(matched, distances=distances)
    return matched


def _report_scales(votes: MatchedVotes, *, distances: bool) -> None:
    """Warn of people and models whose grades keep to a shorter scale than those of the others."""
    if votes.grades is None:
        return
    both, n = (votes.people, votes.models), len(votes.subjects)
    report_scales(
        np.concatenate([rows.unit for rows in both]),
        votes.grades[np.concatenate([rows.value for rows in both])],
        np.concatenate([votes.people.who, votes.models.who + n]),
        (*votes.subjects, *votes.judges),
        THRESHOLDS + (", or use human.rescaled() and model.rescaled()" if distances else ""),
    )


def with_name(votes: Any, name: str, argument: str) -> Any:
    """Votes, a name added where judgments have no subjects.

    Raises
    ------
    OptionError
        They are no votes.
    """
    if isinstance(votes, Assignments):
        return votes
    is_table_or_path = is_table(votes) or isinstance(votes, (Judgments, Mapping, str, Path))
    if isinstance(votes, Runs) or not is_table_or_path:
        raise errors.OptionError(
            f"{argument}={shown(votes)}: give Judgments, Assignments, a frame, "
            "{query: {item: grade}} or a path"
        )
    given = as_judgments(votes)
    if given.subject is not None or given.count is not None or given.probability is not None:
        return given
    return replace(given, subject=pa.array([name] * len(given), pa.large_string()))


def _cluster_names(people: Ratings) -> tuple[str, ...]:
    """Ids of the queries by their codes, or of the items."""
    if people.cluster is None:
        return tuple(people.units["item"].to_pylist())
    _, first = np.unique(people.cluster, return_index=True)
    queries = people.units["query"]
    return tuple(queries[place].as_py() for place in first.tolist())


def _check(rows: Ratings, what: str) -> None:
    if not (rows.weight == 1).all():
        where = int(np.flatnonzero(rows.weight != 1)[0])
        names = rows.subjects or ()
        raise errors.DataError(
            f"{what}: {names[rows.subject[where]]!r} judged an item repeatedly; keep one of its "
            "judgments, or name each repeat as a subject of its own"
        )
    if rows.sets is not None and rows.cluster is not None:
        raise errors.DataError(
            f"{what}: subjects were asked about different categories of one item; give the answers "
            "to one question at a time"
        )


def _check_together(people: Ratings, models: Ratings, what: str) -> None:
    if (people.grades is None) != (models.grades is None):
        kinds = ["categories" if rows.grades is None else "grades" for rows in (people, models)]
        raise errors.DataError(
            f"{what}: people gave {kinds[0]} and models gave {kinds[1]}; give the same of both"
        )
    if {*people.units} != {*models.units}:
        listed = [", ".join(rows.units) for rows in (people, models)]
        raise errors.DataError(
            f"{what}: people judged each {listed[0]}, models each {listed[1]}; give the same "
            "columns of both"
        )
    both = sorted({*(people.subjects or ())} & {*(models.subjects or ())})
    if both:
        raise errors.DataError(
            f"{what}: {first_few(both, show=repr)} {'is' if len(both) == 1 else 'are'} among the "
            "people and among the models; give each subject's votes once (Judgments.select)"
        )


def _shared_units(people: Ratings, models: Ratings, what: str) -> tuple[Ints, Ints, Bools]:
    """Unit of each vote of people, of each of models (-1: no person's), and which are shared."""
    columns = [pa.concat_arrays([people.units[name], models.units[name]]) for name in people.units]
    key = groups_of(columns)
    ours, theirs = key[: people.n_units], key[people.n_units :]
    place = np.full(int(key.max()) + 1, -1)
    place[ours] = np.arange(people.n_units)
    other = place[theirs][models.unit]
    shared = np.zeros(people.n_units, dtype=bool)
    shared[other[other >= 0]] = True
    if not shared.any():
        one, two = (
            ", ".join(f"{name} {rows.units[name][0].as_py()!r}" for name in rows.units)
            for rows in (people, models)
        )
        raise errors.DataError(
            f"{what}: people and models judged nothing in common (the first: {one}; {two}); "
            "check that ids are written alike"
        )
    return people.unit, np.asarray(other), shared


def _shared_values(
    people: Ratings, models: Ratings
) -> tuple[tuple[str, ...], tuple[Ints, Ints], Floats | None]:
    """Values of both: their names, the codes of everybody's votes, and grades if they are such."""
    names, grades = (*people.names, *models.names), None
    if people.grades is not None and models.grades is not None:
        both = np.concatenate((people.grades, models.grades))
        grades, code = np.unique(both, return_inverse=True)
        known = tuple(f"{grade:g}" for grade in grades.tolist())
    else:
        known = tuple(dict.fromkeys(names))
        number = {name: place for place, name in enumerate(known)}
        code = np.array([number[name] for name in names])
    codes, n = code.reshape(-1).astype(np.int64), len(people.names)
    return known, (codes[:n][people.value], codes[n:][models.value]), grades
