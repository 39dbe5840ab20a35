"""`judge_agreement`: which model judge agrees best with people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from fuzzytruth import errors, plots
from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes, Bools
from fuzzytruth.annotators.model_judges import matched_votes
from fuzzytruth.annotators.model_judges.matched_votes import AGREEMENT, BIAS, KAPPA, WEIGHTED
from fuzzytruth.annotators.ratings import COLUMNS, interval_axis, with_others
from fuzzytruth.comparison.compare import compare
from fuzzytruth.comparison.result import Comparison
from fuzzytruth.core.validation import between_zero_and_one, option_flag
from fuzzytruth.errors import DataError, choice, counted, first_few, plural, warn
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.plots.frames import PlotData, Title
from fuzzytruth.show.answer import Parts, Result, Sentences, Table, printed_table
from fuzzytruth.show.number_text import level_text, number_text, numbers_format, with_interval
from fuzzytruth.stats.settings import Resampling
from fuzzytruth.truth import Missing

MOST_ROWS, WITH_ORDERS = 12, 5
NAMES = {AGREEMENT: "agreement", KAPPA: "kappa", WEIGHTED: "weighted kappa"}
AMONG_PEOPLE = "one person with another"
Coefficient = Literal["percent", "kappa", "weighted_kappa"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class JudgeAgreement(Result):
    """How well model judges agree with people, and how they order systems.

    Parameters
    ----------
    judges : DataFrame
        One row a judge: judge; percent (share of equal votes), kappa (Cohen's κ) and, of grades,
        weighted_kappa (with squared differences) and bias (mean grade of the judge minus that of
        the people), each with its interval in ``..._lower`` and ``..._upper``; among_best (no
        judge is significantly better), rank_lower and rank_upper (confidence set of the rank);
        above_chance, above_constant and below_people (see `judge_agreement`); n_units; n_outside
        (grades beyond the people's lowest and highest one).
    orders : DataFrame or None
        One row a judge and measure: judge, measure, tau_b (Kendall's, of the systems' means by the
        judge's grades and by the people's), lower and upper (central share `level` of resampled
        queries), n_significant (pairs of systems that differ significantly by the people's
        grades), n_reversed (of these, pairs that the judge orders the other way round),
        share_reversed.
    people : dict of str to float or None
        The same coefficients of one person with another, drawn at random; None where no two
        people judged one unit.
    scores : Scores
        Judges as systems: their coefficients as values of queries (or items), whose means are
        those of `judges` and whose spread is the jackknife's.
    comparison : Comparison or None
        All pairs of judges by `coefficient`, on the units that all of them judged; None of a single
        judge, or if these are too few.
    coefficient : {"percent", "kappa", "weighted_kappa"}
    level : float
    constant : str
        The people's most frequent value, which a constant judge would give.
    over : {"query", "item"}
        What intervals are over.
    n_clusters : int
        Number of these.
    n_compared : int or None
        Units that all judges judged, on which they are compared; None if there are no others.
    """

    judges: pd.DataFrame
    orders: pd.DataFrame | None
    people: dict[str, float] | None
    scores: Scores
    comparison: Comparison | None
    coefficient: Coefficient
    level: float
    constant: str
    over: Literal["query", "item"]
    n_clusters: int
    n_compared: int | None = None

    def __repr__(self) -> str:
        best = int(self.judges["among_best"].sum())
        return (
            f"JudgeAgreement({counted(len(self.judges), 'judge')}, {best} among the best by "
            f"{self.coefficient}, over {self._clusters})"
        )

    def _title(self) -> str:
        return (
            f"{counted(len(self.judges), 'model judge')} beside people: agreement over "
            f"{self._clusters}"
        )

    @property
    def _clusters(self) -> str:
        """What intervals are over, counted."""
        return counted(self.n_clusters, self.over)

    def _parts(self) -> Parts:
        """The best judges, one row a judge, then the orders of systems."""
        rows = self.judges.sort_values(self.coefficient, ascending=False, kind="stable")
        orders = "" if self.orders is None else ", .orders"
        return [
            Sentences.of(*self._verdicts(rows)),
            self._table(rows),
            self._order_of_systems(rows),
            Sentences.of(*self._legend()),
            f"More: .to_frame(full=True), .scores, .comparison{orders}",
        ]

    def _verdicts(self, rows: pd.DataFrame) -> Iterator[str]:
        """Who is among the best, and who adds nothing."""
        name, n = NAMES[self.coefficient], len(rows)
        best = [*rows.loc[rows["among_best"], "judge"]]
        if self.n_compared is None and self.comparison is None and n > 1:
            yield f"Judges are not compared: fewer than two have a {name} with an interval."
        elif self.n_compared is not None and n > 1:
            units = counted(self.n_compared, "unit")
            yield (
                f"Judges are not compared: all of them judged {units} in common."
                if self.comparison is None
                else f"Judges are compared on the {units} that all of them judged."
            )
        if self.comparison is not None and n > 1:
            yield (
                f"No judge is significantly better than another by {name}."
                if len(best) == n
                else f"Among the best by {name}: {first_few(best, 4)} ({len(best)} of {n} judges; "
                "none is significantly better)."
            )
        constant = f"Not shown to agree more often than a judge that always says {self.constant}"
        for chosen, said in (
            (~rows["above_chance"], "Not shown to agree better than by chance"),
            (~rows["above_constant"], constant),
            (rows["below_people"], "Agree with people less than people with each other"),
        ):
            named = [*rows.loc[chosen, "judge"]]
            if named:
                yield f"{said}: {'all judges' if len(named) == n > 1 else first_few(named, 4)}."
        outside = rows[rows["n_outside"] > 0]
        if len(outside):
            what = counted(int(outside["n_outside"].sum()), "grade is", "grades are")
            yield f"{what} beyond the people's scale: {first_few([*outside['judge']], 4)}."

    def _table(self, rows: pd.DataFrame) -> Table:
        """One row a judge."""
        others = [name for name in NAMES if name in rows and name != self.coefficient]
        bias = f"+{numbers_format(rows[BIAS], 2)}" if BIAS in rows else ""
        return printed_table(
            rows,
            {
                "judge": "judge",
                self.coefficient: (NAMES[self.coefficient], ".3f"),
                (f"{self.coefficient}_lower", f"{self.coefficient}_upper"): (
                    level_text(self.level),
                    ".3f",
                ),
                **{name: (NAMES[name], ".3f", "extra") for name in others},
                BIAS: (BIAS, bias) if bias else None,
                "among_best": ("best", lambda best: "yes" if best else ""),
            },
            limit=MOST_ROWS if self.orders is None else WITH_ORDERS,
            cut="the first {shown} of {rows:,} judges",
        )

    def _order_of_systems(self, rows: pd.DataFrame) -> Table | None:
        """Correlations of the orders of systems, of the judges that are shown, by one measure."""
        if self.orders is None:
            return None
        measure = self.orders["measure"].iloc[0]
        own = self.orders[self.orders["measure"] == measure].set_index("judge")
        return printed_table(
            own.reindex([*rows["judge"][:WITH_ORDERS]]).reset_index(),
            {
                "judge": "judge",
                ("tau_b", "lower", "upper"): ("Kendall's tau_b", partial(with_interval, digits=2)),
                ("n_reversed", "n_significant"): ("reversed", lambda n, of: f"{n} of {of}"),
            },
            title=f"Order of the systems by {measure}",
        )

    def _legend(self) -> Iterator[str]:
        """What the numbers are."""
        level, name = level_text(self.level), NAMES[self.coefficient]
        yield (
            f"Brackets: {level} intervals of {name} over {plural(self.over)}, one judge at a time "
            "(jackknife). Best: no judge is significantly better, all pairs together."
        )
        bias = " Bias: mean grade minus the people's." if BIAS in self.judges else ""
        yield f"Kappa: Cohen's; 0 is agreement by chance.{bias}"
        if self.people is not None:
            yield (
                f"People with each other (units that several judged): {name} "
                f"{number_text(self.people[self.coefficient], 3)}"
            )
        if self.orders is not None:
            yield (
                "Kendall's tau_b: of the systems' means by the judge and by people, in brackets in "
                f"the central {level} of resampled queries. Reversed: pairs of systems that differ "
                "significantly by people, and the other way round by the judge."
            )

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row a judge, the best first.

        Columns: judge, coefficient, value, lower, upper, n_units, bias (of grades), best (whether
        it is among_best); with ``full=True`` then those of `judges`.
        """
        by = self.coefficient
        rows = self.judges.sort_values(by, ascending=False, kind="stable", ignore_index=True)
        named = {by: "value", f"{by}_lower": "lower", f"{by}_upper": "upper", "among_best": "best"}
        shown = [name for name in ("judge", *COLUMNS, BIAS, "best") if name != BIAS or BIAS in rows]
        short = rows.rename(columns=named).assign(coefficient=by)[shown]
        return with_others(short, rows) if option_flag("full", full) else short

    def plot(self, ax: Axes | None = None, *, title: Title = True) -> Axes:
        """Draw each judge's agreement with people with its interval, by its coefficient.

        Where several people judged the same units, one person's agreement with another is a row of
        its own, without an interval.

        Parameters
        ----------
        ax, title
            As in `plots.means`.

        Raises
        ------
        DataError
            The coefficient is NaN for all judges.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> votes = ft.datasets.load_llmjudge_dl23()
        >>> ax = ft.judge_agreement(
        ...     votes.select(subjects="human"),
        ...     votes.select(subjects=["TREMA-CoT", "Olz-gpt4o"])).plot()
        >>> [label.get_text() for label in ax.get_yticklabels()], ax.get_xlabel()
        (['Olz-gpt4o', 'TREMA-CoT'], 'kappa with people')
        """
        return plots.means(self, ax, title=title)

    _figures: ClassVar[tuple[str, ...]] = ("means",)

    def _plot_data(self, figure: str, measure: Any = None) -> PlotData:
        """Agreement of each judge with people and, if known, of one person with another."""
        by = self.coefficient
        name = NAMES[by]
        ends = {f"{by}_lower": "lower", f"{by}_upper": "upper", by: "mean", "judge": "system"}
        rows = self.judges.rename(columns=ends)[["system", "mean", "lower", "upper"]]
        if self.people is not None:
            people = pd.DataFrame({"system": [AMONG_PEOPLE], "mean": [self.people[by]]})
            rows = pd.concat([rows, people])
        return PlotData(
            rows.assign(measure=name),
            f"{name.capitalize()} of {counted(len(self.judges), 'model judge')} with people\n"
            f"Bars: {level_text(self.level)} intervals over {self._clusters}, one "
            "judge at a time",
            labels={"axis": f"{name} with people"},
        )


def judge_agreement(
    votes: Any,
    model: Any,
    runs: Any = None,
    measures: Any = "nDCG@10",
    *,
    coefficient: Coefficient = "kappa",
    over: Literal["item", "query"] | None = None,
    level: float = 0.95,
    missing: Missing = "error",
    rel: float | Mapping[str, float] | None = None,
    n_resamples: int = 9999,
    rng: Any = 0,
) -> JudgeAgreement:
    """Agreement of model judges with people, unit by unit and on the order of systems.

    Where several people judged a unit, a judge is held against one of them drawn at random: its
    agreement is the mean over the people, and each unit counts once.

    Parameters
    ----------
    votes : Judgments, Assignments, or what `as_judgments` takes
        Votes of one or several people. Judgments without subjects are those of one person.
    model : the same
        Votes of one or several judges. Judgments without subjects are those of one judge, "model".
        Units that people did not judge play no part.
    runs : Runs, or what `as_runs` takes, optional
        Systems that are scored by the judgments of both, on the items that both judged. To rank
        systems that other judges' grades make, take ``Runs.from_judgments(votes)``.
    measures : measure or sequence of measures
        For `runs`.
    coefficient : {"percent", "kappa", "weighted_kappa"}
        What judges are compared by. The share of equal votes rewards a judge that always gives the
        most frequent value; κ corrects for that; weighted κ, of grades only, also counts how far
        off a grade is.
    over : {"item", "query"}, optional
        What intervals are over, as in `pairwise_agreement`: items, as if all were independent, or
        queries, whose items vary together. By default queries, if there are two or more.
    level : float
        Of intervals, and of the statement about the best judges.
    missing : {"error", "nonrelevant", "exclude", "pooled"}
        For `runs`: judgments that a judge or a person left out; see `evaluate`.
    rel : number or mapping of subject to number, optional
        The lowest grade that is relevant, one for all or each person's and judge's own where
        scales differ: grades become 1 from there on, else 0.
    n_resamples, rng
        See `stats.Resampling`.

    Returns
    -------
    JudgeAgreement
        Judges are **among the best** unless another one is significantly better, by all pairs of
        differences over the units that all of them judged (moderated bootstrap max-t over queries,
        see `compare`). Three
        columns of `judges` say whether a judge adds something, each with confidence `level` for
        all judges together (Bonferroni): above_chance, κ is above 0; above_constant, agreement is
        above that of always giving the people's most frequent value; below_people, the coefficient
        is below that of one person with another, both on units that several people judged.

    Raises
    ------
    DataError
        People and judges judged nothing in common, somebody judged a unit repeatedly, or
        the coefficient does not go with the votes.
    OptionError
        An option has a value that it does not take.

    Warns
    -----
    ScaleWarning
        Grades of some people or models keep to a shorter scale than those of the others, or never
        reach `rel`.
    LeftOutWarning
        People judged units that no judge did; or judges judged different units, and are compared on
        those that all of them judged (not at all if these are of a single query).
    DegenerateWarning
        A judge's κ is not defined, both sides giving one and the same value throughout, or would
        not be without one of the queries, so that it has no interval; it is not compared.

    References
    ----------
    Cohen 1960 and 1968 (κ, weighted κ); Efron & Stein 1981 (jackknife); Mogstad, Romano, Shaikh &
    Wilhelm 2024 (rank sets); Faggioli et al. 2023, Perspectives on LLMs for relevance judgment.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> votes = ft.datasets.load_llmjudge_dl23()
    >>> result = ft.judge_agreement(
    ...     votes.select(subjects="human"), votes.select(subjects=["Olz-gpt4o", "TREMA-CoT"]))
    >>> result.to_frame()[["judge", "value", "lower", "upper", "bias"]].round(3).values.tolist()
    [['Olz-gpt4o', 0.262, 0.148, 0.377, -0.121], ['TREMA-CoT', 0.196, 0.129, 0.263, 0.143]]
    """
    choice("coefficient", coefficient, get_args(Coefficient))
    level = between_zero_and_one("level", level)
    using = Resampling(n_resamples, rng)
    weighted = coefficient == WEIGHTED
    human, model = matched_votes.named_votes(votes, model, rel)
    matched = matched_votes.match_votes(human, model, "judge_agreement", distances=weighted)
    if weighted and matched.grades is None:
        raise DataError("coefficient='weighted_kappa': these votes are categories; take 'kappa'")
    over = interval_axis(over, matched.n_queries)
    values = matched_votes.judge_values(matched, by_query=over == "query")
    scores = values.scores(matched.judges, tuple(n for n in values.statistics if n != BIAS))
    compared, n_compared = _compared_scores(matched, scores, by_query=over == "query")
    comparison = None
    if compared is not None:
        comparison = _comparison(compared, values, coefficient, level, using)
    people = None
    if values.of_people is not None:
        people = dict(zip(values.statistics, values.of_people.tolist(), strict=True))
        people.pop(BIAS, None)
    orders = None
    if runs is not None:
        orders = matched_votes.system_orders(human, model, runs, measures, missing, level, using)
    return JudgeAgreement(
        _table(matched, values, comparison, coefficient, level),
        orders,
        people,
        scores,
        comparison,
        coefficient,
        level,
        values.constant,
        over,
        len(values.clusters),
        n_compared,
    )


def _table(
    votes: matched_votes.MatchedVotes,
    values: matched_votes.JudgeValues,
    comparison: Comparison | None,
    by: Coefficient,
    level: float,
) -> pd.DataFrame:
    """Statistics of each judge, with intervals, ranks, and whether it adds something."""
    columns: dict[str, Any] = {"judge": list(votes.judges)}
    for place, name in enumerate(values.statistics):
        lower, upper = matched_votes.mean_intervals(values.values[:, place], level)
        estimate = values.estimates[:, place]
        columns |= {name: estimate, f"{name}_lower": lower, f"{name}_upper": upper}
    columns["n_units"] = values.n_units
    outside = np.zeros(len(votes.models.who), dtype=bool)
    if votes.grades is not None:
        given = votes.grades[votes.people.value]
        theirs = votes.grades[votes.models.value]
        outside = (theirs < given.min()) | (theirs > given.max())
    columns["n_outside"] = np.bincount(votes.models.who[outside], minlength=len(votes.judges))
    if comparison is None:
        columns["among_best"] = ~np.isnan(columns[by])
        columns["rank_lower"] = np.where(columns["among_best"], 1.0, np.nan)
        columns["rank_upper"] = columns["rank_lower"]
    else:
        tiers = comparison.tiers().set_index("system").reindex([*votes.judges])
        columns["among_best"] = tiers["among_best"].eq(True).to_numpy()  # False if not compared
        columns |= {name: tiers[name].to_numpy() for name in ("rank_lower", "rank_upper")}
    together = 1 - (1 - level) / len(votes.judges)
    for name, gain in (
        ("above_chance", values.values[:, values.statistics.index(max(by, KAPPA))]),
        ("above_constant", values.above_constant),
        ("below_people", values.behind_people[:, values.statistics.index(by)]),
    ):
        columns[name] = matched_votes.mean_intervals(gain, together)[0] > 0
    return pd.DataFrame(columns)


def _compared_scores(
    votes: matched_votes.MatchedVotes, scores: Scores, *, by_query: bool
) -> tuple[Scores | None, int | None]:
    """Scores on the units that all judges judged, and how many these are (None: all).

    A judge that leaves out what is hard would seem better by its own units.
    """
    n_judges = len(votes.judges)
    shared: Bools = np.bincount(votes.models.unit, minlength=votes.n_units) == n_judges
    n_shared = int(shared.sum())
    if n_shared == votes.n_units or n_judges == 1:
        return scores, None
    n_units = np.bincount(votes.models.who, minlength=n_judges)
    fewest = int(n_units.argmin())
    which = (
        f"{n_shared:,} of {counted(votes.n_units, 'unit')} "
        f"(the fewest: {votes.judges[fewest]!r}, {n_units[fewest]:,})"
    )
    both = votes.restrict(shared) if n_shared else None
    few = both is None or (both.n_clusters if by_query else n_shared) < 2
    said = f"compared on what all of them judged, {which}"
    if few:
        said = f"not compared, since all of them judged only {which}"
    warn(f"judge_agreement: judges are {said}", errors.LeftOutWarning)
    if both is None or few:
        return None, n_shared
    values = matched_votes.judge_values(both, by_query=by_query)
    return values.scores(votes.judges, scores.measures), n_shared


def _comparison(
    scores: Scores,
    values: matched_votes.JudgeValues,
    by: Coefficient,
    level: float,
    using: Resampling,
) -> Comparison | None:
    """All pairs of the judges whose statistic is defined."""
    names = np.array(scores.systems, dtype=object)
    known = np.isfinite(scores.values[:, scores.measures.index(by)]).any(axis=1)
    defined = np.isfinite(values.estimates[:, values.statistics.index(by)])
    for lost, why in (
        (~defined, "is not defined, who gave one value, as people did"),
        (
            defined & ~known,
            "is not compared, not being defined without some query, or on what all judged",
        ),
    ):
        if lost.any():
            warn(
                f"judge_agreement: {by} of {counted(int(lost.sum()), 'judge')} {why}: "
                f"{first_few(names[lost])}",
                errors.DegenerateWarning,
            )
    if known.sum() < 2:
        return None
    return compare(
        scores.select(systems=names[known].tolist(), measures=by),
        level=level,
        n_resamples=using.n_resamples,
        rng=using.rng,
    )
