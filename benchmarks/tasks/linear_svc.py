"""Linear support vector machine with the hinge loss on a tall dense table."""

from types import SimpleNamespace

import numpy as np

from benchmarks.designs import correlated, signs_of
from benchmarks.peers import liblinear_weights, quietly
from benchmarks.task import Contender, present

LADDER = (1.0, 0.3, 1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 1e-4)


class HingeSVM:
    """Half the squared norm plus ``C`` times the hinge losses, without intercept.

    Without one because the peers penalise it and we do not: so all minimise the same
    function.
    """

    tolerance = 1e-3

    def __init__(self, C, size, design):
        self.title = f"Linear SVM (hinge, C = {C:g}), {size}, excess ≤ 1e-3"
        self.C, self.design = C, design

    def problem(self, *, quick):
        X, y = self.design(quick)
        problem = SimpleNamespace(X=X, y=y, C=self.C)
        problem.optimum = lower_bound(problem)
        return problem

    def contenders(self):
        yield Contender("infimum", fit_ours, (3e-2, 1e-2, 3e-3, 1e-3, 6e-4, 5e-4, 3e-4))
        if present("sklearn"):
            yield Contender("scikit-learn", fit_sklearn, LADDER)
        if present("liblinear"):
            yield Contender("LIBLINEAR", fit_liblinear, LADDER)
        if present("snapml"):
            yield Contender("Snap ML", fit_snapml, LADDER)

    def excess(self, problem, answer):
        w = np.ravel(getattr(answer, "coef_", answer))
        return objective(problem, w) / problem.optimum - 1.0


def dense(quick):
    rng = np.random.default_rng(0)
    n, d = (10_000, 20) if quick else (200_000, 100)
    X = correlated(n, d, 0.5, rng)
    return X, signs_of(X @ rng.standard_normal(d) * 0.35, rng)


def objective(problem, w):
    hinges = np.maximum(1.0 - problem.y * (problem.X @ w), 0.0)
    return problem.C * hinges.sum() + 0.5 * w @ w


def lower_bound(problem):
    """Return the dual value of a tightly fitted model, by the formula of the dual."""
    model, (X, y, C) = fit_ours(problem, 3e-5), (problem.X, problem.y, problem.C)
    alphas = np.clip(-C * y * model.dual_slopes_[0], 0.0, C)
    w = X.T @ (alphas * y)
    return alphas.sum() - 0.5 * w @ w


def fit_ours(problem, tol):
    from infimum import LinearSVC

    model = LinearSVC(loss="hinge", C=problem.C, fit_intercept=False, tol=tol)
    return model.fit(problem.X, problem.y)


@quietly
def fit_sklearn(problem, tol):
    from sklearn.svm import LinearSVC

    return LinearSVC(
        loss="hinge", C=problem.C, fit_intercept=False, tol=tol, random_state=0
    ).fit(problem.X, problem.y)


@quietly
def fit_liblinear(problem, tol):
    return liblinear_weights(problem.X, problem.y, f"-s 3 -c {problem.C} -e {tol} -q")


@quietly
def fit_snapml(problem, tol):
    from snapml import SupportVectorMachine

    return SupportVectorMachine(
        loss="hinge",
        regularizer=1.0 / problem.C,
        n_jobs=2,
        tol=tol,
        max_iter=2_000,
        fit_intercept=False,
        random_state=0,
    ).fit(problem.X, problem.y)


TASK = HingeSVM(1e-3, "dense 200,000 × 100", dense)
