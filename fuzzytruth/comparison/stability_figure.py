"""What the figure of the stability of ranks is drawn from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from fuzzytruth.comparison.stability_answer import Stability
from fuzzytruth.core.validation import place_of
from fuzzytruth.errors import counted
from fuzzytruth.evaluation.measure_names import with_direction
from fuzzytruth.io.number_text import level_text
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.stats.axes import in_words

if TYPE_CHECKING:
    import pandas as pd


class Ranked(Stability, Protocol):
    """A `RankStability`, as far as it is drawn."""

    @property
    def units(self) -> tuple[str, ...]:
        """Numbers of queries and subjects, for each measure."""
        ...

    @property
    def higher_is_better(self) -> tuple[bool, ...]:
        """For each measure."""
        ...

    @property
    def shares(self) -> pd.DataFrame:
        """Of draws in which a system has a rank."""
        ...


def stability_figure(result: Ranked, measure: str | None) -> PlotData:
    """Shares of ranks by one measure, the first by default, and the sets of ranks."""
    measures = tuple(result.agreement["measure"])
    if measure is None:
        measure = measures[0]
    place = place_of(measures, measure, "measure")
    measure = measures[place]
    of_measure = result.systems["measure"] == measure
    draw = "world" if result.over == ("world",) else "resample"
    over = "" if draw == "world" else f" over {in_words(result.over)}"
    level = level_text(result.level)
    sets = f"simultaneous {level} confidence sets of the true ranks"
    if result.of_worlds:
        sets = f"sets that together hold all ranks in {level} of the worlds"
    name = with_direction(measure, higher_is_better=result.higher_is_better[place])
    title = (
        f"{name}: ranks of {int(of_measure.sum())} systems in "
        f"{counted(result.n_draws, draw)}{over} ({result.units[place]})\nOutlined: {sets}"
    )
    return PlotData(
        result.shares[result.shares["measure"] == measure],
        "\n".join(filter(None, (title, result.too_few))),
        result.systems[of_measure],
        {"share": f"share of {draw}s"},
    )
