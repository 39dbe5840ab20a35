"""Tables of the alternative annotator test: one row a model, and one row a model and person."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.annotators.model_judges.matched_votes import MatchedVotes
from fuzzytruth.stats.alternative_annotator import PersonTests
from fuzzytruth.stats.corrections import adjust

if TYPE_CHECKING:
    import pandas as pd

#: column -> attribute of the tests
_COLUMNS = {
    "n_items": "n_items",
    "n_clusters": "n_clusters",
    "model_share": "model",
    "person_share": "person",
    "difference": "difference",
    "std_error": "std_error",
    "df": "df",
    "p": "p",
}


def people_table(
    tests: list[PersonTests], votes: MatchedVotes, *, alpha: float, least: int, across: bool
) -> pd.DataFrame:
    """One row a model and person; `across`: the tests of all models are one family."""
    import pandas as pd

    n_models, n_people = len(tests), len(votes.subjects)
    people = pd.DataFrame(
        {
            "model": np.repeat(np.array(votes.judges, dtype=object), n_people),
            "subject": np.tile(np.array(votes.subjects, dtype=object), n_models),
        }
        | {name: np.concatenate([getattr(t, own) for t in tests]) for name, own in _COLUMNS.items()}
    )
    people.loc[people["n_items"] < least, ["std_error", "df", "p"]] = np.nan
    p: Floats = people["p"].to_numpy().reshape(n_models, n_people)
    families = [p.ravel()] if across else list(p)
    people["p_adjusted"] = np.concatenate([adjust(f, "fdr_by", level=1 - alpha) for f in families])
    people["wins"] = people["p_adjusted"] <= alpha
    return people


def models_table(
    tests: list[PersonTests], votes: MatchedVotes, people: pd.DataFrame, *, level: float, least: int
) -> pd.DataFrame:
    """One row a model."""
    import pandas as pd

    shape = len(tests), len(votes.subjects)
    tested: Bools = (people["n_items"] >= least).to_numpy().reshape(shape)
    rate = people["wins"].to_numpy().reshape(shape).sum(axis=1) / tested.sum(axis=1)
    ends = [test.interval(level) for test in tests]
    return pd.DataFrame(
        {
            "model": list(votes.judges),
            "winning_rate": rate,
            "passes": rate >= 0.5,
            "advantage": [test.advantage for test in tests],
            "lower": [lower for lower, _ in ends],
            "upper": [upper for _, upper in ends],
            "n_people": tested.sum(axis=1),
            "n_items": np.bincount(votes.models.who, minlength=len(tests)),
        }
    )
