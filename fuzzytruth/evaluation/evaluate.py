"""`evaluate`: truth and runs in, scores out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal, cast, get_args

from fuzzytruth.core.checksums import digest
from fuzzytruth.core.randomness import check_seed
from fuzzytruth.core.validation import (
    MOST,
    n_workers,
    option_flag,
    option_number,
    progress_callback,
    whole_number,
)
from fuzzytruth.data.by_example import ByExample, ByItem
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.parted import PartedJudgments, PartedRuns, as_parted_runs
from fuzzytruth.data.ranking import Ties
from fuzzytruth.data.reading import as_ranked_lists
from fuzzytruth.data.runs import Runs
from fuzzytruth.errors import OptionError, choice, require
from fuzzytruth.evaluation import validation
from fuzzytruth.evaluation.scores.replicates import declared
from fuzzytruth.evaluation.scores.score_arrays import provenance_of
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.evaluation.subject_scores import score_pooled, score_subjects
from fuzzytruth.evaluation.world_scores import score_worlds
from fuzzytruth.evaluation.worlds.setting import Progress, Sampling, after
from fuzzytruth.measures import Measure, parse_measures
from fuzzytruth.truth import AlignedTruth, Facts, Missing, Worlds, align
from fuzzytruth.truth.pairs.parted import align_parts

Unjudged = Literal["nonrelevant", "bounds"]
#: where to find what others call condensed lists, ready to end a message about `unjudged`
ONLY_JUDGED = "; for lists of judged items alone, give measures such as 'AP(judged_only=True)'"

_ALIGNED = 0.2  # finished fraction when truth and runs are aligned


def evaluate(
    truth: Judgments | ByExample | ByItem | Any,
    runs: Runs | Any,
    measures: Iterable[str | Measure | Any] | str | Measure | Any,
    *,
    worlds: Worlds | None = None,
    groups: Mapping[str, Any] | Any = None,
    ties: Ties = "trec",
    undefined: validation.Undefined = "zero",
    missing: Missing = "error",
    unjudged: Unjudged = "nonrelevant",
    rel: float | Mapping[str, float] | None = None,
    exclude_self: bool = False,
    n_worlds: int | Literal["auto"] = 1000,
    mc_error: float | None = None,
    rng: Any = 0,
    keep_worlds: bool = False,
    structure: bool = False,
    n_jobs: int = 1,
    progress: Progress | None = None,
    client: Any = None,
    replicate_of: Mapping[str, Any] | None = None,
    deterministic: Iterable[str] | str | None = None,
) -> Scores:
    """Score each system on each query, by each measure.

    Parameters
    ----------
    truth : Judgments, ByExample or ByItem
        Also a frame, a dict ``{query: {item: grade}}`` or a path, which are read as judgments, and
        any type registered with `fuzzytruth.truth.align`.
    runs : Runs
        Also a frame (without a column of queries, one of labels: see `Runs.from_labels`), a dict
        ``{system: {query: {item: score}}}``, a path or several, or a Dask frame of all systems;
        the judgments may then be in a Dask frame, too.
    measures : measure or sequence of measures
        In any spelling: ``"AP"``, ``"ndcg_cut_10"``, ``nDCG(dcg="jarvelin") @ 10``; also measure
        objects of ir_measures, such as ``ir_measures.AP(rel=2) @ 100``.
    worlds : {"crisp", "subject", "independent", "population", "community"}, optional
        What counts as ground truth. "crisp": the judgments of a single source. "subject": each
        subject's judgments in turn. "independent": in each world every item independently draws one
        of its judgments; how uncertain is the score, given these votes? "population": votes of
        bootstrap resamples of the subjects; how far is the score from that of infinitely many
        subjects? "community": in each world a group of subjects is drawn, as probable as it is
        large, and every item draws one of its votes: between "independent" (one group) and
        "subject" (each a group), for people who form groups. By default "independent" for several
        subjects or probabilities, else "crisp"; and "subject" if all measures compare lists (WD,
        WDQ, RBO, Kendall, Footrule).
    groups : mapping of subject to group, or Communities
        For ``worlds="community"``. Where nobody of a group voted on an item, all its votes count.
    ties : {"trec", "order", "expected"}
        Order of items with equal scores: by score as a 32-bit float and then by id, descending
        (trec_eval); as given; or the mean over all orders. A `TieWarning` says where the first two
        matter; under "expected" no order is chosen.
    undefined : {"zero", "exclude"}
        Value of recall-like measures on a query without relevant items: 0 (trec_eval), or NaN and
        left out of means.
    missing : {"error", "nonrelevant", "exclude", "pooled"}
        Under ``worlds="subject"``, how to treat items of a query that a subject left out while
        judging others: raise an error; count them as not relevant; remove them from the lists for
        this subject; or draw their grades from the other subjects' judgments, and give the
        expected value. A subject who judged nothing for a query has no value for it. One who judged
        an item several times (a column `repeat`) has the expected value over draws of one of these
        judgments. Measures that compare lists have no missing judgments. Under "exclude", P@k is
        divided by k also where fewer than k items remain.
    unjudged : {"nonrelevant", "bounds"}
        How to treat unjudged items, which some run retrieved or which have a negative grade: as not
        relevant; or give also the lowest and highest value that judging them could give, with
        grades up to the largest one of the judgments (columns `lower` and `upper`; NaN where the
        value is NaN). For crisp and subject worlds, and nearly all measures.
    rel : number or mapping of subject to number, optional
        The lowest grade that is relevant: one for all, or each subject's own where scales differ.
        Grades become 1 from there on, else 0, before anything else; measures then keep their own
        thresholds at the default of 1. See `Judgments.binary`.
    exclude_self : bool
        Whether to leave out of each list the item that has the id of the query (BEIR's
        `ignore_identical_ids`); see `Runs.exclude_self`. Query by example does so in any case.
    n_worlds : int or "auto"
        Number of worlds drawn, or of resamples of the subjects unless these can be enumerated.
        Exact expected values do not depend on it. "auto": as many as make the Monte Carlo error of
        every mean over queries smaller than a hundredth of the width of its 95 % t interval over
        queries, a million at most; ``scores.provenance.n_worlds`` says how many that were.
    mc_error : float, optional
        Under ``n_worlds="auto"``, the largest Monte Carlo error of a mean instead; a single query
        has no interval, and needs it.
    rng : int, SeedSequence, Generator or None
        Source of randomness. What a world draws for an item depends on the seed and the ids of
        query and item alone (for query by example, of the item; for votes by item, of the query):
        the same for any order of rows, any other queries and any `n_jobs`.
    keep_worlds : bool
        Whether to keep the values of single queries in all worlds (systems × measures × queries ×
        worlds numbers), also when saved. Crisp truths and ``worlds="subject"`` have one value for
        each query (and subject), which is kept in any case.
    structure : bool
        Whether to test, by 199 permutations, if it matters who gave which vote, which expected
        values over worlds cannot tell; a sentence below the scores says so. See `structure`.
    n_jobs : int
        Workers, as in joblib.
    progress : callable, optional
        Progress callback, given the finished fraction, from 0 to 1.
    client : dask.distributed.Client, optional
        Whose workers score runs in a Dask frame, or in a folder of Parquet files. By default Dask
        chooses, for frames. A partition should hold whole queries; else rows are shuffled first.
        Scores have the same bits as those of one process.
    replicate_of : mapping of run to system, optional
        Runs that are replicates of one system, such as its trainings with several seeds:
        ``{"ance.1": "ance", "ance.2": "ance"}``. Values are then means over the runs of each
        system, comparisons over queries and runs, and drawn worlds are not kept.
    deterministic : str or sequence of str, optional
        Systems of which another run would give the same.

    Returns
    -------
    Scores

    Raises
    ------
    DataError
        A system and the truth have no query in common, or judgments are missing (see
        `missing`).
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
    MeasureNameWarning
        ``hits@k`` is a count here; in the literature on knowledge graphs it is ``Success@k``. Or
        ERR without `gmax` has another scale than gdeval's.
    TieWarning
        Under a single truth and ``ties="trec"`` or "order", relevant items first, or last, among
        those with equal scores would move means over queries by more than .01 (of means above 1, a
        hundredth): both ends of the worst, and how many there are. Or the ends of two systems
        overlap, so that either may have the higher mean if each has an order of its own: which
        systems. Where more than 300 queries of a system change, its ends are estimated from 300 of
        them, drawn. These orders may not be the ends of bpref, infAP, BPM, G, NumNonRelJudgedRet,
        AP(norm=retrieved)@k, measures that compare lists, those with gains or intents and
        registered ones, which are named as such if ties matter in more than a hundredth of the
        queries; unless all measures compare lists. ``Judged@k`` beside other measures is left out.
    UnjudgedRunWarning
        Nothing that a system retrieved was judged, so that ids of items may differ.
    AllRelevantWarning
        All of several grades are relevant to a measure.
    FractionWarning
        Grades between 0 and 1 are not relevant to a measure.
    ScaleWarning
        Some subjects seem to use a shorter scale than others, or never reach `rel`.
    SelfHitWarning
        Items were left out by `exclude_self`.
    LostVotesWarning
        Resamples of the subjects, or groups, have nobody who judged an item.
    SubjectWarning
        Subjects are in no group, and left out of community worlds.

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
    choice("undefined", undefined, get_args(validation.Undefined))
    choice("unjudged", unjudged, get_args(Unjudged), ONLY_JUDGED)
    choice("ties", ties, get_args(Ties))
    choice("missing", missing, get_args(Missing))
    require("exclude_self", exclude_self, isinstance(exclude_self, bool), "must be True or False")
    sampling = _sampling(n_worlds, mc_error, rng, keep_worlds, n_jobs, progress)
    wanted = parse_measures(measures)
    parted = as_parted_runs(
        runs, exclude_self=exclude_self, with_unjudged=unjudged == "bounds", client=client
    )
    truth = validation.as_truth(truth, None if parted is None else parted.table.workers)
    if parted is None:  # votes for categories need all items of the lists at once
        in_blocks, n_jobs = isinstance(truth, Judgments), sampling.n_jobs
        runs = as_ranked_lists(runs, exclude_self=exclude_self, n_jobs=n_jobs, in_blocks=in_blocks)
    if rel is not None:
        truth = validation.binary_truth(truth, wanted, rel)
    said = None
    if option_flag("structure", structure):
        said = _about_structure(truth if rel is None else validation.floored(truth), rng)
    aligned = align(truth, runs, ties=ties) if parted is None else _in_parts(truth, parted, ties)
    if progress is not None:
        progress(_ALIGNED)
    kind = validation.check_truth(aligned.facts, wanted, worlds=worlds, ties=ties, missing=missing)
    validation.report_grades(truth, wanted)
    bounds, drawn = unjudged == "bounds", None
    if bounds:
        _check_bounds(aligned, kind, ties, missing)
    all_lists = all(m.compares_lists for m in wanted)
    n_missing = 0 if kind != "subject" or all_lists else aligned.facts.n_missing
    incomplete = n_missing > 0
    depths = [measure.depth for measure in wanted if measure.depth is not None]
    moves_up = incomplete and missing == "exclude"  # by as many ranks as are missing above
    up = int(aligned.facts.missing.max(initial=0)) if moves_up else 0
    if len(depths) == len(wanted) and not bounds:
        aligned = aligned.top(max(depths) + up)  # no lower rank matters
    how: dict[str, Any] = {"sampling": sampling, "exclude": undefined == "exclude"}
    members = _members(groups, kind, aligned.facts)
    if kind in ("independent", "population", "community"):
        scores, drawn = score_worlds(aligned, wanted, kind, groups=members, **how)
    elif (missing == "pooled" and incomplete) or aligned.facts.uncertain.any():
        scores, drawn = score_pooled(aligned, wanted, missing=missing, **how)
    else:
        scores = score_subjects(aligned, wanted, missing=missing, bounds=bounds, **how)
    spread = scores.uncertainty
    made = provenance_of(
        truth,
        runs if parted is None else parted,
        worlds=kind,
        ties=ties,
        undefined=undefined,
        unjudged=unjudged,
        missing=missing if incomplete else None,
        n_missing=n_missing or None,
        rel=None if rel is None else _as_text(rel),
        n_worlds=drawn,
        groups=None if members is None else digest(sorted(members.items())),
        seed=None if spread is None else spread.entropy,
        structure=said,
        measures=scores.measures,
        queries_share_items=aligned.facts.queries_share_items,
    )
    return declared(replace(scores, provenance=made), replicate_of, deterministic)


