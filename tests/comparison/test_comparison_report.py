"""`Comparison.report`: tables, figures and sections, whose numbers are those of the results."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.analysed import runs, truth
from support.scores_for_tests import dense, scores_of

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.comparison import comparison_report as report
from fuzzytruth.comparison.by_subject import each_subject
from fuzzytruth.errors import DataError, FuzzytruthError, OptionError
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show import answer
from fuzzytruth.show.answer import Sentences, Table
from fuzzytruth.show.page import Code, Explorer, Figure, Page, Section

RNG = np.random.default_rng(8)
VALUES = RNG.normal(0.5, 0.1, (4, 3, 9)) + np.array([0, 0.1, 0.2, 0.3])[:, None, None]


@pytest.fixture(scope="module")
def result() -> ft.results.Comparison:
    return ft.compare(scores_of(VALUES), n_resamples=199)


def tables(section: Section) -> list[Table]:
    return [part for part in section.parts if isinstance(part, Table)]


def cells_of(table: Table) -> dict[str, tuple[str, ...]]:
    return {column.heading: column.cells for column in table.columns}


def numbers(table: Table) -> np.ndarray:
    """Of all columns but the first."""
    return np.array([[float(cell) for cell in one.cells] for one in table.columns[1:]])


def words(section: Section) -> str:
    return " ".join(" ".join(part.lines) for part in section.parts if isinstance(part, Sentences))


def letters(figure: Figure) -> list[str]:
    """Texts of a figure in the order in which they are drawn."""
    return re.findall(r"<text[^>]*>([^<]*)</text>", figure.svg)


def systems_in(figure: Figure) -> list[str]:
    return [text for text in letters(figure) if "sys" in text]


def description(figure: Figure) -> str:
    (found,) = re.findall(r"<desc[^>]*>(.*?)</desc>", figure.svg, re.DOTALL)
    return found


# The page.


def test_sections(result: ft.results.Comparison) -> None:
    page = report.comparison_page(result, "Mine")
    assert (page.title, page.summary) == ("Mine", result._answer().title)
    names = [section.name for section in page.sections if section.parts]
    wanted = ["answer", "systems", "pairs", "queries", "subjects", "methods", "rerun"]
    assert names == wanted
    plain = report.comparison_page(result, None)
    assert f"{plain.title}: {plain.summary}" == page.summary
    (means,) = tables(page.sections[1])
    cells = cells_of(means)
    order = list(cells["system"])
    values, beats = zip(*(cell.partition(" ")[::2] for cell in cells["m"]), strict=True)
    expected = result.means["m"][order].tolist()
    assert [*map(float, values)] == pytest.approx(expected, abs=5.1e-5)
    assert beats == tuple(result.superscripts()["m"][order])
    assert order == result.tiers()["system"].tolist()
    versions = f"fuzzytruth {ft.__version__}"
    assert versions in words(page.sections[5])
    assert f"numpy {np.__version__}" in words(page.sections[5])


def test_only_the_measures_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = scores_of(VALUES[:2, 0]).to_frame()
    scores = ft.Scores.from_frame(pd.concat([rows.assign(measure=f"m{j}") for j in range(6)]))
    chosen = ft.compare(scores, measures=[f"m{j}" for j in range(5)], n_resamples=99)
    page = report.comparison_page(chosen, None)
    captions = [table.title for section in page.sections for table in tables(section)]
    assert "m1 of each query" in captions
    assert "Differences of m4" in captions
    assert "m5 of each query" not in captions
    assert page.sections[0].parts[1].data["measures"] == [f"m{j}" for j in range(5)]
    monkeypatch.setattr(report, "MOST_PAIRS", 4)
    section = report.pairs_section(chosen)
    assert tables(section) == []
    assert words(section) == "5 differences with effect sizes: .to_frame(full=True)."


def test_queries(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = scores_of(VALUES)
    figure, table, _ = report.queries_section(scores).parts
    assert figure.table == table.title == "m of each query"
    wanted = dense(scores)[:, 0].mean(axis=1)  # (systems, queries)
    assert numbers(table) == pytest.approx(wanted, abs=5.1e-5)
    bold = np.array([one.bold for one in table.columns[1:]])
    assert (bold.argmax(axis=0) == wanted.argmax(axis=0)).all()
    assert table.columns[0].cells == scores.queries
    (table,) = tables(report.queries_section(scores_of([[0.0, 0.5], [0.0, 0.25]])))
    assert [one.bold for one in table.columns[1:]] == [(False, True), (False, False)]
    monkeypatch.setattr(report, "MOST_CELLS", 20)
    section = report.queries_section(scores)
    assert tables(section) == []
    assert words(section).startswith("36 values of 9 queries are too many for a page;")


def test_subjects(result: ft.results.Comparison) -> None:
    each = result.by_subject()
    section = report.subjects_section(result.scores, each)
    (means,) = tables(section)
    assert numbers(means) == pytest.approx(VALUES.mean(axis=2), abs=5.1e-5)
    assert each.alone_line("m") in words(section)
    crowd = ft.compare(scores_of(RNG.normal(0.5, 0.1, (2, 51, 3))), n_resamples=99)
    text = words(report.subjects_section(crowd.scores, None))
    assert text == "51 subjects are too many to show each of them."
    crisp = ft.compare(scores_of(VALUES[:, 0]), n_resamples=99)
    assert each_subject(crisp) is None
    assert report.subjects_section(crisp.scores, None).parts == ()


# Figures.


def test_nothing_is_called_significant_over_worlds_alone() -> None:
    scores = ft.evaluate(truth(), runs(), "AP", worlds="independent", n_worlds=999, rng=0)
    page = report.comparison_page(ft.compare(scores, over="world"), None)
    found = page.sections[0]
    assert isinstance(found.parts[1], Explorer)
    assert "significant" not in f"{words(found)}{found.parts[1].json}"


def test_the_best_two_query_by_query() -> None:
    scores = scores_of(VALUES)
    figure = report.best_two_figure(scores, "T")
    assert figure is not None
    means = dense(scores)[:, 0].mean(axis=1)  # (systems, queries)
    first, second = np.argsort(-means.mean(axis=1))[:2]
    gap = means[first] - means[second]
    order = [scores.queries[j] for j in np.argsort(-gap)]
    assert [text for text in letters(figure) if text in scores.queries] == order
    told = f"better on {(gap > 0).sum()}, worse on {(gap < 0).sum()} of 9"
    assert told in description(figure)
    n = len(scores.subjects or ())
    title = f"m: {scores.systems[first]} − {scores.systems[second]} by all {n} subjects' judgments."
    assert figure.title.startswith(title)
    assert "range over" in " ".join(letters(figure))
    for values in (VALUES[:1], VALUES[:, :, :1]):  # a single system, or query
        assert report.best_two_figure(scores_of(values), "T") is None


def drawing(width: float, **options: Any) -> Figure:
    import matplotlib.pyplot as plt

    def draw(data: Any, ax: Any = None, **more: Any) -> Any:
        ax = plt.subplots(figsize=(width, 2))[1] if ax is None else ax
        return plots.distribution(data, ax, **more)

    frame = pd.DataFrame({"value": [0, 1], "probability": [0.5, 0.5]})
    data = PlotData(frame, "P@1: a coin\nlines: one each")
    return report.report_figure(draw, data, name="n", description="Two lines.", **options)


@pytest.mark.parametrize(("width", "has_narrow"), [(3.4, False), (6.4, True), (9, False)])
def test_captions_and_drawings_for_phones(width: float, has_narrow: bool) -> None:
    figure = drawing(width, table="T")
    assert (figure.title, figure.table) == ("P@1: a coin. Lines: one each.", "T")
    assert ">P@1: a coin. Lines: one each.</title>" in figure.svg
    assert ">Two lines.</desc>" in figure.svg
    assert figure.svg.count("P@1: a coin") == 1  # it is not drawn, too
    assert bool(figure.narrow) == has_narrow
    assert figure.svg.count('id="n-title"') == 1
    assert figure.narrow.count('id="n-narrow-title"') == has_narrow


# Tables, files, and what it takes to compute a report again.


def test_tables_of_results_and_of_frames(result: ft.results.Comparison) -> None:
    columns = (
        answer.Column.label("", "ab"),
        answer.Column.label("system", ["x", "y"]),
        answer.Column("mean", ("0.1", "0.2"), bold=(False, True)),
    )
    table = report.report_table(Table(columns, "not this", "What d_z is."), "Means")
    found = [(one.heading, one.kind) for one in table.columns]
    assert found == [("system", "label"), ("letter", "label"), ("mean", "number")]
    assert (table.columns[2].bold, table.title) == ((False, True), "Means")
    assert table.extras == "What d_z is."
    frame = pd.DataFrame({"name": ["a", "b"], "n_items": [1200, 3], "value": [0.12345, None]})
    table = report.frame_table(frame, "Frame")
    expected = {"name": ("a", "b"), "n items": ("1,200", "3"), "value": ("0.123", "–")}
    assert cells_of(table) == expected
    assert [one.kind for one in table.columns] == ["label", "number", "number"]
    texts = report.answer_texts(result)
    assert [text.kind for text in texts][:2] == ["paragraph", "note"]
    assert not any(line.startswith("More: ") for text in texts for line in text.lines)


def test_paths(tmp_path: Path) -> None:
    page = Page("t\udcff", "", (), "f")
    path = tmp_path / "a.html"
    assert report.write_page(lambda: page, str(path)) == path
    assert r"<h1>t\udcff</h1>" in path.read_text(encoding="utf-8")
    with pytest.raises(OptionError, match="title=3: must be a text"):
        report.write_page(lambda: Page(3, "", (), "f"), path)

    def make() -> Page:
        raise AssertionError("made before the path was checked")

    for wrong, message in (
        (3, "path=3: must be the path of a file"),
        (tmp_path / "report.pdf", r"report\.pdf: a report is a page; name the file \.html"),
        (tmp_path, "is a directory"),
        (tmp_path / "none" / "a.html", "none"),
        ("", "path"),
    ):
        with pytest.raises(FuzzytruthError, match=message):
            report.write_page(make, wrong)
    assert list(tmp_path.iterdir()) == [path]


def settings(
    scores: ft.Scores, comparison: ft.results.Comparison | None
) -> dict[str, dict[str, str]]:
    parts = tables(report.rerun_section(scores, comparison))
    return {one.title: dict(zip(*(c.cells for c in one.columns), strict=True)) for one in parts}


def test_settings_and_checksums() -> None:
    scores = ft.evaluate(truth(), runs(), ["AP"], worlds="independent", n_worlds=20, rng=3)
    options: Any = {"n_resamples": 99, "rng": 5, "level": 0.9}
    found = settings(scores, ft.compare(scores, "good", over="query", **options))
    entropy = ft.stats.Resampling(99, rng=5).entropy
    expected = {
        "fuzzytruth": ft.__version__,
        "level": "0.9",
        "resamples": "99",
        "worlds": "independent",
        "n_worlds": "20",
        "measures": "AP",
        "baseline": "good",
        "seed of the worlds": " ".join(map(str, scores.provenance.seed)),
        "seed of the resamples": " ".join(map(str, entropy)),
    }
    assert {name: found["Settings"][name] for name in expected} == expected
    wanted = {f"run of {name}": checksum for name, checksum in scores.provenance.runs}
    assert found["Data"] == {"ground truth": scores.provenance.truth, **wanted}
    assert set(settings(scores_of([[0.1, 0.2]]), None)) == {"Settings"}  # from elsewhere


def test_checksums_of_files(tmp_path: Path) -> None:
    (tmp_path / "empty.csv").write_bytes(b"")
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert report.checksums([tmp_path / "empty.csv"]) == [("empty.csv", empty)]
    assert report.checksums(str(tmp_path / "*.csv")) == [("empty.csv", empty)]
    with pytest.raises(OptionError, match="path=3: must be the path of a file"):
        report.checksums(3)
    with pytest.raises(DataError, match=r"none\.csv: cannot be read \(No such file"):
        report.checksums([tmp_path / "none.csv"])
    section = report.rerun_section(scores_of([[0.1]]), None, "make it", [("empty.csv", empty)])
    assert section.parts[0] == Code("make it", "Command")
    assert (empty,) in [table.columns[1].cells for table in tables(section)]
