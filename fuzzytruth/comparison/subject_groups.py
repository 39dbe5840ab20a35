"""Groups of subjects, as users name them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Bools
from fuzzytruth.errors import (
    OptionError,
    SubjectWarning,
    counted,
    first_few,
    nearest,
    require,
    shown,
    warn,
)
from fuzzytruth.io.columns import check_text

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores.scores import Scores


@dataclass(frozen=True, slots=True)
class SubjectGroups:
    """Which subjects are in each group.

    Parameters
    ----------
    names : tuple of str
        In the order in which they were first named.
    members : tuple of tuple of str
        The subjects of each, in the order of the scores.
    """

    names: tuple[str, ...]
    members: tuple[tuple[str, ...], ...]

    def chosen(self, scores: Scores) -> list[Bools]:
        """For each group, the cells of its subjects: (cells,) each."""
        assert scores.subjects is not None
        code = scores.cells.subject_codes
        return [
            np.isin(scores.subjects, members)[code]  # (subjects,) → (cells,)
            for members in self.members
        ]


def subject_groups(scores: Scores, groups: Mapping[Any, Any]) -> SubjectGroups:
    """The groups of a mapping of subject to group.

    Raises
    ------
    OptionError
        The scores have no subjects, or nested ones; a name is of no subject; or there are fewer
        than two groups.

    Warns
    -----
    SubjectWarning
        Subjects are in no group.
    """
    if scores.subjects is None:
        raise OptionError(
            "groups: these scores have no subjects; evaluate with worlds='subject', which keeps "
            "each subject's truth apart"
        )
    if scores.design == "nested":
        raise OptionError(
            "groups: the subjects are nested in queries, a name being another person in another "
            "query, and cannot be in one group; groups are of crossed subjects"
        )
    require("groups", groups, isinstance(groups, Mapping), "must be {subject: group}")
    named = _named(scores.subjects, groups)
    members: dict[str, list[str]] = {name: [] for name in named.values()}
    for subject in scores.subjects:
        if subject in named:
            members[named[subject]].append(subject)
    if len(members) < 2:
        what = (
            f"all subjects are in group {shown(next(iter(members)))}"
            if members
            else "no subject is in any"
        )
        raise OptionError(f"groups: {what}; a comparison takes two groups or more")
    _warn_of_others(len(scores.subjects) - len(named))
    return SubjectGroups(tuple(members), tuple(map(tuple, members.values())))


def _named(subjects: tuple[str, ...], groups: Mapping[Any, Any]) -> dict[str, str]:
    """Group of each subject that has one, in the order of the mapping."""
    given = {str(subject): group for subject, group in groups.items()}
    check_members(given, subjects)
    order = list(given)
    texts = check_text(
        list(given.values()), "groups", lambda row: f"groups, subject {shown(order[row])}"
    )
    return {subject: name for subject, name in zip(order, texts.to_pylist(), strict=True) if name}


def check_members(names: Iterable[str], subjects: tuple[str, ...]) -> None:
    """Raise `OptionError` unless all names in groups are those of subjects."""
    known = set(subjects)
    unknown = [name for name in names if name not in known]
    if unknown:
        raise OptionError(
            f"groups: {first_few(unknown, show=shown)} "
            f"{'is no subject' if len(unknown) == 1 else 'are no subjects'} of these scores"
            f"{nearest(unknown[0], subjects)}"
        )


def _warn_of_others(others: int) -> None:
    """Say how many subjects are left out."""
    if others:
        one, many = "subject is in no group and left out", "subjects are in no group and left out"
        warn(f"groups: {counted(others, one, many)}", SubjectWarning)
