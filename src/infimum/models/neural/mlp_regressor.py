"""MLPRegressor: numbers from a network of dense layers."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin
from sklearn.callback import with_callbacks
from sklearn.metrics import r2_score
from sklearn.utils.metaestimators import available_if

from infimum.data.doors import measured
from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.losses import Loss
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.neural._perceptron import Perceptron
from infimum.models.neural.heads import Counts, Head, LossHead, Squares
from infimum.models.neural.mlp_classifier import in_batches, several_columns
from infimum.models.neural.training import TrainingRows
from infimum.typing import Matrix

__all__ = ["MLPRegressor"]


class MLPRegressor(RegressorMixin, Perceptron):  # type: ignore[misc]
    """Regressor by a network of dense layers, trained by gradients.

    Parameters
    ----------
    loss : {'squared_error', 'poisson'} or Loss, default='squared_error'
        What an error costs: half its square, the Poisson deviance of a mean e^score,
        or a smooth loss of `infimum.losses`.
    hidden_layer_sizes, activation, solver, alpha, batch_size, learning_rate, \
learning_rate_init, power_t, max_iter, shuffle, random_state, tol, verbose, \
warm_start, momentum, nesterovs_momentum, early_stopping, validation_fraction, \
beta_1, beta_2, epsilon, n_iter_no_change, max_fun, dropout, n_init
        As in `MLPClassifier`; stopping early goes by R².

    Attributes
    ----------
    coefs_, intercepts_, loss_, loss_curve_, best_loss_, n_iter_, t_, start_losses_, \
evidence_
        As in `MLPClassifier`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.linspace(-1.0, 1.0, 50)[:, None]
    >>> model = MLPRegressor(
    ...     hidden_layer_sizes=(20,), solver="lbfgs", activation="tanh", random_state=0
    ... )
    >>> model.fit(X, np.sin(3.0 * X[:, 0])).score(X, np.sin(3.0 * X[:, 0])) > 0.99
    True
    """

    def __init__(
        self,
        loss: Any = "squared_error",
        hidden_layer_sizes: Any = (100,),
        activation: Any = "relu",
        *,
        solver: str = "adam",
        alpha: float = 0.0001,
        batch_size: Any = "auto",
        learning_rate: str = "constant",
        learning_rate_init: float = 0.001,
        power_t: float = 0.5,
        max_iter: int = 200,
        shuffle: bool = True,
        random_state: Any = None,
        tol: float = 1e-4,
        verbose: bool = False,
        warm_start: bool = False,
        momentum: float = 0.9,
        nesterovs_momentum: bool = True,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-8,
        n_iter_no_change: float = 10,
        max_fun: int = 15000,
        dropout: float = 0.0,
        n_init: int = 1,
    ) -> None:
        self.loss = loss
        self.hidden_layer_sizes = hidden_layer_sizes
        self.activation = activation
        self.solver = solver
        self.alpha = alpha
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.learning_rate_init = learning_rate_init
        self.power_t = power_t
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.random_state = random_state
        self.tol = tol
        self.verbose = verbose
        self.warm_start = warm_start
        self.momentum = momentum
        self.nesterovs_momentum = nesterovs_momentum
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.beta_1 = beta_1
        self.beta_2 = beta_2
        self.epsilon = epsilon
        self.n_iter_no_change = n_iter_no_change
        self.max_fun = max_fun
        self.dropout = dropout
        self.n_init = n_init

    @with_callbacks  # type: ignore[untyped-decorator]
    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train the network; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples, float32 or float64.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Targets.
        sample_weight : array-like of shape (n_samples,), optional
            Weights; with all rows in one batch the same as copies.
        """
        goes_on = self.warm_start and hasattr(self, "coefs_")
        table, head = self._read(X, y, sample_weight, reset=not goes_on)
        return self._watched(table, head, X, y, goes_on=goes_on)

    @available_if(in_batches)  # type: ignore[untyped-decorator]
    @whole_or_not_at_all
    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Go over one more batch of rows once; return self.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.
        """
        self._refuse_other_solvers()
        goes_on = hasattr(self, "coefs_")
        table, head = self._read(X, y, sample_weight, reset=not goes_on)
        return self._learn(table, head, once=True, goes_on=goes_on)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the answer for each sample."""
        found = self._head().answers(self._scores(X))
        return found.ravel() if found.shape[1] == 1 else found

    def _read(
        self, X: Any, y: Any, sample_weight: Any, *, reset: bool
    ) -> tuple[TrainingRows, Head]:
        many = several_columns(y)
        rows = measured(self, X, y, sample_weight, multi_output=many, reset=reset)
        Y = rows.y.reshape(len(rows.y), -1).astype(rows.X.dtype)
        head = self._head()
        if isinstance(head, Counts) and (Y < 0).any():
            raise DataError(
                "MLPRegressor with loss='poisson' takes targets of 0 or more."
            )
        return TrainingRows(rows.X, Y, rows.weights), head

    def _head(self) -> Head:
        if isinstance(self.loss, Loss):
            if not np.isfinite(self.loss.curvature):
                raise IncompatibleError(
                    f"MLPRegressor needs a smooth loss, {self.loss} is not."
                )
            return LossHead(self.loss)
        heads: dict[Any, Head] = {"squared_error": Squares(), "poisson": Counts()}
        if not isinstance(self.loss, str) or self.loss not in heads:
            raise InvalidParameterError(
                "MLPRegressor.loss must be 'squared_error', 'poisson' or a loss of "
                f"infimum.losses, got {self.loss!r}."
            )
        return heads[self.loss]

    def _judge(self, answers: Matrix, judged: TrainingRows) -> float:
        """Return R² on rows put aside."""
        if not np.isfinite(answers).all():
            return float("nan")
        return float(r2_score(judged.Y, answers, sample_weight=judged.weights))
