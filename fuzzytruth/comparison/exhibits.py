"""What figures and papers show of a comparison: frames, methods, works, captions and tables."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth.comparison import inference, verdicts
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.inference import PAIR, each_collection, names_of
from fuzzytruth.errors import OptionError, counted, first_few, require
from fuzzytruth.evaluation.scores.score_rows import best_first, best_systems
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show.answer import Column, FrameColumns, Table, printed_table
from fuzzytruth.show.latex import Raw
from fuzzytruth.show.number_text import level_text, number_text

if TYPE_CHECKING:
    from fuzzytruth.comparison.result import Comparison


def check_collections(conditions: Conditions, what: str) -> None:
    """Raise `OptionError` unless collections are random."""
    if conditions.groups != "collections":
        raise OptionError(
            f"{what}: is of comparisons over collections; compare over='collection', or another "
            "attribute of queries, as concat({name: scores}) makes one"
        )


def prediction(result: Comparison) -> pd.DataFrame:
    """See `Comparison.predict`."""
    check_collections(result.conditions, "predict")
    columns = result.table.filter(regex="^(new|sd)_").columns
    return result.table[[*PAIR, "difference", *columns, "at_least", "n_collections"]].copy()


def collection_forest(
    result: Comparison, measure: str | None, pair: tuple[str, str] | None
) -> PlotData:
    """Rows of one pair: each collection, these alone, their population, and a new one."""
    conditions = result.conditions
    check_collections(conditions, "kind='collections'")
    rows = result.rows_of(conditions.measure_of(measure))
    if pair is not None:
        asked = [{a, b} == {*pair} for a, b in zip(rows["system_a"], rows["system_b"], strict=True)]
        require("pair", pair, any(asked), "must be two systems that were compared")
        rows = rows[asked]
    row, each = rows.iloc[0], each_collection(result.family, conditions)
    each = each[(each[PAIR] == row[PAIR]).all(axis=1)].dropna(subset="difference")
    name, many, n = conditions.collection, conditions.random, row["n_collections"]
    others = {f"these {n} alone": "alone_", many: "", f"new {name}": "new_"}
    ends = [[of, *row[["difference", f"{x}lower", f"{x}upper"]]] for of, x in others.items()]
    summary = pd.DataFrame(ends, columns=["collection", "difference", "lower", "upper"])
    frame = pd.concat([each[summary.columns], summary], ignore_index=True)
    frame["significant"] = (frame["lower"] > 0) | (frame["upper"] < 0)
    title = (
        f"{conditions.named(row['measure'])}: {row['system_a']} minus {row['system_b']} by {name} "
        f"({conditions.units(rows)})\nBars: {level_text(conditions.level)} intervals, of each "
        f"{name} over its queries, of the mean over these {n} alone and over more {many}, and of a "
        f"new {name}"
    )
    outside = {"significant": "0 outside of the interval", "not significant": "0 within"}
    frame = frame.assign(measure=row["measure"], system_a=frame["collection"], system_b="")
    return PlotData(frame, title, labels={"order": "kept", **outside})


def collections_table(result: Comparison) -> Table:
    """The difference on each collection, of a single pair."""
    name, unadjusted = result.conditions.collection, replace(result.conditions, correction="none")
    rows = result.by_collection().rename(columns={"p": "p_adjusted"})
    columns: FrameColumns = {
        "collection": name,
        **verdicts.difference_columns(rows, unadjusted),
        "n_queries": ("queries", "{:,}".format),
    }
    return printed_table(rows, columns, title=f"By {name}, each alone")


def figure_data(result: Comparison, figure: str, measure: str) -> PlotData:
    """Frames of `plots.forest`, `plots.pairwise_matrix` or `plots.tiers`."""
    data = {"forest": _forest, "pairwise_matrix": _matrix, "tiers": _tiers}[figure](result, measure)
    few = result.conditions.too_few_worlds(result.table)
    return replace(data, title="\n".join(filter(None, (data.title, few))))


def _forest(result: Comparison, measure: str) -> PlotData:
    """Rows of one measure, and the differences by each subject."""
    conditions, rows = result.conditions, result.rows_of(measure)
    bars = f"Bars: {conditions.intervals}, {conditions.procedure}"
    if conditions.of_worlds:
        bars = f"Bars: what holds {conditions.held}; p: {conditions.procedure}"
    labels = conditions.labels | ({"order": "kept"} if conditions.is_directed else {})
    return PlotData(
        rows, f"{conditions.heading(measure, rows)}\n{bars}", _by_subject(result, measure), labels
    )


def _matrix(result: Comparison, measure: str) -> PlotData:
    """Rows of one measure, and the systems' means, best first."""
    conditions, rows = result.conditions, result.rows_of(measure)
    means = result.means[measure].to_numpy(dtype=float)
    order = best_first(means, higher_is_better=conditions.better_up(measure))
    systems = np.array(conditions.systems, dtype=object)
    ordered = pd.DataFrame({"system": systems[order], "mean": means[order]})
    found = conditions.labels["significant"]
    what = found if conditions.is_adjusted else conditions.small_p
    title = f"{conditions.heading(measure, rows)}\nMarked: {what}, {conditions.procedure}"
    marked = {"marked": "significant" if conditions.is_test else found}
    return PlotData(rows, title, ordered, marked)


