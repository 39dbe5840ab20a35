"""Looks, axes, names, titles and legends of figures."""

from typing import Any

import pytest
from support.drawn import legend_of

from fuzzytruth.errors import FontWarning, OptionError
from fuzzytruth.plots import drawing


def inside(ax: Any, text: Any) -> bool:
    """Whether a text is inside the figure."""
    ax.figure.canvas.draw()
    box, figure = text.get_window_extent(), ax.figure.bbox
    return box.x0 >= 0 and box.x1 <= figure.x1 and box.y0 >= 0 and box.y1 <= figure.y1


def test_given_axes_are_used_and_otherwise_new_ones(plt: Any) -> None:
    figure, given = plt.subplots()
    assert drawing.axes_or_new(given) is given
    assert plt.get_fignums() == [1]
    new = drawing.axes_or_new(None, width=3, height=2)
    assert new is not given
    assert new.figure.get_size_inches().tolist() == [3, 2]
    for wrong in ("AP", figure, plt.subplots(2)[1]):
        with pytest.raises(OptionError, match="give one Axes of Matplotlib; options go by name"):
            drawing.axes_or_new(wrong)


def test_names_as_texts() -> None:
    assert drawing.shown_names(["a\nb", 3, "\x1b[31m"], 20) == ["a\\nb", "3", "\\x1b[31m"]
    first = ["waterloo.A-normal", "waterloo.B-normal"]
    cut = drawing.pair_names(first, ["waterloo.C-normal"] * 2, 24)
    assert len({*cut}) == 2
    assert max(map(len, cut)) <= 25
    with pytest.warns(FontWarning, match=r"2 names of a figure .* shown as codes \(.u691c\)"):
        out = drawing.shown_names(["検索", "ü−…", "検"], 20)
    assert out == ["\\u691c\\u7d22", "ü−…", "\\u691c"]
    assert drawing.drawable(["no such letter"]) == ["no such letter"]
    import matplotlib as mpl

    with mpl.rc_context({"svg.fonttype": "none"}):  # the browser has fonts
        assert drawing.drawable(["検索"]) == ["検索"]


def test_lines_are_as_wide_as_they_may_be() -> None:
    text = "one two three four five six seven"
    lines = drawing.fitted(text, 72, 72, 9).split("\n")
    assert " ".join(lines) == text
    assert 2 <= len(lines) <= 4
    cut = drawing.fitted("unbreakable" * 9, 72, 72, 9)
    assert cut.startswith("unbre")
    assert cut.endswith("able")
    assert 50 < drawing.width_of(cut, 9) <= 72
    text = " ".join(str(number) for number in range(100, 200)) + "\nthe end"
    lines = drawing.fitted(text, 144, 60, 9).split("\n")  # the middle is left out
    assert len(lines) == 5
    assert lines[0].startswith("100 101 ")
    assert [line.endswith("…") for line in lines] == [False, True, False, False, False]
    assert lines[-2].endswith(" 199")
    assert lines[-1] == "the end"
    assert drawing.fitted("one two", 20, 1, 9) == "one\ntwo"


@pytest.mark.parametrize("n_axes", [1, 2])
def test_titles_stay_in_the_figure(plt: Any, n_axes: int) -> None:
    _, axes = plt.subplots(1, n_axes, figsize=(3.4 * n_axes, 3), layout="constrained")
    ax = axes if n_axes == 1 else axes[1]
    drawing.name_ticks(ax, "y", [0], ["a name of thirty characters..."])
    drawing.title(ax, "Means of $x$ and of many other things, " * 6 + "\nthe end")
    drawn = next(t for t in ax.get_children() if getattr(t, "get_text", str)().endswith("end"))
    assert inside(ax, drawn)
    assert "$x$" in drawn.get_text()


def test_words_of_legends_are_wrapped_and_labels_are_as_high_as_the_axes(plt: Any) -> None:
    figure, ax = plt.subplots(figsize=(3.3, 3), layout="constrained")
    words = "what a mark is, in words that are longer than a narrow figure is wide"
    name = "system_with_a_name_that_is_longer_than_a_narrow_figure_is_wide"
    handles = [ax.plot([0, 1], label=label)[0] for label in (words, name)]
    ax.set_ylabel("a label that is longer than axes between a title and a legend are high")
    drawing.finish(ax, "a title\nof several\nlines", handles=handles)
    first, second = legend_of(ax)
    assert first.replace("\n", " ") == words
    assert first.count("\n") == 1
    assert second.count("…") == 1
    assert second.startswith("system_with")
    assert inside(ax, ax.get_legend())
    figure.canvas.draw()
    box = ax.yaxis.label.get_window_extent()
    assert box.height <= ax.bbox.height + 2
    assert ax.get_ylabel().count("\n") >= 1


def test_names_of_pairs_are_below_each_other_where_rows_are_high() -> None:
    first, second = ["waterloo.A-rank-normal", "x"], ["tfidf", "y"]
    (cut, short) = drawing.pair_names(first, second, 24)
    assert ("…" in cut, short) == (True, "x − y")
    high = drawing.pair_names(first, second, 24, high=True)
    assert high == ["waterloo.A-rank-normal −\ntfidf", "x −\ny"]
    assert drawing.pair_names(["a"], ["b"], 24, high=True) == ["a − b"]


@pytest.mark.parametrize(("width", "columns"), [(6.4, 3), (3.4, 1)])
def test_legends_fit_below_the_label(plt: Any, width: float, columns: int) -> None:
    _, ax = plt.subplots(figsize=(width, 3), layout="constrained")
    names = [f"a $name$ of letters no. {j}" for j in range(3)]
    ax.set_xlabel("first line\nsecond line")
    drawing.draw_legend(ax, [ax.plot([0, 1], label=name)[0] for name in names])
    assert inside(ax, ax.get_legend())
    top = ax.get_legend().get_window_extent().y1
    assert top <= ax.xaxis.label.get_window_extent().y0 + 3
    assert legend_of(ax) == names
    lefts = {round(text.get_window_extent().x0) for text in ax.get_legend().get_texts()}
    assert len(lefts) == columns
