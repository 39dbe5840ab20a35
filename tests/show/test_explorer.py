"""Readers' choices on a page: tables, drawings and matrices have the numbers of `compare`."""

import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.watched import Watched

import fuzzytruth as ft
from fuzzytruth.comparison.verdicts import p_text

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.errors.FuzzytruthWarning")
K, SUBJECTS, N = 24, ("ann", "bob", "cyd"), 199
GROUPS = {"ann": "experts", "bob": "crowd", "cyd": "experts"}
BAD = "</script><b>ü"


def made() -> ft.Scores:
    """Systems that differ, people who disagree, and a measure by which lower is better."""
    rng = np.random.default_rng(5)
    shape = (K, 2, len(SUBJECTS), 20)
    level = np.linspace(0, 1, K)[:, None, None, None] + rng.normal(0, 0.3, (K, 1, 3, 1))
    values = level + rng.normal(0, 0.4, (1, 1, 1, 20)) + rng.normal(0, 0.3, shape)
    values[:, 1] = 30 - 10 * values[:, 1]
    system, measure, subject, query = (axis.ravel() for axis in np.indices(shape))
    names = np.array([f"sys{j}" for j in range(K - 1)] + [BAD], dtype=object)
    frame = pd.DataFrame(
        {
            "system": names[system],
            "measure": np.array(["AP", "cost"])[measure],
            "subject": np.array(SUBJECTS)[subject],
            "query": query,
            "value": values.ravel(),
        }
    )
    lost = (frame["system"] == "sys3") & (frame["query"] == 4)
    return ft.Scores.from_frame(frame[~lost], higher_is_better={"cost": False})


@pytest.fixture(scope="module")
def scores() -> ft.Scores:
    return made()


def compared(scores: ft.Scores, *baseline: str) -> ft.results.Comparison:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ft.errors.FuzzytruthWarning)
        return ft.compare(scores, *baseline, n_resamples=N)