def _members(groups: Any, kind: Worlds, facts: Facts) -> dict[str, tuple[str, ...]] | None:
    """The members of each community; None for other worlds."""
    if kind == "community":
        rule = "worlds='community' needs the group of each subject; see ft.communities(votes)"
        require("groups", groups, groups is not None, rule)
        return validation.members_of(groups, facts.subjects or (), facts.design, of="this truth")
    require("groups", groups, groups is None, f"is for worlds='community', not {kind!r}")
    return None


def _in_parts(truth: Any, runs: PartedRuns, ties: Ties) -> AlignedTruth:
    """A truth aligned with runs where these are."""
    if not isinstance(truth, (Judgments, PartedJudgments)):
        raise OptionError(
            "runs: Dask frames are scored by judgments; for category votes, give frame.compute()"
        )
    # What is asked of the parts alone, it lacks; see `Joinable.whole`.
    return cast(AlignedTruth, align_parts(truth, runs, ties))


def _about_structure(truth: Any, rng: Any) -> str:
    """A sentence on who gave which vote."""
    from fuzzytruth.evaluation.vote_patterns import structure_sentence

    return structure_sentence(truth, rng)


def _as_text(rel: float | Mapping[str, float]) -> str:
    """Thresholds as provenance has them."""
    if isinstance(rel, Mapping):
        return ", ".join(f"{name}: {level:g}" for name, level in rel.items())
    return f"{rel:g}"


