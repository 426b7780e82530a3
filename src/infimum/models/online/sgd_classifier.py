"""Stochastic gradient classification: one step down the loss for each row."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.utils.metaestimators import available_if

from infimum.data.doors.streamed_rows import streams
from infimum.losses import Logistic
from infimum.models.online._classifier import OnlineClassifier
from infimum.models.online._losses import ModifiedHuber
from infimum.models.online._stochastic import Stochastic
from infimum.typing import Matrix

__all__ = ["SGDClassifier"]


def _knows_probabilities(model: Any) -> bool:
    known = type(model._stream_loss()) in {Logistic, ModifiedHuber}
    if not known:
        raise AttributeError(
            "SGDClassifier gives probabilities for the losses 'log_loss' and "
            f"'modified_huber' only, got {model.loss!r}."
        )
    return True


class SGDClassifier(Stochastic, OnlineClassifier):
    r"""A linear classifier that steps down the loss of each row as it comes.

    .. math:: w ← w - η_t \bigl(∂_w ℓ(y_t, ⟨w, x_t⟩ + b) + α\,∂Ω(w)\bigr)

    For streams and for tables too long to hold. Where the table fits in memory, the
    classes of `infimum.models.linear` minimise the same objective and prove it.

    Parameters
    ----------
    loss : str or Loss, default="hinge"
        "hinge", "log_loss", "modified_huber", "squared_hinge", "perceptron",
        "squared_error", "huber", "epsilon_insensitive", "squared_epsilon_insensitive",
        or a loss of `infimum.losses` for signs or numbers.
    penalty : {None, "l2", "l1", "elasticnet"}, default="l2"
        Ω. The l1 part is paid by the coefficients of the features that a row has.
    alpha, l1_ratio : float, default=0.0001, 0.15
        Strength of the penalty, and the share of the l1 in an elastic net.
    epsilon : float, default=0.1
        The number of the Huber and the ε-insensitive losses.
    learning_rate : str, default="optimal"
        "constant": η₀; "optimal": 1/(α(t + t₀)); "invscaling": η₀/t^`power_t`;
        "adaptive": η₀, divided by 5 whenever passes stop improving; "pa1", "pa2":
        proximal steps as in `PassiveAggressiveClassifier`, with C = η₀.
    eta0, power_t : float, default=0.01, 0.5
        See `learning_rate`.
    fit_intercept, max_iter, tol, shuffle, verbose, n_jobs, random_state, \
early_stopping, validation_fraction, n_iter_no_change, class_weight, warm_start, average
        As in `Perceptron`.

    Attributes
    ----------
    classes_, coef_, intercept_, n_iter_, t_, mistakes_, incurred_, memory_
        As in `Perceptron`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[2.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 2.0]])
    >>> model = SGDClassifier("log_loss", random_state=0).fit(X, ["a", "b", "a", "b"])
    >>> model.predict(X).tolist()
    ['a', 'b', 'a', 'b']

    References
    ----------
    Bottou (2012), Stochastic gradient descent tricks. Tsuruoka, Tsujii & Ananiadou
    (2009), ACL (the l1 penalty).
    """

    def __init__(
        self,
        loss: Any = "hinge",
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
        n_jobs: int | None = None,
        random_state: Any = None,
        learning_rate: str = "optimal",
        eta0: float = 0.01,
        power_t: float = 0.5,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        class_weight: Any = None,
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
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.learning_rate = learning_rate
        self.eta0 = eta0
        self.power_t = power_t
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.class_weight = class_weight
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

    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Take one step for each row, in their order; see `Perceptron.partial_fit`."""
        return self._partial_fit(X, y, classes, sample_weight)

    @available_if(_knows_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Matrix:
        """Return a probability for each class; several classes share theirs."""
        scores = self.decision_function(X)
        smooth = isinstance(self._stream_loss(), Logistic)
        shares = _logistic(scores) if smooth else 0.5 * (np.clip(scores, -1, 1) + 1.0)
        if shares.ndim == 1:
            return np.column_stack([1.0 - shares, shares])
        total = shares.sum(axis=1, keepdims=True)
        even = np.full_like(shares, 1.0 / shares.shape[1])
        return np.where(total > 0, shares / np.where(total > 0, total, 1.0), even)

    @available_if(_knows_probabilities)  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> Matrix:
        """Return the logarithms of `predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))


def _logistic(scores: Matrix) -> Matrix:
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * scores)))
