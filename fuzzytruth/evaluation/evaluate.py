"""Truth and runs in, scores out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.randomness import seeded
from fuzzytruth.core.validation import whole_number
from fuzzytruth.data.by_example import ByExample
from fuzzytruth.data.judgments import Design, Judgments
from fuzzytruth.data.ranks import Ties
from fuzzytruth.data.runs import Runs
from fuzzytruth.errors import MeasureError, OptionError, choice, require
from fuzzytruth.evaluation.by_example import evaluate_by_example
from fuzzytruth.evaluation.scores import Scores
from fuzzytruth.evaluation.undefined import Undefined, leave_out, report_undefined
from fuzzytruth.evaluation.validation import prepare
from fuzzytruth.evaluation.world_scores import Sampling, evaluate_worlds
from fuzzytruth.measures import Measure, checked, parse_measures
from fuzzytruth.measures.guards import checked_bounds
from fuzzytruth.measures.registry import with_bounds
from fuzzytruth.truth.pool import Placement, place
from fuzzytruth.truth.subject_lists import AlignedLists, SubjectLists
from fuzzytruth.truth.subject_views import Truths, Unseen
from fuzzytruth.truth.unjudged import retrieved_elsewhere, unjudged_items
from fuzzytruth.truth.worlds import Kind

Unjudged = Literal["nonrelevant", "bounds"]


def evaluate(
    truth: Judgments | ByExample | Any,
    runs: Runs | Any,
    measures: Iterable[str | Measure] | str | Measure,
    *,
    worlds: Kind | None = None,
    ties: Ties = "trec",
    undefined: Undefined = "zero",
    unseen: Unseen = "error",
    unjudged: Unjudged = "nonrelevant",
    n_worlds: int = 1000,
    rng: Any = None,
    keep: str | None = None,
    n_jobs: int = 1,
    progress: Callable[[str], Any] | None = None,
) -> Scores:
    """Score each system on each query, by each measure.

    Parameters
    ----------
    truth : Judgments or ByExample
        Or what makes judgments: a frame, a dict ``{query: {item: grade}}``, a path.
    runs : Runs
        Or what makes them: a frame, a dict, a path or several.
    measures : measure or sequence of measures
        In any spelling: ``"AP"``, ``"ndcg_cut_10"``, ``nDCG(dcg="jarvelin") @ 10``.
    worlds : {"crisp", "subject", "independent", "population"}, optional
        What counts as the truth. "crisp": the one there is. "subject": each subject's in turn.
        "independent": in each world every item draws one of its judgments, on its own; how
        uncertain is the score, given these votes? "population": the votes of subjects drawn anew,
        with replacement; how far is the score from that of infinitely many subjects? By default
        "independent" where there are several subjects or probabilities, else "crisp"; "subject" if
        all measures compare lists (WD, WDQ, RBO, Kendall, Footrule), each subject's list then being
        a truth of its own.
    ties : {"trec", "order", "expected"}
        Order of items with equal scores: by score as a 32-bit float and then by id, descending
        (trec_eval); as given; or the mean over all orders.
    undefined : {"zero", "exclude"}
        Value of recall-like measures on a query without relevant items: 0 (trec_eval), or NaN and
        left out of means.
    unseen : {"error", "nonrelevant", "exclude", "pooled"}
        Under ``worlds="subject"``, what to do when a subject judged only part of a query's pool:
        stop, take the rest as not relevant, take the rest out of that subject's view of the lists,
        or let the rest draw a judgment of the others (the value is then the expected one). A
        subject who judged nothing for a query has no value there. Measures that compare lists
        know no such holes.
    unjudged : {"nonrelevant", "bounds"}
        Items that nobody judged, or with a negative grade: not relevant, or also the lowest and
        highest value that judging them could give (columns `lower` and `upper`; NaN where the
        value is), where a rule is known. The items in question are those that some run retrieved or
        the judgments list. For crisp truths only.
    n_worlds : int
        Worlds drawn, or resamples of the subjects where they are too many to go through. Expected
        values that are known exactly do not depend on it.
    rng : int, SeedSequence, Generator or None
        Where randomness comes from; the same gives the same bits, whatever `n_jobs`.
    keep : {"worlds"}, optional
        Keep the values of single queries in all worlds (systems × measures × queries × worlds
        numbers), also when saved. Crisp truths and ``worlds="subject"`` have one value a cell (and
        subject), and keep it anyway.
    n_jobs : int
        Workers, as in joblib.
    progress : callable, optional
        Called with each system's name when it is done. Under worlds all systems share the blocks
        of queries: the names then come one by one, as that share of the blocks is done.

    Returns
    -------
    Scores

    Raises
    ------
    DataError
        A system and the truth have no query in common, or subjects have holes (see `unseen`).
    MeasureError
        A measure is unknown, does not support ``ties="expected"``, or regards every item as not
        relevant although some grades are positive.

    Warns
    -----
    MissingQueryWarning
        A system lacks judged queries; they count as empty lists.
    UnjudgedQueryWarning
        A system answers queries that nobody judged; they are left out.
    UndefinedMeasureWarning
        Queries have no relevant item; under worlds, in a hundredth of them or more.
    LostVotesWarning
        Resamples of the subjects have nobody left who judged an item.

    References
    ----------
    Conventions are trec_eval's (Buckley & Voorhees); expected ties: McSherry & Najork 2008.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> truth = ft.Judgments.from_dict({"q1": {"a": 1, "b": 0, "c": 1}})
    >>> runs = ft.Runs.from_dict({"sys": {"q1": {"a": 3, "b": 2, "c": 1}}})
    >>> ft.evaluate(truth, runs, ["AP", "P@2"]).mean().loc["sys", "P@2"].item()
    0.5

    Two people who disagree about an item, which then is relevant in half of the worlds:

    >>> import pandas as pd
    >>> votes = pd.DataFrame(
    ...     [("q1", "a", "ann", 1), ("q1", "a", "bob", 0), ("q1", "b", "ann", 1)],
    ...     columns=["query", "item", "subject", "grade"],
    ... )
    >>> scores = ft.evaluate(votes, runs, ["P@2"], worlds="independent", rng=0)
    >>> scores.to_frame()
      system query measure  value   std  exact  mc_error
    0    sys    q1     P@2   0.75  0.25   True       0.0
    >>> scores.distribution("sys", "q1", "P@2").to_frame()
       value  probability
    0    0.5          0.5
    1    1.0          0.5
    """
    choice("undefined", undefined, get_args(Undefined))
    choice("unjudged", unjudged, get_args(Unjudged))
    sampling = _sampling(n_worlds, rng, keep, n_jobs, progress)
    wanted = parse_measures(measures)
    if isinstance(truth, ByExample):
        rule = "not for query by example, where all items count"
        require("unjudged", unjudged, unjudged != "bounds", rule)
        return evaluate_by_example(
            truth,
            runs,
            wanted,
            worlds=worlds,
            ties=ties,
            unseen=unseen,
            undefined=undefined,
            sampling=sampling,
        )
    truths, runs, judgments, kind = prepare(
        truth,
        runs,
        wanted,
        worlds=worlds,
        ties=ties,
        unseen=unseen,
        fill=unjudged != "bounds",
    )
    if unjudged == "bounds":
        _check_bounds(kind, ties, unseen)
    if kind in ("independent", "population") or _pooled(kind, unseen, truths, wanted):
        return evaluate_worlds(
            truths.pool,
            {system: place(truths.pool, ranking, ties=ties) for system, ranking in runs.items()},
            wanted,
            kind=kind,
            design=judgments.design,
            sampling=sampling,
            exclude=undefined == "exclude",
        )
    met = _Met(truths, runs, wanted, ties, unseen, progress)
    return met.scores(judgments.design, undefined, bounds=unjudged == "bounds")


def _pooled(kind: str, unseen: str, truths: Truths, measures: tuple[Measure, ...]) -> bool:
    """Whether each subject's holes are filled from the others, by chance."""
    lists = all(m.compares_lists for m in measures)
    return kind == "subject" and unseen == "pooled" and truths.holes > 0 and not lists


