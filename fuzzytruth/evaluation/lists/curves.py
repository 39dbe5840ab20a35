"""Measures along the ranking: cumulated gain at every rank, precision against recall."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Array, Axes, Bools, Floats, Ints
from fuzzytruth.core.arithmetic import divide, segment_of, segment_sum
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.student import quantile
from fuzzytruth.core.validation import MOST, between_zero_and_one, whole_number
from fuzzytruth.data.judgments import Design, Judgments
from fuzzytruth.data.ranking import Ties
from fuzzytruth.data.reading import as_runs
from fuzzytruth.data.runs import Runs
from fuzzytruth.errors import OptionError, choice, counted
from fuzzytruth.evaluation import validation
from fuzzytruth.measures import Measure, nCG, nDCG, parse_measure
from fuzzytruth.measures.gain import counts_by_gain, cumulative_discount, discounts
from fuzzytruth.measures.guards import lists_of
from fuzzytruth.plots.frames import PlotData, Title
from fuzzytruth.show.answer import Parts, Result, Sentences, Table, printed_table
from fuzzytruth.show.answer_rows import few_ranks, short_id
from fuzzytruth.show.number_text import level_text, numbers_format
from fuzzytruth.truth import Missing, align
from fuzzytruth.truth.batch import Batch

# Bands around mean curves: over queries, or over subjects.


def over_queries(
    values: Array, weight: Array | None, offsets: Ints, level: float
) -> tuple[Floats, Floats]:
    """Ends of the interval of the mean at each point, by Student's t.

    Parameters
    ----------
    values : (cells, points)
    weight : (cells, points) or None
        0 where a cell does not count; the mean is then the sum of all values over the sum of all
        weights, a ratio. None: the mean over queries of the means of their cells.
    offsets : (queries + 1,)
        Of the cells of each query.
    level : float

    Returns
    -------
    lower, upper : (points,)
        NaN where fewer than two queries count. Not cut at the ends of a measure's range.
    """
    count = np.diff(offsets)
    judged = count > 0
    if weight is None:
        total = segment_sum(values.T, offsets)[:, judged] / count[judged]  # (points, queries)
        size = np.ones_like(total)
    else:
        total = segment_sum((values * weight).T, offsets)[:, judged]
        size = segment_sum(weight.T.astype(float), offsets)[:, judged]
    whole = size.sum(axis=-1)
    mean = divide(total.sum(axis=-1), whole, fill=np.nan)
    n = (size > 0).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):  # NaN where n < 2
        spread = ((total - mean[:, None] * size) ** 2).sum(axis=-1)
        error = np.sqrt(n / (n - 1) * spread) / whole
    half = np.where(n > 1, quantile(level, np.maximum(n - 1, 1)) * error, np.nan)
    return mean - half, mean + half


def over_subjects(
    values: Array, weight: Array | None, subject: Ints, n_queries: int
) -> tuple[Floats, Floats]:
    """Lowest and highest of the subjects' own mean curves: (points,) each.

    Raises
    ------
    OptionError
        Subjects judged different queries: their means would differ for that reason alone.
    """
    known, code, count = np.unique(subject, return_inverse=True, return_counts=True)
    fewer = int((count < n_queries).sum())
    if fewer:
        raise OptionError(
            f"over='subject': {counted(fewer, 'subject')} of {len(known):,} did not judge all "
            f"{n_queries:,} queries, so that subjects' mean curves are of different queries; "
            "use over='query'"
        )
    order = np.argsort(code, kind="stable")
    offsets = np.concatenate(([0], np.cumsum(count)))
    size = np.ones(values.shape) if weight is None else weight.astype(float)
    total = segment_sum((values * size)[order].T, offsets)  # (points, subjects)
    means = divide(total, segment_sum(size[order].T, offsets), fill=np.nan)
    some = np.isfinite(means).any(axis=-1)
    low, high = (np.full(len(means), np.nan) for _ in range(2))
    low[some], high[some] = np.nanmin(means[some], axis=-1), np.nanmax(means[some], axis=-1)
    return low, high


# Mean curves, and what is printed and drawn of them.


MOST_SYSTEMS = 10  # that are printed
MOST_POINTS = 6
Over = Literal["query", "subject"]
_LEVELS = np.arange(1, 11) / 10  # of recall, of mean curves against recall


def curve_names(kind: str) -> tuple[str, str]:
    """Title of a figure of this kind of curve, and label of its vertical axis.

    Examples
    --------
    >>> curve_names("nDCG(dcg=jarvelin)")
    ('nDCG(dcg=jarvelin) by rank', 'nDCG(dcg=jarvelin)')
    """
    if kind.startswith("IPR"):
        return kind.replace(
            "IPR", "Interpolated precision against recall"
        ), "interpolated precision"
    if kind.startswith("PR"):
        return kind.replace("PR", "Precision and recall at each rank"), "precision"
    measure, against, _ = kind.partition("-recall")
    if against:
        return f"{measure} at levels of recall that are reached", measure
    return f"{measure} by rank", measure


def _table(mean: pd.DataFrame, axis: str, column: str) -> Table:
    """A row a system, a column a point: a few ranks, or levels of recall."""
    wide = mean.pivot(index="system", columns=axis, values=column)
    wide = wide.loc[list(dict.fromkeys(mean["system"]))]
    known = [float(point) for point in wide.columns]
    points = known[:: max(1, len(known) // (MOST_POINTS - 1))]
    if axis == "rank":
        points = [float(rank) for rank in few_ranks(int(max(known)), MOST_POINTS)]
    rows = wide[points].rename(columns="{:g}".format)
    shown = rows.iloc[:MOST_SYSTEMS].to_numpy().ravel().tolist()
    style = ".0f" if column == "n" else numbers_format(shown, 3)
    return printed_table(
        rows.reset_index(),
        {"system": ("system", short_id, "label"), **{at: (at, style) for at in rows.columns}},
        title=f"{column} at {axis}",
        limit=MOST_SYSTEMS,
        cut="the first {shown} of {rows:,} systems",
    )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Curves(Result):
    """One curve for each system, query and subject.

    Parameters
    ----------
    kind : str
        The kind of curve, as passed to `curves`.
    systems, queries : tuple of str
    subjects : tuple of str or None
    columns : mapping from name to array
        The coordinates of the points, each (systems, cells, points), or (points,) where all curves
        share them.
    exists : (systems, cells, points) bool
        Which points exist.
    cells : Cells
        The query and the subject of each curve.
    design : {"crossed", "nested"}
        Whether a subject's name is the same person in all queries.
    """

    kind: str
    systems: tuple[str, ...]
    queries: tuple[str, ...]
    subjects: tuple[str, ...] | None
    columns: Mapping[str, Array]
    exists: Bools
    cells: Cells
    design: Design = "crossed"

    def __repr__(self) -> str:
        return f"Curves({self._size}; columns {', '.join(self.columns)})"

    @property
    def _size(self) -> str:
        systems = counted(len(self.systems), "system")
        return f"{self.kind}: {systems}, {counted(len(self.queries), 'query')}"

    def _title(self) -> str:
        own = ""
        if self._people:
            own = f" and {counted(self._people, 'subject')}, each of whom is the truth in turn"
        return f"{self._size}; means over queries{own}"

    def _parts(self) -> Parts:
        """The mean curve of each system at a few points."""
        mean = self.mean()
        axis = "rank" if "rank" in mean else "recall"
        yield from (_table(mean, axis, str(name)) for name in mean if name not in ("system", axis))
        more = "More: .mean(), .to_frame() of each query"
        yield Sentences.of("n: curves that reach the level of recall." if "n" in mean else "", more)

    @property
    def _people(self) -> int:
        """Number of subjects; one name in two queries is two people if they are nested."""
        if self.subjects is None:
            return 0
        nested = self.design == "nested" or self.cells.look_nested
        return len(self.cells) if nested else len(self.subjects)

    def mean(self) -> pd.DataFrame:
        """Mean curve of each system, over queries (and the subjects who judged them).

        Points are averaged at equal rank, or at equal level of recall. A list that ends before a
        rank is continued with items that are not relevant, as in P@k. Gain at a level of recall is
        averaged over the `n` queries that reach the level: where `n` differs, systems (and levels)
        are averaged over different queries.
        """
        parts = [
            pd.DataFrame({"system": system, **self._mean_of(s)})
            for s, system in enumerate(self.systems)
        ]
        return pd.concat(parts, ignore_index=True)

    def _mean_of(self, s: int) -> dict[str, Array]:
        """Columns of the mean curve of one system."""
        if self.kind.endswith("-recall"):
            at_level, ever = self._at_levels(s)
            n = ever.sum(axis=0)
            mean = divide((at_level * ever).sum(axis=0), n, fill=np.nan)
            return {"recall": _LEVELS, "value": mean, "n": n}
        axis = "rank" if "rank" in self.columns else "recall"
        others = {name: values[s] for name, values in self.columns.items() if name != axis}
        means = {name: self._over_cells(values) for name, values in others.items()}
        return {axis: self.columns[axis].ravel(), **means}

    def _over_cells(self, values: Array) -> Array:
        """Mean over the subjects who judged a query, then over queries, as in `Scores.mean`."""
        shape = (len(self.cells), self.exists.shape[-1])
        by_point = np.broadcast_to(values, shape).T  # (points, cells)
        count = np.diff(self.cells.offsets)
        per_query = segment_sum(by_point, self.cells.offsets)[:, count > 0] / count[count > 0]
        return np.asarray(per_query.mean(axis=-1))

    def _at_levels(self, s: int) -> tuple[Array, Bools]:
        """Gain of each cell at each level of recall, and whether it reaches the level."""
        # Points with equal recall share a hit: the first rank that reaches a level is where
        # recall first is no smaller; 1e-9 forgives 3 * (1 / 3) < 1.
        recall = np.where(self.exists[s], self.columns["recall"][s], -1.0)  # (cells, points)
        value = np.broadcast_to(self.columns["value"][s], recall.shape)
        reached = recall[..., None] >= _LEVELS - 1e-9  # (cells, points, levels)
        first = reached.argmax(axis=-2)
        return np.take_along_axis(value, first, axis=-1), np.asarray(reached.any(axis=-2))

    def bands(self, *, over: Over = "query", level: float = 0.95) -> pd.DataFrame:
        """Mean curve of each system, with a band around it.

        Parameters
        ----------
        over : {"query", "subject"}
            "query": at each point, the interval of the mean over queries, by Student's t; that of
            ``Scores.summary(over="query")``. It holds for a single point, not for whole curves,
            and may exceed the range of a measure. "subject": the lowest and the highest of the
            subjects' own mean curves; this is no confidence interval.
        level : float
            Confidence level over queries.

        Returns
        -------
        DataFrame
            The columns of `mean`, and lower and upper, of value or of precision. NaN where a band
            over queries has fewer than two of them.

        Raises
        ------
        OptionError
            There are no subjects, they judged different queries, or they are nested in queries.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> truth = {"q1": {"a": 1, "b": 1}, "q2": {"b": 1}}
        >>> runs = {"sys": {"q1": {"a": 2, "b": 1}, "q2": {"a": 2, "b": 1}}}
        >>> ft.curves(truth, runs, "CG").bands(level=0.8).round(3).iloc[1].to_dict()
        {'system': 'sys', 'rank': 2, 'value': 1.5, 'lower': -0.039, 'upper': 3.039}
        """
        choice("over", over, get_args(Over))
        level = between_zero_and_one("level", level)
        if over == "subject" and self.subjects is None:
            raise OptionError("over='subject': the truth of these curves has no subjects")
        if over == "subject" and self.design == "nested":
            raise OptionError(
                "over='subject': subjects are nested in queries, so that a name is another person "
                "in another query; use over='query'"
            )
        out, cells = self.mean(), self.cells
        drawn = [self._drawn(s) for s in range(len(self.systems))]
        if over == "query":
            ends = [over_queries(*one, cells.offsets, level) for one in drawn]
        else:
            n_queries = int((np.diff(cells.offsets) > 0).sum())
            ends = [over_subjects(*one, cells.subject_codes, n_queries) for one in drawn]
        out["lower"], out["upper"] = np.concatenate(ends, axis=1)
        return out

    def _drawn(self, s: int) -> tuple[Array, Bools | None]:
        """Values of one system, (cells, points), and which count, where not all do."""
        if self.kind.endswith("-recall"):
            return self._at_levels(s)
        values = self.columns["precision" if "precision" in self.columns else "value"][s]
        return np.broadcast_to(values, (len(self.cells), self.exists.shape[-1])), None

    def plot(
        self,
        ax: Axes | None = None,
        *,
        over: Over | None = "query",
        level: float = 0.95,
        highlight: Iterable[str] | str | None = None,
        bands: bool | None = None,
        title: Title = True,
    ) -> Axes:
        """Draw the mean curve of each system, with bands.

        Parameters
        ----------
        ax, title
            As in `plots.curves`.
        over, level
            What the bands are; see `bands`. None: no bands.
        highlight, bands
            As in `plots.curves`.

        Raises
        ------
        OptionError
            As `bands`; or a system is unknown.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> truth = {"q1": {"a": 1, "b": 1}, "q2": {"b": 1}}
        >>> runs = {"sys": {"q1": {"a": 2, "b": 1}, "q2": {"a": 2, "b": 1}}}
        >>> ft.curves(truth, runs, "PR").plot().get_title(loc="left")
        'Precision and recall at each rank: means over 2 queries'
        """
        from fuzzytruth.plots import curves

        return curves(
            self, ax, over=over, level=level, highlight=highlight, bands=bands, title=title
        )

    _figures: ClassVar[tuple[str, ...]] = ("curves",)

    def _plot_data(self, figure: str, over: Over | None = "query", level: float = 0.95) -> PlotData:
        """Frame of `plots.curves`."""
        frame = self.mean() if over is None else self.bands(over=over, level=level)
        queries = counted(int((np.diff(self.cells.offsets) > 0).sum()), "query")
        title, measure = curve_names(self.kind)
        who = "" if self.subjects is None else f" and {counted(self._people, 'subject')}"
        frame["measure"] = measure
        if over == "query":
            frame["band"] = f"pointwise {level_text(level)} t interval over queries"
        elif over == "subject":
            frame["band"] = f"range of {counted(self._people, 'subject')}"
        of = {"n": "queries" if self.subjects is None else "queries (of each subject)"}
        return PlotData(frame, f"{title}: means over {queries}{who}", labels=of)

    def to_frame(self) -> pd.DataFrame:
        """One row a point: system, query, [subject,] and the coordinates."""
        cells = self.cells
        # by subject first; without subjects cells are in order, and nothing is copied
        order: Any = slice(None)
        if self.subjects is not None:
            order = np.lexsort((cells.query, cells.subject_codes))
        keep = self.exists[:, order]
        system, row, _ = np.nonzero(keep)
        out: dict[str, Any] = {
            "system": np.array(self.systems, dtype=object)[system],
            "query": np.array(self.queries, dtype=object)[cells.query[order]][row],
        }
        if self.subjects is not None:
            out["subject"] = np.array(self.subjects, dtype=object)[cells.subject_codes[order]][row]
        for name, values in self.columns.items():
            own = values if values.ndim == 1 else values[:, order]
            out[name] = np.broadcast_to(own, keep.shape)[keep]
        return pd.DataFrame(out)


def curves(
    truth: Judgments | Any,
    runs: Runs | Any,
    kind: str | Measure = "PR",
    *,
    depth: int | None = None,
    worlds: Literal["crisp", "subject"] | None = None,
    ties: Ties = "trec",
    missing: Missing = "error",
    undefined: validation.Undefined = "zero",
) -> Curves:
    """Follow a measure along the ranking.

    Parameters
    ----------
    truth, runs
        As for `evaluate`.
    kind : str or Measure
        ``"CG"``, ``"DCG"``, ``"nCG"``, ``"nDCG"``, with parameters such as
        ``"nDCG(dcg=jarvelin)"``: the value at every rank.
        ``"PR"``: recall and precision at every rank; ``"PR(rel=2)"`` at another threshold.
        ``"IPR"``: interpolated precision at recall 0, .1, ..., 1; ``"IPR(interp=exact)"``.
        ``"DCG-recall"``, ``"CG-recall"``: (discounted) cumulated gain at each relevant item,
        against the recall at its rank (SHREC 2006).
    depth : int, optional
        Last rank; by default that of the longest list.
    worlds, ties, missing, undefined
        As for `evaluate`; ties cannot be "expected".

    Returns
    -------
    Curves
        ``.to_frame()`` has one row a point; ``.mean()`` the mean curve of each system.

    Raises
    ------
    OptionError
        `kind` is not a curve, or `depth` is not a whole number from 1.

    References
    ----------
    Järvelin & Kekäläinen 2002 (gain); SHREC 2006; trec_eval (interpolation).

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> truth = ft.Judgments.from_dict({"q1": {"a": 2, "b": 1}})
    >>> runs = ft.Runs.from_dict({"sys": {"q1": {"b": 3, "x": 2, "a": 1}}})
    >>> ft.curves(truth, runs, "CG").to_frame()["value"].tolist()
    [1.0, 1.0, 3.0]
    """
    if depth is not None:
        whole_number("depth", depth, 1, MOST)
    choice("ties", ties, get_args(Ties))
    if ties == "expected":
        raise OptionError("ties='expected': a curve needs an order; use 'trec' or 'order'")
    choice("missing", missing, get_args(Missing))
    choice("undefined", undefined, get_args(validation.Undefined))
    drawer, measure = _parse(str(kind))
    aligned = align(validation.as_truth(truth), as_runs(runs), ties=ties)
    facts = aligned.facts
    kind_of_worlds = validation.check_truth(
        facts, (measure,), worlds=worlds, ties=ties, missing=missing, several="subject"
    )
    if kind_of_worlds not in ("crisp", "subject") or missing == "pooled":
        raise OptionError(
            f"worlds={kind_of_worlds!r}, missing={missing!r}: curves are drawn for crisp truths "
            "only, that is worlds='crisp' or 'subject' without missing='pooled'"
        )
    if facts.uncertain.any():
        raise OptionError(
            "curves: subjects judged items several times, with different grades, and curves are "
            "drawn for crisp truths only; keep one repeat of each subject, or merge them with "
            "truth.aggregate('mean' | 'median' | 'majority' | 'max' | 'min')"
        )
    truths = aligned.subject_truths(slice(0, len(facts.queries)), missing)
    batches = [lists_of(measure, truths.batch(s).end_to_end()) for s in range(len(facts.systems))]
    ranks = depth or max(1, max(int(b.length.max(initial=0)) for b in batches))
    drawn = [_of_cells(drawer(batch, measure, ranks), truths.index) for batch in batches]
    columns = {
        name: first if first.ndim == 1 else np.stack([one[name] for one, _ in drawn])
        for name, first in drawn[0][0].items()
    }
    exists, cells = np.stack([points for _, points in drawn]), facts.cells
    if measure.needs_relevant or drawer in (_precision_recall, _gain_against_recall):
        without = batches[0].n_relevant(measure.threshold).ravel()[truths.index] == 0
        exclude = undefined == "exclude"
        empty = {str(kind): without}
        validation.report_undefined_cells(empty, facts.cells, facts.queries, exclude=exclude)
        if exclude and without.any():
            keep = ~without
            subject = None if cells.subject is None else cells.subject[keep]
            cells = Cells(cells.query[keep], subject, cells.n_queries, cells.n_subjects)
            columns = {n: v if v.ndim == 1 else v[:, keep] for n, v in columns.items()}
            exists = exists[:, keep]
    names = (facts.systems, facts.queries, facts.subjects)
    return Curves(str(kind), *names, columns, exists, cells, facts.design)


Drawing = tuple[dict[str, Array], Bools]
Drawer = Callable[[Batch, Any, int], Drawing]


def _parse(kind: str) -> tuple[Drawer, Measure]:
    """How to draw a kind of curve, and the measure that holds its parameters."""
    match = re.fullmatch(r"\s*(\w+)\s*(\(.*\))?\s*(-recall)?\s*", kind)
    name, parameters, against = match.groups(default="") if match else ("", "", "")
    if name + against not in _DRAWERS:
        raise OptionError(f"curve {kind!r}: must be one of {', '.join(_DRAWERS)}")
    drawer, measure = _DRAWERS[name + against]
    return drawer, parse_measure(measure.format(parameters))


def _of_cells(drawing: Drawing, index: Ints) -> Drawing:
    """Curves (worlds, queries, points) as curves of cells, (cells, points)."""
    columns, exists = drawing
    n_points = exists.shape[-1]
    by_cell = {
        name: values if values.ndim == 1 else values.reshape(-1, n_points)[index]
        for name, values in columns.items()
    }
    return by_cell, exists.reshape(-1, n_points)[index]


def _at_ranks(batch: Batch, value: Array, ranks: int) -> Array:
    """Each hit's value at its rank, 0 elsewhere: (worlds, hits) → (worlds, queries, ranks)."""
    out = np.zeros((batch.n_worlds, batch.n_queries, ranks))
    inside = batch.first <= ranks
    out[:, segment_of(batch.offsets)[inside], batch.first[inside] - 1] = value[:, inside]
    return out


