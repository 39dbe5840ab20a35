"""`communities`: groups of people who vote alike, beyond severity and expertise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes, Bools, Floats, Ints
from fuzzytruth.annotators.coefficients.agreement_metrics import n_queries, unit_word
from fuzzytruth.annotators.ratings import binary_votes, ratings_of
from fuzzytruth.comparison.verdicts import named_p
from fuzzytruth.core import validation
from fuzzytruth.core.arithmetic import begins, divide
from fuzzytruth.core.randomness import generator
from fuzzytruth.data.assignments import Assignments
from fuzzytruth.data.membership import Membership
from fuzzytruth.data.ratings import Ratings
from fuzzytruth.data.votes_without_queries import as_votes
from fuzzytruth.errors import DataError, OptionError, choice, counted, first_few
from fuzzytruth.evaluation.vote_patterns import pattern_of, shared_units, undisputed
from fuzzytruth.evaluation.worlds.setting import after, up_to
from fuzzytruth.io.ids import take
from fuzzytruth.plots.frames import PlotData, Title
from fuzzytruth.show.answer import Parts, Result, Sentences
from fuzzytruth.show.number_text import number_text, percent_text
from fuzzytruth.stats.multiplicity import significant
from fuzzytruth.stats.vote_groups import STABLE, VoteGroups, random_halves, vote_groups
from fuzzytruth.stats.vote_structure import MOST_SUBJECTS, PairsOfSubjects, conditional_draws

Beyond = Literal["chance", "majority"]
Figure = Literal["matrix", "tree"]

_FEWEST_PEOPLE = 6
_FEWEST_UNITS = 20  # disputed, of a half
_FEWEST_SHARED = 5  # median over pairs of people
_DRAWING = 0.8  # share of the time, about
_MOSTLY = 0.5  # share of the agreement within groups that is worth a sentence
_MOST_NAMES = 12
_SMALL = 1e-9
_EVERYBODY = "all subjects"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Communities(Result):
    """Groups of people who vote alike, beyond severity and siding with the majority.

    Wherever {subject: group} is taken, this is taken, too: `evaluate` (community worlds) and
    `compare_groups`.

    Parameters
    ----------
    groups : dict of str to tuple of str
        The subjects of each group, the largest first; empty where none are found.
    apart : tuple of str
        Subjects who are in no group, where there are groups; or where all others are one.
    reason : str
        Why there are no groups where p is small; else "".
    p : float
        Chance of groups that agree as much on other items, where people differ in severity, and in
        how often they side with the majority, alone.
    stability : float
        Mean adjusted Rand index between the groups that two halves of the items give: 1 if they
        are the same, about 0 by chance.
    explained : float
        Share of the agreement within groups beyond chance that goes with severity and siding with
        the majority; of `beyond="majority"`, of what is left by these.
    within, between : float
        Share of their common items on which two members of a group, or of different groups, agree:
        on the half of the items that did not make the groups.
    guessed, guessed_in_group : float
        Share of votes that are the most frequent one among all others, or among the others of the
        own group; likewise. Ties count in part.
    members : DataFrame
        See `to_frame`.
    agreement : (subjects, subjects) float
        Share of their common items on which two subjects agree, in the order of `members`; NaN
        where there are none.
    crossed : tuple of (queries, {subject: group})
        The queries of each half with the groups that the other half gave; empty where votes have
        no queries, or there are no groups.
    unit : str
        What a unit of the votes is called.
    n_units, n_disputed, n_permutations : int
        Units; those on which people disagree; and exchanges of votes.
    level : float
    votes : Judgments or Assignments
    """

    groups: dict[str, tuple[str, ...]]
    apart: tuple[str, ...]
    reason: str
    p: float
    stability: float
    explained: float
    within: float
    between: float
    guessed: float
    guessed_in_group: float
    members: pd.DataFrame
    agreement: Floats = field(repr=False)
    crossed: tuple[tuple[tuple[str, ...], dict[str, str]], ...]
    unit: str
    n_units: int
    n_disputed: int
    n_permutations: int
    level: float
    votes: Any

    @property
    def by_subject(self) -> dict[str, str]:
        """The group of each subject who is in one."""
        return {one: name for name, members in self.groups.items() for one in members}

    _more: ClassVar[str] = ".groups, .to_frame(), .by_category(), .membership(group), .plot()"

    def _title(self) -> str:
        sizes = f"{counted(len(self.members), 'subject')}, {counted(self.n_units, self.unit)}"
        return f"Communities: {sizes}, {self.n_disputed:,} of them disputed"

    def __repr__(self) -> str:
        said = counted(len(self.groups), "group") if self.groups else "no groups"
        return f"Communities({said}, {named_p('p', self.p)}, {len(self.members):,} subjects)"

    def _parts(self) -> Parts:
        yield Sentences.of(self.verdict(), kind="lead")
        if not self.groups:
            return
        mostly = f"{percent_text(self.explained)} goes with severity and siding with the majority."
        within, between = percent_text(self.within), percent_text(self.between)
        by_all, by_own = percent_text(self.guessed), percent_text(self.guessed_in_group)
        yield Sentences.of(
            f"Members of a group agree on {within} of other {self.unit}s, of different groups on "
            f"{between}. A vote is guessed right in {by_all} from all others, in {by_own} from the "
            "own group.",
            f"Of the agreement within groups beyond chance, {mostly}"
            if self.explained >= _MOSTLY
            else "",
        )
        named = [f"{name}: {first_few(some, _MOST_NAMES)}" for name, some in self.groups.items()]
        apart = [f"apart: {first_few(self.apart, _MOST_NAMES)}"] if self.apart else []
        yield Sentences.of(*named, *apart, kind="list")

    def verdict(self) -> str:
        """How many groups there are, or why none is reported."""
        p = f"{named_p('p', self.p)} beyond severity and majority"
        p += f", {counted(self.n_permutations, 'exchange')}"
        if not self.groups:
            uneven = f": {self.reason} (agreement is uneven, {p})." if self.reason else f" ({p})."
            return f"No groups{uneven}"
        sizes = [f"{len(some):,}" for some in self.groups.values()]
        of = f"{', '.join(sizes[:-1])} and {sizes[-1]} of {len(self.members):,} subjects"
        apart = f", {len(self.apart):,} apart" if self.apart else ""
        stable = number_text(self.stability, 2)
        halves = f"halves of the {self.unit}s agree on who is where: {stable}"
        return f"{counted(len(self.groups), 'group')} of {of}{apart} ({p}; {halves})."

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row a subject: subject, group (None: in none), own, nearest; `full`: nearest_group.

        `own` is how much the subject agrees with the others of the own group beyond chance, in
        standard errors of single pairs, on average; `nearest` the largest mean with another group.
        """
        frame = self.members.copy()
        return (
            frame if validation.option_flag("full", full) else frame.drop(columns="nearest_group")
        )

    def membership(self, group: str) -> Membership:
        """The probability that each item belongs to each category, by the votes of one group.

        Raises
        ------
        DataError
            There are no groups.
        OptionError
            There is no such group, or the votes are grades.
        """
        self._check_groups("membership")
        choice("group", group, tuple(self.groups))
        if not isinstance(self.votes, Assignments):
            raise OptionError(
                "membership: these votes are grades, of no categories; votes.select takes those of "
                "a group"
            )
        return self.votes.select(subjects=self.groups[group]).membership()

    def by_category(self) -> pd.DataFrame:
        """What groups vote differently, the largest difference first.

        Returns
        -------
        DataFrame
            One row an item and category (or grade): the ids, category, a column with the share of
            the votes of each group, and their largest difference. Items without a vote of some
            group are left out.
        """
        self._check_groups("by_category")
        ratings, names = ratings_of(self.votes), list(self.groups)
        group = pd.Series(ratings.named("by_category")).map(self.by_subject).to_numpy()
        columns = {"unit": ratings.unit, "value": ratings.value, "group": group[ratings.subject]}
        votes = pd.DataFrame({**columns, "weight": ratings.weight}).groupby([*columns])["weight"]
        table = votes.sum().unstack("group", fill_value=0)[names]
        share = table / table.groupby("unit").transform("sum")
        share["difference"] = share.max(axis=1) - share.min(axis=1)
        share = share.dropna().sort_values("difference", ascending=False, kind="stable")
        unit, value = (share.index.get_level_values(level) for level in ("unit", "value"))
        ids = {name: take(each, unit.to_numpy()) for name, each in ratings.units.items()}
        ids["grade" if ratings.sets is None else "category"] = np.array(ratings.names)[value]
        named = pd.DataFrame({name: np.array(each, dtype=object) for name, each in ids.items()})
        return named.join(share.reset_index(drop=True))

    def _check_groups(self, what: str) -> None:
        if not self.groups:
            raise DataError(f"{what}: there are no groups")

    def plot(self, ax: Axes | None = None, *, kind: Figure = "matrix", title: Title = True) -> Axes:
        """Draw who agrees with whom, groups outlined, or the tree of groups and their members.

        See `plots.agreement_matrix` and `plots.tree`.

        Parameters
        ----------
        ax, title
            As in `plots.agreement_matrix`.
        kind : {"matrix", "tree"}
        """
        from fuzzytruth.plots import agreement_matrix, tree

        choice("kind", kind, get_args(Figure))
        return (agreement_matrix if kind == "matrix" else tree)(self, ax, title=title)

    _figures: ClassVar[tuple[str, ...]] = ("agreement_matrix", "tree")

    def _plot_data(self, figure: str) -> PlotData:
        subject = self.members["subject"].to_numpy()
        group = self.members["group"]
        if figure == "tree":
            parent = group.where(group.notna(), _EVERYBODY)
            edges = [(_EVERYBODY, name) for name in self.groups]
            frame = pd.DataFrame(
                [(None, _EVERYBODY), *edges, *zip(parent, subject, strict=True)],
                columns=["parent", "child"],
            )
            return PlotData(frame, self.verdict())
        a, b = np.triu_indices(len(subject), 1)
        pairs = {"subject_a": subject[a], "subject_b": subject[b], "value": self.agreement[a, b]}
        known = self.members[group.notna()]
        clusters = pd.DataFrame({"cluster": known["group"], "subject": known["subject"]})
        share = pd.DataFrame(pairs).assign(coefficient="share of equal votes")
        return PlotData(share, self.verdict(), clusters, {"outlined": "groups by number"})


