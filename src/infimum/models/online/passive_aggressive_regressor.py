"""Passive-aggressive regression: the smallest change that brings a row into a tube."""

from __future__ import annotations

from typing import Any, Self

from infimum.data.doors.streamed_rows import streams
from infimum.losses import EpsilonInsensitive, SquaredEpsilonInsensitive
from infimum.models.online._losses import StreamLoss
from infimum.models.online._passive_aggressive import PassiveAggressive
from infimum.models.online._regressor import OnlineRegressor
from infimum.parameters import Choice, check_domain

__all__ = ["PassiveAggressiveRegressor"]


class PassiveAggressiveRegressor(PassiveAggressive, OnlineRegressor):
    r"""A linear regressor that moves as little as a tube around each target asks.

    .. math:: w ← \arg\min_u \tfrac12 ‖u - w‖² + C\,ℓ(y_t, ⟨u, x_t⟩ + b)

    with the ε-insensitive loss (PA-I) or its square (PA-II); the intercept moves by
    the same multiple, as in scikit-learn. With rows much shorter than 1 that shoots
    past the target; a constant feature and no intercept give the exact step.

    Parameters
    ----------
    C : float, default=1.0
        How aggressive: the longest step of PA-I.
    loss : {"epsilon_insensitive", "squared_epsilon_insensitive"}
        PA-I, the default, or PA-II.
    epsilon : float, default=0.1
        Half the width of the tube.
    fit_intercept, max_iter, tol, early_stopping, validation_fraction, \
n_iter_no_change, shuffle, verbose, random_state, warm_start, average
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
    >>> model = PassiveAggressiveRegressor(epsilon=0.0, C=10.0, fit_intercept=False)
    >>> X, y = np.array([[1.0, 0.0], [0.0, 2.0]]), [3.0, 2.0]
    >>> model.partial_fit(X, y).coef_
    array([3., 1.])

    References
    ----------
    Crammer, Dekel, Keshet, Shalev-Shwartz & Singer (2006), JMLR 7.
    """

    def __init__(
        self,
        *,
        C: float = 1.0,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float | None = 1e-3,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        shuffle: bool = True,
        verbose: int = 0,
        loss: str = "epsilon_insensitive",
        epsilon: float = 0.1,
        random_state: Any = None,
        warm_start: bool = False,
        average: bool | int = False,
    ) -> None:
        self.C = C
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.shuffle = shuffle
        self.verbose = verbose
        self.loss = loss
        self.epsilon = epsilon
        self.random_state = random_state
        self.warm_start = warm_start
        self.average = average

    @streams("infimum.models.streamed.online:fit_online")
    def fit(
        self, X: Any, y: Any, coef_init: Any = None, intercept_init: Any = None
    ) -> Self:
        """Pass over the rows until nothing improves; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows, float32 or float64.
        y : array-like of shape (n_samples,)
            Targets.
        coef_init, intercept_init : array-like, optional
            Where to begin, in the shapes of `coef_` and `intercept_`.
        """
        return self._fit(X, y, (coef_init, intercept_init))

    def partial_fit(self, X: Any, y: Any) -> Self:
        """Take one step for each row, in their order; see `Perceptron.partial_fit`."""
        return self._partial_fit(X, y, None)

    def _stream_loss(self) -> StreamLoss:
        names = Choice(("epsilon_insensitive", "squared_epsilon_insensitive"))
        check_domain(f"{type(self).__name__}.loss", self.loss, names)
        if self.loss == "epsilon_insensitive":
            return EpsilonInsensitive(self.epsilon)
        return SquaredEpsilonInsensitive(self.epsilon)
