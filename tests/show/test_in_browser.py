"""The page of an analysis in Chromium: what it shows, and what it lets readers do."""

import re
from itertools import pairwise
from typing import Any

import pytest

import fuzzytruth as ft

SCRIPT = "<script>alert(1)</script>"
#: contrast of text with what is behind it, by WCAG 2's formula; resolves transparent grounds
CONTRASTS = """() => {
  const channel = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const parts = (text) => text.match(/[\\d.]+/g).map(Number);
  const ground = (e) => {
    for (; e; e = e.parentElement) {
      const c = parts(getComputedStyle(e).backgroundColor);
      if (c.length < 4 || c[3] > 0) return c;
    }
    return [255, 255, 255];
  };
  const out = {};
  for (const e of document.body.querySelectorAll("*")) {
    const has = [...e.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
    if (!has || e.closest(".hidden, .skip, script, style, title, desc")) continue;
    const style = getComputedStyle(e), inSvg = e.matches("svg text, svg tspan");
    const text = inSvg ? style.fill : style.color;
    if (e.closest("svg.paper") && text === "rgb(255, 255, 255)") continue; // on a dark cell
    const behind = ground(e), share = style.opacity * (inSvg ? style.fillOpacity : 1);
    const seen = parts(text).slice(0, 3).map((v, j) => share * v + (1 - share) * behind[j]);
    const [a, b] = [light(seen), light(behind)].sort((x, y) => y - x);
    const name = e.tagName + "." + (e.getAttribute("class") || "");
    out[name] = Math.min(out[name] || 21, (a + 0.05) / (b + 0.05));
  }
  return out;
}"""

OPEN_ALL = "document.querySelectorAll('details').forEach((one) => (one.open = true))"
GROUND, WHITE = "getComputedStyle(document.body).backgroundColor", "rgb(255, 255, 255)"


def table(tab: Any, caption: str) -> Any:
    return tab.locator("table").filter(
        has=tab.locator("caption", has_text=re.compile(f"^{re.escape(caption)}$"))
    )


def column(tab: Any, caption: str, number: int) -> list[str]:
    cells = table(tab, caption).locator(f"tbody tr > :nth-child({number})")
    return [text.strip() for text in cells.all_text_contents()]


def numbers(texts: list[str]) -> list[float]:
    return [float(text.rstrip("*").split()[0]) for text in texts]


def test_sorts_by_click_and_by_keyboard(opened: Any) -> None:
    tab, caption = opened.tab, "Differences of AP"
    headings = table(tab, caption).locator("thead th")
    in_order = sorted(numbers(column(tab, caption, 3)))
    for key, place, order, values in (
        ("", 2, "ascending", in_order),
        ("Enter", 2, "descending", in_order[::-1]),
        ("Space", 0, "ascending", None),
    ):
        button = headings.nth(place).locator("button")
        if key:
            button.focus()
            tab.keyboard.press(key)
        else:
            button.click()
        assert headings.nth(place).get_attribute("aria-sort") == order
        assert values is None or numbers(column(tab, caption, 3)) == values
        said = tab.locator("#announcement").text_content()
        assert f", {order}" in said
        assert ("sorted by difference" in said) == (place == 2)
    assert headings.nth(2).get_attribute("aria-sort") is None


def test_numbers_are_those_of_the_result(opened: Any, analysis: ft.results.Analysis) -> None:
    tab, places = opened.tab, {"abs": 5.1e-5}
    for measure in ("AP", "P@3"):
        rows = analysis.comparison.to_frame(full=True).query("measure == @measure")
        one, other, difference, interval, p = (
            column(tab, f"Differences of {measure}", number) for number in range(1, 6)
        )
        assert [one, other] == [rows["system_a"].tolist(), rows["system_b"].tolist()]
        assert numbers(difference) == pytest.approx(rows["difference"].tolist(), **places)
        assert [text.endswith("*") for text in difference] == rows["significant"].tolist()
        ends = [float(end) for text in interval for end in text.strip("[]").split(", ")]
        assert ends == pytest.approx(rows[["lower", "upper"]].to_numpy().ravel(), **places)
        assert numbers(p) == pytest.approx(rows["p_adjusted"].tolist(), rel=0.051)
        means = analysis.to_frame().query("measure == @measure").set_index("system")["mean"]
        caption = f"Systems by {measure}"
        place = table(tab, caption).locator("thead th").all_text_contents().index("mean")
        wanted = means[column(tab, caption, 1)].tolist()
        assert numbers(column(tab, caption, 1 + place)) == pytest.approx(wanted, abs=5.1e-4)
        values = analysis.scores.select(measures=measure).to_frame()
        by_query = values.groupby(["system", "query"])["value"].mean()
        queries = column(tab, f"{measure} of each query", 1)
        for number, system in enumerate(analysis.scores.systems):
            shown = numbers(column(tab, f"{measure} of each query", 2 + number))
            assert shown == pytest.approx(by_query[system][queries].tolist(), **places)


