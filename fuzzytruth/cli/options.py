"""Values of options as typed, and what the shell offers for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import typer

from fuzzytruth.cli.typed_words import naming
from fuzzytruth.errors import MeasureError, OptionError, shown

if TYPE_CHECKING:
    from fuzzytruth.data.assessor_files import Files
    from fuzzytruth.data.assignments import Assignments
    from fuzzytruth.data.judgments import Judgments

_NUMBER = r"[-+]?[\d.]+(?:=[-+]?[\d.]+)?"  # or a gain, as in trec_eval's ndcg.1=3.5,2=9
_BETWEEN_MEASURES = re.compile(rf",(?![^()]*\))(?!\s*{_NUMBER}\s*(?:,|$))")

# What the shell offers for the values of options.


AXES = ("query", "subject", "world", "replicate")


def complete_measures(incomplete: str) -> list[str]:
    """Measures whose names start so; after a comma, of the last one.

    Examples
    --------
    >>> complete_measures("AP,nD")
    ['AP,nDCG', 'AP,nDCG@']
    """
    from fuzzytruth.measures import registry

    before, last = _parts(incomplete)
    names = [name for name in registry.names() if name.startswith(last)]
    return [before + typed for name in sorted(names, key=str.lower) for typed in _spelled(name)]


def _spelled(name: str) -> list[str]:
    """A measure as one may type it, without cut-off and with one, which may be left to the user."""
    from fuzzytruth.measures import parse_measures, registry

    entry = registry.lookup(name)
    cutoff = "none" if entry is None else entry[0].cutoff_use
    spelled = []
    for text in {"required": [f"{name}@10"], "optional": [name], "none": [name]}[cutoff]:
        with suppress(MeasureError):  # it has parameters that have to be named
            parse_measures([text])
            spelled.append(text)
    return spelled if cutoff == "none" else [*spelled, f"{name}@"]


def complete_corrections(incomplete: str) -> list[str]:
    """Corrections whose names start so: those of their own, then methods of statsmodels."""
    from fuzzytruth.stats.multiplicity import CORRECTIONS

    names = ("max-t", "sign-flips", "none", *CORRECTIONS)
    return [name for name in names if name.startswith(incomplete)]


def complete_axes(incomplete: str) -> list[str]:
    """Axes that start so and are not named yet; after a comma, of the last one.

    Examples
    --------
    >>> complete_axes("query,")
    ['query,subject', 'query,world', 'query,replicate']
    """
    before, last = _parts(incomplete)
    named = before.split(",")
    return [before + axis for axis in AXES if axis.startswith(last) and axis not in named]


def _parts(incomplete: str) -> tuple[str, str]:
    """What is complete, up to the last comma, and what is not."""
    at = incomplete.rfind(",") + 1
    return incomplete[:at], incomplete[at:]


def axes_of(text: str) -> list[str]:
    """Axes as typed, separated by commas: ``query,subject``."""
    return [axis.strip() for axis in text.split(",")]


def number_or_auto(text: str | int) -> int | str:
    """A number of worlds as typed, or its default."""
    try:
        return text if text == "auto" else int(text)
    except ValueError:
        raise typer.BadParameter(f"must be a whole number or auto, not {text!r}") from None


def whole_numbers(text: str) -> list[int]:
    """Whole numbers as typed, separated by commas: ``40,80,120``."""
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise typer.BadParameter(
            f"must be whole numbers separated by commas, such as 40,80,120, not {text!r}"
        ) from None


def threshold_or_thresholds(text: str) -> float | dict[str, float]:
    """A threshold as typed, or one for each subject: ``3``, ``ann=3,bob=1``."""
    return _by_name(text, text.split(","), "subject", "ann=3,bob=1")


def margin_or_margins(text: str) -> float | dict[str, float]:
    """A margin as typed, or one for each measure.

    Examples
    --------
    >>> margin_or_margins(".01"), margin_or_margins("AP=.01,P(rel=2)@10=.02")
    (0.01, {'AP': 0.01, 'P(rel=2)@10': 0.02})
    """
    return _by_name(text, split_measures([text]), "measure", "AP=.01,P@10=.02")


def _by_name(text: str, parts: Iterable[str], named: str, example: str) -> float | dict[str, float]:
    """A number as typed, or one by each name."""

    def number(typed: str) -> float:
        try:
            return float(typed)
        except ValueError:
            raise typer.BadParameter(
                f"must be a number, or {example} for each {named}, not {typed!r}"
            ) from None

    if "=" not in text:
        return number(text)
    pairs = [part.rpartition("=") for part in parts]
    names = [name.strip() for name, _, _ in pairs]
    if not all(names) or len(set(names)) < len(names):
        raise typer.BadParameter(f"must name each {named} once, {example}, not {text!r}")
    return {name: number(value) for name, (_, _, value) in zip(names, pairs, strict=True)}


def split_measures(texts: Iterable[str]) -> list[str]:
    """Split at commas outside parentheses that no number follows, such as a second cut-off.

    Examples
    --------
    >>> split_measures(["AP,P(rel=2,)@5", "RR,P.5,10,11pt_avg"])
    ['AP', 'P(rel=2,)@5', 'RR', 'P.5,10', '11pt_avg']
    """
    parts = [part.strip() for text in texts for part in _BETWEEN_MEASURES.split(text)]
    return [part for part in parts if part]


# Tables with named columns: whose columns they are, and what the answers mean.


def scale_of(text: str) -> tuple[float, float]:
    """Lowest and highest grade as typed.

    Examples
    --------
    >>> scale_of("0,3")
    (0.0, 3.0)
    """
    low, _, high = text.partition(",")
    try:
        return float(low), float(high)
    except ValueError:
        raise typer.BadParameter(f"must be LOW,HIGH, such as 0,3, not {text!r}") from None


def scales_of(text: str) -> tuple[float, float] | dict[str, tuple[float, float]]:
    """A scale as typed, or one for each subject; of none, each subject's own.

    Examples
    --------
    >>> scales_of("ann=0:3,bob=0:1"), scales_of("own")
    ({'ann': (0.0, 3.0), 'bob': (0.0, 1.0)}, {})
    """
    if text == "own":
        return {}
    if "=" not in text:
        return scale_of(text)
    pairs = [part.rpartition("=") for part in text.split(",")]
    return {name.strip(): scale_of(ends.replace(":", ",")) for name, _, ends in pairs}


#: a comma before the next NAME=, for a column's name may hold commas
_NEXT_NAME = re.compile(r",(?=\s*[\w -]+=)")


@dataclass(frozen=True, slots=True)
class TableOptions:
    """How to read a table; the fields are arguments of the readers of the library.

    Parameters
    ----------
    columns : dict or None
        {name of the library: column of the user}.
    grades : dict or None
        {word: grade}.
    drop : tuple
        Answers that are none; an empty one stands for missing ones, too.
    subjects : tuple of str
        Columns of one subject each.
    rescale : (low, high), dict or None
        Scales of the grades that were read, which become shares of them.
    duplicate_votes : str or None
        What becomes of several votes of one person on one item.
    """

    columns: dict[str, str] | None = None
    grades: dict[str, float] | None = None
    drop: tuple[str | None, ...] = ()
    subjects: tuple[str, ...] = ()
    rescale: Any = None
    duplicate_votes: str | None = None

    @classmethod
    def from_options(
        cls,
        columns: Iterable[str] | None = None,
        grades: Iterable[str] | None = None,
        drop: Iterable[str] | None = None,
        subjects: Iterable[str] | None = None,
        rescale: Any = None,
        duplicate_votes: str | None = None,
    ) -> Self:
        """From the options as typed."""
        return cls(
            columns_of("--columns", columns),
            grades_of(grades),
            dropped(drop),
            names_of("--subjects", subjects),
            rescale,
            None if duplicate_votes == "error" else duplicate_votes,
        )

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """From the options of a command."""
        return cls.from_options(*(given.get(name) for name in cls.__slots__))

    @property
    def typed(self) -> dict[str, Any]:
        """Those that were typed."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in fields.items() if value not in (None, ())}

    @property
    def given(self) -> dict[str, Any]:
        """Those that the readers take."""
        given = {name: value for name, value in self.typed.items() if name != "rescale"}
        duplicates = given.pop("duplicate_votes", None)
        return given if duplicates is None else {**given, "duplicates": duplicates}

    def read(self, reader: Callable[..., Any], path: Files, **more: Any) -> Any:
        """What a reader of votes makes of a path as typed; --duplicates is of runs."""
        with naming(duplicates="--duplicate-votes", subjects="--subjects"):
            return reader(files_of(path), **more, **self.given)

    def judgments(self, path: Files, *, groups: Any = None) -> Judgments:
        """Read judgments, their grades rescaled."""
        from fuzzytruth.data.reading import read_judgments

        return self.rescaled(self.read(read_judgments, path, groups=groups))[0]

    def votes(self, path: Files, *, groups: Any = None) -> Any:
        """Read judgments, their grades rescaled, or votes without queries."""
        from fuzzytruth.data.judgments import Judgments
        from fuzzytruth.data.votes_without_queries import read_votes

        read = self.read(read_votes, path, groups=groups)
        if isinstance(read, Judgments):
            return self.rescaled(read)[0]
        self.refuse("votes have categories, not grades; leave it out", "rescale")
        return read

    def assignments(
        self, path: Files, taxonomy: Path | None, asked: Path | None = None, ids: Any = (None, None)
    ) -> Any:
        """Read votes for categories, which have no grades; their counts, or soft labels.

        `ids` are those of the rows and columns of matrices.
        """
        from fuzzytruth.data.assignments import read_assignments
        from fuzzytruth.data.votes_without_queries import read_numbers

        self.refuse("votes have categories, not grades; leave it out", "grades", "rescale")
        if isinstance(path, (str, Path)) and Path(path).is_file():
            names = dict(zip(("items", "categories"), ids, strict=True))
            numbers = read_numbers(path, taxonomy=taxonomy, columns=self.columns, **names)
            if numbers is not None:
                why = f"{path} has numbers of items and categories; leave it out"
                self.refuse(why, "drop", "subjects", "duplicate_votes")
                return numbers
        votes: Assignments = self.read(read_assignments, path, taxonomy=taxonomy, asked=asked)
        return votes

    def rescaled(self, *votes: Judgments) -> list[Judgments]:
        """Several judgments, grades as shares of their scales if that was typed."""
        from fuzzytruth.data.grading import split_by_subject

        if self.rescale is None:
            return [*votes]
        scales = split_by_subject("scales", self.rescale, *(each.subjects or () for each in votes))
        return [each.rescaled(own or None) for each, own in zip(votes, scales, strict=True)]

    def refuse(self, why: str, *names: str) -> None:
        """Raise if one of these options, by default any, was typed."""
        wrong = [f"--{name.replace('_', '-')}" for name in self.typed if not names or name in names]
        if wrong:
            raise OptionError(f"{', '.join(wrong)}: {why}")


