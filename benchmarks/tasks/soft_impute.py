"""Completion by the trace norm, beside a program that fills the whole matrix."""

import numpy as np

from benchmarks.task import Contender, present
from benchmarks.tasks.factor_ratings import TASK as RATINGS


class SoftImputes:
    """Judged by the error on entries held out; fancyimpute reached 1.96 before."""

    title = "SoftImpute, 5,000 × 2,000, 100,000 entries, held-out error below 1.97"
    tolerance = 1.97

    def problem(self, *, quick):
        return RATINGS.problem(quick=quick)[:2]

    def contenders(self):
        yield Contender("infimum", fit_ours)
        if present("fancyimpute"):
            yield Contender("fancyimpute", fit_fancy)

    def excess(self, problem, answer):
        i, j, z = problem[1]
        return float(np.sqrt(np.mean((z - answer(i, j)) ** 2)))


def fit_ours(problem, _):
    from infimum.models.recommend import SoftImpute

    model = SoftImpute(6.0 / problem[0].nnz, tol=1e-3, center=False)
    return model.fit_entries(problem[0]).predict_entries


def fit_fancy(problem, _):
    from unittest.mock import patch

    from fancyimpute import SoftImpute, soft_impute, solver
    from sklearn.utils import check_array

    def checked(X, *, force_all_finite=True):  # the name changed in scikit-learn 1.6
        return check_array(X, ensure_all_finite=force_all_finite)

    seen = problem[0].tocoo()
    X = np.full(seen.shape, np.nan)
    X[seen.coords] = seen.data
    both = [
        patch.object(each, "check_array", checked) for each in (solver, soft_impute)
    ]
    with both[0], both[1]:
        filled = SoftImpute(verbose=False, init_fill_method="zero").fit_transform(X)
    return lambda i, j: filled[i, j]


TASK = SoftImputes()
