"""L2 logistic regression on a wide sparse table, such as texts give."""

from types import SimpleNamespace

import numpy as np

from benchmarks.designs import popular_words, signs_of
from benchmarks.peers import liblinear_weights, quietly
from benchmarks.task import Contender, present

LADDER = (1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5)


class SparseLogisticL2:
    """``C`` times the logistic losses plus half the squared norm, without intercept.

    Without one because LIBLINEAR and Snap ML penalise it and we do not: so all
    minimise the same function.
    """

    tolerance = 1e-6

    def __init__(self, C):
        self.C = C
        size = "CSR 100,000 × 50,000, 0.1 % filled"
        self.title = f"Logistic L2 (C = {C:g}), {size}, excess ≤ 1e-6"

    def problem(self, *, quick):
        rng = np.random.default_rng(2)
        n, d, entries = (5_000, 2_000, 20) if quick else (100_000, 50_000, 50)
        X = popular_words(n, d, entries, rng)
        w = rng.standard_normal(d) * (rng.random(d) < 0.2) * 8
        y = signs_of(X @ w, rng)
        problem = SimpleNamespace(X=X, y=y, C=self.C)
        problem.optimum = lower_bound(problem)
        return problem

    def contenders(self):
        yield Contender("infimum", fit_ours, (1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4))
        if present("sklearn"):
            for solver in ("lbfgs", "newton-cg", "liblinear", "sag"):
                fit = quietly(sklearn_fit(solver))
                yield Contender(f"scikit-learn ({solver})", fit, LADDER)
            fit = quietly(sklearn_fit("liblinear", dual=True))
            yield Contender("scikit-learn (liblinear, dual)", fit, LADDER)
        if present("sklearnex"):
            yield Contender("sklearnex (lbfgs)", fit_sklearnex, LADDER)
        if present("liblinear"):
            yield Contender("LIBLINEAR (Newton)", liblinear_fit(0), LADDER)
            yield Contender("LIBLINEAR (dual)", liblinear_fit(7), LADDER)
        if present("snapml"):
            yield Contender("Snap ML (primal)", snapml_fit(dual=False), LADDER)
            yield Contender("Snap ML (dual)", snapml_fit(dual=True), LADDER)
        if present("glum"):
            yield Contender("glum (lbfgs)", fit_glum, (1e-4, 1e-5, 1e-6))

    def excess(self, problem, answer):
        w = np.ravel(getattr(answer, "coef_", answer))
        return objective(problem, w) / problem.optimum - 1.0


def objective(problem, w):
    margins = problem.y * (problem.X @ w)
    return problem.C * np.logaddexp(0.0, -margins).sum() + 0.5 * w @ w


def lower_bound(problem):
    """Return the dual value of a tightly fitted model, by the formula of the dual."""
    w = np.ravel(fit_ours(problem, 1e-5).coef_)
    p = 1.0 / (1.0 + np.exp(problem.y * (problem.X @ w)))
    entropy = -(p * np.log(p) + (1.0 - p) * np.log1p(-p)).sum()
    pulled = problem.C * (problem.X.T @ (problem.y * p))
    return problem.C * entropy - 0.5 * pulled @ pulled


def fit_ours(problem, tol):
    from infimum import LogisticRegression

    model = LogisticRegression(C=problem.C, tol=tol, fit_intercept=False)
    return model.fit(problem.X, problem.y)


def sklearn_fit(solver, *, dual=False):
    def fit(problem, tol):
        from sklearn.linear_model import LogisticRegression

        return LogisticRegression(
            C=problem.C,
            tol=tol,
            solver=solver,
            dual=dual,
            fit_intercept=False,
            max_iter=2_000,
            random_state=0,
        ).fit(problem.X, problem.y)

    return fit


@quietly
def fit_sklearnex(problem, tol):
    from sklearnex.linear_model import LogisticRegression

    model = LogisticRegression(
        C=problem.C, tol=tol, fit_intercept=False, max_iter=2_000
    )
    return model.fit(problem.X, problem.y)


def liblinear_fit(kind):
    @quietly
    def fit(problem, tol):
        options = f"-s {kind} -c {problem.C} -e {tol} -q"
        return liblinear_weights(problem.X, problem.y, options)

    return fit


def snapml_fit(*, dual):
    @quietly
    def fit(problem, tol):
        from snapml import LogisticRegression

        return LogisticRegression(
            regularizer=1.0 / problem.C,
            dual=dual,
            n_jobs=2,
            tol=tol,
            max_iter=2_000,
            fit_intercept=False,
            random_state=0,
        ).fit(problem.X, problem.y)

    return fit


@quietly
def fit_glum(problem, tol):
    from glum import GeneralizedLinearRegressor

    return GeneralizedLinearRegressor(
        family="binomial",
        alpha=1.0 / (problem.C * len(problem.y)),
        l1_ratio=0.0,
        fit_intercept=False,
        solver="lbfgs",
        gradient_tol=tol,
        max_iter=2_000,
    ).fit(problem.X, (problem.y > 0).astype(float))


TASK = SparseLogisticL2(10.0)
