"""Whom to leave out of scores: each subject, or groups of subjects whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Ints
from fuzzytruth.comparison.subject_groups import check_members
from fuzzytruth.core.cells import Cells
from fuzzytruth.errors import DataError, OptionError, require, shown

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores import Scores


@dataclass(frozen=True, slots=True, eq=False)
class LeftOut:
    """Units that are left out in turn.

    Parameters
    ----------
    names : tuple of str
    of_subject : (subjects,) int
        The unit of each subject.
    grouped : bool
        Whether groups were given.
    """

    names: tuple[str, ...]
    of_subject: Ints
    grouped: bool

    def __len__(self) -> int:
        return len(self.names)

    @property
    def sizes(self) -> Ints:
        """Subjects of each unit: (units,)."""
        return np.bincount(self.of_subject, minlength=len(self))


def people_apart(scores: Scores) -> Scores:
    """Scores in which a subject is one person: of nested ones, each pair of a query and a name.

    Raises
    ------
    DataError
        There are no subjects.
    """
    if scores.subjects is None:
        raise DataError(
            "subject_influence: these scores have no subjects; evaluate votes that name who "
            "judged with worlds='subject'"
        )
    if scores.design == "crossed":
        return scores
    cells = scores.cells
    pairs = zip(cells.query.tolist(), cells.subject_codes.tolist(), strict=True)
    names = tuple(f"{scores.subjects[s]} ({scores.queries[q]})" for q, s in pairs)
    n = len(cells)
    apart = Cells(cells.query, np.arange(n), cells.n_queries, n)
    return replace(scores, subjects=names, cells=apart)


def left_out(subjects: tuple[str, ...], groups: Mapping[Any, Any] | None) -> LeftOut:
    """The units that a mapping makes of the subjects; without one, each subject.

    Parameters
    ----------
    subjects : tuple of str
    groups : mapping of subject to group, or of group to subjects, or None
        Subjects in no group are units of their own.

    Raises
    ------
    OptionError
        It is no mapping, a name is of no subject, a subject is in two groups, or a group has the
        name of a subject that is in none.
    DataError
        There is a single unit.
    """
    if groups is None:
        found = LeftOut(subjects, np.arange(len(subjects)), grouped=False)
    else:
        require(
            "groups",
            groups,
            isinstance(groups, Mapping),
            "must be {subject: group} or {group: [subject, ...]}",
        )
        found = _grouped(subjects, _group_of(subjects, groups))
    if len(found) < 2:
        what = "they all are in one group" if len(subjects) > 1 else "there is a single one"
        raise DataError(
            f"subject_influence: leaving out a subject takes others that stay, and {what}, "
            f"{shown(found.names[0])}"
        )
    return found


def _group_of(subjects: tuple[str, ...], groups: Mapping[Any, Any]) -> dict[str, str]:
    """The group of each subject that has one."""
    out: dict[str, str] = {}
    for key, value in groups.items():
        several = isinstance(value, Iterable) and not isinstance(value, (str, bytes))
        members = [str(name) for name in value] if several else [str(key)]
        group = str(key) if several else str(value)
        for name in members:
            if out.setdefault(name, group) != group:
                raise OptionError(
                    f"groups: {shown(name)} is in {shown(out[name])} and in {shown(group)}; a "
                    "subject is in one group"
                )
    check_members(out, subjects)
    return out


def _grouped(subjects: tuple[str, ...], group_of: dict[str, str]) -> LeftOut:
    """Groups in the order of their first subject."""
    alone = [name for name in subjects if name not in group_of]
    both = set(group_of.values()).intersection(alone)
    if both:
        raise OptionError(
            f"groups: {shown(sorted(both)[0])} is the name of a group and of a subject in no "
            "group; give the group another name"
        )
    units = [group_of.get(name, name) for name in subjects]
    names = tuple(dict.fromkeys(units))
    code = {name: place for place, name in enumerate(names)}
    return LeftOut(names, np.array([code[unit] for unit in units]), grouped=True)
