"""What follows from a few facts about judged pairs, wherever the pairs are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from fuzzytruth._typing import Bools, Ints
from fuzzytruth.truth.protocol import Worlds
from fuzzytruth.truth.vote_worlds import too_few_subjects

Source = Literal["subjects", "probabilities", "counts"]
_SOURCES = {
    "probabilities": "probabilities and have no subjects",
    "counts": "counts of people without names, so that nobody's judgments of two items are known",
}


class JudgedTruth:
    """Which worlds judged pairs have.

    `source` says what the votes come from: judgments (of subjects, or of a single source),
    probabilities of grades, or counts of people without names.
    """

    source: Source
    if TYPE_CHECKING:  # fields of one class, and properties of the other

        @property
        def subjects(self) -> tuple[str, ...] | None:
            """Names of the subjects; None where there are none."""

        @property
        def missing(self) -> Ints:
            """Items that each cell's subject left out: (cells,)."""

        @property
        def uncertain(self) -> Bools:
            """Cells with several grades of one subject for the same item: (cells,)."""

        @property
        def has_intents(self) -> bool:
            """Whether items are judged by intent."""

        @property
        def has_repeats(self) -> bool:
            """Whether some subject judged an item several times."""

    @property
    def n_missing(self) -> int:
        """Judgments that subjects left out of queries for which they gave others."""
        return int(self.missing.sum())

    @property
    def resampling_is_unbiased(self) -> bool:
        """Votes weigh the same, and probabilities are not resampled."""
        return True

    @property
    def default(self) -> Worlds:
        """Independent worlds if the grades are uncertain."""
        known = self.source == "subjects" and len(self.subjects or ()) <= 1
        return "crisp" if known and not self.uncertain.any() else "independent"

    @property
    def why_no_intents(self) -> str | None:
        """Why items are not judged by intent."""
        if self.has_intents:
            return None
        return (
            "these have none; name the intent (subtopic, aspect, ...) of each judgment in a column "
            "'intent', or read TREC diversity judgments with groups='intent'"
        )

    @property
    def why_no_lists(self) -> str | None:
        """Why subjects have no ranked lists of their own."""
        if self.has_repeats:
            return (
                "subjects judged some items several times, which makes several lists of each; keep "
                "one repeat of each subject"
            )
        return None if self.source == "subjects" else f"these judgments are {_SOURCES[self.source]}"

    @property
    def why_no_unjudged(self) -> None:
        """Items may be unjudged."""
        return None

    def why_not(self, worlds: Worlds) -> str | None:
        """Why the judgments have no such worlds."""
        n_subjects = len(self.subjects or ())
        if self.source != "subjects" and worlds != "independent":
            return f"these judgments are {_SOURCES[self.source]}; use worlds='independent'"
        if worlds in ("subject", "population") and not n_subjects:
            return (
                "these judgments have no subjects; leave worlds out, or read them with a column "
                "that names who judged: columns={'subject': ...}"
            )
        if worlds == "crisp" and n_subjects > 1:
            return (
                f"these judgments have {n_subjects} subjects; merge them with truth.aggregate("
                "'mean' | 'median' | 'majority' | 'max' | 'min'), or use worlds='subject'"
            )
        if worlds == "crisp" and self.uncertain.any():
            return (
                "the subject judged some items several times, with different grades; use "
                "worlds='independent', or merge them with truth.aggregate('mean' | 'median' | "
                "'majority' | 'max' | 'min')"
            )
        if worlds == "population" and n_subjects < 2:
            return too_few_subjects("judgments", n_subjects)
        return None
