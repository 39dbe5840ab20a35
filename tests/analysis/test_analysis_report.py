"""`Analysis.report`: what it says is what `print` says, and its figures have its numbers."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.analysed import analysis, runs, truth
from support.page_reader import PageReader

import fuzzytruth as ft
from fuzzytruth.analysis.analysis_report import analysis_page
from fuzzytruth.comparison.opening import opening
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show.answer import Sentences, Table
from fuzzytruth.show.page import Page

Drawn = dict[str, PlotData]


def page(result: ft.results.Analysis) -> Page:
    return analysis_page(result, None, "", ())


def tables_of(result: ft.results.Analysis) -> dict[str, dict[str, tuple[str, ...]]]:
    """Cells by heading of each table by its caption."""
    parts = [part for section in page(result).sections for part in section.parts]
    tables = [part for part in parts if isinstance(part, Table)]
    return {one.title: {column.heading: column.cells for column in one.columns} for one in tables}


def says(cells: tuple[str, ...], numbers: Any) -> bool:
    return [*map(float, cells)] == pytest.approx([*numbers], abs=5.1e-4)


def differences_from_print(result: ft.results.Analysis, path: Path) -> list[str]:
    """What a page says otherwise than `print`: its answer, notes, tables and what columns are."""
    page, printed = PageReader.of(path), result._answer()
    sentences = [part.lines for part in printed.parts if isinstance(part, Sentences)]
    tables = [part for part in printed.parts if isinstance(part, Table)]
    answer, data, said = ("There is one system: nothing to compare.",), sentences[0], ()
    if result.comparison is not None:
        answer, data, said = sentences[:3]
    legend = sentences[-2]
    found: tuple[str, ...] = ()
    if result.comparison is not None:
        found = result.comparison._verdict_lines(6).lines
    alone = [line for line in said if "by one subject's judgments alone" in line]
    pairs = {
        "answer": (page.entries("answer", "p")[0], answer[0]),
        "found": (page.entries("answer"), [*found]),
        "alone": (page.entries("subjects"), alone),
        "notes": (page.entries("data"), [line.removeprefix("- ") for line in data[1:]]),
        "legend": (
            [line for line in page.entries("systems", "p") if line in legend],
            [line for line in legend if not line.startswith("Shown: ")],
        ),
    }
    for measure, table in zip(result.scores.measures, tables, strict=False):
        shown = {
            heading.strip(): cells
            for heading, cells in page.columns(f"Systems by {measure}").items()
        }
        pairs[measure] = (
            sorted(shown.items()),
            sorted((one.heading or "letter", list(one.cells)) for one in table.columns),
        )
    return [name for name, (shown, wanted) in pairs.items() if shown != wanted]


def crisp() -> ft.results.Analysis:
    lists = {"x": {"q": {"a": 1.0, "b": 1.0}}, "y": {"q": {"a": 1.0, "b": 0.5}}}
    return ft.analyse({"q": {"a": 1}, "r": {"a": 1}}, lists, "AP", n_resamples=99)


MADE: dict[str, Any] = {
    "two measures": lambda: analysis("AP", "P@3", level=0.9),
    "baseline": lambda: analysis("AP", baseline="good"),
    "one system": lambda: ft.analyse(truth(), {"good": runs()["good"]}, "AP"),
    "population": lambda: ft.analyse(
        truth(), runs(), "AP", worlds="population", n_worlds=50, n_resamples=99
    ),
    "crisp": crisp,
}


@pytest.mark.parametrize("name", MADE)
@pytest.mark.usefixtures("drawn")
def test_it_says_what_print_says(name: str, tmp_path: Path) -> None:
    result = MADE[name]()
    path = result.report(tmp_path / "report.html")
    assert result._answer().title in path.read_text("utf-8")
    assert differences_from_print(result, path) == []
    cells = tables_of(result)["What was evaluated"]
    assert [*zip(cells["property"], cells["value"], strict=True)] == [*result.data.facts]


def test_sections_and_figures(drawn: Drawn) -> None:
    result = analysis("AP", "P@3")
    made = page(result)
    assert [section.name for section in made.sections if section.parts] == [
        *("answer", "systems", "pairs", "queries", "ranks", "subjects"),
        *("agreement", "data", "methods", "rerun"),
    ]
    lead, explorer, heading, found, notes = made.sections[0].parts
    assert lead.lines == (opening(result.comparison, result.by_subject, result.both),)
    assert explorer.data["measures"] == ["AP", "P@3"]
    assert heading.lines == ("How sure, by all 3 subjects' judgments",)
    assert "Systems tie for best if none is significantly better than any of them." in notes.lines
    assert found.lines == result.comparison._verdict_lines(6).lines
    assert {*drawn} == {"best-two", "agreement"}
    one = page(ft.analyse({"q": {"a": 1}, "r": {"a": 1}}, {"x": {"q": ["a"]}}, "AP"))
    names = [section.name for section in one.sections if section.parts]
    assert names == ["answer", "systems", "queries", "data", "methods", "rerun"]
    only = Sentences.of("There is one system: nothing to compare.", kind="lead")
    assert one.sections[0].parts == (only,)


def test_agreement_ranks_and_methods_are_those_of_the_results(drawn: Drawn) -> None:
    result = analysis("AP")
    tables = tables_of(result)
    pairs = ft.pairwise_agreement(truth())
    assert says(tables["Each two subjects"]["value"], pairs.to_frame()["value"])
    lowest = pairs.by_subject().sort_values("value").iloc[0]
    told = f"Lowest mean agreement with the others: {lowest['subject']}, {lowest['value']:.2f}."
    assert told in str(page(result))
    ranks = tables["Ranks by AP"]
    shares = result.stability.systems.set_index("system")["share_first"]
    assert says(ranks["share first"], shares[list(ranks["system"])])
    text = str(page(result))
    assert f"Kendall's tau_b {result.stability.agreement['tau_b'].iloc[0]:.2f} [" in text
    assert "Krippendorff's alpha (Krippendorff, 1970), and for each two of them as Cohen's" in text
    assert "Cohen, J. (1960)" in text
    assert "how often a system is first is the share of 199 resamples." in text


def test_grades_agree_by_their_order_and_near_duplicates_are_named(drawn: Drawn) -> None:
    """Five people, the second of whom copied all but one of the first's grades."""
    rng = np.random.default_rng(8)
    grades = rng.integers(0, 4, (200, 1)) + rng.integers(-1, 2, (200, 5))
    grades[:, 1] = grades[:, 0]
    grades[0, 1] += 3
    item, subject = (axis.ravel() for axis in np.indices(grades.shape))
    votes = ft.Judgments.from_columns(
        [f"q{j % 9}" for j in item],
        [f"item {j}" for j in item],
        np.maximum(grades, 0).ravel(),
        subject=[f"person {j}" for j in subject],
    )
    lists = {f"q{q}": [f"item {j}" for j in range(q, 200, 9)] for q in range(9)}
    both = {"x": lists, "y": {q: one[::-1] for q, one in lists.items()}}
    result = ft.analyse(votes, both, "P@3", n_resamples=99)
    pairs, of_all, tables = result.sources.pairs, result.sources.agreement, tables_of(result)
    found, cells = pairs.duplicates(), tables["Near-duplicates"]
    assert cells["subject"] == ("person 0", "person 1") == tuple(found["subject"])
    for heading, column in (("value", "value"), ("share equal", "percent"), ("cluster", "cluster")):
        assert says(cells[heading], found[column])
    assert (found["percent"] == 0.995).all()
    cells = tables["Each two subjects: weighted kappa, ordinal weights"]
    assert says(cells["value"], pairs.pairs["value"])
    assert "Mean with the others: weighted kappa, ordinal weights" in tables
    together = tables["All subjects together"]
    assert together["metric"] == ("ordinal",)
    assert says(together["value"], [of_all.value])
    title = drawn["agreement"].title
    assert title.startswith("Cohen's kappa (ordinal) of pairs of 5 subjects")
    text = str(page(result))
    for words in (
        "Krippendorff's ordinal alpha (Krippendorff, 1970)",
        "weighted kappa (Cohen, 1968) with ordinal weights (Gwet, 2014)",
        *("Cohen, J. (1968)", "Gwet, K. L. (2014)"),
    ):
        assert words in text
    assert "Cohen, J. (1960)" not in text


def test_ties_and_what_may_mislead(drawn: Drawn) -> None:
    result = crisp()
    (data,) = (section for section in page(result).sections if section.name == "data")
    assert data.parts[0] == Sentences(result.data.notes, "list")
    assert len(result.data.notes) > 1
    assert data.parts[-1].columns[1].cells == ("100.0 %", "0.0 %")
