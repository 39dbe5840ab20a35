"""`Analysis.report`."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.analysed import analysis, runs, truth
from support.page_reader import PageReader

import fuzzytruth as ft
from fuzzytruth.analysis import analysis_report
from fuzzytruth.analysis.analysis_report import analysis_page
from fuzzytruth.comparison import comparison_report as report_figures
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show.answer import Sentences, Table
from fuzzytruth.show.page import Figure, Page


def page(result: ft.Analysis, title: str | None = None) -> Page:
    return analysis_page(result, title, "", ())


def text_of(path: Path) -> str:
    html = re.sub(r"<(style|script|svg).*?</\1>", "", path.read_text("utf-8"), flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", html)))


MADE: dict[str, Callable[[], ft.Analysis]] = {
    "two measures": lambda: analysis("AP", "P@3"),
    "baseline": lambda: analysis("AP", baseline="good"),
    "four measures": lambda: analysis("AP", "P@3", "RR", "P@1", level=0.9),
    "one system": lambda: ft.analyse(truth(), {"good": runs()["good"]}, "AP"),
    "scores": lambda: ft.analyse(
        ft.evaluate(truth(), runs(), "AP", worlds="subject"), n_resamples=99
    ),
    "population": lambda: ft.analyse(
        truth(), runs(), "AP", worlds="population", rng=0, n_worlds=50
    ),
}


def differences_from_print(result: ft.Analysis, path: Path) -> list[str]:
    """What a page says otherwise than `print`: verdicts, notes, tables and what columns are."""
    page, printed = PageReader.of(path), result._answer()
    sentences = [part.lines for part in printed.parts if isinstance(part, Sentences)]
    tables = [part for part in printed.parts if isinstance(part, Table)]
    data, legend = sentences[0], sentences[-2]
    said = sentences[1] if result.comparison is not None else ()
    pairs = {
        "verdicts": (page.entries("verdicts"), [line.strip() for line in said]),
        "notes": (page.entries("data"), [line.removeprefix("- ") for line in data[1:]]),
        "legend": (
            [line for line in page.entries("systems", "p") if line in legend],
            [line for line in legend if not line.startswith("Shown: ")],
        ),
    }
    for measure, table in zip(result.scores.measures, tables, strict=False):
        columns = page.columns(f"Systems by {measure}")
        shown = {heading.strip(): cells for heading, cells in columns.items()}
        wanted = {one.heading or "letter": list(one.cells) for one in table.columns}
        pairs[measure] = (sorted(shown.items()), sorted(wanted.items()))
    return [name for name, (shown, wanted) in pairs.items() if shown != wanted]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer figures, whose words are those of the page."""
    monkeypatch.setattr(report_figures, "MOST_FIGURES", 1)


@pytest.mark.parametrize("name", MADE)
@pytest.mark.usefixtures("quick")
def test_it_says_what_print_says(name: str, tmp_path: Path) -> None:
    result = MADE[name]()
    path = result.report(tmp_path / "report.html")
    assert result._answer().title in text_of(path)
    assert differences_from_print(result, path) == []


@pytest.mark.usefixtures("quick")
def test_what_a_page_says_otherwise_is_noticed(tmp_path: Path) -> None:
    result = analysis("AP", "P@3")
    html = result.report(tmp_path / "report.html").read_text("utf-8")
    mean = result._answer().parts[2].columns[2].cells[0].split()[0]
    entry = re.search(r'<section id="verdicts".*?(<li>.*?</li>)', html, re.DOTALL)[1]
    row = re.search(r"<span>Systems by AP</span>.*?<tbody>\s*(<tr>.*?</tr>)", html, re.DOTALL)[1]
    assert "2 of 3 differences significant" in entry
    for old, new, what in (
        (row, row.replace(mean, f"{float(mean) + 0.001:.3f}"), "AP"),
        (row, "", "AP"),
        (entry, "", "verdicts"),
        (entry, entry.replace("2 of 3", "3 of 3"), "verdicts"),
        (entry, entry.replace("significant", ""), "verdicts"),
        (entry, entry + entry, "verdicts"),
    ):
        changed = html.replace(old, new)
        assert changed != html
        (tmp_path / "changed.html").write_text(changed, "utf-8")
        assert what in differences_from_print(result, tmp_path / "changed.html")


def test_sections_in_order() -> None:
    names = [section.name for section in page(analysis("AP")).sections if section.parts]
    assert names == [
        "verdicts",
        "differences",
        "systems",
        "pairs",
        "queries",
        "ranks",
        "subjects",
        "agreement",
        "data",
        "methods",
        "rerun",
    ]


