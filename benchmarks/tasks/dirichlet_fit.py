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


def descend(averages, width, tol):
    """Descend from α = 1; the averages of the logarithms are asked for at each step."""
    how = {"ftol": 1e-15, "gtol": tol, "maxiter": 1000}

    def cost(point):
        return surprise(point, averages())

    found = minimize(cost, np.zeros(width), method="L-BFGS-B", jac=True, options=how)
    return np.exp(found.x)


def lbfgs(y, tol):
    """Descend on the averages, which are the best that a user of scipy can do."""
    logs = np.log(y).mean(axis=0)
    return descend(lambda: logs, y.shape[1], tol)


def lbfgs_on_logs(y, tol):
    """Descend on the likelihood of the rows; their logarithms are kept."""
    logs = np.log(y)
    return descend(lambda: logs.mean(axis=0), y.shape[1], tol)


def lbfgs_on_rows(y, tol):
    """Descend on the likelihood of the rows, read again at each step."""
    return descend(lambda: np.log(y).mean(axis=0), y.shape[1], tol)


def judge(y, answer):
    """Return how far the conditions of the maximum are missed."""
    wanted = np.log(y).mean(axis=0)
    return np.abs(psi(answer) - psi(answer.sum()) - wanted).max()


PEERS = {
    "scipy L-BFGS": lbfgs,
    "scipy L-BFGS on logs": lbfgs_on_logs,
    "scipy L-BFGS on rows": lbfgs_on_rows,
}
TASK = SimpleTask(
    "Dirichlet law of 100,000 × 20 shares",
    1e-6,
    problem,
    judge,
    {"infimum": ours, **PEERS},
    dict.fromkeys(PEERS, (1e-6, 1e-8, 1e-10)),
)