def _ideal_gain(batch: Batch, measure: Any, ranks: int) -> Array:
    """Cumulated gain, at each rank, of the best order of all judged items."""
    cumulative = cumulative_discount(measure.dcg, ranks, measure.base)
    total = np.zeros((batch.n_worlds, batch.n_queries, ranks))
    rank = np.arange(1, ranks + 1)
    for gain, *counts in counts_by_gain(batch.judged, measure.gain_of_grades()):
        before, up_to = (cumulative[np.minimum(number[..., None], rank)] for number in counts)
        total += gain * (up_to - before)
    return total


def _cumulated(batch: Batch, measure: Any, ranks: int) -> Array:
    weight = discounts(measure.dcg, np.arange(1, ranks + 1), measure.base)
    gain = _at_ranks(batch, measure.gain_of_grades()(batch.gain), ranks)
    return np.cumsum(gain * weight, axis=-1)


def _gain(batch: Batch, measure: Any, ranks: int) -> Drawing:
    """(n)CG and (n)DCG at every rank; a list that has ended stays where it is."""
    value = _cumulated(batch, measure, ranks)
    if isinstance(measure, (nCG, nDCG)):
        value = divide(value, _ideal_gain(batch, measure, ranks))
    return {"rank": np.arange(1, ranks + 1), "value": value}, np.ones(value.shape, dtype=bool)


