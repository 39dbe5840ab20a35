"""Result of `crowd`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats
from fuzzytruth.analysis.data_check import Reason, left_out
from fuzzytruth.annotators.coefficients.agreement import Agreement
from fuzzytruth.annotators.coefficients.agreement_metrics import unit_word
from fuzzytruth.annotators.coefficients.pairwise_agreement import PairwiseAgreement
from fuzzytruth.annotators.influences.reliability_result import FEW_VOTES, Reliability
from fuzzytruth.annotators.planning import vote_plans
from fuzzytruth.annotators.planning.next_votes import NextVotes
from fuzzytruth.annotators.structure.communities import Communities
from fuzzytruth.annotators.structure.structure import Structure
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.validation import option_flag
from fuzzytruth.data.assignments import Assignments
from fuzzytruth.data.judgments import ONE_QUERY, Judgments
from fuzzytruth.data.ratings import Ratings
from fuzzytruth.errors import counted, first_few
from fuzzytruth.show.answer import FrameColumns, Parts, Result, Sentences, Table, printed_table
from fuzzytruth.show.number_text import level_text, number_text, percent_text, with_interval
from fuzzytruth.stats.agreement import NAMES
from fuzzytruth.stats.settings import in_words

_ROWS, _MOST_ITEMS, _MOST_ASKED = 10, 4, 3  # on one screen
_ANSWERS = 6  # that are listed
_SURELY = 0.01  # chance of not giving an answer, below which it is told
_USUAL = 0.01  # share of all votes from which an answer is in use
_WORTH = 4.0  # votes that an item's agreement is drawn to that of all by
_RIGHT = 0.95  # probability of a majority's being right


# No slots: cached properties need a `__dict__`.
@dataclass(frozen=True, eq=False, repr=False)
class Crowd(Result):
    """What votes alone tell of people, items, and the next study.

    Parameters
    ----------
    votes : Judgments or Assignments
        With pseudonyms, if these were asked for.
    ratings : Ratings
        The same by coordinates.
    agreement : Agreement or None
        Of all; None, as below, where it is not known.
    pairs : PairwiseAgreement or None
        Of each two people, near-duplicates, and the effective number of people.
    reliability : Reliability or None
        Who gives the panel's answer how often, and what it is.
    structure : Structure or None
        Whether it matters who gave which vote.
    communities : Communities or None
        Groups of people who vote alike.
    next_votes : NextVotes or None
        Votes that would tell most.
    size : AgreementPlan or None
        Items and people that would narrow the interval of agreement.
    n_sampled : int
        Units that structure and groups are of; 0: all.
    level : float
    pseudonyms : dict of str to str
        What people are called, by name; empty where they have their names.
    reasons : tuple of (tuple of str, str)
        For which sections of the page there is nothing, and why.
    """

    votes: Judgments | Assignments
    ratings: Ratings
    agreement: Agreement | None
    pairs: PairwiseAgreement | None
    reliability: Reliability | None
    structure: Structure | None
    communities: Communities | None
    next_votes: NextVotes | None
    size: vote_plans.AgreementPlan | None
    n_sampled: int
    level: float
    pseudonyms: dict[str, str]
    reasons: tuple[Reason, ...]

    _more: ClassVar[str] = ".people(), .items(), .answers(), .agreement, .reliability, .report()"

    @property
    def left_out(self) -> tuple[str, ...]:
        """What the votes do not allow, and why."""
        return left_out(self.reasons)

    def _sizes(self) -> str:
        ratings = self.ratings
        names = ratings.subjects
        people = "no names" if names is None else counted(len(names), "subject")
        units = counted(ratings.n_units, unit_word(ratings))
        return f"{people}, {units}, {counted(round(float(ratings.weight.sum())), 'vote')}"

    def __repr__(self) -> str:
        return f"Crowd({self._sizes()})"

    def _title(self) -> str:
        hidden = ", who have pseudonyms" if self.pseudonyms else ""
        return f"Crowd: {self._sizes()}{hidden}"

    def _parts(self) -> Parts:
        yield Sentences.of(*self._agreement_lines(), kind="lead")
        yield Sentences.of(*self._answers_lines())
        near = "" if self.pairs is None else self.pairs._near_duplicates()
        shown = "" if "none shown" in near else near
        yield Sentences.of(*self._structure_lines(), shown)
        if self.reliability is not None:
            yield Sentences.of(*self.reliability._sentences())
        yield self._people_table(_ROWS)
        yield Sentences.of(self._legend(), kind="note")
        yield Sentences.of(*self._items_lines(), *self._next_lines(), *self._size_lines())
        yield Sentences.of(*self.left_out)

    def _agreement_lines(self) -> list[str]:
        """How far people agree, with its interval, and what that is in items."""
        found = self.agreement
        if found is None:
            return []
        if np.isnan(found.value):
            return ["Agreement: every vote is the same."]
        value = with_interval(found.value, found.lower, found.upper, 2)
        share = self._counts.sum(axis=0)
        n = self._items["n_votes"]  # of all pairs of votes, as in `structure`
        same = float(np.average(self._items["agreement"], weights=n * (n - 1)))
        chance = float(((share / share.sum()) ** 2).sum())
        what = f"{NAMES[found.coefficient]} ({found.metric}) {value}"
        equal = (
            f"; on average two people give the same answer on {percent_text(same)} of "
            f"{unit_word(self.ratings)}s, where chance gives {percent_text(chance)}"
        )
        return [
            f"Agreement: {what}, {level_text(found.level)} interval over {in_words(found.over)}"
            f"{'' if self.ratings.are_measured else equal}."
        ]

    @cached_property
    def _ids(self) -> list[str]:
        """Names of the ids of units that tell them apart."""
        units = self.ratings.units
        one = "query" in units and set(units["query"].unique().to_pylist()) == {ONE_QUERY}
        return [name for name in units if not (one and name == "query")]

    def answers(self) -> pd.DataFrame:
        """Who gave which answer how often: subject (where people have names), answer, votes, share.

        `share` is of the subject's votes. Answers are grades, ascending, or (sets of) categories.
        """
        names, counts = self.ratings.subjects or ("",), self._counts
        keys = pd.MultiIndex.from_product([names, self.ratings.names], names=["subject", "answer"])
        share = divide(counts, counts.sum(axis=1, keepdims=True), fill=np.nan)
        frame = keys.to_frame(index=False).assign(votes=counts.ravel(), share=share.ravel())
        return frame if self.ratings.subjects is not None else frame.drop(columns="subject")

    def _answers_lines(self) -> list[str]:
        """Which answers were given how often, and who does not use them all."""
        ratings = self.ratings
        share = self._counts.sum(axis=0) / self._counts.sum()
        order = (
            np.argsort(-share, kind="stable") if ratings.grades is None else np.arange(len(share))
        )
        what = "Answers" if ratings.grades is None else "Grades"
        given = [f"{ratings.names[j]} ({percent_text(share[j])})" for j in order]
        if self.ratings.are_measured:
            given = [f"{ratings.names[0]} to {ratings.names[-1]}, {len(share):,} different ones"]
        lines = [f"{what}: {first_few(given, _ANSWERS)}."]
        if ratings.subjects is None or ratings.n_subjects < 2:
            return lines
        table = self._counts
        total, usual = table.sum(axis=1), share >= _USUAL
        by_chance = (1 - share[usual]) ** total[:, None]  # that they do not give it
        lacks = (table[:, usual] == 0) & (by_chance < _SURELY)
        used, told = (~lacks).sum(axis=1), np.flatnonzero(total >= FEW_VOTES)
        narrow = told[lacks[told].any(axis=1)]
        if 1 < usual.sum() <= _ANSWERS and len(narrow):
            least = narrow[np.argsort(used[narrow], kind="stable")]
            named = [f"{ratings.subjects[s]} ({used[s]})" for s in least]
            lines.append(
                f"Not all {usual.sum()} usual ones are used, more than by chance, by "
                f"{len(narrow):,} of {counted(len(told), 'person', 'people')}: "
                f"{first_few(named, _MOST_ASKED)}."
            )
        if ratings.grades is not None and len(told) > 1:
            mean = table @ ratings.grades / np.maximum(total, 1e-12)
            low, high = told[mean[told].argmin()], told[mean[told].argmax()]
            ends = [f"{ratings.subjects[s]} ({number_text(mean[s], 2)})" for s in (low, high)]
            lines.append(f"The lowest mean grade is that of {ends[0]}, the highest of {ends[1]}.")
        return lines

    @cached_property
    def _counts(self) -> Floats:
        """Votes of each person for each answer: (subjects, answers)."""
        ratings = self.ratings
        n, k = max(ratings.n_subjects, 1), len(ratings.names)
        place = ratings.subject.astype(np.int64) * k + ratings.value
        return np.bincount(place, ratings.weight, n * k).reshape(n, k).astype(np.float64)

    def _structure_lines(self) -> list[str]:
        """Whether disagreement has structure, and people form groups."""
        lines = []
        if self.n_sampled:
            units = (
                f"{self.n_sampled:,} of {counted(self.ratings.n_units, unit_word(self.ratings))}"
            )
            lines.append(f"Structure and groups are of a random sample, {units}.")
        if self.structure is not None:
            said = self.structure.sentences() if self.structure.shown else []
            lines += [f"Does it matter who votes? {self.structure.verdict()}", *said]
        if self.communities is not None:
            lines.append(f"Do people form groups? {self.communities.verdict()}")
        return lines

    @cached_property
    def _people(self) -> pd.DataFrame:
        ratings = self.ratings
        names = ratings.named("people")
        frame = pd.DataFrame({"subject": list(names)})
        n = np.bincount(ratings.subject, ratings.weight, len(names)).round(6)
        frame["n_votes"] = n.astype(np.int64) if (n % 1 == 0).all() else n
        if self.pairs is not None:
            columns = {"value": "agreement", "lower": "agreement_lower", "upper": "agreement_upper"}
            means = self.pairs.by_subject().drop(columns="n_others").rename(columns=columns)
            copies = self.pairs.duplicates()[["subject", "cluster"]]
            frame = frame.merge(means, "left", "subject").merge(copies, "left", "subject")
        if self.reliability is not None:
            own = self.reliability.subjects.drop(columns=["weight", "n_votes", "cluster"])
            frame = frame.merge(own, "left", "subject")
        if self.communities is not None:
            groups = self.communities.to_frame()[["subject", "group"]]
            frame = frame.merge(groups, "left", "subject")
        by = next((name for name in ("agreement", "accuracy") if name in frame), "subject")
        frame = frame.assign(few=frame["n_votes"] < FEW_VOTES)
        return frame.sort_values(["few", by], kind="stable", ignore_index=True).drop(columns="few")

    def people(self) -> pd.DataFrame:
        """One row a person, those who agree least with the others first, under 10 votes last.

        Columns, as far as they are known: subject, n_votes; agreement (mean coefficient with the
        others) with agreement_lower and agreement_upper; cluster (of near-duplicates, NaN in none);
        accuracy, lower and upper (see `Reliability.subjects`; by the rating scale these are of
        `severity`); group (see `communities`).

        Raises
        ------
        DataError
            Nobody is named.
        """
        return self._people.copy()

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """`people`, without intervals unless `full`."""
        frame = self.people()
        ends = "agreement_lower", "agreement_upper", "lower", "upper"
        return frame if option_flag("full", full) else frame.drop(columns=[*ends], errors="ignore")

    def _people_table(self, limit: int | None = None) -> Table | None:
        """People, as they are printed."""
        if self.ratings.subjects is None or self.ratings.nested:
            return None
        frame, level = self._people, level_text(self.level)
        by = "severity" if "severity" in frame else "accuracy"
        columns: FrameColumns = {
            "subject": "person",
            "n_votes": ("votes", ","),
            "agreement": ("kappa", ".2f"),
            ("agreement_lower", "agreement_upper"): (level, ".2f"),
            by: (by, "+.2f" if by == "severity" else ".2f"),
            ("lower", "upper"): (level, "+.2f" if by == "severity" else ".2f"),
            "cluster": ("copies", lambda c: "" if c != c else f"{c:.0f}"),
            "group": ("group", lambda g: g if isinstance(g, str) else "", "label"),
        }
        known = {
            name: how
            for name, how in columns.items()
            if frame.reindex(columns=[*([name] if isinstance(name, str) else name)])
            .notna()
            .all(axis=1)
            .any()
        }
        title = (
            "People" if len(frame) < 2 else "People, those who agree least with the others first"
        )
        return printed_table(frame, known, title=title, limit=limit)

    def _legend(self) -> str:
        """What the columns of people are."""
        said = ["Kappa: mean of Cohen's with each of the others."] if self.pairs is not None else []
        if self.reliability is not None:
            scaled = self.reliability.fit.scale is not None
            own = "Severity: in logits; a severe person gives lower grades."
            right = "Accuracy: how often they give the panel's answer, drawn towards everybody's."
            said.append(own if scaled else right)
        return " ".join([*said, f"Brackets: {level_text(self.level)} intervals."] if said else [])

    def items(self) -> pd.DataFrame:
        """One row an item (of a query), those that divide people most first.

        Columns: its ids; n_votes, agreement (share of pairs of votes that are equal), answer (the
        panel's), probability and share (see `Reliability.to_frame`; where no model is known, the
        most frequent answer and its share). Items are in the order of 1 - agreement, drawn to the
        mean of all as if by four votes, so that two votes that differ do not make an item disputed;
        of measurements (more than 20 different numbers), in that of their squared differences.
        Without those of one vote.

        Raises
        ------
        DataError
            No item has two votes.
        """
        return self._items.drop(columns="unit")

    @cached_property
    def _items(self) -> pd.DataFrame:
        found, ratings = self.agreement, self.ratings
        if found is None:
            columns = "unit", "item", "n_votes", "agreement", "answer", "share"
            return pd.DataFrame(columns=[*columns])
        frame = found.by_item()
        apart = frame.pop("distance") if self.ratings.are_measured else 1 - frame["agreement"]
        frame = frame.assign(apart=apart, unit=np.arange(ratings.n_units))
        if self.reliability is not None:
            own = self.reliability.to_frame()[["answer", "probability", "share"]]
        else:
            k = len(ratings.names)
            place = ratings.unit.astype(np.int64) * k + ratings.value
            counts = np.bincount(place, ratings.weight, ratings.n_units * k).reshape(-1, k)
            answer = np.array(ratings.names, dtype=object)[counts.argmax(axis=1)]
            share = counts.max(axis=1) / counts.sum(axis=1)
            own = pd.DataFrame({"answer": answer, "share": share})
        frame = frame.join(own).dropna(subset="agreement")  # both have a row a unit
        n = frame["n_votes"]
        apart = frame["apart"] * (n - 1) / n  # of two votes drawn with replacement
        frame["drawn"] = (n * apart + _WORTH * apart.mean()) / (n + _WORTH)
        order = frame.sort_values("drawn", ascending=False, kind="stable", ignore_index=True)
        return order.drop(columns=["drawn", "apart"])

    def _items_lines(self) -> list[str]:
        """The items that divide people most."""
        frame, ratings = self._items, self.ratings
        frame = frame[frame["agreement"] < 1].head(_MOST_ITEMS)
        ids, said = self._ids, []
        for unit, *key in frame[["unit", *ids]].itertuples(index=False):
            own = ratings.unit == unit
            n = np.bincount(ratings.value[own], ratings.weight[own], len(ratings.names))
            most = np.argsort(-n, kind="stable")[: min(_ANSWERS, (n > 0).sum())].tolist()
            counts = ", ".join(f"{ratings.names[j]}: {n[j]:g}" for j in most)
            if self.ratings.are_measured:
                counts = f"{ratings.names[min(most)]} to {ratings.names[max(most)]}"
            said.append(f"{' '.join(map(str, key))} ({counts})")
        if not said:
            return []
        return [f"{unit_word(ratings).capitalize()}s that divide people most: {'; '.join(said)}."]

    def _next_lines(self) -> list[str]:
        """The votes to ask for first."""
        if self.next_votes is None:
            return []
        rows = self.next_votes.votes.head(_MOST_ASKED)[["subject", *self._ids]]
        said = [
            f"{who} about {' '.join(map(str, key))}" for who, *key in rows.itertuples(index=False)
        ]
        return [f"Ask next: {'; '.join(said)}."]

    def _size_lines(self) -> list[str]:
        """How many items and people would narrow agreement, and how many votes make a consensus."""
        lines = []
        if self.size is not None:
            lines.append(f"Next study: {self.size._sentence()}")
        return [*lines, self._consensus()]

    def _consensus(self) -> str:
        """How many votes an item needs, at the mean accuracy; "" where it is not known."""
        if self.reliability is None:
            return ""
        fit = self.reliability.fit
        accuracy = float(np.nansum(fit.accuracy * fit.n_votes) / fit.n_votes.sum())
        if not 1 / 2 < accuracy < 1:
            return ""
        plans = [
            vote_plans.consensus_plan(_RIGHT, accuracy, rho)
            for rho in (vote_plans.LEAST_RHO, vote_plans.MOST_RHO)
        ]
        few, many = (
            f"{one.votes} votes"
            if one.votes
            else f"more than {vote_plans.MOST_VOTES} votes (the limit is {one.limit:.2f})"
            for one in plans
        )
        if not plans[0].votes:
            return ""
        return (
            f"A single vote is the panel's answer in {percent_text(accuracy)}; for the majority to "
            f"be it in {percent_text(_RIGHT)}, an item takes {few} if people's errors correlate by "
            f"{vote_plans.LEAST_RHO:g}, and {many} if by {vote_plans.MOST_RHO:g}."
        )

    def report(self, path: str | Path, *, title: str | None = None, command: str = "") -> Path:
        """Write a page with all of it, which opens in any browser and needs no network.

        Parameters
        ----------
        path : path
            Ending in .html.
        title : str, optional
            Heading of the page.
        command : str
            What computes it again, to be shown.

        Returns
        -------
        Path

        Raises
        ------
        OptionError
            The name does not end in .html.
        """
        from fuzzytruth.analysis.crowd_page import crowd_page
        from fuzzytruth.comparison.comparison_report import write_page

        return write_page(lambda: crowd_page(self, title, command), path)
