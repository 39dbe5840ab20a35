"""Restricted maximum likelihood estimates of variance components, by statsmodels."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.errors import DataError, DegenerateWarning, counted, warn

if TYPE_CHECKING:
    from fuzzytruth.annotators.planning.measure_components import MeasureComponents

#: values and levels beyond which a dense fit takes minutes
MOST_VALUES = 3_000
MOST_LEVELS = 800
_SMALLEST = 1e-4  # share of the residual at which a component that is 0 starts


def reml_variances(one: MeasureComponents) -> Floats:
    """Components of one measure, none negative: (components,).

    Raises
    ------
    DataError
        The table is too large for it, or nothing varies.

    Warns
    -----
    DegenerateWarning
        The search did not converge.
    """
    layout = one.layout
    levels = int(layout.n_levels[:-1].sum())
    if layout.n > MOST_VALUES or levels > MOST_LEVELS:
        raise DataError(
            f"reml: {one.measure} has {counted(layout.n, 'value')} and {counted(levels, 'level')} "
            f"of random effects, more than {MOST_VALUES:,} and {MOST_LEVELS:,}, for which the fit "
            "takes minutes; select fewer queries (Scores.select)"
        )
    unit = float(np.std(one.table.values))
    if not one.mean_square.any() or unit == 0:
        raise DataError(f"reml: all values of {one.measure} agree, so that there is nothing to fit")
    model = _model(one, one.table.values / unit)
    start = np.maximum(one.variance / unit**2, 0.0)
    residual = max(float(start[-1]), 1e-6)
    relative = np.maximum(start[:-1] / residual, _SMALLEST)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of components at 0, which are ordinary here
        fit = model.fit(
            reml=True, start_params=_packed(model, relative), method=["lbfgs", "powell"]
        )
    if not fit.converged:
        warn(f"reml: the search for {one.measure} did not converge", DegenerateWarning)
    return np.append(fit.vcomp, fit.scale) * unit**2


def _model(one: MeasureComponents, values: Floats) -> Any:
    """The model of one group, whose variance components are the effects."""
    from scipy.sparse import csr_array
    from statsmodels.regression.mixed_linear_model import MixedLM, VCSpec

    n = len(values)
    levels = [
        csr_array((np.ones(n), (np.arange(n), code))).toarray() for code in one.layout.codes[:-1]
    ]
    names = list(one.names[:-1])
    columns = [[[f"{j}" for j in range(level.shape[1])]] for level in levels]
    spec = VCSpec(names, columns, [[level] for level in levels])
    return MixedLM(values, np.ones((n, 1)), groups=np.zeros(n), exog_vc=spec)


def _packed(model: Any, relative: Floats) -> Any:
    """Where the search starts."""
    from statsmodels.regression.mixed_linear_model import MixedLMParams

    return MixedLMParams.from_components(
        fe_params=np.array([model.endog.mean()]), cov_re=np.zeros((0, 0)), vcomp=relative
    )
