"""`analyse`: data check, scores, comparisons and stability of ranks as one result."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes, Bools
from fuzzytruth.analysis.analysis_report import analysis_page
from fuzzytruth.analysis.data_check import DataCheck, Sources, check_data, check_sources, is_judged
from fuzzytruth.annotators.structure.structure import PermutedScores
from fuzzytruth.comparison import inference
from fuzzytruth.comparison.by_subject import SubjectComparisons, with_differences
from fuzzytruth.comparison.compare import compare
from fuzzytruth.comparison.comparison_report import checksums, write_page
from fuzzytruth.comparison.opening import findings, opening
from fuzzytruth.comparison.rank_stability import RankStability, rank_stability
from fuzzytruth.comparison.result import Comparison, Kind
from fuzzytruth.core.lazy import Lazy
from fuzzytruth.core.randomness import generator
from fuzzytruth.core.validation import between_zero_and_one, option_flag
from fuzzytruth.data.reading import as_runs
from fuzzytruth.errors import DataError, FuzzytruthWarning, OptionError, counted, shown
from fuzzytruth.evaluation.evaluate import evaluate
from fuzzytruth.evaluation.scores.score_rows import ScoreRows, best_first, score_rows
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.evaluation.scores.summary import Grouping
from fuzzytruth.evaluation.validation import as_truth, measures_in_words
from fuzzytruth.evaluation.vote_patterns import pattern_of
from fuzzytruth.measures import Measure, parse_measures
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show import latex, markdown
from fuzzytruth.show.answer import Column, Parts, Result, Sentences, Table, first_rows
from fuzzytruth.show.number_text import digits_for, level_text
from fuzzytruth.stats.vote_structure import permuted as permuted_options

_MOST_MEASURES = 3
_MOST_SYSTEMS = 12
_MOST_NOTES = 5
_MOST_SENTENCES = 3
MOST_LETTERS = 12  # systems; of more, those beaten are counted
_LABELS = ("", "system", "beats", "both")
_RANKS = ["rank", "rank_lower", "rank_upper", "share_first"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Analysis(Result):
    """Data check, scores, comparisons and stability of ranks.

    Parameters
    ----------
    data : DataCheck
    scores : Scores
    rows : ScoreRows
        Means over the values that all systems have, and their intervals over queries.
    comparison : Comparison or None
        Over queries; None for a single system.
    both : Comparison or None
        Over queries and subjects (or worlds in which they are resampled); None where there are not
        several, or they are nested in queries, or queries are in clusters and subjects resampled.
    by_subject : SubjectComparisons or None
        By each subject's judgments alone; None where there are not several, or more than 50.
    stability : RankStability or None
        Over queries, or clusters of them; None where there is no query that all systems have.
    level : float
    lazy_sources : Lazy of Sources or None
        See `sources`.
    """

    data: DataCheck
    scores: Scores
    rows: ScoreRows
    comparison: Comparison | None
    both: Comparison | None
    by_subject: SubjectComparisons | None
    stability: RankStability | None
    level: float
    lazy_sources: Lazy[Sources | None]

    @property
    def sources(self) -> Sources | None:
        """Agreement of subjects and ties of runs, computed when asked for; None of scores."""
        return self.lazy_sources.value

    def __repr__(self) -> str:
        return (
            f"Analysis({counted(len(self.scores.systems), 'system')}, "
            f"{counted(len(self.scores.queries), 'query')}, "
            f"{counted(len(self.scores.measures), 'measure')}, "
            f"{counted(len(self.data.notes), 'note')} on the data)"
        )

    _more = (
        ".data, .scores, .comparison, .both, .by_subject, .stability, "
        '.to_frame(full=True), .report("report.html")'
    )

    def _title(self) -> str:
        systems = counted(len(self.scores.systems), "system")
        return f"Analysis of {systems} by {measures_in_words(self.scores.measures)}"

    def _parts(self) -> Parts:
        """One screen: the winner, the data, verdicts, a table a measure, and what they are."""
        scores, notes = self.scores, self.data.notes
        more = len(notes) - _MOST_NOTES
        shown = scores.measures[:_MOST_MEASURES]
        cut = []
        if len(shown) < len(scores.measures):
            cut.append(f"{_MOST_MEASURES} of {len(scores.measures)} measures")
        if len(scores.systems) > _MOST_SYSTEMS:
            cut.append(f"the best {_MOST_SYSTEMS} of {len(scores.systems)} systems")
        if self.comparison is not None:
            yield opening(self.comparison, self.by_subject, self.both)
        yield Sentences.of(
            self.data.title,
            *(f"- {note}" for note in notes[:_MOST_NOTES]),
            f"- and {counted(more, 'more note')}: .data" if more > 0 else "",
        )
        yield self._verdict_lines()
        yield from (self._table(measure, _MOST_SYSTEMS) for measure in shown)
        rest = f"Shown: {' and '.join(cut)}; all: .to_frame()." if cut else ""
        of = "" if self.comparison is None else self.comparison.conditions.shared_items
        yield Sentences.of(*self._legend(), of, rest)

    def _verdict_lines(self) -> Sentences | None:
        """Verdicts over queries, and how many hold over queries and subjects."""
        comparison, each = self.comparison, self.by_subject
        if comparison is None:
            return None
        lines = findings(comparison, self.both, _MOST_SENTENCES)
        if each is not None:
            lines += map(each.alone_line, comparison.conditions.measures)
        return Sentences(tuple(lines))

    def _beaten(self, comparison: Comparison | None, measure: str) -> list[list[str]]:
        """For each system, the names of those that are significantly worse."""
        systems = self.scores.systems
        if comparison is None:
            return [[] for _ in systems]
        above = inference.better_than(comparison.table, comparison.conditions, measure)
        return [[systems[j] for j in np.flatnonzero(row)] for row in above]

    def _marks(self, comparison: Comparison, measure: str) -> list[str]:
        """Letters of the systems beaten, or how many they are."""
        if len(self.scores.systems) > MOST_LETTERS:
            beaten = self._beaten(comparison, measure)
            return [str(len(names)) if names else "" for names in beaten]
        return [str(mark) for mark in comparison.superscripts()[measure]]

    def _columns(self, measure: str, digits: int | None = None) -> dict[str, Sequence[str]]:
        """The printed columns of one measure as text, in the order of the systems."""
        systems, rows, m = self.scores.systems, self.rows, self.rows.measures.index(measure)
        places = digits_for(rows.values[:, m].tolist(), 3) if digits is None else digits
        out: dict[str, Sequence[str]] = {
            "": inference.letters(len(systems)),
            "system": systems,
            "mean": rows.column(m, places),
        }
        if self.comparison is not None:
            out["beats"] = self._marks(self.comparison, measure)
        if self.both is not None:
            out["both"] = self._marks(self.both, measure)
        if self.stability is not None:
            table = self.stability.systems
            sets = table[table["measure"] == measure].set_index("system").loc[list(systems)]
            ends = zip(sets["rank_lower"], sets["rank_upper"], strict=True)
            out["ranks"] = [inference.rank_range(*both) for both in ends]
        return out

    def _best(self, measure: str) -> Bools:
        """Which systems have the best mean: (systems,)."""
        return self.rows.best[:, self.rows.measures.index(measure)]

    def _table(self, measure: str, limit: int | None = None) -> Table:
        """A row a system, the best first; of many, the first `limit`."""
        best, m = self._best(measure), self.rows.measures.index(measure)
        up = self.scores.higher_is_better[m]
        order = best_first(self.rows.values[:, m], higher_is_better=up).tolist()
        columns = []
        for name, texts in self._columns(measure).items():
            bold = tuple(best[order].tolist()) if name == "mean" else ()
            chosen = tuple(texts[j] for j in order)
            if name in _LABELS:
                columns.append(Column.label(name, chosen))
            else:
                columns.append(Column(name, chosen, bold=bold))
        kept, _ = first_rows(columns, limit or len(order))
        return Table(kept, measure if len(self.scores.measures) > 1 else "")

    def _legend(self) -> list[str]:
        """What the columns are of."""
        scores, rows, comparison, both = self.scores, self.rows, self.comparison, self.both
        level = level_text(self.level)
        out = [f"Brackets: {rows.brackets}." if rows.brackets else "", scores._values_line]
        if scores.lower is not None:
            out.append("They are no confidence intervals; beats and ranks rest on the means.")
        elif len(scores.queries) < 2:
            out.append("One query: how means vary over queries is not known.")
        if comparison is not None:
            what = "number" if len(scores.systems) > MOST_LETTERS else "letters"
            conditions = comparison.conditions
            pairs = f" Only pairs with {' or '.join(conditions.baselines)} were compared."
            out += conditions.shared_lines
            out.append(
                f"beats: {what} of the systems significantly worse over {conditions.random}, by "
                f"{conditions.procedure}, level {conditions.level:g}."
                + (pairs if conditions.baselines else "")
            )
        if both is not None:
            over = both.conditions.random
            out.append(f"both: the same over {over}, by {both.conditions.procedure}.")
        if comparison is not None and self.stability is not None:
            of = ", from comparisons of all pairs" if comparison.conditions.baselines else ""
            over = comparison.conditions.random
            out.append(f"ranks: simultaneous {level} confidence sets over {over}{of}.")
        out.append(scores._direction_line)
        return [line for line in out if line]

    def verdicts(self) -> list[str]:
        """Those of the comparison over queries; none for a single system."""
        return [] if self.comparison is None else self.comparison.verdicts()

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row for each measure and system.

        Columns: measure, system, mean, lower and upper (t interval over queries, or clusters of
        them, or the bounds of the scores where they have any), beats (systems significantly worse
        over queries, separated by commas) and, where there are several subjects, beats_both (the
        same over queries and subjects, or resampled subjects); with
        ``full=True`` also rank, rank_lower, rank_upper (confidence set over queries), share_first
        (of resamples in which it is best, which is descriptive), lowest_subject and highest_subject
        (means by single subjects' judgments, each over the queries that the subject judged),
        n_queries.
        """
        scores, rows = inference.on_shared_values(self.scores), self.rows
        unknown = np.full(rows.values.shape, np.nan)
        ends = {"lower": rows.lower, "upper": rows.upper}
        lowest, highest = ends_by_subject(scores)
        n_queries = (~np.isnan(scores.cells.mean_by_query(scores.values))).sum(axis=-1)
        parts = []
        for m, measure in enumerate(scores.measures):
            columns: dict[str, Any] = {
                "measure": measure,
                "system": list(scores.systems),
                "mean": rows.values[:, m],
            }
            columns |= {n: (unknown if x is None else x)[:, m] for n, x in ends.items()}
            columns["beats"] = [",".join(x) for x in self._beaten(self.comparison, measure)]
            if self.both is not None:
                columns["beats_both"] = [",".join(x) for x in self._beaten(self.both, measure)]
            short = list(columns)
            columns |= {"lowest_subject": lowest[:, m], "highest_subject": highest[:, m]}
            parts.append(pd.DataFrame(columns | {"n_queries": n_queries[:, m]}))
        table = pd.concat(parts, ignore_index=True)
        if not option_flag("full", full):
            return table[short]
        if self.stability is None:
            table[_RANKS] = np.nan
        else:
            of_systems = self.stability.systems[["measure", "system", *_RANKS]]
            table = table.merge(of_systems, on=["measure", "system"], how="left")
        return table[[*short, *_RANKS, "lowest_subject", "highest_subject", "n_queries"]]

    def report(
        self,
        path: str | Path,
        *,
        title: str | None = None,
        command: str = "",
        files: str | Path | Iterable[str | Path] = (),
        groups: Mapping[str, Any] | None = None,
    ) -> Path:
        """Write all of it as a page, in one file that needs no network.

        The answer in a sentence; systems with their differences from a baseline, which readers
        choose as they do the measure and whose judgments count; tables that they can sort,
        stability of ranks, what single subjects' judgments say, agreement of the subjects, data
        checks, a paragraph on methods with references, and what it takes to compute it again. What
        `print` shows has the same numbers. The same analysis gives the same bytes.

        Parameters
        ----------
        path : str or Path
            The file, such as report.html. An existing one is replaced.
        title : str, optional
            By default what was analysed.
        command : str
            What computes it again, to be shown.
        files : str, Path or several
            Files that it was computed from, or patterns, to be shown by name with their SHA-256.
        groups : mapping of subject to group, or Communities, optional
            Whose judgments readers can choose, too.

        Returns
        -------
        Path

        Raises
        ------
        DataError
            The file cannot be written, or one of `files` cannot be read.
        OptionError
            `path` or one of `files` is no path, or the path has another ending than .html or .htm,
            or the title is no text, or `groups` are not of these subjects.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> from tempfile import TemporaryDirectory
        >>> truth = {f"q{j}": {"a": 1, "b": j % 2} for j in range(4)}
        >>> runs = {"x": {q: ["a", "b"] for q in truth}, "y": {q: ["b", "a"] for q in truth}}
        >>> with TemporaryDirectory() as folder:
        ...     path = ft.analyse(truth, runs, ["RR"]).report(f"{folder}/report.html")
        ...     page = path.read_text(encoding="utf-8")
        >>> "No difference between x and y is shown on RR over queries" in page
        True
        """
        return write_page(
            lambda: analysis_page(self, title, command, checksums(files), groups), path
        )

    def plot(
        self,
        ax: Axes | None = None,
        *,
        kind: Kind | None = None,
        measure: str | None = None,
        **options: Any,
    ) -> Axes:
        """Draw the differences over queries by one measure; see `Comparison.plot`.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure. Nothing is shown.
        kind : {"forest", "matrix", "tiers"}, optional
            See `Comparison.plot`.
        measure : str, optional
            By default the first.
        **options
            Of the function that draws.

        Raises
        ------
        DataError
            There is one system, hence no difference.
        OptionError
            See `Comparison.plot`.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> truth = {f"q{j}": {"a": 1, "b": j % 2} for j in range(4)}
        >>> runs = {"x": {q: ["a", "b"] for q in truth}, "y": {q: ["b", "a"] for q in truth}}
        >>> ft.analyse(truth, runs, ["RR"]).plot().get_xlabel()
        'difference of RR'
        """
        return self._compared().plot(ax, kind=kind, measure=measure, **options)

    _figures: ClassVar[tuple[str, ...]] = Comparison._figures

    def _plot_data(self, figure: str, **options: Any) -> PlotData:
        """Frames of the comparison."""
        return self._compared()._plot_data(figure, **options)

    def _compared(self) -> Comparison:
        """The comparison over queries, to be drawn."""
        if self.comparison is None:
            raise DataError("plot: there is one system, hence no difference; see .scores.plot()")
        return self.comparison

    def to_latex(
        self,
        *,
        digits: int = 3,
        caption: str | None = None,
        label: str = "tab:analysis",
        bold: bool = True,
    ) -> str:
        r"""The printed table with caption; needs ``\usepackage{booktabs}``.

        Parameters are those of `Comparison.to_latex`.
        """
        latex.check_paper_options(digits=digits, caption=caption, bold=bold, label=label)
        caption = self._caption(bold) if caption is None else caption
        return latex.of_table(self._paper(digits, bold), caption=caption, label=label)

    def to_markdown(self, *, digits: int = 3, caption: str | None = None, bold: bool = True) -> str:
        """The printed table in Markdown, and a line that explains it."""
        latex.check_paper_options(digits=digits, caption=caption, bold=bold)
        caption = self._caption(bold) if caption is None else caption
        return markdown.of_table(self._paper(digits, bold), caption)

    def _paper(self, digits: int, bold: bool) -> Table:
        """The columns of all measures, one below the other."""
        tables = {name: self._columns(name, digits) for name in self.scores.measures}
        best = np.concatenate([self._best(name) for name in tables]).tolist()
        columns = [Column.label("measure", np.repeat(list(tables), len(self.scores.systems)))]
        for heading in tables[self.scores.measures[0]]:
            cells = chain.from_iterable(table[heading] for table in tables.values())
            marks = tuple(best) if bold and heading == "mean" else ()
            columns.append(replace(Column.label(heading, cells), bold=marks))
        return Table(tuple(columns))

    def _caption(self, bold: bool) -> str:
        """What the columns are."""
        means = f"Means over {counted(len(self.scores.queries), 'query')}."
        return " ".join([means, *self._legend(), *(["Bold: the best system."] if bold else [])])