def test_names_are_text(opened: Any) -> None:
    tab = opened.tab
    assert SCRIPT in column(tab, "Systems by AP", 1)
    assert "</td>" in column(tab, "AP of each query", 1)
    assert "<b>ann</b>" in column(tab, "AP by each subject's judgments", 1)
    assert SCRIPT in tab.locator("pre").first.text_content()
    drawn = tab.locator("svg text").all_text_contents()  # long names are cut in figures
    assert any(text.startswith(SCRIPT[:6]) for text in drawn)
    assert tab.locator("script:not([type='application/json'])").count() == 1
    assert tab.locator("img").count() == 0


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_nothing_is_wider_than_the_page_and_boxes_that_scroll_say_so(
    opened: Any, width: int
) -> None:
    """And can be focused; each figure is shown once, with letters that are legible."""
    tab = opened.tab
    tab.set_viewport_size({"width": width, "height": 800})
    tab.wait_for_timeout(50)
    boxes = tab.locator(".scroll:visible").evaluate_all(
        """all => all.map((e) => [e.scrollWidth - e.clientWidth, e.hasAttribute('tabindex'),
          getComputedStyle(e, '::before').content.includes('scroll')])"""
    )
    assert all((outside > 7) == told for outside, _, told in boxes)  # more than a cell's padding
    assert all(focusable for outside, focusable, _ in boxes if outside > 0)
    assert any(outside > 0 for outside, *_ in boxes) == (width < 1000)
    for figure in tab.locator("figure").all() if width > 320 else []:
        shown = [svg for svg in figure.locator("svg").all() if svg.is_visible()]
        assert len(shown) == 1
        scale = shown[0].evaluate("e => e.getBoundingClientRect().width / e.viewBox.baseVal.width")
        assert scale > 0.95  # pixels for a point; letters have 7 points
    tab.evaluate(OPEN_ALL)
    assert tab.evaluate("document.documentElement.scrollWidth") == width
    figures = tab.locator("figure .scroll").evaluate_all(
        "all => all.map((e) => [e.scrollWidth - e.clientWidth, e.clientWidth])"
    )
    assert len(figures) == 2
    assert all(more <= 0 < room for more, room in figures)


def test_the_tab_key_goes_through_the_page_in_order_and_shows_where(opened: Any) -> None:
    tab = opened.tab
    tab.set_viewport_size({"width": 390, "height": 800})
    tab.wait_for_timeout(50)
    wanted = tab.evaluate(
        """() => [...document.querySelectorAll("a, button, select, summary, [tabindex='0']")]
          .filter((e) => e.checkVisibility()).map((e, j) => (e.dataset.place = j))"""
    )
    places, hidden = [], []
    for _ in wanted:
        tab.keyboard.press("Tab")
        place, outline, inside = tab.evaluate(
            """() => {
              const e = document.activeElement, style = getComputedStyle(e);
              const box = e.getBoundingClientRect();
              return [Number(e.dataset.place), parseFloat(style.outlineWidth) * (style.outlineStyle
                !== "none"), box.bottom > 0 && box.top < innerHeight && box.left < innerWidth];
            }"""
        )
        places.append(place)
        if outline < 2 or not inside:
            hidden.append(place)
    assert (places, hidden) == (wanted, [])
    assert len(wanted) > 30


def test_nothing_is_cut_on_paper(opened: Any) -> None:
    tab = opened.tab
    tab.set_viewport_size({"width": 672, "height": 950})  # of A4 between its margins
    tab.evaluate(OPEN_ALL)
    tab.emulate_media(media="print", color_scheme="dark")
    assert tab.evaluate("document.documentElement.scrollWidth") == 672
    assert tab.evaluate(GROUND) == WHITE
    assert min(tab.evaluate(CONTRASTS).values()) >= 4.5
    assert not any(one.is_visible() for one in tab.locator(".narrow").all())


def test_themes_and_contrast(opened: Any) -> None:
    tab = opened.tab
    for scheme in ("dark", "light"):
        tab.emulate_media(color_scheme=scheme)
        contrasts = tab.evaluate(CONTRASTS)
        assert len(contrasts) > 8
        assert min(contrasts.values()) >= 4.5, contrasts
        assert (tab.evaluate(GROUND) == WHITE) == (scheme == "light")
    button = tab.locator("button.theme")
    for theme in ("light", "dark"):
        button.click()
        assert button.text_content() == f"Theme: {theme}"
        assert (tab.evaluate(GROUND) == WHITE) == (theme == "light")


def test_structure_for_those_who_do_not_see_it(opened: Any) -> None:
    tab = opened.tab
    levels = tab.locator("h1, h2, h3, h4, h5, h6").evaluate_all(
        "all => all.map((e) => Number(e.tagName[1]))"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert {*levels} == {1, 2, 3}
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert tab.locator("html").get_attribute("lang") == "en"
    assert tab.title() == tab.locator("h1").text_content()
    for section in tab.locator("section").all():
        assert section.locator("p, li, figure, table").count() > 0
    for landmark in ("header", "nav[aria-label]", "main", "footer"):
        assert tab.locator(f"body > {landmark}, .columns > {landmark}").count() == 1
    tables = tab.locator("table").count()
    assert tab.locator("table > caption").count() == tables > 8
    assert tab.locator("thead th:not([scope=col])").count() == 0
    assert tab.locator("tbody tr > :first-child:not(th[scope=row])").count() == 0
    for figure in tab.locator("figure svg").all():
        assert figure.get_attribute("role") == "img"
        names = (figure.get_attribute("aria-labelledby") or "").split()
        assert names or figure.get_attribute("aria-label")
        assert all(tab.locator(f"[id='{name}']").text_content() for name in names)
    for choice in tab.locator("select").all():
        name = choice.get_attribute("id")
        assert tab.locator(f"label[for='{name}']").text_content()
    ids = tab.locator("[id]").evaluate_all("all => all.map((e) => e.id)")
    assert len(ids) == len({*ids})
    links = tab.locator("nav a").evaluate_all("all => all.map((a) => a.getAttribute('href'))")
    assert all(tab.locator(link).count() == 1 for link in links)


def test_without_script_everything_is_there(context: Any, page_file: Any) -> None:
    html = page_file.read_text(encoding="utf-8")
    tab = context.new_page()
    tab.set_content(re.sub(r"<script>.*?</script>", "", html, flags=re.DOTALL))
    assert len(column(tab, "AP of each query", 1)) == 12
    assert tab.locator("button.theme").is_hidden()
    tab.close()
