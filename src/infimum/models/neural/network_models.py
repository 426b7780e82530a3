"""Estimators from layers that the user puts together."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.data.doors import samples
from infimum.errors import DataError, InvalidParameterError
from infimum.models.neural._perceptron import Perceptron
from infimum.models.neural.layers import Dense, Layer, Reshape, shape_of
from infimum.models.neural.mlp_classifier import MLPClassifier
from infimum.models.neural.mlp_regressor import MLPRegressor
from infimum.models.neural.network import Network
from infimum.models.neural.training import TrainingRows

__all__ = ["NetworkClassifier", "NetworkRegressor"]


class _Layered(Perceptron):
    """A network of given layers, with one dense layer behind them.

    What the constructors do not ask for is fixed here.
    """

    layers: Any
    input_shape: Any
    solver = "adam"
    activation = "relu"
    hidden_layer_sizes = ()
    learning_rate = "constant"
    power_t = 0.5
    shuffle = True
    verbose = False
    momentum = 0.9
    nesterovs_momentum = True
    beta_1 = 0.9
    beta_2 = 0.999
    epsilon = 1e-8
    max_fun = 15000

    def _network(self, table: TrainingRows) -> Network:
        return self._built(table.X.shape[1], table.Y.shape[1], table.X.dtype)

    def _built(self, features: int, outputs: int, dtype: Any) -> Network:
        return Network(self._layers(features, outputs), (features,), dtype)

    def _layers(self, features: int, outputs: int) -> list[Layer]:
        """Return all layers, with the one that reads the columns and the last."""
        owner, layers = type(self).__name__, self.layers
        if not isinstance(layers, list | tuple) or not all(
            isinstance(layer, Layer) for layer in layers
        ):
            raise InvalidParameterError(
                f"{owner}.layers must be a list of layers, got {layers!r}."
            )
        given = (features,) if self.input_shape is None else self.input_shape
        shape = shape_of(f"{owner}.input_shape", given)
        if prod(shape) != features:
            raise DataError(
                f"{owner}.input_shape {shape} needs {prod(shape)} columns, X has "
                f"{features}."
            )
        return [Reshape(shape), *self.layers, Dense(outputs)]

    def _fitted(self) -> Network:
        dtype = self.coefs_[0].dtype
        network = self._built(self.n_features_in_, self.n_outputs_, dtype)
        self._load(network)
        return network

    def _scores(self, X: Any) -> NDArray[Any]:
        rows = samples(self, X)
        return self._fitted().scores(_filled(rows))

    def _hidden_reach(self) -> float:
        return self._fitted().hidden_lipschitz()

    def _read(self, X: Any, y: Any, sample_weight: Any, *, reset: bool) -> Any:
        table, head = super()._read(X, y, sample_weight, reset=reset)
        return TrainingRows(_filled(table.X), table.Y, table.weights), head


class NetworkClassifier(_Layered, MLPClassifier):
    """Classifier by layers of your own, and a dense one behind them.

    Parameters
    ----------
    layers : sequence of Layer
        For instance ``[Convolution(8, 3, activation="relu"), MaxPool(2), Flatten()]``.
        The output layer is added.
    input_shape : tuple of int, optional
        How the columns of X are laid out: (length, channels) or (height, width,
        channels).
    alpha, batch_size, learning_rate_init, max_iter, random_state, tol, warm_start, \
early_stopping, validation_fraction, n_iter_no_change, class_weight, dropout, n_init
        As in `MLPClassifier`, trained by Adam.

    Attributes
    ----------
    classes_, coefs_, intercepts_, loss_, loss_curve_, n_iter_, t_, evidence_
        As in `MLPClassifier`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).standard_normal((200, 2))
    >>> model = NetworkClassifier(
    ...     [Dense(8, "tanh")], learning_rate_init=0.05, max_iter=60, random_state=0,
    ...     n_iter_no_change=60, tol=0.0, n_init=2, batch_size=20,
    ... )
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     model.fit(X, X[:, 0] * X[:, 1] > 0).score(X, X[:, 0] * X[:, 1] > 0) > 0.95
    True
    """

    def __init__(
        self,
        layers: Any = (),
        *,
        input_shape: Any = None,
        alpha: float = 0.0001,
        batch_size: Any = "auto",
        learning_rate_init: float = 0.001,
        max_iter: int = 200,
        random_state: Any = None,
        tol: float = 1e-4,
        warm_start: bool = False,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: float = 10,
        class_weight: Any = None,
        dropout: float = 0.0,
        n_init: int = 1,
    ) -> None:
        self.layers = layers
        self.input_shape = input_shape
        self.alpha = alpha
        self.batch_size = batch_size
        self.learning_rate_init = learning_rate_init
        self.max_iter = max_iter
        self.random_state = random_state
        self.tol = tol
        self.warm_start = warm_start
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.class_weight = class_weight
        self.dropout = dropout
        self.n_init = n_init


class NetworkRegressor(_Layered, MLPRegressor):
    """Regressor by layers of your own, and a dense one behind them.

    Parameters
    ----------
    layers, input_shape
        As in `NetworkClassifier`.
    loss
        As in `MLPRegressor`.
    alpha, batch_size, learning_rate_init, max_iter, random_state, tol, warm_start, \
early_stopping, validation_fraction, n_iter_no_change, dropout, n_init
        As in `MLPRegressor`, trained by Adam.

    Attributes
    ----------
    coefs_, intercepts_, loss_, loss_curve_, n_iter_, t_, evidence_
        As in `MLPRegressor`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.linspace(-1.0, 1.0, 40)[:, None]
    >>> model = NetworkRegressor(
    ...     [Dense(16, "tanh")], max_iter=400, learning_rate_init=0.02, tol=1e-7,
    ...     random_state=0, n_iter_no_change=100,
    ... )
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     bool(model.fit(X, X[:, 0] ** 2).score(X, X[:, 0] ** 2) > 0.9)
    True
    """

    def __init__(
        self,
        layers: Any = (),
        *,
        input_shape: Any = None,
        loss: Any = "squared_error",
        alpha: float = 0.0001,
        batch_size: Any = "auto",
        learning_rate_init: float = 0.001,
        max_iter: int = 200,
        random_state: Any = None,
        tol: float = 1e-4,
        warm_start: bool = False,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: float = 10,
        dropout: float = 0.0,
        n_init: int = 1,
    ) -> None:
        self.layers = layers
        self.input_shape = input_shape
        self.loss = loss
        self.alpha = alpha
        self.batch_size = batch_size
        self.learning_rate_init = learning_rate_init
        self.max_iter = max_iter
        self.random_state = random_state
        self.tol = tol
        self.warm_start = warm_start
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.dropout = dropout
        self.n_init = n_init


def _filled(X: Any) -> NDArray[Any]:
    """Return rows that layers can reshape."""
    return np.asarray(X.toarray() if hasattr(X, "indptr") else X)