def communities(
    votes: Any,
    *,
    most: int = 5,
    n_splits: int = 10,
    n_permutations: int = 199,
    beyond: Beyond = "chance",
    level: float = 0.95,
    rel: float | Mapping[str, float] | None = None,
    rng: Any = 0,
    progress: Callable[[float], object] | None = None,
) -> Communities:
    """Find groups of people who vote alike, or that there are none.

    Items (or queries, with all their items) are divided into halves. Groups found on one half are
    proved on the other: how much more members of a group agree there than two random voters. That
    is compared with votes exchanged between people in ways that keep how often each gave every
    value, and sided with the majority: a panel of experts and guessers, or of severe and lenient
    people, is no community. Groups are reported if p is at most ``1 - level``, they agree beyond
    chance on other items, and the groups of two halves agree (adjusted Rand index of .2 or more).
    Then all items give the groups.

    Parameters
    ----------
    votes : Judgments, Assignments, or what `as_judgments` takes
        Of six named subjects or more.
    most : int
        Groups at most; a subject who stands apart counts as one.
    n_splits : int
        How often items are divided into halves.
    n_permutations : int
        Exchanges of the votes; p is at least 1 / (n_permutations + 1).
    beyond : {"chance", "majority"}
        What groups are made of: agreement beyond chance; or what of it severity and siding with
        the majority do not explain, which finds fewer weak groups. p is beyond both in any case.
    level : float
    rel : number or mapping of subject to number, optional
        The lowest grade that is relevant; makes grades 0 and 1, as in `evaluate`.
    rng : int, SeedSequence or Generator
    progress : callable, optional
        Progress callback, given the finished fraction.

    Returns
    -------
    Communities

    Raises
    ------
    DataError
        Nobody is named, votes weigh differently, some voted on an item more often than others,
        subjects are nested in queries, fewer than six or more than 500, a half has fewer than 20
        items on which people disagree, or most pairs of subjects share fewer than five of these.

    Notes
    -----
    Groups are clusters by average linkage of agreements in standard errors. Of the numbers of
    groups that gain significantly over the exchanged votes, those are kept whose stability is
    within .05 of the best, and the one that gains most is taken. p is exact where severity and
    siding with the majority are all there is; expertise that varies with the item is not
    considered.

    References
    ----------
    Newman 2006 (modularity); Owen & Perry 2009 (bi-cross-validation); Hubert & Arabie 1985
    (adjusted Rand index); Besag & Clifford 1989 (parallel chains); Welinder et al. 2010 (schools
    of thought among annotators).

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> says = {"a": "xxyyxyxyyx" * 5, "b": "yyxxyxyxxy" * 5}
    >>> rows = [(s, f"i{i}", says[s[0]][i]) for s in ["a1", "a2", "a3", "b1", "b2", "b3"]
    ...         for i in range(50)]
    >>> found = ft.communities(ft.Assignments.from_columns(*zip(*rows)), n_permutations=19)
    >>> found.groups
    {'group 1': ('a1', 'a2', 'a3'), 'group 2': ('b1', 'b2', 'b3')}
    """
    validation.progress_callback(progress)
    for name, value, least in (("most", most, 2), ("n_splits", n_splits, 1)):
        validation.whole_number(name, value, least, validation.MOST)
    validation.whole_number("n_permutations", n_permutations, 1, validation.MOST)
    choice("beyond", beyond, get_args(Beyond))
    level, source = validation.between_zero_and_one("level", level), generator(rng)
    votes = as_votes(getattr(votes, "votes", votes))  # of a query by example, or by item
    if rel is not None:
        (votes,) = binary_votes(rel, votes)
    ratings, pattern = pattern_of(votes)
    pairs = PairsOfSubjects.of(pattern)
    unit = ratings.unit[pattern.vote[pattern.offsets[:-1]]]
    cluster = unit if n_queries(ratings) < 2 or ratings.cluster is None else ratings.cluster[unit]
    splits = random_halves(cluster, n_splits, source)
    _check_sizes(ratings, pairs.shared, splits)
    drawn = conditional_draws(
        pattern, n_permutations, 2, source, progress=up_to(progress, _DRAWING)
    )
    alike = shared_units(ratings, pairs.subjects, undisputed(ratings)).toarray()
    found = vote_groups(
        pattern,
        drawn,
        splits,
        alike,
        most=most,
        level=level,
        centred=beyond == "majority",
        progress=after(progress, _DRAWING),
    )
    agreed = pairs.agreements(pattern.option[None])[0] + alike
    agreement = divide(agreed, alike + pairs.shared, fill=np.nan)
    np.fill_diagonal(agreement, np.nan)
    groups, apart, reason = _named_groups(ratings, found, level)
    return Communities(
        groups=groups,
        apart=apart,
        reason=reason,
        p=found.p,
        stability=found.stability,
        explained=min(max(found.explained / max(found.modularity, _SMALL), 0.0), 1.0),
        within=found.within[0] / max(found.within[1], 1.0),
        between=found.between[0] / max(found.between[1], 1.0),
        guessed=found.guessed[0] / found.guessed[2],
        guessed_in_group=found.guessed[1] / found.guessed[2],
        members=_members(ratings, found, groups),
        agreement=agreement,
        crossed=_crossed(ratings, found, cluster, groups),
        unit=unit_word(ratings),
        n_units=ratings.n_units,
        n_disputed=pattern.n_units,
        n_permutations=n_permutations,
        level=level,
        votes=votes,
    )