def _tiers(result: Comparison, measure: str) -> PlotData:
    """Tiers of one measure, and which pairs differ significantly."""
    conditions, pairs, tiers = result.conditions, result.rows_of(measure), result.tiers()
    joined = "systems without a significant difference; two that no bar joins differ significantly"
    if conditions.of_worlds:
        joined = (
            "systems that are not shown to differ in one direction in nearly all worlds; two "
            "that no bar joins are"
        )
    shared = conditions.shared[conditions.measures.index(measure)]
    on = f" on {counted(shared.queries, 'query')} that all have" if shared.left_out else ""
    title = (
        f"{conditions.named(measure)}: means of {len(conditions.systems)} systems{on}, and "
        f"tiers over {conditions.random} ({conditions.units(pairs)})\n"
        f"Bars join {joined} ({conditions.small_p}); {conditions.procedure}"
    )
    return PlotData(tiers[tiers["measure"] == measure], title, pairs)


def _by_subject(result: Comparison, measure: str) -> pd.DataFrame | None:
    """Mean difference of each pair by each subject who has one; None without crossed ones."""
    family, subjects = result.family, result.conditions.subjects
    if subjects is None or result.conditions.nested:
        return None
    means = family.observed[family.measures.index(measure)].by_subject(family.pairs)
    system_a, system_b = names_of(family.pairs, result.conditions.systems)
    return pd.DataFrame(
        {
            "subject": np.tile(np.array(subjects, dtype=object), len(means)),
            "system_a": np.repeat(system_a, len(subjects)),
            "system_b": np.repeat(system_b, len(subjects)),
            "difference": means.ravel(),  # (pairs, subjects)
        }
    )


# What a paper says of a comparison: methods, works, captions, and tables.

What = Literal["means", "differences"]  # a table
SANTINI = 'Santini, S. "Benchmarking without ground truth".'
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
_RANGE_TEST = (
    "Piantadosi, S. & Gail, M. H. (1993). A comparison of the power of two tests for qualitative "
    "interactions. Statistics in Medicine 12."
)
_OF_DIRECTIONS = (
    "Whether single subjects' truths prefer different systems was tested by the range test "
    "(Piantadosi & Gail, 1993), and how many prefer which by Holm's method over both directions "
    "of all subjects, by t over queries."
)
_COLLECTIONS = (
    "Nagashima, K., Noma, H. & Furukawa, T. A. (2019). Prediction intervals for random-effects "
    "meta-analysis. Statistical Methods in Medical Research 28.",
    "Benjamini, Y. & Heller, R. (2008). Screening for partial conjunction hypotheses. Biometrics "
    "64.",
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
    "community": "A group of subjects was drawn by its size, and the ground truth of each item "
    "from the group's votes; values are expectations over these truths.",
    "population": "Subjects were resampled, and values are expectations over the ground truths of "
    "the resamples.",
}
_INFINITY = r"\infty"


def methods(conditions: Conditions) -> list[str]:
    """What was compared, how it was tested, and what is random: sentences."""
    named = "is called significant" if not conditions.of_worlds else "is marked"
    return [
        f"{len(conditions.systems):,} systems were compared on {conditions.units()} by "
        f"{first_few(conditions.measures, 8)}.",
        _truth(conditions),
        _differences(conditions),
        f"A difference {named} if its {conditions.p_name} is at most {conditions.alpha}, "
        f"{tested_by(conditions)}.",
        _OF_DIRECTIONS if conditions.has_directions else "",
        _of_collections(conditions),
        *conditions.shared_lines,
    ]


def _truth(conditions: Conditions) -> str:
    """What the ground truth is; "" where there is one."""
    if conditions.worlds is not None:
        return _TRUTHS.get(conditions.worlds, "")
    if conditions.subjects is None:
        return ""
    if conditions.n_subjects == 1:
        return "The judgments of one subject were the ground truth."
    return (
        "Each subject's judgments were the ground truth in turn, and the value of a query is "
        "the mean over the subjects who judged it (Santini)."
    )


def _differences(conditions: Conditions) -> str:
    pairs = "each pair of systems"
    if conditions.baselines:
        pairs = f"each other system and {_each_baseline(conditions)}"
    if conditions.of_worlds:
        return (
            f"For {pairs} the mean difference is reported with the interval that holds "
            f"{conditions.held}, worlds being drawn, which are no sample of people."
        )
    fixed = f" and subjects {conditions.of_subjects}" if conditions.of_subjects else ""
    return (
        f"For {pairs} the mean difference is reported with {conditions.intervals}, "
        f"{conditions.random} being random{fixed}."
    )


def _each_baseline(conditions: Conditions) -> str:
    """The baseline, or all of them."""
    if len(conditions.baselines) == 1:
        return f"the baseline {conditions.baselines[0]}"
    if len(conditions.baselines) == 2:
        return f"each of the baselines {' and '.join(conditions.baselines)}"
    return f"each of the {len(conditions.baselines):,} baselines {first_few(conditions.baselines)}"


