"""The reports of `analyse` and of `santini`: all that is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth import plots
from fuzzytruth._lazy import pd, sparse
from fuzzytruth.analysis.data_check import Sources, left_out
from fuzzytruth.annotators.coefficients.pairwise_agreement import PairwiseAgreement
from fuzzytruth.comparison import comparison_report as parts_of
from fuzzytruth.comparison import exhibits
from fuzzytruth.comparison.by_subject import each_subject
from fuzzytruth.comparison.opening import MOST_SENTENCES
from fuzzytruth.core.validation import optional_text, place_of, places_of
from fuzzytruth.data.assignments import Assignments
from fuzzytruth.errors import counted
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show.answer import Column, Result, Sentences, Table
from fuzzytruth.show.number_text import level_text
from fuzzytruth.show.page import Figure, Page, PagePart, Section

if TYPE_CHECKING:
    from fuzzytruth.analysis.analyse import Analysis
    from fuzzytruth.analysis.santini_result import Santini
    from fuzzytruth.comparison.rank_stability import RankStability


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
MOST_PAIRS = 2000  # of subjects
MOST_SUBJECTS = 200  # of a figure of their agreement
_EACH_TWO = "Each two subjects"
_HEADINGS = {
    "n_units": "items",
    "n_subjects": "subjects",
    "n_others": "others",
    "subject_a": "subject",
    "subject_b": "and",
    "percent": "share equal",
}
_SIZES = "What was evaluated"
_OF_DUPLICATES = ["subject", "cluster", "percent", "value"]


def analysis_page(
    result: Analysis,
    title: str | None,
    command: str,
    files: Sequence[tuple[str, str]],
    groups: Any = None,
) -> Page:
    """See `Analysis.report`."""
    comparison, scores = result.comparison, result.scores
    sections = [_answer(result, groups), _systems(result)]
    if comparison is not None:
        sections.append(parts_of.pairs_section(comparison))
    sections += [
        parts_of.queries_section(scores),
        _ranks(result.stability),
        parts_of.subjects_section(scores, result.by_subject),
        _agreement(result.sources),
        _data(result),
        parts_of.methods_section(_methods(result), _references(result)),
        parts_of.rerun_section(scores, comparison, command, files),
    ]
    heading = optional_text("title", title) or result._title()
    return Page(heading, result.data.title, tuple(sections), parts_of.footer())


def _answer(result: Analysis, groups: Any) -> Section:
    if result.comparison is None:
        alone = Sentences.of("There is one system: nothing to compare.", kind="lead")
        return Section.of("answer", "Answer", alone)
    return parts_of.answer_section(result.comparison, result.by_subject, result.both, groups)


def _systems(result: Analysis) -> Section:
    """A table of means a measure."""
    each = ((result._table(name), f"Systems by {name}") for name in result.scores.measures)
    tables = (parts_of.report_table(*one) for one in each)
    return Section.of("systems", "Systems", *tables, parts_of.notes(*result._legend()))


def _ranks(stability: RankStability | None) -> Section:
    """Ranks with confidence sets, and how often systems are first."""
    parts: list[Table | Sentences] = []
    if stability is not None:
        for measure in stability.agreement["measure"]:
            table = stability._table(measure)
            title, _, orders = table.title.rpartition("; ")
            table = replace(table, extras=f"{orders}.")
            parts.append(parts_of.report_table(table, f"Ranks by {title}"))
        parts.append(parts_of.notes(*stability._legend().lines))
    return Section.of("ranks", "Stability of ranks", *parts)


def _agreement(sources: Sources | None) -> Section:
    """How far subjects agree, and who are near-duplicates."""
    parts: list[Sentences | Figure | Table] = []
    if sources is not None:
        if sources.agreement is not None:
            table = _table(sources.agreement.to_frame(), "All subjects together")
            parts += _with_parts(sources.agreement, table)
        parts += [] if sources.pairs is None else _pairs(sources.pairs)
        parts.append(parts_of.notes(*sources.notes))
    return Section.of("agreement", "Agreement of the subjects", *parts)


def _pairs(pairs: PairwiseAgreement) -> list[Sentences | Figure | Table]:
    """Agreement of each two subjects."""
    parts: list[Figure | Table] = []
    if 2 < len(pairs.subjects) <= MOST_SUBJECTS and pairs.pairs["value"].notna().any():
        parts.append(_agreement_figure(pairs))
    if len(pairs.subjects) > 2:
        parts.append(_table(pairs.by_subject(), f"Mean with the others{_by(pairs)}"))
    if len(pairs.pairs) <= MOST_PAIRS:
        parts.append(_table(pairs.to_frame(), f"{_EACH_TWO}{_by(pairs)}"))
    duplicates = pairs.duplicates()
    if len(duplicates):
        parts.append(_table(duplicates[_OF_DUPLICATES], "Near-duplicates"))
    return _with_parts(pairs, *parts)


def _table(frame: pd.DataFrame, caption: str) -> Table:
    return parts_of.frame_table(frame.rename(columns=_HEADINGS), caption)


def _by(pairs: PairwiseAgreement) -> str:
    """The coefficient, where it is not the plain one."""
    return "" if pairs.metric == "nominal" else f": weighted kappa, {pairs.metric} weights"


def _agreement_figure(pairs: PairwiseAgreement) -> Figure:
    """The matrix of agreement."""
    lowest = pairs.by_subject().iloc[0]
    description = (
        "A table of subjects by subjects, coloured by the agreement of the two; those "
        "who agree are neighbours, and near-duplicates are framed. Lowest mean agreement with the "
        f"others: {lowest['subject']}, {lowest['value']:.2f}."
    )
    data = pairs._plot_data("agreement_matrix")
    table = f"{_EACH_TWO}{_by(pairs)}" if len(pairs.pairs) <= MOST_PAIRS else ""
    draw = plots.agreement_matrix
    return parts_of.report_figure(draw, data, "agreement", description, table=table, on_paper=True)


def _with_parts(result: Result, *parts: Figure | Table) -> list[Sentences | Figure | Table]:
    """What `print` says of a result, with these parts before the notes."""
    texts = parts_of.answer_texts(result)
    before = [text for text in texts if text.kind != "note"]
    return [*before, *parts, *(text for text in texts if text.kind == "note")]


def _data(result: Analysis) -> Section:
    """What may mislead in the data."""
    data, sources = result.data, result.sources
    none = "" if data.notes else "Nothing in the data was found that may mislead."
    parts: list[Sentences | Table] = [Sentences(data.notes, "list"), Sentences.of(none)]
    parts.append(parts_of.pairs_table(_SIZES, ("property", "value"), data.facts))
    if sources is not None:
        parts.append(_ties(sources))
    return Section.of("data", "Quality of the data", *parts)


def _ties(sources: Sources) -> Sentences | Table:
    """Items with equal scores in the lists of each system."""
    if not any(share for _, share in sources.tied):
        return Sentences.of("Ties: no two items of a list have the same score.")
    names, shares = zip(*sources.tied, strict=True)
    columns = (
        Column.label("system", names),
        Column("tied items", tuple(f"{100 * share:.1f} %" for share in shares)),
    )
    what = "Share of retrieved items that have the score of another one in their list."
    return Table(columns, "Ties", what)


def _methods(result: Analysis) -> list[str]:
    """Sentences on all that was computed."""
    comparison, both = result.comparison, result.both
    means = f"Means have {result.rows.brackets}." if result.rows.brackets else ""
    if comparison is None:
        return [means]
    out = [*exhibits.methods(comparison.conditions), means]
    if both is not None:
        out.append(
            f"The comparison was repeated over {both.conditions.random}, both being random, "
            f"{exhibits.tested_by(both.conditions)}."
        )
    if result.by_subject is not None:
        out.append(
            "It was also repeated with each subject's judgments alone as the ground truth, "
            "without adjusting for the number of subjects."
        )
    if result.stability is not None:
        level = level_text(result.stability.level)
        out.append(
            f"Ranks have simultaneous {level} confidence sets (Mogstad et al., 2024); how often a "
            f"system is first is the share of {counted(result.stability.n_draws, 'resample')}."
        )
    if result.sources is not None and result.sources.pairs is not None:
        out.append(_of_agreement(result.sources.pairs))
    return out


def _of_agreement(pairs: PairwiseAgreement) -> str:
    alpha, kappa = "Krippendorff's alpha", "Cohen's kappa (Cohen, 1960)"
    if pairs.metric != "nominal":
        alpha = f"Krippendorff's {pairs.metric} alpha"
        kappa = f"weighted kappa (Cohen, 1968) with {pairs.metric} weights (Gwet, 2014)"
    return (
        f"Agreement of the subjects is given as {alpha} (Krippendorff, 1970), and for each two of "
        f"them as {kappa}."
    )


def _references(result: Analysis) -> set[str]:
    works = {RANK_SETS} if result.stability is not None else set()
    for one in (result.comparison, result.both):
        works |= set() if one is None else exhibits.references(one.conditions)
    if result.sources is not None and result.sources.pairs is not None:
        graded = result.sources.pairs.metric != "nominal"
        works |= set(AGREEMENT_OF_GRADES if graded else AGREEMENT)
    return works


_FEW = 12  # rows of tables that go on
_BOXES = 40  # categories beyond which they are a list
_QUERIES = 3  # whose distributions are shown
_STRONG = 60  # queries of a figure of what one truth hides


def _verdict(result: Santini) -> list[PagePart | None]:
    answer: tuple[PagePart, ...] = ()
    if (found := result.comparison) is not None:
        groups = result.communities if result.communities and result.communities.groups else None
        answer = parts_of.answer_section(found, each_subject(found), groups=groups).parts
    more = Sentences.of(*result._directions_lines(), result._ties_line())
    return [*answer, more, Sentences(result.left_out, "list")]


def _schemes(result: Santini) -> list[PagePart | None]:
    """People averaged first, and last: all queries, and the one on which they part most."""
    parts: list[PagePart | None] = [result._means_table(), result._meaning()]
    for number, query in enumerate((None, *_queries(result)[:1])):
        data = result._plot_data("two_schemes", query=query)
        description = (
            "Above, for each system, bars of the distribution over worlds and an open mark at its "
            "mean. Below, a row for each person with a mark for each system by that person's own "
            "truth; last, the means over people."
        )
        figure = parts_of.report_figure(plots.two_schemes, data, f"schemes-{number}", description)
        parts.insert(number, figure)
    return parts


def _queries(result: Santini) -> list[str]:
    """Queries to show: those on which people part most, else the most disputed."""
    disputed = [item for item in result._items["item"] if item in result.scores.queries]
    return list(dict.fromkeys([*result._parted["query"], *disputed, *result.scores.queries]))[
        :_QUERIES
    ]


def _people(result: Santini) -> list[PagePart | None]:
    pair, more = result.best_two(), None
    if result.people is None:
        return []
    if pair is not None:
        n_a, n_b = (f"better: {each}" for each in pair)
        table = result._parted.rename(columns={"n_a": n_a, "n_b": n_b})
        caption = f"{pair[0]} minus {pair[1]} on queries where own truths prefer different systems"
        more = parts_of.frame_table(table, caption, _FEW)
    return [Sentences.of(result._parting_line(), kind="lead"), result._people_table(), more]


def _tree(result: Santini) -> list[PagePart | None]:
    """The taxonomy with expected sizes, and what people disagree about."""
    tree, categories = result.votes.taxonomy, result.categories()
    sizes = dict(zip(categories["category"], categories["size"], strict=True))
    data = plots.frames.PlotData(tree.to_frame(), "Expected number of items in each category")
    drawn, number = (plots.tree, ".1f") if len(tree) <= _BOXES else (plots.tree_bars, ".3g")
    figure = parts_of.report_figure(
        partial(drawn, values=sizes, number=number, limits=(0, len(result.membership.items))),
        data,
        "tree",
        "The taxonomy from the root, and the expected size of each category.",
        on_paper=True,
    )
    below = categories[categories["level"] > 0].sort_values("size", ascending=False, kind="stable")
    return [
        Sentences.of(result._votes_lines[0], kind="lead"),
        figure,
        parts_of.frame_table(below, "Categories, by expected size"),
        parts_of.frame_table(_worded(result._items), "Most disputed items", _FEW),
        parts_of.frame_table(_confused(result), "Categories most often given to the same item"),
        parts_of.notes(
            "size: expected number of items, (9). strong size: number by one truth.",
            "agreement: of a category, how often another vote on the item is for it, too; of an "
            "item, share of pairs of votes that are equal. entropy: of its votes, in bits.",
            "share, tied: of the votes for the category; categories with as many. items: expected "
            "number of which two votes are for these two.",
        ),
    ]


def _worded(items: pd.DataFrame) -> pd.DataFrame:
    """Items, their category in words."""
    return items.drop(columns="category").rename(columns={"reading": "category"})


def _confused(result: Santini) -> pd.DataFrame:
    """Pairs of categories that people give the same item, most often first."""
    m, names = result.membership, result.votes.set_names()
    item, slot = np.nonzero(m.slots.option >= 0)
    named = m.slots.option[item, slot]
    shape = len(m.items), len(names)
    shares = sparse.csr_array((m.direct_share[item, slot], (item, named)), shape=shape)
    both = sparse.triu(shares.T @ shares, 1).tocoo()
    most = np.lexsort((both.col, both.row, -both.data))[:_FEW]
    texts = [name if isinstance(name, str) else " + ".join(name) for name in names]
    a, b = ([texts[j] for j in axis[most]] for axis in (both.row, both.col))
    return pd.DataFrame({"category": a, "and": b, "items": 2 * both.data[most]})


def _distributions(result: Santini) -> list[PagePart | None]:
    """Given each category and mixed, (10) to (14)."""
    queries, measure = _queries(result), result.measure_at_k("P")
    frame = result.distributions(queries)
    frame = frame[frame["measure"] == measure].drop(columns="measure")
    frame["category"] = frame["category"].replace("", "all, mixed")
    frame, pairs = (
        each.rename(columns={"strong": "one truth", "p_strong": "p one truth"})
        for each in (frame, result.pairs())
    )
    return [
        parts_of.frame_table(
            frame, f"{measure} given each category that the query may have, and mixed"
        ),
        parts_of.frame_table(pairs, "Systems in the same worlds: means over queries"),
        parts_of.notes(
            "share: of the votes for that category of the query. lower, upper: the middle "
            f"{level_text(result.level)} of worlds. p one truth, p below: probability of the value "
            "by one truth, and of a smaller one.",
            "better, equal, worse: probability that system a is; mc error: the largest Monte Carlo "
            "standard error of these.",
        ),
    ]


def _cloud(result: Santini) -> list[PagePart | None]:
    """Precision and recall at every rank of a list."""
    query, system = _queries(result)[0], _best(result)
    figure = parts_of.report_figure(
        plots.precision_recall,
        result.cloud(system, query)._plot_data("precision_recall"),
        "cloud",
        "Points for precision and recall at each rank, darker where more probable, and their mean.",
    )
    order = "Items with equal scores stand in one random order." if result.n_decided else ""
    return [figure, parts_of.notes(order)]


def _best(result: Santini) -> str:
    return (result.best_two() or result.scores.systems)[0]


def _one_truth(result: Santini) -> list[PagePart | None]:
    """What one truth prints, and hides."""
    queries = list(result.scores.queries)
    shown = queries if len(queries) <= _STRONG else result._items["item"].head(_STRONG).tolist()
    shown = [query for query in shown if query in queries]
    figure = parts_of.report_figure(
        plots.strong_truth,
        result._plot_data("strong_truth", system=_best(result), queries=shown),
        "strong",
        "A row for each query: the central interval over worlds, its mean, and the one truth.",
    )
    rows = result.to_frame(full=True)
    gaps = rows[["system", "measure", "one_truth", "memberships", "query_gap", "query_std"]]
    weak = _worded(result.strong.to_frame().sort_values("share", kind="stable"))
    return [
        Sentences.of(*result._votes_lines[1:], kind="lead"),
        figure,
        parts_of.frame_table(gaps, "One truth beside memberships"),
        parts_of.frame_table(weak, "Items whose category has the smallest share", _FEW),
        parts_of.notes(
            "The figure shows the most disputed queries." if len(shown) < len(queries) else "",
            "query gap: mean over queries of the difference of one truth from the expected value. "
            "query std: standard deviation of a query's value over worlds, which one truth hides.",
        ),
    ]


def _structure(result: Santini) -> list[PagePart | None]:
    if result.structure is None:
        return []
    texts = parts_of.answer_texts(result.structure)
    tables = [part for part in result.structure._answer().parts if isinstance(part, Table)]
    return [*texts, *tables]


def _communities(result: Santini) -> list[PagePart | None]:
    if result.communities is None:
        return []
    figure = parts_of.report_figure(
        plots.agreement_matrix,
        result.communities._plot_data("agreement_matrix"),
        "communities",
        "A table of people by people, coloured by how far two agree; groups are framed.",
        on_paper=True,
    )
    return [*parts_of.answer_texts(result.communities), figure]


def _displacement(result: Santini) -> list[PagePart | None]:
    """Distance of systems' lists from people's own lists."""
    if result.displaced is None:
        return []
    means = parts_of.frame_table(result.displaced.mean().reset_index(), "Means over people's lists")
    if result.displaced_comparison is None:
        return [means]
    lines = result.displaced_comparison._verdict_lines(MOST_SENTENCES).lines
    section = parts_of.subjects_section(result.displaced, each_subject(result.displaced_comparison))
    return [Sentences(lines, "list"), means, *section.parts]


def _systems_compared(result: Santini) -> list[PagePart | None]:
    return [] if result.comparison is None else [*parts_of.pairs_section(result.comparison).parts]


def _santini_methods(result: Santini) -> Section:
    """A paragraph ready for a paper."""
    scores, conditions = result.scores, result.comparison and result.comparison.conditions
    n = counted(len(scores.queries), "query")
    own = "" if result.people is None else ", and by each person's own votes"
    said = [
        f"Each of {n} asks for items of its own kind (query by example). The membership of an item "
        "in a category is the share of its votes for the category or one below it (Santini); "
        f"{' and '.join(scores.measures)} were computed over worlds in which every item takes one "
        f"of its votes{own}.",
        {"expected": "Items with equal scores count as the mean over their orders."}.get(
            result.ties, ""
        ),
        *(exhibits.methods(conditions) if conditions else []),
    ]
    works = {'Santini, S. "Benchmarking without ground truth".'}
    works |= set(exhibits.references(conditions)) if conditions else set()
    if result.structure is not None:
        found = result.structure
        said.append(
            f"Structure of disagreement was tested by {found.n_permutations:,} permutations of "
            f"each item's votes over people, {found.n_scored:,} for scores (Westfall & Young, "
            f"1993), and what is beyond severity and majority by {counted(found.n_draws, 'draw')}."
        )
        works.add(
            "Westfall, P. H. & Young, S. S. (1993). Resampling-Based Multiple Testing. Wiley."
        )
    return parts_of.methods_section(said, works)


#: names, headings, and what makes the parts of sections; without parts they say what is lacking
_SECTIONS: tuple[tuple[str, str, Callable[[Santini], list[PagePart | None]]], ...] = (
    ("answer", "Answer", _verdict),
    ("schemes", "Average the people first, or last", _schemes),
    ("people", "Each person's own truth", _people),
    ("tree", "Categories, and what people disagree about", _tree),
    ("distributions", "Precision and recall as distributions", _distributions),
    ("cloud", "Precision and recall at every rank", _cloud),
    ("one-truth", "What one truth hides", _one_truth),
    ("structure", "Is disagreement structural?", _structure),
    ("communities", "Do people form communities?", _communities),
    ("displacement", "Weighted displacement", _displacement),
    ("pairs", "Pairs of systems", _systems_compared),
)


def santini_page(result: Santini, title: str | None, command: str = "") -> Page:
    """See `Santini.report`."""
    sections = [
        Section.of(name, heading, *(make(result) or [Sentences(left_out(result.reasons, name))]))
        for name, heading, make in _SECTIONS
    ]
    again = parts_of.rerun_section(result.scores, result.comparison, command)
    sections += [_santini_methods(result), again]
    heading = optional_text("title", title) or "Benchmarking without ground truth"
    return Page(heading, result._title(), tuple(sections), parts_of.footer())


# What figures of `santini` draw.


def schemes(found: Santini, measure: str, query: str | None = None) -> PlotData:
    """Distributions over worlds, and values by each person's own truth."""
    scores, own = found.scores, pd.DataFrame(columns=["system", "subject", "value"])
    if query is not None:
        place_of(scores.queries, query, "query")
    laws = {
        system: scores.mean_distribution(system, measure)
        if query is None
        else scores.distribution(system, query, measure)
        for system in scores.systems
    }
    atoms = pd.concat([law.to_frame().assign(system=s) for s, law in laws.items()])
    if found.people is not None and query is None:
        own = found.people.mean(by="subject")[measure].rename("value").reset_index()
    elif found.people is not None:
        rows = found.people.to_frame().query("measure == @measure and query == @query")
        own = rows[["system", "subject", "value"]].assign(
            subject=rows["subject"].map(_named(found.votes, str(query)))
        )
    of = f"query {query}" if query else f"mean over {counted(len(scores.queries), 'query')}"
    labels = {"value": measure if query else f"mean {measure}"}
    return PlotData(own, f"{measure}, {of}", beside=atoms, labels=labels)


def _named(votes: Assignments, query: str) -> dict[str, str]:
    """Each subject with the category that it gave the query."""
    frame = votes.to_frame().query("item == @query")
    said = frame.groupby("subject", sort=False)["category"].agg(" + ".join)
    names = votes.subject_names or ()
    return {who: f"{who}: {said[who]}" if who in said else who for who in names}


def strong_truth(
    found: Santini,
    measure: str,
    system: str | None = None,
    queries: Iterable[str] | str | None = None,
) -> PlotData:
    """What one truth prints for each query beside its distribution."""
    name = found.scores.systems[0] if system is None else system
    s, m = place_of(found.scores.systems, name, "system"), found.scores.measures.index(measure)
    rows = []
    for q in places_of(found.scores.queries, queries, "query"):
        query = found.scores.queries[q]
        law = found.scores.distribution(name, query, measure)
        strong = float(found.strong_scores.values[s, m, q])
        rows.append((query, strong, law.mean(), *law.interval(found.level)))
    frame = pd.DataFrame(rows, columns=["query", "strong", "mean", "lower", "upper"])
    n = counted(len(frame), "query")
    return PlotData(frame.assign(measure=measure), f"{measure} of {name}, {n}, over worlds")