def ends_by_subject(scores: Scores) -> tuple[Any, Any]:
    """Lowest and highest mean by a single subject: (systems, measures); NaN without subjects."""
    if scores.subjects is None or scores.design == "nested":
        unknown = np.full((len(scores.systems), len(scores.measures)), np.nan)
        return unknown, unknown
    means = scores.cells.mean_by_subject(scores.values)  # (systems, measures, subjects)
    return np.fmin.reduce(means, axis=-1), np.fmax.reduce(means, axis=-1)


# What `analyse` computes.


JUDGED = "Judged@10"
MOST_SUBJECTS = 50  # by each of whom systems are compared


def analyse(
    truth: Any,
    runs: Any = None,
    measures: Iterable[str | Measure | Any] | str | Measure | Any = None,
    *,
    baseline: Iterable[str] | str | None = None,
    worlds: str | None = None,
    clusters: Grouping = None,
    level: float = 0.95,
    n_resamples: int = 9999,
    rng: Any = 0,
    n_jobs: int = 1,
    **options: Any,
) -> Analysis:
    """Everything that a careful reader asks of an evaluation, as one result.

    It checks the data, scores the systems, compares them over queries and, where there are several
    subjects, over queries and subjects and by each subject alone, and says how stable their ranks
    are.

    Parameters
    ----------
    truth : Judgments, ByExample, ByItem, Scores, ...
        As `evaluate` takes it; or scores, with neither `runs` nor options of `evaluate`.
    runs : Runs, ...
        As `evaluate` takes them.
    measures : str, Measure or sequence of those
        As `evaluate` takes them; of scores, all by default. ``Judged@k`` among them goes to the
        data check and is not compared, unless nothing else is asked for.
    baseline : str or sequence of str, optional
        As in `compare`.
    worlds : {"crisp", "subject", "independent", "population"}, optional
        By default each subject's truth in turn where there are several subjects, which lets them be
        random; else as in `evaluate`.
    clusters : mapping of query to cluster, or str, optional
        As in `compare`.
    level : float
        Of all intervals and rank sets.
    n_resamples, rng, n_jobs
        See `stats.Resampling`; `rng` is also of the worlds.
    **options
        Other options of `evaluate`: `ties`, `undefined`, `missing`, `rel`, `n_worlds`, ...

    Returns
    -------
    Analysis
        `data`, `scores`, `comparison` (over queries), `both` (over queries and subjects),
        `by_subject` and `stability`; the last four are None where there is nothing to compare.
        Where systems lack values that others have, means and ranks are over those that all have.
        Warnings of the evaluation are notes of `data`, and are not raised.

    Raises
    ------
    OptionError, DataError, MeasureError
        As `evaluate` and `compare`.

    References
    ----------
    See `compare` and `rank_stability`.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> truth = {f"q{j}": {"a": 1, "b": j % 2} for j in range(4)}
    >>> runs = {"x": {q: ["a", "b"] for q in truth}, "y": {q: ["b", "a"] for q in truth}}
    >>> result = ft.analyse(truth, runs, ["P@1", "RR"])
    >>> result.to_frame()[["measure", "system", "mean", "beats"]].values.tolist()
    [['P@1', 'x', 1.0, ''], ['P@1', 'y', 0.5, ''], ['RR', 'x', 1.0, ''], ['RR', 'y', 0.75, '']]
    """
    noted: list[str] = []
    data: tuple[Any, Any] | None = None
    if isinstance(truth, Scores):
        scores = _given_scores(truth, runs, measures, options)
    else:
        settings = {"worlds": worlds, "rng": rng, "n_jobs": n_jobs, **options}
        scores, noted, data = _evaluated(truth, runs, measures, settings)
    using: Any = {"level": level, "n_resamples": n_resamples, "rng": rng, "n_jobs": n_jobs}
    of: Any = {"baseline": baseline, "clusters": clusters}
    return analysis_of(scores, noted, data, **of, **using)


