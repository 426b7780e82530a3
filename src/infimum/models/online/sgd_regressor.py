"""Stochastic gradient regression: one step down the loss for each row."""

from __future__ import annotations

from typing import Any, Self

from infimum.data.doors.streamed_rows import streams
from infimum.models.online._regressor import OnlineRegressor
from infimum.models.online._stochastic import Stochastic

__all__ = ["SGDRegressor"]


class SGDRegressor(Stochastic, OnlineRegressor):
    r"""A linear regressor that steps down the loss of each row as it comes.

    .. math:: w ← w - η_t \bigl(∂_w ℓ(y_t, ⟨w, x_t⟩ + b) + α\,∂Ω(w)\bigr)

    For streams and for tables too long to hold. Where the table fits in memory, the
    classes of `infimum.models.linear` minimise the same objective and prove it.

    Parameters
    ----------
    loss : str or Loss, default="squared_error"
        "squared_error", "huber", "epsilon_insensitive", "squared_epsilon_insensitive",
        or a loss of `infimum.losses` for numbers or counts.
    learning_rate : str, default="invscaling"
        As in `SGDClassifier`.
    eta0, power_t : float, default=0.01, 0.25
        See `learning_rate`.
    penalty, alpha, l1_ratio, epsilon
        As in `SGDClassifier`.
    fit_intercept, max_iter, tol, shuffle, verbose, random_state, early_stopping, \
validation_fraction, n_iter_no_change, warm_start, average
        As in `Perceptron`.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    intercept_ : ndarray of shape (1,)
    n_iter_, t_, incurred_, memory_
        As in `Perceptron`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[-1.0], [0.0], [1.0], [2.0]])
    >>> model = SGDRegressor(eta0=0.1, alpha=0.0, tol=1e-8, random_state=0)
    >>> model.fit(X, 3.0 * X[:, 0] + 1.0).predict([[10.0]]).round(2)
    array([31.])
    """

    def __init__(
        self,
        loss: Any = "squared_error",
        *,
        penalty: str | None = "l2",
        alpha: float = 0.0001,
        l1_ratio: float = 0.15,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float | None = 1e-3,
        shuffle: bool = True,
        verbose: int = 0,
        epsilon: float = 0.1,
        random_state: Any = None,
        learning_rate: str = "invscaling",
        eta0: float = 0.01,
        power_t: float = 0.25,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        warm_start: bool = False,
        average: bool | int = False,
    ) -> None:
        self.loss = loss
        self.penalty = penalty
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.shuffle = shuffle
        self.verbose = verbose
        self.epsilon = epsilon
        self.random_state = random_state
        self.learning_rate = learning_rate
        self.eta0 = eta0
        self.power_t = power_t
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.warm_start = warm_start
        self.average = average

    @streams("infimum.models.streamed.online:fit_online")
    def fit(
        self,
        X: Any,
        y: Any,
        coef_init: Any = None,
        intercept_init: Any = None,
        sample_weight: Any = None,
    ) -> Self:
        """Pass over the rows until nothing improves; see `Perceptron.fit`."""
        return self._fit(X, y, (coef_init, intercept_init), sample_weight)

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Take one step for each row, in their order; see `Perceptron.partial_fit`."""
        return self._partial_fit(X, y, sample_weight)
