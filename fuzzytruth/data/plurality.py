"""The strong truth of votes: one category, or set of categories, of each item, by a rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

import numpy as np

from fuzzytruth import errors
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.arithmetic import ROUNDING
from fuzzytruth.core.segments import begins, ragged, segment_max, segment_of, segment_sum
from fuzzytruth.core.shares import LabelSets
from fuzzytruth.data.by_example import TruthsOfVotes
from fuzzytruth.data.rooted_graph import lowest
from fuzzytruth.data.vote_shares import weights_of
from fuzzytruth.data.votes import Votes
from fuzzytruth.errors import counted
from fuzzytruth.io.ids import take
from fuzzytruth.show.answer import Parts, Result, Sentences, printed_table
from fuzzytruth.show.answer_rows import FIRST_ROWS, short_id

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.data.assignments import Assignments

#: how the category of an item is chosen from its votes
Rule = Literal["direct", "top-down", "majority"]

_RULES = {
    "direct": "direct mode (the category that most votes name)",
    "top-down": "top-down mode (from the root, by the branch with most votes)",
    "majority": "majority (the most specific category for which more than half of the votes are)",
}


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """What a rule makes of the votes on each item.

    Parameters
    ----------
    item : (items,) int
        Items to which nobody gave a category are left out.
    sets : LabelSets, (items,)
        The category of each, by its code; several only by "majority" in a graph.
    share : (items,) float
        Share of the weight of the item's votes that name it ("direct"), or are for it or one below
        it; the least of several.
    tied : (items,) int
        How many categories were equally good, 1 where none was: the first of the taxonomy is taken.
    """

    item: Ints
    sets: LabelSets
    share: Floats
    tied: Ints


#: rows of a table of votes: item, category and weight above 0, sorted by item and category
Entries = tuple[Ints, Ints, Floats]


def chosen(votes: Votes, rule: Rule = "direct") -> Chosen:
    """The category of each item by a rule; see `Assignments.plurality`."""
    errors.choice("rule", rule, get_args(Rule))
    if votes.asked is not None and rule != "direct":
        raise errors.DataError(
            f"rule={rule!r}: subjects were asked about some categories only, so that votes for a "
            "category and those below it are not shares of one whole; take rule='direct'"
        )
    item, label, weight = _entries(votes, named=rule == "direct")
    total = np.bincount(votes.item, weights=votes.weight, minlength=len(votes.items))
    tied = np.ones(len(votes.items), dtype=np.int64)
    if rule == "direct":
        kept, tied = _heaviest(item, weight)
    elif rule == "top-down":
        kept, tied = _top_down(votes, item, label, weight)
    else:
        high = np.flatnonzero(weight > total[item] / 2 * (1 + ROUNDING))
        kept = high[lowest(votes.taxonomy, item[high], label[high])]
    item, label, weight = item[kept], label[kept], weight[kept]
    start = np.flatnonzero(begins(item))
    sets = LabelSets(np.append(start, len(item)), label)
    share = -segment_max(-weight / total[item], sets.offsets)
    return Chosen(item[start], sets, share, tied)


def _entries(votes: Votes, *, named: bool = False) -> Entries:
    """Weight of the votes for each category or one below it; or of those that name it."""
    rows = weights_of(votes, votes, named=named).tocoo()
    return rows.row.astype(np.int64), rows.col.astype(np.int64), rows.data


def _heaviest(item: Ints, weight: Floats) -> tuple[Ints, Ints]:
    """The first of the heaviest entries of each item, and how many there are."""
    offsets = np.append(np.flatnonzero(begins(item)), len(item))
    best = np.repeat(segment_max(weight, offsets), np.diff(offsets))
    heavy = weight >= best * (1 - ROUNDING)
    place = np.flatnonzero(heavy)
    return place[begins(item[place])], np.add.reduceat(heavy, offsets[:-1], dtype=np.int64)


def _top_down(votes: Votes, item: Ints, label: Ints, mass: Floats) -> tuple[Ints, Ints]:
    """The entry that each item comes to from the root, a step a level, and the most ties there.

    The choice is between the category reached, with the votes that name it, and those below it.
    """
    tree = votes.taxonomy
    own_item, own, own_weight = _entries(votes, named=True)
    below, link = tree.up.gather(label)
    at = np.concatenate((tree.up.targets[link], own))
    of, to = np.concatenate((item[below], own_item)), np.concatenate((label[below], own))
    weight = np.concatenate((mass[below], own_weight))
    order = np.lexsort((to, at, of))  # a category precedes those below it
    at, of, to, weight = at[order], of[order], to[order], weight[order]
    now = np.zeros(len(votes.items), dtype=np.int64)
    tied = np.ones(len(np.unique(of)), dtype=np.int64)
    while True:
        here = np.flatnonzero(at == now[of])
        first, equal = _heaviest(of[here], weight[here])
        reached, tied = here[first], np.maximum(tied, equal)
        now[of[reached]] = to[reached]
        if (to[reached] == at[reached]).all():
            return np.flatnonzero(label == now[item]), tied


def _in_smaller_branch(votes: Votes, strong: Chosen) -> Bools:
    """Whether above the category of an item others have a branch with more votes: (items,)."""
    tree, n = votes.taxonomy, len(votes.taxonomy)
    item, label, weight = _entries(votes)
    below, link = tree.up.gather(label)
    which, path = ragged(tree.ancestor_offsets, strong.sets.label)
    on = np.isin(item * n + label, strong.item[which] * n + tree.ancestor_of[path])[below]
    fork, place = np.unique(item[below] * n + tree.up.targets[link], return_inverse=True)
    heaviest = np.zeros((2, len(fork)))  # off and on the way to the category
    np.maximum.at(heaviest, (on.astype(np.int64), place), weight[below])
    less = (heaviest[1] > 0) & (heaviest[1] < heaviest[0] * (1 - ROUNDING))
    return np.isin(strong.item, fork[less] // n)


def rules_sentence(votes: Votes, rule: Rule = "direct") -> str:
    """The rule of a strong truth, and for how many items it matters.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> tax = ft.Taxonomy.from_children({"all": ["animal", "car"], "animal": ["cat", "dog", "owl"]})
    >>> said = ["cat", "cat", "dog", "dog", "owl", "car", "car", "car"]
    >>> votes = ft.Assignments.from_columns(range(8), ["i"] * 8, said, taxonomy=tax)
    >>> print(rules_sentence(votes))
    Strong truth: direct mode (the category that most votes name); 1 of 1 item lies in a branch that
    fewer voted for; 1 of 1 item has no leaf with more than half of the votes.
    """
    if votes.asked is not None:
        return f"Strong truth: {_RULES[rule]}."
    direct, majority = (chosen(votes, each) for each in ("direct", "majority"))
    leaf = np.diff(votes.taxonomy.down.offsets)[majority.sets.label] == 0
    leaves = segment_sum(leaf, majority.sets.offsets)  # (items,)
    told = [_told(leaves == 0, "has", "have", "no leaf with more than half of the votes")]
    if votes.taxonomy.level[-1] > 1:
        fewer = _in_smaller_branch(votes, direct)
        told.insert(0, _told(fewer, "lies", "lie", "in a branch that fewer voted for"))
    by = "; " if rule == "direct" else ". By direct mode, "
    return f"Strong truth: {_RULES[rule]}{by}{'; '.join(told)}."


def _told(which: Bools, one: str, many: str, what: str) -> str:
    """Of how many items something holds."""
    n = int(which.sum())
    return f"{n:,} of {counted(len(which), 'item')} {one if n == 1 else many} {what}"


# No slots: cached properties need a `__dict__`.
@dataclass(frozen=True, eq=False, repr=False)
class Plurality(Result, TruthsOfVotes, Mapping[str, Any]):
    """A strong truth: one category of each item, by a rule; made by `Assignments.plurality`.

    A mapping {item: category}, or a tuple of categories, for ``groups=`` and ``strata=``; and a
    truth with a single subject, by `by_example` and `by_item`.

    Parameters
    ----------
    votes : Assignments
        A single vote an item, for its category.
    given : Assignments
        The votes that it was made from.
    rule : {"direct", "top-down", "majority"}
    share : (items,) float
        Share of the item's votes that name the category ("direct"), or are for it or one below it;
        the least of several.
    tied : (items,) int
        How many categories were equally good, 1 where none was.
    """

    votes: Assignments
    given: Assignments
    rule: Rule
    share: Floats
    tied: Ints

    @cached_property
    def category_of(self) -> dict[str, Any]:
        """The category of each item: {item: category}, or a tuple of categories."""
        return self.votes.categorisation(_SUBJECT)

    def __getitem__(self, item: str) -> Any:
        return self.category_of[item]

    def __iter__(self) -> Iterator[str]:
        return iter(self.category_of)

    def __len__(self) -> int:
        return len(self.share)

    def to_frame(self) -> pd.DataFrame:
        """One row an item.

        Columns: item, category (a tuple of several), share, tied, and reading: the category in
        words, such as "animal: yes; which: open" where others lie below it.
        """
        import pandas as pd

        has_more = np.diff(self.votes.taxonomy.down.offsets) > 0
        is_open = dict(zip(self.votes.taxonomy.nodes, has_more.tolist(), strict=True))
        category = list(self.category_of.values())
        columns = {"category": category, "share": self.share, "tied": self.tied}
        reading = [_reading(names, is_open) for names in category]
        return pd.DataFrame({"item": list(self), **columns, "reading": reading})

    def _title(self) -> str:
        return f"Plurality: {self.rule}, {counted(len(self), 'item')}"

    _more: ClassVar[str] = ".to_frame(), .by_example(), .by_item()"

    def _parts(self) -> Parts:
        n_tied = int((self.tied > 1).sum())
        tied = f"{counted(n_tied, 'item has', 'items have')} several equally good categories"
        yield Sentences.of(
            rules_sentence(self.given, self.rule),
            f"{tied}: the first in the order of the tree is taken." if n_tied else "",
        )
        yield printed_table(
            self.to_frame().sort_values("share", kind="stable"),
            {
                "item": ("item", short_id, "label"),
                "reading": ("category", short_id, "label"),
                "share": ("share", ".2f"),
            },
            limit=FIRST_ROWS,
            title="Smallest shares of the votes",
        )


_SUBJECT = "strong truth"


def _reading(category: str | tuple[str, ...], is_open: Mapping[str, bool]) -> str:
    """One category, or several, in words."""
    names = (category,) if isinstance(category, str) else category
    if not any(is_open[name] for name in names):
        return ", ".join(names)
    return f"{', '.join(names)}: yes; which: open"


def plurality_of(votes: Assignments, rule: Rule) -> Plurality:
    """The strong truth of votes; see `Assignments.plurality`."""
    strong = chosen(votes, rule)
    which = segment_of(strong.sets.offsets)
    single = type(votes).from_columns(
        [_SUBJECT] * len(which),
        take(votes.items, strong.item[which]),
        np.array(votes.taxonomy.nodes, dtype=object)[strong.sets.label],
        taxonomy=votes.taxonomy,
    )
    return Plurality(single, votes, rule, strong.share, strong.tied)
