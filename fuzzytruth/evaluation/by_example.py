"""Scores of query by example: from uncertain categories to what `evaluate` returns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast, get_args

import numpy as np

from fuzzytruth._typing import Array, Ints
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.randomness import entropy_of
from fuzzytruth.core.resampled_subjects import resamples
from fuzzytruth.data.by_example import ByExample
from fuzzytruth.data.ranks import Ties
from fuzzytruth.data.runs import Runs
from fuzzytruth.errors import (
    DataError,
    MeasureError,
    OptionError,
    UnjudgedItemWarning,
    choice,
    warn,
)
from fuzzytruth.evaluation.scores import Scores
from fuzzytruth.evaluation.undefined import Undefined, leave_out, report_undefined
from fuzzytruth.evaluation.validation import (
    HOLE_CHOICES,
    as_runs,
    check_expected,
    check_top_grade,
    report_coverage,
)
from fuzzytruth.evaluation.world_scores import Labels, Sampling, report_lost, scores_of
from fuzzytruth.measures import Measure, checked
from fuzzytruth.truth.example.collection import ExampleTruth, make_example_truth
from fuzzytruth.truth.example.lists import ExampleLists, place_lists
from fuzzytruth.truth.example.outcomes import ExampleMeeting
from fuzzytruth.truth.example.worlds import ExampleWorlds, Labelling
from fuzzytruth.truth.subject_views import Unseen, without_unseen
from fuzzytruth.truth.worlds import Kind


def meet(truth: ByExample, runs: Any, *, ties: Ties) -> tuple[ExampleMeeting, Runs]:
    """Settle the queries and place every system's lists, under everybody's votes."""
    ranked = as_runs(runs)
    answered = (query for ranking in ranked.values() for query in ranking.queries)
    settled = make_example_truth(truth, answered)
    report_coverage(settled.queries, ranked)
    lists = tuple(place_lists(settled, ranking, ties=ties) for ranking in ranked.values())
    _report_unknown(lists, ranked.systems)
    return ExampleMeeting(settled, lists, np.ones(1)), ranked


def evaluate_by_example(
    truth: ByExample,
    runs: Any,
    measures: tuple[Measure, ...],
    *,
    worlds: str | None,
    ties: str,
    unseen: str,
    undefined: Undefined,
    sampling: Sampling,
) -> Scores:
    """See `evaluate`."""
    choice("ties", ties, get_args(Ties))
    choice("unseen", unseen, get_args(Unseen))
    kind = _kind(truth, worlds)
    lists = [str(m) for m in measures if m.compares_lists]
    if lists:
        raise MeasureError(
            f"{', '.join(lists)}: compares a list with the lists that subjects made, and votes for "
            "categories are no lists; give judgments with grades or positions"
        )
    if ties == "expected":
        check_expected(measures)
    meeting, ranked = meet(truth, runs, ties=cast(Ties, ties))
    check_top_grade(float(meeting.truth.grade.max(initial=0)), measures)
    pooled = kind == "subject" and unseen == "pooled" and meeting.truth.holes > 0
    if kind in ("crisp", "subject") and not pooled:
        scores = _each_subject(meeting, ranked.systems, measures, kind, unseen, undefined)
        done = sampling.steps(ranked.systems)
        if done is not None:
            done(1.0)
        return scores
    entropy = entropy_of(sampling.rng)
    meeting = _with_worlds(meeting, kind, sampling.n_worlds, entropy)
    settled = meeting.truth
    labels = Labels(ranked.systems, settled.queries, settled.subjects, "crossed", _judged(settled))
    scores = scores_of(
        meeting,
        labels,
        measures,
        kind=kind,
        sampling=sampling,
        entropy=entropy,
        exclude=undefined == "exclude",
    )
    if kind == "population":
        report_lost(meeting.lost(), len(meeting.weight) * settled.n_items)
    return scores


def _kind(truth: ByExample, worlds: str | None) -> Kind:
    n_subjects = len(truth.votes.subjects)
    if worlds is None:
        return "independent" if n_subjects > 1 else "crisp"
    choice("worlds", worlds, get_args(Kind))
    if worlds == "crisp" and n_subjects > 1:
        raise OptionError(
            f"worlds='crisp': these votes have {n_subjects} subjects; use worlds='subject' for "
            "each one's truth, or keep one subject's votes"
        )
    if worlds == "population" and n_subjects < 2:
        raise OptionError(
            "worlds='population': resampling subjects needs at least two of them, and these votes "
            "have one"
        )
    return cast(Kind, worlds)


def _with_worlds(
    meeting: ExampleMeeting, kind: Kind, n_worlds: int, entropy: tuple[int, ...]
) -> ExampleMeeting:
    """The outer worlds of a kind of truth."""
    settled, lists = meeting.truth, meeting.lists
    n_subjects = len(settled.subjects)
    if kind == "subject":  # what a subject left open is the others' to say
        weight = np.full(n_subjects, 1 / n_subjects)
        return ExampleMeeting(settled, lists, weight, np.eye(n_subjects))
    if kind == "population":
        seed = np.random.SeedSequence(entropy, spawn_key=(0,))
        weight, votes, drawn = resamples(n_subjects, n_worlds, seed)
        return ExampleMeeting(settled, lists, weight, votes, drawn, n_subjects / (n_subjects - 1))
    return meeting


def _judged(truth: ExampleTruth) -> Array:
    """Whether a subject says which category a query asks for: (subjects, queries)."""
    own = truth.own_options()
    if truth.query_row is None:
        return np.asarray(own[:, truth.query_item] >= 0)
    voted = (own >= 0).any(axis=1, keepdims=True)
    return np.repeat(voted, len(truth.queries), axis=1)


def _each_subject(
    meeting: ExampleMeeting,
    systems: tuple[str, ...],
    measures: tuple[Measure, ...],
    kind: Kind,
    unseen: str,
    undefined: Undefined,
) -> Scores:
    """Each subject's own categories as the truth, a world each."""
    truth = meeting.truth
    own = truth.own_options()
    judged: Array = _judged(truth)
    holes = int((own[judged.any(axis=1)] < 0).sum())
    if holes and unseen == "error":
        raise DataError(
            f"{holes:,} votes are missing: subjects labelled only some of the items; {HOLE_CHOICES}"
        )
    if holes and unseen == "nonrelevant":
        meeting = replace(meeting, truth=truth.with_nothing())
        own[own < 0] = truth.grade.shape[1]
    values, without = _values(meeting, own, measures, exclude=bool(holes) and unseen == "exclude")
    without = {name: np.asarray(none & judged) for name, none in without.items()}
    report_undefined(without, truth.queries, undefined)
    if undefined == "exclude":
        leave_out(values, tuple(map(str, measures)), without)
    cells = Cells.of_mask(judged.T, subjects=kind != "crisp")
    return Scores(
        systems=systems,
        queries=truth.queries,
        measures=tuple(map(str, measures)),
        values=cells.of_dense(values.swapaxes(-1, -2)),
        cells=cells,
        subjects=None if kind == "crisp" else truth.subjects,
        higher_is_better=tuple(m.higher_is_better for m in measures),
    )


