"""Random problems that are bad for floating point: scales, shifts, collinearity."""

from typing import Any, NamedTuple

import numpy as np

from infimum.losses import (
    Absolute,
    EpsilonInsensitive,
    Hinge,
    Huber,
    Logistic,
    Poisson,
    Quantile,
    Softmax,
    Squared,
    SquaredHinge,
)
from infimum.models.linear._problem import LinearProblem
from infimum.penalties import Box, ElasticNet, GroupLasso, Lasso, NoPenalty, Ridge
from infimum.solvers import choose, relay

__all__ = ["Fitted", "fitted", "penalties"]


class Fitted(NamedTuple):
    """A problem as its user has it, with a solution as a solver leaves it."""

    X: Any
    y: Any
    loss: Any
    penalty: Any
    coef: Any
    intercept: Any
    options: dict[str, Any]
    risk: Any
    point: Any


def losses(rng):
    return [
        Squared(),
        Absolute(),
        Quantile(float(rng.uniform(0.1, 0.9))),
        Huber(float(10.0 ** rng.uniform(-1, 1))),
        EpsilonInsensitive(float(rng.uniform(0.0, 0.5))),
        Logistic(),
        Softmax(3),
        Hinge(),
        SquaredHinge(),
        Poisson(),
    ]


def penalties(strength, d, mix=0.5):
    halves = [tuple(range(0, d, 2)), tuple(range(1, d, 2))]
    return [
        NoPenalty(),
        Ridge(strength),
        Lasso(strength),
        ElasticNet(strength, mix),
        GroupLasso(strength, tuple(half for half in halves if half)),
        Box(-0.5, 1.0),
        Box(0.0, np.inf),
        Lasso(strength, positive=True),
    ]


def samples(rng, n, d):
    X = rng.standard_normal((n, d))
    form = rng.integers(0, 6)
    if form == 1:
        X = X * 10.0 ** rng.uniform(-8, 8)
    if form == 2:
        X = X + 10.0 ** rng.uniform(0, 8)
    if form == 3 and d > 1:
        X[:, 1] = X[:, 0] + 10.0 ** rng.uniform(-8, 0) * X[:, 1]
    if form == 4:
        X = X * 10.0 ** rng.uniform(-4, 4, d)
    if form == 5:
        X = np.round(2.0 * X)
    return X.astype(np.float32) if rng.random() < 0.2 else X


def targets(rng, loss, X):
    n, d = X.shape
    X = X.astype(np.float64)
    signal = (X - X.mean(0)) / np.maximum(X.std(0), 1e-300) @ rng.standard_normal(d)
    noisy = signal + rng.standard_normal(n)
    if loss.target == "real":
        shift = 10.0 ** rng.uniform(0, 8) if rng.random() < 0.3 else 0.0
        return (noisy + shift) * (
            10.0 ** rng.uniform(-8, 8) if rng.random() < 0.2 else 1.0
        )
    if loss.target == "count":
        return rng.poisson(np.exp(np.clip(signal, -3, 3))) + 1.0 * (np.arange(n) == 0)
    y = np.where(noisy > 0, 1.0, -1.0)
    if loss.target == "class":
        y = np.digitize(noisy, [-1, 1]).astype(np.float64)
    y[:3] = (0, 1, 2) if loss.target == "class" else (1, -1, 1)
    return y


def fitted(seed):
    """Draw a problem and solve it."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(4, 60)), int(rng.integers(1, 8))
    X, loss = samples(rng, n, d), losses(rng)[seed % 10]
    y = targets(rng, loss, X)
    strength, mix = float(10.0 ** rng.uniform(-4, 0)), float(rng.uniform(0, 1))
    penalty = penalties(strength, d, mix)[seed // 10 % 8]
    weights = [None, 10.0 ** rng.uniform(-4, 4, n), rng.integers(1, 4, n) * 1.0]
    weight = weights[rng.integers(0, 3)]
    problem = LinearProblem.of(
        X, (y,), loss, weight, intercept=bool(rng.random() < 0.7)
    )
    risk = problem.risks(penalty)[0]
    found = relay(choose(risk)(tolerance=1e-8, max_seconds=0.5), risk)
    coef, intercept = problem.unpack(found.point)
    options = {"weights": weight, "slopes": found.slopes}
    last = intercept if problem.intercept else None
    point = problem.pack(coef, intercept)
    return Fitted(X, y, loss, penalty, coef.T, last, options, risk, point)
