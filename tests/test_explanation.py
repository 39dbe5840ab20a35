"""Rates that pages quote are those of the validity study."""

import re
import runpy
from pathlib import Path

import numpy as np
import pytest
from validity.report import pages
from validity.study import saved

DOCS = Path(__file__).parent.parent / "docs"
TESTS = (DOCS / "explanation" / "choosing_a_test.md").read_text("utf-8")
COMPARING = " ".join((DOCS / "guide" / "comparing.md").read_text("utf-8").split())
VALIDITY = (DOCS / "evidence" / "validity.md").read_text("utf-8")
TABLES = "\n".join(pages(saved(DOCS.parent / "benchmarks" / "validity" / "results.jsonl")).values())


def rows(text: str, heading: str) -> list[list[str]]:
    """Cells of the tables below a heading, without Monte Carlo errors and bold face."""
    part = re.split(rf"^#+ {re.escape(heading)}$", text, flags=re.MULTILINE)[1]
    part = re.split(r"^##+ ", part, flags=re.MULTILINE)[0]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [[re.sub(r"\*| \(\d+\)", "", cell) for cell in row] for row in cells]


ERRORS = rows(TESTS, "Why the paired t test for two systems")[2:]
MISSES = rows(TESTS, "Why not a t test for each pair")[2:]


def test_type_i_errors_and_misses_are_the_simulated_ones() -> None:
    assert (len(ERRORS), len(MISSES)) == (4, 3)
    simulated = rows(TABLES, "Type I error")
    for case, *shown in ERRORS:
        assert [*case.split(", "), *shown] in simulated
    matrix = {tuple(cells[:4]): cells[4:] for cells in rows(TABLES, "Misses")}
    for systems, *shown in MISSES:
        default, bonferroni, _, _, percentile, *_ = matrix["TREC-5", "AP", systems, "25"]
        assert shown == [default, bonferroni, percentile]


def test_coverage_of_bootstrap_intervals_is_the_simulated_one() -> None:
    table = rows(TABLES, "Coverage of 95 % intervals of the difference")
    coverage = {tuple(row[:2]): row[2:] for row in table}
    t, percentile, _, bca, _ = coverage["AP", "25"]
    said = " ".join(TESTS.split())
    assert f"AP cover {percentile} and {bca} with 25 queries, where t covers {t}." in said


def test_errors_over_queries_alone_are_the_simulated_ones() -> None:
    table = rows(TABLES, "Families over queries and subjects")
    families = {tuple(row[:4]): row[4:] for row in table}
    default, _, alone, _ = families["complete", "1, 0.2, 1", "50", "5"]
    said = " ".join(TESTS.split())
    assert f"a difference is found in {alone} of the studies" in said
    assert f"over queries and subjects in {default}." in said


def test_errors_beside_a_loud_system_are_the_simulated_ones() -> None:
    table = rows(TABLES, "Few subjects: pairs that steady each other")
    worst = max(row[2] for row in table if row[1].startswith("loud"))
    assert f"is up to {worst} instead of .05" in COMPARING


def test_misses_of_near_copies_are_the_simulated_ones() -> None:
    misses = {tuple(row[:4]): row[4] for row in rows(TABLES, "Misses")}
    assert f"in {misses['TREC-5', 'RR', '20', '10']} of data sets of TREC-5" in COMPARING
    cells = {tuple(row[:4]): row[4:] for row in rows(TABLES, "Near copies")}
    default, own, *_ = cells["reciprocal ranks", "better", "100", "2"]
    assert f"they miss in {default}, and would in {own} if each" in COMPARING
    worst = max(row[0] for (sizes, *_), row in cells.items() if sizes == "one in ten large")
    assert f"intervals miss in up to {worst}." in COMPARING


def test_misses_of_real_systems_are_those_of_the_summary() -> None:
    (row,) = [line for line in VALIDITY.splitlines() if line.startswith("| real systems, any pair")]
    default, peer = re.findall(r"\| (\.\d\d) \(", row)
    said = " ".join(TESTS.split())
    assert f"wrong about at least one pair in {peer} of the studies on average" in said
    assert f"the simultaneous ones in {default}" in said


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
def test_the_picture_shows_the_numbers_of_its_page() -> None:
    import matplotlib.pyplot as plt

    folder = DOCS / "explanation"
    script = runpy.run_path(str(folder / "pictures" / "three_estimands.py"))
    figure, ax = plt.subplots()
    script["draw"](ax)
    intervals = [line.get_xdata() for line in ax.lines if len(line.get_xdata()) == 2][:-1]
    marks = [line for line in ax.lines if line.get_marker() == "D"]
    title = ax.get_title(loc="left")
    plt.close(figure)
    assert title == "nDCG@10: three of 10 differences of 5 systems\n25 queries, 6 subjects"
    page = (folder / "disagreement.md").read_text("utf-8")
    numbers = re.findall(r"^[AB ] +[A-E] +(-?[\d.]+) +(-?[\d.]+) +(-?[\d.]+) +[\d.]+$", page, re.M)
    shown = [[float(lower), float(upper)] for _, lower, upper in numbers]
    assert len(shown) == 6
    order = [shown[0], shown[3], shown[1], shown[4], shown[2], shown[5]]
    assert np.allclose(intervals, order, atol=6e-5)
    above = [sum(mark.get_xdata()[0] > 0 for mark in marks[n : n + 6]) for n in (0, 6, 12)]
    assert above == [int(n) for n in re.findall(r"above 0 by (\d) of 6", page)]
    filled = [sum(m.get_markerfacecolor() == "black" for m in marks[n : n + 6]) for n in (0, 6, 12)]
    said = re.findall(r"significant above 0 by (\d), below 0 by (\d)", page)
    assert filled == [int(up) + int(down) for up, down in said]