def analysis_of(
    scores: Scores,
    noted: Iterable[str],
    given: tuple[Any, Any] | None,
    *,
    baseline: Iterable[str] | str | None = None,
    clusters: Grouping = None,
    **using: Any,
) -> Analysis:
    """The analysis of scores: warnings of their evaluation are `noted`.

    `given` are truth and runs that they are of, if these are known.
    """
    sources = Lazy(lambda: None if given is None else check_sources(*given))
    level = between_zero_and_one("level", using["level"])
    compared = [name for name in scores.measures if not is_judged(name)]
    data = check_data(scores, noted)
    if 0 < len(compared) < len(scores.measures):
        scores = scores.select(measures=compared)
    rows = score_rows(inference.on_shared_values(scores), level=level, clusters=clusters)
    if len(scores.systems) < 2:
        return Analysis(data, scores, rows, None, None, None, None, level, sources)
    with warnings.catch_warnings():  # unknown intervals and missing values show in the result
        warnings.simplefilter("ignore", FuzzytruthWarning)
        comparison = compare(scores, baseline, clusters=clusters, **using)
        conditions = comparison.conditions
        if given is not None and scores._queries_share_items and conditions.has_directions:
            comparison = _with_permuted_votes(comparison, *given, using["rng"])
        both = _over_both(scores, baseline, clusters, using)
        have_ranks = all(one.queries for one in comparison.conditions.shared)
        stability = rank_stability(scores, clusters=clusters, **using) if have_ranks else None
        few = (conditions.n_subjects or 0) <= MOST_SUBJECTS
        each = comparison.by_subject() if conditions.has_directions and few else None
    return Analysis(data, scores, rows, comparison, both, each, stability, level, sources)


