"""`santini`: the analysis of "Benchmarking without ground truth", of one's own votes."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar, get_args

import numpy as np

from fuzzytruth import errors
from fuzzytruth.analysis.data_check import Reason, or_why
from fuzzytruth.analysis.santini_result import Santini
from fuzzytruth.annotators.structure.communities import communities
from fuzzytruth.annotators.structure.structure import structure
from fuzzytruth.comparison.by_subject import with_differences
from fuzzytruth.comparison.compare import compare
from fuzzytruth.comparison.result import Comparison
from fuzzytruth.core.arithmetic import segment_max
from fuzzytruth.core.randomness import entropy_of, seeded
from fuzzytruth.core.validation import MOST, between_zero_and_one, progress_callback, whole_number
from fuzzytruth.data.assignments import Assignments, read_assignments
from fuzzytruth.data.by_example import ByExample
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.plurality import Rule
from fuzzytruth.data.ranking import Ties
from fuzzytruth.data.reading import as_judgments, as_runs
from fuzzytruth.data.runs import Runs
from fuzzytruth.data.taxonomy import Taxonomy, read_taxonomy
from fuzzytruth.errors import DataError, FuzzytruthWarning, OptionError, choice, require, shown
from fuzzytruth.evaluation.evaluate import evaluate
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.io.columns import string_array
from fuzzytruth.io.ids import find_items
from fuzzytruth.measures import Measure
from fuzzytruth.stats.settings import Axis, Over
from fuzzytruth.truth import Missing, align
from fuzzytruth.truth.pairs.placement import PlacedTruth

T = TypeVar("T")

_KEPT = 25_000_000  # numbers of single queries in all worlds, which figures then need not draw
_SCORED = 99  # permutations with which systems are evaluated
_USUAL_K = 10  # which few items are not refused for
_DRAWS = 39  # of votes with margins fixed


def santini(
    votes: Any,
    runs: Any,
    *,
    taxonomy: Any = None,
    k: int = 10,
    lists: Any = None,
    list_measures: Iterable[str | Measure] | str | Measure | None = None,
    rule: Rule = "direct",
    missing: Missing = "exclude",
    ties: Ties = "expected",
    level: float = 0.95,
    n_worlds: int = 2000,
    n_permutations: int = 199,
    n_resamples: int = 9999,
    rng: Any = 0,
    progress: Callable[[float], object] | None = None,
) -> Santini:
    """Analyse votes for categories and the systems that rank the items, as Santini's paper does.

    There is no answer key: the truth is what people said. Every item that some run ranks others
    for is a query by example: which items are of its kind? Precision and recall at rank k are given
    in three ways: as a benchmark with one truth would print them (each item has one category); as
    distributions over what each item may be, when people are averaged first, into memberships (eqs.
    10 to 14); and by each person's own categories, when they are averaged last. Where people's
    votes have structure the last two differ: memberships do not say what a person gets. Verdicts
    say for whose truths a system is better.

    Parameters
    ----------
    votes : Assignments, table or path
        What `Assignments.from_frame` or `read_assignments` takes: columns subject, item, category.
    runs : Runs
        Or what `as_runs` takes: a ranking of the items for each query and system. Categories that
        systems gave to items (columns system, item, category) become lists by their similarity in
        the tree; see `Runs.by_similarity`.
    taxonomy : Taxonomy, mapping, graph of networkx, path or None
        ``{parent: [child, ...]}`` or nested, or what `read_taxonomy` reads. None: that of the
        Assignments, or else the labels that occur, without order.
    k : int
        Rank at which precision and recall are taken; at most the number of items.
    lists : Judgments, table or path, optional
        People's own ranked lists for the same queries, with grades or positions: each system's
        weighted displacement from each list is then part of the individual comparison (section 5).
    list_measures : measure or sequence of measures
        For `lists`; measures that compare lists. By default the optimist's, the pessimist's and the
        incremental displacement, and the quality, normalised by g.
    rule : {"direct", "top-down", "majority"}
        How the one truth takes a category from votes; see `Assignments.plurality`.
    missing : {"error", "nonrelevant", "exclude", "pooled"}
        How items count that a person did not classify, in the comparison with that person; see
        `evaluate`.
    ties : {"trec", "order", "expected"}
        Order of items with equal scores; see `evaluate`. The lists that depend on it are counted.
    level : float
        Confidence level of intervals and tests.
    n_worlds, n_permutations, n_resamples : int
        Worlds drawn where a distribution is not exact; permutations of votes in tests of structure
        and communities; resamples of comparisons.
    rng : int, SeedSequence or Generator
        Seed of all.
    progress : callable, optional
        Progress callback, given the finished fraction.

    Returns
    -------
    Santini
        Prints one screen; ``.report("santini.html")`` writes a page. What the votes do not allow is
        left out, with a line that says why: without names, people, structure and communities; of
        one person, all comparisons of people; of fewer than six, communities.

    Raises
    ------
    DataError, OptionError, TaxonomyError
        As `Assignments.from_frame`, `by_example`, `evaluate` and `compare`; or votes that have a
        taxonomy are given another one.

    Warns
    -----
    UndefinedMeasureWarning
        Queries have no relevant item: in worlds, under the one truth, or by a person.
    UnjudgedItemWarning, UnjudgedQueryWarning
        Nobody gave an item a category, or a list for a query.
    TieWarning
        Means depend on how ties are ordered, which ``ties="expected"`` avoids.

    References
    ----------
    Santini, "Benchmarking without ground truth": section 3 (strong ground truth), section 4
    (memberships and distributions), section 5 and scheme (4) (individual comparison).

    Examples
    --------
    >>> import fuzzytruth as ft, pandas as pd
    >>> votes = pd.DataFrame({
    ...     "subject": list("stu") * 4, "item": [*"aaabbbcccddd"], "category":
    ...     ["cat", "cat", "dog", "cat", "dog", "cat", "dog", "dog", "dog", "cat", "cat", "cat"]})
    >>> runs = {"x": {"a": ["b", "d", "c"], "b": ["a", "d", "c"]},
    ...         "y": {"a": ["c", "b", "d"], "b": ["c", "a", "d"]}}
    >>> found = ft.santini(votes, runs, taxonomy={"pet": ["cat", "dog"]}, k=2, n_resamples=99)
    >>> frame = found.to_frame().query("measure == 'P@2'")
    >>> frame[["system", "one_truth", "memberships"]].round(3).values.tolist()
    [['x', 1.0, 0.611], ['y', 0.5, 0.444]]
    """
    whole_number("k", k, 1)
    whole_number("n_worlds", n_worlds, 1)
    whole_number("n_permutations", n_permutations, 1, MOST)
    choice("missing", missing, get_args(Missing))
    choice("ties", ties, get_args(Ties))
    level = between_zero_and_one("level", level)
    progress_callback(progress)
    given = _as_votes(votes, taxonomy)
    fits = k <= max(len(given.items), _USUAL_K)
    require("k", k, fits, f"must be at most the number of items, {len(given.items):,}")
    lists_of = _as_lists(runs, given)
    seed = seeded(rng)
    if isinstance(seed, np.random.Generator):  # from which everything may start
        seed = np.random.SeedSequence(entropy_of(seed))
    truth, strong, measures = given.by_example(), given.plurality(rule=rule), (f"P@{k}", f"R@{k}")
    tell = progress or (lambda share: None)
    how: dict[str, Any] = {"ties": ties, "rng": seed}
    n_numbers = sum(map(len, lists_of.queries.values())) * len(measures) * n_worlds
    keep = n_numbers <= _KEPT
    draws = {"n_worlds": n_worlds, "keep_worlds": keep}
    expected = _scores("memberships", truth, lists_of, measures, **draws, **how)
    tell(0.05)
    n_people = len(given.subject_names or ())
    people = displaced = structure_of = groups = None
    if n_people > 1:
        own_truths = {"worlds": "subject", "missing": missing}
        people = _scores("own truths", truth, lists_of, measures, **own_truths, **how)
    main = expected if people is None else people
    reasons = _reasons(given, main, lists)
    if lists is not None:
        own = as_judgments(lists, argument="lists")
        displaced, lacking = _displaced(own, lists_of, list_measures, len(given.items))
        reasons += lacking

    def compared(scores: Scores | None) -> Comparison | None:
        over = () if scores is None else randomness(scores)
        if scores is None or not over or len(scores.systems) < 2:
            return None
        return compare(scores, over=over, level=level, n_resamples=n_resamples, rng=seed)

    def or_left_out(name: str, compute: Callable[[], T]) -> T | None:
        def note(why: str) -> None:
            reasons.append(((name,), f"{name}, {why.removeprefix(f'{name}: ')}"))

        return or_why(compute, note)

    comparison = compared(main)
    tell(0.15)
    if n_people > 1:
        tests: dict[str, Any] = {"level": level, "n_permutations": n_permutations, "rng": seed}
        n_scored = min(_SCORED, n_permutations)
        of: dict[str, Any] = {"missing": missing, "ties": ties, "n_draws": _DRAWS, **tests}
        with warnings.catch_warnings():  # people's scores have warned
            warnings.simplefilter("ignore", FuzzytruthWarning)
            structure_of = or_left_out(
                "structure", lambda: structure(truth, lists_of, measures, n_scored=n_scored, **of)
            )
        differences = None if structure_of is None else structure_of.differences
        if comparison is not None and differences is not None:
            comparison = with_differences(comparison, differences, n_scored)
        tell(0.6)
        groups = or_left_out("communities", lambda: communities(given, **tests))
        if structure_of is not None and groups is not None:
            group = groups.by_subject.get  # whose members are alike, and no copies
            apart = [
                two for two in structure_of.copies if group(two[0], two[0]) != group(two[1], two[1])
            ]
            structure_of = replace(structure_of, copies=tuple(apart))
    tell(1.0)
    n_lists, n_decided = _decided(truth, lists_of, k)
    single = strong.by_example(expected.queries)
    return Santini(
        votes=given,
        runs=lists_of,
        membership=given.membership(),
        k=k,
        level=level,
        ties=ties,
        n_lists=n_lists,
        n_decided=n_decided,
        strong=strong,
        strong_scores=_scores("one truth", single, lists_of, measures, ties=ties),
        scores=expected,
        people=people,
        displaced=displaced,
        over=randomness(main),
        structure=structure_of,
        communities=groups,
        reasons=tuple(reasons),
        comparison=comparison,
        displaced_comparison=compared(displaced),
    )


def _reasons(votes: Assignments, scores: Scores, lists: Any) -> list[Reason]:
    """What cannot be said of such votes, systems and lists, and why."""
    names = votes.subject_names
    out: list[Reason] = []
    people = ("people", "structure", "communities")
    of_people = "each person's own truth, structure and communities"
    if names is None:
        why = f"{of_people}, for nobody is named; memberships are all that is known"
        out.append((people, why))
    elif len(names) == 1:
        out.append((people, f"{of_people}, for there is one person"))
    if len(scores.systems) == 1:
        out.append((("pairs",), "comparisons, for there is one system"))
    elif not randomness(scores):
        out.append((("pairs",), "comparisons, for there are neither two queries nor two people"))
    if lists is None:
        why = "weighted displacement, for no ranked lists of people are given"
        out.append((("displacement",), why))
    return out


def _displaced(
    lists: Judgments, runs: Runs, measures: Any, n_items: int
) -> tuple[Scores, list[Reason]]:
    """Scores by people's lists; of the usual measures those that fit, and why others do not."""
    if lists.subjects is None:
        raise DataError(
            "lists: nobody is named in them; give lists with a column that names whose each is "
            "(subject, annotator, ...)"
        )
    unfit: dict[str, str] = {}
    if measures is None:
        modes = "optimist", f"pessimist,N={n_items}", "incremental"
        usual = [*(f"WD(unseen={mode})" for mode in modes), "WDQ"]
        with warnings.catch_warnings():  # those of the measures kept are given below
            warnings.simplefilter("ignore", FuzzytruthWarning)
            for measure in usual:
                try:
                    evaluate(lists, runs, measure, worlds="subject")
                except DataError as error:
                    unfit[measure] = str(error)
        measures = [measure for measure in usual if measure not in unfit]
        if not measures:
            raise DataError(f"lists: {'; '.join(dict.fromkeys(unfit.values()))}")
    lacking: list[Reason] = [(("displacement",), f"{m}, for {why}") for m, why in unfit.items()]
    return evaluate(lists, runs, measures, worlds="subject"), lacking