def _sampling(
    n_worlds: int | Literal["auto"],
    mc_error: float | None,
    rng: Any,
    keep_worlds: bool,
    n_jobs: int,
    progress: Progress | None,
) -> Sampling:
    """Check how worlds are to be drawn."""
    progress_callback(progress)
    if isinstance(n_worlds, str):
        rule = "must be a whole number from 1, or 'auto'"
        require("n_worlds", n_worlds, n_worlds == "auto", rule)
    else:
        n_worlds = whole_number("n_worlds", n_worlds, 1, MOST)
    if mc_error is not None:
        mc_error = option_number("mc_error", mc_error)
        require("mc_error", mc_error, mc_error > 0, "must be above 0")
        rule = "is for n_worlds='auto'; give that, or leave it out"
        require("mc_error", mc_error, n_worlds == "auto", rule)
    require("keep_worlds", keep_worlds, isinstance(keep_worlds, bool), "must be True or False")
    workers = n_workers(n_jobs)
    check_seed(rng)  # also where nothing is drawn
    return Sampling(n_worlds, rng, workers, keep_worlds, after(progress, _ALIGNED), mc_error)


def _check_bounds(aligned: AlignedTruth, kind: Worlds, ties: str, missing: str) -> None:
    """Bounds are for one crisp truth at a time, with every item at its rank."""
    drawn = kind not in ("crisp", "subject")
    if drawn or missing in ("exclude", "pooled"):
        refused = f"worlds={kind!r}" if drawn else f"missing={missing!r}"
        raise OptionError(
            f"unjudged='bounds': {refused} has none; use worlds='subject' with "
            "missing='nonrelevant', or one crisp truth"
        )
    if aligned.facts.uncertain.any():
        raise OptionError(
            "unjudged='bounds': there are none where a subject judged an item several times with "
            "different grades"
        )
    if ties == "expected":
        raise OptionError("unjudged='bounds': items need one rank; use ties='trec' or 'order'")
    if "unjudged" in aligned.facts.lacks:
        raise OptionError(f"unjudged='bounds': {aligned.facts.lacks['unjudged']}")
