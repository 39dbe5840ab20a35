"""Precision, recall and F of a system's classification, the ground truth being votes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, get_args

import numpy as np

from fuzzytruth import errors
from fuzzytruth._lazy import pd, sparse
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import divide, offsets_of, ragged
from fuzzytruth.core.validation import option_flag, option_mapping, place_of, probability, several
from fuzzytruth.data.assignments import Assignments
from fuzzytruth.data.distribution import Distribution
from fuzzytruth.data.membership import Membership
from fuzzytruth.data.named_distributions import Size
from fuzzytruth.data.runs import LabelColumns
from fuzzytruth.data.taxonomy import Taxonomy
from fuzzytruth.data.vote_shares import ancestor_matrix, entries_at
from fuzzytruth.data.votes import Votes
from fuzzytruth.errors import counted, first_few, shown, warn
from fuzzytruth.io.column_names import has_columns
from fuzzytruth.io.ids import encode, find_items
from fuzzytruth.io.tables import is_table, named_columns
from fuzzytruth.show.answer import FrameColumns, Parts, Result, Sentences, printed_table
from fuzzytruth.show.answer_rows import short_id
from fuzzytruth.show.number_text import level_text, with_interval

LEVEL = 0.95  # of printed intervals
MOST_ROWS = 8
_SHORT = ["system", "category", "n", "size", "precision", "recall", "f1"]


def class_scores(
    truth: Assignments | Membership,
    answers: Any,
    *,
    categories: Iterable[str] | None = None,
    below: bool = True,
    columns: Mapping[str, Any] | None = None,
    drop: Any = (),
) -> ClassScores:
    """Score the sets of items that systems assign to categories, the truth being votes.

    Parameters
    ----------
    truth : Assignments or Membership
        Votes of subjects; only items with votes count.
    answers : table
        Of any library, as `Judgments.from_frame` takes them.
        Columns item, category and, optionally, system: the categories that the system assigns. An
        item may have several.
    categories : sequence of str, optional
        Categories to score; by default all that are assigned.
    below : bool
        Whether an item assigned to a category below X counts as assigned to X.
    columns : mapping, optional
        Your names of the columns of answers, {name: your column}.
    drop : category or sequence of categories
        Categories of answers that are none, such as "unsure"; their rows are left out.

    Returns
    -------
    ClassScores
        Exact distributions of precision, recall and F, items being independent.

    Raises
    ------
    DataError
        A category is not in the taxonomy, an answer is given twice, or no answered item has votes.
    OptionError
        `columns` has a name that is not read here.

    Warns
    -----
    LeftOutWarning
        Rows of the answers were dropped, with their number.
    UnjudgedItemWarning
        Answered items have no votes and are left out; or nobody was asked whether an answered item
        belongs to its category, so that it counts as not belonging.

    References
    ----------
    Santini, Benchmarking without ground truth, section 4.

    Examples
    --------
    >>> import fuzzytruth as ft, pandas as pd
    >>> tax = ft.Taxonomy.from_children({"all": ["cat", "dog"]})
    >>> votes = ft.Assignments.from_frame(pd.DataFrame({
    ...     "subject": ["s", "t"] * 2, "item": ["a", "a", "b", "b"],
    ...     "category": ["cat", "dog", "cat", "cat"]}), taxonomy=tax)
    >>> predicted = pd.DataFrame({"item": ["a"], "category": ["cat"]})
    >>> scores = ft.classification.class_scores(votes, predicted)
    >>> scores.precision("cat").mean(), scores.recall("cat").mean()
    (0.5, 0.25)
    """
    membership = membership_of(truth, "truth")
    taxonomy = membership.taxonomy
    rows = Answers.of(answers, membership, columns, drop)
    wanted = np.unique(rows.label) if categories is None else taxonomy.codes(several(categories))
    members = _members(rows, wanted, membership, below=option_flag("below", below))
    out = ClassScores(
        membership, rows.systems, tuple(taxonomy.nodes[c] for c in wanted.tolist()), members
    )
    out.report_unasked()
    return out


def membership_of(votes: Assignments | Membership, name: str) -> Membership:
    """Membership under votes; an `OptionError` names the argument if it is something else."""
    if isinstance(votes, Membership):
        return votes
    errors.require(name, votes, isinstance(votes, Assignments), "must be Assignments or Membership")
    return votes.membership()


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Categories that systems assign to items with votes.

    Parameters
    ----------
    systems : tuple of str
    system, item, label : (answers,) int
        System, item and category of each answer, as codes.
    """

    systems: tuple[str, ...]
    system: Ints
    item: Ints
    label: Ints

    @classmethod
    def of(
        cls,
        frame: Any,
        membership: Membership,
        columns: Mapping[str, Any] | None = None,
        drop: Any = (),
    ) -> Answers:
        """Check a frame of answers; items without votes are left out with a warning."""
        _refuse_probabilities(frame, membership.taxonomy, columns)
        given = LabelColumns.of(frame, "answers", columns=columns, drop=drop)
        code, systems = encode(given.system)
        label = membership.taxonomy.codes(given.category, where=given.locate)
        place = find_items(given.item, membership.votes.items)
        known = place >= 0
        if not known.any():
            raise errors.DataError("answers: none of the items has votes; check the ids")
        if not known.all():
            unknown = given.item.filter(~known).unique()
            warn(
                f"left out: {int((~known).sum()):,} of {counted(len(known), 'answer')}, on items "
                f"without votes: {first_few(unknown.to_pylist(), 3, show=shown)}",
                errors.UnjudgedItemWarning,
            )
        return cls(
            tuple(systems.to_pylist()), code[known].astype(np.int64), place[known], label[known]
        )


