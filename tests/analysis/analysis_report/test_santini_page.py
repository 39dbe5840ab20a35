"""The page of `santini`: what it says, with and without people, and that it needs nothing else."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.page_reader import PageReader

import fuzzytruth as ft
from fuzzytruth.analysis.analysis_report import santini_page
from fuzzytruth.comparison import comparison_report
from fuzzytruth.comparison.opening import opening
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show.answer import Sentences, Table
from fuzzytruth.show.page import Figure, Page, Section

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.errors.UndefinedMeasureWarning")
FAST = {"k": 3, "n_worlds": 50, "n_resamples": 99, "n_permutations": 9}
COLUMNS = ["subject", "item", "category"]
HEADINGS = [
    "Answer",
    "Average the people first, or last",
    "Each person's own truth",
    "Categories, and what people disagree about",
    "Precision and recall as distributions",
    "Precision and recall at every rank",
    "What one truth hides",
    "Is disagreement structural?",
    "Do people form communities?",
    "Weighted displacement",
    "Pairs of systems",
    "Methods",
    "Compute it again",
]
Drawn = dict[str, PlotData]


def undrawn(result: ft.results.Santini) -> Page:
    """Its page, with figures left undrawn, for they take their time."""

    def keep(draw: Any, data: PlotData, name: str, description: str, **told: Any) -> Figure:
        return Figure(data.title, "<svg></svg>")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparison_report, "report_figure", keep)
        return santini_page(result, None)


def texts(part: Section) -> list[str]:
    return [line for one in part.parts if isinstance(one, Sentences) for line in one.lines]


def section(page: Page, name: str) -> Section:
    (found,) = (one for one in page.sections if one.name == name)
    return found


def tables(page: Page) -> dict[str, dict[str, tuple[str, ...]]]:
    """Cells by heading of each table by its caption."""
    parts = [part for one in page.sections for part in one.parts]
    return {
        part.title: {column.heading: column.cells for column in part.columns}
        for part in parts
        if isinstance(part, Table)
    }


def numbers(cells: tuple[str, ...]) -> list[float]:
    return [float(cell.replace(",", "")) for cell in cells]


@pytest.fixture(scope="module")
def made(votes: ft.Assignments, runs: ft.Runs) -> dict[str, tuple[ft.results.Santini, Page]]:
    """Kinds of votes and systems, by what they lack."""
    frame, lists = votes.to_frame()[COLUMNS], runs.to_frame()
    one = ft.Assignments.from_frame(frame[frame["subject"] == "s0"], taxonomy=votes.taxonomy)
    weight = np.arange(len(frame)) % 2 + 1.0
    weighted = ft.Assignments.from_frame(frame.assign(weight=weight), taxonomy=votes.taxonomy)
    results = {
        "nothing": ft.santini(votes, runs, **FAST),
        "names": ft.santini(unnamed(votes), runs, **FAST),
        "equal weights": ft.santini(weighted, runs, **FAST),
        "others": ft.santini(one, runs, **FAST),
        "pairs": ft.santini(votes, lists[lists["system"] == "x"], **FAST),
        "randomness": ft.santini(one, lists[lists["query"] == "i0"], **FAST),
    }
    return {name: (result, undrawn(result)) for name, result in results.items()}


def unnamed(votes: ft.Assignments) -> ft.Assignments:
    """Counts of the same votes."""
    counts = votes.to_frame()[["item", "category"]].value_counts().reset_index()
    return ft.Assignments.from_counts(counts, taxonomy=votes.taxonomy)


#: sections that say only why there is nothing, by what is lacking
BARE = {
    "nothing": {"communities", "displacement"},
    "names": {"people", "structure", "communities", "displacement"},
    "equal weights": {"structure", "communities", "displacement"},
    "others": {"people", "structure", "communities", "displacement"},
    "pairs": {"communities", "displacement", "pairs"},
    "randomness": {"people", "structure", "communities", "displacement", "pairs"},
}


def test_every_section_has_something_or_one_line_that_says_why_not(made) -> None:
    for lacking, (result, page) in made.items():
        assert [one.heading for one in page.sections] == HEADINGS
        assert all(one.parts for one in page.sections), lacking
        bare = {one.name: texts(one)[0] for one in page.sections if is_bare(one)}
        assert {*bare} == BARE[lacking], lacking
        assert {*bare.values()} <= {*result.left_out}
        told = [line for line in texts(page.sections[0]) if line.startswith("Left out: ")]
        assert told == [*result.left_out]


def is_bare(found: Section) -> bool:
    """Whether a section has a single line, that says why."""
    lines = texts(found)
    return len(found.parts) == 1 and len(lines) == 1 and lines[0].startswith("Left out: ")


def test_no_cell_and_no_sentence_has_a_nan(made) -> None:
    for _, page in made.values():
        cells = [c for table in tables(page).values() for column in table.values() for c in column]
        for text in [*cells, *(line for one in page.sections for line in texts(one))]:
            assert not re.search(r"\bnan\b|NaN|\binf\b|None|<NA>", text), text


def test_it_opens_without_the_network(found, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(comparison_report, "COLUMN_WIDTH", 99)  # none is drawn again for phones
    path = found.report(tmp_path / "santini.html", title="Pets & <farms>")
    html = path.read_text("utf-8")
    assert "<h1>Pets &amp; &lt;farms&gt;</h1>" in html
    assert not re.search(r'(?:src|href)="(?!#)', html)
    assert "http" not in re.sub(r'http-equiv|xmlns(?::xlink)?="[^"]*"', "", html)
    assert html.count("<figure") == 5
    read = PageReader.of(path)
    shown = [*found.comparison._verdict_lines(9).lines, *found.left_out]
    assert read.entries("answer") == shown
    lead = opening(found.comparison, found.comparison.by_subject())
    assert read.entries("answer", "p")[0] == lead
    with pytest.raises(ft.errors.OptionError, match=r"name the file \.html"):
        found.report(tmp_path / "santini.pdf")


def test_figures_are_of_the_result(found, drawn: Drawn) -> None:
    """All queries, and the one on which people part most; the best system."""
    santini_page(found, None)
    assert {*drawn} >= {"schemes-0", "schemes-1", "tree", "cloud", "strong"}
    first = found.parting(*found.best_two())["query"][0]
    for number, query in ((0, None), (1, first)):
        wanted = found._plot_data("two_schemes", query=query)
        assert drawn[f"schemes-{number}"].title == wanted.title
        pd.testing.assert_frame_equal(drawn[f"schemes-{number}"].frame, wanted.frame)
        pd.testing.assert_frame_equal(drawn[f"schemes-{number}"].beside, wanted.beside)
    best = found.best_two()[0]
    assert drawn["strong"].title == f"P@3 of {best}, 8 queries, over worlds"
    assert drawn["cloud"].title.startswith(f"{best}, query {first}, ranks 1 to 20")


def test_tables_are_those_of_the_result(found) -> None:
    shown = tables(undrawn(found))
    means = shown["P@3, R@3: means over 8 queries"]
    frame = found.to_frame(full=True).set_index(["system", "measure"])
    for j, key in enumerate(zip(means["system"], means["measure"], strict=True)):
        row = frame.loc[key]
        got = [float(means[name][j]) for name in ("one truth", "memberships", "own truths")]
        assert got == pytest.approx(row[["one_truth", "memberships", "people"]], abs=5.1e-4)
    parting = shown["x minus y on queries where own truths prefer different systems"]
    wanted = found.parting("x", "y")
    assert parting["query"] == tuple(wanted["query"])
    assert numbers(parting["better: x"]) == wanted["n_a"].tolist()
    assert numbers(parting["better: y"]) == wanted["n_b"].tolist()
    given = shown["P@3 given each category that the query may have, and mixed"]
    laws = found.distributions(list(dict.fromkeys(given["query"]))).query("measure == 'P@3'")
    assert [name.replace("all, mixed", "") for name in given["category"]] == [*laws["category"]]
    assert numbers(given["mean"]) == pytest.approx(laws["mean"], abs=5.1e-4)
    assert numbers(given["p one truth"]) == pytest.approx(laws["p_strong"], abs=5.1e-4)
    weak = shown["Items whose category has the smallest share"]
    assert numbers(weak["share"])[0] == found.items()["share"].min()


def test_categories_given_to_the_same_item(made, votes) -> None:
    """By hand, from every two votes of an item; counts weigh as their people do."""
    frame, expected = votes.to_frame(), {}
    for _, rows in frame.groupby("item"):
        share = rows["category"].value_counts(normalize=True)
        for a, b in np.transpose(np.triu_indices(len(share), 1)):
            key = frozenset((share.index[a], share.index[b]))
            expected[key] = expected.get(key, 0.0) + 2 * share.iloc[a] * share.iloc[b]
    for result in (made["nothing"], made["names"]):
        cells = tables(result[1])["Categories most often given to the same item"]
        pairs = map(frozenset, zip(cells["category"], cells["and"], strict=True))
        got = dict(zip(pairs, numbers(cells["items"]), strict=True))
        assert got == pytest.approx(expected, abs=5.1e-4)


def test_lists_fill_the_section_of_displacement(votes, runs) -> None:
    rows = [
        (query, who, item, grade)
        for query in ("i0", "i1", "i2")
        for who in ("s0", "s1")
        for item, grade in (("i3", 1.0), ("i4", 0.5))
    ]
    lists = pd.DataFrame(rows, columns=["query", "subject", "item", "grade"])
    with pytest.warns(ft.errors.UnjudgedQueryWarning, match="left out of x") as told:
        result = ft.santini(votes, runs, lists=lists, **FAST)
    assert len([w for w in told if w.category is ft.errors.UnjudgedQueryWarning]) == 1
    page = undrawn(result)
    assert texts(section(page, "displacement"))[: len(result.displaced.measures)] == [
        *result.displaced_comparison._verdict_lines(9).lines
    ]
    cells = tables(page)["Means over people's lists"]
    for name in result.displaced.measures:
        assert numbers(cells[name]) == pytest.approx(result.displaced.mean()[name], abs=5.1e-3)


def test_methods_say_what_was_done(made) -> None:
    said = {name: " ".join(texts(section(page, "methods"))) for name, (_, page) in made.items()}
    assert all(
        "Each of 8 queries asks for items of its own kind" in said[n] for n in ("nothing", "names")
    )
    own = "takes one of its votes, and by each person's own votes."
    assert [name for name, text in said.items() if own in text] == [
        "nothing",
        "equal weights",
        "pairs",
    ]
    assert all("mean over their orders" in text for text in said.values())
    tested = "Structure of disagreement was tested by 9 permutations of each item's votes"
    assert [name for name, text in said.items() if tested in text] == ["nothing", "pairs"]


def test_large_taxonomies_are_lists(votes, monkeypatch: pytest.MonkeyPatch) -> None:
    """More than forty categories have no room as boxes."""
    used: list[str] = []

    def keep(draw: Any, data: PlotData, name: str, description: str, **told: Any) -> Figure:
        used.append(getattr(draw, "func", draw).__name__)
        return Figure(data.title, "<svg></svg>")

    monkeypatch.setattr(comparison_report, "report_figure", keep)
    lists, frame = {"x": {"i0": ["i1", "i2", "i3"]}}, votes.to_frame()[COLUMNS]
    for n, name in ((30, "tree"), (60, "tree_bars")):
        below = {"a": ["pet", "farm", "dog", "cow"], "b": [f"c{j}" for j in range(n)]}
        santini_page(ft.santini(frame, lists, taxonomy={"all": [*"ab"]} | below, **FAST), None)
        assert [one for one in used if "tree" in one] == [name]
        used.clear()