def _values(
    meeting: ExampleMeeting, own: Ints, measures: tuple[Measure, ...], *, exclude: bool
) -> tuple[Array, dict[str, Array]]:
    """Values (systems, measures, subjects, queries), and where no item is relevant."""
    shape = (len(own), len(meeting.truth.queries))
    values = np.empty((meeting.n_systems, len(measures), *shape))
    without = {str(m): np.zeros(shape, dtype=bool) for m in measures if m.needs_relevant}
    labelling = Labelling.of(own, meeting.truth.grade.shape[1])
    for number, queries in enumerate(meeting.blocks()):
        worlds = ExampleWorlds(meeting.block(number, queries), labelling)
        for s in range(meeting.n_systems):
            batch = worlds.batch(s)
            batch = without_unseen(batch) if exclude else batch
            for m, measure in enumerate(measures):
                found = checked(measure, measure.score(batch), batch.n_worlds, batch.n_queries)
                values[s, m, :, queries] = found.reshape(len(own), -1)
        for measure in measures:
            if measure.needs_relevant:
                n = batch.n_relevant(measure.threshold)
                without[str(measure)][:, queries] = n.reshape(len(own), -1) == 0
    return values, without


def _report_unknown(lists: tuple[ExampleLists, ...], systems: tuple[str, ...]) -> None:
    unknown = {s: a.unknown for s, a in zip(systems, lists, strict=True) if a.unknown}
    if unknown:
        named = ", ".join(f"{s} ({n:,})" for s, n in list(unknown.items())[:3])
        rest = len(unknown) - 3
        warn(
            f"{sum(unknown.values()):,} retrieved items have no votes and count as not relevant: "
            f"{named}" + (f" and {rest:,} more runs" if rest > 0 else ""),
            UnjudgedItemWarning,
        )
