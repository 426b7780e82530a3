"""Designs shared by several tasks."""

import numpy as np

__all__ = ["correlated"]


def correlated(n, d, rho, rng):
    """Return Gaussian features of variance 1, each correlated with the last."""
    X = rng.standard_normal((n, d))
    step = np.sqrt(1.0 - rho**2)
    for j in range(1, d):
        X[:, j] = rho * X[:, j - 1] + step * X[:, j]
    return X