def _refuse_probabilities(
    frame: Any, taxonomy: Taxonomy, columns: Mapping[str, Any] | None
) -> None:
    """Raise if the columns are categories, as those of a matrix of probabilities are."""
    if not is_table(frame) or isinstance(frame, Iterator):  # read once only
        return
    names = [*named_columns(frame, "answers").names, *option_mapping("columns", columns)]
    categories = [str(name) for name in names if str(name) in taxonomy]
    if categories and not has_columns(names, ("category",)):
        raise errors.DataError(
            f"answers: no column for 'category', but columns that are categories "
            f"({first_few(categories, show=shown)}); name the best category of each item in a "
            "column, as frame[categories].idxmax(axis=1) does, or score probabilities with "
            "probability_scores"
        )


def _members(rows: Answers, wanted: Ints, membership: Membership, *, below: bool) -> Any:
    """Items that each system assigns to each category: sparse (systems · categories, items)."""
    taxonomy = membership.taxonomy
    n_items, n_systems = len(membership.votes.items), len(rows.systems)
    up = ancestor_matrix(taxonomy) if below else sparse.eye_array(len(taxonomy)).tocsr()
    reached = up[rows.label][:, wanted].tocoo()  # (answers, categories)
    row = rows.system[reached.row] * len(wanted) + reached.col
    shape = (n_systems * len(wanted), n_items)
    out = sparse.csr_array((np.ones(len(row)), (row, rows.item[reached.row])), shape=shape)
    out.sum_duplicates()
    return out


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ClassScores(Result):
    """Result of `class_scores`; distributions are exact, items being independent.

    Parameters
    ----------
    membership : Membership
    systems, categories : tuple of str
    members : sparse array, (systems · categories, items)
        Items that each system assigns to each category.

    Examples
    --------
    >>> import fuzzytruth as ft, pandas as pd
    >>> tax = ft.Taxonomy.from_children({"all": ["cat", "dog"]})
    >>> votes = ft.Assignments.from_frame(pd.DataFrame({
    ...     "subject": ["s", "t"], "item": ["a", "a"], "category": ["cat", "dog"]}), taxonomy=tax)
    >>> predicted = pd.DataFrame({"item": ["a"], "category": ["cat"]})
    >>> scores = ft.classification.class_scores(votes, predicted)
    >>> scores.to_frame()[["category", "n", "size", "precision"]].values.tolist()
    [['cat', 1, 0.5, 0.5]]
    """

    membership: Membership
    systems: tuple[str, ...]
    categories: tuple[str, ...]
    members: Any

    def __repr__(self) -> str:
        return (
            f"ClassScores({counted(len(self.systems), 'system')}, "
            f"{counted(len(self.categories), 'category')})"
        )

    def precision(self, category: str, system: str | None = None) -> Distribution:
        """Share of the items assigned to X that belong to X; 0 if no item is assigned to it."""
        return Distribution.precision(self._split(category, system)[0])

    def recall(
        self, category: str, system: str | None = None, *, size: Size = "random"
    ) -> Distribution:
        """Share of the items of X that are assigned to it; see `recall_distribution` for `size`."""
        inside, rest = self._split(category, system)
        return Distribution.recall(retrieved=inside, rest=rest, size=size)

    def f(self, category: str, system: str | None = None, *, beta: float = 1.0) -> Distribution:
        """F-measure of the set of items assigned to X."""
        inside, rest = self._split(category, system)
        return Distribution.f_measure(retrieved=inside, rest=rest, beta=beta)

    def _title(self) -> str:
        return (
            f"Classification by {counted(len(self.systems), 'system')} into "
            f"{counted(len(self.categories), 'category')}, "
            f"{counted(len(self.membership.items), 'item')} with votes"
        )

    def _parts(self) -> Parts:
        """The categories with most items."""
        sizes = self.membership.sizes()[list(self.categories)]
        largest = sizes.sort_values(ascending=False, kind="stable").index
        systems = self.systems[:MOST_ROWS]
        categories = largest[: max(1, MOST_ROWS // len(systems))]
        rows = pd.DataFrame([self._row(s, c, LEVEL) for s in systems for c in categories])
        n_rows, title = len(self.systems) * len(self.categories), ""
        if len(rows) < n_rows:
            title = (
                f"{len(rows)} of {n_rows:,} rows, those of the categories with most items; all: "
                ".to_frame()"
            )
        columns: FrameColumns = {
            "system": ("system", short_id, "label") if len(self.systems) > 1 else None,
            "category": ("category", short_id, "label"),
            **{
                (name, f"{name}_lower", f"{name}_upper"): (name, partial(with_interval, digits=2))
                for name in ("precision", "recall", "f1")
            },
            "n": ("assigned", "{:,}".format, "extra"),
            "size": ("expected", "{:,.1f}".format, "extra"),
        }
        yield printed_table(rows, columns, title=title)
        yield Sentences.of(
            f"Expected values. Brackets: the central interval that holds {level_text(LEVEL)} of "
            "the worlds in which each item draws its category from its votes, independently; they "
            "say nothing about other items or people.",
            "More: .to_frame(full=True), .precision(category), .recall(category), .f(category)",
        )

    def to_frame(self, *, level: float = 0.95, full: bool = False) -> pd.DataFrame:
        """One row for each system and category.

        Columns: system, category, n (items assigned), size (expected number of items that belong),
        and the means of precision, recall and f1; with ``full=True`` also std, lower and upper
        (central interval) of each.
        """
        probability("level", level)
        rows = [self._row(s, c, level) for s in self.systems for c in self.categories]
        frame = pd.DataFrame(rows)
        return frame if option_flag("full", full) else frame[_SHORT]

    def _row(self, system: str, category: str, level: float) -> dict[str, Any]:
        """One row of the full table."""
        inside, rest = self._split(category, system)
        row: dict[str, Any] = {
            "system": system,
            "category": category,
            "n": len(inside),
            "size": float(inside.sum() + rest.sum()),
        }
        distributions = {
            "precision": Distribution.precision(inside),
            "recall": Distribution.recall(retrieved=inside, rest=rest),
            "f1": Distribution.f_measure(retrieved=inside, rest=rest),
        }
        for name, distribution in distributions.items():
            low, high = distribution.interval(level)
            row |= {name: distribution.mean(), f"{name}_std": distribution.std()}
            row |= {f"{name}_lower": low, f"{name}_upper": high}
        return row

    def report_unasked(self) -> None:
        """Warn of items assigned to a category that nobody was asked about for them."""
        mass = self.membership.mass
        if mass is None:
            return
        codes = self.membership.taxonomy.codes(list(self.categories))
        cells = self.members.tocoo()
        asked = entries_at(mass, cells.col, codes[cells.row % len(codes)]) > 0
        if not asked.all():
            warn(
                f"nobody was asked whether the item belongs to the category it is assigned to, for "
                f"{int((~asked).sum()):,} of {counted(len(asked), 'assignment')}; there it counts "
                "as not belonging",
                errors.UnjudgedItemWarning,
            )

    def _split(self, category: str, system: str | None) -> tuple[Floats, Floats]:
        """Probabilities to belong of the items assigned to a category, and of all others."""
        place = place_of(self.categories, category, "category")
        if system is None and len(self.systems) > 1:
            raise errors.OptionError(f"system: name one of {', '.join(self.systems[:10])}")
        name = self.systems[0] if system is None else system
        errors.choice("system", name, self.systems)
        row = self.systems.index(name) * len(self.categories) + place
        start, stop = self.members.indptr[row : row + 2]
        inside = np.zeros(self.members.shape[1], dtype=bool)
        inside[self.members.indices[start:stop]] = True
        p = np.clip(np.nan_to_num(self.membership.of_items(category)), 0.0, 1.0)
        return p[inside], p[~inside]


# Hierarchical precision and recall of categories in a taxonomy.


Average = Literal["micro", "macro"]


def hierarchical_scores(
    truth: Assignments | Membership,
    answers: Any,
    *,
    average: Average = "micro",
    columns: Mapping[str, Any] | None = None,
    drop: Any = (),
) -> pd.DataFrame:
    """Expected hierarchical precision, recall and F1 of the categories that systems assign.

    An answer and a vote each stand for their categories and all ancestors except the root; common
    categories count. The expectation is over worlds in which each item draws one of its votes.

    Parameters
    ----------
    truth : Assignments or Membership
        Without an `asked` table.
    answers : table
        Of any library, as `Judgments.from_frame` takes them.
        Columns item, category and, optionally, system.
    average : {"micro", "macro"}
        "micro": ratio of sums over all items (recall divides the expected overlap by the expected
        number of categories); "macro": mean over items of the expected ratio, which is an
        expectation in the strict sense.
    columns : mapping, optional
        Your names of the columns of answers, {name: your column}.
    drop : category or sequence of categories
        Categories of answers that are none, such as "unsure"; their rows are left out.

    Returns
    -------
    DataFrame
        One row for each system: system, items (number of answered items), precision, recall and
        f1 (harmonic mean of the two), each in [0, 1]. The ratio of an answer or vote of only the
        root is 0.

    Raises
    ------
    DataError
        The votes have an `asked` table, a category is not in the taxonomy, an answer is given
        twice, or no answered item has votes.
    OptionError
        `columns` has a name that is not read here.

    Warns
    -----
    LeftOutWarning
        Rows of the answers were dropped, with their number.
    UnjudgedItemWarning
        Answered items have no votes and are left out.

    References
    ----------
    Kiritchenko, S., Matwin, S. & Famili, F. (2005), Functional annotation of genes using
    hierarchical text categorization.

    Examples
    --------
    >>> import fuzzytruth as ft, pandas as pd
    >>> tax = ft.Taxonomy.from_children({"all": ["pet"], "pet": ["cat", "dog"]})
    >>> votes = ft.Assignments.from_frame(pd.DataFrame({
    ...     "subject": ["s", "t"], "item": ["a", "a"], "category": ["cat", "dog"]}), taxonomy=tax)
    >>> answers = pd.DataFrame({"item": ["a"], "category": ["cat"]})
    >>> ft.classification.hierarchical_scores(votes, answers).round(3).values.tolist()
    [['system', 1, 0.75, 0.75, 0.75]]
    """
    errors.choice("average", average, get_args(Average))
    membership = membership_of(truth, "truth")
    votes = membership.votes
    if votes.asked is not None:
        raise errors.DataError(
            "hierarchical_scores: subjects were asked about some categories only, so their votes "
            "are not shares of one whole"
        )
    given = Answers.of(answers, membership, columns, drop)
    system_of, *overlaps = _overlaps(votes, given)
    rows = []
    for s, system in enumerate(given.systems):
        mine = system_of == s
        shared, answered, voted, recalled = (values[mine] for values in overlaps)
        if average == "micro":
            precision, recall = (
                float(shared.sum() / total) if (total := sizes.sum()) else 0.0
                for sizes in (answered, voted)
            )
        else:
            precision, recall = float(divide(shared, answered).mean()), float(recalled.mean())
        total = precision + recall
        f1 = 2 * precision * recall / total if total > 0 else 0.0
        rows.append((system, int(mine.sum()), precision, recall, f1))
    return pd.DataFrame(rows, columns=["system", "items", "precision", "recall", "f1"])


def _overlaps(truth: Votes, rows: Answers) -> tuple[Ints, Floats, Floats, Floats, Floats]:
    """Expected overlaps and sizes for each answered pair of a system and an item: (pairs,) each.

    The system; the expected number of categories that the answer and the vote have in common, that
    the answer stands for, and that the vote stands for; and the expected share of the vote's
    categories that the answer has in common.
    """
    n_items, n = len(truth.items), len(truth.taxonomy)
    up = ancestor_matrix(truth.taxonomy)
    up = up[:, np.arange(1, n)]  # without the root, which comes first
    pairs, which = np.unique(rows.system * n_items + rows.item, return_inverse=True)
    cast = sparse.csr_array(
        (np.ones(len(which)), (which.reshape(-1), np.arange(len(which)))),
        shape=(len(pairs), len(which)),
    )
    stands = (cast @ up[rows.label]).tocsr()
    stands.data[:] = 1.0
    votes = (truth.sets.members(n) @ up).tocsr()
    votes.data[:] = 1.0
    system, item = np.divmod(pairs, n_items)
    pair, ballot = ragged(offsets_of(np.bincount(truth.item, minlength=n_items)), item)
    weight = truth.weight[ballot]
    weight = weight / np.bincount(pair, weights=weight)[pair]
    given = truth.label_set[ballot]
    common = np.asarray(stands[pair].multiply(votes[given]).sum(axis=1)).ravel()
    of_vote = np.diff(votes.indptr)[given].astype(np.float64)
    ratio = divide(common, of_vote)
    shared, voted, recalled = (
        np.bincount(pair, weights=weight * x).astype(np.float64) for x in (common, of_vote, ratio)
    )
    answered = np.diff(stands.indptr).astype(np.float64)
    return system, shared, answered, voted, recalled
