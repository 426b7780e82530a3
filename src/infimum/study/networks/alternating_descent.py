"""Descent by turns: first the output weights, then the hidden weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.data.doors import array, vector
from infimum.errors import DataError
from infimum.models.neural.activations import Activation
from infimum.parameters import check_domain, positive, whole
from infimum.typing import Matrix, Vector

__all__ = ["AlternatingDescent", "alternating_descent"]


@dataclass(frozen=True)
class AlternatingDescent:
    """A network with one hidden layer and no intercepts, and the way to it.

    Parameters
    ----------
    w : array of shape (n_units,)
        Output weights.
    W : array of shape (n_units, n_features)
        Hidden weights, one row a neuron.
    errors : array of shape (n_steps + 1,)
        Sum of squares at the start and after each step.
    """

    w: Vector
    W: Matrix
    errors: Vector


def alternating_descent(
    X: Any,
    y: Any,
    start: tuple[Any, Any],
    *,
    activation: Activation,
    rate: float = 1e-3,
    steps: int = 100,
    radius: float | None = None,
) -> AlternatingDescent:
    r"""Minimise the sum of squares of a network by turns.

    .. math:: E(w, W) = \sum_i \Bigl(y_i - \sum_j w_j σ(W_j^\top x_i)\Bigr)^2

    Each step moves w against its gradient at (w, W), then W against its gradient at the
    new w and the old W.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
    start : tuple of arrays (w, W)
        Weights of shape (n_units,) and (n_units, n_features).
    activation : Activation
        σ, a part of `infimum.models.neural.activations`.
    rate : float, default=1e-3
        The learning rate of both turns.
    steps : int, default=100
    radius : float, optional
        After each turn its weights are projected onto the ball of this radius: the
        Euclidean norm of w, the Frobenius norm of W.

    Examples
    --------
    >>> from infimum.models.neural import Tanh
    >>> found = alternating_descent(
    ...     [[0.0], [1.0]], [0.0, 1.0], ([0.5], [[0.5]]), activation=Tanh(), rate=0.1
    ... )
    >>> bool(found.errors[-1] < 0.01 * found.errors[0])
    True
    """
    owner = "alternating_descent"
    check_domain(f"{owner}.rate", rate, positive)
    check_domain(f"{owner}.steps", steps, whole(0))
    if radius is not None:
        check_domain(f"{owner}.radius", radius, positive)
    rows, target = array(X), vector(y)
    w, W = vector(start[0]).astype(float), array(start[1]).astype(float)
    if W.shape != (len(w), rows.shape[1]) or len(target) != len(rows):
        raise DataError(
            f"{owner}: w of {len(w)} units and W of shape {W.shape} do not fit X of "
            f"shape {rows.shape} and {len(target)} targets."
        )
    w, W = _within(w, radius), _within(W, radius)
    errors = []
    for _ in range(steps):
        hidden = activation.value(rows @ W.T)
        rest = target - hidden @ w
        errors.append(float(rest @ rest))
        w = _within(w + 2.0 * rate * hidden.T @ rest, radius)
        rest = target - hidden @ w
        slope = activation.derivative(rows @ W.T)
        W = _within(W + 2.0 * rate * (w[:, None] * (slope.T * rest)) @ rows, radius)
    rest = target - activation.value(rows @ W.T) @ w
    return AlternatingDescent(w, W, np.array([*errors, float(rest @ rest)]))


def _within(weights: Any, radius: float | None) -> Any:
    """Return the nearest weights of at most this norm."""
    norm = np.linalg.norm(weights)
    return weights if radius is None or norm <= radius else weights * (radius / norm)
