"""The figure of `fuzzytruth displacement`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fuzzytruth.errors import OptionError, counted

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from fuzzytruth.evaluation.scores import Scores
    from fuzzytruth.measures import WD

_NEXT = "optimist"  # the hypothesis of one end; the other end is one of these
_LAST = ("pessimist", "pessimist-tail", "worst")


def check_drawn(unseen: Sequence[str], quality: str | None) -> None:
    """Refuse a figure of hypotheses that are not the two ends of a range.

    Raises
    ------
    OptionError
        These are not optimist and one other, or a quality is shown in place of displacements.
    """
    if quality is not None:
        raise OptionError("--figure: shows displacements, not their quality; leave out --g")
    last = [name for name in unseen if name in _LAST] or [_LAST[0]]
    if sorted(unseen) != sorted([_NEXT, last[0]]):
        two = f"--unseen {_NEXT} --unseen {last[0]} -N SIZE"
        raise OptionError(
            "--figure: shows ranges from optimist to pessimist; "
            f"{f'give {two} and no others' if unseen else f'add {two}'} (or pessimist-tail or "
            "worst in place of pessimist)"
        )


def draw_displacement(scores: Scores, measures: Sequence[WD]) -> Axes:
    """Draw each system's range by each subject on a new figure; see `plots.displacement`.

    Parameters
    ----------
    scores : Scores
    measures : sequence of WD
        Of the scores: that of the optimist, and another one.
    """
    from fuzzytruth import plots

    ends = sorted(measures, key=lambda measure: measure.unseen != _NEXT)
    names = {str(ends[0]): "optimist", str(ends[1]): "pessimist"}
    queries = counted(len(scores.queries), "query")
    title = f"Weighted displacement by subject, means over {queries}"
    if scores.design == "nested" and len(scores.queries) > 1:
        title = f"Weighted displacement by each subject of {queries}"
    if ends[1].unseen != "pessimist":
        title += f"; the pessimist is {ends[1].unseen!r}"
    label = (
        "w as a share of the largest possible"
        if ends[0].normalised
        else "mean of weighted displacement w"
    )
    return plots.displacement(_by_subject(scores).rename(columns=names), label=label, title=title)


def _by_subject(scores: Scores) -> pd.DataFrame:
    """One row a system and subject, one column a measure; nested subjects with their queries."""
    if scores.design == "crossed":
        return scores.mean(by="subject").reset_index()
    frame = scores.to_frame()
    frame["subject"] = frame["query"].astype(str) + ": " + frame["subject"].astype(str)
    wide = frame.pivot(index=["system", "subject"], columns="measure", values="value")
    return wide.reset_index()
