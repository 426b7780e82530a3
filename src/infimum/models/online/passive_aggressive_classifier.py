"""Passive-aggressive classification: the smallest change that gets a row right."""

from __future__ import annotations

from typing import Any, Self

from infimum.data.doors.streamed_rows import streams
from infimum.losses import Hinge, SquaredHinge
from infimum.models.online._classifier import OnlineClassifier
from infimum.models.online._losses import StreamLoss
from infimum.models.online._passive_aggressive import PassiveAggressive
from infimum.parameters import Choice, check_domain

__all__ = ["PassiveAggressiveClassifier"]


class PassiveAggressiveClassifier(PassiveAggressive, OnlineClassifier):
    r"""A linear classifier that moves as little as a margin of 1 asks.

    .. math:: w ← \arg\min_u \tfrac12 ‖u - w‖² + C\,ℓ(y_t, ⟨u, x_t⟩ + b)

    with the hinge (PA-I) or the squared hinge (PA-II): a proximal step on the loss of
    one row, in closed form. The intercept then moves by the same multiple, as in
    scikit-learn. Without an intercept the mistakes of PA-I stay below
    `infimum.certificates.passive_aggressive_bound`.

    Parameters
    ----------
    C : float, default=1.0
        How aggressive: the longest step of PA-I.
    loss : {"hinge", "squared_hinge"}, default="hinge"
        PA-I or PA-II.
    fit_intercept, max_iter, tol, early_stopping, validation_fraction, \
n_iter_no_change, shuffle, verbose, n_jobs, random_state, warm_start, class_weight, \
average
        As in `Perceptron`.

    Attributes
    ----------
    classes_, coef_, intercept_, n_iter_, t_, mistakes_, incurred_, memory_
        As in `Perceptron`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[2.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 2.0]])
    >>> model = PassiveAggressiveClassifier(shuffle=False, fit_intercept=False)
    >>> model.partial_fit(X, [1, 0, 1, 0], classes=[0, 1]).coef_
    array([[ 1., -1.]])

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
        loss: str = "hinge",
        n_jobs: int | None = None,
        random_state: Any = None,
        warm_start: bool = False,
        class_weight: Any = None,
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
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.warm_start = warm_start
        self.class_weight = class_weight
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
            Labels, of any sortable kind.
        coef_init, intercept_init : array-like, optional
            Where to begin, in the shapes of `coef_` and `intercept_`.
        """
        return self._fit(X, y, (coef_init, intercept_init))

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Take one step for each row, in their order; see `Perceptron.partial_fit`."""
        return self._partial_fit(X, y, classes, None)

    def _stream_loss(self) -> StreamLoss:
        names = Choice(("hinge", "squared_hinge"))
        check_domain(f"{type(self).__name__}.loss", self.loss, names)
        return Hinge() if self.loss == "hinge" else SquaredHinge()
