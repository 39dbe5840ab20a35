"""Plausible mistakes of users, and what the one message about each must contain.

Written from the documentation alone, by someone who had not read the code. `call(folder)` makes its own
small files in `folder` and makes the mistake; where `reader` begins with "cli" it returns the arguments of
the command instead. Each of `names` is a regular expression that `re.search` must find in the message.
"""

from __future__ import annotations

from support.mistakes import (
    cli_files,
    cli_gate,
    cli_scores,
    evaluation,
    judgments,
    other_verbs,
    runs,
    scores,
    truths,
    votes,
)
from support.mistakes.examples import Mistake

__all__ = ["MISTAKES", "Mistake"]

MISTAKES: list[Mistake] = [
    *judgments.MISTAKES,
    *runs.MISTAKES,
    *votes.MISTAKES,
    *truths.MISTAKES,
    *scores.MISTAKES,
    *evaluation.MISTAKES,
    *other_verbs.MISTAKES,
    *cli_scores.MISTAKES,
    *cli_files.MISTAKES,
    *cli_gate.MISTAKES,
]