def _decided(truth: ByExample, runs: Runs, k: int) -> tuple[int, int]:
    """Lists, and those whose first k items depend on how ties are ordered."""
    aligned = align(truth, runs, ties="expected")
    assert isinstance(aligned, PlacedTruth)
    placed = aligned.placements
    decided = [segment_max((one.first <= k) & (one.last > k), one.offsets) for one in placed]
    return sum(map(len, decided)), int(np.concatenate(decided).sum())


def _scores(by: str, *given: Any, **how: Any) -> Scores:
    """What `evaluate` gives; warnings of undefined measures say by which truth, as results do."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        scores = evaluate(*given, **how)
    for one in caught:
        said = f"by {by}: " * (one.category is errors.UndefinedMeasureWarning)
        warnings.warn_explicit(f"{said}{one.message}", one.category, one.filename, one.lineno)
    return scores


def randomness(scores: Scores) -> Over:
    """Over what intervals can be taken: queries and subjects, as far as there are two of each."""
    subjects = 0 if scores.subjects is None else len(scores.subjects)
    sizes: dict[Axis, int] = {"query": len(scores.queries), "subject": subjects}
    return tuple(axis for axis, n in sizes.items() if n > 1)


def _as_lists(runs: Any, votes: Assignments) -> Runs:
    """Lists of items; of categories given to items, lists by their similarity."""
    given, categories = as_runs(runs), string_array(votes.taxonomy.nodes)
    for ranking in given.values():
        known = find_items(ranking.item, categories) >= 0
        if not known.all() or (find_items(ranking.item, votes.items) >= 0).any():
            return given
    return Runs.by_similarity(given, votes.taxonomy)


def _as_votes(votes: Any, taxonomy: Any) -> Assignments:
    """Assignments from what `santini` takes."""
    categories = _as_taxonomy(taxonomy)
    if isinstance(votes, Assignments):
        if categories is not None and categories != votes.taxonomy:
            raise OptionError(
                "taxonomy: the votes have another one already; give this one where they are made: "
                "read_assignments(path, taxonomy=tax), Assignments.from_frame(frame, taxonomy=tax)"
            )
        return votes
    if isinstance(votes, (str, Path)):
        return read_assignments(votes, taxonomy=categories)
    return Assignments.from_frame(votes, taxonomy=categories)


def _as_taxonomy(given: Any) -> Taxonomy | None:
    """A taxonomy from what describes one."""
    if given is None or isinstance(given, Taxonomy):
        return given
    if isinstance(given, Mapping):
        nested = any(isinstance(below, Mapping) for below in given.values())
        return Taxonomy.from_nested(given) if nested else Taxonomy.from_children(given)
    if isinstance(given, (str, Path)):
        return read_taxonomy(given)
    if hasattr(given, "edges") and hasattr(given, "nodes"):
        return Taxonomy.from_networkx(given)
    raise OptionError(
        f"taxonomy={shown(given)}: must be a Taxonomy, {{parent: [child, ...]}}, a graph of "
        "networkx, a path, or None"
    )
