"""Whether larger values of a measure of another tool are better, by its name."""

from __future__ import annotations

import re

#: words in the names of measures of errors, losses and costs
_LOWER = frozenset(
    {"perplexity", "ppl", "loss", "nll", "brier", "ece", "error", "errors", "err", "distance"}
    | {"mse", "rmse", "mae", "mape", "rmsle", "wer", "cer", "ter", "eer", "mer", "fid", "kid"}
    | {"latency", "runtime", "seconds", "duration", "cost", "regret", "hallucination", "toxicity"}
)
_NAMES = frozenset({"log score", "bits per byte", "bits per character", "time"})


def lower_is_better(name: str) -> bool:
    """Whether a name is that of an error, a loss or a cost.

    Examples
    --------
    >>> [lower_is_better(name) for name in ("word_perplexity", "Brier", "bits_per_byte", "acc")]
    [True, True, True, False]
    """
    words = re.findall(r"[a-z]+", name.lower())
    return not _LOWER.isdisjoint(words) or " ".join(words) in _NAMES
