"""Names as texts of figures."""

from __future__ import annotations

import pytest

from fuzzytruth.errors import FontWarning
from fuzzytruth.plots.drawing import drawable, pair_names, shown_names


@pytest.mark.parametrize("width", [5, 10, 20, 40])
def test_cut_names_stay_different(width: int) -> None:
    names = [f"a common start {x} and a long common end" for x in ("bm25", "tfidf", "bm26")]
    names += ["short", "x" * 60, "x" * 61, "y" * 50]
    cut = shown_names([*names, names[0]], width)
    assert len(set(cut)) == len(names)
    assert cut[-1] == cut[0]
    assert cut[3] == "short"
    if width >= 20:
        assert max(map(len, cut[:3])) <= width


def test_control_characters_are_shown() -> None:
    assert shown_names(["a\nb", 3, "\x1b[31m"], 20) == ["a\\nb", "3", "\\x1b[31m"]


def test_pairs_keep_what_tells_them_apart() -> None:
    cut = pair_names(["waterloo.A-normal", "waterloo.B-normal"], ["waterloo.C-normal"] * 2, 24)
    assert len({*cut}) == 2
    assert max(map(len, cut)) <= 25


def test_letters_that_the_font_lacks_are_codes_and_counted() -> None:
    with pytest.warns(FontWarning, match=r"2 names of a figure .* shown as codes \(.u691c\)"):
        out = shown_names(["検索", "ü−…", "検"], 20)
    assert out == ["\\u691c\\u7d22", "ü−…", "\\u691c"]
    assert drawable(["no such letter"]) == ["no such letter"]


def test_svg_keeps_letters_for_the_fonts_of_the_browser() -> None:
    import matplotlib as mpl

    with mpl.rc_context({"svg.fonttype": "none"}):
        assert drawable(["検索"]) == ["検索"]
