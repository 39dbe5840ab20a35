"""Votes of people and of model judges, from the files that a command line names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fuzzytruth.cli import table_options
from fuzzytruth.errors import DataError, OptionError, first_few, nearest, shown

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.data.judgments import Judgments


@dataclass(frozen=True, slots=True)
class JudgeFiles:
    """Where the votes of people and of judges are.

    Parameters
    ----------
    human : Path
    models : sequence of Path
        Of the judges, who are together; without a file they are among the subjects of `human`.
    taxonomy : Path or None
        Of votes for categories.
    how : TableOptions
    model_subjects : list of str or None
        Columns of the only one of `models`, which hold the answers of one judge each; None: as in
        `how`.
    people, judges : str or None
        Names of subjects; None: all.
    """

    human: Path
    models: Sequence[Path]
    taxonomy: Path | None
    how: table_options.TableOptions
    model_subjects: list[str] | None
    people: str | None
    judges: str | None

    def read(self) -> tuple[Any, Any]:
        """Votes of people and of judges."""
        if self.taxonomy is not None:
            return self._categories(self.taxonomy)
        if not self.models and self.people is None:
            raise OptionError(
                "MODEL: name the file of the judges, or say who of HUMAN are people: --people "
                "NAME,..."
            )
        from fuzzytruth.data.reading import read_judgments

        given = read_judgments(self.human, **self.how.given)
        theirs = given
        if self.models:
            read = [read_judgments(path, **self._how_model.given) for path in self.models]
            theirs = read[0] if len(read) == 1 else _together(read, self.models)
        given, theirs = self.how.rescaled(given, theirs)
        named = _names("--people", self.people)
        others = _names("--judges", self.judges)
        if not self.models and others is None:
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
        if not self.models or self.people is not None or self.judges is not None:
            raise OptionError(
                "--taxonomy: votes for categories by people and by judges are in a file each; give "
                "HUMAN and MODEL, without --people and --judges"
            )
        from fuzzytruth.data.assignment_files import read_assignments

        self.how.refuse("votes have categories, not grades; leave it out", "grades", "rescale")
        people, *read = (
            read_assignments(path, taxonomy=taxonomy, **how.given)
            for path, how in [(self.human, self.how), *((m, self._how_model) for m in self.models)]
        )
        return people, read[0] if len(read) == 1 else _together(read, self.models)


def _together(votes: list[Any], paths: Sequence[Path]) -> Any:
    """The votes of several files: of judgments, those without subjects are named as their file.

    Raises
    ------
    DataError
        A judge is in two files, or the files have different columns.
    """
    import pandas as pd

    frames = [_named(one, path) for one, path in zip(votes, paths, strict=True)]
    of: dict[str, Path] = {}
    for frame, path in zip(frames, paths, strict=True):
        for name in frame["subject"].unique():
            if name in of:
                raise DataError(
                    f"{path}: the judge {shown(name)} is in {of[name]}, too; give each judge's "
                    "votes once, under a name of its own"
                )
            of[name] = path
        if {*frame.columns} != {*frames[0].columns}:
            differing = sorted({*frame.columns} ^ {*frames[0].columns})
            raise DataError(
                f"{path}: {paths[0]} differs from it in having {first_few(differing)}; files of "
                "judges have the same columns"
            )
    rows, first = pd.concat(frames, ignore_index=True), votes[0]
    if hasattr(first, "taxonomy"):
        return type(first).from_frame(rows, taxonomy=first.taxonomy)
    return type(first).from_frame(rows)


def _named(votes: Any, path: Path) -> pd.DataFrame:
    """Votes as a frame with subjects; of one judge without a name, the file's."""
    frame: pd.DataFrame = votes.to_frame()
    if "subject" in frame:
        return frame
    if "count" in frame or hasattr(votes, "taxonomy"):
        raise DataError(f"{path}: names no judge; add a column of subjects")
    frame["subject"] = path.name.partition(".")[0]
    return frame


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
