from dataclasses import replace

import numpy as np

from fuzzytruth.evaluation.scores import Scores


def make_scores(*, cells, values, uncertainty=None, lower=None, upper=None, subjects=None, **kw):
    def d(v, fill=np.nan):
        return (
            None
            if v is None
            else np.ascontiguousarray(np.swapaxes(cells.dense(v, fill=fill), -1, -2))
        )

    judged = np.zeros((cells.n_subjects, cells.n_queries), bool)
    judged[cells.subject_codes, cells.query] = True
    if cells.subject is None:
        judged[:] = True
    if uncertainty is not None and cells.subject is not None and uncertainty.std is None:
        z = np.zeros((values.shape[0], values.shape[1], cells.n_queries))
        uncertainty = replace(
            uncertainty, subject_error=d(uncertainty.mc_error), std=z, exact=z == 0, mc_error=z
        )
    return Scores(
        values=d(values),
        judged=judged,
        subjects=subjects,
        uncertainty=uncertainty,
        lower=d(lower),
        upper=d(upper),
        **kw,
    )