def test_one_system_without_subjects() -> None:
    result = ft.analyse({"q": {"a": 1}, "r": {"a": 1}}, {"x": {"q": ["a"]}}, "AP")
    made = page(result)
    names = [section.name for section in made.sections if section.parts]
    assert names == ["verdicts", "systems", "queries", "data", "methods", "rerun"]
    assert made.sections[0].parts == (Sentences(("There is one system: nothing to compare.",)),)


def test_agreement_and_ranks_are_those_of_the_results() -> None:
    result = analysis("AP")
    tables = {p.title: p for s in page(result).sections for p in s.parts if isinstance(p, Table)}
    pairs = ft.pairwise_agreement(truth()).to_frame()
    cells = {one.heading: one.cells for one in tables["Each two subjects"].columns}
    assert [*map(float, cells["value"])] == pytest.approx(pairs["value"].tolist(), abs=5.1e-4)
    ranks = tables["Ranks by AP"]
    tau = result.stability.agreement["tau_b"].iloc[0]
    assert ranks.extras.startswith(f"Kendall's tau_b {tau:.2f} [")
    cells = {one.heading: one.cells for one in ranks.columns}
    shares = result.stability.systems.set_index("system")["share_first"][list(cells["system"])]
    assert [*map(float, cells["share first"])] == pytest.approx(shares.tolist(), abs=5.1e-4)


def test_figures_of_an_analysis_have_its_numbers() -> None:
    result = analysis("AP")
    parts = {s.name: s.parts for s in page(result).sections}
    figures = {name: [p for p in parts[name] if isinstance(p, Figure)] for name in parts}
    counts = {name: len(found) for name, found in figures.items() if found}
    assert counts == {
        "differences": 1, "systems": 2, "queries": 1, "ranks": 1, "subjects": 1, "agreement": 1,
    }  # fmt: skip
    means = result.to_frame().sort_values("mean", ascending=False)["system"].tolist()
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", figures["systems"][0].svg)
    assert [text for text in texts if text in means] == means
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", figures["agreement"][0].svg)
    shown = sorted({float(text) for text in texts if re.fullmatch(r"-?0\.\d\d", text)})
    for value in ft.pairwise_agreement(truth()).to_frame()["value"]:
        assert any(abs(value - one) < 0.0051 for one in shown)
    lowest = ft.pairwise_agreement(truth()).by_subject().sort_values("value").iloc[0]
    told = f"Lowest mean agreement with the others: {lowest['subject']}, {lowest['value']:.2f}."
    assert told in figures["agreement"][0].svg


def test_means_and_tiers_drawn_are_those_of_their_measure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    result, drawn = analysis("AP", "P@3"), {}

    def kept(draw: Any, data: PlotData, name: str, description: str, **told: Any) -> Figure:
        drawn[name, told.get("number")] = data.frame
        return Figure(data.title, "")

    monkeypatch.setattr(report_figures, "report_figure", kept)
    systems = analysis_report._systems(result)
    table = result.to_frame()
    for number, measure in enumerate(("AP", "P@3")):
        rows, wanted = drawn["means", number], table[table["measure"] == measure]
        columns = ["system", "mean", "lower", "upper"]
        shown = rows[columns].set_index("system").loc[[*wanted["system"]]]
        assert (shown == wanted[columns].set_index("system")).all(axis=None)
    titles = [part.title for part in systems.parts if isinstance(part, Figure)]
    assert [title.split(":")[0] for title in titles] == ["AP", "AP", "P@3", "P@3"]


def test_two_systems_have_no_figures_of_their_order() -> None:
    result = ft.analyse(truth(), {k: runs()[k] for k in ("good", "bad")}, "AP", n_resamples=99)
    drawn = {s.name: [p for p in s.parts if isinstance(p, Figure)] for s in page(result).sections}
    assert {name: len(found) for name, found in drawn.items() if found} == {
        "differences": 1, "systems": 1, "queries": 1, "subjects": 1, "agreement": 1,
    }  # fmt: skip


def graded() -> ft.Analysis:
    """Of five people who gave grades, the second copying all but one of the first's."""
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
    return ft.analyse(votes, {"x": lists, "y": {q: one[::-1] for q, one in lists.items()}}, "P@3")


def tables_of(result: ft.Analysis) -> dict[str, Any]:
    parts = (part for section in page(result).sections for part in section.parts)
    return {part.title: part for part in parts if isinstance(part, Table)}


def cells_of(table: Any) -> dict[str, tuple[str, ...]]:
    return {one.heading: one.cells for one in table.columns}