def _gain_against_recall(batch: Batch, measure: Any, ranks: int) -> Drawing:
    """Cumulated gain at each item with a gain, against the share retrieved."""
    value = measure.gain_of_grades()
    relevant = _at_ranks(batch, value(batch.gain) > 0, ranks)
    total = batch.judged.n_where(lambda grade: value(grade) > 0)
    columns = {
        "rank": np.arange(1, ranks + 1),
        "recall": divide(np.cumsum(relevant, axis=-1), total[..., None]),
        "value": _cumulated(batch, measure, ranks),
    }
    return columns, relevant > 0


def _precision_recall(batch: Batch, measure: Any, ranks: int) -> Drawing:
    """Recall and precision at every rank of the list."""
    rank = np.arange(1, ranks + 1)
    hits = np.cumsum(_at_ranks(batch, batch.relevant(measure.rel), ranks), axis=-1)
    recall = divide(hits, batch.n_relevant(measure.rel)[..., None])
    exists = np.broadcast_to(rank <= batch.length[:, None], hits.shape)
    return {"rank": rank, "recall": recall, "precision": hits / rank}, exists


def _interpolated(batch: Batch, measure: Any, ranks: int) -> Drawing:
    """Interpolated precision at eleven levels of recall; `ranks` is not used."""
    level = np.arange(11) / 10
    precision = np.stack([(measure @ at).score(batch) for at in level.tolist()], axis=-1)
    return {"recall": level, "precision": precision}, np.ones(precision.shape, dtype=bool)


#: how a kind of curve is drawn, and the measure that holds its parameters
_DRAWERS: dict[str, tuple[Drawer, str]] = {
    **{name: (_gain, f"{name}{{}}") for name in ("CG", "DCG", "nCG", "nDCG")},
    "PR": (_precision_recall, "P{}"),
    "IPR": (_interpolated, "IPrec{}@0"),
    **{f"{name}-recall": (_gain_against_recall, f"{name}{{}}") for name in ("CG", "DCG")},
}
