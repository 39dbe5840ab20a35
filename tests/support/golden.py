"""The worked example of SHREC 2006 as a batch, and values of measures for it."""

import json
from pathlib import Path

from fuzzytruth.measures import parse_measure
from fuzzytruth.truth.batch import Batch
from support.building import batch_of, query

GOLDEN = Path(__file__).parents[1] / "golden"
SHREC = json.loads((GOLDEN / "shrec2006_example.json").read_text())
GAINS = SHREC["gains_in_rank_order"]
N_HIGHLY, N_RELEVANT = SHREC["highly_relevant"], SHREC["relevant"]
MISSED_HIGHLY = N_HIGHLY - GAINS.count(2)
MISSED = [2] * MISSED_HIGHLY + [1] * (N_RELEVANT - N_HIGHLY - GAINS.count(1))
EXAMPLE = batch_of(query(GAINS, MISSED))
IDEAL = batch_of(query([2] * N_HIGHLY + [1] * (N_RELEVANT - N_HIGHLY)))


def value(text: str, batch: Batch = EXAMPLE) -> float:
    return parse_measure(text).score(batch).item()
