"""The likeliest Dirichlet law of many rows of shares."""

import numpy as np
from scipy.optimize import minimize
from scipy.special import gammaln, psi

from benchmarks.tasks._simple import SimpleTask


def problem(quick):
    concentration = np.linspace(0.5, 3.0, 20)
    rng = np.random.default_rng(0)
    return rng.dirichlet(concentration, 2_000 if quick else 100_000)


def ours(y, _):
    from infimum.distributions import Dirichlet

    return Dirichlet.fit(y).concentration


def surprise(point, logs):
    """Return minus the mean log-likelihood and its gradient in log α."""
    alpha = np.exp(point)
    value = gammaln(alpha).sum() - gammaln(alpha.sum()) - (alpha - 1.0) @ logs
    return value, alpha * (psi(alpha) - psi(alpha.sum()) - logs)


def lbfgs(y, tol):
    """Descend on the averages, which are the best that a user of scipy can do."""
    how = {"ftol": 1e-15, "gtol": tol, "maxiter": 1000}
    start, logs = np.zeros(y.shape[1]), np.log(y).mean(axis=0)
    found = minimize(surprise, start, (logs,), "L-BFGS-B", jac=True, options=how)
    return np.exp(found.x)


def lbfgs_on_rows(y, tol):
    """Descend on the likelihood of the rows, read again at each step."""
    how = {"ftol": 1e-15, "gtol": tol, "maxiter": 1000}

    def cost(point):
        return surprise(point, np.log(y).mean(axis=0))

    found = minimize(
        cost, np.zeros(y.shape[1]), method="L-BFGS-B", jac=True, options=how
    )
    return np.exp(found.x)


def judge(y, answer):
    """Return how far the conditions of the maximum are missed."""
    wanted = np.log(y).mean(axis=0)
    return np.abs(psi(answer) - psi(answer.sum()) - wanted).max()


TASK = SimpleTask(
    "Dirichlet law of 100,000 × 20 shares",
    1e-6,
    problem,
    judge,
    {"infimum": ours, "scipy L-BFGS": lbfgs, "scipy L-BFGS on rows": lbfgs_on_rows},
    dict.fromkeys(("scipy L-BFGS", "scipy L-BFGS on rows"), (1e-6, 1e-8, 1e-10)),
)
