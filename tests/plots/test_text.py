"""Names, titles and legends of figures."""

from __future__ import annotations

from typing import Any

from fuzzytruth.plots.drawing import (
    finish,
    fitted,
    legend_below,
    name_rows,
    name_ticks,
    title,
    width_of,
)


def test_lines_are_as_wide_as_they_may_be() -> None:
    text = "one two three four five six seven"
    lines = fitted(text, 72, 72, 9).split("\n")
    assert " ".join(lines) == text
    assert 2 <= len(lines) <= 4
    cut = fitted("unbreakable" * 9, 72, 72, 9)
    assert cut.startswith("unbre")
    assert cut.endswith("…reakable"[-6:])
    assert 50 < width_of(cut, 9) <= 72


def test_the_middle_of_too_many_lines_is_left_out() -> None:
    text = " ".join(str(number) for number in range(100, 200)) + "\nthe end"
    lines = fitted(text, 144, 60, 9).split("\n")
    assert len(lines) == 5
    assert lines[0].startswith("100 101 ")
    assert [line.endswith("…") for line in lines] == [False, True, False, False, False]
    assert lines[-2].endswith(" 199")
    assert lines[-1] == "the end"
    assert fitted("one two", 20, 1, 9) == "one\ntwo"


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


def test_legends_have_as_many_columns_as_fit(plt: Any) -> None:
    for width, columns in ((6.4, 3), (3.4, 1)):
        _, ax = plt.subplots(figsize=(width, 3), layout="constrained")
        handles = [ax.plot([0, 1], label=f"a name of thirty letters no. {j}")[0] for j in range(3)]
        legend_below(ax, handles)
        ax.figure.canvas.draw()
        box = ax.get_legend().get_window_extent()
        lefts = {round(text.get_window_extent().x0) for text in ax.get_legend().get_texts()}
        assert box.x0 >= 0
        assert box.x1 <= ax.figure.bbox.x1
        assert len(lefts) == columns


def test_finish_breaks_labels_and_takes_dollars_as_they_are(plt: Any) -> None:
    _, ax = plt.subplots(figsize=(3.4, 3), layout="constrained")
    ax.plot([0, 1], label="one")
    ax.set_xlabel("a label of $x$ that is too wide for a column of a paper, by far")
    finish(ax, "title", at_least=2)
    ax.figure.canvas.draw()
    box = ax.xaxis.label.get_window_extent()
    assert box.x0 >= 0
    assert box.x1 <= ax.figure.bbox.x1
    assert "\n" in ax.get_xlabel()
    assert ax.get_legend() is None
    assert not ax.xaxis.label.get_parse_math()


def test_rows_are_smaller_where_there_are_many(plt: Any) -> None:
    sizes = []
    for n in (5, 60):
        _, ax = plt.subplots(figsize=(3.4, 4))
        name_rows(ax, range(n), lambda most, n=n: [f"{most}"] * n)
        sizes.append(ax.get_yticklabels()[0].get_fontsize())
    assert sizes[0] == 8
    assert 3.5 <= sizes[1] < 4