def parts_of(text: str) -> list[str]:
    """The parts of NAME=FILE,NAME=FILE; a comma of a file's name separates none."""
    return re.split(r",(?=[^,=/]+=)", text)


def files_of(path: Files) -> Files:
    """Votes as typed: one file, a pattern or a folder, or a file of each assessor.

    Examples
    --------
    >>> files_of("ann=a.qrels,gpt-4.1=b.qrels"), files_of("votes.csv")
    ({'ann': 'a.qrels', 'gpt-4.1': 'b.qrels'}, 'votes.csv')
    """
    if not isinstance(path, (str, Path)) or Path(path).exists():
        return path
    files = str(path).split(",")
    are_files = [Path(file).is_file() for file in files]
    if len(files) > 1 and (all(are_files) or (any(are_files) and "=" not in str(path))):
        return files
    if "=" not in str(path):
        return path
    out: dict[str, str] = {}
    for part in parts_of(str(path)):
        name, equals, file = (text.strip() for text in part.partition("="))
        if not (name and equals and file) or ("," in file and not Path(file).exists()):
            raise OptionError(f"{path}: write NAME=FILE,NAME=FILE, a name for each assessor")
        if name in out:
            raise OptionError(
                f"{path}: the name {shown(name)} is given twice, to {out[name]} and to {file}; "
                "change one"
            )
        out[name] = file
    return out


