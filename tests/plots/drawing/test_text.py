"""Names, titles and legends of figures."""

from __future__ import annotations

from typing import Any

import pytest

from fuzzytruth.plots.drawing.text import legend_below, name_ticks, shown_names, title, wrapped


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


def test_lines_are_as_wide_as_they_may_be() -> None:
    text = "one two three four five six seven"
    lines = wrapped(text, 72, 9).split("\n")
    assert " ".join(lines) == text
    assert 2 <= len(lines) <= 4
    assert wrapped("unbreakable" * 9, 72, 9) == "unbreakable" * 9


def test_titles_stay_in_the_figure(plt: Any) -> None:
    text = "Means of $x$ and of many other things, " * 6 + "\nthe end"
    for n_axes in (1, 2):
        figure, axes = plt.subplots(1, n_axes, figsize=(3.4 * n_axes, 3), layout="constrained")
        ax = axes if n_axes == 1 else axes[1]
        name_ticks(ax, "y", [0], ["a name of thirty characters..."])
        title(ax, text)
        figure.canvas.draw()
        drawn = next(t for t in ax.get_children() if getattr(t, "get_text", str)().endswith("end"))
        box = drawn.get_window_extent()
        assert box.x0 >= 0
        assert box.x1 <= figure.bbox.x1
        assert box.y1 <= figure.bbox.y1
        assert "$x$" in drawn.get_text()


def test_legends_stay_clear_of_the_label(plt: Any) -> None:
    _, ax = plt.subplots(layout="constrained")
    handles = [ax.plot([0, 1], label=name)[0] for name in ("$one$", "two")]
    ax.set_xlabel("first line\nsecond line")
    legend_below(ax, handles)
    ax.figure.canvas.draw()
    legend = ax.get_legend().get_window_extent()
    assert legend.y1 <= ax.xaxis.label.get_window_extent().y0 + 3
    assert legend.y0 >= 0
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["$one$", "two"]
