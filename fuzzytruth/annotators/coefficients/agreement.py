"""`agreement`: how far subjects agree beyond chance, with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Bools, Floats
from fuzzytruth.annotators.coefficients.agreement_metrics import AgreementSums, Metric
from fuzzytruth.annotators.coefficients.agreement_result import Agreement
from fuzzytruth.annotators.coefficients.rated_units import (
    Axis,
    Groups,
    Over,
    check_over,
    groups_of,
    in_words,
    of_subjects,
    unit_votes,
    unit_word,
    with_whole_grades,
)
from fuzzytruth.annotators.ratings import Ratings, ratings_of, report_rating_scales
from fuzzytruth.core.randomness import seeded
from fuzzytruth.core.validation import between_zero_and_one, option_number
from fuzzytruth.core.votes.unit_votes import UnitVotes
from fuzzytruth.errors import (
    DegenerateWarning,
    LeftOutWarning,
    OptionError,
    ScaleWarning,
    choice,
    counted,
    first_few,
    shown,
    warn,
)
from fuzzytruth.stats.agreement import Coefficient, Part, ends, jackknife, one_way, two_way
from fuzzytruth.stats.fits import Fit

# Grades outside their scale, and grades that a single subject gave.


_MOST_NAMED = 3


def check_scale(scale: Any) -> tuple[float, float] | None:
    """Lowest and highest grade.

    Raises
    ------
    OptionError
        They are no two numbers, the lower first.
    """
    if scale is None:
        return None
    rule = "must be the lowest and the highest grade, such as (0, 3)"
    if isinstance(scale, str) or not hasattr(scale, "__len__") or len(scale) != 2:
        raise OptionError(f"scale={shown(scale)}: {rule}")
    low, high = (option_number("scale", end) for end in scale)
    if not low < high:
        raise OptionError(f"scale={shown(scale)}: {rule}")
    return low, high


def outside_scale(ratings: Ratings, scale: tuple[float, float] | None) -> pd.DataFrame:
    """Grades outside the scale: subject, grade, count; a warning counts them."""
    if scale is None:
        return _table(ratings, np.zeros(len(ratings.value), dtype=bool))
    if ratings.grades is None:
        raise OptionError("scale: is for grades, and these votes have categories; leave it out")
    low, high = scale
    grade = ratings.grades[ratings.value]
    outside = (grade < low) | (grade > high)
    table = _table(ratings, outside)
    if len(table):
        said = first_few(
            zip(table["grade"], table["subject"], strict=True), _MOST_NAMED, show=_said
        )
        warn(
            f"{counted(int(table['count'].sum()), 'grade')} outside the scale from {low:g} to "
            f"{high:g} {'counts as it is' if len(table) == 1 else 'count as they are'}: {said}",
            ScaleWarning,
        )
    return table


def lone_grades(ratings: Ratings) -> pd.DataFrame:
    """Grades that a single subject of three or more gave: subject, grade, count."""
    n = len(ratings.names)
    if ratings.grades is None or ratings.n_subjects < 3:
        return _table(ratings, np.zeros(len(ratings.value), dtype=bool))
    given = np.unique(ratings.value * ratings.n_subjects + ratings.subject) // ratings.n_subjects
    alone = np.bincount(given, minlength=n) == 1
    return _table(ratings, alone[ratings.value])


def _table(ratings: Ratings, rows: Bools) -> pd.DataFrame:
    """How often each subject gave each grade, of some votes."""
    chosen = np.flatnonzero(rows)
    if ratings.grades is None or not len(chosen):
        return pd.DataFrame({"subject": [], "grade": [], "count": []})
    who = ratings.subject[chosen]
    key = ratings.value[chosen] * (int(who.max()) + 1) + who
    known, which = np.unique(key, return_inverse=True)
    weight = np.ones(len(chosen)) if ratings.subjects is not None else ratings.weight[chosen]
    value, subject = np.divmod(known, int(who.max()) + 1)
    names = ratings.subjects
    return pd.DataFrame(
        {
            "subject": ["(not named)"] * len(known)
            if names is None
            else [names[s] for s in subject.tolist()],
            "grade": ratings.grades[value],
            "count": np.rint(np.bincount(which.reshape(-1), weights=weight)).astype(np.int64),
        }
    )


def _said(row: tuple[float, str]) -> str:
    return f"{row[0]:g} by {row[1]}"


def agreement(
    votes: Any,
    *,
    coefficient: Coefficient = "alpha",
    metric: Metric = "nominal",
    over: Iterable[str] | str | None = None,
    subjects: Iterable[str] | str | None = None,
    level: float = 0.95,
    scale: tuple[float, float] | None = None,
    rel: float | Mapping[str, float] | None = None,
    rng: Any = 0,
) -> Agreement:
    """How far subjects agree beyond chance.

    Parameters
    ----------
    votes : Judgments, Assignments, or what `as_judgments` takes
        Subjects may have judged any part of the items. Repeated judgments share their subject's
        vote, and are not paired with each other. Of counts without names, every vote is another
        person's.
    coefficient : {"alpha", "fleiss", "cohen", "ac1", "ac2", "percent"}
        Krippendorff's alpha; Fleiss' kappa, generalised to any number of votes an item (the mean
        over items of the share of agreeing pairs, and of the shares of values); Cohen's kappa of
        two subjects on the items that both judged; Gwet's AC1, and AC2, which has weights by the
        metric; the percentage of agreeing pairs, as a share.
    metric : str, callable or matrix
        Distance between two values, all of them as they enter the sums:

        - "nominal": 0 or 1. "interval" or "quadratic": (a - b)². "linear": its root. "ratio":
          ((a - b) / (a + b))². "ordinal": of alpha, the squared difference of mid-ranks; of the
          others, by Gwet's ordinal weights, which do not depend on the votes.
        - of Assignments, "taxonomy": the number of categories that are above one vote (or equal to
          it) and not above the other, in a tree the number of steps between the two. It is not
          squared: it is a sum of squares already, over the categories, as alpha wants it.
          "masi": 1 - MASI of the sets of categories.
        - a function of two values (grades, or frozen sets of categories), called once a pair, or a
          matrix (an array in the order of the grades, or a frame that names the values).
    over : {"item", "query", "subject"}, or "subject" with one of the others
        What is a sample. "query": items of one query vary together; "item" takes them for
        independent, and its intervals are too short for other queries. Intents of an item, and
        where subjects were asked about some categories only all that was asked about it, vary
        together. By default "query" where there are several, else "item".
    subjects : names, optional
        Only their votes, and the values that they gave.
    level : float
        Of the interval.
    scale : (lowest, highest), optional
        Of the grades. Those outside it are reported; they count as they are. The whole numbers
        within it are categories of Gwet's coefficients, though nobody gave some.
    rel : number or mapping of subject to number, optional
        The lowest grade that is relevant, one for all or each subject's own where scales differ:
        grades become 1 from there on, else 0.
    rng : int, SeedSequence, Generator or None
        For symmetry with other functions: nothing here is drawn.

    Returns
    -------
    Agreement

    Raises
    ------
    DataError
        All votes are of one subject, no item has two votes, or names are needed and there are none.
    OptionError
        An option has a value that it does not take, or that does not go with these votes.

    Warns
    -----
    LeftOutWarning
        Items have a single vote, which counts nowhere in alpha, Cohen's kappa and "percent", and
        only for the shares of the categories in the others.
    ScaleWarning
        Grades lie outside the scale, or, without one, those of some subjects keep to a shorter
        scale than those of the others, or never reach `rel`.
    DegenerateWarning
        Nothing varies, so that agreement beyond chance is not defined (NaN); all agree, so that
        the interval is [1, 1]; or the interval is unknown.

    Notes
    -----
    Variances are those of the delete-one jackknife: of items, of queries, of subjects with all
    their votes. Over both, v = v_items + v_subjects - v_votes, so that nothing counts twice, with
    the generalised pivotal law; else Student's t with as many degrees of freedom as there are
    groups, less one. Intervals are symmetric on the logarithm of observed over expected
    disagreement.

    References
    ----------
    Krippendorff 2011, Computing Krippendorff's alpha-reliability. Fleiss 1971, Psychological
    Bulletin 76. Cohen 1960, Educational and Psychological Measurement 20; 1968, Psychological
    Bulletin 70. Gwet 2008, British Journal of Mathematical and Statistical Psychology 61; 2014,
    Handbook of Inter-Rater Reliability. Passonneau 2006, Measuring agreement on set-valued items,
    LREC.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> votes = ft.Judgments.from_columns(
    ...     ["q"] * 8, [*"aabbccdd"], [0, 0, 1, 1, 2, 2, 2, 1], subject=["ann", "bob"] * 4)
    >>> found = ft.agreement(votes, metric="ordinal")
    >>> round(found.value, 3), found.n_units, found.n_subjects
    (0.79, 4, 2)
    """
    choice("coefficient", coefficient, get_args(Coefficient))
    level = between_zero_and_one("level", level)
    seeded(rng)
    limits = check_scale(scale)
    ratings = of_subjects(ratings_of(votes, rel, subjects), subjects)
    axes = check_over(over, ratings)
    outside = outside_scale(ratings, limits)
    if limits is None:  # else everybody's is said to be this one
        report_rating_scales(ratings, metric=metric)
    counted_votes = _counted_votes(ratings, coefficient, axes, limits)
    used = unit_votes(counted_votes)
    found = AgreementSums.of(counted_votes, used, coefficient, metric)
    value = found.values(found.all())
    _warn_left_out(used, coefficient, unit_word(ratings))
    observed, expected = found.chance.disagreement(found.all())
    groups = groups_of(counted_votes, used, found.units, axes)
    fit = _fit(found, value, groups, axes, perfect=bool(observed[0] == 0))
    lower, upper = ends(fit, level)
    _warn_degenerate(float(value[0]), float(observed[0]))
    voters = used.subject[used.n[used.unit] >= 2]
    return Agreement(
        value=float(value[0]),
        lower=float(lower[0]),
        upper=float(upper[0]),
        std_error=float(fit.std_error[0]),
        observed=float(observed[0]),
        expected=float("nan") if coefficient == "percent" else float(expected[0]),
        coefficient=coefficient,
        metric=found.metric,
        over=axes,
        level=level,
        n_units=int((used.n >= 2).sum()),
        n_subjects=len(np.unique(voters)),
        n_votes=int(used.n[used.n >= 2].sum()),
        n_left_out=int((used.n == 1).sum()),
        outside=outside,
        alone=lone_grades(counted_votes),
        ratings=counted_votes,
        gaps=found.mean_gaps,
    )


def _counted_votes(
    ratings: Ratings, coefficient: Coefficient, over: Over, scale: tuple[float, float] | None
) -> Ratings:
    """The votes that a coefficient is of, and its categories."""
    if coefficient in ("ac1", "ac2"):
        return with_whole_grades(ratings, scale)
    if coefficient != "cohen":
        return ratings
    names = ratings.named("coefficient='cohen'")
    if len(names) != 2:
        raise OptionError(
            f"coefficient='cohen': is of two subjects, and {counted(len(names), 'subject')} voted; "
            "choose two of them, or take 'fleiss' or 'alpha'"
        )
    if "subject" in over:
        raise OptionError(
            "over='subject': Cohen's kappa is of these two subjects; take over='item', or another "
            "coefficient"
        )
    return ratings


def _fit(found: AgreementSums, value: Floats, groups: Groups, over: Over, *, perfect: bool) -> Fit:
    """The value with the law of its errors."""
    parts = []
    for one in (groups.units, groups.subjects, groups.cells):
        if one is not None:
            part = jackknife(float(value[0]), found.values(found.without(one)))
            # groups without pairs tell of the shares of values only, not of agreement
            parts.append(replace(part, n=one.n_groups_with(~np.isnan(found.mean_gaps))))
    for part, axis in zip(parts, over, strict=False):
        if not perfect:
            _warn_unknown(part, axis, float(value[0]))
    fit = two_way(value, *parts) if len(parts) == 3 else one_way(value, parts[0])
    if fit.std_error[0] == 0 and value[0] < 1:
        warn(
            f"the value is the same without any one of the {in_words(over)}, which says nothing of "
            "how it varies; the interval is unknown",
            DegenerateWarning,
        )
        return one_way(value, replace(parts[0], variance=np.array([np.nan])))
    return fit


def _warn_left_out(votes: UnitVotes, coefficient: Coefficient, word: str) -> None:
    """Count the units with a single vote."""
    single, n = int((votes.n == 1).sum()), int((votes.n >= 1).sum())
    if not single:
        return
    left_out = coefficient in ("alpha", "cohen", "percent")
    kept = "" if left_out else ", and count for the shares of the values only"
    warn(
        f"{single:,} of {counted(n, word)} {'has' if single == 1 else 'have'} a single vote, "
        f"which no other can agree with{kept or ', and are left out'}",
        LeftOutWarning,
    )


def _warn_unknown(part: Part, axis: Axis, value: float) -> None:
    """Say why an interval is unknown."""
    least = 3 if axis == "subject" else 2
    if np.isnan(value):
        return
    if part.n < least:
        warn(
            f"over {in_words((axis,))}: there {'is' if part.n == 1 else 'are'} "
            f"{counted(part.n, axis)}, and how much agreement varies shows from "
            f"{least} on; the interval is unknown",
            DegenerateWarning,
        )
    elif part.undefined.any():
        warn(
            f"without {int(part.undefined[0]):,} of {counted(part.n, axis)} there is no variation, "
            "or nobody to agree with, so that the interval is unknown",
            DegenerateWarning,
        )


def _warn_degenerate(value: float, observed: float) -> None:
    """Say where a value is not defined, or an interval a point."""
    if np.isnan(value):
        warn(
            "no variation: every vote is the same, agreement is 100 %, and agreement beyond chance "
            "is not defined (0 / 0)",
            DegenerateWarning,
        )
    elif observed == 0:
        warn(
            "all agree on all items: the interval [1, 1] does not say how far others would",
            DegenerateWarning,
        )