@pytest.fixture(scope="module")
def page_file(scores: ft.Scores, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("explored")
    return compared(scores).report(folder / "page.html", groups=GROUPS)


@pytest.fixture
def tab(context: Any, page_file: Path) -> Iterator[Any]:
    with Watched.opened(context, page_file) as watched:
        watched.tab.set_viewport_size({"width": 1200, "height": 900})
        yield watched.tab


def choose(tab: Any, label: str, name: str) -> None:
    tab.get_by_label(label).select_option(label=name)


def table(tab: Any) -> pd.DataFrame:
    """Cells of the rows that are shown, by system."""
    rows = tab.locator(".forest tr[data-system]").evaluate_all(
        "all => all.map((row) => [...row.cells].map((cell) => cell.textContent.trim()))"
    )
    names = ["system", "drawn", "mean", "difference", "interval", "p", "tier", "ranks"]
    return pd.DataFrame(rows, columns=names[: len(rows[0])]).set_index("system")


def expected(result: ft.results.Comparison, measure: str, base: str, digits: int) -> pd.DataFrame:
    """The same cells, of a comparison."""
    rows = result.rows_of(measure)
    out: dict[str, list[str]] = {}
    means = result.means[measure]
    sets = result.tiers().query("measure == @measure").set_index("system")
    for sign, mine, other in ((1, "system_a", "system_b"), (-1, "system_b", "system_a")):
        for row in rows[rows[other] == base].to_dict("records"):
            lower, upper = sorted((sign * row["lower"], sign * row["upper"]))
            star = "*" if row["significant"] else ""
            out[row[mine]] = [
                f"{sign * row['difference']:+.{digits}f}{star}",
                f"[{lower:+.{digits}f}, {upper:+.{digits}f}]",
                p_text(row["p_adjusted"]),
            ]
    out[base] = ["baseline", "", ""]
    for name, cells in out.items():
        low, high = sets.loc[name, ["rank_lower", "rank_upper"]]
        ranks = str(low) if low == high else f"{low} to {high}"
        cells[:0] = [f"{means[name]:.{digits}f}"]
        cells += [str(sets.loc[name, "tier"]), ranks]
    columns = ["mean", "difference", "interval", "p", "tier", "ranks"]
    frame = pd.DataFrame.from_dict(out, orient="index", columns=columns).rename_axis("system")
    return frame.loc[list(sets.index)].replace(r"[+-](0\.0*)(\*?)$", r"+\1\2", regex=True)


def check(tab: Any, result: ft.results.Comparison, measure: str, base: str, digits: int) -> None:
    """All rows, in order; then the drawing, which is a map of the same numbers."""
    shown = table(tab)
    wanted = expected(result, measure, base, digits)
    pd.testing.assert_frame_equal(shown[list(wanted)], wanted)
    drawn = tab.locator(".forest tr[data-system]:not(.base) .drawn svg").evaluate_all(
        """all => all.map((svg) => [".dot", ".bar", ".bar", ".zero"].map((one, j) => parseFloat(
          svg.querySelector(one).getAttribute(["cx", "x1", "x2", "x1"][j]))))"""
    )
    numbers = [
        [float(x) for x in re.findall(r"[-+]\d+\.\d+", f"{row.difference} {row.interval}")] + [0.0]
        for row in wanted[wanted["difference"] != "baseline"].itertuples()
    ]
    x, y = np.array(numbers).ravel(), np.array(drawn).ravel()
    others = wanted.loc[wanted["difference"] != "baseline", "difference"]
    up, styles = result.conditions.better_up(measure), []
    for text in others:
        better = "better" if (float(text.rstrip("*")) > 0) == up else "worse"
        styles.append(better if text.endswith("*") else "unclear")
    looks = tab.locator(".forest tr[data-system]:not(.base) .dot").evaluate_all(
        "all => all.map((one) => one.getAttribute('class').replace('dot ', ''))"
    )
    assert looks == styles
    slope, start = np.polyfit(x, y, 1)
    assert np.abs(slope * x + start - y).max() < 1e-6
    assert (slope > 0, y.min() > 0, y.max() < 100) == (True, True, True)


WHOSE = {
    "everyone: 3 subjects": SUBJECTS,
    "experts: 2 subjects": ("ann", "cyd"),
    "crowd: 1 subject": ("bob",),
    "bob alone": ("bob",),
    "cyd alone": ("cyd",),
}


@pytest.mark.parametrize("whose", WHOSE)
def test_each_choice_shows_what_compare_gives(tab: Any, scores: ft.Scores, whose: str) -> None:
    tab.get_by_role("button", name="more systems").click()
    choose(tab, "Whose judgments", whose)
    of = scores if len(WHOSE[whose]) == 3 else scores.select(subjects=list(WHOSE[whose]))
    for measure, digits in (("AP", 3), ("cost", 2)):
        choose(tab, "Measure", measure)
        result = compared(of.select(measures=measure))
        best = result.tiers()["system"].iloc[0]
        for choice, base in (("the best system", best), ("sys11", "sys11"), (BAD, BAD)):
            choose(tab, "Baseline", choice)
            check(tab, result, measure, base, digits)
            caption = tab.locator(".forest caption").text_content().strip()
            assert caption.startswith(result.conditions.named(measure))
            assert caption.endswith(f": systems, and their differences from {base}")
        choose(tab, "Baseline", "the best system")


def test_all_subjects_are_those_of_the_static_table(
    context: Any, page_file: Path, scores: ft.Scores
) -> None:
    """Without a script the first choice is there, all of it, and nothing to choose."""
    html = page_file.read_text(encoding="utf-8")
    tab = context.new_page()
    tab.set_content(re.sub(r"<script.*?</script>", "", html, flags=re.DOTALL))
    assert tab.locator("select, .more").count() == 0
    assert tab.locator("figure svg.matrix").count() == 0
    rows = tab.locator(".forest tbody tr").evaluate_all(
        "all => all.map((row) => [...row.cells].map((cell) => cell.textContent.trim()))"
    )
    result = compared(scores.select(measures="AP"))
    wanted = expected(result, "AP", result.tiers()["system"].iloc[0], 3)
    shown = pd.DataFrame(rows).set_index(0).drop(columns=1).set_axis(wanted.columns, axis=1)
    shown.iloc[0, 1:4] = ["baseline", "", ""]  # where a dash is
    pd.testing.assert_frame_equal(shown.rename_axis("system"), wanted)
    places = tab.locator(".forest tbody .dot").evaluate_all(
        "all => all.map((one) => parseFloat(one.getAttribute('cx')))"
    )
    numbers = [float(text.rstrip("*")) for text in wanted["difference"][1:]]
    assert np.corrcoef(places, numbers)[0, 1] > 0.9999
    tab.close()


def test_of_many_systems_the_first_and_where_the_baseline_stands(tab: Any) -> None:
    order = [f"sys{j}" for j in range(K)]
    first = table(tab).index
    assert len(first) == 13  # twelve, and the last
    assert set(first) <= {*order, BAD}
    choose(tab, "Baseline", "sys8")
    shown = table(tab)
    at = list(shown.index).index("sys8")
    assert shown["difference"].iloc[at] == "baseline"
    assert len(shown) == 18  # with two on either side
    hidden = tab.locator(".more").all_text_contents()
    assert sum(int(re.findall(r"\d+", text)[0]) for text in hidden) == K - 18
    tab.locator(".more").first.focus()
    tab.keyboard.press("Enter")
    assert len(table(tab)) == K
    assert tab.locator(".more").count() == 0
    assert tab.evaluate("document.activeElement.tagName") == "TR"


def told(tab: Any) -> list[str]:
    return tab.locator(".tip:visible div").all_text_contents()


def test_numbers_by_pointer_and_by_keyboard(tab: Any, scores: ft.Scores) -> None:
    """A row says what it shows, and what each subject's judgments alone say."""
    result = compared(scores)
    base = result.tiers()["system"].iloc[0]
    row = tab.locator(".forest tr[data-system]").nth(4)
    name = row.locator("th").text_content()
    row.hover()
    by_pointer = told(tab)
    tab.mouse.move(0, 0)
    assert told(tab) == []
    tab.locator(".forest tr[data-system]").first.focus()
    for key in ("ArrowDown", "End", "Home", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown"):
        tab.keyboard.press(key)
    assert told(tab) == by_pointer
    cells = expected(compared(scores.select(measures="AP")), "AP", base, 3).loc[name]
    assert by_pointer[0] == f"{name}: {cells['mean']}, ranks {cells['ranks']}"
    assert f"{cells['difference']} {cells['interval']}" in by_pointer[2]
    alone = []
    for subject in SUBJECTS:
        rows = compared(scores.select(subjects=subject, measures="AP"))
        alone.append(f"{subject} {expected(rows, 'AP', base, 3).loc[name, 'difference']}")
    assert by_pointer[3] == f"alone: {', '.join(alone)}"
    tab.keyboard.press("Escape")
    assert told(tab) == []
    assert tab.locator("tr[tabindex='0']").count() == 1  # one stop of the tab key


def test_the_matrix_has_all_pairs(tab: Any, scores: ft.Scores) -> None:
    choose(tab, "Measure", "cost")
    result = compared(scores.select(measures="cost"))
    order = result.tiers()["system"].tolist()
    matrix = tab.locator("svg.matrix")
    box = matrix.bounding_box()
    matrix.focus()
    tab.keyboard.press("ArrowDown")
    for _ in range(4):
        tab.keyboard.press("ArrowRight")
    row, column = order[1], order[5]
    cells = expected(result, "cost", column, 2).loc[row]
    by_keyboard = told(tab)
    assert by_keyboard[0].startswith(f"{row}: {cells['mean']}")
    assert by_keyboard[1].startswith(f"{column}: ")
    assert f"{cells['difference']} {cells['interval']}" in by_keyboard[2]
    cursor = tab.locator(".cursor").bounding_box()
    tab.keyboard.press("Escape")
    tab.mouse.move(cursor["x"] + cursor["width"] / 2, cursor["y"] + cursor["height"] / 2)
    assert told(tab) == by_keyboard
    assert box["x"] < cursor["x"] < box["x"] + box["width"]
    # areas of cells, by what is found: by the difference's sign, and whether it is significant
    rows, size = result.table, cursor["width"] - 2  # with the line around it
    found = matrix.locator("path:not(.between)").evaluate_all(
        "all => all.map((one) => [one.getAttribute('class'), one.getAttribute('d')])"
    )
    counts = {"found": 0, "better": 0, "worse": 0}
    for look, path in found:
        for name in counts:
            counts[name] += (name in look.split()) * path.count("M")
    n = int((rows["difference"].round(2) != 0).sum())
    assert size > 0
    assert n > K * (K - 1) // 2 - 9
    assert counts == {"found": 2 * int(rows["significant"].sum()), "better": n, "worse": n}


@pytest.mark.parametrize("width", [320, 375, 1200])
def test_on_a_phone_nothing_is_wider_than_the_page(tab: Any, width: int) -> None:
    tab.set_viewport_size({"width": width, "height": 800})
    tab.locator(".more").click()
    choose(tab, "Whose judgments", "ann alone")
    tab.wait_for_timeout(50)
    assert tab.evaluate("document.documentElement.scrollWidth") == width
    inside = "e => e.scrollWidth <= e.clientWidth"
    assert tab.locator(".explorer .scroll").evaluate(inside)
    matrix = tab.locator("svg.matrix").bounding_box()
    assert 200 < matrix["width"] <= width
    shown = [one.is_visible() for one in tab.locator(".forest thead th").all()]
    assert sum(shown) == (3 if width < 640 else 8)
    tab.locator(".forest tr[data-system]").nth(3).click()
    tip = tab.locator(".tip").bounding_box()
    assert 0 <= tip["x"] <= tip["x"] + tip["width"] <= width


def luminance(colour: str) -> float:
    parts = [int(x) / 255 for x in re.findall(r"\d+", colour)[:3]]
    linear = [c / 12.92 if c <= 0.04 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return float(np.dot([0.2126, 0.7152, 0.0722], linear))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_marks_stand_out(tab: Any, scheme: str) -> None:
    """By a contrast of three to one, as graphics must (WCAG 2)."""
    tab.emulate_media(color_scheme=scheme)
    choose(tab, "Baseline", "sys12")
    for look in ("better", "worse", "unclear"):
        bar, ground = tab.locator(f".bar.{look}").first.evaluate(
            "e => [getComputedStyle(e).stroke, getComputedStyle(document.body).backgroundColor]"
        )
        low, high = sorted(map(luminance, (bar, ground)))
        assert (high + 0.05) / (low + 0.05) > 3, (look, bar)


def test_print_has_what_is_chosen_and_no_controls(tab: Any, scores: ft.Scores) -> None:
    choose(tab, "Whose judgments", "bob alone")
    said = tab.locator(".claim").text_content()
    alone = compared(scores.select(subjects="bob", measures="AP"))
    best = alone.tiers().query("among_best")["system"]
    assert said == f"By bob's judgments alone, {' and '.join(best)} tie for best on AP."
    n = int(tab.locator(".gap").text_content().split()[1])  # "Show 11 more systems"
    tab.emulate_media(media="print")
    tab.set_viewport_size({"width": 672, "height": 950})
    tab.wait_for_timeout(50)
    caption = tab.locator(".forest caption")
    assert caption.inner_text().startswith("AP by bob's judgments alone: systems, and their")
    assert tab.locator(".gap").inner_text().strip() == f"{n} systems not shown here"
    assert len(table(tab)) + n == K
    hidden = tab.locator("select, .choices, .more, .tip")
    assert hidden.count() > 4
    assert not any(one.is_visible() for one in hidden.all())
    assert tab.locator(".claim").is_visible()
    assert "one subject's judgments" in tab.locator(".what").text_content()
    assert tab.evaluate("document.documentElement.scrollWidth") == 672
    figure = tab.locator("svg.matrix").bounding_box()
    assert figure["x"] + figure["width"] <= 672


def test_claims_say_whose_judgments_tell(tab: Any, scores: ft.Scores) -> None:
    """And begin as sentences do, unless a system's name is first."""
    claim, caption = tab.locator(".claim"), tab.locator(".forest caption")
    assert not claim.is_visible()
    choose(tab, "Measure", "cost")
    best = compared(scores.select(measures="cost")).tiers().query("among_best")["system"]
    tied = f"{', '.join(best[:-1])} and {best.iloc[-1]}"
    assert claim.inner_text() == f"{tied} tie for best on cost."
    cost = "cost (lower is better)"
    assert caption.inner_text().startswith(f"{cost}: systems, and their differences from ")
    choose(tab, "Whose judgments", "experts: 2 subjects")
    whose = "by the judgments of experts (2 subjects)"
    assert claim.inner_text().startswith(f"B{whose[1:]}, ")
    assert caption.inner_text().startswith(f"{cost} {whose}: systems, and their differences from ")
    heading = tab.locator("#answer h3").inner_text()
    assert heading == "How sure, by all 3 subjects' judgments"
    chart = tab.locator("#queries figcaption").inner_text()
    assert re.match(r"AP: sys\d+ − sys\d+ by all 3 subjects' judgments\. 20 queries: ", chart)


def test_printed_rows_that_are_folded_are_counted(tab: Any) -> None:
    """And names take one line each, as there is room for them."""
    tab.emulate_media(media="print")
    tab.set_viewport_size({"width": 672, "height": 950})
    assert tab.locator(".gap").inner_text().strip() == "11 systems not shown here: see Systems"
    named = tab.locator("#systems tbody tr")
    assert named.count() == K


NAME = "long run of one team "


@pytest.fixture
def named_tab(context: Any, tmp_path: Path) -> Iterator[Any]:
    """Three systems with names of several words, the smallest of whose differences are 0.005."""
    rng = np.random.default_rng(0)
    noise = rng.normal(0, 0.0001, (3, 2, 20)).cumsum(axis=0)
    values = np.array([0.5, 0.505, 0.515])[:, None, None] + noise
    system, subject, query = np.indices(values.shape).reshape(3, -1)
    names = np.array([f"{NAME}{letter}" for letter in "abc"], dtype=object)
    frame = pd.DataFrame({"system": names[system], "query": query, "value": values.ravel()})
    frame = frame.assign(measure="AP", subject=np.array(["ann", "bob"])[subject])
    result = compared(ft.Scores.from_frame(frame))
    with Watched.opened(context, result.report(tmp_path / "named.html")) as watched:
        yield watched.tab


def test_cells_of_the_matrix_have_two_significant_digits(named_tab: Any) -> None:
    """No more than the table has, of which they are the differences."""
    named_tab.set_viewport_size({"width": 1200, "height": 900})
    texts = named_tab.locator("svg.matrix text").all_text_contents()
    cells = [text for text in texts if text[0] in "+-"]
    assert sorted(text.strip("*") for text in cells) == [
        *("+.005", "+.010", "+.015"),
        *("-.005", "-.010", "-.015"),
    ]


def test_printed_names_stay_on_a_line(named_tab: Any) -> None:
    named_tab.emulate_media(media="print")
    named_tab.set_viewport_size({"width": 672, "height": 950})
    lines = named_tab.locator(".forest tbody th span").evaluate_all(
        "all => all.map((e) => e.offsetHeight / parseFloat(getComputedStyle(e).lineHeight))"
    )
    assert len(lines) == 3
    assert max(lines) < 1.5
    assert named_tab.evaluate("document.documentElement.scrollWidth") == 672
    assert named_tab.locator("#answer h3").inner_text() == "How sure, by both subjects' judgments"


def test_a_tap_shows_what_a_phone_has_no_room_for(tab: Any) -> None:
    before = "e => getComputedStyle(e, '::before').content"
    note = tab.locator(".what")
    assert note.evaluate(before) == "none"
    tab.set_viewport_size({"width": 375, "height": 800})
    assert note.evaluate(before).strip('"') == "Tap a row for its mean, interval and p. "
    assert note.inner_text().startswith("Brackets: ")
    tab.locator(".forest tr[data-system]").nth(2).click()
    assert re.search(r" \[[-+.\d]+, [-+.\d]+\], adjusted p", told(tab)[2])


def test_overflow_of_a_padding_is_no_reason_to_scroll(tab: Any) -> None:
    box = tab.locator(".explorer .scroll")
    for more, is_told in ((6, False), (30, True)):
        box.evaluate(f"e => e.firstElementChild.style.width = e.clientWidth + {more} + 'px'")
        tab.evaluate("dispatchEvent(new Event('resize'))")
        assert box.evaluate("e => e.scrollWidth - e.clientWidth") == more
        assert ("sideways" in box.get_attribute("class")) == is_told
        assert box.get_attribute("tabindex") == "0"


def test_baselines_that_were_compared_can_be_chosen_and_no_others(
    context: Any, scores: ft.Scores, tmp_path: Path
) -> None:
    result = compared(scores.select(subjects="ann"), "sys3")
    path = result.report(tmp_path / "one.html")
    with Watched.opened(context, path) as watched:
        assert watched.tab.locator("label").all_text_contents() == ["Measure"]
        assert watched.tab.locator("svg.matrix").count() == 0
        shown = table(watched.tab)
        assert [*shown.columns] == ["drawn", "mean", "difference", "interval", "p"]
        rows = result.rows_of("AP").set_index("system_a")
        for name, row in shown[shown["difference"] != "baseline"].iterrows():
            star = "*" if rows.loc[name, "significant"] else ""
            assert row["difference"] == f"{rows.loc[name, 'difference']:+.3f}{star}"
    two = ft.compare(scores, ["sys3", "sys7"], n_resamples=N)
    with Watched.opened(context, two.report(tmp_path / "two.html")) as watched:
        options = watched.tab.get_by_label("Baseline").locator("option")
        assert options.all_text_contents() == ["sys3", "sys7"]


def test_of_one_sided_comparisons_the_other_direction_has_no_p(
    context: Any, scores: ft.Scores, tmp_path: Path
) -> None:
    """Each system is asked to be better than those after it."""
    some = scores.select(measures="AP", systems=["sys3", "sys7", "sys12"])
    one = ft.compare(some, alternative="greater", n_resamples=N)
    of = one.table.set_index(["system_a", "system_b"])
    with Watched.opened(context, one.report(tmp_path / "one.html")) as watched:
        choose(watched.tab, "Baseline", "sys7")
        shown = table(watched.tab)
    first, last = of.loc[("sys3", "sys7")], of.loc[("sys7", "sys12")]
    star = "*" if first["significant"] else ""
    assert shown.loc["sys3", "difference"] == f"{first['difference']:+.3f}{star}"
    assert shown.loc["sys3", "p"] == p_text(first["p_adjusted"])
    assert shown.loc["sys12", "difference"] == f"{-last['difference']:+.3f}"
    assert shown.loc["sys12", "p"] == "–"


def test_each_subjects_marks_are_inside_the_drawing(tab: Any) -> None:
    """Their axis holds them, though single subjects differ more than the mean does."""
    marks = tab.locator(".forest circle.one").evaluate_all(
        "all => all.map((one) => parseFloat(one.getAttribute('cx')))"
    )
    assert len(marks) > 3 * 10
    assert 0 <= min(marks) < max(marks) <= 100


def test_size_of_a_page_of_63_systems(tmp_path: Path) -> None:
    """With 53 queries, three measures and six people, each of whom can be chosen."""
    rng = np.random.default_rng(0)
    shape = (63, 3, 6, 53)
    values = rng.normal(0, 0.1, shape) + np.linspace(0.2, 0.7, 63)[:, None, None, None]
    names = {"system": 63, "measure": 3, "subject": 6, "query": 53}
    index = np.indices(shape).reshape(4, -1)
    frame = pd.DataFrame(
        {name: np.char.add(name, row.astype(str)) for name, row in zip(names, index, strict=True)}
    )
    scores = ft.Scores.from_frame(frame.assign(value=np.clip(values, 0, 1).ravel()))
    path = ft.compare(scores, n_resamples=39).report(tmp_path / "page.html")
    html = path.read_text(encoding="utf-8")
    assert path.stat().st_size < 1.5e6
    assert "subject5 alone" in html
