"""`santini_report`: the analysis of "Benchmarking without ground truth", of one's own votes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth.analysis.santini_result import SantiniReport, strong_truth
from fuzzytruth.comparison.compare import compare
from fuzzytruth.comparison.result import Comparison
from fuzzytruth.core.randomness import entropy_of, seeded
from fuzzytruth.core.validation import between_zero_and_one, whole_number
from fuzzytruth.data.assignments import Assignments, read_assignments, read_taxonomy
from fuzzytruth.data.reading import as_judgments, as_runs
from fuzzytruth.data.taxonomy import Taxonomy
from fuzzytruth.errors import OptionError, choice, shown
from fuzzytruth.evaluation.evaluate import evaluate
from fuzzytruth.evaluation.lists.by_rank import by_rank
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.measures import Measure
from fuzzytruth.stats.settings import Axis, Over
from fuzzytruth.truth.protocol import Missing

if TYPE_CHECKING:
    pass

_MISSING = ("error", "nonrelevant", "exclude", "pooled")


def santini_report(
    votes: Any,
    taxonomy: Any,
    runs: Any,
    *,
    k: int = 10,
    lists: Any = None,
    list_measures: Iterable[str | Measure] | str | Measure = "WD(unseen=optimist)",
    missing: Missing = "error",
    level: float = 0.95,
    n_worlds: int = 4000,
    n_resamples: int = 9999,
    rng: Any = 0,
) -> SantiniReport:
    """Analyse votes for categories and the systems that rank the items, as Santini's paper does.

    Every item that some run ranks others for is a query by example. Precision and recall at rank k
    are given as a benchmark with one truth would print them (each item has its majority category),
    as distributions over the categories that items and queries may have (eqs. 10 to 14), and by
    each person's own categories; systems are compared in the same worlds, and over queries and
    subjects.

    Parameters
    ----------
    votes : Assignments, table or path
        What `Assignments.from_frame` or `read_assignments` takes: columns subject, item, category.
    taxonomy : Taxonomy, mapping, graph of networkx, path or None
        ``{parent: [child, ...]}`` or nested, or what `read_taxonomy` reads. None: that of the
        Assignments, or else the labels that occur, without order.
    runs : Runs
        Or what `as_runs` takes: a ranking of the items for each query and system.
    k : int
        Rank at which precision and recall are taken.
    lists : Judgments, table or path, optional
        The subjects' own ranked lists for the same queries, with grades or positions: each system's
        weighted displacement from each list is then part of the individual comparison (section 5).
    list_measures : measure or sequence of measures
        For `lists`; measures that compare lists.
    missing : {"error", "nonrelevant", "exclude", "pooled"}
        How items count that a person did not classify, in the comparison with that person; see
        `evaluate`.
    level : float
        Confidence level of intervals.
    n_worlds, n_resamples : int
        Worlds drawn where a distribution is not exact, and resamples of comparisons.
    rng : int, SeedSequence or Generator
        Seed of both.

    Returns
    -------
    SantiniReport

    Raises
    ------
    DataError, OptionError, TaxonomyError
        As `Assignments.from_frame`, `by_example`, `evaluate` and `compare`; or votes that have a
        taxonomy are given another one.

    Warns
    -----
    UndefinedMeasureWarning
        Queries have no relevant item: in worlds, under the strong ground truth, or by a person.
    UnjudgedItemWarning
        Nobody gave an item a category.

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
    >>> report = ft.santini_report(votes, {"pet": ["cat", "dog"]}, runs, k=2, n_resamples=99)
    >>> frame = report.to_frame().query("measure == 'P@2'")
    >>> frame[["system", "strong", "mean"]].round(3).values.tolist()
    [['x', 1.0, 0.611], ['y', 0.5, 0.444]]
    """
    whole_number("k", k, 1)
    choice("missing", missing, _MISSING)
    level = between_zero_and_one("level", level)
    given, lists_of = _as_votes(votes, taxonomy), as_runs(runs)
    seed = seeded(rng)
    if isinstance(seed, np.random.Generator):  # from which everything may start
        seed = np.random.SeedSequence(entropy_of(seed))
    truth, strong = given.by_example(), strong_truth(given)
    measures = (f"P@{k}", f"R@{k}")
    expected = evaluate(truth, lists_of, measures, n_worlds=n_worlds, rng=seed)
    people = displaced = None
    if truth.subjects is not None:
        people = evaluate(truth, lists_of, measures, worlds="subject", missing=missing, rng=seed)
    if lists is not None:
        own = as_judgments(lists, argument="lists")
        displaced = evaluate(own, lists_of, list_measures, worlds="subject", rng=seed)

    def compared(scores: Scores | None) -> Comparison | None:
        over = () if scores is None else randomness(scores)
        if scores is None or not over or len(scores.systems) < 2:
            return None
        return compare(scores, over=over, level=level, n_resamples=n_resamples, rng=seed)

    main = expected if people is None else people
    return SantiniReport(
        votes=given,
        membership=given.membership(),
        k=k,
        level=level,
        strong=strong,
        strong_scores=evaluate(strong.votes.by_example(expected.queries), lists_of, measures),
        scores=expected,
        ranks=by_rank(truth, lists_of, depth=k),
        people=people,
        displaced=displaced,
        over=randomness(main),
        comparison=compared(main),
        displaced_comparison=compared(displaced),
    )


def randomness(scores: Scores) -> Over:
    """Over what intervals can be taken: queries and subjects, as far as there are two of each."""
    subjects = 0 if scores.subjects is None else len(scores.subjects)
    sizes: dict[Axis, int] = {"query": len(scores.queries), "subject": subjects}
    return tuple(axis for axis, n in sizes.items() if n > 1)


def _as_votes(votes: Any, taxonomy: Any) -> Assignments:
    """Assignments from what `santini_report` takes."""
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