_PERMUTATIONS, _FEWEST = 199, 39  # of the votes
_MOST_VALUES = 5e7  # places of lists that are scored by permuted votes


def _with_permuted_votes(comparison: Comparison, truth: Any, runs: Any, rng: Any) -> Comparison:
    """The comparison, with how much subjects differ by chance where one vote serves many queries.

    As it is where votes weigh differently, subjects voted repeatedly, or data are so large that it
    would take minutes.
    """
    try:
        ratings, pattern = pattern_of(truth)
    except DataError:
        return comparison
    scores, conditions, made = (
        comparison.scores,
        comparison.conditions,
        comparison.scores.provenance,
    )
    items = len(truth.votes.items)
    depth = max(one.depth or items for one in parse_measures(conditions.measures))
    n = min(_PERMUTATIONS, int(_MOST_VALUES // (scores.values.size * depth)))
    if made is None or made.rel or n < _FEWEST or (ratings.weight != 1).any():
        return comparison
    how = {"ties": made.ties, "undefined": made.undefined, "missing": made.missing or "error"}
    permuted = PermutedScores(truth, ratings, pattern, runs, conditions.measures, how)
    permuted.add(permuted_options(pattern, n, generator(rng)))
    return with_differences(comparison, permuted.differences(), n)


def _given_scores(scores: Scores, runs: Any, measures: Any, options: dict[str, Any]) -> Scores:
    """Scores as they are given, of some measures."""
    if runs is not None or options:
        named = ", ".join((["runs"] if runs is not None else []) + sorted(options))
        raise OptionError(f"{named}: is for judgments and runs, and these are scores already")
    return scores if measures is None else scores.select(measures=measures)


def _evaluated(
    truth: Any, runs: Any, measures: Any, settings: dict[str, Any]
) -> tuple[Scores, list[str], tuple[Any, Any]]:
    """Scores of a truth and runs, with the share of judged items; warnings; truth and runs."""
    if runs is None or measures is None:
        raise OptionError(
            f"runs={shown(runs)}, measures={shown(measures)}: give both, or scores as the first"
        )
    wanted = parse_measures(measures)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        truth, runs = as_truth(truth), as_runs(runs)
        if settings["worlds"] is None and len(getattr(truth, "subjects", None) or ()) > 1:
            settings["worlds"] = "subject"
        scores = evaluate(truth, runs, with_judged(wanted), **settings)
    ours = [one for one in caught if issubclass(one.category, FuzzytruthWarning)]
    for other in caught:
        if other not in ours:
            warnings.warn_explicit(other.message, other.category, other.filename, other.lineno)
    return scores, list(dict.fromkeys(str(one.message) for one in ours)), (truth, runs)


def with_judged(measures: tuple[Measure, ...]) -> tuple[Measure, ...]:
    """Measures, and the share of judged items for the data check where items are judged."""
    if any(m.compares_lists for m in measures) or all(is_judged(str(m)) for m in measures):
        return measures
    return (*measures, *(m for m in parse_measures(JUDGED) if m not in measures))


def _over_both(
    scores: Scores, baseline: Iterable[str] | str | None, clusters: Grouping, using: dict[str, Any]
) -> Comparison | None:
    """The comparison over queries and people, where there are several and the data allow it."""
    over = scores._over_people
    if over is None:
        return None
    if "world" in over and (clusters is not None or scores._why_not_crossed is not None):
        return None
    over = over if scores.replicates is None else (*over, "replicate")
    return compare(scores, baseline, over=over, clusters=clusters, **using)
