"""The page of `crowd`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth import plots
from fuzzytruth._lazy import pd
from fuzzytruth.analysis.data_check import left_out
from fuzzytruth.comparison import comparison_report as parts_of
from fuzzytruth.core.validation import optional_text
from fuzzytruth.core.versions import installed_version
from fuzzytruth.errors import DataError
from fuzzytruth.show.answer import Result, Sentences, Table, without_methods
from fuzzytruth.show.number_text import percent_text
from fuzzytruth.show.page import Code, Figure, Page, PagePart, Section

if TYPE_CHECKING:
    from fuzzytruth.analysis.crowd_result import Crowd

_MOST_ROWS = 100  # of figures with a row a person, or an answer
_MOST_ITEMS, _MOST_ANSWERS = 30, 8


def _all(result: Result | None, *figures: Figure | None) -> list[PagePart | None]:
    """What `print` shows of a result, with its figures; nothing without it."""
    if result is None:
        return []
    parts = result._answer().parts
    first = next((n for n, part in enumerate(parts) if isinstance(part, Table)), len(parts))
    texts = iter(parts_of.answer_texts(result))
    shown = [part if isinstance(part, Table) else next(texts, None) for part in parts]
    return [*shown[:first], *figures, *shown[first:]]


def _drawn(
    result: Any, draw: Callable[..., Any], figure: str, name: str, description: str, **how: Any
) -> Figure | None:
    """A figure of a part; None where there is no part, or nothing to draw."""
    if result is None:
        return None
    try:
        return parts_of.report_figure(draw, result._plot_data(figure), name, description, **how)
    except DataError:
        return None


def _verdict(result: Crowd) -> list[PagePart | None]:
    texts = [part for part in without_methods(result).parts if isinstance(part, Sentences)]
    return [*texts, parts_of.notes("Names are pseudonyms." if result.pseudonyms else "")]


def _agreement(result: Crowd) -> list[PagePart | None]:
    found = result.agreement
    few = found is not None and len(found.ratings.names) <= _MOST_ROWS
    description = "A row for each answer, with its specific agreement and interval."
    return _all(found, _drawn(found, plots.means, "means", "answers", description) if few else None)


def _answers(result: Crowd) -> list[PagePart | None]:
    """Shares of each person's votes, those who give the first answer most often first."""
    table, names = result._counts, result.ratings.subjects
    kept = np.sort(np.argsort(-table.sum(axis=0), kind="stable")[:_MOST_ANSWERS])
    total = table.sum(axis=1)
    shares = table[:, kept] / np.maximum(total, 1e-12)[:, None]
    columns = {result.ratings.names[j]: map(percent_text, shares[:, n]) for n, j in enumerate(kept)}
    frame = pd.DataFrame({"person": list(names or ["all"]), "votes": total.round().astype(int)})
    each = pd.DataFrame(columns)
    both = pd.concat([frame, each], axis=1).iloc[np.argsort(-shares[:, 0], kind="stable")]
    return [parts_of.frame_table(both, "Shares of each person's votes, by answer")]


def _people(result: Crowd) -> list[PagePart | None]:
    found, table = result.reliability, result._people_table()
    n = result.ratings.n_subjects
    figure = None
    if n <= _MOST_ROWS:
        description = "A row for each person: how often this is the panel's answer, or severity."
        figure = _drawn(found, plots.means, "means", "people", description)
    texts = () if found is None else parts_of.answer_texts(found)
    description = "Points for bins of votes: their mean predicted probability, and their share."
    curve = _drawn(found, plots.reliability_curve, "reliability_curve", "curve", description)
    return [*texts[:2], figure, table, parts_of.notes(result._legend()), *texts[2:], curve]


def _pairs(result: Crowd) -> list[PagePart | None]:
    description = "A table of people by people, coloured by how far two agree."
    name = "agreement_matrix"
    figure = _drawn(result.pairs, plots.agreement_matrix, name, "pairs", description, on_paper=True)
    return _all(result.pairs, figure)


def _groups(result: Crowd) -> list[PagePart | None]:
    description = "The same, people in groups, which are framed."
    name, found = "agreement_matrix", result.communities
    return _all(
        found, _drawn(found, plots.agreement_matrix, name, "groups", description, on_paper=True)
    )


def _items(result: Crowd) -> list[PagePart | None]:
    if result.agreement is None:
        return []
    return [
        parts_of.frame_table(result.items(), "Those that divide people most first", _MOST_ITEMS),
        parts_of.notes(
            "agreement: share of pairs of votes that are equal. answer: the panel's, by the model, "
            "with its probability; share: of the votes for it."
        ),
    ]


def _size(result: Crowd) -> list[PagePart | None]:
    return [*_all(result.size), Sentences.of(result._consensus())]


#: names, headings, and what makes the parts of sections; without parts they say what is lacking
_SECTIONS: tuple[tuple[str, str, Callable[[Crowd], list[PagePart | None]]], ...] = (
    ("answer", "Answer", _verdict),
    ("agreement", "How far people agree", _agreement),
    ("answers", "Who gives which answer", _answers),
    ("structure", "Does it matter who votes?", lambda result: _all(result.structure)),
    ("groups", "Do people form groups?", _groups),
    ("people", "People and the panel's answer", _people),
    ("pairs", "Pairs of people", _pairs),
    ("items", "Items that divide people", _items),
    ("next", "What to ask next", lambda result: _all(result.next_votes)),
    ("size", "Size of the next study", _size),
)


def _methods(result: Crowd) -> Section:
    """A paragraph ready for a paper."""
    said, works = [], set()
    if result.agreement is not None:
        said.append(
            f"Agreement is Krippendorff's alpha with {result.agreement.metric} distances; its "
            "interval is by the jackknife."
        )
        works.add("Krippendorff, K. (2018). Content Analysis. Sage.")
    if result.reliability is not None:
        fit = result.reliability.fit
        chosen = ", chosen by votes held out in ten folds" if fit.scores is not None else ""
        said.append(
            f"Answers of the panel and reliabilities are by the model {fit.method}{chosen}, with a "
            f"prior of {fit.prior:g} votes a person."
        )
        works.add(
            "Dawid, A. P. & Skene, A. M. (1979). Maximum likelihood estimation of observer "
            "error-rates using the EM algorithm. Applied Statistics 28."
        )
    if result.structure is not None:
        n = result.structure.n_permutations
        said.append(f"Structure was tested by {n:,} permutations of each item's votes.")
    return parts_of.methods_section(said, works)


def crowd_page(result: Crowd, title: str | None, command: str = "") -> Page:
    """See `Crowd.report`."""
    sections = [
        Section.of(name, heading, *(make(result) or [Sentences(left_out(result.reasons, name))]))
        for name, heading, make in _SECTIONS
    ]
    settings = [("fuzzytruth", installed_version("fuzzytruth")), ("level", f"{result.level:g}")]
    if result.agreement is not None:
        settings.append(("metric of agreement", result.agreement.metric))
    if result.reliability is not None:
        settings.append(("model of votes", result.reliability.fit.method))
    again = Section.of(
        "rerun",
        "Compute it again",
        Code(command, "Command") if command else None,
        parts_of.pairs_table("Settings", ("setting", "value"), settings),
    )
    heading = optional_text("title", title) or "A crowd and its votes"
    return Page(heading, result._title(), (*sections, _methods(result), again), parts_of.footer())