@dataclass(frozen=True, slots=True)
class _Met:
    """Crisp truths and the runs that answered to them."""

    truths: Truths
    runs: Runs
    measures: tuple[Measure, ...]
    ties: Ties
    unseen: Unseen
    progress: Callable[[str], Any] | None

    def scores(self, design: Design, undefined: Undefined, *, bounds: bool) -> Scores:
        """Floats of each subject, and their bounds if wanted."""
        truths, pool = self.truths, self.truths.pool
        placements = []
        for system, ranking in self.runs.items():
            placements.append(place(pool, ranking, ties=self.ties))
            if self.progress is not None:
                self.progress(system)
        values = _values(truths, tuple(placements), self.measures, self.unseen)
        needing = {str(m): m.threshold for m in self.measures if m.needs_relevant}
        without = {m: (truths.n_relevant(rel) == 0) & truths.judged for m, rel in needing.items()}
        report_undefined(without, pool.queries, undefined)
        if undefined == "exclude":
            leave_out(values, tuple(map(str, self.measures)), without)
        values[:, :, ~truths.judged] = np.nan
        lower, upper = None, None
        if bounds:
            lower, upper = _bounds(truths, tuple(placements), self.runs, self.measures)
            lower[np.isnan(values)] = upper[np.isnan(values)] = np.nan
        cells = Cells.of_mask(truths.judged.T, subjects=pool.subjects is not None)

        def of_cells(dense: Floats | None) -> Floats | None:
            return None if dense is None else cells.of_dense(dense.swapaxes(-1, -2))

        return Scores(
            systems=self.runs.systems,
            queries=pool.queries,
            measures=tuple(map(str, self.measures)),
            values=cells.of_dense(values.swapaxes(-1, -2)),
            cells=cells,
            subjects=pool.subjects,
            design=design,
            higher_is_better=tuple(m.higher_is_better for m in self.measures),
            lower=of_cells(lower),
            upper=of_cells(upper),
        )


