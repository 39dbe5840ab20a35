"""The page of `santini`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth import plots
from fuzzytruth._lazy import pd
from fuzzytruth.comparison import comparison_report as parts_of
from fuzzytruth.comparison.compare import compare
from fuzzytruth.core.validation import optional_text
from fuzzytruth.errors import counted
from fuzzytruth.show.answer import Sentences, Table
from fuzzytruth.show.page import Figure, Page, PagePart, Section

if TYPE_CHECKING:
    from fuzzytruth.analysis.santini_result import Santini

_FEW = 12  # rows of tables that go on
_QUERIES = 3  # whose distributions are shown
_RESAMPLES = 999  # of comparisons by single people
_STRONG = 60  # queries of a figure of what one truth hides


def santini_page(result: Santini, title: str | None) -> Page:
    """See `Santini.report`."""
    sections = [
        _verdict(result),
        _schemes(result),
        _people(result),
        _tree(result),
        _distributions(result),
        _cloud(result),
        _one_truth(result),
        _structure(result),
        _communities(result),
        _displacement(result),
        _pairs(result),
        _methods(result),
        parts_of.rerun_section(result.scores, result.comparison),
    ]
    heading = optional_text("title", title) or "Benchmarking without ground truth"
    return Page(heading, result._title(), tuple(sections), parts_of.footer())


def _verdict(result: Santini) -> Section:
    lines = Sentences.of("There is one system: nothing to compare.")
    meaning = None
    if result.comparison is not None:
        lines = Sentences(result.comparison._verdict_lines(parts_of.MOST_SENTENCES).lines, "list")
        meaning = parts_of.notes(*result.comparison.conditions.meaning())
    left = Sentences(result.left_out, "list")
    more = Sentences.of(*result.directions_lines(), result.ties_line())
    return Section.of("verdict", "Verdict", lines, more, meaning, left)


def _schemes(result: Santini) -> Section:
    """People averaged first, and last: all queries, and the one on which they part most."""
    parts: list[PagePart | None] = [result.means_table(), result.meaning()]
    for number, query in enumerate((None, *_queries(result)[:1])):
        data = result._plot_data("two_schemes", query=query)
        description = (
            "Above, for each system, bars of the distribution over worlds and an open mark at its "
            "mean. Below, a row for each person with a mark for each system by that person's own "
            "truth; last, the means over people."
        )
        figure = parts_of.report_figure(
            plots.two_schemes, data, "schemes", description, number=number
        )
        parts.insert(number, figure)
    return Section.of("schemes", "Average the people first, or last", *parts)


def _queries(result: Santini) -> list[str]:
    """Queries to show: those on which people part most, else the most disputed."""
    pair = result.best_two()
    found = [] if pair is None else result.parting(*pair)["query"].tolist()
    disputed = [item for item in result.items()["item"] if item in result.scores.queries]
    return list(dict.fromkeys([*found, *disputed, *result.scores.queries]))[:_QUERIES]


def _people(result: Santini) -> Section:
    name, heading = "people", "Each person's own truth"
    if result.people is None:
        return Section.of(name, heading, _left(result, "Left out: each person"))
    pair, parts = result.best_two(), []
    if result.comparison is not None and pair is not None:
        measure = result.measure_at_k("P")
        scores = result.people.select(measures=[measure])
        conditions = result.comparison.conditions
        quick: dict[str, Any] = {
            "over": conditions.over,
            "level": result.level,
            "n_resamples": _RESAMPLES,
        }
        comparison = compare(scores, **quick)
        parts = list(parts_of.subjects_section(comparison, scores).parts)
        table = result.parting(*pair).head(_FEW)
        n_a, n_b = (f"better: {each}" for each in pair)
        table = table.rename(columns={"n_a": n_a, "n_b": n_b})
        caption = f"Queries on which people part: {pair[0]} minus {pair[1]}"
        parts.append(parts_of.frame_table(table, caption))
    return Section.of(name, heading, Sentences.of(result.parting_line(), kind="lead"), *parts)


def _left(result: Santini, *starts: str) -> Sentences:
    """Why a section has nothing."""
    return Sentences.of(*(line for line in result.left_out if line.startswith(starts)))


def _tree(result: Santini) -> Section:
    """The taxonomy with expected sizes, and what people disagree about."""
    tree, categories = result.votes.taxonomy, result.categories()
    sizes = dict(zip(categories["category"], categories["size"], strict=True))
    data = plots.frames.PlotData(tree.to_frame(), "Expected number of items in each category")
    figure = parts_of.report_figure(
        partial(plots.tree, values=sizes),
        data,
        "tree",
        "The taxonomy from the root, a box for each category with its expected size.",
    )
    below = categories[categories["level"] > 0].sort_values("size", ascending=False, kind="stable")
    items = result.items().head(_FEW)
    return Section.of(
        "tree",
        "Categories, and what people disagree about",
        Sentences.of(result.votes_lines()[0], kind="lead"),
        figure,
        parts_of.frame_table(below, "Categories, by expected size"),
        parts_of.frame_table(items, "Most disputed items"),
        parts_of.frame_table(_confused(result), "Most often taken for each other"),
        parts_of.notes(
            "size: expected number of items, (9). strong size: items of that category by one "
            "truth. agreement: of a vote for it with another vote on the item."
        ),
    )


def _confused(result: Santini) -> pd.DataFrame:
    """Pairs of categories that two people give the same item, most often first."""
    frame = result.votes.to_frame()
    shares = pd.crosstab(frame["item"], frame["category"], normalize="index")
    both = shares.T.to_numpy() @ shares.to_numpy()
    a, b = np.triu_indices(len(both), 1)
    order = np.argsort(-both[a, b], kind="stable")[:_FEW]
    names = shares.columns.to_numpy()
    rows = {"category": names[a[order]], "and": names[b[order]], "items": both[a, b][order]}
    return pd.DataFrame(rows).query("items > 0")


def _distributions(result: Santini) -> Section:
    """Given each category and mixed, (10) to (14)."""
    queries, measure = _queries(result), result.measure_at_k("P")
    frame = result.distributions(queries)
    frame = frame[frame["measure"] == measure].drop(columns="measure")
    frame["category"] = frame["category"].replace("", "all, mixed")
    drawn = result.scores.uncertainty
    kind = "exact" if drawn is None or drawn.exact.all() else "simulated in part"
    pairs = result.pairs()
    return Section.of(
        "distributions",
        "Precision and recall as distributions",
        parts_of.frame_table(
            frame, f"{measure} given each category that the query may have, and mixed"
        ),
        parts_of.frame_table(pairs, "Systems in the same worlds: means over queries"),
        parts_of.notes(
            f"Values over independent worlds: {kind}. share: of the votes for that category of the "
            "query. strong: by one truth. p strong, p below: probability of that value, and of a "
            "smaller one. better, equal, worse: probability over worlds."
        ),
    )


def _cloud(result: Santini) -> Section:
    """Precision and recall at every rank of a list."""
    query, system = _queries(result)[0], (result.best_two() or result.scores.systems)[0]
    cloud = result.cloud(system, query)
    figure = parts_of.report_figure(
        plots.precision_recall,
        cloud._plot_data("precision_recall"),
        "cloud",
        "Points for precision and recall at each rank, darker where more probable, and their mean.",
    )
    order = "Items with equal scores stand in one random order." if result.n_decided else ""
    return Section.of("cloud", "At every rank", figure, parts_of.notes(order))


def _one_truth(result: Santini) -> Section:
    """What one truth prints, and hides."""
    queries = list(result.scores.queries)
    shown = queries if len(queries) <= _STRONG else result.items()["item"].head(_STRONG).tolist()
    shown = [query for query in shown if query in queries]
    data = result._plot_data("strong_truth", queries=shown)
    figure = parts_of.report_figure(
        plots.strong_truth,
        data,
        "strong",
        "A row for each query: the central interval over worlds, its mean, and the one truth.",
    )
    rows = result.to_frame(full=True)
    gaps = rows[["system", "measure", "one_truth", "memberships", "query_gap", "query_std"]]
    weak = result.strong.to_frame().sort_values("share", kind="stable").head(_FEW)
    return Section.of(
        "one-truth",
        "What one truth hides",
        Sentences.of(*result.votes_lines()[1:], kind="lead"),
        figure,
        parts_of.frame_table(gaps, "One truth beside memberships"),
        parts_of.frame_table(weak, "Items whose category has the smallest share"),
        parts_of.notes(
            "query gap: mean over queries of the difference of one truth from the expected value. "
            "query std: standard deviation of a query's value over worlds, which one truth hides."
        ),
    )


def _structure(result: Santini) -> Section:
    name, heading = "structure", "Structure of disagreement"
    if result.structure is None:
        return Section.of(name, heading, _left(result, "Left out: each person"))
    texts = parts_of.answer_texts(result.structure)
    tables = [part for part in result.structure._answer().parts if isinstance(part, Table)]
    return Section.of(name, heading, *texts, *tables)


def _communities(result: Santini) -> Section:
    name, heading = "communities", "Communities"
    if result.communities is None:
        return Section.of(name, heading, _left(result, "Left out: each", "Left out: communities"))
    figure = parts_of.report_figure(
        plots.agreement_matrix,
        result.communities._plot_data("agreement_matrix"),
        "communities",
        "A table of people by people, coloured by how far two agree; groups are framed.",
        on_paper=True,
    )
    return Section.of(name, heading, *parts_of.answer_texts(result.communities), figure)


def _displacement(result: Santini) -> Section:
    """Distance of systems' lists from people's own lists."""
    name, heading = "displacement", "Weighted displacement"
    if result.displaced is None:
        return Section.of(name, heading, _left(result, "Left out: weighted"))
    means = parts_of.frame_table(result.displaced.mean().reset_index(), "Means over people's lists")
    if result.displaced_comparison is None:
        return Section.of(name, heading, means)
    lines = result.displaced_comparison._verdict_lines(parts_of.MOST_SENTENCES).lines
    section = parts_of.subjects_section(result.displaced_comparison, result.displaced)
    return Section.of(name, heading, Sentences(lines, "list"), means, *section.parts)


def _pairs(result: Santini) -> Section:
    if result.comparison is None:
        return Section.of("pairs", "Pairs of systems")
    figures: list[Figure] = []
    for part in parts_of.figures_section(result.comparison).parts:
        figures += [part] if isinstance(part, Figure) else []
    section = parts_of.pairs_section(result.comparison)
    return Section.of("pairs", "Pairs of systems", *figures, *section.parts)


def _methods(result: Santini) -> Section:
    """A paragraph ready for a paper."""
    scores, conditions = result.scores, result.comparison and result.comparison.conditions
    n = counted(len(scores.queries), "query")
    said = [
        f"Each of {n} asks for items of its own kind (query by example). The membership of an item "
        "in a category is the share of its votes for the category or one below it (Santini); "
        f"{' and '.join(scores.measures)} were computed over worlds in which every item takes one "
        "of its votes, and by each person's own votes.",
        {"expected": "Items with equal scores count as the mean over their orders."}.get(
            result.ties, ""
        ),
        *(conditions.methods if conditions else []),
    ]
    works = set(conditions.references) if conditions else set()
    works.add('Santini, S. "Benchmarking without ground truth".')
    return parts_of.methods_section(said, works)