def _check_sizes(ratings: Ratings, shared: Floats, splits: Bools) -> None:
    """Raise unless people and items are enough for groups to be found and proved."""
    n, unit = ratings.n_subjects, unit_word(ratings)
    if ratings.nested:
        raise DataError(
            "communities: the subjects are nested in queries, a name being another person in "
            "another query; groups are of crossed subjects"
        )
    if not _FEWEST_PEOPLE <= n <= MOST_SUBJECTS:
        raise DataError(
            f"communities: {counted(n, 'subject')}; groups are found among {_FEWEST_PEOPLE} to "
            f"{MOST_SUBJECTS}; of more, give some"
        )
    voter, times = np.unique(ratings.unit * n + ratings.subject, return_counts=True)
    if (begins(voter // n, times) != begins(voter // n)).any():
        raise DataError(
            "communities: some voted more often than others on the same things, which cannot be "
            "compared; keep one repetition"
        )
    fewest = int(np.minimum(splits.sum(1), (~splits).sum(1)).min())
    if fewest < _FEWEST_UNITS:
        raise DataError(
            f"communities: {counted(splits.shape[1], f'{unit} is', f'{unit}s are')} disputed, "
            f"{fewest:,} of them in one half; {2 * _FEWEST_UNITS} are needed, {_FEWEST_UNITS} in "
            "each half, to find groups and to prove them"
        )
    typical = float(np.median(shared[np.triu_indices(n, 1)]))
    if typical < _FEWEST_SHARED:
        raise DataError(
            f"communities: two subjects typically share {typical:g} {unit}s on which people "
            f"disagree, and {_FEWEST_SHARED} are needed; in such a crowd who agrees with whom is "
            "not known"
        )


def _named_groups(
    ratings: Ratings, found: VoteGroups, level: float
) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...], str]:
    """The members of each group, and those of none; and why there are no groups, beside p."""
    names, unit = ratings.named("communities"), unit_word(ratings)
    members = [
        tuple(names[s] for s in np.flatnonzero(found.group == k))
        for k in range(max(found.group) + 1)
    ]
    groups = {f"group {k + 1}": some for k, some in enumerate(members[: found.n_groups])}
    apart = tuple(one for some in members[found.n_groups :] for one in some)
    if found.found:
        return groups, apart, ""
    if not significant(found.p, level):
        return {}, (), ""
    if found.modularity <= 0.0:
        return {}, (), f"members of a group do not agree beyond chance on other {unit}s"
    if found.stability < STABLE:
        stable = number_text(found.stability, 2)
        return {}, (), f"the groups of two halves of the {unit}s do not agree ({stable})"
    one = f"{len(names) - len(apart):,} of {counted(len(names), 'subject')} form one cluster"
    return {}, apart, f"{one}; in none: {first_few(apart, _MOST_NAMES)}"


