"""The parts as cells of one document."""

import re

from paper_repro.document import FOLDER, cells_of, computed, fill


def test_cells_are_cut_at_their_marks() -> None:
    source = (
        '"""Doc."""\nimport os\n\n'
        "# %% [markdown]\n# # Title\n#\n# Text.\n\n\n"
        "# %% show: summary()\ndef summary():\n    return 1\n\n\n# %%\nX = 2\n"
    )
    result = [(c.text, c.call) for c in cells_of("claims", source)]
    assert result == [("# Title\n\nText.", ""), ("claims.summary()", "summary()")]


def test_numbers_in_prose_are_computed() -> None:
    text = computed(
        "examples", "Of {{len(GAINS)}} shapes,\n{{GAINS.count(2)}} are highly relevant."
    )
    assert text == "Of 14 shapes, 5 are highly relevant."
    untouched = "Two\nlines, and { braces }."
    assert computed("examples", untouched) == untouched
    assert fill("a " * 100, 20).splitlines()[0] == "a a a a a a a a a a"


def test_no_number_of_the_experiment_is_typed() -> None:
    """Prose of the synthetic parts has no decimals or percentages but those of its design."""
    typed = {}
    for part in ("experiment", "strong", "systems", "scheme4", "own_votes"):
        source = (FOLDER / f"{part}.py").read_text(encoding="utf-8")
        for block in re.findall(r"# %% \[markdown\]\n((?:#.*\n)+)", source):
            prose = re.sub(r"\{\{.+?\}\}", "", block, flags=re.DOTALL)
            found = re.findall(r"(?<![\w.@])\d*\.\d+|\d+ ?%", prose)
            typed[part] = [*typed.get(part, []), *found]
    assert typed == {
        "experiment": [".4", "95 %"],  # the probability of a parent, and a level
        **{part: [] for part in ("strong", "systems", "scheme4", "own_votes")},
    }