def test_near_duplicates_are_named() -> None:
    result = graded()
    found = result.sources.pairs.duplicates()
    cells = cells_of(tables_of(result)["Near-duplicates"])
    assert cells["subject"] == ("person 0", "person 1") == tuple(found["subject"])
    for heading, column in (("value", "value"), ("share equal", "percent"), ("cluster", "cluster")):
        assert [*map(float, cells[heading])] == pytest.approx(found[column].tolist(), abs=5.1e-4)
    assert (found["percent"] == 0.995).all()
    assert 0.9 < found["value"].iloc[0] < 0.994


def test_grades_agree_by_their_order() -> None:
    result = graded()
    pairs, of_all = result.sources.pairs, result.sources.agreement
    assert (pairs.metric, of_all.metric) == ("ordinal", "ordinal")
    tables = tables_of(result)
    cells = cells_of(tables["Each two subjects: weighted kappa, ordinal weights"])
    assert [*map(float, cells["value"])] == pytest.approx(pairs.pairs["value"].tolist(), abs=5.1e-4)
    assert "Mean with the others: weighted kappa, ordinal weights" in tables
    together = cells_of(tables["All subjects together"])
    assert together["metric"] == ("ordinal",)
    assert float(together["value"][0]) == pytest.approx(of_all.value, abs=5.1e-4)
    (agreement,) = (one for one in page(result).sections if one.name == "agreement")
    titles = [part.title for part in agreement.parts if isinstance(part, Figure)]
    assert titles[0].startswith("Cohen's kappa (ordinal) of pairs of 5 subjects")
    methods = " ".join(analysis_report._methods(result))
    assert "Krippendorff's ordinal alpha (Krippendorff, 1970)" in methods
    assert "weighted kappa (Cohen, 1968) with ordinal weights (Gwet, 2014)" in methods
    cited = " ".join(analysis_report._references(result))
    assert all(name in cited for name in ("Cohen, J. (1968)", "Gwet, K. L. (2014)"))
    assert "Cohen, J. (1960)" not in cited


def test_two_levels_agree_as_equal_or_not() -> None:
    result = analysis("AP")
    assert (result.sources.pairs.metric, result.sources.agreement.metric) == ("nominal", "nominal")
    methods = " ".join(analysis_report._methods(result))
    assert (
        "Krippendorff's alpha (Krippendorff, 1970), and for each two of them as Cohen's" in methods
    )
    assert "Cohen, J. (1960)" in " ".join(analysis_report._references(result))


@pytest.mark.parametrize("name", ["two measures", "scores", "population", "one system"])
def test_what_was_evaluated(name: str) -> None:
    result = MADE[name]()
    cells = cells_of(tables_of(result)["What was evaluated"])
    assert [*zip(cells["property"], cells["value"], strict=True)] == [*result.data.facts]
    assert cells["value"][:2] == (
        f"{len(result.scores.systems)} system" + "s" * (len(result.scores.systems) > 1),
        "12 queries",
    )


@pytest.mark.parametrize("n", [99, 1234])
def test_methods_have_the_number_of_resamples(n: int) -> None:
    result = ft.analyse(truth(), runs(), "AP", n_resamples=n)
    assert result.stability.n_draws == n
    ranks = [line for line in analysis_report._methods(result) if line.startswith("Ranks have")]
    assert len(ranks) == 1
    assert f"how often a system is first is the share of {n:,} resamples." in ranks[0]


def test_ties_and_what_may_mislead() -> None:
    lists = {"x": {"q": {"a": 1.0, "b": 1.0}}, "y": {"q": {"a": 1.0, "b": 0.5}}}
    result = ft.analyse({"q": {"a": 1}, "r": {"a": 1}}, lists, "AP", n_resamples=99)
    (data,) = (section for section in page(result).sections if section.name == "data")
    assert data.parts[0] == Sentences(result.data.notes, "list")
    assert len(result.data.notes) > 1
    assert data.parts[-1].columns[1].cells == ("100.0 %", "0.0 %")


def test_title_command_and_files(tmp_path: Path) -> None:
    (tmp_path / "votes.csv").write_text("x")
    path = analysis("AP").report(
        tmp_path / "r.html", title="<Mine>", command="make it", files=[tmp_path / "votes.csv"]
    )
    html = path.read_text("utf-8")
    assert "<h1>&lt;Mine&gt;</h1>" in html
    assert "<code>make it</code>" in html
    assert "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881" in html
    assert str(tmp_path) not in html


def test_the_same_analysis_gives_the_same_bytes(tmp_path: Path) -> None:
    one, two = (
        ft.analyse(truth(), runs(), "AP", n_resamples=99).report(tmp_path / f"{j}.html")
        for j in range(2)
    )
    assert one.read_bytes() == two.read_bytes()