def _members(
    ratings: Ratings, found: VoteGroups, groups: dict[str, tuple[str, ...]]
) -> pd.DataFrame:
    """See `Communities.to_frame`."""
    n, names = ratings.n_subjects, np.array([*groups, None], dtype=object)
    inside = found.group[:, None] == np.arange(len(groups))
    mean = divide(found.affinity @ inside, inside.sum(0) - inside, fill=np.nan)
    own = np.where(inside, mean, 0.0).sum(1)
    others = np.column_stack([np.where(inside, -np.inf, mean), np.full(n, -np.inf)])
    nearest = others.argmax(1)
    largest = others[np.arange(n), nearest]
    return pd.DataFrame(
        {
            "subject": ratings.named("communities"),
            "group": names[np.where(inside.any(1), found.group, -1)],
            "own": np.where(inside.any(1), own, np.nan),
            "nearest": np.where(np.isneginf(largest), np.nan, largest),
            "nearest_group": names[nearest],
        }
    )


def _crossed(
    ratings: Ratings, found: VoteGroups, cluster: Ints, groups: dict[str, tuple[str, ...]]
) -> tuple[tuple[tuple[str, ...], dict[str, str]], ...]:
    """See `Communities.crossed`; queries on which nobody disagrees are in the second half."""
    if not groups or n_queries(ratings) < 2 or ratings.cluster is None:
        return ()
    names, people = list(groups), ratings.named("communities")
    query = take(ratings.units["query"], np.unique(ratings.cluster, return_index=True)[1])
    in_first = np.isin(np.arange(len(query)), cluster[found.first])
    out = []
    for half, by in ((in_first, 1), (~in_first, 0)):
        group = found.by_half[by]
        of = {people[s]: names[group[s]] for s in np.flatnonzero(group >= 0)}
        out.append((tuple(query.filter(half).to_pylist()), of))
    return tuple(out)
