"""Kernel ridge regression with its strength chosen among fifty, by five folds.

Both hold back the same folds. scikit-learn's search solves 251 systems of 8,000 or
10,000 equations, which takes some twenty minutes; it is stopped after four, and its
ratio is then a lower bound.
"""

import numpy as np

from benchmarks.task import Contender, present
from benchmarks.tasks.kernel_ridge import GAMMA, sample
from benchmarks.tasks.kernel_ridge_path import STRENGTHS, gram

FOLDS = 5
#: Strengths whose errors are computed here, too, by a factorisation of each fold.
KNOWN = (10, 40)


class KernelRidgeFolds:
    """Errors of the folds against our own, and what is left of the final system."""

    title = "Kernel ridge, Gaussian, 50 strengths by 5 folds, 10,000 × 50"
    tolerance = 1e-6

    def problem(self, *, quick):
        X, y = sample(400 if quick else 10_000)
        return X, y, [held_out_error(X, y, STRENGTHS[k]) for k in KNOWN]

    def contenders(self):
        yield Contender("infimum", fit_ours)
        if present("sklearn"):
            yield Contender("scikit-learn", fit_sklearn, limit=240.0)

    def excess(self, problem, answer):
        X, y, known = problem
        errors, alpha, coefficients = answer
        wrong = [abs(errors[k] / e - 1.0) for k, e in zip(KNOWN, known, strict=True)]
        assert alpha == STRENGTHS[np.argmin(errors)]
        residual = gram(X, X) @ coefficients + alpha * coefficients - y
        return max(*wrong, np.linalg.norm(residual) / np.linalg.norm(y))


def held_out_error(X, y, alpha):
    from scipy.linalg import solve

    errors = []
    for held_out in np.array_split(np.arange(len(y)), FOLDS):
        learnt = np.setdiff1d(np.arange(len(y)), held_out)
        K = gram(X[learnt], X[learnt])
        K.flat[:: len(K) + 1] += alpha
        c = solve(K, y[learnt], assume_a="pos", overwrite_a=True)
        errors.append(np.mean((y[held_out] - gram(X[held_out], X[learnt]) @ c) ** 2))
    return np.mean(errors)


def fit_ours(problem, _):
    from infimum.models.kernel import KernelRidgeCV

    model = KernelRidgeCV(STRENGTHS, kernel="rbf", gamma=GAMMA, cv=FOLDS)
    model.fit(*problem[:2])
    return model.cv_errors_, model.alpha_, model.dual_coef_


def fit_sklearn(problem, _):
    from sklearn.kernel_ridge import KernelRidge
    from sklearn.model_selection import GridSearchCV

    search = GridSearchCV(
        KernelRidge(kernel="rbf", gamma=GAMMA),
        {"alpha": STRENGTHS},
        cv=FOLDS,
        scoring="neg_mean_squared_error",
    ).fit(*problem[:2])
    errors = -search.cv_results_["mean_test_score"]
    return errors, search.best_params_["alpha"], search.best_estimator_.dual_coef_


TASK = KernelRidgeFolds()
