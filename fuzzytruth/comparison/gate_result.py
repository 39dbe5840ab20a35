"""`Gate`: the result of `gate`."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from fuzzytruth.comparison import gate_words as words
from fuzzytruth.comparison.gate_tests import GateConditions, GateTest
from fuzzytruth.core.validation import option_flag
from fuzzytruth.errors import printable
from fuzzytruth.io.answer import Answer, Printed

if TYPE_CHECKING:
    import pandas as pd

#: columns of the narrow table
_COLUMNS = ("measure", "over", "decides", "passed", "difference", "bound", "p")


@dataclass(frozen=True, slots=True, repr=False)
class Gate(Answer):
    """Whether a new system is not worse than an old one by a margin, or is better.

    Parameters
    ----------
    conditions : GateConditions
    tests : tuple of GateTest
        By measure; the one that decides comes last.

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> scores = ft.Scores.from_frame(pd.DataFrame({
    ...     "system": ["new"] * 4 + ["old"] * 4, "query": [1, 2, 3, 4] * 2,
    ...     "value": [0.5, 0.7, 0.9, 0.7, 0.5, 0.8, 0.8, 0.6]}))
    >>> print(ft.gate(scores, "new", "old", margin=0.2))
    passed: new is not worse than old by 0.2 or more on value over 4 queries
    (difference +0.02, 95 % lower bound -0.09, p = 0.0091)
    """

    conditions: GateConditions
    tests: tuple[GateTest, ...]

    @property
    def passed(self) -> bool:
        """Whether every measure passed the test that decides."""
        return all(test.passed for test in self.deciding)

    @property
    def deciding(self) -> tuple[GateTest, ...]:
        """The tests that the verdict rests on, one for each measure."""
        return tuple(test for test in self.tests if test.decides)

    def __repr__(self) -> str:
        measures = ", ".join(test.measure for test in self.deciding)
        verdict = "passed" if self.passed else "not passed"
        old, new = self.conditions.old, self.conditions.new
        return printable(f"Gate({new} against {old} on {measures}: {verdict})")

    def _answer(self) -> Printed:
        return words.answer(self.conditions, self.tests)

    def lines(self) -> list[str]:
        """The verdict in one line, then one for each measure if there are several.

        A test over queries alone, which does not decide, has an indented line of its own.
        """
        return words.lines(self.conditions, self.tests)

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row for each test.

        Columns: measure, over (as a text), decides, passed, difference, bound, p. With
        ``full=True`` all fields of `GateTest`.
        """
        import pandas as pd

        table = pd.DataFrame([asdict(test) | {"over": ",".join(test.over)} for test in self.tests])
        return table if option_flag("full", full) else table[list(_COLUMNS)]

    def to_dict(self) -> dict[str, Any]:
        """Verdict and tests as JSON has them; numbers that are not finite are None.

        Keys: passed, verdict (the first of `lines`), claim ("non-inferior" or "better"), new, old,
        level, groups, and tests, each with the fields of `GateTest`.
        """
        conditions = self.conditions
        return {
            "passed": self.passed,
            "verdict": self.lines()[0],
            "claim": "better" if conditions.better else "non-inferior",
            "new": conditions.new,
            "old": conditions.old,
            "level": conditions.level,
            "groups": conditions.groups,
            "tests": [
                {name: _finite(value) for name, value in asdict(test).items()}
                for test in self.tests
            ],
        }


def _finite(value: Any) -> Any:
    """A value as JSON has it: None instead of NaN and infinity, a list instead of a tuple."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return list(value) if isinstance(value, tuple) else value
