"""Votes of people and of model judges, from the files that a command line names."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fuzzytruth.cli import table_options
from fuzzytruth.errors import DataError, OptionError, first_few, nearest, shown

if TYPE_CHECKING:
    from fuzzytruth.data.judgments import Judgments


@dataclass(frozen=True, slots=True)
class JudgeFiles:
    """Where the votes of people and of judges are.

    Parameters
    ----------
    human : Path
    model : Path or None
        None: judges are among the subjects of `human`.
    taxonomy : Path or None
        Of votes for categories.
    how : TableOptions
    model_subjects : list of str or None
        Columns of `model` that hold the answers of one judge each; None: as in `how`.
    people, judges : str or None
        Names of subjects; None: all.
    """

    human: Path
    model: Path | None
    taxonomy: Path | None
    how: table_options.TableOptions
    model_subjects: list[str] | None
    people: str | None
    judges: str | None

    def read(self) -> tuple[Any, Any]:
        """Votes of people and of judges."""
        if self.taxonomy is not None:
            return self._categories(self.taxonomy)
        if self.model is None and self.people is None:
            raise OptionError(
                "MODEL: name the file of the judges, or say who of HUMAN are people: --people "
                "NAME,..."
            )
        from fuzzytruth.data.reading import read_judgments

        given = read_judgments(self.human, **self.how.given)
        theirs = (
            given if self.model is None else read_judgments(self.model, **self._how_model.given)
        )
        named = _names("--people", self.people)
        others = _names("--judges", self.judges)
        if self.model is None and others is None:
            others = [name for name in theirs.subjects or () if name not in (named or ())]
            if not others:
                raise DataError(
                    f"{self.human}: all of its subjects are people; name the file of the judges"
                )
        return _selected(given, named, "--people"), _selected(theirs, others, "--judges")

    @property
    def _how_model(self) -> table_options.TableOptions:
        """How to read the file of the judges."""
        columns = table_options.names_of("--model-subjects", self.model_subjects)
        return replace(self.how, subjects=columns or self.how.subjects)

    def _categories(self, taxonomy: Path) -> tuple[Any, Any]:
        """Votes for categories, from a file each."""
        if self.model is None or self.people is not None or self.judges is not None:
            raise OptionError(
                "--taxonomy: votes for categories by people and by judges are in a file each; give "
                "HUMAN and MODEL, without --people and --judges"
            )
        from fuzzytruth.data.assignment_files import read_assignments

        self.how.refuse("votes have categories, not grades; leave it out", "grades")
        return (
            read_assignments(self.human, taxonomy=taxonomy, **self.how.given),
            read_assignments(self.model, taxonomy=taxonomy, **self._how_model.given),
        )


def _names(flag: str, text: str | None) -> list[str] | None:
    return None if text is None else list(table_options.names_of(flag, [text]))


def _selected(votes: Judgments, names: list[str] | None, flag: str) -> Judgments:
    """The judgments of some subjects."""
    for name in names or ():
        if name not in (votes.subjects or ()):
            known = votes.subjects or ()
            raise OptionError(
                f"{flag} {shown(name)}: is not among the subjects, {first_few(known)}"
                f"{nearest(name, known)}"
            )
    return votes if names is None else votes.select(subjects=names)
