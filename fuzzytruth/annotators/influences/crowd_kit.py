"""Models of crowd-kit, fitted to ratings."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.annotators.ratings import Ratings
from fuzzytruth.errors import MissingPackageError

#: method -> class of crowd-kit
MODELS = {"glad": "GLAD", "mace": "MACE"}


def crowd_kit_posterior(ratings: Ratings, method: str) -> Floats:
    """Probability of each value of each unit by a model of crowd-kit, with its own defaults.

    (units, values).

    Raises
    ------
    MissingPackageError
        crowd-kit is not installed.
    """
    try:
        from crowdkit import aggregation
    except ImportError as error:
        raise MissingPackageError(
            f"method={method!r} needs crowd-kit; install it with: pip install "
            "'fuzzytruth[crowd-kit]', or use method='dawid-skene'"
        ) from error
    import pandas as pd

    columns = {"task": ratings.unit, "worker": ratings.subject, "label": ratings.value}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # how crowd-kit calls pandas is not the caller's business
        model: Any = getattr(aggregation, MODELS[method])()
        found = model.fit_predict_proba(pd.DataFrame(columns))
    order = found.reindex(index=np.arange(ratings.n_units), columns=np.arange(len(ratings.names)))
    probability = order.to_numpy(dtype=np.float64, na_value=0.0)
    return np.asarray(probability / probability.sum(axis=1, keepdims=True))