def tested_by(conditions: Conditions) -> str:
    """The test, and the works on it as a text cites them."""
    cited = _works(conditions)[0]
    return f"by {conditions.procedure}{f' ({cited})' if cited else ''}"


def references(conditions: Conditions) -> set[str]:
    """The works that the comparison rests on."""
    by_subjects = bool(_truth(conditions)) and conditions.n_subjects != 1
    of_directions = [_RANGE_TEST] if conditions.has_directions else []
    more = [*of_directions, *(_COLLECTIONS if conditions.groups == "collections" else [])]
    return {*_works(conditions)[1], *([SANTINI] if by_subjects else []), *more}


def _of_collections(conditions: Conditions) -> str:
    """What was found about other collections, and on how many; "" without any."""
    if conditions.groups != "collections":
        return ""
    return (
        f"The difference on a new {conditions.collection} was predicted by a generalised pivotal "
        "quantity (Nagashima et al., 2019), and on how many of these it has its direction at "
        "least was found by Holm's method (Benjamini & Heller, 2008)."
    )


def _works(conditions: Conditions) -> tuple[str, tuple[str, ...]]:
    """How the works on the test are cited, and these; none where textbooks have it."""
    if conditions.is_steadied:
        return "Weerahandi, 1993; Smyth, 2004", (_PIVOTAL, _MAX_T[1])
    if conditions.is_pivotal:
        return _CITED.get(conditions.correction, ("Weerahandi, 1993", (_PIVOTAL,)))
    return _CITED.get(conditions.correction, ("", ()))


# Tables, and what they show.


def caption_of(conditions: Conditions, what: What, table: pd.DataFrame, *, bold: bool) -> str:
    """What a table for a paper shows, and what it rests on."""
    units, rest = conditions.units(), [conditions.lower_is_better, conditions.no_sample]
    if what == "differences":
        ends = f"{conditions.intervals} over {conditions.random}"
        if conditions.of_worlds:
            ends = f"what holds {conditions.held}"
        lines = [
            f"Differences of means over {units}, with {ends}.",
            conditions.cut_line(table),
            f"*: {conditions.p_at_most}, by {conditions.procedure}.",
        ]
        return " ".join(filter(None, (*lines, *rest)))
    means = f"Means over {units}{conditions.weigh_the_same}"
    if any(one.left_out or not one.queries for one in conditions.shared):
        means = (
            "Means over the values that all systems have; pairs are compared on those that "
            "both have, and may differ in the other direction"
        )
    over = "" if conditions.of_worlds else f" over {conditions.random}"
    baselines = " and ".join(conditions.baselines)
    against = f", each system against {baselines}" if baselines else ""
    lines = [
        f"{means}.",
        f"Superscripts: {conditions.beaten}{over}, by {conditions.procedure}{against}, level "
        f"{conditions.level:g}.",
    ]
    return " ".join(filter(None, (*lines, *rest, "Bold: the best system." if bold else "")))


def paper_table(
    result: Comparison, what: What, digits: int, caption: str | None, *, bold: bool
) -> tuple[Table, str]:
    """Systems and their means with letters, or pairs and differences; and the caption."""
    conditions = result.conditions
    caption = caption_of(conditions, what, result.table, bold=bold) if caption is None else caption
    if what == "means":
        values, marks = result.means.to_numpy(dtype=float), result.superscripts().to_numpy()
        names: dict[str, Any] = {"": inference.letters(len(values)), "system": result.means.index}
        best = best_systems(values, conditions.higher_is_better) & bold
        columns = []
        for m, measure in enumerate(conditions.measures):
            each = zip(values[:, m], marks[:, m], strict=True)
            texts = (f"{number_text(mean, digits).replace('–', '-')} {of}" for mean, of in each)
            cells = tuple(text.rstrip() for text in texts)
            columns.append(Column(measure, cells, bold=tuple(best[:, m].tolist())))
    else:
        table = inference.turned(result.table, conditions)
        shown = verdicts.difference_columns(table, conditions, digits)
        columns = [
            Column(one.heading, tuple(cell.rstrip() for cell in one.cells))
            for one in printed_table(table, shown).columns
        ]
        headings = zip(("measure", "system", "minus"), inference.PAIR, strict=True)
        names = {heading: table[column] for heading, column in headings}
    labels = (Column.label(heading, cells) for heading, cells in names.items())
    return Table((*labels, *columns)), caption


def superscript(cell: str) -> Raw:
    """LaTeX of a mean with its letters."""
    mean, _, mark = cell.partition(" ")
    return Raw(mean + (f"$^{{{mark}}}$" if mark else ""))


def math_cell(cell: str) -> Raw:
    """LaTeX of a difference, an interval or a p."""
    if cell == "–":
        return Raw("--")
    return Raw(f"${cell.replace('*', '^{*}').replace('inf', _INFINITY)}$")


def raised(cell: str) -> str:
    """Markdown of a mean with its letters."""
    mean, _, mark = cell.partition(" ")
    return mean + (f"<sup>{mark}</sup>" if mark else "")