def columns_of(flag: str, texts: Iterable[str] | None) -> dict[str, str] | None:
    """Columns by NAME of NAME=COLUMN; None if there are none.

    Examples
    --------
    >>> columns_of("--columns", ["query=topic_no,grade=Rating, 0-3", "subject=who"])
    {'query': 'topic_no', 'grade': 'Rating, 0-3', 'subject': 'who'}
    """
    pairs = [part.partition("=") for text in texts or () for part in _NEXT_NAME.split(text)]
    out = {name.strip(): own for name, _, own in pairs}
    for name, equals, own in pairs:
        if not (name.strip() and equals and own):
            raise OptionError(
                f"{flag} {shown(name + equals + own)}: write NAME=COLUMN, first our name, then "
                "that of your table, such as query=topic_no"
            )
    if len(out) < len(pairs):
        raise OptionError(f"{flag}: names a column twice; keep one")
    return out or None


def grades_of(texts: Iterable[str] | None) -> dict[str, float] | None:
    """Grades by word, from WORD=GRADE; None if there are none.

    Examples
    --------
    >>> grades_of(["relevant=1,not relevant=0"])
    {'relevant': 1.0, 'not relevant': 0.0}
    """
    out: dict[str, float] = {}
    for part in (part for text in texts or () for part in text.split(",")):
        word, equals, number = part.rpartition("=")
        try:
            grade = float(number)
        except ValueError:
            equals = ""
        if not (word and equals):
            raise OptionError(
                f"--grades {shown(part)}: write WORD=GRADE, such as relevant=1,not_relevant=0"
            )
        if word in out:
            raise OptionError(f"--grades: {shown(word)} is given twice; keep one")
        out[word] = grade
    return out or None


def dropped(texts: Iterable[str] | None) -> tuple[str | None, ...]:
    """Answers to leave out; an empty text stands for missing answers, too."""
    typed = tuple(texts or ())
    return (*typed, None) if "" in typed else typed


def names_of(flag: str, texts: Iterable[str] | None) -> tuple[str, ...]:
    """Names separated by commas."""
    names = tuple(name.strip() for text in texts or () for name in text.split(","))
    if not all(names):
        raise OptionError(f"{flag}: a name is empty; write them separated by commas, ann,bob")
    return names
