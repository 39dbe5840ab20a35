"""The strong truth of votes, an answer for each item by a rule; and votes made coarser."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar, get_args

import numpy as np

from fuzzytruth._lazy import pd, sparse
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core import arithmetic
from fuzzytruth.core.arithmetic import ROUNDING, begins, segment_max, segment_of, segment_sum
from fuzzytruth.core.shares import GroupedBallots, LabelSets, distinct_sets
from fuzzytruth.core.validation import option_mapping, whole_number
from fuzzytruth.data.by_example import TruthsOfVotes
from fuzzytruth.data.rooted_graph import lowest
from fuzzytruth.data.taxonomy import Taxonomy
from fuzzytruth.data.vote_shares import ancestor_matrix, weights_of
from fuzzytruth.data.votes import Votes, check_taxonomy
from fuzzytruth.errors import DataError, OptionError, TaxonomyError, choice, counted, shown
from fuzzytruth.io.ids import take
from fuzzytruth.show.answer import Parts, Result, Sentences, printed_table
from fuzzytruth.show.answer_rows import FIRST_ROWS, short_id

if TYPE_CHECKING:
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
    choice("rule", rule, get_args(Rule))
    if votes.asked is not None and rule != "direct":
        raise DataError(
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
    which, path = arithmetic.ragged(tree.ancestor_offsets, strong.sets.label)
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


# Votes for fewer, coarser categories: what is kept of a taxonomy, and where votes go in it.

V = TypeVar("V", bound=Votes)


def coarsened(votes: V, mapping: Any, depth: Any, keep: Any, taxonomy: Any) -> V:
    """The same votes for coarser categories; see `Assignments.coarsened`."""
    if [mapping is None and taxonomy is None, depth is None, keep is None].count(False) != 1:
        raise OptionError(
            "coarsened: give one of depth=, keep= and a mapping {category: coarser one}, which may "
            "have a taxonomy="
        )
    check_taxonomy(taxonomy)
    tree, renamed = votes.taxonomy, option_mapping("mapping", mapping)
    empty = {*map(str, renamed)} - {*map(str, renamed.values())}
    coarse = taxonomy or _pruned(tree, depth, keep, empty)
    leads = np.full(len(tree), -1)  # to a coarse category; -1: to where those above it lead
    leads[0] = 0
    alike = [name for name in coarse.nodes if name in tree]
    leads[tree.codes(alike)] = coarse.codes(alike)
    named = tree.codes(renamed, where="mapping", column="category")
    leads[named] = coarse.codes(renamed.values(), where="mapping", column="coarser category")
    _check_order(tree, coarse, leads)
    above = _all_above(tree, coarse, leads)
    out = replace(votes, taxonomy=coarse, **_moved(votes, above, coarse))
    if votes.asked is not None:
        out = replace(out, asked=replace(votes.asked, **_moved(votes.asked, above, coarse)))
    return out if votes.subjects is not None else _added_up(out)


def _pruned(tree: Taxonomy, depth: Any, keep: Any, without: set[str]) -> Taxonomy:
    """The taxonomy down to a depth, with some categories and the root, or without some."""
    if depth is not None:
        return tree.prune(max_depth=whole_number("depth", depth, 0))
    if keep is None:
        return tree.prune(without)
    kept = {0, *tree.codes(keep, where="keep").tolist()}
    return tree.prune([name for code, name in enumerate(tree.nodes) if code not in kept])


def _check_order(tree: Taxonomy, coarse: Taxonomy, leads: Ints) -> None:
    """Raise unless categories lead to the same or lower ones than those above them."""
    if leads[0]:
        raise TaxonomyError(
            f"mapping: the root {shown(tree.root)} leads to {shown(coarse.nodes[leads[0]])}; it "
            f"must lead to the root {shown(coarse.root)}"
        )
    lower, upper = segment_of(tree.ancestor_offsets), tree.ancestor_of
    both = (leads[lower] >= 0) & (leads[upper] >= 0)
    lower, upper = lower[both], upper[both]
    known = segment_of(coarse.ancestor_offsets) * len(coarse) + coarse.ancestor_of
    apart = ~np.isin(leads[lower] * len(coarse) + leads[upper], known)
    if apart.any():
        first = int(np.argmax(apart))
        a, b = int(lower[first]), int(upper[first])
        to, over = (shown(coarse.nodes[leads[c]]) for c in (a, b))
        raise TaxonomyError(
            f"mapping: {shown(tree.nodes[a])} is in {shown(tree.nodes[b])}, but {to}, to which it "
            f"leads, is not in {over}; map both so that it is"
        )


def _all_above(tree: Taxonomy, coarse: Taxonomy, leads: Ints) -> Any:
    """The coarse categories that each category is in, as its ancestors are: sparse, ones."""
    named = np.flatnonzero(leads >= 0)
    shape = len(tree), len(coarse)
    image = sparse.csr_array((np.ones(len(named)), (named, leads[named])), shape=shape)
    return ancestor_matrix(tree) @ image @ ancestor_matrix(coarse)


def _moved(ballots: Votes | GroupedBallots, above: Any, coarse: Taxonomy) -> dict[str, Any]:
    """The label sets of ballots: the lowest of the coarse categories that they are in."""
    inside = (ballots.sets.members(above.shape[0]) @ above).tocsr()
    inside.sort_indices()
    cells = inside.tocoo()
    which, label = cells.row.astype(np.int64), cells.col.astype(np.int64)
    kept = lowest(coarse, which, label)
    of_set, sets = distinct_sets(which[kept], label[kept], len(ballots.sets))
    return {"label_set": of_set[ballots.label_set], "sets": sets}


def _added_up(votes: V) -> V:
    """One ballot for each item and label set, where nobody is named."""
    key, which = np.unique(votes.item * len(votes.sets) + votes.label_set, return_inverse=True)
    item, label_set = np.divmod(key, len(votes.sets))
    weight = np.bincount(which.reshape(-1), weights=votes.weight).astype(np.float64)
    nobody = np.zeros(len(key), dtype=np.int64)
    return replace(votes, item=item, subject=nobody, label_set=label_set, weight=weight)
