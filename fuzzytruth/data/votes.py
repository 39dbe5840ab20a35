"""Votes: which categories each subject gave to each item, as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from fuzzytruth import errors
from fuzzytruth._lazy import pa, pd
from fuzzytruth._typing import U64, Floats, Ints
from fuzzytruth.core.arithmetic import ragged, run_lengths
from fuzzytruth.core.checksums import bits_of, checksum, digest, row_keys, set_keys, total
from fuzzytruth.core.shares import GroupedBallots, LabelSets, group_ballots
from fuzzytruth.data.grading import groups_of, numbered_within, one_row_each
from fuzzytruth.data.taxonomy import Taxonomy
from fuzzytruth.errors import counted, first_few, is_among, shown
from fuzzytruth.io.columns import Locate, locate_by_row, located, refuse_repeats, string_array
from fuzzytruth.io.ids import encode, hash_ids, take
from fuzzytruth.io.numbers import check_columns, check_weights
from fuzzytruth.show.answer import Column, Parts, Result, Table
from fuzzytruth.show.answer_rows import FIRST_ROWS, first_rows_table, short_id

_MOST_CATEGORIES = _MOST_NAMES = 8  # that are printed


@dataclass(frozen=True, slots=True, eq=False)
class Repeats:
    """Which of a subject's repeated judgments of an item each ballot is.

    Parameters
    ----------
    ids : Arrow array of strings
        The ids of the repetitions, in order of first appearance.
    code : (ballots,) int
        Index into `ids`.
    weight : (ballots,) float
        Weight of the subject for the item, which the ballots of the two share equally.
    """

    ids: pa.LargeStringArray
    code: Ints
    weight: Floats


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Votes(Result):
    """The arrays of `Assignments`: one ballot for each (subject, item), or for each repetition.

    Without subjects, one ballot for each item and category with votes; its weight is the number of
    votes (`are_counts`), or else a probability.
    """

    taxonomy: Taxonomy
    items: pa.LargeStringArray
    subjects: pa.LargeStringArray | None
    item: Ints
    subject: Ints
    label_set: Ints
    weight: Floats
    sets: LabelSets
    asked: GroupedBallots | None = None
    repeats: Repeats | None = None
    are_counts: bool = False

    def __len__(self) -> int:
        return int(self.weight.sum()) if self.are_counts else len(self.item)

    @property
    def sizes(self) -> str:
        """Numbers of votes, items, subjects and categories, in words."""
        sizes = {
            "probability" if self.subjects is None and not self.are_counts else "vote": len(self),
            "item": len(self.items),
        }
        if self.subjects is not None:
            sizes["subject"] = len(self.subjects)
        listed = [*(counted(n, one) for one, n in sizes.items()), self.taxonomy.size_text]
        if undecided := self._n_undecided:
            listed.append(f"{undecided:,} for the root only")
        notes = {
            "no names": self.subjects is None,
            "only some asked": self.asked is not None,
            "with repeats": self.repeats is not None,
        }
        return ", ".join(listed + [note for note, holds in notes.items() if holds])

    @property
    def _n_undecided(self) -> int:
        """Votes for the root alone, which say nothing; 0 where subjects were asked about it."""
        if self.asked is not None or (self.subjects is None and not self.are_counts):
            return 0
        alone = np.flatnonzero(np.diff(self.sets.offsets) == 1)
        alone = alone[self.sets.label[self.sets.offsets[alone]] == 0]
        which = np.isin(self.label_set, alone)
        return int(self.weight[which].sum() if self.are_counts else which.sum())

    _more: ClassVar[str] = ".membership(), .taxonomy, .by_example(), .by_item()"

    def _title(self) -> str:
        return f"{type(self).__name__}: {self.sizes}"

    def _parts(self) -> Parts:
        """Who voted, what for, and the first votes."""
        names = self.subject_names
        yield "" if names is None else f"Subjects: {first_few(map(short_id, names), _MOST_NAMES)}"
        yield self._categories()
        frame = self.rows(slice(0, FIRST_ROWS)).head(FIRST_ROWS)
        if "weight" in frame and (frame["weight"] == 1).all():
            del frame["weight"]
        n_rows = int(np.diff(self.sets.offsets)[self.label_set].sum())
        yield first_rows_table({str(n): frame[n] for n in frame}, n_rows, rest=".to_frame()")

    def _categories(self) -> Table:
        """The categories that were named most often."""
        ballot, member = ragged(self.sets.offsets, self.label_set)
        nodes, label = self.taxonomy.nodes, self.sets.label[member]
        weight = np.bincount(label, weights=self.weight[ballot], minlength=len(nodes))
        named, total = int((weight > 0).sum()), float(weight.sum())
        order = np.argsort(-weight, kind="stable")[: min(named, _MOST_CATEGORIES)]
        of = f"the first {_MOST_CATEGORIES} of the " if named > _MOST_CATEGORIES else ""
        return Table(
            (
                Column.label("category", (short_id(nodes[c]) for c in order)),
                Column("votes", tuple(f"{weight[c]:,.6g}" for c in order)),
                Column("share", tuple(f"{weight[c] / total:.3f}" for c in order)),
            ),
            f"Votes by category, {of}{named:,} that were voted for",
        )

    @property
    def subject_names(self) -> tuple[str, ...] | None:
        """Names of the subjects, in order of first appearance; None where nobody is named."""
        return None if self.subjects is None else tuple(self.subjects.to_pylist())

    def named(self, what: str) -> pa.LargeStringArray:
        """The subjects.

        Raises
        ------
        DataError
            Nobody is named; `what` needs it and begins the message.
        """
        if self.subjects is None:
            given = "counts of votes" if self.are_counts else "probabilities"
            raise errors.DataError(
                f"{what}: these are {given} without names; give votes with a column that names "
                "who voted"
            )
        return self.subjects

    def categorisation(self, subject: str) -> dict[str, Any]:
        """The crisp truth of one subject: {item: category}, or a tuple of several categories.

        Raises
        ------
        OptionError
            There is no such subject.
        DataError
            Nobody is named, or the subject judged an item repeatedly.
        """
        names = self.named("categorisation").to_pylist()
        if not is_among(subject, names):
            known = f"{errors.nearest(str(subject), names)}: {first_few(names, 10)}"
            raise errors.OptionError(f"subject {shown(subject)} is not among the subjects{known}")
        rows = np.flatnonzero(self.subject == names.index(subject))
        again = np.flatnonzero(np.diff(self.item[rows]) == 0)
        if len(again):
            item = self.items[int(self.item[rows[again[0]]])].as_py()
            raise errors.DataError(
                f"categorisation: subject {subject!r} judged item {shown(item)} repeatedly, so "
                "that there is no single category; take the votes of one repetition"
            )
        items = take(self.items, self.item[rows]).to_pylist()
        categories = self.set_names()
        return {i: categories[s] for i, s in zip(items, self.label_set[rows].tolist(), strict=True)}

    def set_names(self) -> list[Any]:
        """The category of each label set, or a tuple of categories unless it has exactly one."""
        nodes, sets = self.taxonomy.nodes, self.sets
        bounds = zip(sets.offsets[:-1].tolist(), sets.offsets[1:].tolist(), strict=True)
        members = [tuple(nodes[c] for c in sets.label[a:b].tolist()) for a, b in bounds]
        return [m[0] if len(m) == 1 else m for m in members]

    def to_frame(self) -> pd.DataFrame:
        """One row a vote: subject, item, category, weight and, if there are any, repeat.

        Without names: item, category, and count or probability.
        """
        return self.rows(slice(None))

    def rows(self, ballots: slice) -> pd.DataFrame:
        """The rows of `to_frame` of some ballots."""
        ballot, member = ragged(self.sets.offsets, self.label_set[ballots])
        ballot = np.arange(len(self.item))[ballots][ballot]
        columns: dict[str, Any] = {
            "item": take(self.items, self.item[ballot]).to_pylist(),
            "category": np.array(self.taxonomy.nodes, dtype=object)[self.sets.label[member]],
        }
        if self.subjects is None:
            weight = self.weight[ballot].astype(np.int64 if self.are_counts else np.float64)
            return pd.DataFrame(columns | {"count" if self.are_counts else "probability": weight})
        names = take(self.subjects, self.subject[ballot]).to_pylist()
        repeats = self.repeats
        if repeats is None:
            return pd.DataFrame({"subject": names, **columns, "weight": self.weight[ballot]})
        columns |= {
            "weight": repeats.weight[ballot],
            "repeat": take(repeats.ids, repeats.code[ballot]).to_pylist(),
        }
        return pd.DataFrame({"subject": names, **columns})


#: answers that say that there is none
_NO_ANSWERS = frozenset(
    {"na", "n/a", "nan", "none", "null", "skip", "skipped", "unsure", "unknown", "can't say"}
    | {"cannot say", "can't tell", "don't know", "dont know", "no answer", "?", "-"}
)


@dataclass(frozen=True, slots=True, eq=False)
class VoteColumns:
    """Checked columns of votes, or of the questions that subjects were asked."""

    subject: pa.LargeStringArray
    item: pa.LargeStringArray
    category: pa.LargeStringArray
    locate: Locate
    repeat: pa.LargeStringArray | None = None

    @classmethod
    def of(cls, columns: dict[str, Any], where: str, locate: Locate | None) -> VoteColumns:
        """Check columns, which must be of equal length and not empty."""
        locate = locate_by_row(where) if locate is None else locate
        names = ("subject", "item", "category")
        if not isinstance(columns, Mapping) or not {*names} <= columns.keys():
            raise errors.DataError(f"{where}={shown(columns)}: must be {{name: column}} of {names}")
        given = {name: columns.get(name) for name in (*names, "repeat")}
        checked = check_columns(given, where, locate, empty="there are no votes in it")
        return cls(**checked, locate=locate)

    def labels(self, taxonomy: Taxonomy) -> Ints:
        """The code of the category of each row."""
        return taxonomy.codes(self.category, where=self.locate, column="category")

    def weights(self, given: Any) -> Floats:
        """The weight of each row, 1 by default; one that is not above 0 is a `DataError`."""
        n_rows = len(self.item)
        if given is None:
            return np.ones(n_rows)
        hint = "; leave out the votes that do not count"
        weight = check_weights(given, "weight", self.locate, above_0=True, hint=hint)
        if len(weight) != n_rows:
            raise errors.DataError(
                f"{self.locate(0)}: {counted(len(weight), 'weight')} for {counted(n_rows, 'vote')}"
            )
        return weight

    def once(self, duplicates: str, where: str) -> tuple[VoteColumns, Ints]:
        """One vote of a subject on an item, or each a repetition; the rows that are kept."""
        ids = [self.subject, self.item, *([] if self.repeat is None else [self.repeat])]
        group = groups_of(ids)
        every = np.arange(len(group))
        if duplicates == "repeat":
            rule = "there is a column 'repeat' already; leave one of the two out"
            errors.require("duplicates", duplicates, self.repeat is None, rule)
            repeated = len(np.unique(group)) < len(group)
            return (replace(self, repeat=numbered_within(group)) if repeated else self), every
        rows = one_row_each(group, "last" if duplicates == "last" else "first", where)
        kept = {
            name: None if (column := getattr(self, name)) is None else take(column, rows)
            for name in ("subject", "item", "category", "repeat")
        }
        return replace(self, **kept, locate=located(self.locate, rows)), rows

    def check_duplicates(self) -> None:
        """Raise if a row occurs twice."""
        columns = {"subject": self.subject, "item": self.item, "category": self.category}
        which, remedy = "", "remove one, or name the repetition in a column 'repeat'"
        if self.repeat is not None:
            columns["repeat"] = self.repeat
            which, remedy = " in repeat {repeat}", "remove one"
        remedy += "; or say which counts: duplicates='first' (or 'last', 'repeat')"
        text = "subject {subject} gives item {item} the category {category} twice"
        refuse_repeats(columns, self.locate, f"{text}{which} (first: {{first}}); {remedy}")


def check_taxonomy(given: Any) -> None:
    """Raise unless this is a taxonomy, or None."""
    if given is not None and not isinstance(given, Taxonomy):
        raise errors.OptionError(
            f"taxonomy={shown(given)}: must be a Taxonomy, not a {type(given).__name__}; make one "
            "with Taxonomy.from_children({parent: [child, ...]}) or read_taxonomy(path)"
        )


def flat_taxonomy(votes: VoteColumns, asked: VoteColumns | None) -> Taxonomy:
    """The labels that occur, sorted, as categories without any order."""
    labels = set(votes.category.unique().to_pylist())
    if asked is not None:
        labels.update(asked.category.unique().to_pylist())
    _report_labels(sorted(labels))
    return Taxonomy.flat(sorted(labels))


def _report_labels(labels: list[str]) -> None:
    """Warn of labels that may be no categories, or one category written in two ways."""
    none = [label for label in labels if label.strip().lower() in _NO_ANSWERS]
    if none:
        errors.warn(
            f"read as categories: {first_few(none, show=shown)}; if they are no answers, leave "
            f"them out: drop={none!r}",
            errors.LabelWarning,
        )
    spelt: dict[str, list[str]] = {}
    for label in labels:
        spelt.setdefault(" ".join(label.split()).lower(), []).append(label)
    alike = [names for names in spelt.values() if len(names) > 1]
    if alike:
        errors.warn(
            f"read as different categories: {' and '.join(map(shown, alike[0]))}"
            f"{f' (and {len(alike) - 1:,} more such)' if len(alike) > 1 else ''}; they differ only "
            "in case or blanks, so write them in one way",
            errors.LabelWarning,
        )


V = TypeVar("V", bound=Votes)
if TYPE_CHECKING:
    #: the code of each row, and what is coded
    Coded = tuple[NDArray[np.integer], pa.LargeStringArray]


def check_one_weight(
    ballots: GroupedBallots, coded_items: Coded, coded_subjects: Coded, weight: Floats
) -> None:
    """Raise unless all categories that one subject gave to one item have the same weight."""
    if (weight == weight[0]).all():
        return
    (item, items), (subject, subjects) = coded_items, coded_subjects
    n_subjects = len(subjects)
    key = ballots.item * n_subjects + ballots.subject
    ballot = np.searchsorted(key, item.astype(np.int64) * n_subjects + subject)
    differs = np.flatnonzero(weight != weight[ballots.first_row][ballot])
    if len(differs):
        row = int(differs[0])
        ballot_weight = weight[ballots.first_row[ballot[row]]]
        raise errors.DataError(
            f"votes: subject {shown(subjects[int(subject[row])].as_py())} gives item "
            f"{shown(items[int(item[row])].as_py())} several categories with different weights "
            f"({ballot_weight:g} and {weight[row]:g}); they are one ballot "
            "and need one weight"
        )


# Votes for categories, row by row, grouped into ballots.


def group_votes(
    kind: type[V],
    taxonomy: Taxonomy,
    items: Coded,
    subjects: Coded,
    label: Ints,
    weight: Floats,
    *,
    asked: GroupedBallots | None = None,
    repeats: Coded | None = None,
) -> V:
    """Group rows of an item, a subject and a label, given as codes, into ballots."""
    repeat, repeat_ids = (0, [""]) if repeats is None else repeats
    n_repeats = len(repeat_ids)
    voter = subjects[0].astype(np.int64) * n_repeats + repeat
    ballots = group_ballots(items[0].astype(np.int64), voter, label)
    who, which = np.divmod(ballots.subject, n_repeats)
    ballots = replace(ballots, subject=who)
    check_one_weight(ballots, items, subjects, weight)
    weights, repetitions = weight[ballots.first_row], None
    if repeats is not None:
        repetitions = Repeats(repeats[1], which, weights)
        weights = weights / run_lengths(ballots.item * len(subjects[1]) + who)
    of_ballots = (ballots.item, who, ballots.label_set, weights, ballots.sets)
    return kind(taxonomy, items[1], subjects[1], *of_ballots, asked, repetitions)


def group_asked_votes(
    kind: type[V],
    votes: VoteColumns,
    label: Ints,
    weight: Floats,
    asked: VoteColumns,
    taxonomy: Taxonomy,
) -> V:
    """Group votes into ballots; whoever was asked has one, possibly empty."""
    asked_label = asked.labels(taxonomy)
    n_asked = len(asked_label)
    item_codes, items = encode(pa.concat_arrays([asked.item, votes.item]))
    subject_codes, subjects = encode(pa.concat_arrays([asked.subject, votes.subject]))
    item, subject = item_codes.astype(np.int64), subject_codes.astype(np.int64)
    ballots = group_ballots(item[:n_asked], subject[:n_asked], asked_label)
    pairs = item * len(subjects) + subject
    triples = pairs * len(taxonomy)
    unasked = np.flatnonzero(~np.isin(triples[n_asked:] + label, triples[:n_asked] + asked_label))
    if len(unasked):
        raise _not_asked(votes, unasked)
    # A row without category for each asked ballot, of the weight of its votes, if it has any.
    ballot_weight = np.ones(len(ballots.item))
    ballot = ballots.item * len(subjects) + ballots.subject
    ballot_weight[np.searchsorted(ballot, pairs[n_asked:])] = weight
    return group_votes(
        kind,
        taxonomy,
        (np.concatenate((item[n_asked:], ballots.item)), items),
        (np.concatenate((subject[n_asked:], ballots.subject)), subjects),
        np.concatenate((label, np.full(len(ballot), -1))),
        np.concatenate((weight, ballot_weight)),
        asked=ballots,
    )


def _not_asked(votes: VoteColumns, rows: Ints) -> errors.DataError:
    """The error of votes by subjects who were not asked about the category."""
    row = int(rows[0])
    subject, item, category = (
        shown(column[row].as_py()) for column in (votes.subject, votes.item, votes.category)
    )
    return errors.DataError(
        f"{votes.locate(row)}: subject {subject} gives item {item} the category {category}, but "
        f"was not asked about it ({counted(len(rows), 'such row')}); add them to asked or "
        "remove the votes"
    )


# Checksums of votes for categories.


def vote_checksum(votes: Votes, *about: object) -> str:
    """Checksum of votes whatever their order; also of `about`."""
    keys = row_keys(_ballots(votes, votes), bits_of(votes.weight))
    asked = None if votes.asked is None else total(_ballots(votes, votes.asked))
    rest = (of_taxonomy(votes.taxonomy), asked, *about)
    if votes.subjects is None:
        rest += ("counts" if votes.are_counts else "probabilities",)
    if votes.repeats is not None:
        keys = row_keys(keys, hash_ids(votes.repeats.ids)[votes.repeats.code])
    return checksum(keys.__getitem__, len(keys), rest)


def of_taxonomy(taxonomy: Taxonomy) -> str:
    """Checksum of categories and edges, whatever their order."""
    nodes = _hashes(taxonomy.nodes)
    parents = set_keys(row_keys(nodes[taxonomy.up.targets]), taxonomy.up.offsets)
    return digest(total(row_keys(nodes, parents)))


def _ballots(votes: Votes, ballots: Votes | GroupedBallots) -> U64:
    """Keys of item, subject and label set: (ballots,)."""
    item = hash_ids(votes.items)
    subject = np.zeros(1, np.uint64) if votes.subjects is None else hash_ids(votes.subjects)
    sets = label_set_keys(votes.taxonomy, ballots.sets)
    return row_keys(item[ballots.item], subject[ballots.subject], sets[ballots.label_set])


def label_set_keys(taxonomy: Taxonomy, sets: LabelSets) -> U64:
    """Keys of label sets by the names of their categories, whatever the order: (sets,)."""
    return set_keys(row_keys(_hashes(taxonomy.nodes)[sets.label]), sets.offsets)


def _hashes(names: tuple[str, ...]) -> U64:
    return hash_ids(string_array(names))
