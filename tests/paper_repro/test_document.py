"""Sources as cells, cells as Markdown."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from paper_repro.document import Cell, is_picture, markdown, read, run


def test_sources_are_cut_at_their_marks(monkeypatch, tmp_path) -> None:
    source = (
        '"""Doc."""\n\n# %% [markdown]\n# # Title\n#\n# Text.\n\n# %% drawn\nx = 1\nx + 1\n'
        "\n\n# %%\ndef f():\n    return 2\n"
    )
    (tmp_path / "part.py").write_text(source)
    monkeypatch.setattr("paper_repro.document.FOLDER", tmp_path)
    prose, drawn, code = read("part")
    assert (prose.text, prose.is_code) == ("# Title\n\nText.", False)
    assert (drawn.text, drawn.is_code, drawn.name) == ("x = 1\nx + 1", True, "drawn")
    assert (code.text, code.name) == ("def f():\n    return 2", "")


def test_cells_share_names_and_show_their_last_value() -> None:
    cells = [
        Cell("x = 2 / 3", is_code=True),
        Cell("x\nx + 1", is_code=True),
        Cell("Of {{x:.2f}}\nor {{round(3 *\nx)}}.\n\n- {{1 +\n  1}} is\n- short"),
        Cell("Two\nlines, and { braces }."),
        Cell("import matplotlib.pyplot as plt\nplt.subplots()[1]", is_code=True),
    ]
    nothing, value, prose, untouched, picture = run(cells)
    assert (nothing.value, value.value) == (None, pytest.approx(5 / 3))
    assert prose.text == "Of 0.67 or 2.\n\n- 2 is\n- short"
    assert untouched.text == "Two\nlines, and { braces }."
    assert is_picture(picture.value)
    assert not plt.get_fignums()


def test_a_warning_is_an_error() -> None:
    with pytest.raises(UserWarning, match="careful"):
        run([Cell("import warnings\nwarnings.warn('careful')", is_code=True)])


def test_frames_and_texts_as_markdown() -> None:
    frame = pd.DataFrame({"a|b": [0.5, np.nan, 0.125], "n": [1, 2, 3]}, index=list("xyz"))
    bare, named = markdown(frame), markdown(frame.rename_axis("name"))
    assert bare.splitlines() == [
        "| a\\|b | n |",
        "| --- | --- |",
        "| 0.500 | 1 |",
        "|  | 2 |",
        "| 0.125 | 3 |",
    ]
    assert named.splitlines()[2] == "| x | 0.500 | 1 |"
    assert markdown("as it prints") == "```text\nas it prints\n```"
