"""Frames of scores with two names a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd

Values = NDArray[np.float64]


def by_two(
    values: Values,
    systems: tuple[str, ...],
    second: tuple[str, tuple[str, ...]],
    measures: tuple[str, ...],
) -> pd.DataFrame:
    """(systems, measures, second) as rows (system, second) and columns measures."""
    import pandas as pd

    name, labels = second
    index = pd.MultiIndex.from_product([systems, labels], names=["system", name])
    rows = values.transpose(0, 2, 1).reshape(len(index), len(measures))
    return pd.DataFrame(rows, index=index, columns=pd.Index(measures, name="measure"))
