"""How a comparison was made, as a paragraph for a paper, with its references."""

from __future__ import annotations

import platform

from fuzzytruth.comparison.assumptions import is_pivotal, procedure, shared_lines, units_of
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.difference_columns import intervals_text, p_name, worlds_held
from fuzzytruth.core.versions import installed_version
from fuzzytruth.errors import first_few

_PACKAGES = ("fuzzytruth", "numpy", "scipy", "pandas", "statsmodels")

SANTINI = 'Santini, S. "Benchmarking without ground truth".'
RANK_SETS = (
    "Mogstad, M., Romano, J. P., Shaikh, A. M. & Wilhelm, D. (2024). Inference for ranks with "
    "applications to mobility across neighbourhoods and academic achievement across countries. "
    "Review of Economic Studies 91."
)
AGREEMENT = (
    "Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and "
    "Psychological Measurement 20(1).",
    "Krippendorff, K. (1970). Estimating the reliability, systematic error and random error of "
    "interval data. Educational and Psychological Measurement 30(1).",
)
AGREEMENT_OF_GRADES = (
    "Cohen, J. (1968). Weighted kappa: Nominal scale agreement with provision for scaled "
    "disagreement or partial credit. Psychological Bulletin 70(4).",
    "Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th ed. Advanced Analytics.",
    AGREEMENT[1],
)
_MAX_T = (
    "Westfall, P. H. & Young, S. S. (1993). Resampling-Based Multiple Testing. Wiley.",
    "Smyth, G. K. (2004). Linear models and empirical Bayes methods for assessing differential "
    "expression in microarray experiments. Statistical Applications in Genetics and Molecular "
    "Biology 3(1).",
)
_PIVOTAL = (
    "Weerahandi, S. (1993). Generalized confidence intervals. Journal of the American Statistical "
    "Association 88."
)
_COMPLETE_NULL = (
    "Carterette, B. (2012). Multiple testing in statistical analysis of systems-based information "
    "retrieval experiments. ACM Transactions on Information Systems 30(1)."
)
#: how the text cites the works of a correction, and these
_CITED = {
    "max-t": ("Westfall & Young, 1993; Smyth, 2004", _MAX_T),
    "sign-flips": ("Westfall & Young, 1993", _MAX_T[:1]),
    "permuted labels": ("Carterette, 2012", (_COMPLETE_NULL,)),
}
_TRUTHS = {
    "independent": "The ground truth of each item was drawn from its votes, and values are "
    "expectations over these truths.",
    "population": "Subjects were resampled, and values are expectations over the ground truths of "
    "the resamples.",
}


def comparison_methods(conditions: Conditions) -> list[str]:
    """What was compared, how it was tested, and what is random: sentences."""
    return [
        f"{len(conditions.systems):,} systems were compared on {units_of(conditions)} by "
        f"{first_few(conditions.measures, 8)}.",
        truth_line(conditions),
        _differences(conditions),
        _tested(conditions),
        *shared_lines(conditions),
    ]


def truth_line(conditions: Conditions) -> str:
    """What the ground truth is; "" where there is one."""
    if conditions.worlds is not None:
        return _TRUTHS.get(conditions.worlds, "")
    if conditions.subjects is None:
        return ""
    if conditions.n_subjects == 1:
        return "The judgments of one subject were the ground truth."
    return (
        "Each subject's judgments were the ground truth in turn, and the value of a query is the "
        "mean over the subjects who judged it (Santini)."
    )


def _differences(conditions: Conditions) -> str:
    pairs = "each pair of systems"
    if conditions.baselines:
        pairs = f"each other system and {_each_of(conditions.baselines)}"
    random = f"{conditions.random} being random"
    if conditions.of_worlds:
        random = "worlds being drawn, which are no sample of people"
    elif conditions.over == ("query",) and conditions.n_subjects is not None:
        fixed = "sampled with their query" if conditions.nested else "fixed"
        random += f" and subjects {fixed}"
    intervals = intervals_text(conditions)
    if conditions.of_worlds:
        intervals = f"the interval that holds {worlds_held(conditions)}"
    return f"For {pairs} the mean difference is reported with {intervals}, {random}."


def _each_of(baselines: tuple[str, ...]) -> str:
    """The baseline, or all of them."""
    if len(baselines) == 1:
        return f"the baseline {baselines[0]}"
    if len(baselines) == 2:
        return f"each of the baselines {baselines[0]} and {baselines[1]}"
    return f"each of the {len(baselines):,} baselines {first_few(baselines)}"


def _tested(conditions: Conditions) -> str:
    cited = citation(conditions)
    size = f"{1 - conditions.level:.2g}"
    what = "is called significant" if not conditions.of_worlds else "is marked"
    return (
        f"A difference {what} if its {p_name(conditions)} is at most {size}, by "
        f"{procedure(conditions)}{f' ({cited})' if cited else ''}."
    )


def citation(conditions: Conditions) -> str:
    """Names and years of the works on the test; "" where textbooks have it."""
    if conditions.correction in _CITED:
        return _CITED[conditions.correction][0]
    return "Weerahandi, 1993" if is_pivotal(conditions) and not conditions.of_worlds else ""


def references(*all_conditions: Conditions | None) -> list[str]:
    """The works that comparisons rest on, in alphabetic order."""
    found = set()
    for conditions in all_conditions:
        if conditions is None:
            continue
        if truth_line(conditions) and conditions.n_subjects != 1:
            found.add(SANTINI)
        if conditions.correction in _CITED:
            found |= set(_CITED[conditions.correction][1])
        elif citation(conditions):
            found.add(_PIVOTAL)
    return sorted(found)


def software_line() -> str:
    """Versions of what computed it."""
    named = ", ".join(f"{name} {installed_version(name)}" for name in _PACKAGES)
    return f"Computed with {named} and Python {platform.python_version()}."