def _values(
    truths: Truths, placements: tuple[Placement, ...], measures: tuple[Measure, ...], unseen: Unseen
) -> Floats:
    """Floats under each subject's truth: (systems, measures, subjects, queries)."""
    shape = truths.shape
    out = np.empty((len(placements), len(measures), *shape))
    comparing = [m.compares_lists for m in measures]
    lists = SubjectLists.of(truths.pool) if any(comparing) else None
    for s, placement in enumerate(placements):
        if lists is not None:
            met = AlignedLists.of(lists, truths.pool, placement)
            for m in np.flatnonzero(comparing):
                found = measures[m].compare_lists(met)
                out[s, m] = checked(measures[m], found, 1, len(met.length)).reshape(shape)
        if not all(comparing):
            batch = truths.batches(placement, unseen=unseen)
        for m in np.flatnonzero(np.logical_not(comparing)):
            value = measures[m].score(batch)
            found = checked(measures[m], value, batch.n_worlds, batch.n_queries)
            out[s, m] = found.reshape(shape)
    return out


def _sampling(n_worlds: int, rng: Any, keep: str | None, n_jobs: int, progress: Any) -> Sampling:
    """Check how worlds are to be drawn."""
    if progress is not None:
        require("progress", progress, callable(progress), "must be a function of a name")
    if keep is not None:
        choice("keep", keep, ("worlds",))
    workers = whole_number("n_jobs", n_jobs)
    require("n_jobs", n_jobs, workers != 0, "must be 1 or more, or -1 for all cores")
    seeded(rng)  # also where nothing is drawn
    worlds = whole_number("n_worlds", n_worlds, 1)
    return Sampling(worlds, rng, workers, keep == "worlds", progress)


def _check_bounds(kind: str, ties: str, unseen: str) -> None:
    """Bounds are for one crisp truth at a time, with every item at its rank."""
    if kind not in ("crisp", "subject") or unseen in ("exclude", "pooled"):
        raise OptionError(
            f"unjudged='bounds': with worlds={kind!r} and unseen={unseen!r} there are none; use "
            "worlds='crisp', or 'subject' with unseen='nonrelevant'"
        )
    if ties == "expected":
        raise OptionError("unjudged='bounds': items need one rank; use ties='trec' or 'order'")


def _bounds(
    truths: Truths, placements: tuple[Placement, ...], runs: Runs, measures: tuple[Measure, ...]
) -> tuple[Floats, Floats]:
    """Lowest and highest values: (systems, measures, subjects, queries) both."""
    elsewhere = retrieved_elsewhere(truths.pool, runs)
    out = np.empty((2, len(placements), len(measures), *truths.shape))
    for s, placement in enumerate(placements):
        lists = unjudged_items(truths.pool, placement, elsewhere)
        found = [checked_bounds(m, m.bounds(lists), truths.shape) for m in measures]
        unknown = [str(m) for m, ends in zip(measures, found, strict=True) if ends is None]
        if unknown:
            raise MeasureError(
                f"unjudged='bounds': no rule is known for {', '.join(unknown)}; there is one for "
                f"{', '.join(with_bounds())}"
            )
        for m, ends in enumerate(found):
            if ends is not None:
                out[:, s, m] = ends
    out[..., ~truths.judged] = np.nan
    return out[0], out[1]
